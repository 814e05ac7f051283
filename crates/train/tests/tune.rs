//! Whole runs of the tuner, with processes that play.

#![cfg(all(feature = "tune", unix))]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const BOOK: &str = "rnbqkb1r/pp1ppppp/5n2/2p5/2P5/5N2/PP1PPPPP/RNBQKB1R w KQkq -
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -
rnbqkb1r/ppp1pppp/5n2/3p4/3P4/5N2/PPP1PPPP/RNBQKB1R w KQkq - 2 3
";

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("kaiyo-tune-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("book.epd"), BOOK).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// A run with two parameters and a large learning rate, so that few games move them.
    fn tuner(&self, state: &str, arguments: &str) -> Command {
        std::fs::write(
            self.path("parameters"),
            "razor_base, int, 240.0, 120.0, 480.0, 40, 0.1\n\
             reverse_futility_per_depth, int, 45.0, 22.0, 90.0, 10, 0.1\n\
             lmr_pv, int, -1024.0, -2048.0, -512.0, 76.8, 0.1\n",
        )
        .unwrap();
        let mut command = command("tune");
        command
            .args(["--nodes", "200", "--batch", "2", "--log-interval", "1"])
            .args(["--only", "razor_base,reverse_futility_per_depth"])
            .arg("--book")
            .arg(self.path("book.epd"))
            .arg("--parameters")
            .arg(self.path("parameters"))
            .arg("--state")
            .arg(self.path(state))
            .args(arguments.split_whitespace());
        command
    }

    fn tune(&self, state: &str, arguments: &str) -> Output {
        self.tuner(state, arguments).args(["--hash", "1"]).output().unwrap()
    }

    /// Starts a run and waits until its first iteration is done.
    fn begin(&self, state: &str, arguments: &str) -> Child {
        let mut command = self.tuner(state, arguments);
        command.args(["--hash", "1"]).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(120);
        while !self.path(state).exists() {
            assert!(process.try_wait().unwrap().is_none(), "{arguments} ends at once");
            if Instant::now() > deadline {
                process.kill().unwrap();
                panic!("no iteration of {arguments} ends");
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        process
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn command(name: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kaiyo-train"));
    command.arg(name);
    command
}

fn succeed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn fail(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn show(state: &Path) -> String {
    succeed(&command("tune-show").arg(state).output().unwrap())
}

#[test]
fn a_run_is_the_same_with_one_process_and_with_two() {
    let folder = Folder::new("jobs");
    // Enough pairs and nodes that not every pair is level under any search.
    let one = succeed(&folder.tune("one", "--pairs 12"));
    let two = succeed(&folder.tune("two", "--pairs 12 --jobs 2"));
    assert_eq!(one, two);
    assert_eq!(folder.read("one"), folder.read("two"));
    assert_eq!(folder.read("one.csv"), folder.read("two.csv"));
    // A header, the start and six iterations.
    assert_eq!(folder.read("one.csv").lines().count(), 8);
    let lines: Vec<&str> = one.lines().filter(|line| line.contains(", int, ")).collect();
    assert_eq!(lines.len(), 2, "{one}");
    assert!(lines[0].starts_with("razor_base, int, ") && lines[0].ends_with(", 40, 0.1"), "{one}");
    let still = lines[0].contains(" 240.0,") && lines[1].contains(" 45.0,");
    assert!(!still, "nothing has moved: {one}");
    let shown = show(&folder.path("one"));
    assert_eq!(shown, format!("12 of 12 pairs\n\n{one}"));
}

#[test]
fn a_finished_run_is_not_played_again_and_another_one_is_refused() {
    let folder = Folder::new("again");
    let first = succeed(&folder.tune("state", "--pairs 2"));
    let state = folder.read("state");
    assert_eq!(succeed(&folder.tune("state", "--pairs 2")), first);
    assert_eq!(folder.read("state"), state);
    for other in ["--pairs 4", "--pairs 2 --seed 5", "--pairs 2 --draw-score 20"] {
        let error = fail(&folder.tune("state", other));
        assert!(error.contains("other options"), "{error}");
    }
    assert_eq!(folder.read("state"), state);
}

#[test]
fn what_makes_no_sense_is_refused_before_a_game() {
    let folder = Folder::new("refused");
    for (arguments, fault) in [
        ("--pairs 0", "--pairs must be positive"),
        ("--pairs 2 --jobs 0", "--jobs must be positive"),
        ("--pairs 2 --only lmr", "no parameter 'lmr'"),
        ("--pairs 2 --network /nowhere", "/nowhere"),
        ("--pairs 2 --book /nowhere", "/nowhere"),
    ] {
        let error = fail(&folder.tune("state", arguments));
        assert!(error.contains(fault), "{arguments}: {error}");
    }
    assert!(!folder.path("state").exists());
    let log = format!("--pairs 2 --log {}", folder.path("state").display());
    let error = fail(&folder.tune("state", &log));
    assert!(error.contains("cannot be one file"), "{error}");
}

#[test]
fn a_process_that_cannot_play_ends_the_run() {
    let folder = Folder::new("hash");
    // More memory than there are addresses.
    let mut tuner = folder.tuner("state", "--pairs 2 --jobs 2 --hash 100000000000");
    let error = fail(&tuner.output().unwrap());
    assert!(error.contains("cannot allocate"), "{error}");
    assert!(error.contains("has ended early"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_dies_ends_the_run() {
    let folder = Folder::new("death");
    let run = folder.begin("state", "--pairs 1000000 --jobs 2");
    let children = format!("/proc/{0}/task/{0}/children", run.id());
    let children = std::fs::read_to_string(children).unwrap();
    let children: Vec<&str> = children.split_whitespace().collect();
    assert_eq!(children.len(), 2);
    signal("-KILL", children[1]);
    let error = fail(&run.wait_with_output().unwrap());
    assert!(error.contains("has ended early"), "{error}");
    let alive = |child: &&str| Path::new(&format!("/proc/{child}")).exists();
    assert!(!children.iter().any(alive), "{children:?}");
}

#[test]
fn an_interrupt_ends_the_run_with_its_result_and_it_can_be_gone_on_with() {
    let folder = Folder::new("interrupt");
    let whole = succeed(&folder.tune("whole", "--pairs 40"));
    let run = folder.begin("state", "--pairs 40");
    signal("-INT", &run.id().to_string());
    let output = run.wait_with_output().unwrap();
    assert!(succeed(&output).contains("razor_base, int, "));
    assert_eq!(succeed(&folder.tune("state", "--pairs 40")), whole);
    assert_eq!(folder.read("state"), folder.read("whole"));
    assert_eq!(folder.read("state.csv"), folder.read("whole.csv"));
}

fn signal(signal: &str, process: &str) {
    assert!(Command::new("kill").args([signal, process]).status().unwrap().success());
}

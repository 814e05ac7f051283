//! The command line of the program.

mod common;

use common::{AT_ONCE, Client, Folder, ms};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kaiyo"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// All subcommands.
const COMMANDS: &[&str] = &[
    "bench",
    "perft",
    "eval",
    "book",
    "book build",
    "book show",
    "book merge",
    "book check",
    "policy",
    "policy info",
    "policy bench",
    "speedtest",
    "export_net",
    "genfens",
    "xboard",
    "compiler",
    "license",
    "completions",
    "man",
];

/// Those without arguments, which need no examples.
const PLAIN_COMMANDS: &[&str] = &["compiler", "license"];

/// The node count in the last line of `bench`.
fn bench_nodes(arguments: &[&str]) -> u64 {
    let output = run(arguments);
    assert!(output.status.success());
    let text = stdout(&output);
    let last = text.lines().last().unwrap_or_default();
    let words: Vec<&str> = last.split(' ').collect();
    match words[..] {
        [nodes, "nodes", speed, "nps"] => {
            speed.parse::<u64>().expect("a speed");
            nodes.parse().expect("a node count")
        }
        _ => panic!("'{last}' is no bench result"),
    }
}

#[test]
fn bench_is_deterministic() {
    assert_eq!(bench_nodes(&["bench", "1", "quit"]), bench_nodes(&["bench", "1"]));
    let nodes = bench_nodes(&["bench", "4"]);
    assert!(nodes > 1_000, "{nodes}");
    assert_eq!(bench_nodes(&["bench", "4", "1", "16"]), nodes);
    // As a command of the UCI mode.
    assert_eq!(bench_nodes(&["bench 4", "quit"]), nodes);
}

#[test]
fn perft_counts_by_first_move() {
    let output = run(&["perft", "3"]);
    let text = stdout(&output);
    assert!(output.status.success());
    assert!(text.contains("e2e4: 600\n") && text.contains("Nodes searched: 8902\n"), "{text}");
    let fen = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    assert!(stdout(&run(&["perft", "4", "--fen", fen])).contains("Nodes searched: 43238\n"));
}

#[test]
fn uci_commands_are_executed_to_their_end() {
    for arguments in [&["go depth 3", "quit"][..], &["go", "depth", "3"], &["go depth 3"]] {
        let text = stdout(&run(arguments));
        assert!(text.lines().last().is_some_and(|line| line.starts_with("bestmove ")), "{text}");
    }
    let text = stdout(&run(&["position startpos moves e2e4", "go perft 2", "d"]));
    assert!(text.contains("Nodes searched: 600\n") && text.contains("Legal moves: 20"), "{text}");
    assert!(stdout(&run(&["uci", "quit"])).ends_with("uciok\n"));
    // Names of subcommands among them.
    assert!(stdout(&run(&["compiler", "quit"])).contains("rustc"));
    let measured = stdout(&run(&["policy", "bench", POLICY]));
    assert!(measured.contains("a new move") && !measured.contains(" nodes "), "{measured}");
    assert!(stdout(&run(&["policy", "info"])).contains("parameters: "));
}

#[test]
fn unknown_arguments_do_not_end_the_uci_mode() {
    for arguments in [&["--Hash=16", "--foo", "-x"][..], &["--weights", "net.pb", "-t", "4"]] {
        let mut client = Client::with_arguments(arguments);
        client.send("uci");
        client.read_until("uciok");
        client.quit();
    }
}

#[test]
fn the_exit_code_tells_how_it_went() {
    for (arguments, code) in [
        (&["go depth 2", "quit"][..], 0),
        (&["setoption name Hash value 32", "d"], 0),
        (&["setoption name Hash value 0", "quit"], 1),
        (&["export_net", "/no such folder/x"], 1),
        (&["genfens", "1", "seed", "1", "book", "/no-such-book"], 1),
        (&["book", "show", "--book", "/no such book"], 1),
        (&["# a comment", "", "d"], 0),
        (&["nonsense"], 2),
        (&["position fen 8/8", "quit"], 2),
        (&["genfens", "1", "seed", "x"], 2),
        (&["bench", "0"], 2),
        (&["perft", "1", "--fen", "8/8"], 2),
        (&["eval", "8/8"], 2),
        (&["policy", "fen", "8/8"], 2),
        (&["policy", "e4", "e5", "Ke3"], 2),
        (&["policy", "--file", "/no such file"], 1),
        (&["book", "show", "8/8"], 2),
        (&["book", "build", "/no such games", "--out", "/no such folder/x"], 1),
        (&["book", "build", "games", "--out", "/no such folder/x", "--min-share", "101"], 2),
        (&["perft"], 2),
    ] {
        assert_eq!(run(arguments).status.code(), Some(code), "{arguments:?}");
    }
}

#[test]
fn a_backend_can_be_forced() {
    let nodes = |backend: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_kaiyo"))
            .args(["bench", "4"])
            .env("KAIYO_BACKEND", backend)
            .output()
            .expect("the program starts");
        let text = stdout(&output);
        text.split(' ').next().map(str::to_owned)
    };
    let best = nodes("");
    for backend in ["scalar", "AVX2", "avx-512", "none such"] {
        assert_eq!(nodes(backend), best, "{backend}");
    }
    let told = Command::new(env!("CARGO_BIN_EXE_kaiyo"))
        .arg("compiler")
        .env("KAIYO_BACKEND", "Scalar")
        .output()
        .expect("the program starts");
    assert!(stdout(&told).trim_end().ends_with("networks by scalar"), "{}", stdout(&told));
}

#[test]
fn fields_of_a_fen_are_no_options() {
    let output = run(&["position", "fen", "4k3/8/8/8/8/8/8/4K2R", "w", "-", "-", "0", "1"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let output = run(&["position fen 4k3/8/8/8/8/8/8/4K2R w - - 0 1", "go depth 1", "--unknown=1"]);
    assert!(stdout(&output).contains("bestmove "));
    let output = run(&["perft", "256"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn xboard_can_be_an_argument() {
    let mut client = Client::with_arguments(&["xboard"]);
    client.send("protover 2");
    client.read_until("feature done=1");
    client.send("quit");
    client.assert_ends();
}

#[test]
fn information_goes_to_standard_output() {
    let version = stdout(&run(&["--version"]));
    assert!(version.starts_with("kaiyo ") && version.lines().count() == 1, "{version}");
    assert!(stdout(&run(&["--help"])).contains("perft"));
    assert!(stdout(&run(&["license"])).contains("Apache License"));
    let compiler = stdout(&run(&["compiler"]));
    assert!(compiler.contains("rustc") && compiler.contains(version["kaiyo ".len()..].trim_end()));
    assert!(run(&["eval"]).status.success());
}

#[test]
fn openings_are_made_as_openbench_asks_for_them() {
    let text = stdout(&run(&["genfens 3 seed 7 book None ", "quit"]));
    let fens: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("info string genfens ")).collect();
    assert_eq!((fens.len(), text.lines().count()), (3, 3), "{text}");
    for fen in fens {
        // OpenBench takes the last two fields for whole numbers.
        let fields: Vec<&str> = fen.split(' ').collect();
        assert!(fields.len() == 6 && fields[4..].iter().all(|field| field.parse::<u16>().is_ok()));
        kaiyo_chess::Position::from_fen(fen).expect(fen);
    }
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let text = stdout(&run(&[&format!("genfens 3 seed 7 book {book}"), "quit"]));
    assert!(text.lines().count() == 1 && text.contains("genfens: line 1 of "), "{text}");
}

#[test]
fn completions_know_the_subcommands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = run(&["completions", shell]);
        assert!(output.status.success());
        assert!(stdout(&output).contains("perft"), "{shell}");
    }
    assert!(!run(&["completions", "cmd"]).status.success());
}

#[test]
fn help_explains_every_subcommand() {
    for command in COMMANDS {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let help = run(&words);
        let text = stdout(&help);
        assert!(help.status.success() && text.contains("Usage: kaiyo "), "{command}");
        let is_plain = PLAIN_COMMANDS.contains(command);
        assert!(is_plain || text.contains("Examples:\n  kaiyo "), "{command}: {text}");
    }
    assert!(stdout(&run(&["--help"])).contains("Examples:"));
}

#[test]
fn manual_pages_say_what_the_help_says() {
    let page = stdout(&run(&["man"]));
    assert!(page.contains(".TH kaiyo 1") && page.contains("speak UCI"), "{page}");
    let folder = Folder::new("pages of a manual");
    let output = run(&["man", &folder.path("man1")]);
    assert!(output.status.success() && output.stdout.is_empty());
    for command in COMMANDS {
        let name = format!("kaiyo-{}.1", command.replace(' ', "-"));
        let text = std::fs::read_to_string(folder.path(&format!("man1/{name}"))).expect(&name);
        assert!(text.contains(".SH SYNOPSIS") && text.contains(".SH DESCRIPTION"), "{name}");
        assert!(PLAIN_COMMANDS.contains(command) || text.contains("Examples:"), "{name}");
    }
    let file = folder.path("man1/kaiyo.1");
    assert_eq!(std::fs::read_to_string(&file).expect("a page"), page);
    // A file is no folder.
    let output = run(&["man", &file]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && message.contains("cannot write to "), "{message}");
}

#[test]
fn faults_are_named_on_standard_error() {
    for (arguments, named) in [
        (&["bench", "x"][..], "'x'"),
        (&["perft", "x"], "'x'"),
        (&["perft", "3", "--fen", "8/8"], "invalid FEN"),
        (&["eval", "8/8"], "invalid FEN"),
    ] {
        let output = run(arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && message.contains(named), "{arguments:?}: {message}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_closed_output_ends_the_program() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kaiyo"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut input, b"uci\ngo infinite\n").expect("input is taken");
    let deadline = Instant::now() + AT_ONCE;
    let mut has_ended = false;
    while !has_ended && Instant::now() < deadline {
        std::thread::sleep(ms(5));
        has_ended = child.try_wait().expect("it can be waited for").is_some();
    }
    // Of a program that has ended this says so.
    let _ = child.kill();
    child.wait().expect("it can be waited for");
    assert!(has_ended, "the program goes on without anybody to talk to");
}

/// A tiny model with random weights.
const POLICY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../policy/tests/golden/tiny.gguf");

#[test]
fn policy_shows_likely_moves_by_rating() {
    let output =
        run(&["policy", "--file", POLICY, "--rating", "1100,1900", "--top", "3", "e4", "e7e5"]);
    let text = stdout(&output);
    assert!(output.status.success(), "{text}");
    let lines: Vec<Vec<&str>> =
        text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["rating", "1100", "1900"]);
    assert_eq!(lines.len(), 1 + 3 + 1 + 1, "{text}");
    for line in &lines[1..4] {
        assert_eq!((line.len(), line[2], line[4]), (5, "%", "%"), "{text}");
    }
    assert_eq!(lines[4][0], "result");
    assert_eq!(lines[5].join(" "), "Result expected by White, from -1 to 1.");
}

#[test]
fn policy_compares_opponents() {
    let shown = |players: &str, opponent: &[&str], line: &[&str]| {
        let arguments = [&["policy", "--rating", players], opponent, &["--"], line].concat();
        stdout(&run(&arguments))
    };
    let italian = ["e4", "e5", "Nf3", "Nc6", "Bc4", "Nf6", "Ng5"];
    for line in [&italian[..6], &italian] {
        let like = shown("1200", &[], line);
        assert_eq!(like, shown("1200", &["--opponent", "1200"], line));
        assert_ne!(like, shown("1200", &["--opponent", "2400"], line));
        // Each of the two is the player in one of the calls.
        let strong = shown("2400", &["--opponent", "1200"], line);
        assert_ne!(strong, shown("1200", &["--opponent", "2400"], line));
    }
    let mixed = shown("engine,unknown,1500", &[], &italian);
    let header = mixed.lines().next().expect("a header");
    assert!(header.split_whitespace().eq(["rating", "engine", "unknown", "1500"]), "{mixed}");
}

#[test]
fn policy_describes_a_model_file() {
    let output = run(&["policy", "info", POLICY]);
    let text = stdout(&output);
    assert!(output.status.success());
    for line in [
        "general.architecture: kaiyo-policy",
        "kaiyo-policy.embedding_length: 32",
        "attention int8, feed-forward ternary, policy head int8",
        "sees the board: yes",
    ] {
        assert!(text.lines().any(|found| found == line), "'{line}' in {text}");
    }
}

#[test]
fn policy_names_what_is_wrong() {
    let message = |arguments: &[&str]| {
        let output = run(arguments);
        assert!(!output.status.success());
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    let missing = message(&["policy", "--file", "no-such.gguf"]);
    assert!(missing.starts_with("kaiyo: cannot read no-such.gguf: "), "{missing}");
    assert_eq!(missing.lines().count(), 1, "{missing}");
    let foreign = message(&["policy", "info", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")]);
    assert!(foreign.contains("expected to begin with \"GGUF\", found \"[pac\""), "{foreign}");
    assert!(message(&["policy", "--file", POLICY, "e5"]).contains("'e5'"));
    assert!(message(&["policy", "--file", POLICY, "--rating", "9"]).contains("from 400 to 3600"));
}

//! A client that drives the program as a GUI would, and checks everything it says.

// Every test file is a crate of its own and uses another part of this module.
#![allow(dead_code)]

mod info;

pub use info::{Info, ShownScore};

use kaiyo_chess::{CastlingNotation, Game, Move, Position};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// For what has to happen at once; generous, because test machines are busy.
pub const AT_ONCE: Duration = Duration::from_secs(3);

/// Shorthand for durations.
pub const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// A folder for one test, which is removed at its end.
pub struct Folder(PathBuf);

impl Folder {
    /// An empty folder. No other test of the file may take the name.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("kaiyo-{name}-{}", std::process::id()));
        // An earlier process with the same number may have left one.
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    /// Where it is.
    pub fn as_path(&self) -> &Path {
        &self.0
    }

    /// The path of a file in it.
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("UTF-8").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The program, running.
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    /// The last lines, to explain failures.
    transcript: Vec<String>,
    notation: CastlingNotation,
}

/// What the program said between `go` and `bestmove`.
#[derive(Debug)]
pub struct Search {
    /// All lines with a variation.
    pub infos: Vec<Info>,
    /// Lines for people.
    pub messages: Vec<String>,
    /// The text after `bestmove`.
    pub best: String,
    /// The text after `ponder`.
    pub ponder: Option<String>,
    /// From `go` to `bestmove`.
    pub elapsed: Duration,
    /// Whether `stop` had to be sent.
    pub was_stopped: bool,
}

impl Client {
    /// Starts the program without arguments.
    pub fn start() -> Self {
        Self::with_arguments(&[])
    }

    /// Starts the program with arguments.
    pub fn with_arguments(arguments: &[&str]) -> Self {
        Self::spawn(Command::new(env!("CARGO_BIN_EXE_kaiyo")).args(arguments))
    }

    /// Starts the program in a folder.
    pub fn in_folder(folder: &Path) -> Self {
        Self::spawn(Command::new(env!("CARGO_BIN_EXE_kaiyo")).current_dir(folder))
    }

    /// Starts the program with so many MiB of address space. The allocator of Linux would reserve
    /// large parts of it for each thread, which no shortage of memory would refuse.
    pub fn with_address_space(mib: usize) -> Self {
        let script = format!("ulimit -v {} && MALLOC_ARENA_MAX=1 exec \"$0\"", mib * 1024);
        Self::spawn(Command::new("sh").args(["-c", &script, env!("CARGO_BIN_EXE_kaiyo")]))
    }

    fn spawn(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take();
        let stdout = child.stdout.take().expect("a pipe");
        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let notation = CastlingNotation::KingMove;
        Self { child, input, output, transcript: Vec::new(), notation }
    }

    /// Starts the program and shakes hands.
    pub fn ready() -> Self {
        let mut client = Self::start();
        client.send("uci");
        client.read_until("uciok");
        client.sync();
        client
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        let lower = line.to_ascii_lowercase();
        if lower.contains("uci_chess960") {
            self.notation = if lower.contains("true") {
                CastlingNotation::KingTakesRook
            } else {
                CastlingNotation::KingMove
            };
        }
        self.transcript.push(format!("> {}", &line[..line.len().min(200)]));
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        if let Err(error) = input.write_all(bytes).and_then(|()| input.flush()) {
            panic!("the program takes no input: {error}\n{}", self.transcript());
        }
    }

    /// The next line, or `None` if there is none in time.
    pub fn next_line(&mut self, patience: Duration) -> Option<String> {
        match self.output.recv_timeout(patience) {
            Ok(line) => {
                self.transcript.push(format!("< {line}"));
                Some(line)
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                panic!("the program has ended\n{}", self.transcript())
            }
        }
    }

    /// The lines up to the one that equals `last`, that one included.
    pub fn read_until(&mut self, last: &str) -> Vec<String> {
        self.read_to(AT_ONCE, |line| line == last)
            .unwrap_or_else(|| panic!("no '{last}'\n{}", self.transcript()))
    }

    /// The lines up to the first that fits, that one included; `None` if it does not come.
    pub fn read_to(
        &mut self,
        patience: Duration,
        fits: impl Fn(&str) -> bool,
    ) -> Option<Vec<String>> {
        let deadline = Instant::now() + patience;
        let mut lines = Vec::new();
        loop {
            let line = self.next_line(deadline.saturating_duration_since(Instant::now()))?;
            lines.push(line);
            if lines.last().is_some_and(|line| fits(line)) {
                return Some(lines);
            }
        }
    }

    /// Waits until all commands have taken effect, and returns what was said until then.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.read_until("readyok");
        lines.pop();
        lines
    }

    /// Sends a line and returns what is said about it.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.sync()
    }

    /// Checks that no `bestmove` comes for a while.
    pub fn assert_no_best_move(&mut self, duration: Duration) {
        let line = self.read_to(duration, is_last_line);
        assert!(line.is_none(), "a best move came too early\n{}", self.transcript());
    }

    /// Sends `go` and reads up to `bestmove`. After `budget`, sends `stop`.
    pub fn go(&mut self, arguments: &str, budget: Duration) -> Search {
        self.send(&format!("go {arguments}"));
        self.finish_search(budget)
    }

    /// Reads up to `bestmove`. After `budget`, sends `stop`.
    pub fn finish_search(&mut self, budget: Duration) -> Search {
        self.read_search(Vec::new(), budget)
    }

    /// Sends what ends a search without limits, `stop` or `ponderhit`, before which no best move may come.
    pub fn finish_pondering(&mut self, end: &str, budget: Duration) -> Search {
        let mut lines = Vec::new();
        while let Some(line) = self.next_line(Duration::ZERO) {
            assert!(!is_last_line(&line), "it does not wait for {end}\n{}", self.transcript());
            lines.push(line);
        }
        self.send(end);
        self.read_search(lines, budget)
    }

    fn read_search(&mut self, mut lines: Vec<String>, budget: Duration) -> Search {
        let start = Instant::now();
        let mut was_stopped = false;
        loop {
            let deadline = if was_stopped { budget + AT_ONCE } else { budget };
            match self.next_line(deadline.saturating_sub(start.elapsed())) {
                Some(line) => {
                    lines.push(line);
                    if lines.last().is_some_and(|line| is_last_line(line)) {
                        break;
                    }
                }
                None if was_stopped => panic!("no best move\n{}", self.transcript()),
                None => {
                    self.send("stop");
                    was_stopped = true;
                }
            }
        }
        self.understand(lines, start.elapsed(), was_stopped)
    }

    fn understand(&self, lines: Vec<String>, elapsed: Duration, was_stopped: bool) -> Search {
        let (last, reports) = lines.split_last().expect("at least one line");
        let words: Vec<&str> = last.split(' ').collect();
        let (best, ponder) = match words[..] {
            ["bestmove", best] => (best.to_owned(), None),
            ["bestmove", best, "ponder", ponder] => (best.to_owned(), Some(ponder.to_owned())),
            _ => panic!("'{last}' has not the form of a best move\n{}", self.transcript()),
        };
        let mut search =
            Search { infos: vec![], messages: vec![], best, ponder, elapsed, was_stopped };
        for line in reports {
            if let Some(message) = line.strip_prefix("info string ") {
                search.messages.push(message.to_owned());
            } else if line.contains(" currmove ") {
                assert!(line.starts_with("info depth "), "{line}");
            } else {
                let info = Info::parse(line)
                    .unwrap_or_else(|fault| panic!("{fault}: '{line}'\n{}", self.transcript()));
                search.infos.push(info);
            }
        }
        search
    }

    /// Checks that best move, expected reply and variations of a search of the last position
    /// of `game` are legal and end where the game does.
    pub fn check(&self, search: &Search, game: &Game) {
        if let Err(fault) = search.check(game, self.notation) {
            panic!("{fault}\nat {}\n{}", game.position(), self.transcript());
        }
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Closes the input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Stops reading the output.
    pub fn close_output(&mut self) {
        self.output = mpsc::channel().1;
    }

    /// Waits for the end of the program.
    pub fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        loop {
            match self.child.try_wait().expect("the program can be waited for") {
                Some(status) => return Some(status),
                None if Instant::now() > deadline => return None,
                None => thread::sleep(ms(5)),
            }
        }
    }

    /// Sends `quit` and checks that the program ends well and soon.
    pub fn quit(mut self) {
        self.send("quit");
        self.assert_ends();
    }

    /// Checks that the program ends well and soon.
    pub fn assert_ends(&mut self) {
        let status = self.wait(AT_ONCE);
        let status = status.unwrap_or_else(|| panic!("it goes on\n{}", self.transcript()));
        assert!(status.success(), "{status}\n{}", self.transcript());
    }

    /// The end of the conversation.
    pub fn transcript(&self) -> String {
        let from = self.transcript.len().saturating_sub(60);
        self.transcript[from..].join("\n")
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Search {
    /// The last exact line of the best variation.
    pub fn last(&self) -> Option<&Info> {
        self.infos.iter().rev().find(|info| info.multi_pv == 1 && !info.is_bound)
    }

    /// The score of [`Self::last`].
    pub fn score(&self) -> ShownScore {
        self.last().expect("a search reports a score").score
    }

    fn check(&self, game: &Game, notation: CastlingNotation) -> Result<(), String> {
        let root = game.position();
        if root.legal_moves().is_empty() {
            return if self.best == "(none)" && self.ponder.is_none() {
                Ok(())
            } else {
                Err(format!("best move {} where there is none", self.best))
            };
        }
        let best = parse(root, &self.best, notation)?;
        if let Some(ponder) = &self.ponder {
            parse(&root.make(best), ponder, notation)?;
        }
        for info in &self.infos {
            check_variation(game, &info.variation, notation)
                .map_err(|fault| format!("{fault} in {info:?}"))?;
        }
        // What is said last about the best variation is what is played, and no bound.
        let last = self.infos.iter().rev().find(|info| info.multi_pv == 1);
        let Some(last) = last.filter(|last| !last.is_bound) else {
            return Err(format!("an exact score expected at the end, found {last:?}"));
        };
        if last.variation.first() != Some(&self.best) {
            return Err(format!("best move {} is not the first of {last:?}", self.best));
        }
        Ok(())
    }
}

/// Whether a line ends a search.
fn is_last_line(line: &str) -> bool {
    line.starts_with("bestmove")
}

/// Reads a move and checks that it was written in the right notation.
fn parse(position: &Position, text: &str, notation: CastlingNotation) -> Result<Move, String> {
    let mv = position.parse_uci_move(text).map_err(|error| error.to_string())?;
    let expected = position.uci_text(mv, notation);
    if expected == text { Ok(mv) } else { Err(format!("{text} should be written {expected}")) }
}

fn check_variation(
    game: &Game,
    variation: &[String],
    notation: CastlingNotation,
) -> Result<(), String> {
    let mut game = game.clone();
    for (ply, text) in variation.iter().enumerate() {
        let is_over = game.repetitions() >= 3 || game.position().is_fifty_move_draw();
        if ply > 0 && is_over {
            return Err(format!("the game is over before {text}"));
        }
        let mv = parse(game.position(), text, notation)?;
        game.play(mv).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// The game that a `position` command sets up.
pub fn game(command: &str) -> Game {
    let (start, moves) = command.split_once(" moves").unwrap_or((command, ""));
    let start = match start.split_once("fen ") {
        Some((_, fen)) => Position::from_fen(fen).expect(fen),
        None => Position::start(),
    };
    let mut game = Game::new(start);
    for text in moves.split_whitespace() {
        game.play_uci(text).expect(text);
    }
    game
}

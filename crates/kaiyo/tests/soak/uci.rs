//! Conversations in UCI.

use crate::common::{Client, Search};
use crate::random;
use crate::referee::Referee;
use cozy_chess::Board;
use kaiyo_chess::Random;
use std::time::{Duration, Instant};

/// Test machines are busy.
const PATIENCE: Duration = Duration::from_secs(30);
const PLIES: usize = 120;

struct Conversation {
    client: Client,
    random: Random,
    referee: Referee,
}

/// Talks to the program until it is told to end.
pub fn converse(seed: u64, deadline: Option<Instant>) {
    let mut random = Random::new(seed);
    let steps = 20 + random.below(100);
    let referee = Referee { board: Board::default(), chess960: false };
    let client = if random.below(2) == 0 { Client::ready() } else { Client::start() };
    let mut conversation = Conversation { client, random, referee };
    for _ in 0..steps {
        if deadline.is_some_and(|deadline| Instant::now() > deadline) {
            break;
        }
        conversation.step();
    }
    conversation.end();
}

impl Conversation {
    fn step(&mut self) {
        match self.random.below(12) {
            0..=2 => self.set_position(),
            3..=5 => self.search_with_limits(),
            6 => self.search_without_end(),
            7 => self.set_option(),
            8 => self.set_option_wrongly(),
            9 => self.be_hostile(),
            10 => self.set_illegal_position(),
            _ => self.client.send("ucinewgame"),
        }
    }

    /// Sends a line with any of the spaces, line ends and marks that clients put into it.
    fn send(&mut self, line: &str) {
        let line = match self.random.below(6) {
            0 => line.replace(' ', "  "),
            1 => line.replace(' ', "\t"),
            2 => format!("  {line} \r"),
            3 => format!("\u{feff}{line}"),
            _ => line.to_owned(),
        };
        self.client.send(&line);
    }

    fn sync(&mut self) -> Vec<String> {
        self.client.send("isready");
        let lines = self.client.read_to(PATIENCE, |line| line == "readyok");
        let mut lines = lines.unwrap_or_else(|| panic!("no readyok\n{}", self.client.transcript()));
        lines.pop();
        lines
    }

    /// A start position with its command.
    fn start(&mut self) -> (Board, String) {
        if !self.referee.chess960 || self.random.below(3) == 0 {
            return (Board::default(), "position startpos".to_owned());
        }
        let [white, black] = [(); 2].map(|()| self.random.below(960) as u32);
        let board = Board::double_chess960_startpos(white, black);
        let fen = format!("{board:#}");
        (board, format!("position fen {fen}"))
    }

    fn set_position(&mut self) {
        if self.random.below(4) == 0 {
            self.referee.chess960 = !self.referee.chess960;
            let on = self.referee.chess960;
            self.send(&format!("setoption name UCI_Chess960 value {on}"));
        }
        let (board, mut command) = self.start();
        self.referee.board = board;
        let plies = self.random.below(PLIES);
        let mut moves = self.referee.play_randomly(plies, &mut self.random);
        if self.random.below(4) == 0 {
            // The position as a FEN of its own.
            command = format!("position fen {:#}", self.referee.board);
            moves.clear();
        }
        if !moves.is_empty() || self.random.below(2) == 0 {
            command = format!("{command} moves {}", moves.join(" "));
        }
        self.send(command.trim_end());
        if self.random.below(3) == 0 {
            let lines = self.sync();
            assert!(lines.is_empty(), "{lines:?}\n{}", self.client.transcript());
        }
    }

    /// A faulty position: what comes before the fault is kept, or else everything.
    fn set_illegal_position(&mut self) {
        let before = self.referee.clone();
        let command = if self.random.below(2) == 0 {
            let fen = self.random.choose(&[
                "8/8/8/8/8/8/8/8 w - - 0 1",
                "x",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
                "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
                "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
                "4k3/8/8/8/8/8/8/4K2K w - - 0 1",
            ]);
            format!("position fen {fen} moves e2e4")
        } else {
            let (board, command) = self.start();
            self.referee.board = board;
            let plies = self.random.below(PLIES);
            let moves = self.referee.play_randomly(plies, &mut self.random);
            let illegal = self.referee.illegal_move(&mut self.random);
            format!("{command} moves {} {illegal} e7e5 e2e4", moves.join(" "))
        };
        if command.starts_with("position fen") && command.ends_with("moves e2e4") {
            self.referee = before;
        }
        self.send(&command);
        let lines = self.sync();
        assert!(
            lines.len() == 1 && lines[0].starts_with("info string position: "),
            "{lines:?}\n{}",
            self.client.transcript()
        );
    }

    fn limits(&mut self) -> String {
        let number = |random: &mut Random, most| random.below(most).to_string();
        let mut limits = Vec::new();
        for _ in 0..=self.random.below(3) {
            let random = &mut self.random;
            limits.push(match random.below(9) {
                0 | 1 => format!("depth {}", number(random, 7)),
                2 | 3 => format!("nodes {}", number(random, 3000)),
                4 => format!("movetime {}", number(random, 40)),
                5 => format!("wtime {0} btime {0}", number(random, 200)),
                6 => format!("wtime -{0} btime -5 winc {0} binc 3", number(random, 50)),
                7 => format!("mate {} nodes 2000", number(random, 5)),
                _ => format!("btime {} movestogo {}", number(random, 300), number(random, 4)),
            });
        }
        let legal = self.referee.moves();
        if !legal.is_empty() && self.random.below(5) == 0 {
            let (_, text) = &legal[self.random.below(legal.len())];
            limits.push(format!("searchmoves {text} 0000"));
        }
        limits.join(" ")
    }

    fn search_with_limits(&mut self) {
        let limits = self.limits();
        self.send(&format!("go {limits}"));
        let search = self.client.finish_search(PATIENCE);
        assert!(!search.was_stopped, "go {limits}\n{}", self.client.transcript());
        self.check(&search, false);
    }

    fn search_without_end(&mut self) {
        let ponders = self.random.below(2) == 0;
        let start = if ponders { "go ponder wtime 90 btime 90" } else { "go infinite" };
        self.send(start);
        let mut lines = Vec::new();
        for _ in 0..self.random.below(4) {
            match self.random.below(4) {
                0 => {
                    self.client.send("isready");
                    let until = self.client.read_to(PATIENCE, |line| line == "readyok");
                    lines.extend(until.expect("readyok during a search"));
                }
                1 => self.send("setoption name Hash value 3"),
                2 => self.send("setoption name MultiPV value 2"),
                _ => self.send("setoption name Nonsense value 2"),
            }
        }
        assert!(lines.iter().all(|line| !line.starts_with("bestmove")), "{lines:?}");
        let end = if ponders && self.random.below(2) == 0 { "ponderhit" } else { "stop" };
        self.send(end);
        let search = self.client.finish_search(PATIENCE);
        assert!(!search.was_stopped, "{start}, {end}\n{}", self.client.transcript());
        // The lines before `readyok` may have said all there is to say.
        let has_reported = lines.iter().any(|line| line.contains(" score "));
        self.check(&search, has_reported);
        self.sync();
    }

    /// Legal moves, the best of them first in the last line, and a score unless there was one before.
    fn check(&mut self, search: &Search, has_reported: bool) {
        let mut after = self.referee.clone();
        let best = if self.referee.moves().is_empty() {
            Ok(()).and_then(|()| (search.best == "(none)").then_some(()).ok_or("a move".to_owned()))
        } else {
            after.play(&search.best).and_then(|()| match &search.ponder {
                Some(ponder) => after.play(ponder),
                None => Ok(()),
            })
        };
        let variations = search.infos.iter().try_for_each(|info| {
            let mut game = self.referee.clone();
            info.variation.iter().try_for_each(|text| game.play(text))
        });
        let score =
            (has_reported || search.last().is_some()).then_some(()).ok_or("no score".to_owned());
        if let Err(fault) = best.and(variations).and(score) {
            panic!("{fault}\n{:#}\n{}", self.referee.board, self.client.transcript());
        }
    }

    fn set_option(&mut self) {
        let (name, values): (_, &[&str]) = self.random.choose(&[
            ("Hash", &["1", "2", "16", "5"][..]),
            ("hash", &["7", "1 "]),
            ("Threads", &["1", "2", "3", "1"]),
            ("MultiPV", &["1", "3", "256", "1"]),
            ("Move Overhead", &["0", "20", "5000"]),
            ("MOVEOVERHEAD", &["1"]),
            ("Clear Hash", &[""]),
            ("Ponder", &["true", "FALSE"]),
            ("UCI_ShowWDL", &["true", "false"]),
            ("UCI_AnalyseMode", &["true", "false"]),
            ("UCI_Opponent", &["none none computer X", "<empty>"]),
            ("Contempt", &["-50", "0", "30"]),
            ("Opponent Contempt", &["X=9, human=-9", "<empty>"]),
            ("nodestime", &["0", "7", "0"]),
            ("VerboseMoveStats", &["true", "false"]),
            ("LogLiveStats", &["true", "false"]),
            ("Use NNUE", &["true", "false", "true"]),
            ("OwnBook", &["true", "false"]),
            ("BookSeed", &["3"]),
            ("SyzygyPath", &["<empty>", ""]),
            ("SyzygyProbeLimit", &["0", "7"]),
            ("EvalFile", &["<empty>"]),
            ("Policy", &["true", "false", "true"]),
            ("PolicyFile", &["<empty>"]),
            ("UCI_LimitStrength", &["true", "false", "false"]),
            ("UCI_Elo", &["600", "1900", "3000"]),
            ("Skill Level", &["0", "12", "20", "20"]),
            ("SelfElo", &["0", "1500", "0"]),
            ("OppoElo", &["0", "900"]),
            ("Temperature", &["0", "0.7", "1.0"]),
            ("TopP", &["0.9", "1"]),
            ("StrengthSeed", &["0", "7"]),
        ]);
        let value = self.random.choose(values);
        self.send(&format!("setoption name {name} value {value}"));
        let lines = self.sync();
        assert!(lines.is_empty(), "{lines:?}\n{}", self.client.transcript());
    }

    fn set_option_wrongly(&mut self) {
        let line = self.random.choose(&[
            "setoption name Hash value 0",
            "setoption name Hash value 99999999999999999999",
            "setoption name Hash value 33554432",
            "setoption name Threads value x",
            "setoption name MultiPV value -1",
            "setoption name Ponder value maybe",
            "setoption name EvalFile value /no/such/file",
            "setoption name SyzygyPath value /no/such/folder",
            "setoption name BookFile value /no/such/book",
            "setoption name UCI_Opponent value you",
            "setoption name PolicyFile value /no/such/model",
            "setoption name UCI_Elo value 599",
            "setoption name Temperature value inf",
            "setoption value 3",
            "setoption",
            "setoption name",
        ]);
        self.send(line);
        let lines = self.sync();
        assert!(
            lines.len() == 1 && lines[0].starts_with("info string "),
            "{line}: {lines:?}\n{}",
            self.client.transcript()
        );
    }

    fn be_hostile(&mut self) {
        match self.random.below(6) {
            0 => {
                let mut bytes = random::bytes(&mut self.random);
                bytes.push(b'\n');
                // No word of the protocol is that short of letters.
                bytes.iter_mut().filter(|byte| byte.is_ascii_alphabetic()).for_each(|b| *b = 1);
                self.client.send_bytes(&bytes);
            }
            1 => self.client.send_bytes(&[b"y".repeat(200_000), b"\n".to_vec()].concat()),
            2 => (0..50).for_each(|_| self.client.send("stop")),
            3 => self.client.send("ponderhit"),
            4 => self.client.send("debug on\ndebug off\nregister later\n#go infinite\njoho"),
            _ => self.client.send_bytes(b"\n\r\n \t\r\n\0\n"),
        }
        let lines = self.sync();
        let tame = |line: &String| line.starts_with("info string ") && line.len() < 300;
        assert!(lines.iter().all(tame), "{lines:?}\n{}", self.client.transcript());
    }

    fn end(mut self) {
        match self.random.below(4) {
            0 => self.client.send("go infinite"),
            1 => self.client.send("go perft 9"),
            2 => self.client.send("go depth 99\nposition startpos\ngo infinite"),
            _ => {}
        }
        // Input that ends leaves perft to finish.
        self.client.send("stop");
        if self.random.below(2) == 0 {
            self.client.send("quit");
        } else {
            self.client.close_input();
        }
        let status = self.client.wait(PATIENCE);
        let status = status.unwrap_or_else(|| panic!("it goes on\n{}", self.client.transcript()));
        assert!(status.success(), "{status}\n{}", self.client.transcript());
    }
}

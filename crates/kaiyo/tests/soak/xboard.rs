//! Conversations in the XBoard protocol.

use crate::common::Client;
use crate::random;
use crate::referee::Referee;
use cozy_chess::Board;
use kaiyo_chess::Random;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(30);

/// Plays a game with takebacks and interruptions, and hostile lines in between.
pub fn converse(seed: u64, deadline: Option<Instant>) {
    let mut random = Random::new(seed);
    let mut client = Client::start();
    client.send("xboard\nprotover 2");
    client.read_to(PATIENCE, |line| line == "feature done=1").expect("features");
    client.send("st 0.02");
    let mut game = Game {
        client,
        random: Random::new(seed ^ 1),
        start: Board::default(),
        moves: Vec::new(),
        pings: 0,
    };
    game.client.send("new\nforce");
    for _ in 0..20 + random.below(60) {
        if deadline.is_some_and(|deadline| Instant::now() > deadline) {
            break;
        }
        game.step();
    }
    let mut client = game.client;
    client.send(random.choose(&["analyze", "post\nst 100\ngo", "go", "hard\ngo"]));
    if random.below(2) == 0 {
        client.send("quit");
    } else {
        client.close_input();
    }
    let status = client.wait(PATIENCE).unwrap_or_else(|| panic!("no end\n{}", client.transcript()));
    assert!(status.success(), "{status}\n{}", client.transcript());
}

/// A game in force mode: the program moves when asked.
struct Game {
    client: Client,
    random: Random,
    /// The position that the moves begin with.
    start: Board,
    moves: Vec<String>,
    pings: u32,
}

impl Game {
    fn referee(&self) -> Referee {
        let mut referee = Referee { board: self.start.clone(), chess960: false };
        self.moves.iter().for_each(|text| referee.play(text).expect("a legal game"));
        referee
    }

    /// What is said until all is done.
    fn ping(&mut self) -> Vec<String> {
        self.pings += 1;
        let pong = format!("pong {}", self.pings);
        self.client.send(&format!("ping {}", self.pings));
        let lines = self.client.read_to(PATIENCE, |line| line == pong);
        let mut lines = lines.unwrap_or_else(|| panic!("no pong\n{}", self.client.transcript()));
        lines.pop();
        lines
    }

    fn step(&mut self) {
        match self.random.below(12) {
            0..=2 => self.user_move(),
            3 | 4 => self.engine_move(),
            5 => self.take_back(),
            6 => self.analyse(),
            7 => self.interrupt(),
            8 | 9 => self.play_against(),
            10 => self.set_board(),
            _ => self.be_hostile(),
        }
    }

    fn user_move(&mut self) {
        let legal = self.referee().moves();
        if let Some((_, text)) = legal.get(self.random.below(legal.len().max(1))) {
            self.client.send(&format!("usermove {text}"));
            self.moves.push(text.clone());
        }
    }

    fn engine_move(&mut self) {
        let before = self.random.choose(&["easy", "hard", "sd 4", "time 500\notim 100", "post"]);
        self.client.send(before);
        self.client.send("go");
        let lines = self.ping();
        self.client.send("force");
        self.expect_move(&lines);
    }

    /// Takes note of the program's move, of which there is one unless the game is over.
    fn expect_move(&mut self, lines: &[String]) -> bool {
        let over = self.referee().moves().is_empty()
            || lines
                .iter()
                .any(|line| ["1-0 ", "0-1 ", "1/2-1/2 "].iter().any(|r| line.starts_with(r)));
        let played = self.take_note(lines);
        assert!(played || over, "no move\n{}", self.client.transcript());
        played
    }

    /// Some moves against the program, which thinks on its opponent's time: those it expects, and others.
    fn play_against(&mut self) {
        let clock = self.random.choose(&["st 0.02", "level 40 0:02 0", "level 0 0:01 0.02"]);
        self.client.send(&format!("{clock}\nhard\nplayother"));
        for _ in 0..1 + self.random.below(4) {
            let legal = self.referee().moves();
            if legal.is_empty() {
                break;
            }
            let wait = self.random.below(30) as u64;
            std::thread::sleep(Duration::from_millis(wait));
            let mut text = legal[self.random.below(legal.len())].1.clone();
            if self.random.below(3) > 0 {
                self.client.send("hint");
                let lines = self.ping();
                if let Some(hint) = lines.iter().find_map(|line| line.strip_prefix("Hint: ")) {
                    let is_legal = legal.iter().any(|(_, known)| known == hint);
                    assert!(is_legal, "{hint}\n{}", self.client.transcript());
                    text = hint.to_owned();
                }
            }
            self.client.send(&format!("usermove {text}"));
            self.moves.push(text);
            let lines = self.ping();
            if !self.expect_move(&lines) {
                break;
            }
        }
        self.client.send("force\nst 0.02");
    }

    /// A position some random moves from the last one takes its place.
    fn set_board(&mut self) {
        let mut referee = self.referee();
        let plies = self.random.below(40);
        referee.play_randomly(plies, &mut self.random);
        self.client.send(&format!("setboard {:#}", referee.board));
        let lines = self.ping();
        assert!(lines.is_empty(), "{lines:?}\n{}", self.client.transcript());
        self.start = referee.board;
        self.moves.clear();
    }

    /// Takes note of the program's move, if it has made one.
    fn take_note(&mut self, lines: &[String]) -> bool {
        let Some(text) = lines.iter().find_map(|line| line.strip_prefix("move ")) else {
            return false;
        };
        if let Err(fault) = self.referee().play(text) {
            panic!("{fault}\n{}", self.client.transcript());
        }
        self.moves.push(text.to_owned());
        true
    }

    fn take_back(&mut self) {
        let plies = 1 + self.random.below(2);
        self.client.send(if plies == 1 { "undo" } else { "remove" });
        let refused = self.ping().iter().any(|line| line.starts_with("Error "));
        assert_eq!(refused, self.moves.len() < plies, "{}", self.client.transcript());
        if !refused {
            self.moves.truncate(self.moves.len() - plies);
        }
    }

    fn analyse(&mut self) {
        self.client.send("analyze");
        for _ in 0..self.random.below(4) {
            match self.random.below(4) {
                0 => self.user_move(),
                1 => self.client.send("."),
                2 => self.client.send("option MultiPV=2"),
                _ => self.client.send("memory 2"),
            }
        }
        self.client.send("exit");
        self.ping();
    }

    /// Whatever ends the thinking, the position stays.
    fn interrupt(&mut self) {
        self.client.send("st 50\npost\ngo");
        let end =
            self.random.choose(&["force", "result 1-0 {x}", "analyze\nexit", "playother\nforce"]);
        self.client.send(end);
        let lines = self.ping();
        self.client.send("st 0.02");
        // A forced move or a mate takes no time.
        self.take_note(&lines);
    }

    fn be_hostile(&mut self) {
        match self.random.below(6) {
            0 => {
                let mut bytes = random::bytes(&mut self.random);
                bytes.iter_mut().filter(|byte| byte.is_ascii_graphic()).for_each(|b| *b = b'~');
                bytes.push(b'\n');
                self.client.send_bytes(&bytes);
            }
            1 => self.client.send_bytes(&[b"y".repeat(200_000), b"\n".to_vec()].concat()),
            2 => {
                let text = self.referee().illegal_move(&mut self.random);
                self.client.send(&format!("usermove {text}"));
                let lines = self.ping();
                assert!(lines.iter().any(|l| l.starts_with("Illegal move (")), "{text}: {lines:?}");
            }
            3 => self.client.send("setboard 8/8/8/8/8/8/8/8 w - - 0 1"),
            4 => self
                .client
                .send("level\nst\nsd\ntime\notim x\nvariant\noption\nmemory\nhint\nbk\n?"),
            _ => self.client.send("exclude all\ninclude all\nexclude x\negtpath\nrating 1 2\n."),
        }
        let lines = self.ping();
        assert!(lines.iter().all(|line| line.len() < 300), "{lines:?}");
    }
}

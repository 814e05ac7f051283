//! What an interface does that speaks the protocol.

use crate::common::{AT_ONCE, Client, ms};
use kaiyo_book::{Entry, key, to_bytes};
use kaiyo_chess::{Game, Move};
use std::time::Duration;

/// For what takes seconds on a busy machine, and would take minutes if it went wrong.
pub const SOON: Duration = Duration::from_secs(30);

pub const MATE_IN_ONE: &str = "setboard 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";

/// The program, ready to play Black.
pub fn ready() -> Client {
    let mut client = Client::start();
    client.send("xboard");
    client.send("protover 2");
    client.read_until("feature done=1");
    client.send("new");
    client.send("st 0.1");
    client
}

/// Everything that is said until all commands have been executed.
pub fn ping(client: &mut Client, number: u32) -> Vec<String> {
    client.send(&format!("ping {number}"));
    let mut lines = client.read_until(&format!("pong {number}"));
    lines.pop();
    lines
}

/// What is said about a line.
pub fn ask(client: &mut Client, line: &str) -> Vec<String> {
    client.send(line);
    ping(client, 7)
}

/// The next move of the engine.
pub fn engine_move(client: &mut Client) -> String {
    let lines = client.read_to(AT_ONCE, |line| line.starts_with("move "));
    let lines = lines.unwrap_or_else(|| panic!("no move\n{}", client.transcript()));
    lines.last().expect("a line")["move ".len()..].to_owned()
}

/// The move that the engine expects, once it does.
pub fn hint(client: &mut Client) -> String {
    for _ in 0..300 {
        if let Some(hint) = ask(client, "hint").iter().find_map(|line| line.strip_prefix("Hint: "))
        {
            return hint.to_owned();
        }
        std::thread::sleep(ms(100));
    }
    panic!("no hint\n{}", client.transcript());
}

/// Lets the engine play from a book with these moves, each at the end of a game, and no other.
pub fn use_book(client: &mut Client, name: &str, moves: &[(Game, Move)]) {
    let entry = |(game, mv): &(Game, Move)| Entry {
        key: key(game.position(), game.moves().last().copied()),
        code: mv.to().index() as u16 | (mv.from().index() as u16) << 6,
        weight: 1,
        learn: 0,
    };
    let path = format!("{}/{name}.bin", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&path, to_bytes(moves.iter().map(entry).collect(), "")).expect("a file");
    for option in ["BookFile", "Book2File"] {
        assert!(ask(client, &format!("option {option}={path}")).is_empty(), "{option}");
    }
    assert!(ask(client, "option OwnBook=1").is_empty());
}

/// The moves of a line, each with the game before it.
pub fn line(moves: &[&str]) -> Vec<(Game, Move)> {
    let mut game = Game::default();
    let mut step = |text: &&str| {
        let before = game.clone();
        play(&mut game, text);
        (before, *game.moves().last().expect("a move"))
    };
    moves.iter().map(&mut step).collect()
}

/// Plays a move as the protocol writes it.
pub fn play(game: &mut Game, text: &str) {
    let position = game.position();
    let mv = position.parse_uci_move(text).or_else(|_| position.parse_san(text));
    let mv = mv.unwrap_or_else(|error| panic!("{error} at {position}"));
    game.play(mv).expect("a legal move");
}

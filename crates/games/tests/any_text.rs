//! Whatever a file holds, reading games of it ends, and with legal moves.

use kaiyo_fuzz::rounds;
use kaiyo_games::{EvalsReader, MoveListReader, PgnReader, PlayedGame};
use proptest::prelude::*;

/// Pieces of files, whole and broken.
const PIECES: &[&str] = &[
    "[Event \"a\"]\n",
    "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n",
    "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n",
    "[Variant \"fischerandom\"]\n",
    "[Result \"1-0\"]\n",
    "[WhiteElo \"2800\"]\n",
    "[TimeControl \"60+1\"]\n",
    "[Broken \"",
    "[",
    "]",
    "\"",
    "\\",
    "\n",
    "\n\n",
    "\r\n",
    "1. ",
    "2...",
    "e4 ",
    "e5 ",
    "Nf3 ",
    "d4 ",
    "d5 ",
    "e2e4 ",
    "g1f3 ",
    "O-O ",
    "0-0-0 ",
    "exd6 e.p. ",
    "e8=Q+ ",
    "{",
    "}",
    "{+0.31/12 0.5s} ",
    "{-M5/20} ",
    "{[%eval 0.3]} ",
    "{[%eval #-3]} ",
    "{[%clk 0:00:01]} ",
    "{+99999999999.99/1}",
    "(",
    ")",
    "; rest\n",
    "%escape\n",
    "$1 ",
    "$99999999999 ",
    "!? ",
    "1-0 ",
    "0-1\n",
    "1/2-1/2\n",
    "* ",
    "\u{feff}",
    "\0",
    "ä",
    "|",
    "1-0|-|e2e4:13 e7e5:-5\n",
    "1/2-1/2|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1|",
    ":99999999 ",
    "1-0 2500 2400 blitz e2e4 e7e5\n",
    "0-1 0 99999999 bullet ",
];

fn any_file() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        12 => proptest::sample::select(PIECES).prop_map(|text| text.as_bytes().to_vec()),
        1 => any::<Vec<u8>>(),
        1 => "[a-z]{0,1}".prop_map(|text| text.repeat(3_000).into_bytes()),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// What is wrong with a game fits into a line, however long the game is.
fn check_message(message: &str) {
    assert!(!message.contains(['\n', '\r']) && message.len() < 500, "{message}");
}

fn check(game: &PlayedGame) {
    let mut position = game.start;
    for &(mv, _) in &game.moves {
        assert!(position.is_legal(mv));
        position = position.make(mv);
    }
}

#[test]
fn any_bytes_are_read_as_pgn() {
    rounds(4_000, |config| {
        proptest!(config, |(bytes in any_file())| {
            let mut reader = PgnReader::new(&bytes[..]);
            while let Ok(Some(game)) = reader.next_game() {
                match game {
                    Ok(game) => check(&game),
                    Err(error) => check_message(&error.to_string()),
                }
            }
        })
    });
}

#[test]
fn any_bytes_are_read_as_lists_of_moves() {
    rounds(4_000, |config| {
        proptest!(config, |(bytes in any_file())| {
            let mut reader = MoveListReader::new(&bytes[..], 20);
            while let Ok(Some(game)) = reader.next_game() {
                game.map_or_else(|error| check_message(&format!("{error:#}")), |game| check(&game));
            }
            let mut reader = EvalsReader::new(&bytes[..]);
            while let Ok(Some(game)) = reader.next_game() {
                game.map_or_else(|error| check_message(&format!("{error:#}")), |game| check(&game));
            }
        })
    });
}

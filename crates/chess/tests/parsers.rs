//! No text makes a parser panic, and what it accepts it can write again.

mod common;

use common::{KIWIPETE, pick, start};
use kaiyo_chess::{CastlingNotation, FenStyle, Position, Random};
use kaiyo_fuzz::rounds;
use proptest::prelude::*;

/// Texts that look like a FEN or a move often enough to get past the first checks.
const FEN_LETTERS: &str = "[pnbrqkPNBRQKw/1-9a-hA-H \\-]{0,90}";
const MOVE_LETTERS: &str = "[a-h1-8NBRQKOxnbrq=+#!?.\\-: 0ep]{0,9}";

/// A position from a random game.
fn any_position() -> impl Strategy<Value = Position> {
    (any::<u64>(), 0usize..150).prop_map(|(seed, plies)| {
        let mut random = Random::new(seed);
        let mut position = start(&mut random, seed as usize);
        for _ in 0..plies {
            match pick(&mut random, &position.legal_moves()) {
                Some(mv) => position = position.make(mv),
                None => break,
            }
        }
        position
    })
}

fn check_fen(text: &str) {
    if let Ok(position) = Position::from_fen(text) {
        for style in [FenStyle::XFen, FenStyle::Shredder] {
            let fen = position.to_fen(style);
            assert_eq!(Position::from_fen(&fen), Ok(position), "{text} became {fen}");
        }
        for &mv in position.legal_moves().iter() {
            let next = position.make(mv);
            assert_eq!(*next.keys(), next.keys_from_scratch(), "{text} {mv:?}");
        }
    }
}

fn check_move(position: &Position, text: &str) {
    for parsed in [position.parse_uci_move(text), position.parse_san(text)] {
        match parsed {
            Ok(mv) => {
                assert!(position.is_legal(mv), "{position} {text}");
                let san = position.san(mv);
                assert_eq!(position.parse_san(&san), Ok(mv), "{position} {text}");
                let uci = position.uci_text(mv, CastlingNotation::KingTakesRook);
                assert_eq!(position.parse_uci_move(&uci), Ok(mv), "{position} {text}");
            }
            Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
        }
    }
}

#[test]
fn any_text_is_read_as_fen_without_panic() {
    rounds(2_000, |config| {
        proptest!(config, |(text in any::<String>())| {
            check_fen(&text);
        })
    });
}

#[test]
fn any_fen_letters_are_read_without_panic() {
    rounds(2_000, |config| {
        proptest!(config, |(text in FEN_LETTERS)| {
            check_fen(&text);
        })
    });
}

#[test]
fn any_changed_fen_fails_or_round_trips() {
    rounds(2_000, |config| {
        let change = (any::<prop::sample::Index>(), "[pnbrqkPRQK/1-8a-hAH\\- w]");
        proptest!(config, |(
            position in any_position(),
            changes in prop::collection::vec(change, 1..4),
        )| {
            let mut fen: Vec<char> = position.to_fen(FenStyle::Shredder).chars().collect();
            for (index, letters) in changes {
                let index = index.index(fen.len());
                fen.splice(index..=index, letters.chars());
            }
            check_fen(&fen.into_iter().collect::<String>());
        })
    });
}

#[test]
fn any_text_is_read_as_move_without_panic() {
    rounds(2_000, |config| {
        proptest!(config, |(text in any::<String>())| {
            check_move(&Position::from_fen(KIWIPETE).unwrap(), &text);
        })
    });
}

#[test]
fn any_move_letters_are_read_without_panic() {
    rounds(2_000, |config| {
        proptest!(config, |(position in any_position(), text in MOVE_LETTERS)| {
            check_move(&position, &text);
        })
    });
}

#[test]
fn any_changed_move_fails_or_is_legal() {
    rounds(2_000, |config| {
        proptest!(config, |(
            position in any_position(),
            pick in any::<prop::sample::Index>(),
            change in any::<prop::sample::Index>(),
            letter in "[a-h1-8NBRQKx=+#]?",
        )| {
            let moves = position.legal_moves();
            if !moves.is_empty() {
                let mut text: Vec<char> = position.san(moves[pick.index(moves.len())]).chars().collect();
                let index = change.index(text.len());
                text.splice(index..=index, letter.chars());
                check_move(&position, &text.into_iter().collect::<String>());
            }
        })
    });
}

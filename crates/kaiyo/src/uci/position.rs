//! The `position` command.

use super::text::words;
use kaiyo_chess::{Game, Position, quote};

/// Arguments of `position` as they were given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionRequest {
    /// The FEN, or `None` for the start position.
    fen: Option<String>,
    moves: Vec<String>,
    /// Words that belong to nothing.
    ignored: Vec<String>,
}

/// A game set up as asked, as far as possible.
pub struct SetUp {
    /// The game, or `None` when there is no start position for it.
    pub game: Option<Game>,
    /// What was wrong, if anything.
    pub fault: Option<String>,
}

impl PositionRequest {
    /// Reads the arguments. Without `startpos` or `fen` the start position is meant, unless
    /// something that looks like a FEN is there.
    pub fn parse(arguments: &str) -> Self {
        let mut words = words(arguments);
        let head: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
        let moves = words.map(str::to_owned).collect();
        let is_fen = |word: &&str| *word == "fen" || word.contains('/');
        let start = head.iter().position(|&word| word == "startpos");
        let fen = head.iter().position(is_fen);
        let (fen, ignored) = match (start, fen) {
            (Some(start), Some(at)) if at > start => (None, [&head[..start], &head[start + 1..]]),
            (_, Some(at)) => (Some(head[at..].join(" ")), [&head[..at], &[]]),
            (Some(start), None) => (None, [&head[..start], &head[start + 1..]]),
            (None, None) => (None, [&head[..], &[]]),
        };
        let fen = fen.map(|fen| fen.strip_prefix("fen").map_or(fen.clone(), str::to_owned));
        let ignored = ignored.concat().into_iter().map(str::to_owned).collect();
        Self { fen, moves, ignored }
    }

    /// Sets up the game, in standard chess without the castling that only `chess960` has: its moves
    /// would mean something else there. A move that is not legal ends the game before that move.
    pub fn set_up(&self, chess960: bool) -> SetUp {
        let start = match &self.fen {
            None => Position::start(),
            Some(fen) => match Position::from_fen(fen) {
                Ok(position) => position,
                Err(error) => {
                    let fen = quote(fen.trim());
                    let fault = format!("position: invalid FEN {fen}: {error}; position kept");
                    return SetUp { game: None, fault: Some(fault) };
                }
            },
        };
        let standard = start.with_standard_castling();
        let mut game = Game::new(if chess960 { start } else { standard });
        let mut faults = Vec::new();
        if !self.ignored.is_empty() {
            let ignored = self.ignored.join(" ");
            let ignored = quote(&ignored);
            faults.push(format!(
                "ignored {ignored}, expected 'startpos' or 'fen <fen>', then 'moves'"
            ));
        }
        if !chess960 && standard != start {
            faults.push("castling rights dropped that need UCI_Chess960".to_owned());
        }
        for (ply, text) in self.moves.iter().enumerate() {
            if let Err(error) = game.play_uci(text) {
                faults.push(format!("{error}; ply {} and all after it ignored", ply + 1));
                break;
            }
        }
        let fault = (!faults.is_empty()).then(|| format!("position: {}", faults.join("; ")));
        SetUp { game: Some(game), fault }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fen_after(arguments: &str) -> String {
        let game = PositionRequest::parse(arguments).set_up(false).game;
        game.map_or_else(String::new, |game| game.position().to_string())
    }

    fn fault(arguments: &str) -> String {
        PositionRequest::parse(arguments).set_up(false).fault.unwrap_or_default()
    }

    const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

    #[test]
    fn the_start_position_is_the_default() {
        for arguments in [
            " startpos moves e2e4",
            " moves e2e4",
            " fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4",
            " fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq moves e2e4",
            " rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq moves e2e4",
        ] {
            assert_eq!(fen_after(arguments), AFTER_E4, "{arguments}");
            assert_eq!(fault(arguments), "", "{arguments}");
        }
        for arguments in ["", " startpos", " startpos moves", " moves "] {
            assert_eq!(fen_after(arguments), kaiyo_chess::START_FEN, "{arguments}");
        }
    }

    #[test]
    fn a_bad_move_ends_the_moves() {
        let arguments = "startpos moves e2e4 e7e4 g1f3";
        assert_eq!(fen_after(arguments), AFTER_E4);
        assert!(fault(arguments).contains("'e7e4'") && fault(arguments).contains("ply 2"));
    }

    #[test]
    fn a_bad_fen_gives_no_game() {
        for fen in ["fen", "fen 8/8/8/8/8/8/8/8 w - - 0 1", "fen x/y", "fen startpos"] {
            assert_eq!(fen_after(fen), "", "{fen}");
            assert!(fault(fen).starts_with("position: invalid FEN "), "{}", fault(fen));
        }
    }

    #[test]
    fn castling_of_chess960_needs_the_option() {
        for (fen, standard) in [
            ("r3k2r/8/8/8/8/8/8/R3K1R1 w GAkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K1R1 w Qkq - 0 1"),
            ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", "4k3/8/8/8/8/8/8/3K3R w - - 0 1"),
            ("4k2r/8/8/8/8/8/8/4K3 b k - 0 1", "4k2r/8/8/8/8/8/8/4K3 b k - 0 1"),
        ] {
            let request = PositionRequest::parse(&format!("fen {fen}"));
            let [in_standard, in_chess960] = [false, true].map(|chess960| {
                let SetUp { game, fault } = request.set_up(chess960);
                let position = *game.unwrap().position();
                assert_eq!(*position.keys(), position.keys_from_scratch());
                (position, fault.is_some())
            });
            let expected = Position::from_fen(standard).unwrap();
            assert_eq!(in_standard, (expected, fen != standard), "{fen}");
            assert_eq!(in_chess960, (Position::from_fen(fen).unwrap(), false), "{fen}");
        }
    }

    #[test]
    fn a_fault_hides_no_other() {
        let faults = fault("at fen 4k3/8/8/8/8/8/8/3K3R w K - 0 1 moves d1h1 d1h1");
        for part in ["'at'", "UCI_Chess960", "'d1h1'", "ply 1"] {
            assert!(faults.contains(part), "{faults}");
        }
    }

    #[test]
    fn stray_words_are_named() {
        assert!(fault("startpos e2e4").contains("'e2e4'"));
        assert!(fault("at startpos e2e4").contains("'at e2e4'"));
        assert!(fault("at fen 8/8/8/8/8/8/8/K1k5 w - - 0 1").contains("'at'"));
        assert_eq!(fen_after("startpos e2e4"), kaiyo_chess::START_FEN);
    }
}

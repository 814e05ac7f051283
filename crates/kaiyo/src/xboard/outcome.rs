//! How games end.

use kaiyo_chess::{Colour, Game, GameEnd};

/// The result of a game that the rules have ended, with the reason, as the protocol writes it.
pub fn result(game: &Game) -> Option<&'static str> {
    Some(match (game.end()?, game.position().side_to_move()) {
        (GameEnd::Checkmate, Colour::White) => "0-1 {Black mates}",
        (GameEnd::Checkmate, Colour::Black) => "1-0 {White mates}",
        (GameEnd::Stalemate, _) => "1/2-1/2 {Stalemate}",
        (GameEnd::InsufficientMaterial, _) => "1/2-1/2 {Insufficient material}",
        (GameEnd::FiftyMoves, _) => "1/2-1/2 {Fifty-move rule}",
        (GameEnd::Repetition, _) => "1/2-1/2 {Repetition}",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiyo_chess::Position;

    #[test]
    fn the_rules_end_games() {
        let result_of = |fen: &str, moves: &[&str]| {
            let mut game = Game::new(Position::from_fen(fen).unwrap());
            moves.iter().for_each(|mv| game.play_uci(mv).unwrap());
            result(&game)
        };
        let start = kaiyo_chess::START_FEN;
        assert_eq!(result_of(start, &["e2e4"]), None);
        let mate = result_of(start, &["f2f3", "e7e5", "g2g4", "d8h4"]);
        assert_eq!(mate, Some("0-1 {Black mates}"));
        let mate = result_of("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", &["a1a8"]);
        assert_eq!(mate, Some("1-0 {White mates}"));
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
        assert_eq!(result_of(start, &shuffle), None);
        let again = [shuffle, shuffle].concat();
        assert_eq!(result_of(start, &again), Some("1/2-1/2 {Repetition}"));
        let stalemate = result_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &[]);
        assert_eq!(stalemate, Some("1/2-1/2 {Stalemate}"));
        let clock = result_of("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", &["a1a2"]);
        assert_eq!(clock, Some("1/2-1/2 {Fifty-move rule}"));
        let bare = result_of("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", &["e1e2"]);
        assert_eq!(bare, Some("1/2-1/2 {Insufficient material}"));
    }
}

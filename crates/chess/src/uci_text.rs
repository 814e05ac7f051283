//! Moves as UCI writes them: from-square, to-square and promotion letter.

use crate::attacks::piece_attacks;
use crate::game::Game;
use crate::move_error::{IllegalReason, MoveText, ParseMoveError};
use crate::moves::{Move, MoveFlag};
use crate::piece::{Colour, PieceType};
use crate::position::{CastlingSquares, Position};
use crate::square::Square;

/// How UCI text shows castling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CastlingNotation {
    /// As the move of the king, `e1g1`: standard chess. A king that goes less than two squares
    /// would seem to make an ordinary move, so then it takes its rook here too.
    #[default]
    KingMove,
    /// As the king taking its rook, `e1h1`: `UCI_Chess960`.
    KingTakesRook,
}

impl Position {
    /// The UCI text of a move of the side to move.
    pub fn uci_text(&self, mv: Move, notation: CastlingNotation) -> String {
        let mut to = mv.to();
        if mv.is_castling() && notation == CastlingNotation::KingMove {
            let king_to = castling_target(self.side_to_move(), mv);
            if mv.from().distance(king_to) >= 2 {
                to = king_to;
            }
        }
        let mut text = format!("{}{to}", mv.from());
        text.extend(mv.promotion().map(PieceType::to_char));
        text
    }

    /// Reads a legal move from UCI text.
    ///
    /// Castling is understood in both notations, whatever the variant; where an ordinary king
    /// move has the same text, the ordinary move is meant. Promotion letters may be in either
    /// case, and a missing one means a queen.
    ///
    /// # Errors
    /// [`ParseMoveError`] when the text is no move or the move is not legal here.
    pub fn parse_uci_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        if text == "0000" {
            return Err(ParseMoveError::Illegal(MoveText::new(text), IllegalReason::NullMove));
        }
        let parts =
            parse_squares(text).ok_or_else(|| ParseMoveError::Unreadable(MoveText::new(text)))?;
        self.find_move(parts)
            .ok_or_else(|| ParseMoveError::Illegal(MoveText::new(text), self.why_illegal(parts)))
    }

    fn find_move(&self, (from, to, promotion): SquaresAndPromotion) -> Option<Move> {
        let moves = self.legal_moves();
        let mut fitting = moves.iter().copied().filter(|mv| mv.from() == from);
        let becomes = |mv: &Move| match promotion {
            Some(_) => mv.promotion() == promotion,
            None => matches!(mv.promotion(), None | Some(PieceType::Queen)),
        };
        let plain = fitting.clone().find(|mv| mv.to() == to && becomes(mv));
        plain.or_else(|| {
            fitting.find(|&mv| {
                mv.is_castling()
                    && promotion.is_none()
                    && castling_target(self.side_to_move(), mv) == to
            })
        })
    }

    fn why_illegal(&self, (from, to, promotion): SquaresAndPromotion) -> IllegalReason {
        let us = self.side_to_move();
        let Some(piece) = self.piece_on(from) else { return IllegalReason::EmptySquare(from) };
        if piece.colour() != us {
            return IllegalReason::OpponentsMan(from);
        }
        let piece_type = piece.piece_type();
        let own = self.colour(us);
        if piece_type == PieceType::King && promotion.is_none() {
            let castling = own.contains(to) && self.piece_type(PieceType::Rook).contains(to)
                || from.rank() == to.rank() && from.distance(to) >= 2;
            if castling {
                return IllegalReason::Castling;
            }
        }
        let last_rank = to.rank() == (!us).back_rank();
        let promotes = piece_type == PieceType::Pawn && last_rank;
        let impossible = matches!(promotion, Some(PieceType::Pawn | PieceType::King));
        if promotion.is_some() && (!promotes || impossible) {
            return IllegalReason::Promotion;
        }
        let reached = from != to
            && !own.contains(to)
            && match piece_type {
                PieceType::Pawn => self.pawn_could_go(from, to, promotes),
                _ => piece_attacks(piece_type, from, self.occupied()).contains(to),
            };
        if reached { IllegalReason::ExposesKing } else { IllegalReason::OutOfReach(piece_type, to) }
    }

    /// Whether the pawn on `from` could go to `to`, checks and pins aside.
    fn pawn_could_go(&self, from: Square, to: Square, promotes: bool) -> bool {
        let takes = self.occupied().contains(to);
        let flags = if promotes {
            [MoveFlag::promotion(PieceType::Queen, takes); 2]
        } else if takes {
            [MoveFlag::Capture; 2]
        } else {
            [MoveFlag::Quiet, MoveFlag::DoublePush]
        };
        flags.into_iter().any(|flag| self.pawn_reaches(Move::new(from, to, flag)))
    }
}

impl Game {
    /// Plays the move with this UCI text.
    ///
    /// # Errors
    /// [`ParseMoveError`] when the text is no legal move; the game is then unchanged.
    pub fn play_uci(&mut self, text: &str) -> Result<(), ParseMoveError> {
        let mv = self.position().parse_uci_move(text)?;
        self.push(mv);
        Ok(())
    }
}

/// Where the king goes that castles by `mv`.
fn castling_target(side: Colour, mv: Move) -> Square {
    CastlingSquares::new(side, mv.flag() == MoveFlag::CastleKingSide).king
}

type SquaresAndPromotion = (Square, Square, Option<PieceType>);

fn parse_squares(text: &str) -> Option<SquaresAndPromotion> {
    let from = text.get(0..2)?.parse().ok()?;
    let to = text.get(2..4)?.parse().ok()?;
    let mut rest = text.get(4..)?.chars();
    let promotion = match rest.next() {
        Some(letter) => Some(PieceType::from_char(letter)?),
        None => None,
    };
    rest.next().is_none().then_some((from, to, promotion))
}

#[cfg(test)]
mod tests {
    use super::*;
    use CastlingNotation::{KingMove, KingTakesRook};

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).expect(fen)
    }

    fn parse(fen: &str, text: &str) -> Result<Move, String> {
        position(fen).parse_uci_move(text).map_err(|error| error.to_string())
    }

    const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

    #[test]
    fn castling_is_read_in_both_notations_and_written_in_the_asked_one() {
        let white = position(CASTLING);
        for (king_move, takes_rook) in [("e1g1", "e1h1"), ("e1c1", "e1a1")] {
            let mv = white.parse_uci_move(king_move).unwrap();
            assert!(mv.is_castling());
            assert_eq!(white.parse_uci_move(takes_rook), Ok(mv));
            assert_eq!(white.uci_text(mv, KingMove), king_move);
            assert_eq!(white.uci_text(mv, KingTakesRook), takes_rook);
        }
        let black = position("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1");
        let mv = black.parse_uci_move("e8c8").unwrap();
        assert_eq!(mv.flag(), MoveFlag::CastleQueenSide);
    }

    #[test]
    fn an_ordinary_king_move_wins_over_castling_with_the_same_text() {
        let fen = "4k3/8/8/8/8/8/8/5K1R w K - 0 1";
        let step = parse(fen, "f1g1").unwrap();
        let castling = parse(fen, "f1h1").unwrap();
        assert_eq!(step.flag(), MoveFlag::Quiet);
        assert_eq!(castling.flag(), MoveFlag::CastleKingSide);
        assert_eq!(position(fen).uci_text(castling, KingMove), "f1h1");
        // The king reaches g1 or stays there by castling alone.
        let fen = "4k3/8/8/8/8/8/8/1K5R w K - 0 1";
        assert!(parse(fen, "b1g1").unwrap().is_castling());
        let fen = "4k3/8/8/8/8/8/8/6KR w K - 0 1";
        assert!(parse(fen, "g1g1").unwrap().is_castling());
    }

    #[test]
    fn promotions_default_to_a_queen() {
        let fen = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1";
        assert_eq!(parse(fen, "a7a8").unwrap().flag(), MoveFlag::PromoteQueen);
        assert_eq!(parse(fen, "a7a8N").unwrap().flag(), MoveFlag::PromoteKnight);
        let mv = parse(fen, "a7b8r").unwrap();
        assert_eq!(mv.flag(), MoveFlag::PromoteRookCapture);
        assert_eq!(position(fen).uci_text(mv, KingMove), "a7b8r");
    }

    #[test]
    fn unreadable_texts_are_told_from_illegal_moves() {
        for text in ["", "e2", "e2e9", "e2e4qq", "e2e4x", "E2E4", "e2é4", "O-O", "(none)", " e2e4"]
        {
            let error = Position::start().parse_uci_move(text).unwrap_err();
            assert!(matches!(error, ParseMoveError::Unreadable(_)), "{text}: {error}");
        }
    }

    #[test]
    fn illegal_moves_are_explained() {
        let start = crate::START_FEN;
        let why = |fen, text| parse(fen, text).unwrap_err();
        assert_eq!(why(start, "0000"), "illegal move '0000': the turn cannot be passed");
        assert_eq!(why(start, "e4e5"), "illegal move 'e4e5': e4 is empty");
        assert_eq!(why(start, "e7e5"), "illegal move 'e7e5': the man on e7 is the opponent's");
        assert_eq!(why(start, "g1e2"), "illegal move 'g1e2': no knight can go to e2");
        assert_eq!(why(start, "e2e5"), "illegal move 'e2e5': no pawn can go to e5");
        assert_eq!(why(start, "e2e4q"), "illegal move 'e2e4q': no promotion of that kind");
        assert_eq!(why(start, "e1g1"), "illegal move 'e1g1': castling is not possible");
        assert_eq!(why(start, "e1h1"), "illegal move 'e1h1': castling is not possible");
        assert_eq!(why(start, "a1a1"), "illegal move 'a1a1': no rook can go to a1");
        let pinned = "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1";
        assert_eq!(why(pinned, "e2c3"), "illegal move 'e2c3': the king would be in check");
        let pinned = "4k3/8/8/7b/8/8/4P3/3K4 w - - 0 1";
        assert_eq!(why(pinned, "e2e4"), "illegal move 'e2e4': the king would be in check");
        let promotion = "8/P7/8/8/8/8/8/K6k w - - 0 1";
        assert_eq!(why(promotion, "a7a8k"), "illegal move 'a7a8k': no promotion of that kind");
    }

    #[test]
    fn long_and_odd_texts_stay_on_one_short_line() {
        let text = "e2e4\n".repeat(1_000);
        let message = Position::start().parse_uci_move(&text).unwrap_err().to_string();
        assert!(message.len() < 80 && !message.contains('\n'), "{message}");
    }

    #[test]
    fn games_are_played_by_text() {
        let mut game = Game::default();
        for text in ["e2e4", "e7e5", "g1f3"] {
            game.play_uci(text).unwrap();
        }
        assert!(game.play_uci("g1f3").is_err());
        assert_eq!(game.moves().len(), 3);
    }
}

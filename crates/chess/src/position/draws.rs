//! Draws that a single position shows.

use super::Position;
use crate::bitboard::Bitboard;
use crate::movegen::has_legal_move;
use crate::piece::{Colour, PieceType};

/// Half-moves without a capture or pawn move after which a game is drawn.
pub const FIFTY_MOVES: u16 = 100;

impl Position {
    /// Whether the fifty-move rule ends the game here. A mate on the board comes first.
    pub fn is_fifty_move_draw(&self) -> bool {
        self.halfmove_clock >= FIFTY_MOVES && (!self.in_check() || has_legal_move(self))
    }

    /// Whether neither side can ever mate: bare kings, one minor piece, or bishops that all
    /// stand on squares of one colour.
    pub fn is_insufficient_material(&self) -> bool {
        let mating_men = self.piece_type(PieceType::Pawn)
            | self.piece_type(PieceType::Rook)
            | self.piece_type(PieceType::Queen);
        if mating_men.any() {
            return false;
        }
        let knights = self.piece_type(PieceType::Knight);
        let bishops = self.piece_type(PieceType::Bishop);
        if knights.any() {
            return bishops.is_empty() && !knights.more_than_one();
        }
        (bishops & Bitboard::DARK_SQUARES).is_empty()
            || (bishops & !Bitboard::DARK_SQUARES).is_empty()
    }

    /// Whether the side to move is mated.
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !has_legal_move(self)
    }

    /// Whether `colour` has nothing but its king.
    pub fn has_bare_king(&self, colour: Colour) -> bool {
        !self.colour(colour).more_than_one()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).expect(fen)
    }

    #[test]
    fn material_is_insufficient_if_no_mate_is_possible() {
        for (board, is_insufficient) in [
            // Bare kings, and a single minor piece.
            ("8/8/4k3/8/8/4K3/8/8", true),
            ("8/8/4k3/8/8/4K3/8/6N1", true),
            ("6n1/8/4k3/8/8/4K3/8/8", true),
            ("8/8/4k3/8/8/4K3/8/5B2", true),
            ("5b2/8/4k3/8/8/4K3/8/8", true),
            // Bishops of one colour, of whichever side, and of two.
            ("5b2/8/4k3/8/8/4K3/8/2B5", true),
            ("2b5/8/4k3/8/8/4K3/8/5B2", true),
            ("8/8/4k3/8/8/4K3/8/2B1B3", true),
            ("2b5/8/4k3/8/8/4K3/8/2B5", false),
            ("8/8/4k3/8/8/4K3/8/2B2B2", false),
            // A knight with any other piece.
            ("8/8/4k3/8/8/4K3/8/1N4N1", false),
            ("1n6/8/4k3/8/8/4K3/8/6N1", false),
            ("8/8/4k3/8/8/4K3/8/5BN1", false),
            ("5b2/8/4k3/8/8/4K3/8/6N1", false),
            ("8/8/4k3/8/8/4K3/4P3/8", false),
            ("8/8/4k3/8/8/4K3/8/R7", false),
            ("q7/8/4k3/8/8/4K3/8/8", false),
        ] {
            let found = position(&format!("{board} w - - 0 1")).is_insufficient_material();
            assert_eq!(found, is_insufficient, "{board}");
        }
    }

    #[test]
    fn fifty_moves_are_a_draw_unless_the_last_one_mates() {
        for (fen, is_draw) in [
            ("8/8/4k3/8/8/4K3/8/R7 w - - 99 90", false),
            ("8/8/4k3/8/8/4K3/8/R7 w - - 100 90", true),
            ("8/8/4k3/8/8/4K3/8/R7 b - - 120 90", true),
            // Mate, and a check that is none.
            ("R5k1/5ppp/8/8/8/8/8/K7 b - - 100 90", false),
            ("R5k1/6pp/8/8/8/8/8/K7 b - - 100 90", true),
        ] {
            assert_eq!(position(fen).is_fifty_move_draw(), is_draw, "{fen}");
        }
    }
}

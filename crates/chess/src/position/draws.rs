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

    /// Whether the side to move has no legal move but is not in check.
    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !has_legal_move(self)
    }

    /// Whether `colour` has nothing but its king.
    pub fn has_bare_king(&self, colour: Colour) -> bool {
        !self.colour(colour).more_than_one()
    }
}

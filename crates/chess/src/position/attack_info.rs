//! Checkers, pins and attacked squares, computed once per position.

use super::Position;
use crate::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, pawn_attacks_from_set,
    rook_attacks,
};
use crate::bitboard::Bitboard;
use crate::piece::{Colour, PieceType};

impl Position {
    /// Fills in checkers, pins and threats from the point of view of the side to move.
    #[inline(always)]
    pub(super) fn refresh_attack_info(&mut self) {
        let us = self.side_to_move;
        let them = !us;
        let king = self.king(us);
        let own = self.colour(us);
        let theirs = self.colour(them);

        self.threats = self.attacked_by(them, self.occupied() ^ Bitboard::from(king));
        self.checkers = pawn_attacks(us, king) & self.pieces(them, PieceType::Pawn)
            | knight_attacks(king) & self.pieces(them, PieceType::Knight);
        self.pinned = Bitboard::EMPTY;
        // With the own men lifted off the board, the king sees every slider that gives check
        // or would give check if own men were not in between.
        let snipers = rook_attacks(king, theirs) & self.straight_sliders(them)
            | bishop_attacks(king, theirs) & self.diagonal_sliders(them);
        for sniper in snipers {
            let shield = between(king, sniper) & own;
            if shield.is_empty() {
                self.checkers |= Bitboard::from(sniper);
            } else if !shield.more_than_one() {
                self.pinned |= shield;
            }
        }
    }

    /// Squares that `colour` attacks on a board occupied by `occupied`.
    #[inline(always)]
    pub fn attacked_by(&self, colour: Colour, occupied: Bitboard) -> Bitboard {
        let mut attacked = pawn_attacks_from_set(colour, self.pieces(colour, PieceType::Pawn))
            | king_attacks(self.king(colour));
        for knight in self.pieces(colour, PieceType::Knight) {
            attacked |= knight_attacks(knight);
        }
        for slider in self.diagonal_sliders(colour) {
            attacked |= bishop_attacks(slider, occupied);
        }
        for slider in self.straight_sliders(colour) {
            attacked |= rook_attacks(slider, occupied);
        }
        attacked
    }
}

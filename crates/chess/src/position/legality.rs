//! Legality of single moves, without generating the others.

use super::Position;
use super::make::CastlingSquares;
use crate::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, line, pawn_attacks, piece_attacks,
    rook_attacks,
};
use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveFlag};
use crate::piece::{Colour, Piece, PieceType};
use crate::square::{Rank, Square};

impl Position {
    /// Whether `mv` is legal here. Any move code may be asked about: moves from a hash table can
    /// belong to another position.
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from) else { return false };
        if piece.colour() != us {
            return false;
        }
        if mv.is_castling() {
            let king_side = mv.flag() == MoveFlag::CastleKingSide;
            return piece.piece_type() == PieceType::King
                && self.castling_rooks.contains(to)
                && self.colour(us).contains(to)
                && king_side == (to > from)
                && self.castling_is_legal(to);
        }
        if mv.is_en_passant() {
            return piece.piece_type() == PieceType::Pawn
                && self.en_passant == Some(to)
                && pawn_attacks(us, from).contains(to)
                && self.en_passant_is_safe(from, to);
        }
        let takes = self.colour(!us).contains(to) && !self.piece_type(PieceType::King).contains(to);
        if self.occupied().contains(to) && !takes || mv.is_capture() != takes {
            return false;
        }
        match piece.piece_type() {
            PieceType::King => {
                matches!(mv.flag(), MoveFlag::Quiet | MoveFlag::Capture)
                    && king_attacks(from).contains(to)
                    && !self.threats.contains(to)
            }
            PieceType::Pawn => self.pawn_reaches(mv) && self.keeps_king_safe(from, to),
            piece_type => {
                matches!(mv.flag(), MoveFlag::Quiet | MoveFlag::Capture)
                    && piece_attacks(piece_type, from, self.occupied()).contains(to)
                    && self.keeps_king_safe(from, to)
            }
        }
    }

    /// Whether a pawn move other than en passant follows the pawn's way of moving.
    pub(crate) fn pawn_reaches(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let last_rank = us.relative_rank(to.rank()) == Rank::R8;
        if last_rank != mv.is_promotion() {
            return false;
        }
        if mv.is_capture() {
            return pawn_attacks(us, from).contains(to);
        }
        let one_step = from.step(us.up());
        match mv.flag() {
            MoveFlag::DoublePush => {
                us.relative_rank(from.rank()) == Rank::R2
                    && to == one_step.step(us.up())
                    && !self.occupied().contains(one_step)
            }
            _ => to == one_step,
        }
    }

    /// Whether a move of a man other than the king respects checks and pins.
    #[inline(always)]
    fn keeps_king_safe(&self, from: Square, to: Square) -> bool {
        let king = self.king(self.side_to_move);
        if self.pinned.contains(from) && !line(king, from).contains(to) {
            return false;
        }
        self.check_mask().contains(to)
    }

    /// Squares on which a man other than the king ends all checks; every square when there is
    /// no check, none when there are two.
    #[inline(always)]
    pub(crate) fn check_mask(&self) -> Bitboard {
        match self.checkers.first() {
            None => Bitboard::ALL,
            Some(_) if self.checkers.more_than_one() => Bitboard::EMPTY,
            Some(checker) => between(self.king(self.side_to_move), checker) | self.checkers,
        }
    }

    /// Whether the side to move may castle with the rook on `rook`, for which it has the right.
    #[inline]
    pub(crate) fn castling_is_legal(&self, rook: Square) -> bool {
        let us = self.side_to_move;
        let king = self.king(us);
        let to = CastlingSquares::new(us, rook > king);
        let ends = Bitboard::from(to.king) | Bitboard::from(to.rook);
        let movers = Bitboard::from(king) | Bitboard::from(rook);
        let path = (between(king, to.king) | between(rook, to.rook) | ends) & !movers;
        let king_path = between(king, to.king) | Bitboard::from(to.king) | Bitboard::from(king);
        // A rook pinned along the back rank would uncover a slider behind it.
        (path & self.occupied()).is_empty()
            && (king_path & self.threats).is_empty()
            && !self.pinned.contains(rook)
    }

    /// Whether the pawn on `from` may take en passant on `to` without leaving its king in check.
    ///
    /// Two pawns leave their squares at once, so the board after the capture is looked at.
    pub(crate) fn en_passant_is_safe(&self, from: Square, to: Square) -> bool {
        let us = self.side_to_move;
        let king = self.king(us);
        let captured = Bitboard::from(to.step(-us.up()));
        let occupied = (self.occupied() ^ Bitboard::from(from) ^ captured) | Bitboard::from(to);
        let sliders = rook_attacks(king, occupied) & self.straight_sliders(!us)
            | bishop_attacks(king, occupied) & self.diagonal_sliders(!us);
        let steppers = knight_attacks(king) & self.pieces(!us, PieceType::Knight)
            | pawn_attacks(us, king) & self.pieces(!us, PieceType::Pawn) & !captured;
        (sliders | steppers).is_empty()
    }

    /// Whether the legal move `mv` gives check, directly or by uncovering a slider.
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let king = self.king(!us);
        let (from, to) = (mv.from(), mv.to());
        let Some(mover) = self.piece_on(from) else { return false };
        let mut occupied = self.occupied() ^ Bitboard::from(from);
        let mut placed = (mv.promotion().unwrap_or(mover.piece_type()), to);
        if mv.is_castling() {
            let squares = CastlingSquares::new(us, mv.flag() == MoveFlag::CastleKingSide);
            occupied ^= Bitboard::from(to);
            occupied |= Bitboard::from(squares.king) | Bitboard::from(squares.rook);
            placed = (PieceType::Rook, squares.rook);
        } else {
            occupied |= Bitboard::from(to);
            if mv.is_en_passant() {
                occupied ^= Bitboard::from(to.step(-us.up()));
            }
        }
        let direct = match placed {
            (PieceType::Pawn, square) => pawn_attacks(us, square),
            (piece_type, square) => piece_attacks(piece_type, square, occupied),
        };
        if direct.contains(king) {
            return true;
        }
        let stayed = !(Bitboard::from(from) | Bitboard::from(to));
        let uncovered = rook_attacks(king, occupied) & self.straight_sliders(us)
            | bishop_attacks(king, occupied) & self.diagonal_sliders(us);
        (uncovered & stayed).any()
    }

    /// The man `mv` takes, if any.
    #[inline(always)]
    pub fn captured(&self, mv: Move) -> Option<Piece> {
        if mv.is_en_passant() {
            return Some(Piece::new(!self.side_to_move, PieceType::Pawn));
        }
        if mv.is_capture() { self.piece_on(mv.to()) } else { None }
    }

    /// The side, other than the one to move, that would be left in check. Only an illegal
    /// set-up has one.
    pub(super) fn opponent_in_check(&self) -> bool {
        let us = self.side_to_move;
        let king = self.king(!us);
        (self.attackers(king, self.occupied()) & self.colour(us)).any()
    }

    /// Kings of `colour`, to validate a set-up.
    pub(super) fn king_count(&self, colour: Colour) -> u32 {
        self.pieces(colour, PieceType::King).len()
    }
}

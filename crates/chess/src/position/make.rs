//! Making moves by copying.

use super::Position;
use crate::attacks::pawn_attacks;
use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveFlag};
use crate::piece::{Colour, Piece, PieceType};
use crate::square::{File, Square};
use crate::zobrist;

/// Where king and rook stand after castling, whatever squares they came from.
#[derive(Clone, Copy)]
pub(crate) struct CastlingSquares {
    pub king: Square,
    pub rook: Square,
}

impl CastlingSquares {
    #[inline(always)]
    pub fn new(side: Colour, king_side: bool) -> Self {
        let (king, rook) = if king_side { (File::G, File::F) } else { (File::C, File::D) };
        let rank = side.back_rank();
        Self { king: Square::new(king, rank), rook: Square::new(rook, rank) }
    }
}

impl Position {
    /// The position after `mv`, which must be legal here.
    #[inline]
    #[must_use]
    pub fn make(&self, mv: Move) -> Self {
        let mut next = *self;
        next.make_in_place(mv);
        next
    }

    /// Turns this position into the one after `mv`, which must be legal here.
    ///
    /// For hot loops: the compiler copies the result of [`Self::make`] once more than a position
    /// copied by hand.
    #[inline(always)]
    pub fn make_in_place(&mut self, mv: Move) {
        let us = self.side_to_move;
        let (from, to, flag) = (mv.from(), mv.to(), mv.flag());
        let Some(piece) = self.piece_on(from) else {
            debug_assert!(false, "no man on {from} for {mv:?} in {self}");
            return;
        };
        self.clear_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);

        if mv.is_castling() {
            self.castle(us, from, to, flag == MoveFlag::CastleKingSide);
        } else {
            if mv.is_capture() {
                let square = if mv.is_en_passant() { to.step(-us.up()) } else { to };
                if let Some(captured) = self.piece_on(square) {
                    self.take(captured, square);
                }
                self.halfmove_clock = 0;
            }
            match mv.promotion() {
                Some(piece_type) => {
                    self.take(piece, from);
                    self.put(Piece::new(us, piece_type), to);
                }
                None => self.carry(piece, from, to),
            }
            if piece.piece_type() == PieceType::Pawn {
                self.halfmove_clock = 0;
            }
        }
        self.drop_castling_rights(us, piece, from, to);

        self.pass_turn();
        self.fullmove_number = self.fullmove_number.saturating_add(us as u16);
        self.refresh_attack_info();
        if flag == MoveFlag::DoublePush {
            self.offer_en_passant(to.step(-us.up()));
        }
        debug_assert_eq!(self.keys, self.keys_from_scratch(), "after {mv:?}: {self}");
    }

    /// The position after passing the turn. The side to move must not be in check.
    #[inline]
    #[must_use]
    pub fn make_null(&self) -> Self {
        debug_assert!(!self.in_check());
        let mut next = *self;
        next.clear_en_passant();
        next.halfmove_clock = next.halfmove_clock.saturating_add(1);
        next.pass_turn();
        next.refresh_attack_info();
        next
    }

    /// Key of the position after `mv`, for prefetching; castling, en passant and promotion moves
    /// are not followed exactly.
    #[inline(always)]
    pub fn key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let mut key = self.keys.full ^ zobrist::black_to_move();
        if let Some(piece) = self.piece_on(from) {
            key ^= zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
        }
        if let Some(captured) = self.piece_on(to) {
            key ^= zobrist::piece(captured, to);
        }
        if let Some(square) = self.en_passant {
            key ^= zobrist::en_passant(square.file());
        }
        key
    }

    fn castle(&mut self, us: Colour, king_from: Square, rook_from: Square, king_side: bool) {
        let to = CastlingSquares::new(us, king_side);
        let king = Piece::new(us, PieceType::King);
        let rook = Piece::new(us, PieceType::Rook);
        self.take(king, king_from);
        self.take(rook, rook_from);
        self.put(king, to.king);
        self.put(rook, to.rook);
    }

    /// Rights go with the rook that moves or is taken, and all of them with the king.
    #[inline(always)]
    fn drop_castling_rights(&mut self, us: Colour, moved: Piece, from: Square, to: Square) {
        if self.castling_rooks.is_empty() {
            return;
        }
        let mut touched = Bitboard::from(from) | Bitboard::from(to);
        if moved.piece_type() == PieceType::King {
            touched |= Bitboard::rank(us.back_rank());
        }
        let dropped = self.castling_rooks & touched;
        if dropped.any() {
            self.castling_rooks ^= dropped;
            self.keys.full ^= zobrist::castling(dropped);
        }
    }

    #[inline(always)]
    fn clear_en_passant(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.keys.full ^= zobrist::en_passant(square.file());
        }
    }

    #[inline(always)]
    fn pass_turn(&mut self) {
        self.side_to_move = !self.side_to_move;
        self.keys.full ^= zobrist::black_to_move();
    }

    /// Sets the en passant square if the side to move has a legal capture there.
    ///
    /// Checkers and pins of the side to move must be known already.
    pub(super) fn offer_en_passant(&mut self, square: Square) {
        let us = self.side_to_move;
        let candidates = pawn_attacks(!us, square) & self.pieces(us, PieceType::Pawn);
        let mut legal = candidates.filter(|&from| self.en_passant_is_safe(from, square));
        if legal.next().is_some() {
            self.en_passant = Some(square);
            self.keys.full ^= zobrist::en_passant(square.file());
        }
    }
}

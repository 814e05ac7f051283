//! Moves in 16 bits, and lists of them.

use crate::bitboard::Bitboard;
use crate::piece::PieceType;
use crate::square::Square;
use core::fmt;
use core::num::NonZeroU16;
use core::ops::Deref;

/// What a move does besides carrying a man from one square to another.
///
/// Bit 2 marks captures, bit 3 promotions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum MoveFlag {
    Quiet = 0,
    DoublePush = 1,
    CastleKingSide = 2,
    CastleQueenSide = 3,
    Capture = 4,
    EnPassant = 5,
    PromoteKnight = 8,
    PromoteBishop = 9,
    PromoteRook = 10,
    PromoteQueen = 11,
    PromoteKnightCapture = 12,
    PromoteBishopCapture = 13,
    PromoteRookCapture = 14,
    PromoteQueenCapture = 15,
}

impl MoveFlag {
    const CODES: [Option<Self>; 16] = [
        Some(Self::Quiet),
        Some(Self::DoublePush),
        Some(Self::CastleKingSide),
        Some(Self::CastleQueenSide),
        Some(Self::Capture),
        Some(Self::EnPassant),
        None,
        None,
        Some(Self::PromoteKnight),
        Some(Self::PromoteBishop),
        Some(Self::PromoteRook),
        Some(Self::PromoteQueen),
        Some(Self::PromoteKnightCapture),
        Some(Self::PromoteBishopCapture),
        Some(Self::PromoteRookCapture),
        Some(Self::PromoteQueenCapture),
    ];

    /// The flag of a promotion to `piece_type`, which is a knight, bishop, rook or queen.
    pub const fn promotion(piece_type: PieceType, capture: bool) -> Self {
        match (piece_type, capture) {
            (PieceType::Knight, false) => Self::PromoteKnight,
            (PieceType::Bishop, false) => Self::PromoteBishop,
            (PieceType::Rook, false) => Self::PromoteRook,
            (_, false) => Self::PromoteQueen,
            (PieceType::Knight, true) => Self::PromoteKnightCapture,
            (PieceType::Bishop, true) => Self::PromoteBishopCapture,
            (PieceType::Rook, true) => Self::PromoteRookCapture,
            (_, true) => Self::PromoteQueenCapture,
        }
    }
}

/// A move: from-square, to-square and [`MoveFlag`].
///
/// Castling is stored as the king taking its own rook, so that Chess960 needs no special case.
/// The bits are `flag << 12 | to << 6 | from`; the code 0 (a1a1) is no move, which makes
/// `Option<Move>` two bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

impl Move {
    /// A move from its parts. `from` and `to` must differ.
    #[inline(always)]
    pub const fn new(from: Square, to: Square, flag: MoveFlag) -> Self {
        debug_assert!(from as u8 != to as u8);
        let bits = (flag as u16) << 12 | (to as u16) << 6 | from as u16;
        // No branch: code 0 would be a move from a1 to a1.
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            None => Self(NonZeroU16::MIN),
        }
    }

    /// The move with this code, or `None` when no move has it.
    ///
    /// The result need not be legal anywhere: see `Position::is_legal`.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let same_square = bits & 63 == bits >> 6 & 63;
        if same_square || MoveFlag::CODES[bits as usize >> 12].is_none() {
            return None;
        }
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// The 16-bit code of this move.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The square the man leaves.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.0.get() as u8)
    }

    /// The square the man goes to; for castling, the square of the castling rook.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_low_bits((self.0.get() >> 6) as u8)
    }

    /// What the move does besides.
    #[inline(always)]
    pub const fn flag(self) -> MoveFlag {
        match MoveFlag::CODES[self.0.get() as usize >> 12] {
            Some(flag) => flag,
            None => MoveFlag::Quiet,
        }
    }

    /// Whether a man of the opponent is taken.
    #[inline(always)]
    pub const fn is_capture(self) -> bool {
        self.0.get() & 4 << 12 != 0
    }

    /// Whether a pawn is promoted.
    #[inline(always)]
    pub const fn is_promotion(self) -> bool {
        self.0.get() & 8 << 12 != 0
    }

    /// Whether this is castling to either side.
    #[inline(always)]
    pub const fn is_castling(self) -> bool {
        self.0.get() >> 13 == 1
    }

    /// Whether this is an en passant capture.
    #[inline(always)]
    pub const fn is_en_passant(self) -> bool {
        self.0.get() >> 12 == MoveFlag::EnPassant as u16
    }

    /// Whether this is a capture or a queen promotion: a move quiescence search looks at.
    #[inline(always)]
    pub const fn is_noisy(self) -> bool {
        self.is_capture() || self.0.get() >> 12 == MoveFlag::PromoteQueen as u16
    }

    /// What a pawn is promoted to.
    #[inline(always)]
    pub const fn promotion(self) -> Option<PieceType> {
        if self.is_promotion() {
            Some(PieceType::ALL[1 + (self.0.get() >> 12 & 3) as usize])
        } else {
            None
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}:{:?}", self.from(), self.to(), self.flag())
    }
}

/// No position has more legal moves: in games the record is 218.
///
/// For other boards of 32 men: sliders have at most 27 moves each and reach a square from at most
/// 8 directions, knights have 8 moves, pawns 12. The best mix of them stays below 480.
pub const MAX_MOVES: usize = 512;

/// A list of moves on the stack.
#[derive(Clone)]
pub struct MoveList {
    moves: [core::mem::MaybeUninit<Move>; MAX_MOVES],
    len: usize,
}

impl MoveList {
    /// An empty list.
    #[inline(always)]
    pub const fn new() -> Self {
        // The inner `const` keeps the compiler from clearing the array.
        Self { moves: [const { core::mem::MaybeUninit::uninit() }; MAX_MOVES], len: 0 }
    }

    /// Appends a move.
    ///
    /// # Panics
    /// When the list already holds [`MAX_MOVES`] moves.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len].write(mv);
        self.len += 1;
    }

    /// Appends the move that `to_move` makes of each target square.
    ///
    /// # Panics
    /// When the list would hold more than [`MAX_MOVES`] moves.
    #[inline(always)]
    pub(crate) fn extend_with(&mut self, targets: Bitboard, to_move: impl Fn(Square) -> Move) {
        let end = self.len + targets.len() as usize;
        for (slot, to) in self.moves[self.len..end].iter_mut().zip(targets) {
            slot.write(to_move(to));
        }
        self.len = end;
    }

    /// Removes all moves.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline(always)]
    fn deref(&self) -> &[Move] {
        // SAFETY: the first `len` elements were written by `push` and `extend_with`.
        unsafe { core::slice::from_raw_parts(self.moves.as_ptr().cast(), self.len) }
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = core::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_round_trip() {
        let mut valid = 0;
        for bits in 0..=u16::MAX {
            let Some(mv) = Move::from_bits(bits) else { continue };
            assert_eq!(mv.bits(), bits);
            assert_eq!(Move::new(mv.from(), mv.to(), mv.flag()), mv);
            valid += 1;
        }
        assert_eq!(valid, 64 * 63 * 14);
    }

    #[test]
    fn flags_tell_captures_promotions_and_castling() {
        let mv = |flag| Move::new(Square::E7, Square::D8, flag);
        assert!(mv(MoveFlag::PromoteRookCapture).is_capture());
        assert_eq!(mv(MoveFlag::PromoteRookCapture).promotion(), Some(PieceType::Rook));
        assert_eq!(mv(MoveFlag::Capture).promotion(), None);
        assert!(mv(MoveFlag::CastleKingSide).is_castling());
        assert!(mv(MoveFlag::CastleQueenSide).is_castling());
        assert!(!mv(MoveFlag::Capture).is_castling() && !mv(MoveFlag::DoublePush).is_castling());
        assert!(mv(MoveFlag::EnPassant).is_capture() && mv(MoveFlag::EnPassant).is_en_passant());
        assert!(mv(MoveFlag::PromoteQueen).is_noisy() && !mv(MoveFlag::PromoteRook).is_noisy());
    }

    #[test]
    fn no_move_costs_no_extra_byte() {
        assert_eq!(size_of::<Option<Move>>(), 2);
        assert_eq!(Move::from_bits(0), None);
    }
}

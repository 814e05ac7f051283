//! Attack sets of every man, and the lines between squares.
//!
//! Sliding attacks come from one table per piece type with a slot for every relevant
//! occupancy, addressed by PEXT where that is fast and by fancy magics elsewhere
//! (<https://www.chessprogramming.org/Magic_Bitboards>). All tables are built at compile time.

mod lines;
mod magics;
mod sliders;
mod steppers;

pub use lines::{between, line};
pub use sliders::{bishop_attacks, queen_attacks, rook_attacks};
pub use steppers::{king_attacks, knight_attacks, pawn_attacks, pawn_attacks_from_set};

use crate::bitboard::Bitboard;
use crate::piece::PieceType;
use crate::square::Square;

/// Squares a knight, bishop, rook, queen or king on `square` attacks with these men on the board.
///
/// Pawns attack by colour: for them use [`pawn_attacks`]. Here they attack nothing.
#[inline(always)]
pub fn piece_attacks(piece_type: PieceType, square: Square, occupied: Bitboard) -> Bitboard {
    match piece_type {
        PieceType::Pawn => Bitboard::EMPTY,
        PieceType::Knight => knight_attacks(square),
        PieceType::Bishop => bishop_attacks(square, occupied),
        PieceType::Rook => rook_attacks(square, occupied),
        PieceType::Queen => queen_attacks(square, occupied),
        PieceType::King => king_attacks(square),
    }
}

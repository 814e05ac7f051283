//! Random numbers for position keys (<https://www.chessprogramming.org/Zobrist_Hashing>).

use crate::bitboard::Bitboard;
use crate::piece::Piece;
use crate::random::split_mix;
use crate::square::{File, Square};

struct Numbers {
    pieces: [[u64; 64]; 12],
    castling_rooks: [u64; 64],
    en_passant: [u64; 8],
    black_to_move: u64,
}

const NUMBERS_DRAWN: Numbers = draw_numbers();
static NUMBERS: Numbers = NUMBERS_DRAWN;

const fn fill<const N: usize>(state: &mut u64) -> [u64; N] {
    let mut numbers = [0; N];
    let mut index = 0;
    while index < N {
        numbers[index] = split_mix(state);
        index += 1;
    }
    numbers
}

const fn draw_numbers() -> Numbers {
    let mut state = 0x4b61_6979_6f00;
    let mut pieces = [[0; 64]; 12];
    let mut piece = 0;
    while piece < 12 {
        pieces[piece] = fill(&mut state);
        piece += 1;
    }
    let castling_rooks = fill(&mut state);
    let en_passant = fill(&mut state);
    let black_to_move = split_mix(&mut state);
    Numbers { pieces, castling_rooks, en_passant, black_to_move }
}

/// The number of a man on a square.
#[inline(always)]
pub(crate) fn piece(piece: Piece, square: Square) -> u64 {
    NUMBERS.pieces[piece.index()][square.index()]
}

/// By how much the keys of two positions differ when a man moves between two squares, given by index.
pub(crate) const fn move_difference(piece: usize, a: usize, b: usize) -> u64 {
    NUMBERS_DRAWN.pieces[piece][a] ^ NUMBERS_DRAWN.pieces[piece][b] ^ NUMBERS_DRAWN.black_to_move
}

/// The number of the rights to castle with these rooks.
#[inline(always)]
pub(crate) fn castling(rooks: Bitboard) -> u64 {
    rooks.fold(0, |key, rook| key ^ NUMBERS.castling_rooks[rook.index()])
}

/// The number of an en passant file.
#[inline(always)]
pub(crate) fn en_passant(file: File) -> u64 {
    NUMBERS.en_passant[file.index()]
}

/// The number of Black being on the move.
#[inline(always)]
pub(crate) fn black_to_move() -> u64 {
    NUMBERS.black_to_move
}

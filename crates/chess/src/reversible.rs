//! Which moves lead from one position to another, seen from their keys alone: a cuckoo hash table of all
//! moves that can be taken back (van Kervinck, "The design and implementation of the Rookie 2.0 chess
//! playing program", 2013).

use crate::attacks::between;
use crate::bitboard::Bitboard;
use crate::piece::{Piece, PieceType};
use crate::square::Square;
use crate::zobrist;

/// Slots; twice as many as there are moves, so that each finds a place in one of two.
const SLOTS: usize = 8_192;

/// A move of a man other than a pawn, in either direction. Zero marks an empty slot.
struct Table {
    differences: [u64; SLOTS],
    squares: [[u8; 2]; SLOTS],
}

static TABLE: Table = fill();

/// The two squares, in any order, of the move that leads between two positions whose keys differ by
/// `difference`: a quiet move of a man other than a pawn. `None` if no such move does, or if one of the
/// `occupied` squares lies between.
#[inline]
pub fn reversible_move(difference: u64, occupied: Bitboard) -> Option<(Square, Square)> {
    let mut slot = first_slot(difference);
    if TABLE.differences[slot] != difference {
        slot = second_slot(difference);
        if TABLE.differences[slot] != difference {
            return None;
        }
    }
    let [a, b] = TABLE.squares[slot].map(Square::from_low_bits);
    (between(a, b) & occupied).is_empty().then_some((a, b))
}

const fn first_slot(difference: u64) -> usize {
    difference as usize % SLOTS
}

const fn second_slot(difference: u64) -> usize {
    (difference >> 16) as usize % SLOTS
}

const fn fill() -> Table {
    let mut table = Table { differences: [0; SLOTS], squares: [[0; 2]; SLOTS] };
    let mut piece = 0;
    while piece < Piece::ALL.len() {
        let piece_type = Piece::ALL[piece].piece_type();
        let mut a = 0;
        while a < 64 {
            let mut b = a + 1;
            while b < 64 {
                if moves_between(piece_type, a, b) {
                    table.insert(zobrist::move_difference(piece, a, b), [a as u8, b as u8]);
                }
                b += 1;
            }
            a += 1;
        }
        piece += 1;
    }
    table
}

/// Whether a man moves between two squares of an empty board, and back.
const fn moves_between(piece_type: PieceType, a: usize, b: usize) -> bool {
    let files = (a % 8).abs_diff(b % 8);
    let ranks = (a / 8).abs_diff(b / 8);
    let diagonal = files == ranks;
    let straight = files == 0 || ranks == 0;
    match piece_type {
        PieceType::Pawn => false,
        PieceType::Knight => files * ranks == 2,
        PieceType::Bishop => diagonal,
        PieceType::Rook => straight,
        PieceType::Queen => diagonal || straight,
        PieceType::King => files <= 1 && ranks <= 1,
    }
}

impl Table {
    /// Puts a move into its first slot, and what was there into its other one, until a slot is empty.
    const fn insert(&mut self, mut difference: u64, mut squares: [u8; 2]) {
        let mut slot = first_slot(difference);
        loop {
            let (old_difference, old_squares) = (self.differences[slot], self.squares[slot]);
            self.differences[slot] = difference;
            self.squares[slot] = squares;
            if old_difference == 0 {
                return;
            }
            (difference, squares) = (old_difference, old_squares);
            let first = first_slot(difference);
            slot = if slot == first { second_slot(difference) } else { first };
        }
    }
}

/// By how much the keys of two positions differ that differ in the side to move alone.
#[inline(always)]
pub fn turn_difference() -> u64 {
    zobrist::black_to_move()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use crate::random::split_mix;

    #[test]
    fn all_moves_that_can_be_taken_back_are_known() {
        // Knights 168, bishops 280, rooks 448, queens 728 and kings 210 pairs of squares, two colours.
        let known = TABLE.differences.iter().filter(|&&difference| difference != 0).count();
        assert_eq!(known, 3_668);
        let mut state = 1;
        for _ in 0..100_000 {
            assert_eq!(reversible_move(split_mix(&mut state), Bitboard::EMPTY), None);
        }
    }

    #[test]
    fn moves_are_found_by_the_keys_around_them() {
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1",
            "8/2k3p1/1p1n3p/p1pN4/P1P3P1/1P1K3P/8/8 b - - 4 38",
            "4k3/8/8/1q3r2/8/3B4/1R6/4K2Q w - - 0 1",
        ];
        for fen in fens {
            let position = Position::from_fen(fen).unwrap();
            for &mv in &position.legal_moves() {
                let next = position.make(mv);
                let difference = position.key() ^ next.key();
                let found = reversible_move(difference, position.occupied());
                let pawn = position.piece_on(mv.from()).unwrap().piece_type() == PieceType::Pawn;
                if pawn || mv.is_capture() {
                    assert_eq!(found, None, "{mv:?} in {fen}");
                } else {
                    let (a, b) = found.unwrap();
                    assert!((a, b) == (mv.from(), mv.to()) || (b, a) == (mv.from(), mv.to()));
                }
            }
        }
    }

    #[test]
    fn men_in_the_way_block_a_move() {
        let rook_a1 = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
        let rook_a8 = Position::from_fen("R3k3/8/8/8/8/8/8/4K3 b - - 0 1").unwrap();
        let difference = rook_a1.key() ^ rook_a8.key();
        assert!(reversible_move(difference, rook_a1.occupied()).is_some());
        assert!(reversible_move(difference, Bitboard::from(Square::A4)).is_none());
    }
}

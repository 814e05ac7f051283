//! Attacks of the men that do not slide.

use crate::bitboard::Bitboard;
use crate::piece::Colour;
use crate::square::{File, Square};

const KNIGHT_STEPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i8, i8); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const WHITE_PAWN_STEPS: [(i8, i8); 2] = [(-1, 1), (1, 1)];
const BLACK_PAWN_STEPS: [(i8, i8); 2] = [(-1, -1), (1, -1)];

/// For each square the squares reached by one (file, rank) step that stays on the board.
const fn step_table(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut step = 0;
        while step < steps.len() {
            let file = (square % 8) as i8 + steps[step].0;
            let rank = (square / 8) as i8 + steps[step].1;
            if 0 <= file && file < 8 && 0 <= rank && rank < 8 {
                table[square].0 |= 1 << (rank * 8 + file);
            }
            step += 1;
        }
        square += 1;
    }
    table
}

static KNIGHT_ATTACKS: [Bitboard; 64] = step_table(&KNIGHT_STEPS);
static KING_ATTACKS: [Bitboard; 64] = step_table(&KING_STEPS);
static PAWN_ATTACKS: [[Bitboard; 64]; 2] =
    [step_table(&WHITE_PAWN_STEPS), step_table(&BLACK_PAWN_STEPS)];

/// Squares a knight on `square` attacks.
#[inline(always)]
pub fn knight_attacks(square: Square) -> Bitboard {
    KNIGHT_ATTACKS[square.index()]
}

/// Squares a king on `square` attacks.
#[inline(always)]
pub fn king_attacks(square: Square) -> Bitboard {
    KING_ATTACKS[square.index()]
}

/// Squares a pawn of `colour` on `square` attacks.
#[inline(always)]
pub fn pawn_attacks(colour: Colour, square: Square) -> Bitboard {
    PAWN_ATTACKS[colour.index()][square.index()]
}

/// Squares that at least one of these pawns of `colour` attacks.
#[inline(always)]
pub fn pawn_attacks_from_set(colour: Colour, pawns: Bitboard) -> Bitboard {
    let west = (pawns & !Bitboard::file(File::A)).shift(colour.up() - 1);
    let east = (pawns & !Bitboard::file(File::H)).shift(colour.up() + 1);
    west | east
}

#[cfg(test)]
mod tests {
    use super::*;
    use Square::*;

    fn set(squares: &[Square]) -> Bitboard {
        squares.iter().copied().collect()
    }

    #[test]
    fn steps_stop_at_the_edge() {
        assert_eq!(knight_attacks(A1), set(&[B3, C2]));
        assert_eq!(king_attacks(H8), set(&[G8, G7, H7]));
        assert_eq!(pawn_attacks(Colour::White, A2), set(&[B3]));
        assert_eq!(pawn_attacks(Colour::Black, H7), set(&[G6]));
        assert_eq!(knight_attacks(D4), set(&[B3, B5, C2, C6, E2, E6, F3, F5]));
    }

    #[test]
    fn set_wise_pawn_attacks_agree_with_single_pawns() {
        for colour in Colour::ALL {
            for square in Square::ALL {
                let single = pawn_attacks(colour, square);
                assert_eq!(pawn_attacks_from_set(colour, Bitboard::from(square)), single);
            }
        }
    }
}

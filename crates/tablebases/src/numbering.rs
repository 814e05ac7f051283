//! The numbers that the format gives to squares and to sets of squares.
//!
//! Squares are bare numbers here, a1 = 0 to h8 = 63, because they are calculated with.

/// Ways to choose `k` of `n` squares: `BINOMIAL[k][n]`.
pub(crate) static BINOMIAL: [[u64; 64]; 7] = {
    let mut table = [[0; 64]; 7];
    let mut n = 0;
    while n < 64 {
        table[0][n] = 1;
        let mut k = 1;
        while k < 7 {
            if n > 0 {
                table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            }
            k += 1;
        }
        n += 1;
    }
    table
};

/// How far a square is above (positive) or below the diagonal from a1 to h8.
pub(crate) const fn above_diagonal(square: u8) -> i8 {
    (square >> 3) as i8 - (square & 7) as i8
}

/// Squares below the diagonal, numbered from 0 to 27; other squares have no meaning.
pub(crate) static BELOW_DIAGONAL: [u8; 64] = {
    let mut table = [0; 64];
    let (mut square, mut next) = (0, 0);
    while square < 64 {
        if above_diagonal(square) < 0 {
            table[square as usize] = next;
            next += 1;
        }
        square += 1;
    }
    table
};

/// The triangle a1-d1-d4: the squares below the diagonal from 0 to 5, those on it from 6 to 9.
pub(crate) static TRIANGLE: [u8; 64] = {
    let mut table = [0; 64];
    let (mut square, mut next) = (0, 0);
    while square < 32 {
        if above_diagonal(square) < 0 && square & 7 < 4 {
            table[square as usize] = next;
            next += 1;
        }
        square += 1;
    }
    let mut step = 0;
    while step < 4 {
        table[step * 9] = next;
        next += 1;
        step += 1;
    }
    table
};

/// Marks pairs of squares that two kings cannot stand on.
const NO_PAIR: u16 = u16::MAX;
/// Pairs of squares for the kings.
pub(crate) const KING_PAIRS: u64 = 462;

/// The number of a pair of kings, the first in the triangle, by its number there. Pairs with both
/// kings on the diagonal come last. With the first on the diagonal, the second is not above it.
static KINGS: [[u16; 64]; 10] = {
    let mut table = [[NO_PAIR; 64]; 10];
    let mut next = 0;
    let mut pass = 0;
    while pass < 2 {
        let mut first = 0;
        while first < 10 {
            let mut from = 0;
            while from < 28 {
                let in_triangle = from & 7 < 4 && above_diagonal(from) <= 0;
                if in_triangle && TRIANGLE[from as usize] == first {
                    let mut to = 0;
                    while to < 64 {
                        let on_diagonal = above_diagonal(from) == 0;
                        let both = on_diagonal && above_diagonal(to) == 0;
                        let mirrored = on_diagonal && above_diagonal(to) > 0;
                        if !touch(from, to) && !mirrored && both == (pass == 1) {
                            table[first as usize][to as usize] = next;
                            next += 1;
                        }
                        to += 1;
                    }
                }
                from += 1;
            }
            first += 1;
        }
        pass += 1;
    }
    assert!(next as u64 == KING_PAIRS);
    table
};

/// Whether the squares are the same or neighbours.
const fn touch(a: u8, b: u8) -> bool {
    (a & 7).abs_diff(b & 7) <= 1 && (a >> 3).abs_diff(b >> 3) <= 1
}

/// The number of a pair of kings, of which the first is in the triangle.
pub(crate) fn king_pair(first: u8, second: u8) -> Option<u64> {
    let number = KINGS[usize::from(TRIANGLE[usize::from(first)])][usize::from(second)];
    (number != NO_PAIR).then_some(u64::from(number))
}

/// The rank of squares among those of pawns: 47 for a2, 46 for h2, 45 for a3, down to 0 for e7.
/// The leading pawn is the one with the highest.
pub(crate) static PAWN_ORDER: [u8; 64] = {
    let mut table = [0; 64];
    let mut file = 0;
    let mut next: u8 = 48;
    while file < 4 {
        let mut rank = 1;
        while rank < 7 {
            next -= 2;
            table[rank * 8 + file] = next + 1;
            table[rank * 8 + 7 - file] = next;
            rank += 1;
        }
        file += 1;
    }
    table
};

/// Most pawns of one side.
pub(crate) const MAX_PAWNS: usize = 5;

/// For a number of leading pawns, where the numbers begin that have the first of them on a square of
/// the files a to d; and for each file, how many there are.
const fn leading_pawns() -> ([[u32; 64]; MAX_PAWNS + 1], [[u32; 4]; MAX_PAWNS + 1]) {
    let mut begin = [[0; 64]; MAX_PAWNS + 1];
    let mut size = [[0; 4]; MAX_PAWNS + 1];
    let mut count = 1;
    while count <= MAX_PAWNS {
        let mut file = 0;
        while file < 4 {
            let mut next = 0;
            let mut rank = 1;
            while rank < 7 {
                let square = rank * 8 + file;
                begin[count][square] = next;
                next += BINOMIAL[count - 1][PAWN_ORDER[square] as usize] as u32;
                rank += 1;
            }
            size[count][file] = next;
            file += 1;
        }
        count += 1;
    }
    (begin, size)
}

/// Where the numbers of sets of leading pawns begin, by their count and the square of the first.
pub(crate) static LEADING_PAWNS_BEGIN: [[u32; 64]; MAX_PAWNS + 1] = leading_pawns().0;
/// How many sets of leading pawns there are, by their count and the file of the first.
pub(crate) static LEADING_PAWNS_SIZE: [[u32; 4]; MAX_PAWNS + 1] = leading_pawns().1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_format() {
        assert_eq!(BINOMIAL[2][5], 10);
        assert_eq!(BINOMIAL[6][3], 0);
        assert_eq!((PAWN_ORDER[8], PAWN_ORDER[15], PAWN_ORDER[16]), (47, 46, 45));
        assert_eq!((PAWN_ORDER[51], PAWN_ORDER[52]), (1, 0));
        assert_eq!(BELOW_DIAGONAL.iter().max(), Some(&27));
        assert_eq!((TRIANGLE[1], TRIANGLE[19], TRIANGLE[0], TRIANGLE[27]), (0, 5, 6, 9));
        assert_eq!(LEADING_PAWNS_SIZE[1], [6; 4]);
    }

    #[test]
    fn every_pair_of_kings_has_its_number() {
        let mut seen = vec![false; KING_PAIRS as usize];
        for first in (0..28).filter(|&square| square & 7 < 4 && above_diagonal(square) <= 0) {
            for second in 0..64 {
                let Some(number) = king_pair(first, second) else { continue };
                assert!(!touch(first, second));
                assert!(!std::mem::replace(&mut seen[number as usize], true));
            }
        }
        assert!(seen.iter().all(|&seen| seen));
    }
}

//! The number of a position within a part of a table.

use crate::layout::{Layout, Leading, Man};
use crate::numbering::{
    BELOW_DIAGONAL, BINOMIAL, LEADING_PAWNS_BEGIN, PAWN_ORDER, TRIANGLE, above_diagonal, king_pair,
};
use crate::{MAX_MEN, Material};
use kaiyo_chess::{Colour, Position};

/// The men of a position as a table sees them: White has the side that its name begins with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Board {
    men: [(Man, u8); MAX_MEN],
    len: usize,
    /// The side to move.
    pub side: Colour,
}

impl Board {
    /// The board for a table of `material`; `None` if the men are others.
    pub fn new(position: &Position, material: Material) -> Option<Self> {
        let same = Material::of(position) == material;
        let swapped = !same || material.is_symmetric() && position.side_to_move() == Colour::Black;
        if !same && Material::of(position).swapped() != material {
            return None;
        }
        let mirror = if swapped { 56 } else { 0 };
        let mut men = [(Man::default(), 0); MAX_MEN];
        let mut len = 0;
        for square in position.occupied() {
            let slot = men.get_mut(len)?;
            *slot = (Man::new(position.piece_on(square)?, swapped), square as u8 ^ mirror);
            len += 1;
        }
        let side = position.side_to_move();
        Some(Self { men, len, side: if swapped { !side } else { side } })
    }

    /// The part of a table with leading pawns: the file, a to d, of the first of them.
    pub fn file(&self, leading: Leading) -> usize {
        let Leading::Pawns(colour, _) = leading else { return 0 };
        let first = self.men[..self.len]
            .iter()
            .filter(|(man, _)| *man == Man::pawn(colour))
            .max_by_key(|(_, square)| PAWN_ORDER[usize::from(*square)]);
        first.map_or(0, |&(_, square)| usize::from((square & 7).min(7 - (square & 7))))
    }

    /// The squares of the men in the order of `layout`; `None` if the men are others.
    fn arrange(&self, layout: &Layout) -> Option<[u8; MAX_MEN]> {
        let mut squares = [0; MAX_MEN];
        let mut left = self.men;
        for (place, &wanted) in layout.men.iter().enumerate() {
            let found = left[..self.len].iter().position(|&(man, _)| man == wanted)?;
            squares[place] = left[found].1;
            left[found].0 = Man::default();
        }
        Some(squares)
    }

    /// The number of the position in the part of a table that `layout` describes.
    pub fn index(&self, leading: Leading, layout: &Layout) -> Option<u64> {
        let mut squares = self.arrange(layout)?;
        let squares = &mut squares[..self.len];
        let lead = match leading {
            Leading::Pawns(_, count) => leading_pawns(squares, count),
            Leading::ThreeMen => {
                normalise(squares, 3);
                three_men(squares[0], squares[1], squares[2])
            }
            Leading::Kings => {
                normalise(squares, 2);
                king_pair(squares[0], squares[1])?
            }
        };
        let mut index = lead * layout.groups.first()?.factor;
        let mut begin = leading.len();
        for (number, group) in layout.groups.iter().enumerate().skip(1) {
            // The second group are the pawns of the other side if they are pawns at all.
            let other_pawns = number == 1 && layout.men[begin].is_pawn();
            let (before, rest) = squares.split_at_mut(begin);
            let members = rest.get_mut(..group.len)?;
            index += set_number(before, members, if other_pawns { 8 } else { 0 }) * group.factor;
            begin += group.len;
        }
        Some(index)
    }
}

/// Mirrors the board so that the first of the leading pawns is on the files a to d, and numbers them.
fn leading_pawns(squares: &mut [u8], count: usize) -> u64 {
    let order = |square: u8| PAWN_ORDER[usize::from(square)];
    let first = (0..count).max_by_key(|&place| order(squares[place])).unwrap_or(0);
    squares.swap(0, first);
    if squares[0] & 7 > 3 {
        squares.iter_mut().for_each(|square| *square ^= 7);
    }
    squares[1..count].sort_unstable_by_key(|&square| order(square));
    let begin = u64::from(LEADING_PAWNS_BEGIN[count][usize::from(squares[0])]);
    let others = squares[1..count].iter().enumerate();
    begin + others.map(|(place, &s)| BINOMIAL[place + 1][usize::from(order(s))]).sum::<u64>()
}

/// Mirrors the board so that the first man is in the triangle a1-d1-d4, and if it is on the diagonal,
/// the first of the `leading` men off the diagonal is below it.
fn normalise(squares: &mut [u8], leading: usize) {
    let files = if squares[0] & 7 > 3 { 7 } else { 0 };
    let ranks = if squares[0] >> 3 > 3 { 56 } else { 0 };
    squares.iter_mut().for_each(|square| *square ^= files ^ ranks);
    let off = squares[..leading].iter().find(|&&square| above_diagonal(square) != 0);
    if off.is_some_and(|&square| above_diagonal(square) > 0) {
        squares.iter_mut().for_each(|square| *square = (*square >> 3 | *square << 3) & 63);
    }
}

/// The number of three different men on a normalised board. Four blocks follow each other: the first
/// man off the diagonal, the second, the third, and none.
fn three_men(a: u8, b: u8, c: u8) -> u64 {
    const SECOND: u64 = 6 * 63 * 62;
    const THIRD: u64 = SECOND + 4 * 28 * 62;
    const NONE: u64 = THIRD + 4 * 7 * 28;
    let number = |table: &[u8; 64], square: u8| u64::from(table[usize::from(square)]);
    let rank = |square: u8| u64::from(square >> 3);
    // Squares taken by earlier men are passed over.
    let over_a = u64::from(b > a);
    let over_ab = u64::from(c > a) + u64::from(c > b);
    if above_diagonal(a) != 0 {
        (number(&TRIANGLE, a) * 63 + u64::from(b) - over_a) * 62 + u64::from(c) - over_ab
    } else if above_diagonal(b) != 0 {
        let pair = rank(a) * 28 + number(&BELOW_DIAGONAL, b);
        SECOND + pair * 62 + u64::from(c) - over_ab
    } else if above_diagonal(c) != 0 {
        THIRD + (rank(a) * 7 + rank(b) - over_a) * 28 + number(&BELOW_DIAGONAL, c)
    } else {
        NONE + (rank(a) * 7 + rank(b) - over_a) * 6 + rank(c) - over_ab
    }
}

/// The number of a set of squares among those that the men before it leave free, from square `lowest`
/// on (<https://en.wikipedia.org/wiki/Combinatorial_number_system>).
fn set_number(before: &[u8], members: &mut [u8], lowest: u8) -> u64 {
    members.sort_unstable();
    let number = |(place, &square): (usize, &u8)| {
        let passed = before.iter().filter(|&&taken| taken < square).count();
        let free = usize::from(square.saturating_sub(lowest)).saturating_sub(passed);
        BINOMIAL[place + 1][free]
    };
    members.iter().enumerate().map(number).sum()
}

//! How the men of a table form groups, and how the numbers of the groups make up the number of a
//! position.
//!
//! Like men form a group, whose squares have one number: the leading group first, then the pawns of
//! the other side if both have some, then the other men. The file says in which order the numbers of
//! the groups are combined.

use crate::error::TableError;
use crate::material::Material;
use crate::numbering::{BINOMIAL, KING_PAIRS, LEADING_PAWNS_SIZE};
use kaiyo_chess::{Colour, Piece, PieceType};

/// A man as files write it: 1 to 6 for White's pawn to king, 9 to 14 for Black's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Man(u8);

impl Man {
    const COLOUR: u8 = 8;

    /// The man that a file means by this number.
    fn from_number(number: u8) -> Option<Self> {
        matches!(number, 1..=6 | 9..=14).then_some(Self(number))
    }

    /// The man on the board, or with `swapped` its like of the other colour.
    #[inline]
    pub const fn new(piece: Piece, swapped: bool) -> Self {
        let black = matches!(piece.colour(), Colour::Black) != swapped;
        Self(piece.piece_type() as u8 + 1 + if black { Self::COLOUR } else { 0 })
    }

    /// A pawn.
    pub const fn pawn(colour: Colour) -> Self {
        Self(if matches!(colour, Colour::Black) { 1 + Self::COLOUR } else { 1 })
    }

    /// Whether this is a pawn.
    pub const fn is_pawn(self) -> bool {
        self.0 & 7 == 1
    }

    const fn colour(self) -> Colour {
        if self.0 & Self::COLOUR == 0 { Colour::White } else { Colour::Black }
    }

    const fn piece_type(self) -> Option<PieceType> {
        match self.0 & 7 {
            1 => Some(PieceType::Pawn),
            2 => Some(PieceType::Knight),
            3 => Some(PieceType::Bishop),
            4 => Some(PieceType::Rook),
            5 => Some(PieceType::Queen),
            6 => Some(PieceType::King),
            _ => None,
        }
    }
}

/// What leads in the numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leading {
    /// The pawns of one side, so many. A table has one part for each file of the first of them.
    Pawns(Colour, usize),
    /// Three men without a like.
    ThreeMen,
    /// The kings, since no other man is without a like.
    Kings,
}

impl Leading {
    pub fn of(material: Material) -> Self {
        match material.leading_pawns() {
            Some(colour) => Self::Pawns(colour, material.count(colour, PieceType::Pawn)),
            None if material.has_unique() => Self::ThreeMen,
            None => Self::Kings,
        }
    }

    /// Men of the leading group.
    pub const fn len(self) -> usize {
        match self {
            Self::Pawns(_, count) => count,
            Self::ThreeMen => 3,
            Self::Kings => 2,
        }
    }

    /// Ways to place the leading group, the first pawn on `file`.
    fn size(self, file: usize) -> u64 {
        match self {
            Self::Pawns(_, count) => u64::from(LEADING_PAWNS_SIZE[count][file]),
            Self::ThreeMen => 31_332,
            Self::Kings => KING_PAIRS,
        }
    }
}

/// Men whose squares have one number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub len: usize,
    /// By what its number is multiplied.
    pub factor: u64,
}

/// The numbering of one part of a table.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The men in the order of their groups.
    pub men: Vec<Man>,
    /// The leading group first.
    pub groups: Vec<Group>,
    /// Positions in this part.
    pub size: u64,
}

impl Layout {
    /// The layout for the men as a file numbers them. `order` says where in the combination the
    /// leading group stands, and the pawns of the other side if there are any.
    ///
    /// # Errors
    /// If these are not the men of `material`, or they are not in groups.
    pub fn new(
        material: Material,
        numbers: &[u8],
        order: [u8; 2],
        file: usize,
    ) -> Result<Self, TableError> {
        const FAULT: TableError = TableError::Damaged("the order of the men");
        let men: Option<Vec<Man>> =
            numbers.iter().map(|&number| Man::from_number(number)).collect();
        let men = men.ok_or(FAULT)?;
        let leading = Leading::of(material);
        if !are_the_men(material, &men) || !lead_well(leading, &men) {
            return Err(FAULT);
        }
        let mut lens = vec![leading.len()];
        let mut other_pawns = false;
        for (index, pair) in men.windows(2).enumerate().skip(leading.len() - 1) {
            let begins = index + 1 == leading.len() || pair[0] != pair[1];
            if begins {
                other_pawns |= lens.len() == 1 && pair[1].piece_type() == Some(PieceType::Pawn);
                lens.push(0);
            }
            if let Some(last) = lens.last_mut() {
                *last += 1;
            }
        }
        let both_have_pawns = Colour::ALL.iter().all(|&c| material.count(c, PieceType::Pawn) > 0);
        if other_pawns != both_have_pawns {
            return Err(FAULT);
        }
        let (groups, size) = combine(leading, &lens, other_pawns, order, file).ok_or(FAULT)?;
        Ok(Self { men, groups, size })
    }
}

fn are_the_men(material: Material, men: &[Man]) -> bool {
    let count = |colour: Colour, piece_type: PieceType| {
        let same = |man: &&Man| man.colour() == colour && man.piece_type() == Some(piece_type);
        men.iter().filter(same).count()
    };
    men.len() == material.men()
        && Colour::ALL.into_iter().all(|colour| {
            PieceType::ALL
                .into_iter()
                .all(|kind| count(colour, kind) == material.count(colour, kind))
        })
}

/// Whether the first men are what has to lead.
fn lead_well(leading: Leading, men: &[Man]) -> bool {
    let first = &men[..leading.len()];
    match leading {
        Leading::Pawns(colour, _) => first
            .iter()
            .all(|man| man.colour() == colour && man.piece_type() == Some(PieceType::Pawn)),
        Leading::ThreeMen => first[0] != first[1] && first[0] != first[2] && first[1] != first[2],
        Leading::Kings => first.iter().all(|man| man.piece_type() == Some(PieceType::King)),
    }
}

/// Factors of the groups with these lengths, and the number of positions.
fn combine(
    leading: Leading,
    lens: &[usize],
    other_pawns: bool,
    order: [u8; 2],
    file: usize,
) -> Option<(Vec<Group>, u64)> {
    let order = order.map(usize::from);
    let first_free = if other_pawns { 2 } else { 1 };
    let mut groups: Vec<Group> = lens.iter().map(|&len| Group { len, factor: 0 }).collect();
    let mut free_squares = 64 - lens[..first_free].iter().sum::<usize>();
    let mut next = first_free;
    let mut size: u64 = 1;
    for place in 0..lens.len() {
        let (group, ways) = if place == order[0] {
            (0, leading.size(file))
        } else if other_pawns && place == order[1] {
            (1, *BINOMIAL.get(lens[1])?.get(48 - lens[0])?)
        } else {
            let len = *lens.get(next)?;
            next += 1;
            let ways = *BINOMIAL.get(len)?.get(free_squares)?;
            free_squares -= len;
            (next - 1, ways)
        };
        groups[group].factor = size;
        size = size.checked_mul(ways)?;
    }
    // A group that was passed over has no factor: the order is out of range.
    groups.iter().all(|group| group.factor > 0).then_some((groups, size))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(name: &str, numbers: &[u8], order: [u8; 2]) -> Option<Layout> {
        Layout::new(name.parse().unwrap(), numbers, order, 0).ok()
    }

    #[test]
    fn like_men_form_groups() {
        let lens = |layout: Layout| layout.groups.iter().map(|group| group.len).collect::<Vec<_>>();
        assert_eq!(lens(layout("KRRvK", &[6, 14, 4, 4], [0, 15]).unwrap()), [2, 2]);
        assert_eq!(lens(layout("KRvKR", &[6, 14, 12, 4], [1, 15]).unwrap()), [3, 1]);
        assert_eq!(lens(layout("KPPvK", &[1, 1, 6, 14], [0, 15]).unwrap()), [2, 1, 1]);
        assert_eq!(lens(layout("KPPvKP", &[9, 1, 1, 6, 14], [0, 1]).unwrap()), [1, 2, 1, 1]);
    }

    #[test]
    fn factors_follow_the_order() {
        let layout = layout("KRvKR", &[6, 14, 12, 4], [1, 15]).unwrap();
        assert_eq!((layout.groups[0].factor, layout.groups[1].factor), (61, 1));
        assert_eq!(layout.size, 61 * 31_332);
    }

    #[test]
    fn wrong_men_are_refused() {
        assert!(layout("KRvKR", &[6, 14, 12, 5], [1, 15]).is_none());
        assert!(layout("KRvKR", &[6, 14, 12], [1, 15]).is_none());
        assert!(layout("KRvKR", &[6, 14, 12, 7], [1, 15]).is_none());
        assert!(layout("KRvKR", &[6, 14, 12, 4], [2, 15]).is_none());
        assert!(layout("KPPvK", &[6, 1, 1, 14], [0, 15]).is_none());
        assert!(layout("KPvKP", &[1, 6, 9, 14], [0, 1]).is_none());
    }
}

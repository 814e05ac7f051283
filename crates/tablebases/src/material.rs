//! The men of a table, and its name.

use core::fmt;
use core::str::FromStr;
use kaiyo_chess::{Colour, PieceType, Position};

use crate::error::TableError;

/// The kinds of men besides kings, in the order of names.
const NAMED: [PieceType; 5] =
    [PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight, PieceType::Pawn];

/// How many men of each kind there are besides the two kings: four bits each, White's below
/// Black's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Material(u64);

const BITS: u32 = 4;
const BITS_OF_SIDE: u32 = 5 * BITS;

impl Material {
    /// The men on the board.
    #[inline]
    pub fn of(position: &Position) -> Self {
        let mut packed = 0;
        for colour in Colour::ALL {
            let men = position.colour(colour);
            for piece_type in NAMED {
                let count = (men & position.piece_type(piece_type)).len().min(15);
                packed |= u64::from(count) << Self::shift(colour, piece_type);
            }
        }
        Self(packed)
    }

    const fn shift(colour: Colour, piece_type: PieceType) -> u32 {
        colour as u32 * BITS_OF_SIDE + piece_type as u32 * BITS
    }

    /// The men as one number.
    pub(crate) const fn key(self) -> u64 {
        self.0
    }

    /// Men of a kind other than the king.
    pub const fn count(self, colour: Colour, piece_type: PieceType) -> usize {
        if matches!(piece_type, PieceType::King) {
            return 1;
        }
        (self.0 >> Self::shift(colour, piece_type) & 15) as usize
    }

    /// All men, kings included.
    pub fn men(self) -> usize {
        let both = |piece_type| Colour::ALL.map(|colour| self.count(colour, piece_type));
        2 + NAMED.into_iter().flat_map(both).sum::<usize>()
    }

    /// The same men with the colours exchanged.
    #[must_use]
    pub const fn swapped(self) -> Self {
        let side = (1 << BITS_OF_SIDE) - 1;
        Self((self.0 & side) << BITS_OF_SIDE | self.0 >> BITS_OF_SIDE)
    }

    /// Whether both sides have the same men.
    pub fn is_symmetric(self) -> bool {
        self == self.swapped()
    }

    /// Whether some man other than the kings has no like of its colour.
    pub(crate) fn has_unique(self) -> bool {
        let lonely = |piece_type| Colour::ALL.iter().any(|&side| self.count(side, piece_type) == 1);
        NAMED.into_iter().any(lonely)
    }

    /// Whether a side that is lost against `winner` has surely no capture or pawn move that leaves it
    /// lost: it has no pawn, and without any one man the other side cannot win.
    pub(crate) fn only_winner_zeroes(self, winner: Colour) -> bool {
        let sum =
            |side, types: &[PieceType]| types.iter().map(|&t| self.count(side, t)).sum::<usize>();
        let minors = sum(winner, &[PieceType::Knight, PieceType::Bishop]);
        let men = sum(winner, &NAMED);
        let bare = sum(!winner, &NAMED) == 0;
        self.count(!winner, PieceType::Pawn) == 0 && (men == 1 || bare && men == 2 && minors == 2)
    }

    /// The side whose pawns lead in the numbering of positions: the one with fewer pawns, but some.
    pub(crate) const fn leading_pawns(self) -> Option<Colour> {
        let white = self.count(Colour::White, PieceType::Pawn);
        let black = self.count(Colour::Black, PieceType::Pawn);
        match (white, black) {
            (0, 0) => None,
            (0, _) => Some(Colour::Black),
            (_, 0) => Some(Colour::White),
            _ if black >= white => Some(Colour::White),
            _ => Some(Colour::Black),
        }
    }
}

impl FromStr for Material {
    type Err = TableError;

    /// Reads the name of a table without its ending, such as `KRPvKB`.
    fn from_str(name: &str) -> Result<Self, TableError> {
        let (white, black) = name.split_once('v').ok_or(TableError::Name)?;
        let mut packed = 0;
        for (colour, side) in [(Colour::White, white), (Colour::Black, black)] {
            let men = side.strip_prefix('K').ok_or(TableError::Name)?;
            let mut last = 0;
            for letter in men.chars() {
                let kind = NAMED
                    .into_iter()
                    .position(|kind| kind.to_char().to_ascii_uppercase() == letter)
                    .filter(|&kind| kind >= last)
                    .ok_or(TableError::Name)?;
                last = kind;
                packed += 1 << Self::shift(colour, NAMED[kind]);
            }
            if men.len() > crate::MAX_MEN - 2 {
                return Err(TableError::Name);
            }
        }
        let material = Self(packed);
        if (3..=crate::MAX_MEN).contains(&material.men()) {
            Ok(material)
        } else {
            Err(TableError::Name)
        }
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for colour in Colour::ALL {
            f.write_str(if colour == Colour::White { "K" } else { "vK" })?;
            for piece_type in NAMED {
                let letter = piece_type.to_char().to_ascii_uppercase();
                for _ in 0..self.count(colour, piece_type) {
                    write!(f, "{letter}")?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for name in ["KQvK", "KRPvKB", "KPvKP", "KQQQQQvK", "KPPPvKPP"] {
            let material: Material = name.parse().expect(name);
            assert_eq!(material.to_string(), name);
            assert_eq!(material.swapped().swapped(), material);
            assert_eq!(material.men(), name.len() - 1);
        }
        for name in ["", "K", "KvK", "KQK", "KQVK", "KPRvK", "QvK", "KKvK", "KQvKv", "KQQQvKQQQ"] {
            assert!(name.parse::<Material>().is_err(), "{name}");
        }
    }

    #[test]
    fn positions_have_the_material_of_their_men() {
        let position = Position::from_fen("8/3b4/1k6/8/8/2RP4/3K4/8 w - - 0 1").unwrap();
        assert_eq!(Material::of(&position).to_string(), "KRPvKB");
        assert_eq!(Material::of(&position).swapped().to_string(), "KBvKRP");
    }

    #[test]
    fn a_lost_side_may_have_something_to_take() {
        let only_white =
            |name: &str| name.parse::<Material>().unwrap().only_winner_zeroes(Colour::White);
        for name in ["KRvK", "KPvK", "KQvKR", "KBNvK", "KQvKBN"] {
            assert!(only_white(name), "{name}");
        }
        for name in ["KRRvK", "KRPvK", "KQvKP", "KBNvKN", "KBBBvK"] {
            assert!(!only_white(name), "{name}");
        }
    }

    #[test]
    fn the_side_with_fewer_pawns_leads() {
        let lead = |name: &str| name.parse::<Material>().unwrap().leading_pawns();
        assert_eq!(lead("KPPvKP"), Some(Colour::Black));
        assert_eq!(lead("KPvKPP"), Some(Colour::White));
        assert_eq!(lead("KPvKP"), Some(Colour::White));
        assert_eq!(lead("KQvKP"), Some(Colour::Black));
        assert_eq!(lead("KQvKR"), None);
    }
}

//! Squares, files and ranks.

use core::fmt;
use core::str::FromStr;

/// Declares a fieldless `u8` enum whose variants are numbered from zero.
macro_rules! index_enum {
    ($(#[$meta:meta])* $name:ident, $count:literal, [$($variant:ident)*]) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum $name { $($variant),* }

        impl $name {
            /// Every value, in index order.
            pub const ALL: [Self; $count] = [$(Self::$variant),*];

            /// The value with this index, or `None` when it is out of range.
            #[inline]
            pub const fn from_index(index: usize) -> Option<Self> {
                if index < $count { Some(Self::ALL[index]) } else { None }
            }

            /// The value with this index, without a check.
            ///
            /// # Safety
            /// `index` must be less than the number of values.
            #[allow(dead_code, reason = "not every enum needs it")]
            #[inline(always)]
            pub(crate) const unsafe fn from_index_unchecked(index: u8) -> Self {
                debug_assert!(index < $count);
                // SAFETY: the variants are numbered from 0 without gaps, and the caller keeps
                // `index` below their number.
                unsafe { core::mem::transmute::<u8, Self>(index) }
            }

            /// The position of this value in [`Self::ALL`].
            #[inline(always)]
            pub const fn index(self) -> usize {
                self as usize
            }
        }
    };
}
pub(crate) use index_enum;

index_enum! {
    /// A file (column) of the board, `A` to `H`.
    File, 8, [A B C D E F G H]
}

index_enum! {
    /// A rank (row) of the board; `R1` is White's first rank.
    Rank, 8, [R1 R2 R3 R4 R5 R6 R7 R8]
}

index_enum! {
    /// A square of the board in little-endian rank-file order: a1 = 0, b1 = 1, ..., h8 = 63.
    Square, 64, [
        A1 B1 C1 D1 E1 F1 G1 H1
        A2 B2 C2 D2 E2 F2 G2 H2
        A3 B3 C3 D3 E3 F3 G3 H3
        A4 B4 C4 D4 E4 F4 G4 H4
        A5 B5 C5 D5 E5 F5 G5 H5
        A6 B6 C6 D6 E6 F6 G6 H6
        A7 B7 C7 D7 E7 F7 G7 H7
        A8 B8 C8 D8 E8 F8 G8 H8
    ]
}

impl Square {
    /// The square on this file and rank.
    #[inline(always)]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::from_low_bits((rank as u8) << 3 | file as u8)
    }

    /// The square numbered by the low six bits of `bits`.
    #[inline(always)]
    pub const fn from_low_bits(bits: u8) -> Self {
        // SAFETY: there are 64 squares, and the mask keeps the index below that.
        unsafe { Self::from_index_unchecked(bits & 63) }
    }

    /// The file of this square.
    #[inline(always)]
    pub const fn file(self) -> File {
        // SAFETY: there are 8 files, and the mask keeps the index below that.
        unsafe { File::from_index_unchecked(self as u8 & 7) }
    }

    /// The rank of this square.
    #[inline(always)]
    pub const fn rank(self) -> Rank {
        // SAFETY: there are 8 ranks, and the index of a square is below 64.
        unsafe { Rank::from_index_unchecked(self as u8 >> 3) }
    }

    /// The square mirrored between White's and Black's side (a1 becomes a8).
    #[inline(always)]
    pub const fn flip_rank(self) -> Self {
        Self::from_low_bits(self as u8 ^ 56)
    }

    /// The square mirrored between queen side and king side (a1 becomes h1).
    #[inline(always)]
    pub const fn flip_file(self) -> Self {
        Self::from_low_bits(self as u8 ^ 7)
    }

    /// The square `delta` index steps away (8 is one rank up), wrapping around the board.
    ///
    /// Only meaningful where the caller knows that the step stays on the board.
    #[inline(always)]
    pub(crate) const fn step(self, delta: i8) -> Self {
        Self::from_low_bits((self as u8).wrapping_add_signed(delta))
    }

    /// Number of king moves between two squares on an empty board.
    #[inline]
    pub const fn distance(self, other: Self) -> u8 {
        let files = (self as u8 & 7).abs_diff(other as u8 & 7);
        let ranks = (self as u8 >> 3).abs_diff(other as u8 >> 3);
        if files > ranks { files } else { ranks }
    }
}

impl File {
    /// The letter of this file, `'a'` to `'h'`.
    #[inline]
    pub const fn to_char(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file with this lower-case letter.
    #[inline]
    pub const fn from_char(letter: char) -> Option<Self> {
        match letter {
            'a'..='h' => Self::from_index(letter as usize - 'a' as usize),
            _ => None,
        }
    }
}

impl Rank {
    /// The digit of this rank, `'1'` to `'8'`.
    #[inline]
    pub const fn to_char(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank with this digit.
    #[inline]
    pub const fn from_char(digit: char) -> Option<Self> {
        match digit {
            '1'..='8' => Self::from_index(digit as usize - '1' as usize),
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().to_char(), self.rank().to_char())
    }
}

/// The text was not a square name such as `e4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a square from a1 to h8")
    }
}

impl core::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut letters = text.chars();
        let file = letters.next().and_then(File::from_char);
        let rank = letters.next().and_then(Rank::from_char);
        match (file, rank, letters.next()) {
            (Some(file), Some(rank), None) => Ok(Self::new(file, rank)),
            _ => Err(ParseSquareError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_in_little_endian_order() {
        assert_eq!(Square::A1.index(), 0);
        assert_eq!(Square::H8.index(), 63);
        for (index, square) in Square::ALL.into_iter().enumerate() {
            assert_eq!(square.index(), index);
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::new(square.file(), square.rank()), square);
        }
    }

    #[test]
    fn bad_names_are_refused() {
        for text in ["", "e", "e9", "i1", "e44", "E4", "é4"] {
            assert_eq!(text.parse::<Square>(), Err(ParseSquareError), "{text}");
        }
    }

    #[test]
    fn flips_are_mirrors() {
        assert_eq!(Square::A1.flip_rank(), Square::A8);
        assert_eq!(Square::A1.flip_file(), Square::H1);
        assert_eq!(Square::A1.distance(Square::C8), 7);
    }
}

//! Colours, piece types and pieces.

use crate::square::{Rank, index_enum};
use core::ops::Not;

index_enum! {
    /// The side a piece belongs to, or whose turn it is.
    Colour, 2, [White Black]
}

index_enum! {
    /// A kind of chess man, pawns and kings included.
    PieceType, 6, [Pawn Knight Bishop Rook Queen King]
}

index_enum! {
    /// A coloured man.
    Piece, 12, [
        WhitePawn WhiteKnight WhiteBishop WhiteRook WhiteQueen WhiteKing
        BlackPawn BlackKnight BlackBishop BlackRook BlackQueen BlackKing
    ]
}

impl Colour {
    /// Index step of a pawn push: +8 for White, -8 for Black.
    #[inline(always)]
    pub const fn up(self) -> i8 {
        match self {
            Self::White => 8,
            Self::Black => -8,
        }
    }

    /// `rank` as this colour counts it: `R1` is the own back rank.
    #[inline(always)]
    pub const fn relative_rank(self, rank: Rank) -> Rank {
        match self {
            Self::White => rank,
            Self::Black => Rank::ALL[7 - rank as usize],
        }
    }

    /// The back rank of this colour.
    #[inline(always)]
    pub const fn back_rank(self) -> Rank {
        self.relative_rank(Rank::R1)
    }

    /// The other colour.
    #[inline(always)]
    pub const fn opponent(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl Not for Colour {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        self.opponent()
    }
}

impl PieceType {
    /// The lower-case FEN letter.
    #[inline]
    pub const fn to_char(self) -> char {
        ['p', 'n', 'b', 'r', 'q', 'k'][self as usize]
    }

    /// What a man is worth in pawns, as players count: 1, 3, 3, 5 and 9; nothing for a king, which is never
    /// exchanged.
    #[inline(always)]
    pub const fn points(self) -> u32 {
        [1, 3, 3, 5, 9, 0][self as usize]
    }

    /// The piece type with this FEN letter in either case.
    pub const fn from_char(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_lowercase() {
            'p' => Self::Pawn,
            'n' => Self::Knight,
            'b' => Self::Bishop,
            'r' => Self::Rook,
            'q' => Self::Queen,
            'k' => Self::King,
            _ => return None,
        })
    }
}

impl Piece {
    /// The man of this colour and type.
    #[inline(always)]
    pub const fn new(colour: Colour, piece_type: PieceType) -> Self {
        // SAFETY: with 2 colours of 6 types each the index is below 12.
        unsafe { Self::from_index_unchecked(colour as u8 * 6 + piece_type as u8) }
    }

    /// The side this man belongs to.
    #[inline(always)]
    pub const fn colour(self) -> Colour {
        if (self as u8) < 6 { Colour::White } else { Colour::Black }
    }

    /// The kind of this man.
    #[inline(always)]
    pub const fn piece_type(self) -> PieceType {
        let index = self as u8;
        // SAFETY: there are 12 men, so the index less 6 from 6 on is below 6.
        unsafe { PieceType::from_index_unchecked(if index < 6 { index } else { index - 6 }) }
    }

    /// The FEN letter: upper case for White.
    #[inline]
    pub const fn to_char(self) -> char {
        let letter = self.piece_type().to_char();
        match self.colour() {
            Colour::White => letter.to_ascii_uppercase(),
            Colour::Black => letter,
        }
    }

    /// The man with this FEN letter.
    pub const fn from_char(letter: char) -> Option<Self> {
        let colour = if letter.is_ascii_uppercase() { Colour::White } else { Colour::Black };
        match PieceType::from_char(letter) {
            Some(piece_type) => Some(Self::new(colour, piece_type)),
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_split_into_colour_and_type() {
        for piece in Piece::ALL {
            assert_eq!(Piece::new(piece.colour(), piece.piece_type()), piece);
            assert_eq!(Piece::from_char(piece.to_char()), Some(piece));
        }
        assert_eq!(Piece::from_char('x'), None);
    }

    #[test]
    fn an_empty_mailbox_cell_costs_no_extra_byte() {
        assert_eq!(size_of::<Option<Piece>>(), 1);
    }

    #[test]
    fn ranks_are_counted_from_the_own_side() {
        assert_eq!(Colour::Black.relative_rank(Rank::R7), Rank::R2);
        assert_eq!(Colour::Black.back_rank(), Rank::R8);
        assert_eq!(!Colour::White, Colour::Black);
    }
}

//! Start positions of Chess960 and double Fischer random by number
//! (<https://www.chessprogramming.org/Chess960#Numbering>).

use crate::bitboard::Bitboard;
use crate::piece::{Colour, Piece, PieceType};
use crate::position::{Position, Setup};
use crate::square::{File, Rank, Square};

/// How many back ranks the rules of Chess960 allow.
const BACK_RANKS: u16 = 960;

/// By number, which two of the five squares left by bishops and queen the knights take.
const KNIGHTS: [(usize, usize); 10] =
    [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

impl Position {
    /// The Chess960 start position with this Scharnagl number, 0 to 959; 518 is standard chess.
    pub fn chess960(number: u16) -> Option<Self> {
        Self::double_chess960(number, number)
    }

    /// The double Fischer random start position with these Scharnagl numbers, 0 to 959 each.
    pub fn double_chess960(white: u16, black: u16) -> Option<Self> {
        let mut setup = Setup::EMPTY;
        for (colour, number) in [(Colour::White, white), (Colour::Black, black)] {
            let back_rank = back_rank(number)?;
            for (file, piece_type) in File::ALL.into_iter().zip(back_rank) {
                let square = Square::new(file, colour.back_rank());
                setup.board[square.index()] = Some(Piece::new(colour, piece_type));
                let pawn = Square::new(file, colour.relative_rank(Rank::R2));
                setup.board[pawn.index()] = Some(Piece::new(colour, PieceType::Pawn));
                if piece_type == PieceType::Rook {
                    setup.castling_rooks |= Bitboard::from(square);
                }
            }
        }
        Self::from_setup(&setup).ok()
    }
}

/// The men from file a to file h.
fn back_rank(number: u16) -> Option<[PieceType; 8]> {
    if number >= BACK_RANKS {
        return None;
    }
    let number = usize::from(number);
    let mut rank = [None; 8];
    rank[number % 4 * 2 + 1] = Some(PieceType::Bishop);
    rank[number / 4 % 4 * 2] = Some(PieceType::Bishop);
    place(&mut rank, number / 16 % 6, PieceType::Queen);
    let (left, right) = KNIGHTS[number / 96];
    // The right one first, so that the left one's place keeps its number.
    place(&mut rank, right, PieceType::Knight);
    place(&mut rank, left, PieceType::Knight);
    for piece_type in [PieceType::Rook, PieceType::King, PieceType::Rook] {
        place(&mut rank, 0, piece_type);
    }
    Some(rank.map(|man| man.unwrap_or(PieceType::Rook)))
}

/// Puts a man on the empty square with `skip` empty squares to its left.
fn place(rank: &mut [Option<PieceType>; 8], skip: usize, piece_type: PieceType) {
    if let Some(square) = rank.iter_mut().filter(|square| square.is_none()).nth(skip) {
        *square = Some(piece_type);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn letters(number: u16) -> String {
        let letter = |man: PieceType| man.to_char().to_ascii_uppercase();
        back_rank(number).unwrap().into_iter().map(letter).collect()
    }

    #[test]
    fn well_known_numbers() {
        for (number, expected) in [
            (0, "BBQNNRKR"),
            (1, "BQNBNRKR"),
            (518, "RNBQKBNR"),
            (534, "RNBKQBNR"),
            (959, "RKRNNQBB"),
        ] {
            assert_eq!(letters(number), expected, "{number}");
        }
        assert_eq!(Position::chess960(518), Some(Position::start()));
        assert_eq!(Position::chess960(960), None);
        assert_eq!(Position::double_chess960(0, 960), None);
    }

    #[test]
    fn all_960_are_different_and_keep_the_rules() {
        let mut seen = HashSet::new();
        for number in 0..BACK_RANKS {
            let rank = letters(number);
            let files = |man: char| -> Vec<usize> {
                rank.char_indices()
                    .filter(|&(_, other)| other == man)
                    .map(|(file, _)| file)
                    .collect()
            };
            let (bishops, rooks, king) = (files('B'), files('R'), files('K'));
            assert_ne!(bishops[0] % 2, bishops[1] % 2, "{rank}");
            assert!(rooks[0] < king[0] && king[0] < rooks[1], "{rank}");
            assert_eq!((files('N').len(), files('Q').len()), (2, 1), "{rank}");
            assert!(seen.insert(rank));
        }
    }

    #[test]
    fn both_sides_may_castle_both_ways() {
        for (white, black) in [(0, 0), (518, 959), (17, 300)] {
            let position = Position::double_chess960(white, black).unwrap();
            assert_eq!(position.castling_rooks(), position.piece_type(PieceType::Rook));
            assert_eq!(Position::from_fen(&position.to_string()), Ok(position));
        }
    }
}

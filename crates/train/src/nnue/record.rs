//! Training positions in 32 bytes.

use crate::viriformat::GameResult;
use kaiyo_chess::{Bitboard, Colour, Piece, PieceType, Position, Square};
use kaiyo_nnue::features::{MAX_ACTIVE, View};

/// Bit of the nibble of a man that belongs to the side that is not to move.
const OTHER: u8 = 8;

/// Result of a position from no game.
const UNKNOWN: u8 = 3;

/// Features that both sides see, in the order of squares: `[own, other]` with a count for both.
pub type Features = [[u16; MAX_ACTIVE]; 2];

/// A position as the side to move sees it, turned around when that is Black, with its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Record {
    occupied: u64,
    /// A nibble for each man in the order of squares, low nibble first: type, and [`OTHER`].
    men: [u8; 16],
    /// Score of the side to move, in the units of the data.
    score: i16,
    /// Twice the points that the side to move got: 0, 1 or 2, or [`UNKNOWN`].
    result: u8,
    reserved: [u8; 5],
}

const _: () = assert!(size_of::<Record>() == 32);

/// The expected score, from 0 to 1, that a score in units of `scale` stands for.
#[inline]
pub fn expected_score(score: i16, scale: f32) -> f32 {
    1.0 / (1.0 + (-f32::from(score) / scale).exp())
}

impl Record {
    /// Packs a position. Score and result are White's, as in the data.
    pub fn new(position: &Position, white_score: i16, result: Option<GameResult>) -> Self {
        let us = position.side_to_move();
        let white_result = match result {
            Some(GameResult::BlackWon) => 0,
            Some(GameResult::Draw) => 1,
            Some(GameResult::WhiteWon) => 2,
            None => UNKNOWN,
        };
        let (occupied, score, result) = match us {
            Colour::White => (position.occupied(), white_score, white_result),
            Colour::Black => {
                let result = if result.is_some() { 2 - white_result } else { UNKNOWN };
                (position.occupied().flip_rank(), white_score.saturating_neg(), result)
            }
        };
        let mut men = [0; 16];
        for (index, square) in occupied.enumerate().take(MAX_ACTIVE) {
            let square = if us == Colour::White { square } else { square.flip_rank() };
            if let Some(piece) = position.piece_on(square) {
                let other = if piece.colour() == us { 0 } else { OTHER };
                men[index / 2] |= (piece.piece_type() as u8 | other) << (4 * (index % 2));
            }
        }
        Self { occupied: occupied.0, men, score, result, reserved: [0; 5] }
    }

    /// The record as bytes, for checksums.
    pub fn to_bytes(self) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&self.occupied.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.men);
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26] = self.result;
        bytes
    }

    /// Number of men.
    #[inline]
    pub const fn men(&self) -> u32 {
        self.occupied.count_ones()
    }

    /// Expected score from 0 to 1: that of the score, with `result_share` of the result if known.
    /// Scores of `scale` are an expectation of 1 / (1 + 1/e).
    #[inline]
    pub fn target(&self, scale: f32, result_share: f32) -> f32 {
        let expected = expected_score(self.score, scale);
        if self.result == UNKNOWN {
            return expected;
        }
        expected + result_share * (f32::from(self.result) / 2.0 - expected)
    }

    /// Writes the features of both sides, as many as there are men.
    #[inline]
    pub fn features(&self, features: &mut Features) {
        let mut kings = [Square::A1; 2];
        let mut men = [(Piece::WhitePawn, Square::A1); MAX_ACTIVE];
        for (index, square) in Bitboard(self.occupied).enumerate().take(MAX_ACTIVE) {
            let nibble = self.men[index / 2] >> (4 * (index % 2)) & 15;
            let colour = if nibble & OTHER == 0 { Colour::White } else { Colour::Black };
            let piece_type =
                PieceType::from_index(usize::from(nibble & 7)).unwrap_or(PieceType::Pawn);
            if piece_type == PieceType::King {
                kings[colour.index()] = square;
            }
            men[index] = (Piece::new(colour, piece_type), square);
        }
        let count = (self.men() as usize).min(MAX_ACTIVE);
        for ((side, king), list) in Colour::ALL.into_iter().zip(kings).zip(features) {
            let view = View::new(side, king);
            for (feature, &(piece, square)) in list.iter_mut().zip(&men[..count]) {
                *feature = view.feature(piece, square);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiyo_nnue::features::visit_active;

    fn sorted(features: &[u16]) -> Vec<u16> {
        let mut features = features.to_vec();
        features.sort_unstable();
        features
    }

    #[test]
    fn records_have_the_features_of_their_position() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r2qkb1r/ppp2ppp/2n1bn2/3pp3/8/2NP1NP1/PPP1PPBP/R1BQK2R b KQkq - 0 6",
            "8/1p3k2/8/4K3/8/2Q5/8/8 b - - 0 1",
            "8/1p3k2/8/4K3/8/2Q5/8/8 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let record = Record::new(&position, 0, Some(GameResult::Draw));
            let mut features = [[0; MAX_ACTIVE]; 2];
            record.features(&mut features);
            let us = position.side_to_move();
            for (side, list) in [us, !us].into_iter().zip(features) {
                let mut expected = Vec::new();
                visit_active(&position, side, |feature| expected.push(feature));
                let found = &list[..record.men() as usize];
                assert_eq!(sorted(found), sorted(&expected), "{fen} {side:?}");
            }
        }
    }

    #[test]
    fn scores_and_results_are_those_of_the_side_to_move() {
        let at = |fen: &str| {
            Record::new(&Position::from_fen(fen).unwrap(), 100, Some(GameResult::WhiteWon))
        };
        let white = at("8/1p3k2/8/4K3/8/2Q5/8/8 w - - 0 1");
        let black = at("8/1p3k2/8/4K3/8/2Q5/8/8 b - - 0 1");
        assert!((white.target(100.0, 0.0) - 0.731_06).abs() < 1e-4);
        assert!((black.target(100.0, 0.0) - 0.268_94).abs() < 1e-4);
        assert!((white.target(100.0, 1.0) - 1.0).abs() < 1e-6);
        assert!((black.target(100.0, 0.5) - 0.134_47).abs() < 1e-4);
    }
}

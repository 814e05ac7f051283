//! Whole games with scores in viriformat, and single positions with scores.
//!
//! A game is a packed start position of 32 bytes, pairs of a 16-bit move and a 16-bit score, and
//! four zero bytes; everything is little endian. The score is White's and belongs to the position
//! before the move. The packed position:
//!
//! | bytes | content |
//! |---|---|
//! | 0-7 | set of occupied squares, a1 in the lowest bit |
//! | 8-23 | a nibble for each man in the order of squares, low nibble first: pawn 0, knight 1, bishop 2, rook 3, queen 4, king 5, rook with castling right 6; bit 3 for Black |
//! | 24 | en passant square, 64 without one; bit 7 when Black moves |
//! | 25 | half-move clock |
//! | 26-27 | move number |
//! | 28-29 | White's score (unused in whole games) |
//! | 30 | result: 0 Black won, 1 draw, 2 White won; in single positions also 3, unknown |
//! | 31 | unused |
//!
//! A move holds from-square, to-square (6 bits each), what is promoted to (2 bits, from knight 0
//! to queen 3) and a kind (2 bits: 0 ordinary, 1 en passant, 2 castling as king takes rook,
//! 3 promotion).
//!
//! Single positions stand one after another as such 32 bytes, with their scores: this is
//! marlinformat, where a result may be unknown.

mod positions;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use kaiyo_games::{GameResult, MAX_SCORE};
pub use positions::{PositionReader, PositionWriter, ScoredPosition, holds_positions};
pub use read::{GameReader, open};
pub use write::GameWriter;

use core::fmt;
use kaiyo_chess::{Move, Position, SetupError};
use std::io;

/// Long-distance matching of the compressor looks back up to 128 MiB.
const WINDOW_LOG: u32 = 27;
/// Length of a packed position.
const BOARD_LEN: usize = 32;
/// Piece code of a rook that can still castle.
const CASTLING_ROOK: u8 = 6;
/// Bit of the piece code of a Black man.
const BLACK: u8 = 8;
/// Bit that is set, beside the en passant square, when Black moves.
const BLACK_TO_MOVE: u8 = 128;
/// En passant square of a position without one.
const NO_SQUARE: u8 = 64;
/// Result of a position from no game.
const UNKNOWN_RESULT: u8 = 3;
/// Kinds of moves.
const EN_PASSANT: u16 = 1;
const CASTLING: u16 = 2;
const PROMOTION: u16 = 3;

/// Why data is not a game.
#[derive(Debug)]
pub enum ViriformatError {
    /// The input cannot be read.
    Io(io::Error),
    /// The input ends in the middle of a game.
    Truncated,
    /// More men than a position can have.
    TooManyMen(u32),
    /// A nibble that stands for no man.
    PieceCode(u8),
    /// A byte that is no result.
    Result(u8),
    /// The men make no legal position.
    Position(SetupError),
    /// A move that is not legal where it was played, with its ply in the game from 0.
    IllegalMove {
        /// The move as stored.
        code: u16,
        /// The number of moves before it.
        ply: usize,
    },
}

impl fmt::Display for ViriformatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot read the games: {error}"),
            Self::Truncated => write!(f, "the data ends in the middle of a game"),
            Self::TooManyMen(count) => write!(f, "{count} men in a packed position"),
            Self::PieceCode(code) => write!(f, "unknown piece code {code}"),
            Self::Result(byte) => write!(f, "result {byte}, expected 0, 1 or 2"),
            Self::Position(error) => write!(f, "illegal start position: {error}"),
            Self::IllegalMove { code, ply } => write!(f, "illegal move {code:#06x} at ply {ply}"),
        }
    }
}

impl core::error::Error for ViriformatError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Position(error) => Some(error),
            _ => None,
        }
    }
}

/// A game as stored; the legality of its moves is tested by [`ScoredGame::replay`].
#[derive(Clone, Debug)]
pub struct ScoredGame {
    /// The position before the first move.
    pub start: Position,
    /// How the game ended.
    pub result: GameResult,
    /// Codes of the moves, with White's score of the position before each.
    moves: Vec<(u16, i16)>,
}

impl ScoredGame {
    /// A game without moves.
    pub const fn new(start: Position, result: GameResult) -> Self {
        Self { start, result, moves: Vec::new() }
    }

    /// Appends a move with White's score of the position before it. Whether it is legal there is
    /// tested by [`Self::replay`].
    pub fn push(&mut self, mv: Move, white_score: i16) {
        self.moves.push((write::encode_move(mv), white_score));
    }

    /// White's score of each position that a move was played in.
    pub fn scores(&self) -> impl DoubleEndedIterator<Item = i16> {
        self.moves.iter().map(|&(_, score)| score)
    }

    /// Number of positions that a move was played in.
    pub const fn len(&self) -> usize {
        self.moves.len()
    }

    /// Plays the game, showing each position with the move played in it and White's score.
    ///
    /// # Errors
    /// [`ViriformatError::IllegalMove`] at the first move that is not legal.
    pub fn replay(
        &self,
        mut visit: impl FnMut(&Position, Move, i16),
    ) -> Result<(), ViriformatError> {
        let mut position = self.start;
        for (ply, &(code, score)) in self.moves.iter().enumerate() {
            let mv = read::decode_move(&position, code)
                .filter(|&mv| position.is_legal(mv))
                .ok_or(ViriformatError::IllegalMove { code, ply })?;
            visit(&position, mv, score);
            position = position.make(mv);
        }
        Ok(())
    }
}

//! Single positions with scores.

use super::read::{decode_board, decode_result, fill};
use super::write::{Output, encode_board};
use super::{BOARD_LEN, GameResult, ViriformatError};
use kaiyo_chess::{Colour, Position};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Bytes of the score in a packed position.
const SCORE: core::ops::Range<usize> = 28..30;

/// Whether a file holds single positions and not whole games, by its name: `.bin` or `.bin.zst`.
pub fn holds_positions(path: &Path) -> bool {
    path.to_string_lossy().trim_end_matches(".zst").ends_with(".bin")
}

/// A position with its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredPosition {
    /// The position.
    pub position: Position,
    /// White's score.
    pub score: i16,
    /// How its game ended, if it is from one.
    pub result: Option<GameResult>,
}

impl ScoredPosition {
    /// A position from no game, with the score of the side to move.
    pub fn new(position: Position, own_score: i16) -> Self {
        let score = match position.side_to_move() {
            Colour::White => own_score,
            Colour::Black => -own_score,
        };
        Self { position, score, result: None }
    }
}

/// Reads positions one after another.
pub struct PositionReader<R> {
    input: R,
}

impl<R: Read> PositionReader<R> {
    /// A reader of uncompressed positions. It reads a few bytes at a time: buffer the input.
    pub const fn new(input: R) -> Self {
        Self { input }
    }

    /// The next position, or `None` at the end of the data.
    ///
    /// # Errors
    /// Anything wrong with the data.
    pub fn next_position(&mut self) -> Result<Option<ScoredPosition>, ViriformatError> {
        let mut board = [0; BOARD_LEN];
        match fill(&mut self.input, &mut board)? {
            0 => return Ok(None),
            BOARD_LEN => {}
            _ => return Err(ViriformatError::Truncated),
        }
        Ok(Some(ScoredPosition {
            position: decode_board(&board)?,
            score: i16::from_le_bytes([board[SCORE.start], board[SCORE.start + 1]]),
            result: decode_result(board[30])?,
        }))
    }
}

/// Writes positions into a file, compressed when its name ends with `.zst`.
pub struct PositionWriter {
    output: Output,
}

impl PositionWriter {
    /// Creates the file, which takes its place when it is finished.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self { output: Output::create(path)? })
    }

    /// Writes a position.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&mut self, scored: &ScoredPosition) -> io::Result<()> {
        let mut board = encode_board(&scored.position, scored.result);
        board[SCORE].copy_from_slice(&scored.score.to_le_bytes());
        self.output.write_all(&board)
    }

    /// Writes what is left and puts the file into its place; without this call there is none.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(self) -> io::Result<()> {
        self.output.finish()
    }

    /// Writes what is left into a file beside the place, whose name has this ending, and returns its path.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn keep_as(self, ending: &str) -> io::Result<PathBuf> {
        self.output.keep_as(ending)
    }
}

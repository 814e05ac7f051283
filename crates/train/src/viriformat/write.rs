//! Writing.

use super::{
    BLACK, BLACK_TO_MOVE, BOARD_LEN, CASTLING, CASTLING_ROOK, EN_PASSANT, GameResult, NO_SQUARE,
    PROMOTION, ScoredGame, UNKNOWN_RESULT, WINDOW_LOG,
};
use kaiyo_chess::{Colour, Move, PieceType, Position};
use kaiyo_files::Replacement;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Where the kind of a move begins, and what it promotes to.
const KIND_SHIFT: u32 = 14;
const PROMOTION_SHIFT: u32 = 12;
/// Level of compression. Higher ones take many times as long for a few percent.
const ZSTD_LEVEL: i32 = 12;

impl ScoredGame {
    /// Appends the bytes of the game.
    pub fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.extend(encode_board(&self.start, Some(self.result)));
        for (code, score) in &self.moves {
            bytes.extend(code.to_le_bytes());
            bytes.extend(score.to_le_bytes());
        }
        bytes.extend([0; 4]);
    }
}

/// Writes games into a file, compressed when its name ends with `.zst`.
pub struct GameWriter {
    output: Output,
    buffer: Vec<u8>,
}

/// A file that is compressed when its name ends with `.zst`.
pub(super) enum Output {
    Plain(Replacement),
    Zstd(Box<zstd::Encoder<'static, Replacement>>),
}

impl Output {
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = Replacement::create(path)?;
        if path.extension().is_none_or(|extension| extension != "zst") {
            return Ok(Self::Plain(file));
        }
        let mut encoder = zstd::Encoder::new(file, ZSTD_LEVEL)?;
        encoder.long_distance_matching(true)?;
        encoder.window_log(WINDOW_LOG)?;
        Ok(Self::Zstd(Box::new(encoder)))
    }

    pub fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.write_all(bytes),
            Self::Zstd(encoder) => encoder.write_all(bytes),
        }
    }

    pub fn finish(self) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.finish(),
            Self::Zstd(encoder) => encoder.finish()?.finish(),
        }
    }

    pub fn keep_as(self, ending: &str) -> io::Result<PathBuf> {
        match self {
            Self::Plain(file) => file.keep_as(ending),
            Self::Zstd(encoder) => encoder.finish()?.keep_as(ending),
        }
    }
}

impl GameWriter {
    /// Creates the file, which takes its place when it is finished.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self { output: Output::create(path)?, buffer: Vec::new() })
    }

    /// Writes a game.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&mut self, game: &ScoredGame) -> io::Result<()> {
        self.buffer.clear();
        game.encode(&mut self.buffer);
        self.output.write_all(&self.buffer)
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

pub(super) fn encode_board(position: &Position, result: Option<GameResult>) -> [u8; BOARD_LEN] {
    let mut bytes = [0; BOARD_LEN];
    bytes[..8].copy_from_slice(&position.occupied().0.to_le_bytes());
    for (index, square) in position.occupied().enumerate() {
        let Some(piece) = position.piece_on(square) else { continue };
        let man = if position.castling_rooks().contains(square) {
            CASTLING_ROOK
        } else {
            piece.piece_type() as u8
        };
        let colour = if piece.colour() == Colour::White { 0 } else { BLACK };
        bytes[8 + index / 2] |= (man | colour) << (4 * (index % 2));
    }
    let side = if position.side_to_move() == Colour::White { 0 } else { BLACK_TO_MOVE };
    bytes[24] = side | position.en_passant().map_or(NO_SQUARE, |square| square as u8);
    bytes[25] = u8::try_from(position.halfmove_clock()).unwrap_or(u8::MAX);
    bytes[26..28].copy_from_slice(&position.fullmove_number().to_le_bytes());
    bytes[30] = match result {
        Some(GameResult::BlackWon) => 0,
        Some(GameResult::Draw) => 1,
        Some(GameResult::WhiteWon) => 2,
        None => UNKNOWN_RESULT,
    };
    bytes
}

pub(super) fn encode_move(mv: Move) -> u16 {
    let kind = match mv.promotion() {
        Some(man) => {
            let man = man.index() - PieceType::Knight.index();
            PROMOTION << KIND_SHIFT | (man as u16) << PROMOTION_SHIFT
        }
        None if mv.is_castling() => CASTLING << KIND_SHIFT,
        None if mv.is_en_passant() => EN_PASSANT << KIND_SHIFT,
        None => 0,
    };
    mv.from() as u16 | (mv.to() as u16) << 6 | kind
}

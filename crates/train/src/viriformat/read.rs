//! Reading.

use super::{
    BLACK, BLACK_TO_MOVE, BOARD_LEN, CASTLING, CASTLING_ROOK, EN_PASSANT, GameResult, ScoredGame,
    UNKNOWN_RESULT, ViriformatError, WINDOW_LOG,
};
use kaiyo_chess::{Bitboard, Colour, Move, MoveFlag, Piece, PieceType, Position, Setup, Square};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// First bytes of a zstd frame.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Reads games one after another.
pub struct GameReader<R> {
    input: R,
}

impl<R: Read> GameReader<R> {
    /// A reader of uncompressed games. It reads a few bytes at a time: buffer the input.
    pub const fn new(input: R) -> Self {
        Self { input }
    }

    /// The next game, or `None` at the end of the data.
    ///
    /// # Errors
    /// Anything wrong with the data, except for illegal moves.
    pub fn next_game(&mut self) -> Result<Option<ScoredGame>, ViriformatError> {
        let mut board = [0; BOARD_LEN];
        match fill(&mut self.input, &mut board)? {
            0 => return Ok(None),
            BOARD_LEN => {}
            _ => return Err(ViriformatError::Truncated),
        }
        let start = decode_board(&board)?;
        let result = decode_result(board[30])?.ok_or(ViriformatError::Result(board[30]))?;
        let mut moves = Vec::with_capacity(128);
        loop {
            let mut pair = [0; 4];
            if fill(&mut self.input, &mut pair)? < pair.len() {
                return Err(ViriformatError::Truncated);
            }
            let [a, b, c, d] = pair;
            let (code, score) = (u16::from_le_bytes([a, b]), i16::from_le_bytes([c, d]));
            if code == 0 {
                return Ok(Some(ScoredGame { start, result, moves }));
            }
            moves.push((code, score));
        }
    }
}

/// Reads until the buffer is full or the data ends, and says how many bytes came.
pub(super) fn fill(input: &mut impl Read, buffer: &mut [u8]) -> Result<usize, ViriformatError> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(ViriformatError::Io(error)),
        }
    }
    Ok(filled)
}

/// Opens a file of games, plain or compressed by zstd.
///
/// # Errors
/// The file cannot be opened.
pub fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    let mut file = BufReader::new(File::open(path)?);
    if !file.fill_buf()?.starts_with(&ZSTD_MAGIC) {
        return Ok(Box::new(file));
    }
    let mut decoder = zstd::Decoder::with_buffer(file)?;
    decoder.window_log_max(WINDOW_LOG)?;
    Ok(Box::new(BufReader::with_capacity(1 << 20, decoder)))
}

pub(super) fn decode_board(bytes: &[u8; BOARD_LEN]) -> Result<Position, ViriformatError> {
    let occupied =
        Bitboard(bytes[..8].iter().rev().fold(0, |set, &byte| set << 8 | u64::from(byte)));
    if occupied.len() > 32 {
        return Err(ViriformatError::TooManyMen(occupied.len()));
    }
    let mut setup = Setup::EMPTY;
    for (index, square) in occupied.enumerate() {
        let code = bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
        let colour = if code & BLACK == 0 { Colour::White } else { Colour::Black };
        let man = match code & 7 {
            CASTLING_ROOK => {
                setup.castling_rooks |= Bitboard::from(square);
                PieceType::Rook
            }
            man => {
                PieceType::from_index(usize::from(man)).ok_or(ViriformatError::PieceCode(code))?
            }
        };
        setup.board[square.index()] = Some(Piece::new(colour, man));
    }
    setup.side_to_move = if bytes[24] & BLACK_TO_MOVE == 0 { Colour::White } else { Colour::Black };
    setup.en_passant = Square::from_index(usize::from(bytes[24] & !BLACK_TO_MOVE));
    setup.halfmove_clock = u16::from(bytes[25]);
    setup.fullmove_number = u16::from_le_bytes([bytes[26], bytes[27]]);
    Position::from_setup(&setup).map_err(ViriformatError::Position)
}

pub(super) const fn decode_result(byte: u8) -> Result<Option<GameResult>, ViriformatError> {
    match byte {
        0 => Ok(Some(GameResult::BlackWon)),
        1 => Ok(Some(GameResult::Draw)),
        2 => Ok(Some(GameResult::WhiteWon)),
        UNKNOWN_RESULT => Ok(None),
        byte => Err(ViriformatError::Result(byte)),
    }
}

/// The move with this code; it need not be legal.
pub(super) fn decode_move(position: &Position, code: u16) -> Option<Move> {
    let from = Square::from_low_bits(code as u8);
    let to = Square::from_low_bits((code >> 6) as u8);
    if from == to {
        return None;
    }
    let capture = position.piece_on(to).is_some();
    let flag = match code >> 14 {
        0 if capture => MoveFlag::Capture,
        0 => {
            let pawn = position.piece_type(PieceType::Pawn).contains(from);
            let two_ranks = from.index().abs_diff(to.index()) == 16;
            if pawn && two_ranks { MoveFlag::DoublePush } else { MoveFlag::Quiet }
        }
        EN_PASSANT => MoveFlag::EnPassant,
        CASTLING if from.file() < to.file() => MoveFlag::CastleKingSide,
        CASTLING => MoveFlag::CastleQueenSide,
        _ => {
            let man = PieceType::ALL[1 + usize::from(code >> 12 & 3)];
            MoveFlag::promotion(man, capture)
        }
    };
    Some(Move::new(from, to, flag))
}

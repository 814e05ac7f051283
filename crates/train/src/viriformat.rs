//! Reading whole games in viriformat.
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
//! | 28-29 | score (unused in whole games) |
//! | 30 | result: 0 Black won, 1 draw, 2 White won |
//! | 31 | unused |
//!
//! A move holds from-square, to-square (6 bits each), what is promoted to (2 bits, from knight 0
//! to queen 3) and a kind (2 bits: 0 ordinary, 1 en passant, 2 castling as king takes rook,
//! 3 promotion).

use core::fmt;
use kaiyo_chess::{
    Bitboard, Colour, Move, MoveFlag, Piece, PieceType, Position, Setup, SetupError, Square,
};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Long-distance matching of the compressor looks back up to 128 MiB.
const WINDOW_LOG: u32 = 27;
/// First bytes of a zstd frame.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Length of a packed position.
const BOARD_LEN: usize = 32;
/// Piece code of a rook that can still castle.
const CASTLING_ROOK: u8 = 6;

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

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum GameResult {
    BlackWon,
    Draw,
    WhiteWon,
}

impl GameResult {
    /// White's points: 0, a half or 1.
    pub const fn white_points(self) -> f32 {
        match self {
            Self::BlackWon => 0.0,
            Self::Draw => 0.5,
            Self::WhiteWon => 1.0,
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
            let mv = decode_move(&position, code)
                .filter(|&mv| position.is_legal(mv))
                .ok_or(ViriformatError::IllegalMove { code, ply })?;
            visit(&position, mv, score);
            position = position.make(mv);
        }
        Ok(())
    }
}

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
        match self.fill(&mut board)? {
            0 => return Ok(None),
            BOARD_LEN => {}
            _ => return Err(ViriformatError::Truncated),
        }
        let (start, result) = decode_board(&board)?;
        let mut moves = Vec::with_capacity(128);
        loop {
            let mut pair = [0; 4];
            if self.fill(&mut pair)? < pair.len() {
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

    /// Reads until the buffer is full or the data ends, and says how many bytes came.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, ViriformatError> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.input.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(ViriformatError::Io(error)),
            }
        }
        Ok(filled)
    }
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

fn decode_board(bytes: &[u8; BOARD_LEN]) -> Result<(Position, GameResult), ViriformatError> {
    let occupied =
        Bitboard(bytes[..8].iter().rev().fold(0, |set, &byte| set << 8 | u64::from(byte)));
    if occupied.len() > 32 {
        return Err(ViriformatError::TooManyMen(occupied.len()));
    }
    let mut setup = Setup::EMPTY;
    for (index, square) in occupied.enumerate() {
        let code = bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
        let colour = if code & 8 == 0 { Colour::White } else { Colour::Black };
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
    setup.side_to_move = if bytes[24] & 128 == 0 { Colour::White } else { Colour::Black };
    setup.en_passant = Square::from_index(usize::from(bytes[24] & 127));
    setup.halfmove_clock = u16::from(bytes[25]);
    setup.fullmove_number = u16::from_le_bytes([bytes[26], bytes[27]]);
    let result = match bytes[30] {
        0 => GameResult::BlackWon,
        1 => GameResult::Draw,
        2 => GameResult::WhiteWon,
        byte => return Err(ViriformatError::Result(byte)),
    };
    let position = Position::from_setup(&setup).map_err(ViriformatError::Position)?;
    Ok((position, result))
}

/// The move with this code; it need not be legal.
fn decode_move(position: &Position, code: u16) -> Option<Move> {
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
        1 => MoveFlag::EnPassant,
        2 if from.file() < to.file() => MoveFlag::CastleKingSide,
        2 => MoveFlag::CastleQueenSide,
        _ => {
            let man = PieceType::ALL[1 + usize::from(code >> 12 & 3)];
            MoveFlag::promotion(man, capture)
        }
    };
    Some(Move::new(from, to, flag))
}

#[cfg(test)]
mod tests {
    use super::*;

    const EN_PASSANT: u16 = 1 << 14;
    const CASTLING: u16 = 2 << 14;
    const PROMOTION: u16 = 3 << 14;

    /// The start position of chess, result White won.
    const START: [u8; BOARD_LEN] = [
        0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, // occupied
        0x16, 0x42, 0x25, 0x61, 0, 0, 0, 0, // white men
        0x88, 0x88, 0x88, 0x88, 0x9e, 0xca, 0xad, 0xe9, // black men
        64, 0, 1, 0, 0, 0, 2, 0,
    ];

    fn code(from: Square, to: Square, kind: u16) -> u16 {
        from as u16 | (to as u16) << 6 | kind
    }

    fn bytes(board: [u8; BOARD_LEN], moves: &[(u16, i16)]) -> Vec<u8> {
        let mut bytes = board.to_vec();
        for (code, score) in moves {
            bytes.extend(code.to_le_bytes());
            bytes.extend(score.to_le_bytes());
        }
        bytes.extend([0; 4]);
        bytes
    }

    fn read(bytes: &[u8]) -> Result<Vec<ScoredGame>, ViriformatError> {
        let mut reader = GameReader::new(bytes);
        core::iter::from_fn(|| reader.next_game().transpose()).collect()
    }

    #[test]
    fn the_start_position_is_unpacked() {
        let games = read(&bytes(START, &[])).unwrap();
        assert_eq!(games.len(), 1);
        assert_eq!(games[0].start, Position::start());
        assert_eq!(games[0].result, GameResult::WhiteWon);
    }

    #[test]
    fn games_follow_one_another_with_moves_and_scores() {
        use Square::*;
        let moves = [
            (code(E2, E4, 0), 30),
            (code(A7, A6, 0), 41),
            (code(E4, E5, 0), -7),
            (code(D7, D5, 0), 55),
            (code(E5, D6, EN_PASSANT), 60),
            (code(G8, F6, 0), 70),
            (code(D6, C7, 0), 80),
            (code(G7, G6, 0), 90),
            (code(G1, F3, 0), 100),
            (code(F8, G7, 0), 110),
            (code(F1, E2, 0), 120),
            (code(E8, H8, CASTLING), 130),
            (code(C7, B8, PROMOTION | 2 << 12), 140),
        ];
        let one = bytes(START, &moves);
        let two = [one.clone(), one].concat();
        let games = read(&two).unwrap();
        assert_eq!(games.len(), 2);
        let mut seen = Vec::new();
        let mut last = Position::start();
        games[1]
            .replay(|position, mv, score| {
                seen.push((mv.flag(), score));
                last = position.make(mv);
            })
            .unwrap();
        assert_eq!(seen.len(), moves.len());
        assert_eq!(seen[0], (MoveFlag::DoublePush, 30));
        assert_eq!(seen[4], (MoveFlag::EnPassant, 60));
        assert_eq!(seen[6], (MoveFlag::Capture, 80));
        assert_eq!(seen[11], (MoveFlag::CastleKingSide, 130));
        assert_eq!(seen[12], (MoveFlag::PromoteRookCapture, 140));
        let fen = last.to_string();
        assert!(fen.starts_with("rRbq1rk1/1p2ppbp/p4np1/8/8/5N2/PPPPBPPP/RNBQK2R b KQ"), "{fen}");
    }

    #[test]
    fn bad_data_is_reported() {
        let good = bytes(START, &[(code(Square::E2, Square::E4, 0), 1)]);
        for len in 1..good.len() {
            assert!(matches!(read(&good[..len]), Err(ViriformatError::Truncated)), "{len}");
        }
        let with = |index: usize, byte: u8| {
            let mut board = START;
            board[index] = byte;
            read(&bytes(board, &[]))
        };
        assert!(matches!(with(30, 3), Err(ViriformatError::Result(3))));
        assert!(matches!(with(3, 1), Err(ViriformatError::TooManyMen(33))));
        assert!(matches!(with(8, 0x17), Err(ViriformatError::PieceCode(7))));
        assert!(matches!(with(10, 0x20), Err(ViriformatError::Position(_))));
        for bad in [
            code(Square::E2, Square::E5, 0),
            code(Square::E1, Square::H1, CASTLING),
            code(Square::E2, Square::E2, 0),
            code(Square::E2, Square::D3, EN_PASSANT),
        ] {
            let games = read(&bytes(START, &[(bad, 0)])).unwrap();
            let error = games[0].replay(|_, _, _| {}).unwrap_err();
            assert!(matches!(error, ViriformatError::IllegalMove { code, ply: 0 } if code == bad));
        }
    }
}

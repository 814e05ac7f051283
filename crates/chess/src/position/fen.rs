//! Forsyth-Edwards notation in its standard, X-FEN and Shredder forms
//! (<https://www.chessprogramming.org/Forsyth-Edwards_Notation>).

use super::{Position, Setup, SetupError};
use crate::bitboard::Bitboard;
use crate::piece::{Colour, Piece, PieceType};
use crate::square::{File, Rank, Square};
use core::fmt;
use core::str::FromStr;

/// The start position of standard chess.
pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// One of the six fields of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FenField {
    Board,
    SideToMove,
    Castling,
    EnPassant,
    HalfmoveClock,
    FullmoveNumber,
}

impl FenField {
    const fn expectation(self) -> &'static str {
        match self {
            Self::Board => "board: expected 8 ranks of 8 squares, from rank 8 to rank 1",
            Self::SideToMove => "side to move: expected w or b",
            Self::Castling => "castling rights: expected KQkq, rook files or -",
            Self::EnPassant => "en passant: expected a square or -",
            Self::HalfmoveClock => "half-move clock: expected a number from 0 to 65535",
            Self::FullmoveNumber => "move number: expected a number from 0 to 65535",
        }
    }
}

/// Why a text is not the FEN of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FenError {
    /// The text is empty.
    Empty,
    /// This field cannot be read.
    Field(FenField),
    /// There is text after the sixth field.
    TrailingText,
    /// All fields can be read but make no position.
    Setup(SetupError),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("empty FEN"),
            Self::Field(field) => f.write_str(field.expectation()),
            Self::TrailingText => f.write_str("text after the sixth field"),
            Self::Setup(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for FenError {}

impl From<SetupError> for FenError {
    fn from(error: SetupError) -> Self {
        Self::Setup(error)
    }
}

/// How castling rights are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FenStyle {
    /// `KQkq` for the outermost rook of a side, its file letter otherwise. Equals standard FEN
    /// in standard chess.
    #[default]
    XFen,
    /// The file letters of the rooks.
    Shredder,
}

impl Position {
    /// The start position of standard chess.
    pub fn start() -> Self {
        Self::from_fen(START_FEN).expect("the start position is legal")
    }

    /// Reads a FEN. Fields missing at the end get their usual values (`w - - 0 1`).
    ///
    /// # Errors
    /// [`FenError`] names the field that cannot be read, or the rule that the position breaks.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        Ok(Self::from_setup(&Setup::from_fen(fen)?)?)
    }

    /// Writes the position as FEN.
    pub fn to_fen(&self, style: FenStyle) -> String {
        let mut fen = String::with_capacity(80);
        write_board(self, &mut fen);
        let side = if self.side_to_move == Colour::White { 'w' } else { 'b' };
        fen.push(' ');
        fen.push(side);
        fen.push(' ');
        write_castling(self, style, &mut fen);
        let en_passant = self.en_passant.map_or("-".to_owned(), |square| square.to_string());
        fen.push_str(&format!(" {en_passant} {} {}", self.halfmove_clock, self.fullmove_number));
        fen
    }
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        Self::from_fen(fen)
    }
}

impl fmt::Display for Position {
    /// The X-FEN of the position.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_fen(FenStyle::XFen))
    }
}

impl Setup {
    /// Reads the fields of a FEN without checking that they make a position.
    ///
    /// # Errors
    /// [`FenError`] names the field that cannot be read.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        let mut fields = fen.split_ascii_whitespace();
        let mut setup = Self::EMPTY;
        parse_board(fields.next().ok_or(FenError::Empty)?, &mut setup.board)
            .ok_or(FenError::Field(FenField::Board))?;
        setup.side_to_move = match fields.next() {
            None | Some("w" | "W") => Colour::White,
            Some("b" | "B") => Colour::Black,
            Some(_) => return Err(FenError::Field(FenField::SideToMove)),
        };
        setup.castling_rooks = match fields.next() {
            None | Some("-") => Bitboard::EMPTY,
            Some(text) => {
                parse_castling(text, &setup.board).ok_or(FenError::Field(FenField::Castling))?
            }
        };
        setup.en_passant = match fields.next() {
            None | Some("-") => None,
            Some(text) => Some(text.parse().map_err(|_| FenError::Field(FenField::EnPassant))?),
        };
        setup.halfmove_clock = parse_number(fields.next(), 0, FenField::HalfmoveClock)?;
        setup.fullmove_number = parse_number(fields.next(), 1, FenField::FullmoveNumber)?;
        match fields.next() {
            None => Ok(setup),
            Some(_) => Err(FenError::TrailingText),
        }
    }
}

fn parse_number(text: Option<&str>, default: u16, field: FenField) -> Result<u16, FenError> {
    match text {
        None | Some("-") => Ok(default),
        // Some tools count on where no game can be: the largest number stands for all beyond.
        Some(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
            Ok(text.parse().unwrap_or(u16::MAX))
        }
        Some(_) => Err(FenError::Field(field)),
    }
}

fn parse_board(text: &str, board: &mut [Option<Piece>; 64]) -> Option<()> {
    let mut ranks = 0;
    for (line, &rank) in text.split('/').zip(Rank::ALL.iter().rev()) {
        let mut files = File::ALL.into_iter();
        for letter in line.chars() {
            if let Some(skip @ 1..=8) = letter.to_digit(10) {
                for _ in 0..skip {
                    files.next()?;
                }
            } else {
                let square = Square::new(files.next()?, rank);
                board[square.index()] = Some(Piece::from_char(letter)?);
            }
        }
        if files.next().is_some() {
            return None;
        }
        ranks += 1;
    }
    (ranks == 8 && text.split('/').count() == 8).then_some(())
}

/// The rooks that a castling field names. Letters without a matching rook are passed over.
fn parse_castling(text: &str, board: &[Option<Piece>; 64]) -> Option<Bitboard> {
    let mut rooks = Bitboard::EMPTY;
    for letter in text.chars() {
        let colour = if letter.is_ascii_uppercase() { Colour::White } else { Colour::Black };
        let rank = colour.back_rank();
        let on = |file: File| board[Square::new(file, rank).index()];
        let is = |file: &File, piece_type| on(*file) == Some(Piece::new(colour, piece_type));
        let king = File::ALL.into_iter().find(|file| is(file, PieceType::King));
        let rook = match letter.to_ascii_lowercase() {
            'k' => File::ALL
                .into_iter()
                .rfind(|file| is(file, PieceType::Rook))
                .filter(|&rook| king.is_some_and(|king| rook > king)),
            'q' => File::ALL
                .into_iter()
                .find(|file| is(file, PieceType::Rook))
                .filter(|&rook| king.is_some_and(|king| rook < king)),
            letter => Some(File::from_char(letter)?),
        };
        rooks |= rook.map(|file| Square::new(file, rank)).into_iter().collect();
    }
    Some(rooks)
}

fn write_board(position: &Position, fen: &mut String) {
    for &rank in Rank::ALL.iter().rev() {
        let mut empty = 0;
        for file in File::ALL {
            match position.piece_on(Square::new(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    push_gap(&mut empty, fen);
                    fen.push(piece.to_char());
                }
            }
        }
        push_gap(&mut empty, fen);
        if rank != Rank::R1 {
            fen.push('/');
        }
    }
}

fn push_gap(empty: &mut u32, fen: &mut String) {
    if *empty > 0 {
        fen.push_str(&empty.to_string());
        *empty = 0;
    }
}

fn write_castling(position: &Position, style: FenStyle, fen: &mut String) {
    let start = fen.len();
    for colour in Colour::ALL {
        let king = position.king(colour);
        let rights = position.castling_rooks & position.colour(colour);
        let back_rank = Bitboard::rank(colour.back_rank());
        let rooks = position.pieces(colour, PieceType::Rook) & back_rank;
        // King side first, as tradition has it.
        for rook in rights.collect::<Vec<_>>().into_iter().rev() {
            let outermost = if rook > king { rooks.last() } else { rooks.into_iter().next() };
            let letter = match style {
                FenStyle::XFen if outermost == Some(rook) && rook > king => 'k',
                FenStyle::XFen if outermost == Some(rook) => 'q',
                _ => rook.file().to_char(),
            };
            let white = colour == Colour::White;
            fen.push(if white { letter.to_ascii_uppercase() } else { letter });
        }
    }
    if fen.len() == start {
        fen.push('-');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(fen: &str, style: FenStyle) {
        assert_eq!(Position::from_fen(fen).expect(fen).to_fen(style), fen);
    }

    #[test]
    fn standard_fens_round_trip() {
        round_trip(START_FEN, FenStyle::XFen);
        round_trip("rnbqkbnr/ppp1pppp/8/8/3pP3/7N/PPPP1PPP/RNBQKB1R b KQkq e3 0 3", FenStyle::XFen);
        round_trip("8/8/8/8/8/5k2/6p1/6K1 w - - 99 200", FenStyle::XFen);
    }

    #[test]
    fn chess960_rights_are_written_in_both_styles() {
        let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
        round_trip(fen, FenStyle::Shredder);
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(position.to_fen(FenStyle::XFen), fen.replace("HFhf", "KQkq"));
        // An inner rook has the right: X-FEN needs its file.
        round_trip("4k3/8/8/8/8/8/8/1R2KR1R w F - 0 1", FenStyle::XFen);
    }

    #[test]
    fn missing_fields_get_defaults() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/4K3 w").unwrap();
        assert_eq!(position.to_string(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    }

    #[test]
    fn errors_name_the_field() {
        let error = |fen| Position::from_fen(fen).unwrap_err();
        assert_eq!(error(" "), FenError::Empty);
        for board in [
            "8/8/8",
            "9/8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8/8/8",
            "x7/8/8/8/8/8/8/8",
            "44k/8/8/8/8/8/8/8",
        ] {
            assert_eq!(error(board), FenError::Field(FenField::Board), "{board}");
        }
        assert_eq!(error("4k3/8/8/8/8/8/8/4K3 x"), FenError::Field(FenField::SideToMove));
        assert_eq!(error("4k3/8/8/8/8/8/8/4K3 w KX"), FenError::Field(FenField::Castling));
        assert_eq!(error("4k3/8/8/8/8/8/8/4K3 w - e9"), FenError::Field(FenField::EnPassant));
        for clock in ["x", "-1", "+5", "1.5"] {
            let fen = format!("4k3/8/8/8/8/8/8/4K3 w - - {clock}");
            let fault = Position::from_fen(&fen).unwrap_err();
            assert_eq!(fault, FenError::Field(FenField::HalfmoveClock));
        }
        // Counted on without end.
        let late =
            Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 70000 99999999999999999999").unwrap();
        assert_eq!(late.halfmove_clock(), u16::MAX);
        assert_eq!(
            error("4k3/8/8/8/8/8/8/4K3 w - - 0 -1"),
            FenError::Field(FenField::FullmoveNumber)
        );
        assert_eq!(error("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2"), FenError::TrailingText);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let error = |fen| Position::from_fen(fen).unwrap_err();
        let setup = FenError::Setup;
        assert_eq!(error("8/8/8/8/8/8/8/4K3"), setup(SetupError::KingCount(Colour::Black, 0)));
        assert_eq!(error("4k3/8/8/8/8/8/8/3KK3"), setup(SetupError::KingCount(Colour::White, 2)));
        assert_eq!(error("4k2P/8/8/8/8/8/8/4K3"), setup(SetupError::PawnOnBackRank(Square::H8)));
        assert_eq!(
            error("4k3/8/8/8/8/8/8/4RK2"),
            setup(SetupError::OpponentInCheck(Colour::Black))
        );
        assert_eq!(
            error("k7/qqqqqqqq/qqqqqqqq/qqqqqqqq/8/QQQQQQQQ/8/K7"),
            setup(SetupError::TooManyMen(34))
        );
    }

    #[test]
    fn unusable_rights_are_dropped() {
        let kept = |fen: &str| Position::from_fen(fen).unwrap().to_string();
        // No rook on h8, king not on its back rank, two rooks named on one side.
        assert_eq!(kept("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1"), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert_eq!(kept("8/4k3/8/8/8/8/8/R3K3 w Qkq - 0 1"), "8/4k3/8/8/8/8/8/R3K3 w Q - 0 1");
        assert_eq!(kept("4k3/8/8/8/8/8/8/4KR1R w FH - 0 1"), "4k3/8/8/8/8/8/8/4KR1R w K - 0 1");
    }

    #[test]
    fn en_passant_squares_are_kept_only_for_legal_captures() {
        let kept = |fen: &str| Position::from_fen(fen).unwrap().en_passant();
        // Both captures uncover a bishop; a rank pin through both pawns; a legal one.
        assert_eq!(kept("k7/b5b1/8/2PpP3/3K4/8/8/8 w - d6 0 1"), None);
        assert_eq!(kept("k7/8/8/r2pPK2/8/8/8/8 w - d6 0 1"), None);
        assert_eq!(kept("k1r5/8/8/PpP5/2K5/8/8/8 w - b6 0 1"), Some(Square::B6));
        // No pawn has passed d3.
        assert_eq!(kept("rnbqkbnr/ppp2ppp/3p4/8/3pP3/5N2/PPP2PPP/RNBQKB1R w KQkq d3 1 3"), None);
    }
}

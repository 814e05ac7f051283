//! Why a text is not a move of a position.

use crate::piece::PieceType;
use crate::square::Square;
use core::fmt;

/// Why a text is not a legal move of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseMoveError {
    /// The text does not have the form of a move.
    Unreadable(MoveText),
    /// The text is a move, but not one that can be played in the position.
    Illegal(MoveText, IllegalReason),
    /// Several legal moves fit the text.
    Ambiguous(MoveText),
}

/// What forbids a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalReason {
    /// The null move passes the turn, which the rules do not allow.
    NullMove,
    /// No man stands on the square that the move starts from.
    EmptySquare(Square),
    /// The man on the square that the move starts from is not of the side to move.
    OpponentsMan(Square),
    /// The man does not move that way, or other men are in its way.
    OutOfReach(PieceType, Square),
    /// The own king would stand in check.
    ExposesKing,
    /// Castling that way is not allowed, now or for good.
    Castling,
    /// Only a pawn reaching the last rank is promoted, to a knight, bishop, rook or queen.
    Promotion,
    /// A pawn reaches the last rank, and the text does not say what it becomes.
    NoPromotion,
}

/// The start of a text that was meant to be a move, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveText(String);

impl MoveText {
    /// Longer texts are cut: a message is not the place for a megabyte of input.
    const MAX_CHARS: usize = 24;

    pub(crate) fn new(text: &str) -> Self {
        let mut kept: String = text.chars().take(Self::MAX_CHARS).collect();
        if kept.len() < text.len() {
            kept.push_str("...");
        }
        Self(kept)
    }

    /// The text, cut where it is long.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MoveText {
    /// The text in quotes on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}'", self.0.escape_debug())
    }
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(text) => write!(f, "{text} is not a move"),
            Self::Illegal(text, reason) => write!(f, "illegal move {text}: {reason}"),
            Self::Ambiguous(text) => write!(f, "ambiguous move {text}: several legal moves fit"),
        }
    }
}

impl core::error::Error for ParseMoveError {}

impl fmt::Display for IllegalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NullMove => f.write_str("the turn cannot be passed"),
            Self::EmptySquare(square) => write!(f, "{square} is empty"),
            Self::OpponentsMan(square) => write!(f, "the man on {square} is the opponent's"),
            Self::OutOfReach(piece_type, to) => {
                write!(f, "no {} can go to {to}", name(*piece_type))
            }
            Self::ExposesKing => f.write_str("the king would be in check"),
            Self::Castling => f.write_str("castling is not possible"),
            Self::Promotion => f.write_str("no promotion of that kind"),
            Self::NoPromotion => f.write_str("the promotion piece is missing"),
        }
    }
}

const fn name(piece_type: PieceType) -> &'static str {
    match piece_type {
        PieceType::Pawn => "pawn",
        PieceType::Knight => "knight",
        PieceType::Bishop => "bishop",
        PieceType::Rook => "rook",
        PieceType::Queen => "queen",
        PieceType::King => "king",
    }
}

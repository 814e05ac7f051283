//! Options that the front end itself minds.

use super::book::BookSettings;
use kaiyo_chess::{CastlingNotation, FenStyle};

/// How to talk to the client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Castling is written as the king taking its rook.
    pub chess960: bool,
    /// Scores come with chances of winning, drawing and losing.
    pub show_wdl: bool,
    /// The client analyses and does not play.
    pub analyse: bool,
    /// How opening books are used.
    pub book: BookSettings,
}

impl Settings {
    /// How castling moves are written.
    pub const fn castling_notation(self) -> CastlingNotation {
        if self.chess960 { CastlingNotation::KingTakesRook } else { CastlingNotation::KingMove }
    }

    /// How castling rights are written.
    pub const fn fen_style(self) -> FenStyle {
        if self.chess960 { FenStyle::Shredder } else { FenStyle::XFen }
    }
}

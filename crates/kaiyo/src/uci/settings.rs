//! Options that the front end itself minds.

use super::book::BookSettings;
use super::contempt::OpponentContempt;
use super::opponent::Opponent;
use crate::strength::{StrengthSettings, Style};
use kaiyo_chess::{CastlingNotation, FenStyle};

/// How to talk to the client.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// Castling is written as the king taking its rook.
    pub chess960: bool,
    /// Scores come with chances of winning, drawing and losing.
    pub show_wdl: bool,
    /// The client analyses and does not play.
    pub analyse: bool,
    /// Statistics of all root moves are shown at the end of a search.
    pub move_statistics: bool,
    /// They are shown during a search too.
    pub live_statistics: bool,
    /// Centipawns that a draw is worse than equal in games.
    pub contempt: i32,
    /// The same against some opponents.
    pub opponent_contempt: OpponentContempt,
    /// Who the engine plays against, if a manager has told.
    pub opponent: Option<Opponent>,
    /// Best lines to show.
    pub lines: usize,
    /// The transformer orders moves.
    pub policy: bool,
    /// How strong the engine plays.
    pub strength: StrengthSettings,
    /// How opening books are used.
    pub book: BookSettings,
}

impl Settings {
    /// How castling moves are written.
    pub const fn castling_notation(&self) -> CastlingNotation {
        if self.chess960 { CastlingNotation::KingTakesRook } else { CastlingNotation::KingMove }
    }

    /// Whether the next search is going to ask the transformer.
    pub fn needs_policy(&self) -> bool {
        self.policy || self.move_statistics || Style::new(&self.strength).is_some()
    }

    /// The contempt of the next search: an analysis is objective.
    pub fn contempt_in_use(&self) -> i32 {
        if self.analyse {
            return 0;
        }
        let opponent = self.opponent.as_ref();
        let against = opponent.and_then(|opponent| self.opponent_contempt.against(opponent));
        against.unwrap_or(self.contempt)
    }

    /// How castling rights are written.
    pub const fn fen_style(&self) -> FenStyle {
        if self.chess960 { FenStyle::Shredder } else { FenStyle::XFen }
    }
}

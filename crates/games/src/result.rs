//! Results of games.

use anyhow::{Context, Result};
use kaiyo_chess::quote;

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

    /// The result that is written as 1-0, 0-1 or 1/2-1/2, which may be cut short to 1/2.
    pub fn from_text(text: &str) -> Option<Self> {
        match text {
            "1-0" => Some(Self::WhiteWon),
            "0-1" => Some(Self::BlackWon),
            "1/2-1/2" | "1/2" => Some(Self::Draw),
            _ => None,
        }
    }

    /// The same, or none for the asterisk of a game that has not ended.
    ///
    /// # Errors
    /// The text is neither.
    pub fn known_or_open(text: &str) -> Result<Option<Self>> {
        if text == "*" {
            return Ok(None);
        }
        let result = Self::from_text(text)
            .with_context(|| format!("result {}, expected 1-0, 0-1, 1/2-1/2 or *", quote(text)))?;
        Ok(Some(result))
    }
}

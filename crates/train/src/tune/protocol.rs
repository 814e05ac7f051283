//! What the process that tunes and those that play tell each other: a line of JSON for each message.

use crate::datagen::{EvaluationOptions, GameOptions};
use serde::{Deserialize, Serialize};

/// How a worker plays, told once.
#[derive(Debug, Serialize, Deserialize)]
pub struct Setup {
    /// Names of the parameters whose values come with each game.
    pub parameters: Vec<String>,
    /// Nodes of a move.
    pub nodes: u64,
    /// Hash table of each side in MiB.
    pub hash: usize,
    pub evaluation: EvaluationOptions,
    pub game: GameOptions,
}

/// A game to play.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Order {
    /// The first position, as FEN.
    pub start: String,
    /// Values of the parameters, for each side.
    pub values: [Vec<i32>; 2],
    /// The side that plays White.
    pub white: usize,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Points of the first side: 1 for a win, 0 for a draw, -1 for a loss.
    pub points: i8,
}

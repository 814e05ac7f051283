//! The moves at the root and what the search has found out about them.

use crate::score::Score;
use kaiyo_chess::Move;

/// A move at the root.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub mv: Move,
    /// Score in the current iteration; minus infinity unless the move raised alpha.
    pub score: Score,
    /// Score at the end of the last iteration.
    pub previous_score: Score,
    pub selective_depth: usize,
    /// The line that gave the score, beginning with the move.
    pub line: Vec<Move>,
    /// Nodes spent on the move in the whole search.
    pub nodes: u64,
}

impl RootMove {
    pub fn new(mv: Move) -> Self {
        Self {
            mv,
            score: -Score::INFINITE,
            previous_score: -Score::INFINITE,
            selective_depth: 0,
            line: vec![mv],
            nodes: 0,
        }
    }

    /// Takes over the result of a search of the move.
    pub fn update(&mut self, score: Score, selective_depth: usize, rest: Vec<Move>) {
        self.score = score;
        self.selective_depth = selective_depth;
        self.line.truncate(1);
        self.line.extend(rest);
    }
}

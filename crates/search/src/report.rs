//! What a search tells its client.

use crate::score::Score;
use kaiyo_chess::Move;
use std::time::Duration;

/// How a reported score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreBound {
    /// The score is the result of the iteration.
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// One of the best lines of an iteration.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// Depth of the iteration in plies.
    pub depth: u32,
    /// The deepest ply reached.
    pub selective_depth: u32,
    /// Rank of this line, from 1.
    pub multi_pv: usize,
    /// Value for the side to move at the root.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: ScoreBound,
    /// Positions visited by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// Per mille of the transposition table in use.
    pub hashfull: u32,
    /// Positions found in tablebases by all threads.
    pub tablebase_hits: u64,
    /// The line, beginning with a root move. Empty only if the root has no legal move.
    pub line: Vec<Move>,
}

/// The root move being searched, reported once a search takes long.
#[derive(Clone, Copy, Debug)]
pub struct CurrentMove {
    /// Depth of the iteration in plies.
    pub depth: u32,
    /// The move.
    pub mv: Move,
    /// Its number in search order, from 1.
    pub number: usize,
}

/// What a search has found out about one of its root moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveStatistics {
    /// The move.
    pub mv: Move,
    /// Positions visited below it, of those that all threads visited.
    pub nodes: u64,
    /// Its value for the side to move at the root: at most this, unless it is among the best
    /// lines. `None` if it has not been searched.
    pub score: Option<Score>,
    /// How likely it was before the search, if anything tells, from 0 to 1.
    pub prior: Option<f32>,
}

/// The outcome of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestMove {
    /// The move to play, or `None` when there is no legal one.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
}

/// Receives the reports of a search, on the thread that searches.
pub trait SearchListener: Send {
    /// An iteration has ended, or the search has: its best lines, the best first. Or a long iteration has
    /// found a bound for the score of one line. There is always a line.
    fn iteration(&mut self, lines: &[Iteration]);

    /// What is known about all root moves after that, the best first.
    fn statistics(&mut self, moves: &[MoveStatistics]) {
        let _ = moves;
    }

    /// A root move is about to be searched.
    fn current_move(&mut self, report: &CurrentMove) {
        let _ = report;
    }

    /// Something went wrong that the search got over, such as a damaged tablebase.
    fn fault(&mut self, message: &str) {
        let _ = message;
    }

    /// The search has ended. Called exactly once, last.
    fn best_move(&mut self, report: &BestMove);
}

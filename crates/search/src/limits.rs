//! What bounds a search.

use kaiyo_chess::{Colour, Move};
use std::time::{Duration, Instant};

/// When a search has to end. All limits that are given hold together: the first one reached
/// ends the search. Without any, the search goes on until it is stopped.
///
/// A search that is infinite or ponders may end by a limit, but reports its best move only when
/// it is stopped, or when the expected move was played.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Time left on the clock, by colour. A clock that ran below zero is given as zero.
    pub clock: [Option<Duration>; 2],
    /// Time gained with every move, by colour.
    pub increment: [Duration; 2],
    /// Moves until the clock gets more time.
    pub moves_to_go: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Begin no iteration after so many positions. Whole iterations give better moves and scores
    /// for their nodes than one that is cut short.
    pub soft_nodes: Option<u64>,
    /// Iterations to search.
    pub depth: Option<u32>,
    /// Stop when a mate in this many moves, or fewer, is found.
    pub mate: Option<u32>,
    /// Best lines to search and report, instead of the engine's number.
    pub lines: Option<usize>,
    /// Search as a player who is not at full strength: without tablebases, and without what other searches
    /// have left in the hash table.
    pub handicapped: bool,
    /// Root moves to look at; all of them when empty.
    pub search_moves: Vec<Move>,
    /// Report the best move only after [`crate::Engine::stop`].
    pub infinite: bool,
    /// When the client asked for the search, if that was earlier than the engine is told.
    pub received: Option<Instant>,
    /// Think on the opponent's time: the clock starts at [`crate::Engine::ponderhit`], or
    /// [`crate::Engine::ponderhit_with`].
    pub ponder: bool,
}

impl Limits {
    /// A search of a fixed number of iterations.
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// A search of a fixed number of positions.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// A search of a fixed time.
    pub fn move_time(time: Duration) -> Self {
        Self { move_time: Some(time), ..Self::default() }
    }

    /// The clock of `colour`.
    pub fn clock_of(&self, colour: Colour) -> Option<Duration> {
        self.clock[colour.index()]
    }

    /// The increment of `colour`.
    pub fn increment_of(&self, colour: Colour) -> Duration {
        self.increment[colour.index()]
    }
}

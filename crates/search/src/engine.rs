//! The facade of the engine.

use crate::limits::Limits;
use crate::report::{BestMove, SearchListener};
use kaiyo_chess::{Game, Position};
use std::fmt;
use std::time::Duration;

/// The largest transposition table, in MiB.
pub const MAX_HASH_MIB: usize = 1 << 25;
/// The most search threads.
pub const MAX_THREADS: usize = 1024;

/// Why the engine could not do what it was asked. It goes on with its earlier settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineError {
    /// The memory for a transposition table of this many MiB could not be had.
    OutOfMemory(usize),
    /// This many threads could not be started.
    Threads(usize),
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfMemory(mib) => write!(f, "cannot allocate {mib} MiB for the hash table"),
            Self::Threads(count) => write!(f, "cannot start {count} threads"),
        }
    }
}

impl std::error::Error for EngineError {}

/// A chess engine: a game, options, a transposition table and search threads.
///
/// Methods that take `&mut self` wait for a running search to end first.
pub struct Engine {
    game: Game,
}

impl Engine {
    /// An engine with one thread and a table of `hash_mib` MiB, at the start position.
    pub fn new(hash_mib: usize) -> Result<Self, EngineError> {
        let _ = hash_mib;
        Ok(Self { game: Game::default() })
    }

    /// Resizes the transposition table, which loses its content.
    pub fn set_hash(&mut self, _mib: usize) -> Result<(), EngineError> {
        Ok(())
    }

    /// Sets the number of search threads.
    pub fn set_threads(&mut self, _count: usize) -> Result<(), EngineError> {
        Ok(())
    }

    /// Sets the number of best lines to report.
    pub fn set_multi_pv(&mut self, _lines: usize) {}

    /// Sets the time that is lost between a move and the clock, per move.
    pub fn set_move_overhead(&mut self, _overhead: Duration) {}

    /// Tells whether the client ponders, so that more time may be used.
    pub fn set_ponder(&mut self, _ponder: bool) {}

    /// Forgets the transposition table.
    pub fn clear_hash(&mut self) {}

    /// Forgets everything learnt in earlier games.
    pub fn new_game(&mut self) {}

    /// Sets the game whose last position is to be searched.
    pub fn set_game(&mut self, game: Game) {
        self.game = game;
    }

    /// The game whose last position is to be searched.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Starts a search and returns at once.
    pub fn go(&mut self, _limits: Limits, mut listener: Box<dyn SearchListener>) {
        let best = self.game.position().legal_moves().first().copied();
        listener.best_move(&BestMove { best, ponder: None });
    }

    /// Asks a running search to end. It will still report its best move.
    pub fn stop(&self) {}

    /// Tells a pondering search that the expected move was played: the clock runs from now.
    pub fn ponderhit(&self) {}

    /// Whether a search is running.
    pub fn is_searching(&self) -> bool {
        false
    }

    /// Waits until no search is running.
    pub fn wait(&mut self) {}

    /// Positions visited by the last search.
    pub fn nodes(&self) -> u64 {
        0
    }

    /// The static evaluation of a position in words and numbers, for people.
    pub fn explain_evaluation(&self, position: &Position) -> String {
        let _ = position;
        String::new()
    }
}

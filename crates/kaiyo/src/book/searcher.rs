//! Searches whose outcome depends on nothing but the position and the number of nodes.

use anyhow::{Context, Result};
use kaiyo_chess::{Game, Position, Setup};
use kaiyo_search::{Engine, Limits, Score};

/// Size of the hash table in MiB: enough for the longest searches, and quickly cleared.
const HASH_MIB: usize = 8;

/// An engine with one thread whose searches are waited for.
pub struct Searcher {
    engine: Engine,
}

impl Searcher {
    /// A searcher with the network in the program.
    ///
    /// # Errors
    /// The memory or the thread cannot be had.
    pub fn new() -> Result<Self> {
        Ok(Self { engine: Engine::new(HASH_MIB)? })
    }

    /// The checksum of the network that evaluates, if one does.
    pub fn network_checksum(&self) -> Option<u32> {
        self.engine.network_checksum()
    }

    /// The score for the side to move after at most `nodes` nodes. The clock of the fifty-move
    /// rule and the number of the move are left out of account.
    ///
    /// # Errors
    /// The search ended without a score, which it never should.
    pub fn search(&mut self, position: &Position, nodes: u64) -> Result<Score> {
        if position.legal_moves().is_empty() {
            return Ok(if position.in_check() { Score::mated_in(0) } else { Score::DRAW });
        }
        let fresh = Setup { halfmove_clock: 0, fullmove_number: 1, ..position.to_setup() };
        self.engine.new_game();
        self.engine.set_game(Game::new(Position::from_setup(&fresh)?));
        // An iteration that begins in the first half mostly comes to its end in the second.
        let limits =
            Limits { nodes: Some(nodes), soft_nodes: Some(nodes / 2), ..Limits::default() };
        let found = self.engine.search(limits).context("the search has ended without a move")?;
        found.score.context("the search has ended without a score")
    }
}

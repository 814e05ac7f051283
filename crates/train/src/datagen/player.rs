//! Searching for the moves and scores of games.

use anyhow::{Context, Result};
use kaiyo_chess::{Colour, Game, Move};
use kaiyo_search::{Engine, Limits, Score};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A search that does not end after its soft limit is cut off at so many times as many nodes.
const HARD_LIMIT: u64 = 20;

/// What positions are evaluated by.
#[derive(Clone, Debug, Default, Serialize, Deserialize, clap::Args)]
pub struct EvaluationOptions {
    /// Evaluate by the network in this file instead of the one in the program.
    #[arg(long)]
    network: Option<PathBuf>,
    /// Evaluate by classical terms.
    #[arg(long, conflicts_with = "network")]
    classical: bool,
}

/// An engine with one thread whose searches are waited for.
pub struct Player {
    engine: Engine,
}

impl Player {
    /// A player with a hash table of so many MiB.
    ///
    /// # Errors
    /// The memory, the thread or the network cannot be had.
    pub fn new(hash: usize, evaluation: &EvaluationOptions) -> Result<Self> {
        let mut engine = Engine::new(hash)?;
        engine.load_network(evaluation.network.as_deref())?;
        engine.set_use_network(!evaluation.classical);
        Ok(Self { engine })
    }

    /// The checksum of the network that evaluates, if one does.
    pub fn network_checksum(&self) -> Option<u32> {
        self.engine.network_checksum()
    }

    /// Forgets all games.
    pub fn new_game(&mut self) {
        self.engine.new_game();
    }

    /// The best move and White's score, from a search that ends with the first iteration after
    /// `nodes`. `None` when there is no legal move.
    ///
    /// # Errors
    /// The search ended without a result, which it never should.
    pub fn search(&mut self, game: &Game, nodes: u64) -> Result<Option<(Move, Score)>> {
        let limits = Limits {
            nodes: Some(nodes.saturating_mul(HARD_LIMIT)),
            soft_nodes: Some(nodes),
            ..Limits::default()
        };
        self.search_within(game, limits)
    }

    /// The same, from a search of no more than `nodes` once its first iteration is done.
    ///
    /// # Errors
    /// The search ended without a result, which it never should.
    pub fn search_exactly(&mut self, game: &Game, nodes: u64) -> Result<Option<(Move, Score)>> {
        self.search_within(game, Limits::nodes(nodes))
    }

    fn search_within(&mut self, game: &Game, limits: Limits) -> Result<Option<(Move, Score)>> {
        self.engine.set_game(game.clone());
        let found = self.engine.search(limits).context("the search has ended without a move")?;
        let Some(best) = found.best else { return Ok(None) };
        let score = found.score.context("the search has ended without a score")?;
        let white_score = match game.position().side_to_move() {
            Colour::White => score,
            Colour::Black => -score,
        };
        Ok(Some((best, white_score)))
    }
}

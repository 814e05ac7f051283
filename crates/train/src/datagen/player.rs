//! Searching for the moves and scores of games.

use anyhow::{Context, Result};
use kaiyo_chess::{Colour, Game, Move};
use kaiyo_search::{BestMove, Engine, Iteration, Limits, Score, ScoreBound, SearchListener};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};

/// A search that does not end after its soft limit is cut off at so many times as many nodes.
const HARD_LIMIT: u64 = 20;

/// What positions are evaluated by.
#[derive(Clone, Debug, Default, clap::Args)]
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
    sender: Sender<Message>,
    receiver: Receiver<Message>,
}

enum Message {
    Score(Score),
    End(BestMove),
}

struct Listener(Sender<Message>);

impl SearchListener for Listener {
    fn iteration(&mut self, report: &Iteration) {
        if report.bound == ScoreBound::Exact && report.multi_pv == 1 {
            // The player waits until the end of the search.
            let _ = self.0.send(Message::Score(report.score));
        }
    }

    fn best_move(&mut self, report: &BestMove) {
        let _ = self.0.send(Message::End(*report));
    }
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
        let (sender, receiver) = channel();
        Ok(Self { engine, sender, receiver })
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
        self.engine.set_game(game.clone());
        let limits = Limits {
            nodes: Some(nodes.saturating_mul(HARD_LIMIT)),
            soft_nodes: Some(nodes),
            ..Limits::default()
        };
        self.engine.go(limits, Box::new(Listener(self.sender.clone())));
        let mut last = None;
        loop {
            match self.receiver.recv().context("the search has ended without a move")? {
                Message::Score(score) => last = Some(score),
                Message::End(end) => {
                    let Some(best) = end.best else { return Ok(None) };
                    let score = last.context("the search has ended without a score")?;
                    let white_score = match game.position().side_to_move() {
                        Colour::White => score,
                        Colour::Black => -score,
                    };
                    return Ok(Some((best, white_score)));
                }
            }
        }
    }
}

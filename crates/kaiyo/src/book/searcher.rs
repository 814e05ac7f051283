//! Searches whose outcome depends on nothing but the position and the number of nodes.

use anyhow::{Context, Result};
use kaiyo_chess::{Game, Position, Setup};
use kaiyo_search::{BestMove, Engine, Iteration, Limits, Score, ScoreBound, SearchListener};
use std::sync::mpsc::{Receiver, Sender, channel};

/// Size of the hash table in MiB: enough for the longest searches, and quickly cleared.
const HASH_MIB: usize = 8;

/// An engine with one thread whose searches are waited for.
pub struct Searcher {
    engine: Engine,
    sender: Sender<Message>,
    receiver: Receiver<Message>,
}

enum Message {
    Score(Score),
    End,
}

struct Listener(Sender<Message>);

impl SearchListener for Listener {
    fn iteration(&mut self, report: &Iteration) {
        if report.bound == ScoreBound::Exact {
            // The searcher waits until the end of the search.
            let _ = self.0.send(Message::Score(report.score));
        }
    }

    fn best_move(&mut self, _report: &BestMove) {
        let _ = self.0.send(Message::End);
    }
}

impl Searcher {
    /// A searcher with the network in the program.
    ///
    /// # Errors
    /// The memory or the thread cannot be had.
    pub fn new() -> Result<Self> {
        let (sender, receiver) = channel();
        Ok(Self { engine: Engine::new(HASH_MIB)?, sender, receiver })
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
        self.engine.go(limits, Box::new(Listener(self.sender.clone())));
        let mut last = None;
        loop {
            match self.receiver.recv().context("the search has ended without a move")? {
                Message::Score(score) => last = Some(score),
                Message::End => return last.context("the search has ended without a score"),
            }
        }
    }
}

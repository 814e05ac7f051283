//! Searches that are waited for.

use crate::engine::Engine;
use crate::limits::Limits;
use crate::report::{BestMove, Iteration, ScoreBound, SearchListener};
use crate::score::Score;
use kaiyo_chess::Move;
use std::sync::mpsc::{Sender, channel};

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The move to play, or `None` when there is no legal one.
    pub best: Option<Move>,
    /// The last score of the side to move that is no bound, if there was one.
    pub score: Option<Score>,
}

enum Message {
    Score(Score),
    End(BestMove),
}

struct Forward(Sender<Message>);

impl SearchListener for Forward {
    fn iteration(&mut self, lines: &[Iteration]) {
        if let Some(best) = lines.first()
            && best.bound == ScoreBound::Exact
        {
            // The other side waits until the end of the search.
            let _ = self.0.send(Message::Score(best.score));
        }
    }

    fn best_move(&mut self, report: &BestMove) {
        let _ = self.0.send(Message::End(*report));
    }
}

impl Engine {
    /// Searches and waits for the end. `None` if the search breaks off without one, which it
    /// never should.
    pub fn search(&mut self, limits: Limits) -> Option<Found> {
        let (sender, messages) = channel();
        self.go(limits, Box::new(Forward(sender)));
        let mut score = None;
        for message in messages {
            match message {
                Message::Score(last) => score = Some(last),
                Message::End(end) => return Some(Found { best: end.best, score }),
            }
        }
        None
    }
}

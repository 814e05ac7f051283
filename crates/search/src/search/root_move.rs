//! The moves at the root and what the search has found out about them.

use crate::score::Score;
use crate::tablebases::Rank;
use kaiyo_chess::Move;
use std::cmp::Reverse;

/// A move at the root.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub mv: Move,
    /// What tablebases say about it.
    pub rank: Option<Rank>,
    /// How likely it was thought to be before the search, if it was told.
    pub prior: Option<f32>,
    /// Score in the current iteration; minus infinity unless the move is the first one searched or
    /// raised alpha.
    pub score: Score,
    /// What the last search of the move returned: a bound from above unless it raised alpha.
    pub last_score: Option<Score>,
    /// Score at the end of the last iteration.
    pub previous_score: Score,
    pub selective_depth: usize,
    /// The line that gave the score, beginning with the move.
    pub line: Vec<Move>,
    /// Nodes spent on the move in the whole search.
    pub nodes: u64,
}

impl RootMove {
    pub fn new(mv: Move, rank: Option<Rank>, prior: Option<f32>) -> Self {
        Self {
            mv,
            rank,
            prior,
            score: -Score::INFINITE,
            last_score: None,
            previous_score: -Score::INFINITE,
            selective_depth: 0,
            line: vec![mv],
            nodes: 0,
        }
    }

    /// Whether tablebases tell no difference to `other`.
    pub fn has_rank_of(&self, other: &Self) -> bool {
        self.rank.map(|rank| rank.order) == other.rank.map(|rank| rank.order)
    }

    /// The key by which moves are sorted: tablebases come before the search.
    pub fn sort_key(&self) -> impl Ord + use<> {
        Reverse((self.rank.map(|rank| rank.order), self.score))
    }

    /// The score to show: of this iteration or the last, unless tablebases know better. Only a mate
    /// tells more than they do.
    pub fn shown_score(&self) -> Score {
        let known = [self.score, self.previous_score];
        let score = known.into_iter().find(|&score| score != -Score::INFINITE);
        let score = score.unwrap_or(Score::DRAW);
        match self.rank {
            Some(Rank { score: Some(known), .. }) if !score.refines(known) => known,
            _ => score,
        }
    }

    /// The value to show beside those of the other moves.
    pub fn known_score(&self) -> Option<Score> {
        let searched = Some(self.score).filter(|&score| score != -Score::INFINITE);
        match self.rank.and_then(|rank| rank.score) {
            Some(_) => Some(self.shown_score()),
            None => searched.or(self.last_score),
        }
    }

    /// Leaves the move with the score of the iteration before.
    pub fn forget_score(&mut self) {
        self.score = -Score::INFINITE;
    }

    /// Takes over the result of a search of the move.
    pub fn update(&mut self, score: Score, selective_depth: usize, rest: Vec<Move>) {
        self.score = score;
        self.selective_depth = selective_depth;
        self.line.truncate(1);
        self.line.extend(rest);
    }
}

//! What all threads of one search share.

use super::root_move::RootMove;
use super::root_preparation::PreparedRoot;
use super::sharing::{FinishedIterations, MovesInProgress};
use super::table_key;
use crate::control::Control;
use crate::engine::Priors;
use crate::evaluation::Evaluator;
use crate::limits::Limits;
use crate::parameters::vote_score_offset;
use crate::score::Score;
use crate::table::TranspositionTable;
use crate::tablebases::TablebaseProbe;
use crate::time::TimeBudget;
use kaiyo_chess::{Colour, Game, Move, Position};
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Counters of one thread on a cache line of their own, written by that thread alone.
#[repr(align(128))]
#[derive(Default)]
pub(crate) struct ThreadCounters {
    pub nodes: AtomicU64,
    pub tablebase_hits: AtomicU64,
}

/// What a thread has to show at the end of a search.
#[derive(Clone, Debug)]
pub(crate) struct ThreadResult {
    /// The deepest iteration finished.
    pub depth: i32,
    /// Its root moves, best first.
    pub root_moves: Vec<RootMove>,
}

/// What a search is given.
pub(crate) struct SearchRequest {
    pub control: Arc<Control>,
    pub table: Arc<TranspositionTable>,
    pub evaluator: Evaluator,
    /// The game whose last position is searched.
    pub game: Game,
    pub priors: Priors,
    pub tablebases: TablebaseProbe,
    /// How long tablebases may take for the moves of the root.
    pub ranking_time: Option<Duration>,
    pub limits: Limits,
    /// The time for the move if there are several.
    pub budget: TimeBudget,
    /// Nodes that count as a millisecond of thought, if time is measured so.
    pub nodes_per_millisecond: Option<NonZeroU64>,
    /// Centipawns that a draw is worse than equal for the side to move.
    pub contempt: i32,
    pub multi_pv: usize,
    pub threads: usize,
}

/// One search: its position, limits, and the signals and tables its threads share.
pub(crate) struct SearchContext {
    pub control: Arc<Control>,
    pub table: Arc<TranspositionTable>,
    pub evaluator: Evaluator,
    /// The game up to the root.
    pub game: Game,
    pub root: Position,
    /// What the first thread has found out about the root.
    pub(super) prepared: OnceLock<PreparedRoot>,
    /// Probabilities of the moves of the root from elsewhere.
    pub priors: Priors,
    /// How positions are looked up.
    pub tablebases: TablebaseProbe,
    /// How long that may take for the moves of the root.
    pub ranking_time: Option<Duration>,
    pub limits: Limits,
    /// The time for the move if there are several, which a ponder hit may change.
    budget: Mutex<TimeBudget>,
    /// Nodes that count as a millisecond of thought, if time is measured so.
    pub nodes_per_millisecond: Option<NonZeroU64>,
    /// Centipawns that a draw is worse than equal for the side to move at the root.
    pub contempt: i32,
    pub multi_pv: usize,
    pub counters: Vec<ThreadCounters>,
    /// Positions visited before the own clock began to run.
    nodes_pondered: AtomicU64,
    /// Moves that threads are searching.
    pub in_progress: MovesInProgress,
    /// What the soonest thread made of each iteration.
    pub iterations: FinishedIterations,
    /// Nodes spent on completing mate lines for reports.
    pub mate_line_nodes: AtomicU64,
    results: Mutex<Vec<ThreadResult>>,
    result_added: Condvar,
}

/// Set the table's entries of searches with a contempt apart, and of those at a handicap.
const CONTEMPT_SALT: u64 = 0xd6e8_feb8_6659_fd93;
const HANDICAP_SALT: u64 = 0x3c6e_f372_fe94_f82b;

impl SearchContext {
    /// Whether only some of the root's moves are searched.
    pub const fn is_restricted(&self) -> bool {
        !self.limits.search_moves.is_empty()
    }

    /// The context of a search that is about to begin.
    pub fn new(request: SearchRequest) -> Self {
        let SearchRequest {
            control,
            table,
            evaluator,
            game,
            priors,
            tablebases,
            ranking_time,
            limits,
            budget,
            nodes_per_millisecond,
            contempt,
            multi_pv,
            threads,
        } = request;
        let iterations = FinishedIterations::new(threads > 1 && limits.mate.is_none());
        Self {
            control,
            table,
            evaluator,
            root: *game.position(),
            game,
            prepared: OnceLock::new(),
            priors,
            tablebases,
            ranking_time,
            limits,
            budget: Mutex::new(budget),
            nodes_per_millisecond,
            contempt,
            multi_pv,
            counters: (0..threads).map(|_| ThreadCounters::default()).collect(),
            nodes_pondered: AtomicU64::new(0),
            in_progress: MovesInProgress::new(threads),
            iterations,
            mate_line_nodes: AtomicU64::new(0),
            results: Mutex::new(Vec::new()),
            result_added: Condvar::new(),
        }
    }

    /// Positions visited by all threads.
    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(|counters| counters.nodes.load(Relaxed)).sum()
    }

    /// Positions visited on the own clock; none while pondering.
    pub fn nodes_on_clock(&self) -> Option<u64> {
        let on_clock = || self.nodes().saturating_sub(self.nodes_pondered.load(Relaxed));
        (!self.control.is_pondering()).then(on_clock)
    }

    /// The time for the move.
    pub fn budget(&self) -> TimeBudget {
        let budget = *self.budget.lock().unwrap_or_else(PoisonError::into_inner);
        let is_forced = self.prepared.get().is_some_and(PreparedRoot::has_one_candidate);
        if is_forced { budget.for_single_move() } else { budget }
    }

    /// The expected move was played, as the client has `told`: the own clock runs from then, with another
    /// budget if one is given.
    pub fn ponderhit(&self, budget: Option<TimeBudget>, told: Instant) {
        if self.control.is_pondering() {
            // First, so that who sees that pondering is over sees the new budget.
            if let Some(budget) = budget {
                *self.budget.lock().unwrap_or_else(PoisonError::into_inner) = budget;
            }
            self.nodes_pondered.store(self.nodes(), Relaxed);
            self.control.ponderhit(told);
        }
    }

    /// The key under which this search stores a position. Draws are worth something else to searches
    /// with another contempt, so that their results are kept apart.
    pub fn table_key(&self, position: &Position) -> u64 {
        table_key(position) ^ self.key_salt()
    }

    /// What sets the table's entries of this search apart from those of others.
    pub fn key_salt(&self) -> u64 {
        let sign = if self.root.side_to_move() == Colour::White { 1 } else { -1 };
        let salt = i64::from(sign * self.contempt).cast_unsigned().wrapping_mul(CONTEMPT_SALT);
        if self.limits.handicapped { salt ^ HANDICAP_SALT } else { salt }
    }

    /// Positions that all threads found in tablebases.
    pub fn tablebase_hits(&self) -> u64 {
        let root_moves = self.prepared.get().map_or(&[][..], |prepared| &prepared.moves);
        let at_root = root_moves.iter().filter(|root_move| root_move.rank.is_some()).count();
        at_root as u64 + self.tablebase_hits_of_threads()
    }

    fn tablebase_hits_of_threads(&self) -> u64 {
        self.counters.iter().map(|counters| counters.tablebase_hits.load(Relaxed)).sum()
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.control.elapsed()
    }

    /// Time spent on the move, as far as the time limits go. Nodes stand for it if the client
    /// wants that, which makes games the same on a busy machine.
    pub fn thinking_time(&self) -> Duration {
        self.time_of_nodes(self.nodes()).unwrap_or_else(|| self.elapsed())
    }

    /// [`Self::thinking_time`] on the own clock; none while pondering.
    pub fn time_on_clock(&self) -> Option<Duration> {
        let elapsed = self.control.clock_elapsed()?;
        Some(self.time_of_nodes(self.nodes_on_clock()?).unwrap_or(elapsed))
    }

    /// The time that nodes stand for, if time is measured so.
    fn time_of_nodes(&self, nodes: u64) -> Option<Duration> {
        let of =
            |per_millisecond| Duration::from_micros(nodes.saturating_mul(1000) / per_millisecond);
        self.nodes_per_millisecond.map(of)
    }

    /// Hands in the result of a helper thread.
    pub fn add_result(&self, result: ThreadResult) {
        self.results.lock().unwrap_or_else(PoisonError::into_inner).push(result);
        self.result_added.notify_all();
    }

    /// The results of `count` helper threads, once all of them are in, or those that are in after the
    /// `patience`, if there is a limit to it.
    pub fn take_results(&self, count: usize, patience: Option<Duration>) -> Vec<ThreadResult> {
        let results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        let are_missing = |results: &mut Vec<ThreadResult>| results.len() < count;
        let mut results = match patience {
            None => self
                .result_added
                .wait_while(results, are_missing)
                .unwrap_or_else(PoisonError::into_inner),
            Some(patience) => {
                self.result_added
                    .wait_timeout_while(results, patience, are_missing)
                    .unwrap_or_else(PoisonError::into_inner)
                    .0
            }
        };
        std::mem::take(&mut results)
    }
}

impl ThreadResult {
    /// The thread whose best move the others support most: each thread votes for its move with
    /// a weight that grows with its depth and its score above the lowest.
    pub fn vote(results: &[Self]) -> Option<&Self> {
        let best = |result: &Self| result.root_moves.first().map(|root| (root.mv, root.score));
        let lowest = results.iter().filter_map(best).map(|(_, score)| score).min()?;
        let weight = |result: &Self| {
            let score = best(result).map_or(lowest, |(_, score)| score);
            i64::from(score - lowest + vote_score_offset()) * i64::from(result.depth.max(1))
        };
        let votes = |mv: Move| -> i64 {
            results
                .iter()
                .filter(|result| best(result).is_some_and(|(other, _)| other == mv))
                .map(weight)
                .sum()
        };
        // The first thread wins ties, which keeps one thread's results reproducible.
        results.iter().rev().filter(|result| !result.root_moves.is_empty()).max_by_key(|result| {
            let (mv, score) = best(result).unwrap_or((result.root_moves[0].mv, Score::NONE));
            // A proven result counts more than any vote, a loss too: who has not seen that all moves lose does not
            // know which of them loses last.
            let proven = Some(score).filter(|score| score.is_decisive());
            (proven, votes(mv), weight(result))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiyo_chess::Position;

    fn result(depth: i32, text: &str, score: Score) -> ThreadResult {
        let mv = Position::start().parse_uci_move(text).unwrap();
        let mut root_move = RootMove::new(mv, None, None);
        root_move.score = score;
        ThreadResult { depth, root_moves: vec![root_move] }
    }

    #[test]
    fn threads_vote_for_moves_and_proofs_come_before_votes() {
        let [even, good] = [0, 30].map(Score::centipawns);
        let chosen = |results: &[ThreadResult]| {
            let winner = ThreadResult::vote(results).unwrap();
            results.iter().position(|result| std::ptr::eq(result, winner)).unwrap()
        };
        // Of equal ones the first, of unequal ones the deeper, the better, and what more than one plays.
        assert_eq!(chosen(&[result(9, "e2e4", even), result(9, "d2d4", even)]), 0);
        assert_eq!(chosen(&[result(9, "e2e4", even), result(10, "d2d4", even)]), 1);
        assert_eq!(chosen(&[result(9, "e2e4", even), result(9, "d2d4", good)]), 1);
        let two_of_three =
            [result(10, "e2e4", even), result(9, "d2d4", even), result(9, "d2d4", even)];
        assert_ne!(chosen(&two_of_three), 0);
        // A win that one has found, the faster one first.
        let wins = [7, 3].map(Score::mate_in);
        let found =
            [result(20, "e2e4", good), result(9, "d2d4", wins[0]), result(8, "c2c4", wins[1])];
        assert_eq!(chosen(&found), 2);
        // A loss that one has seen, and the slower one first.
        let losses = [4, 12].map(Score::mated_in);
        let seen =
            [result(9, "e2e4", losses[0]), result(9, "d2d4", even), result(9, "c2c4", losses[1])];
        assert_eq!(chosen(&seen), 2);
        let nothing = ThreadResult { depth: 0, root_moves: Vec::new() };
        assert!(ThreadResult::vote(&[nothing]).is_none());
    }
}

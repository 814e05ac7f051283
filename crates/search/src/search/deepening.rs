//! Iterative deepening with aspiration windows, and the reports of its progress.

use super::mate_line::MateLine;
use super::root_move::RootMove;
use super::{FULL_WIDTH_SALT, Root, SearchContext, ThreadResult, Worker};
use crate::depth::Depth;
use crate::parameters::{
    aspiration_delta, aspiration_growth, aspiration_min_depth, time_average_share,
};
use crate::report::{CurrentMove, Iteration, MoveStatistics, ScoreBound, SearchListener};
use crate::score::{Score, ScoreKind};
use crate::time::SoftFactors;
use kaiyo_chess::{Move, Position};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Plies that the repetitions of a search which fails high lose at most: it is the move that matters, which is
/// known by then.
const FAIL_HIGH_REDUCTION_MAX: i32 = 3;
/// What is left of the changes of the best move after another iteration.
const CHANGES_DECAY: f64 = 0.5;
/// Centipawns beyond which a falling score makes no difference any more, mates included.
const MOST_FALLING: f64 = 1e3;
/// How often the moves at the root are reported: in a simple position they change thousands of times a second.
const CURRENT_MOVE_INTERVAL: Duration = Duration::from_millis(50);
/// How long a search runs before it reports unfinished scores.
const BOUND_REPORT_DELAY: Duration = Duration::from_secs(3);

/// Nodes after which a search for a mate goes on in full width, which is cheap for short mates: for each
/// move of the mate.
const SELECTIVE_MATE_NODES: u64 = 20_000;

/// Nodes of a search for each that may be spent on completing its mate lines, and the most for one line.
const MATE_LINE_SHARE: u64 = 8;
const MATE_LINE_NODES: u64 = 50_000;
/// The time for the lines of a report on a clock: what is left of that of the move, within these bounds. A search
/// that has used it up takes the least, which the overhead of the move has room for.
const MATE_LINE_LEAST_TIME: Duration = Duration::from_millis(5);
const MATE_LINE_MOST_TIME: Duration = Duration::from_millis(100);

/// How the best move held up over the iterations, which decides how much time it is worth.
#[derive(Default)]
struct BestMoveTrend {
    best: Option<Move>,
    stable_iterations: u32,
    changes: f64,
    average: Option<f64>,
    falling: f64,
}

impl BestMoveTrend {
    fn update(&mut self, best: &RootMove) {
        self.changes *= CHANGES_DECAY;
        if self.best == Some(best.mv) {
            self.stable_iterations += 1;
        } else {
            self.stable_iterations = 0;
            self.changes += f64::from(u8::from(self.best.is_some()));
            self.best = Some(best.mv);
        }
        let score = f64::from(best.score.value());
        self.falling = self.average.map_or(0.0, |average| average - score);
        let share = f64::from(time_average_share()) / 100.0;
        let average = self.average.unwrap_or(score);
        self.average = Some(average + share * (score - average));
    }

    fn factors(&self, best: &RootMove, nodes: u64) -> SoftFactors {
        SoftFactors {
            stable_iterations: self.stable_iterations,
            best_move_changes: self.changes,
            falling: self.falling.clamp(-MOST_FALLING, MOST_FALLING) as i32,
            best_move_nodes: best.nodes as f64 / nodes.max(1) as f64,
        }
    }
}

impl<'a> Worker<'a> {
    /// Searches deeper and deeper until a limit is reached, and returns what was found.
    pub fn run(&mut self, listener: Option<&'a mut dyn SearchListener>) -> ThreadResult {
        self.listener = listener;
        if self.root_moves.is_empty() {
            return ThreadResult { depth: 0, root_moves: Vec::new() };
        }
        self.stack.at_mut(0).plies_since_null = u16::MAX;
        let deepest = self.context.limits.depth.unwrap_or(u32::MAX);
        let deepest = deepest.clamp(1, Depth::MAX.plies() as u32) as i32;
        let mut finished = self.root_moves.clone();
        let mut selective = None;
        let mut trend = BestMoveTrend::default();
        let mut depth = 0;
        while depth < deepest {
            let was_selective = !self.full_width;
            let last = depth;
            depth = self.next_depth(last);
            if was_selective && self.full_width {
                selective = Some(ThreadResult { depth: last, root_moves: finished.clone() });
            }
            self.root_depth = depth;
            self.search_iteration();
            if self.overtaken {
                depth = self.take_over_iteration();
            } else if !self.stopped {
                self.context.iterations.add(depth, &self.root_moves);
            }
            if self.stopped {
                break;
            }
            self.completed_depth = depth;
            finished.clone_from(&self.root_moves);
            self.report_lines(&finished, depth);
            if self.id == 0 && self.is_done(&mut trend) {
                break;
            }
        }
        self.publish_counters();
        let root_moves = if self.is_partial_result_better(finished[0].mv) {
            std::mem::take(&mut self.root_moves)
        } else {
            finished
        };
        match selective {
            // A search in full width that found no mate is far less deep than the selective one before it.
            Some(selective) if self.stopped && !root_moves[0].score.is_mate() => selective,
            _ => ThreadResult { depth: self.completed_depth, root_moves },
        }
    }

    /// The depth of the iteration after that of `depth`.
    ///
    /// A selective search finds most mates, and finds them sooner. For those that it does not find in
    /// its share of nodes, one of full width starts anew: when half of them are gone, because the next
    /// iteration would take more than the rest.
    fn next_depth(&mut self, depth: i32) -> i32 {
        if let Some(moves) = self.context.limits.mate
            && !self.full_width
            && self.nodes >= SELECTIVE_MATE_NODES.saturating_mul(u64::from(moves)) / 2
        {
            self.search_in_full_width();
            return 1;
        }
        depth + 1
    }

    /// Whether the last report stands: it was exact and the search found nothing after it.
    pub fn has_reported(&self) -> bool {
        self.last_report_is_exact && !self.stopped
    }

    /// Gives the listener back.
    pub fn into_listener(self) -> Option<&'a mut dyn SearchListener> {
        self.listener
    }

    /// One iteration: the best lines one after the other, each without the moves of those before.
    fn search_iteration(&mut self) {
        self.deferred.clear();
        for root_move in &mut self.root_moves {
            root_move.previous_score = root_move.score;
            root_move.score = -Score::INFINITE;
        }
        let lines = self.context.multi_pv.min(self.root_moves.len());
        for index in 0..lines {
            self.pv_index = index;
            self.selective_depth = 0;
            self.search_window(Depth::new(self.root_depth));
            if self.stopped {
                return;
            }
            self.root_moves[..=index].sort_by_key(RootMove::sort_key);
        }
    }

    /// Searches the root in a window around the expected score, which grows exponentially on
    /// each failure (<https://www.chessprogramming.org/Aspiration_Windows>).
    fn search_window(&mut self, depth: Depth) {
        let mut alpha = -Score::INFINITE;
        let mut beta = Score::INFINITE;
        let mut delta = aspiration_delta();
        let expected = self.root_moves[self.pv_index].previous_score;
        if depth.plies() >= aspiration_min_depth() && !expected.is_decisive() {
            alpha = expected - delta;
            beta = expected + delta;
        }
        let mut failed_high = 0;
        loop {
            self.window_alpha = alpha;
            let reduced = (depth - failed_high).max(Depth::new(1));
            let root = self.context.root;
            let score = self.search::<Root>(&root, 0, alpha, beta, reduced, false);
            let index = self.pv_index;
            self.root_moves[index..].sort_by_key(RootMove::sort_key);
            if self.stopped {
                return;
            }
            if score <= alpha {
                beta = Score::from_value((alpha.value() + beta.value()) / 2);
                alpha = (score - delta).max(-Score::INFINITE);
                failed_high = 0;
                self.report_bound(ScoreBound::Upper);
                // Who has failed low is no better than another move if the search ends before it is known how low.
                for root_move in &mut self.root_moves[index..] {
                    root_move.forget_score();
                }
            } else if score >= beta {
                beta = (score + delta).min(Score::INFINITE);
                failed_high = (failed_high + 1).min(FAIL_HIGH_REDUCTION_MAX);
                self.report_bound(ScoreBound::Lower);
            } else {
                return;
            }
            if score.is_decisive() {
                // Mates are far from every evaluation: the whole range is cheaper than steps.
                if score.is_loss() {
                    alpha = -Score::INFINITE;
                } else {
                    beta = Score::INFINITE;
                }
            }
            delta += delta * aspiration_growth() / 100;
        }
    }

    /// Whether an iteration that was broken off has found a better move than `previous_best` of the last
    /// whole one. About the same move, the whole iteration knows more; and a loss is not proven before all
    /// moves have been searched.
    fn is_partial_result_better(&self, previous_best: Move) -> bool {
        self.stopped
            && self.context.multi_pv == 1
            && self.root_moves.first().is_some_and(|best| {
                best.mv != previous_best
                    && !best.score.is_loss()
                    && best.score > self.window_alpha
                    && best.score != -Score::INFINITE
            })
    }

    /// Whether the limits make a further iteration pointless.
    fn is_done(&mut self, trend: &mut BestMoveTrend) -> bool {
        let best = &self.root_moves[0];
        trend.update(best);
        let factors = trend.factors(best, self.nodes);
        if let Some(mate) = self.context.limits.mate
            && let ScoreKind::Mate(moves) = best.score.kind()
            && moves.unsigned_abs() <= mate
        {
            return true;
        }
        // What other threads have visited is not in the lines of this one.
        if self.context.limits.soft_nodes.is_some_and(|limit| self.nodes >= limit) {
            return true;
        }
        self.end_iteration(&factors);
        // While pondering the search goes on, and ends as soon as the opponent moves. The move may
        // bring another budget, which is therefore looked at last.
        !self.context.limits.infinite
            && !self.context.control.is_pondering()
            && self.is_soft_limit_passed(&self.context.budget())
    }

    /// Whether this pass of a multi-PV search looks at `mv`: at the best of the moves left, as far as
    /// tablebases can tell.
    pub(super) fn is_root_candidate(&self, mv: Move) -> bool {
        let moves = &self.root_moves[self.pv_index..];
        moves.iter().any(|root_move| root_move.mv == mv && root_move.has_rank_of(&moves[0]))
    }

    /// Counts the nodes that a root move took, even if its search was broken off.
    pub(super) fn credit_root_move(&mut self, mv: Move, nodes: u64) {
        if let Some(root_move) = self.root_moves.iter_mut().find(|root_move| root_move.mv == mv) {
            root_move.nodes += nodes;
        }
    }

    /// Records the result of a root move.
    pub(super) fn update_root_move(&mut self, mv: Move, score: Score, improves: bool) {
        let selective_depth = self.selective_depth;
        let rest = if improves { self.lines.at(1).to_vec() } else { Vec::new() };
        let Some(root_move) = self.root_moves.iter_mut().find(|root_move| root_move.mv == mv)
        else {
            return;
        };
        root_move.last_score = Some(score);
        if improves {
            root_move.update(score, selective_depth, rest);
        } else {
            root_move.score = -Score::INFINITE;
        }
    }

    fn report_lines(&mut self, root_moves: &[RootMove], depth: i32) {
        self.publish_counters();
        if let Some(listener) = self.listener.as_deref_mut() {
            self.context.report_lines(listener, root_moves, depth);
            self.last_report_is_exact = true;
        }
    }

    fn report_bound(&mut self, bound: ScoreBound) {
        let late = self.context.elapsed() >= BOUND_REPORT_DELAY && self.context.multi_pv == 1;
        self.publish_counters();
        if late && let Some(listener) = self.listener.as_deref_mut() {
            let (best, deadline) = (&self.root_moves[0], self.context.mate_line_deadline());
            let line = self.context.report_of(best, self.root_depth, 1, bound, deadline);
            listener.iteration(&[line]);
            self.last_report_is_exact = false;
        }
    }

    pub(super) fn report_current_move(&mut self, mv: Move, number: i32) {
        if self.root_depth > 1
            && let Some(listener) = self.listener.as_deref_mut()
            && let elapsed = self.context.elapsed()
            && elapsed >= self.next_current_move
        {
            self.next_current_move = elapsed + CURRENT_MOVE_INTERVAL;
            let number = number as usize + self.pv_index;
            let depth = self.root_depth as u32;
            listener.current_move(&CurrentMove { depth, mv, number });
        }
    }
}

impl SearchContext {
    /// Reports the best lines of an iteration.
    pub fn report_lines(
        &self,
        listener: &mut dyn SearchListener,
        root_moves: &[RootMove],
        depth: i32,
    ) {
        let best = (1..).zip(root_moves.iter().take(self.multi_pv));
        let deadline = self.mate_line_deadline();
        let report =
            |(rank, root_move)| self.report_of(root_move, depth, rank, ScoreBound::Exact, deadline);
        listener.iteration(&best.map(report).collect::<Vec<_>>());
        listener.statistics(&self.statistics(root_moves));
    }

    /// Reports what a position without moves is worth: clients fail on a best move without a score
    /// before it.
    pub fn report_end_of_game(&self, listener: &mut dyn SearchListener) {
        listener.iteration(&[Iteration {
            depth: 0,
            selective_depth: 0,
            multi_pv: 1,
            score: if self.root.in_check() { Score::mated_in(0) } else { Score::DRAW },
            bound: ScoreBound::Exact,
            nodes: 0,
            elapsed: self.elapsed(),
            hashfull: self.table.hashfull(),
            tablebase_hits: 0,
            line: Vec::new(),
        }]);
    }

    /// What one thread knows about its root moves. Its nodes stand for those of all threads, which
    /// do not tell moves apart; if other threads have done all the work, it was for the best move.
    fn statistics(&self, root_moves: &[RootMove]) -> Vec<MoveStatistics> {
        let own: u64 = root_moves.iter().map(|root_move| root_move.nodes).sum();
        let scaled = |nodes| u128::from(nodes) * u128::from(self.nodes()) / u128::from(own.max(1));
        let statistics = |root_move: &RootMove| MoveStatistics {
            mv: root_move.mv,
            nodes: scaled(root_move.nodes) as u64,
            score: root_move.known_score(),
            prior: root_move.prior,
        };
        let mut statistics: Vec<_> = root_moves.iter().map(statistics).collect();
        if let (0, Some(best)) = (own, statistics.first_mut()) {
            best.nodes = self.nodes();
        }
        statistics
    }

    fn report_of(
        &self,
        root_move: &RootMove,
        depth: i32,
        multi_pv: usize,
        bound: ScoreBound,
        mate_line_deadline: Option<Instant>,
    ) -> Iteration {
        let score = root_move.shown_score();
        let (line, sooner) = self.complete_line(&root_move.line, score, mate_line_deadline);
        // Of several lines, only the first may become better, and none worse, without passing another.
        let may_change =
            bound == ScoreBound::Exact && (self.multi_pv == 1 || multi_pv == 1 && score.is_win());
        let score = sooner.filter(|_| may_change).unwrap_or(score);
        Iteration {
            depth: depth as u32,
            selective_depth: root_move.selective_depth.max(1) as u32,
            multi_pv,
            score,
            bound,
            nodes: self.nodes(),
            elapsed: self.elapsed(),
            hashfull: self.table.hashfull(),
            tablebase_hits: self.tablebase_hits(),
            line,
        }
    }

    /// The reply that the table knows to a root move.
    pub fn expected_reply(&self, mv: Move) -> Option<Move> {
        let next = self.root.make(mv);
        let reply = self.table.probe(self.table_key(&next), 0)?.mv?;
        next.is_legal(reply).then_some(reply)
    }

    /// When the mate lines of a report have to be complete, if a clock runs in real time.
    fn mate_line_deadline(&self) -> Option<Instant> {
        let hard = self.budget().hard.filter(|_| self.nodes_per_millisecond.is_none())?;
        let left = hard.saturating_sub(self.time_on_clock()?);
        Some(Instant::now() + left.clamp(MATE_LINE_LEAST_TIME, MATE_LINE_MOST_TIME))
    }

    /// A line that ends before its mate, continued to it if that is found in a small share of the
    /// search's own nodes, and its score if the mate is proven to come sooner. A move alone gets the reply that
    /// the table knows.
    fn complete_line(
        &self,
        line: &[Move],
        score: Score,
        deadline: Option<Instant>,
    ) -> (Vec<Move>, Option<Score>) {
        let Some(plies) = score.plies_to_mate().filter(|&plies| plies > line.len()) else {
            let reply = if let &[mv] = line { self.expected_reply(mv) } else { None };
            return (line.iter().copied().chain(reply).collect(), None);
        };
        let known_move = |position: &Position| {
            let key = self.table_key(position);
            let probe = |key| self.table.probe(key, 0).and_then(|entry| entry.mv);
            probe(key).or_else(|| probe(key ^ FULL_WIDTH_SALT))
        };
        let spent = self.mate_line_nodes.load(Relaxed);
        // What counts are the nodes of the one thread that does this.
        let own = self.counters[0].nodes.load(Relaxed);
        let allowed = (own / MATE_LINE_SHARE).saturating_sub(spent).min(MATE_LINE_NODES);
        let is_late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let mut mate_line = MateLine::new(known_move, is_late, allowed);
        let complete = mate_line.complete(&self.root, line, plies);
        self.mate_line_nodes.fetch_add(allowed - mate_line.nodes_left(), Relaxed);
        let Some(complete) = complete else { return (line.to_vec(), None) };
        let length = complete.moves.len();
        let sooner = if score.is_win() { Score::mate_in(length) } else { Score::mated_in(length) };
        (complete.moves, (complete.is_proven && length < plies).then_some(sooner))
    }
}

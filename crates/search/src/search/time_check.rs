//! Counting nodes and watching the limits.

use super::Worker;
use crate::time::{SoftFactors, TimeBudget};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Nodes between two looks at the clock and the stop signal.
const CHECK_INTERVAL: u64 = 512;
/// The first iteration is finished even when the search is stopped, unless it takes more nodes.
const FIRST_ITERATION_NODES: u64 = 50_000;

/// What the end of an iteration says about beginning another.
#[derive(Clone, Copy)]
pub(super) struct IterationEnd {
    /// The thought spent by then.
    thought: Duration,
    /// By what the soft limit is multiplied.
    factor: f64,
}

impl Worker<'_> {
    /// Counts a node, unless the search has to end, which it notices now and then.
    #[inline(always)]
    pub(super) fn enter_node(&mut self) -> bool {
        if self.stopped {
            return false;
        }
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.check_limits();
        }
        !self.stopped
    }

    #[cold]
    #[inline(never)]
    fn check_limits(&mut self) {
        self.publish_counters();
        if self.id == 0 && self.limits_reached() {
            self.context.control.end();
        }
        let first_iteration = self.completed_depth == 0 && self.nodes < FIRST_ITERATION_NODES;
        let ended = self.context.control.is_stopped() && !first_iteration;
        self.overtaken = !ended && self.context.iterations.depth() >= self.root_depth;
        self.stopped = ended || self.overtaken;
        self.next_check = self.nodes + self.check_interval();
    }

    /// Nodes until the next check; a node limit is kept exactly by a single thread.
    fn check_interval(&self) -> u64 {
        match self.context.limits.nodes {
            Some(limit) if self.id == 0 => {
                let left = limit.saturating_sub(self.context.nodes());
                left.clamp(1, CHECK_INTERVAL)
            }
            _ => CHECK_INTERVAL,
        }
    }

    fn limits_reached(&self) -> bool {
        let context = self.context;
        if context.limits.nodes.is_some_and(|limit| context.nodes() >= limit) {
            return true;
        }
        let Some(elapsed) = context.time_on_clock() else { return false };
        let budget = context.budget();
        // Time spent pondering counts where the clock of a game sets the limits, and a given time for a move is given
        // from the ponder hit on.
        let spent = if budget.soft.is_some() { context.thinking_time() } else { elapsed };
        self.is_soft_limit_passed(&budget) || budget.hard.is_some_and(|hard| spent >= hard)
    }

    /// Makes the counters of this thread visible to the others.
    pub(super) fn publish_counters(&self) {
        let counters = &self.context.counters[self.id];
        counters.nodes.store(self.nodes, Relaxed);
        counters.tablebase_hits.store(self.tablebase_hits, Relaxed);
    }

    /// Takes note of the end of an iteration.
    pub(super) fn end_iteration(&mut self, factors: &SoftFactors) {
        // Time spent pondering counts: thought is thought, whosever clock it ran on.
        let thought = self.context.thinking_time();
        self.iteration_end = Some(IterationEnd { thought, factor: factors.product() });
    }

    /// Whether no iteration was worth beginning after the last one.
    pub(super) fn is_soft_limit_passed(&self, budget: &TimeBudget) -> bool {
        let (Some(soft), Some(end)) = (budget.soft, self.iteration_end) else { return false };
        end.thought >= soft.mul_f64(end.factor)
    }
}

//! Counting nodes and watching the limits.

use super::Worker;
use crate::time::SoftFactors;
use std::sync::atomic::Ordering::Relaxed;

/// Nodes between two looks at the clock and the stop signal.
const CHECK_INTERVAL: u64 = 1024;
/// The first iteration is finished even when the search is stopped, unless it takes more nodes.
const FIRST_ITERATION_NODES: u64 = 50_000;

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
        self.soft_limit_passed || context.budget.hard.is_some_and(|hard| elapsed >= hard)
    }

    /// Makes the counters of this thread visible to the others.
    pub(super) fn publish_counters(&self) {
        let counters = &self.context.counters[self.id];
        counters.nodes.store(self.nodes, Relaxed);
        counters.tablebase_hits.store(self.tablebase_hits, Relaxed);
    }

    /// Whether another iteration is not worth beginning.
    pub(super) fn is_soft_limit_passed(&self, factors: &SoftFactors) -> bool {
        let Some(soft) = self.context.budget.soft else { return false };
        // Time spent pondering counts: thought is thought, whosever clock it ran on.
        self.context.thinking_time() >= soft.mul_f64(factors.product())
    }
}

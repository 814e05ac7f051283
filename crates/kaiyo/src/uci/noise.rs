//! Keeping back lines that say nothing new.

use kaiyo_chess::Move;
use kaiyo_search::{Iteration, MAX_PLY, Score, ScoreBound};
use std::time::Duration;

/// Lines that repeat the last one sooner than this wait, beyond the least depth.
const INTERVAL: Duration = Duration::from_millis(100);
const MIN_DEPTH: u32 = 10;

/// What has been shown of a search, by rank of the line. A decided game makes hundreds of
/// iterations in no time, which nobody can read and some clients choke on.
#[derive(Default)]
pub struct NoiseFilter(Vec<Shown>);

/// What a line has said, and when.
struct Shown {
    score: Score,
    line: Vec<Move>,
    at: Duration,
}

impl NoiseFilter {
    /// Whether a line is worth showing now. The one of the deepest iteration is.
    pub fn passes(&mut self, report: &Iteration) -> bool {
        let rank = report.multi_pv.saturating_sub(1);
        let repeats = self.0.get(rank).is_some_and(|shown| {
            shown.score == report.score
                && shown.line == report.line
                && report.elapsed.saturating_sub(shown.at) < INTERVAL
        });
        let is_deepest = report.depth as usize + 1 >= MAX_PLY;
        let is_shallow = report.depth <= MIN_DEPTH;
        if repeats && report.bound == ScoreBound::Exact && !is_deepest && !is_shallow {
            return false;
        }
        let shown = Shown { score: report.score, line: report.line.clone(), at: report.elapsed };
        match self.0.get_mut(rank) {
            Some(last) => *last = shown,
            // Ranks come in their order.
            None => self.0.push(shown),
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_new_or_late_passes() {
        let mut filter = NoiseFilter::default();
        let mut passes = |depth, multi_pv, score, at| {
            filter.passes(&Iteration {
                depth,
                selective_depth: depth,
                multi_pv,
                score: Score::centipawns(score),
                bound: ScoreBound::Exact,
                nodes: 0,
                elapsed: Duration::from_millis(at),
                hashfull: 0,
                tablebase_hits: 0,
                line: Vec::new(),
            })
        };
        assert!(passes(9, 1, 5, 0) && passes(10, 1, 5, 1) && passes(10, 2, 5, 1));
        assert!(!passes(11, 1, 5, 2) && !passes(11, 2, 5, 2));
        assert!(passes(12, 1, 6, 3) && !passes(12, 2, 5, 3));
        assert!(!passes(13, 1, 6, 102) && passes(14, 1, 6, 103));
        assert!(passes(MAX_PLY as u32 - 1, 1, 6, 104));
    }
}

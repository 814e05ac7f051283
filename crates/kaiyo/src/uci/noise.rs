//! Keeping back iterations that say nothing new.

use kaiyo_chess::Move;
use kaiyo_search::{Iteration, MAX_PLY, Score, ScoreBound};
use std::time::Duration;

/// Iterations that repeat the last one sooner than this wait, beyond the least depth.
const INTERVAL: Duration = Duration::from_millis(100);
const MIN_DEPTH: u32 = 10;

/// What has been shown of a search. A decided game makes hundreds of iterations in no time, which
/// nobody can read and some clients choke on. All lines of an iteration are shown or none: clients
/// put them together by their depth.
#[derive(Default)]
pub struct NoiseFilter {
    /// Scores and moves of the lines, the best first.
    shown: Vec<(Score, Vec<Move>)>,
    at: Duration,
}

impl NoiseFilter {
    /// Whether an iteration with these lines is worth showing now. The deepest one is.
    pub fn passes(&mut self, lines: &[Iteration]) -> bool {
        let Some(best) = lines.first() else { return false };
        if best.bound != ScoreBound::Exact {
            return true;
        }
        let is_deepest = best.depth as usize + 1 >= MAX_PLY;
        let is_shallow = best.depth <= MIN_DEPTH;
        let is_late = best.elapsed.saturating_sub(self.at) >= INTERVAL;
        let said = lines.iter().map(|line| (line.score, &line.line));
        let is_new = !said.eq(self.shown.iter().map(|(score, line)| (*score, line)));
        let passes = is_deepest || is_shallow || is_late || is_new;
        if passes {
            self.shown = lines.iter().map(|line| (line.score, line.line.clone())).collect();
            self.at = best.elapsed;
        }
        passes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(depth: u32, multi_pv: usize, score: i32, at: u64) -> Iteration {
        Iteration {
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
        }
    }

    #[test]
    fn what_is_new_or_late_passes() {
        let mut filter = NoiseFilter::default();
        let mut passes = |depth, score, at| filter.passes(&[line(depth, 1, score, at)]);
        assert!(passes(9, 5, 0) && passes(10, 5, 1));
        assert!(!passes(11, 5, 2));
        assert!(passes(12, 6, 3) && !passes(13, 6, 102) && passes(14, 6, 103));
        assert!(passes(MAX_PLY as u32 - 1, 6, 104));
    }

    #[test]
    fn an_iteration_passes_as_a_whole() {
        let mut filter = NoiseFilter::default();
        let mut passes = |depth, scores: [i32; 2], at| {
            filter.passes(&[line(depth, 1, scores[0], at), line(depth, 2, scores[1], at)])
        };
        assert!(passes(10, [5, 3], 0) && !passes(11, [5, 3], 1));
        assert!(passes(12, [5, 4], 2), "the second line is new");
        assert!(!passes(13, [5, 4], 3) && passes(14, [5, 4], 150));
    }

    #[test]
    fn a_bound_is_shown_and_hides_nothing_after_it() {
        let mut filter = NoiseFilter::default();
        assert!(filter.passes(&[line(12, 1, 5, 0)]));
        let bound = Iteration { bound: ScoreBound::Lower, ..line(13, 1, 9, 1) };
        assert!(filter.passes(std::slice::from_ref(&bound)) && filter.passes(&[bound]));
        assert!(filter.passes(&[line(13, 1, 9, 2)]));
    }
}

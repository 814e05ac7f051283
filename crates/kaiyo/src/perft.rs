//! Perft for people and scripts: counts by first move, and an end when asked.

use kaiyo_chess::{CastlingNotation, Position, perft};
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The longest sequences that may be asked for. Long before it no count ends, and each half-move takes
/// some of the stack.
pub const MAX_DEPTH: u32 = 255;
/// Subtrees of at most this depth are counted without looking at the stop flag.
const UNINTERRUPTED_DEPTH: u32 = 4;

/// The outcome of a count.
pub struct Counted {
    /// Move sequences.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
}

impl Counted {
    /// Move sequences per second.
    pub fn per_second(&self) -> u64 {
        (self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)) as u64
    }
}

/// Counts the legal move sequences of `depth` half-moves, and reports the share of every first
/// move in a line of text. Returns `None` if `stop` was set before the end.
pub fn divide(
    position: &Position,
    depth: u32,
    notation: CastlingNotation,
    stop: &AtomicBool,
    mut report: impl FnMut(&str),
) -> Option<Counted> {
    let start = Instant::now();
    if depth == 0 {
        return Some(Counted { nodes: 1, elapsed: start.elapsed() });
    }
    let mut nodes = 0;
    let mut line = String::new();
    for &mv in &position.legal_moves() {
        let share = count(&position.make(mv), depth - 1, stop)?;
        nodes += share;
        line.clear();
        // Writing to a string cannot fail.
        let _ = write!(line, "{}: {share}", position.uci_text(mv, notation));
        report(&line);
    }
    Some(Counted { nodes, elapsed: start.elapsed() })
}

fn count(position: &Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
    if depth <= UNINTERRUPTED_DEPTH {
        return (!stop.load(Ordering::Relaxed)).then(|| perft(position, depth));
    }
    position.legal_moves().iter().map(|&mv| count(&position.make(mv), depth - 1, stop)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_sum_to_perft() {
        let stop = AtomicBool::new(false);
        let mut lines = 0;
        let counted =
            divide(&Position::start(), 4, CastlingNotation::KingMove, &stop, |_| lines += 1);
        assert_eq!(counted.map(|counted| counted.nodes), Some(197_281));
        assert_eq!(lines, 20);
    }

    #[test]
    fn a_count_can_be_stopped() {
        let stop = AtomicBool::new(true);
        assert!(
            divide(&Position::start(), 30, CastlingNotation::KingMove, &stop, |_| ()).is_none()
        );
    }
}

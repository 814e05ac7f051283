//! How long to think about a move.

use crate::limits::Limits;
use crate::parameters::*;
use kaiyo_chess::Colour;
use std::num::NonZeroU64;
use std::time::Duration;

/// The least time to think.
const MINIMUM: Duration = Duration::from_millis(1);

/// The time limits of one search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TimeBudget {
    /// No new iteration is begun after this, scaled by [`SoftFactors`].
    pub soft: Option<Duration>,
    /// The search is broken off after this.
    pub hard: Option<Duration>,
}

impl TimeBudget {
    /// The budget for `side` at game ply `ply`, counted from the start of the game.
    pub fn new(
        limits: &Limits,
        side: Colour,
        ply: u32,
        overhead: Duration,
        ponder: bool,
        single_move: bool,
    ) -> Self {
        let mut budget = match limits.clock_of(side) {
            Some(clock) => {
                let increment = limits.increment_of(side);
                Self::from_clock(clock, increment, limits.moves_to_go, ply, overhead)
            }
            None => Self::default(),
        };
        if let Some(soft) = &mut budget.soft {
            let factor = if ponder { percent(time_ponder_factor()) } else { 1.0 }
                * if single_move { percent(time_single_move_factor()) } else { 1.0 };
            *soft = soft.mul_f64(factor);
        }
        if let Some(move_time) = limits.move_time {
            let allowed = move_time.saturating_sub(overhead).max(MINIMUM);
            budget.hard = Some(budget.hard.map_or(allowed, |hard| hard.min(allowed)));
        }
        budget
    }

    fn from_clock(
        clock: Duration,
        increment: Duration,
        moves_to_go: Option<u32>,
        ply: u32,
        overhead: Duration,
    ) -> Self {
        // The overhead is lost on this move; more of it will be on the moves to come, but those
        // have their own increments.
        let left = clock.saturating_sub(overhead).max(MINIMUM).as_secs_f64();
        let at_once = increment.as_secs_f64() * percent(time_increment_share());
        let hard_share = left * percent(time_hard_share());
        let overhead = overhead.as_secs_f64();
        let (soft, hard) = match moves_to_go {
            Some(moves) => {
                let moves = f64::from(moves.clamp(1, 50));
                let spare = (left - overhead * (moves - 1.0)).max(left * 0.2);
                let soft = spare / moves + at_once;
                // The last move before the time control may use nearly all that is left.
                (soft, if moves == 1.0 { left * 0.9 } else { hard_share })
            }
            None => {
                // Early moves are worth less thought: the position is known or still flexible.
                let ply = ply.min(1_000) as i32;
                let weight = (time_opening() + time_per_ply() * ply / 10).min(time_weight_max());
                let spare = (left - overhead * f64::from(time_overhead_moves())).max(left * 0.2);
                let share = percent(weight) / f64::from(time_horizon());
                (spare * share + at_once, hard_share)
            }
        };
        let soft_share = if moves_to_go == Some(1) { 0.8 } else { percent(time_soft_share()) };
        let soft = soft.min(left * soft_share);
        let hard =
            hard.min(soft * percent(time_hard_factor())).max(MINIMUM.as_secs_f64()).min(left);
        Self {
            soft: Some(Duration::from_secs_f64(soft)),
            hard: Some(Duration::from_secs_f64(hard)),
        }
    }
}

/// A clock that runs by nodes instead of time, so that games do not depend on how busy the
/// machine is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NodesTime {
    nodes_per_millisecond: Option<NonZeroU64>,
    running: Option<RunningClock>,
}

/// A clock of [`NodesTime`] after a move.
#[derive(Clone, Copy, Debug)]
struct RunningClock {
    side: Colour,
    /// What it showed before the move.
    left: Duration,
    increment: Duration,
    moves_to_go: Option<u32>,
}

impl NodesTime {
    /// A clock with so many nodes for a millisecond; 0 for one that does not run by nodes.
    pub fn new(nodes_per_millisecond: u64) -> Self {
        Self { nodes_per_millisecond: NonZeroU64::new(nodes_per_millisecond), running: None }
    }

    /// How many nodes stand for a millisecond.
    pub const fn nodes_per_millisecond(&self) -> Option<NonZeroU64> {
        self.nodes_per_millisecond
    }

    /// The next move is the first of a game.
    pub const fn new_game(&mut self) {
        self.running = None;
    }

    /// Puts this clock in place of the client's, which has shown the real time since the first
    /// move. `spent` are the nodes that the last search took on this clock; none if it pondered in
    /// vain and was never on it.
    pub fn replace_clock(&mut self, limits: &mut Limits, side: Colour, spent: Option<u64>) {
        let Some(nodes) = self.nodes_per_millisecond else { return };
        let Some(shown) = limits.clock[side.index()] else {
            self.running = None;
            return;
        };
        let left = match self.running {
            // More moves to go than before: the client's clock has got more time.
            Some(last) if last.side == side && limits.moves_to_go <= last.moves_to_go => spent
                .map_or(last.left, |spent| {
                    let spent = Duration::from_micros(spent.saturating_mul(1000) / nodes);
                    last.left.saturating_sub(spent) + last.increment
                }),
            _ => shown,
        };
        limits.clock[side.index()] = Some(left);
        let increment = limits.increment_of(side);
        self.running =
            Some(RunningClock { side, left, increment, moves_to_go: limits.moves_to_go });
    }
}

/// What the search has seen that makes a move easier or harder to decide.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SoftFactors {
    /// Iterations since the best move changed.
    pub stable_iterations: u32,
    /// Decaying count of changes of the best move in the last iterations.
    pub best_move_changes: f64,
    /// Centipawns the score has fallen below its earlier average.
    pub falling: i32,
    /// Share of all nodes spent on the best move.
    pub best_move_nodes: f64,
}

impl SoftFactors {
    /// The factor by which the soft limit is multiplied.
    pub fn product(&self) -> f64 {
        let stable = self.stable_iterations.min(8) as i32;
        let stability = percent(time_stability_base() - time_stability_step() * stable);
        let changes = 1.0 + percent(time_per_change()) * self.best_move_changes.min(2.0);
        let falling = (1.0 + f64::from(self.falling) / f64::from(time_falling()))
            .clamp(percent(time_falling_min()), percent(time_falling_max()));
        let effort = percent(time_effort_base()) - percent(time_effort()) * self.best_move_nodes;
        stability * changes * falling * effort.max(percent(time_effort_min()))
    }
}

fn percent(value: i32) -> f64 {
    f64::from(value) / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn budget(clock: u64, increment: u64, moves_to_go: Option<u32>) -> TimeBudget {
        let mut limits = Limits { moves_to_go, ..Limits::default() };
        limits.clock[0] = Some(ms(clock));
        limits.increment[0] = ms(increment);
        TimeBudget::new(&limits, Colour::White, 20, ms(20), false, false)
    }

    #[test]
    fn the_clock_is_never_overrun() {
        for clock in [0, 1, 5, 20, 21, 50, 100, 1_000, 60_000, 10_000_000] {
            for increment in [0, 10, 1_000, 100_000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let budget = budget(clock, increment, moves_to_go);
                    let (soft, hard) = (budget.soft.unwrap(), budget.hard.unwrap());
                    let left = ms(clock).saturating_sub(ms(20)).max(MINIMUM);
                    assert!(hard <= left, "{clock}+{increment} {moves_to_go:?}: {hard:?}");
                    assert!(soft <= left);
                }
            }
        }
    }

    #[test]
    fn a_minute_is_spread_over_the_game() {
        let soft = budget(60_000, 0, None).soft.unwrap();
        assert!(soft > ms(800) && soft < ms(3_000), "{soft:?}");
        let with_increment = budget(60_000, 1_000, None).soft.unwrap();
        assert!(with_increment > soft + ms(500));
    }

    #[test]
    fn limits_compose() {
        let mut limits = Limits::move_time(ms(100));
        limits.clock[0] = Some(ms(100_000));
        let budget = TimeBudget::new(&limits, Colour::White, 0, ms(0), false, false);
        assert_eq!(budget.hard, Some(ms(100)));
        assert!(budget.soft.is_some());
        let other_side = TimeBudget::new(&limits, Colour::Black, 0, ms(0), false, false);
        assert_eq!(other_side, TimeBudget { soft: None, hard: Some(ms(100)) });
        let unlimited = TimeBudget::new(&Limits::depth(3), Colour::White, 0, ms(9), false, false);
        assert_eq!(unlimited, TimeBudget::default());
    }

    #[test]
    fn a_clock_of_nodes_goes_on_from_where_it_was() {
        let mut clock = NodesTime::new(10);
        let mut left = |shown, moves_to_go, side, spent| {
            let mut limits = Limits { moves_to_go, ..Limits::default() };
            limits.clock = [Some(ms(shown)); 2];
            limits.increment = [ms(5); 2];
            clock.replace_clock(&mut limits, side, spent);
            limits.clock[side.index()].unwrap()
        };
        assert_eq!(left(1000, None, Colour::White, Some(77_777)), ms(1000));
        assert_eq!(left(1, None, Colour::White, Some(3_000)), ms(1000 - 300 + 5));
        // The expected move was not played.
        assert_eq!(left(1, None, Colour::White, None), ms(1000 - 300 + 5));
        assert_eq!(left(1, None, Colour::White, Some(99_000)), ms(5));
        // Another side is another game, and more moves to go another time control.
        assert_eq!(left(500, Some(2), Colour::Black, Some(0)), ms(500));
        assert_eq!(left(1, Some(1), Colour::Black, Some(1_000)), ms(500 - 100 + 5));
        assert_eq!(left(900, Some(40), Colour::Black, Some(1_000)), ms(900));
    }

    #[test]
    fn easy_moves_get_less_time_than_hard_ones() {
        let easy = SoftFactors {
            stable_iterations: 10,
            best_move_changes: 0.0,
            falling: -20,
            best_move_nodes: 0.95,
        };
        let hard = SoftFactors {
            stable_iterations: 0,
            best_move_changes: 1.5,
            falling: 60,
            best_move_nodes: 0.3,
        };
        assert!(easy.product() < 0.6 && hard.product() > 2.0);
    }
}

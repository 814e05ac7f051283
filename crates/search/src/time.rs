//! How long to think about a move.

use crate::limits::Limits;
use crate::parameters::*;
use kaiyo_chess::Colour;
use std::num::NonZeroU64;
use std::time::Duration;

/// The least time to think.
const MINIMUM: Duration = Duration::from_millis(1);

/// Moves to the next time control for which time is kept back at most.
const MOVES_TO_GO_MAX: u32 = 50;
/// The share of the time left that is not given up to the overhead of moves to come.
const SPARE_SHARE_MIN: f64 = 0.2;
/// The last move before a time control may use nearly all that is left.
const LAST_MOVE_SOFT_SHARE: f64 = 0.8;
const LAST_MOVE_HARD_SHARE: f64 = 0.9;
/// Iterations with the same best move after which more of them say nothing new, and changes of it likewise.
const STABLE_ITERATIONS_MAX: u32 = 8;
const CHANGES_MAX: f64 = 2.0;

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
    pub fn new(limits: &Limits, side: Colour, ply: u32, overhead: Duration, ponder: bool) -> Self {
        let mut budget = match limits.clock_of(side) {
            Some(clock) => {
                let increment = limits.increment_of(side);
                Self::from_clock(clock, increment, limits.moves_to_go, ply, overhead)
            }
            None => Self::default(),
        };
        if ponder && let Some(soft) = &mut budget.soft {
            *soft = soft.mul_f64(percent(time_ponder_factor()));
        }
        if let Some(move_time) = limits.move_time {
            let allowed = move_time.saturating_sub(overhead).max(MINIMUM);
            budget.hard = Some(budget.hard.map_or(allowed, |hard| hard.min(allowed)));
        }
        budget
    }

    /// The same where there is only one move to play.
    #[must_use]
    pub fn for_single_move(self) -> Self {
        let shorter = |soft: Duration| soft.mul_f64(percent(time_single_move_factor()));
        Self { soft: self.soft.map(shorter), ..self }
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
                let moves = f64::from(moves.clamp(1, MOVES_TO_GO_MAX));
                let lost = overhead * (moves - 1.0);
                let spare = (left - lost).max(left * SPARE_SHARE_MIN);
                let soft = (spare / moves + at_once) * thrift(lost, left);
                (soft, if moves == 1.0 { left * LAST_MOVE_HARD_SHARE } else { hard_share })
            }
            None => {
                // Early moves are worth less thought: the position is known or still flexible.
                let ply = ply.min(1_000) as i32;
                let weight = (time_opening() + time_per_ply() * ply / 10).min(time_weight_max());
                let lost = overhead * f64::from(time_overhead_moves());
                let spare = (left - lost).max(left * SPARE_SHARE_MIN);
                let share = percent(weight) / f64::from(time_horizon());
                ((spare * share + at_once) * thrift(lost, left), hard_share)
            }
        };
        let soft_share =
            if moves_to_go == Some(1) { LAST_MOVE_SOFT_SHARE } else { percent(time_soft_share()) };
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
    /// Whether what the last move has spent is taken off already.
    settled: bool,
}

impl RunningClock {
    /// What is left after a move that has `spent` so many nodes on this clock; none if it was never on it.
    fn left_after(&self, spent: Option<u64>, nodes_per_millisecond: NonZeroU64) -> Duration {
        let Some(spent) = spent.filter(|_| !self.settled) else { return self.left };
        let spent = Duration::from_micros(spent.saturating_mul(1000) / nodes_per_millisecond);
        self.left.saturating_sub(spent) + self.increment
    }

    /// Whether a clock that shows so many moves to go has got the time of another control since.
    fn is_over_at(&self, moves_to_go: Option<u32>) -> bool {
        match (self.moves_to_go, moves_to_go) {
            (None, None) => false,
            (Some(before), Some(now)) => now > before || before == 1,
            _ => true,
        }
    }
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
            // A search without a clock, in the midst of a game.
            if let Some(last) = &mut self.running {
                (last.left, last.settled) = (last.left_after(spent, nodes), true);
            }
            return;
        };
        let left = match self.running {
            Some(last) if last.side == side && !last.is_over_at(limits.moves_to_go) => {
                last.left_after(spent, nodes)
            }
            _ => shown,
        };
        limits.clock[side.index()] = Some(left);
        let increment = limits.increment_of(side);
        let moves_to_go = limits.moves_to_go;
        self.running = Some(RunningClock { side, left, increment, moves_to_go, settled: false });
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
        let stable = self.stable_iterations.min(STABLE_ITERATIONS_MAX) as i32;
        let stability = percent(time_stability_base() - time_stability_step() * stable);
        let changes = 1.0 + percent(time_per_change()) * self.best_move_changes.min(CHANGES_MAX);
        let falling = (1.0 + f64::from(self.falling) / f64::from(time_falling()))
            .clamp(percent(time_falling_min()), percent(time_falling_max()));
        let effort = percent(time_effort_base()) - percent(time_effort()) * self.best_move_nodes;
        stability * changes * falling * effort.max(percent(time_effort_min()))
    }
}

/// The share of its time that a move may spend if less is left than what moves to come will lose: increments have to
/// make up for that. It falls so steeply that some tens of milliseconds stay for a machine that is too busy to
/// answer at once.
fn thrift(lost: f64, left: f64) -> f64 {
    if left < lost { (left / lost).powi(3) } else { 1.0 }
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
        TimeBudget::new(&limits, Colour::White, 20, ms(20), false)
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

    /// A busy machine takes of each move what its increment brings.
    #[test]
    fn a_reserve_stays_where_moves_lose_time() {
        let mut limits = Limits::default();
        let (mut clock, increment, lag) = (ms(500), ms(5), ms(5));
        limits.increment[0] = increment;
        for ply in (0..400).step_by(2) {
            limits.clock[0] = Some(clock);
            let budget = TimeBudget::new(&limits, Colour::White, ply, ms(20), true);
            clock = clock + increment - lag - budget.soft.unwrap();
            assert!(clock > ms(60), "{clock:?} at ply {ply}");
        }
        assert!(clock < ms(200));
    }

    #[test]
    fn a_minute_is_spread_over_the_game() {
        let soft = budget(60_000, 0, None).soft.unwrap();
        assert!(soft > ms(800) && soft < ms(3_000), "{soft:?}");
        let with_increment = budget(60_000, 1_000, None).soft.unwrap();
        assert!(with_increment > soft + ms(500));
    }

    #[test]
    fn pondering_gives_more_time_and_a_single_move_takes_little() {
        let (ponder_factor, single_factor) =
            (percent(time_ponder_factor()), percent(time_single_move_factor()));
        for clock in [0, 1, 50, 1_000, 60_000] {
            for moves_to_go in [None, Some(1), Some(40)] {
                let mut limits = Limits { moves_to_go, ..Limits::default() };
                limits.clock[0] = Some(ms(clock));
                let budget = |ponder, single_move| {
                    let budget = TimeBudget::new(&limits, Colour::White, 20, ms(20), ponder);
                    if single_move { budget.for_single_move() } else { budget }
                };
                let usual = budget(false, false);
                let left = ms(clock).saturating_sub(ms(20)).max(MINIMUM);
                for (ponder, single_move, factor) in [
                    (false, false, 1.0),
                    (true, false, ponder_factor),
                    (false, true, single_factor),
                    (true, true, ponder_factor * single_factor),
                ] {
                    let TimeBudget { soft, hard } = budget(ponder, single_move);
                    let (soft, expected) = (soft.unwrap(), usual.soft.unwrap().mul_f64(factor));
                    let case = format!("{clock} {moves_to_go:?} {ponder} {single_move}: {soft:?}");
                    assert!(soft.abs_diff(expected) <= Duration::from_nanos(10), "{case}");
                    assert!(soft <= left && hard == usual.hard, "{case}");
                }
            }
        }
        assert!(ponder_factor > 1.0 && ponder_factor * single_factor < 0.5);
    }

    #[test]
    fn limits_compose() {
        let mut limits = Limits::move_time(ms(100));
        limits.clock[0] = Some(ms(100_000));
        let budget = TimeBudget::new(&limits, Colour::White, 0, ms(0), false);
        assert_eq!(budget.hard, Some(ms(100)));
        assert!(budget.soft.is_some());
        let other_side = TimeBudget::new(&limits, Colour::Black, 0, ms(0), false);
        assert_eq!(other_side, TimeBudget { soft: None, hard: Some(ms(100)) });
        let unlimited = TimeBudget::new(&Limits::depth(3), Colour::White, 0, ms(9), false);
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
        // The last move of a control is followed by another one, of the same or another kind.
        assert_eq!(left(1, Some(1), Colour::Black, Some(1_000)), ms(900 - 100 + 5));
        assert_eq!(left(700, Some(1), Colour::Black, Some(1_000)), ms(700));
        assert_eq!(left(600, None, Colour::Black, Some(1_000)), ms(600));
    }

    #[test]
    fn a_clock_of_nodes_stands_still_without_a_clock() {
        let mut clock = NodesTime::new(10);
        let mut left = |shown: Option<u64>, spent| {
            let mut limits = Limits { clock: [shown.map(ms), None], ..Limits::default() };
            clock.replace_clock(&mut limits, Colour::White, spent);
            limits.clock[0]
        };
        assert_eq!(left(Some(1000), None), Some(ms(1000)));
        // What the move has spent is taken off once, and what other searches spend is not.
        assert_eq!(left(None, Some(1_000)), None);
        assert_eq!(left(None, Some(5_000)), None);
        assert_eq!(left(Some(1), Some(5_000)), Some(ms(900)));
        assert_eq!(left(Some(1), Some(1_000)), Some(ms(800)));
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

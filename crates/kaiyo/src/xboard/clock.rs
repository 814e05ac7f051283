//! Time controls and clocks.

use crate::uci::text::words;
use kaiyo_chess::Colour;
use kaiyo_search::Limits;
use std::time::Duration;

/// How the time is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// A clock, as `level` sets it.
    Clock {
        /// Moves until the clock gets `base` again, or none for the whole game.
        moves: Option<u32>,
        /// Time at the start.
        base: Duration,
        /// Time gained with every move.
        increment: Duration,
    },
    /// Time for each move, as `st` sets it.
    PerMove(Duration),
}

impl TimeControl {
    /// What a game has that nobody has set a time for.
    pub const DEFAULT: Self =
        Self::Clock { moves: Some(40), base: Duration::from_secs(300), increment: Duration::ZERO };

    /// Reads `moves base increment`, in which base is in minutes or minutes and seconds, and the
    /// increment in seconds.
    pub fn level(arguments: &str) -> Option<Self> {
        let mut words = words(arguments);
        let moves: u32 = words.next()?.parse().ok()?;
        let base = words.next()?;
        let (minutes, extra) = match base.split_once(':') {
            Some((minutes, extra)) => (minutes, seconds(extra)?),
            None => (base, Duration::ZERO),
        };
        let base = seconds(minutes)?.saturating_mul(60).saturating_add(extra);
        let increment = seconds(words.next().unwrap_or("0"))?;
        Some(Self::Clock { moves: (moves > 0).then_some(moves), base, increment })
    }

    /// Reads a number of seconds.
    pub fn per_move(arguments: &str) -> Option<Self> {
        seconds(words(arguments).next()?).map(Self::PerMove)
    }
}

/// Reads seconds, whole or not. Beyond a month nothing is told apart.
fn seconds(text: &str) -> Option<Duration> {
    const MAX: f64 = 31.0 * 86_400.0;
    let seconds: f64 = text.parse().ok()?;
    (seconds >= 0.0).then(|| Duration::from_secs_f64(seconds.min(MAX)))
}

/// What is known about the clocks of a game.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    control: TimeControl,
    /// What the engine's clock shows, as the client has told or by the moves since then.
    own: Duration,
    /// What the opponent's clock shows, if the client has told.
    opponent: Option<Duration>,
    depth: Option<u32>,
}

impl Clocks {
    /// Clocks before a game with the time control that is usual.
    pub const NEW: Self = Self::before(TimeControl::DEFAULT);

    const fn before(control: TimeControl) -> Self {
        let own = match control {
            TimeControl::Clock { base, .. } => base,
            TimeControl::PerMove(time) => time,
        };
        Self { control, own, opponent: None, depth: None }
    }

    /// Clocks before another game with the same time control.
    pub const fn for_new_game(&self) -> Self {
        Self::before(self.control)
    }

    /// Changes the time control.
    pub const fn set_control(&mut self, control: TimeControl) {
        *self = Self { depth: self.depth, ..Self::before(control) };
    }

    /// Limits the depth of searches.
    pub const fn set_depth(&mut self, depth: u32) {
        self.depth = Some(depth);
    }

    /// The engine's clock shows this.
    pub const fn set_own(&mut self, left: Duration) {
        self.own = left;
    }

    /// The opponent's clock shows this.
    pub const fn set_opponent(&mut self, left: Duration) {
        self.opponent = Some(left);
    }

    /// The engine has moved after so much thought, and made so many moves by now.
    pub fn move_made(&mut self, thought: Duration, moves_made: u32) {
        let TimeControl::Clock { moves, base, increment } = self.control else { return };
        let is_control = moves.is_some_and(|moves| moves_made.is_multiple_of(moves));
        let gained = if is_control { increment.saturating_add(base) } else { increment };
        self.own = self.own.saturating_sub(thought).saturating_add(gained);
    }

    /// The limits of the engine's next search as `side`, which has made so many moves.
    pub fn limits(&self, side: Colour, moves_made: u32) -> Limits {
        let mut limits = Limits { depth: self.depth, ..Limits::default() };
        match self.control {
            TimeControl::PerMove(time) => limits.move_time = Some(time),
            TimeControl::Clock { moves, increment, .. } => {
                limits.clock[side.index()] = Some(self.own);
                limits.clock[(!side).index()] = Some(self.opponent.unwrap_or(self.own));
                limits.increment = [increment; 2];
                limits.moves_to_go = moves.map(|moves| moves - moves_made % moves);
            }
        }
        limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn clock(moves: Option<u32>, base: u64, increment: u64) -> TimeControl {
        let (base, increment) = (Duration::from_millis(base), Duration::from_millis(increment));
        TimeControl::Clock { moves, base, increment }
    }

    #[test]
    fn time_controls_are_read() {
        for (text, expected) in [
            ("40 5 0", Some(clock(Some(40), 300_000, 0))),
            ("0 2 12", Some(clock(None, 120_000, 12_000))),
            ("40 0:30 0", Some(clock(Some(40), 30_000, 0))),
            ("0 0:05 0.1", Some(clock(None, 5_000, 100))),
            ("0 1", Some(clock(None, 60_000, 0))),
            ("0 -1 0", None),
            ("0 nan 0", None),
            ("", None),
            ("40", None),
        ] {
            assert_eq!(TimeControl::level(text), expected, "{text}");
        }
        assert!(TimeControl::level("1 1e300 inf").is_some(), "any number is survived");
        let half = TimeControl::PerMove(Duration::from_millis(500));
        assert_eq!(TimeControl::per_move("0.5"), Some(half));
    }

    #[test]
    fn limits_follow_the_clocks() {
        let mut clocks = Clocks::NEW;
        clocks.set_control(clock(Some(40), 60_000, 1_000));
        let limits = clocks.limits(Colour::Black, 41);
        assert_eq!(limits.clock, [Some(Duration::from_secs(60)); 2]);
        assert_eq!(limits.moves_to_go, Some(39));
        clocks.set_own(Duration::from_secs(10));
        clocks.set_opponent(Duration::from_secs(20));
        clocks.move_made(Duration::from_secs(4), 42);
        let limits = clocks.limits(Colour::Black, 42);
        assert_eq!(limits.clock, [Some(Duration::from_secs(20)), Some(Duration::from_secs(7))]);
        clocks.set_control(TimeControl::PerMove(Duration::from_secs(2)));
        clocks.set_depth(5);
        let limits = clocks.limits(Colour::White, 0);
        assert_eq!((limits.move_time, limits.depth), (Some(Duration::from_secs(2)), Some(5)));
        assert_eq!(limits.clock, [None; 2]);
        assert_eq!(clocks.for_new_game().limits(Colour::White, 0).depth, None);
    }

    #[test]
    fn the_clock_gets_the_base_again_at_each_control() {
        let mut clocks = Clocks::NEW;
        // The client tells of no clock.
        clocks.set_control(clock(Some(2), 300_000, 1_000));
        let mut left_after = |moves_made| {
            clocks.move_made(Duration::from_secs(11), moves_made);
            let limits = clocks.limits(Colour::White, moves_made);
            (limits.clock_of(Colour::White).unwrap().as_secs(), limits.moves_to_go.unwrap())
        };
        assert_eq!(left_after(1), (290, 1));
        assert_eq!(left_after(2), (580, 2));
        assert_eq!(left_after(3), (570, 1));
        assert_eq!(left_after(4), (860, 2));
        let next = clocks.for_new_game().limits(Colour::White, 0);
        assert_eq!(next.clock_of(Colour::White), Some(Duration::from_secs(300)));
        clocks.set_control(clock(None, 20_000, 1_000));
        clocks.move_made(Duration::from_secs(11), 40);
        let limits = clocks.limits(Colour::White, 40);
        assert_eq!(limits.clock_of(Colour::White), Some(Duration::from_secs(10)));
    }
}

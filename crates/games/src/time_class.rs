//! Speeds of games.

/// How fast a game is played, by the time that a side has for 40 moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeClass {
    /// Under three minutes.
    Bullet,
    /// Under eight minutes.
    Blitz,
    /// Under twenty-five minutes.
    Rapid,
    /// More.
    Classical,
}

impl TimeClass {
    /// All classes, the fastest first.
    pub const ALL: [Self; 4] = [Self::Bullet, Self::Blitz, Self::Rapid, Self::Classical];

    /// The name of the class.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bullet => "bullet",
            Self::Blitz => "blitz",
            Self::Rapid => "rapid",
            Self::Classical => "classical",
        }
    }

    /// The class with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }

    /// The class of a time control as PGN writes it: `300+3`, `40/7200:3600`, `60`. `None` when
    /// there is no clock, or an hourglass.
    pub fn from_time_control(text: &str) -> Option<Self> {
        let (first, _) = text.split_once(':').unwrap_or((text, ""));
        let (moves, time) = first.split_once('/').unwrap_or(("40", first));
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let number = |text: &str| text.parse::<f64>().ok().filter(|number| *number >= 0.0);
        let per_move = number(base)? / number(moves)?.max(1.0) + number(increment)?;
        let seconds = 40.0 * per_move;
        seconds.is_finite().then(|| Self::of_seconds(seconds))
    }

    /// The class of a time control with so many seconds for 40 moves.
    pub const fn of_seconds(seconds: f64) -> Self {
        match seconds {
            ..180.0 => Self::Bullet,
            ..480.0 => Self::Blitz,
            ..1500.0 => Self::Rapid,
            _ => Self::Classical,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_time_controls() {
        for (text, class) in [
            ("60", Some(TimeClass::Bullet)),
            ("60+3", Some(TimeClass::Blitz)),
            ("300+0", Some(TimeClass::Blitz)),
            ("600+5", Some(TimeClass::Rapid)),
            ("40/7200:20/3600", Some(TimeClass::Classical)),
            ("20/900", Some(TimeClass::Classical)),
            ("1/60", Some(TimeClass::Classical)),
            ("80/600", Some(TimeClass::Blitz)),
            ("nan", None),
            ("-60", None),
            ("-", None),
            ("?", None),
            ("*180", None),
            ("", None),
        ] {
            assert_eq!(TimeClass::from_time_control(text), class, "{text}");
        }
    }

    #[test]
    fn names_are_read_back() {
        for class in TimeClass::ALL {
            assert_eq!(TimeClass::from_name(class.name()), Some(class));
        }
        assert_eq!(TimeClass::from_name("unknown"), None);
    }
}

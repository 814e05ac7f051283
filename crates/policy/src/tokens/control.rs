//! What is known of a game before its first move, as tokens.

use super::moves::Token;
use core::fmt;

/// Cells of a player: unknown, engine, ratings.
const PLAYER_CELLS: usize = 2 + Rating::STEPS;
const TIME_CONTROL_CELLS: usize = TimeControl::ALL.len();
const START_PLANE: usize = 64;
const FIRST_PLAYER_PLANE: usize = 65;
const SECOND_PLAYER_PLANE: usize = 66;

/// A human's rating, in steps of 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rating(u16);

impl Rating {
    /// The lowest one.
    pub const MIN: Self = Self(400);
    /// The highest one.
    pub const MAX: Self = Self(3600);
    const STEP: u16 = 100;
    const STEPS: usize = ((Self::MAX.0 - Self::MIN.0) / Self::STEP) as usize + 1;

    /// The step nearest to `elo`; from [`Self::MIN`] to [`Self::MAX`].
    pub fn nearest(elo: u32) -> Self {
        let elo = elo.clamp(Self::MIN.0.into(), Self::MAX.0.into()) as u16;
        Self((elo + Self::STEP / 2) / Self::STEP * Self::STEP)
    }

    /// The step nearest to `elo`, or `None` if there is no rating like that.
    pub fn within(elo: u32) -> Option<Self> {
        (Self::MIN.0.into()..=Self::MAX.0.into()).contains(&elo).then(|| Self::nearest(elo))
    }

    /// In Elo points.
    pub const fn elo(self) -> u16 {
        self.0
    }

    const fn step(self) -> usize {
        ((self.0 - Self::MIN.0) / Self::STEP) as usize
    }
}

/// Who plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Player {
    /// Nothing is known.
    #[default]
    Unknown,
    /// A chess engine.
    Engine,
    /// A human with this rating.
    Human(Rating),
}

impl Player {
    /// The player with this name, which is a rating, or as it is shown.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "unknown" => Some(Self::Unknown),
            "engine" => Some(Self::Engine),
            rating => rating.parse().ok().and_then(Rating::within).map(Self::Human),
        }
    }

    const fn cell(self) -> usize {
        match self {
            Self::Unknown => 0,
            Self::Engine => 1,
            Self::Human(rating) => 2 + rating.step(),
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("unknown"),
            Self::Engine => f.write_str("engine"),
            Self::Human(rating) => write!(f, "{}", rating.elo()),
        }
    }
}

/// Class of a time control; the parent module has the bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum TimeControl {
    #[default]
    Unknown,
    Bullet,
    Blitz,
    Rapid,
    Classical,
    Correspondence,
}

impl TimeControl {
    /// Every class, in the order of the tokens.
    pub const ALL: [Self; 6] = [
        Self::Unknown,
        Self::Bullet,
        Self::Blitz,
        Self::Rapid,
        Self::Classical,
        Self::Correspondence,
    ];

    /// Its name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Bullet => "bullet",
            Self::Blitz => "blitz",
            Self::Rapid => "rapid",
            Self::Classical => "classical",
            Self::Correspondence => "correspondence",
        }
    }

    /// The class with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What is known of a game before its first move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Conditions {
    /// Who plays White.
    pub white: Player,
    /// Who plays Black.
    pub black: Player,
    /// How much time they have.
    pub time_control: TimeControl,
}

impl Conditions {
    /// Both players are humans of this rating.
    pub fn rated(rating: Rating) -> Self {
        let player = Player::Human(rating);
        Self { white: player, black: player, ..Self::default() }
    }

    /// The control tokens of a game in which White moves first, or Black.
    pub(super) const fn tokens(&self, white_first: bool) -> [Token; 4] {
        let (first, second) =
            if white_first { (self.white, self.black) } else { (self.black, self.white) };
        [
            Token::cell(START_PLANE, 0),
            Token::cell(FIRST_PLAYER_PLANE, first.cell()),
            Token::cell(SECOND_PLAYER_PLANE, second.cell()),
            Token::cell(START_PLANE, 1 + self.time_control as usize),
        ]
    }

    /// Whether this is a control token.
    pub const fn is_control(token: Token) -> bool {
        let cell = token.index() % 64;
        match token.index() / 64 {
            START_PLANE => cell <= TIME_CONTROL_CELLS,
            FIRST_PLAYER_PLANE | SECOND_PLAYER_PLANE => cell < PLAYER_CELLS,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indices(conditions: &Conditions, white_first: bool) -> [usize; 4] {
        conditions.tokens(white_first).map(Token::index)
    }

    #[test]
    fn ratings_are_rounded_to_steps() {
        let elo = |elo| Rating::nearest(elo).elo();
        assert_eq!([0, 449, 450, 600, 1549, 1550].map(elo), [400, 400, 500, 600, 1500, 1600]);
        assert_eq!([3000, 3600, u32::MAX].map(elo), [3000, 3600, 3600]);
    }

    #[test]
    fn tokens_are_those_of_the_table() {
        assert_eq!(indices(&Conditions::default(), true), [4096, 4160, 4224, 4097]);
        let conditions = Conditions {
            white: Player::Human(Rating::nearest(3600)),
            black: Player::Engine,
            time_control: TimeControl::Correspondence,
        };
        assert_eq!(indices(&conditions, true), [4096, 4194, 4225, 4102]);
        assert_eq!(indices(&conditions, false), [4096, 4161, 4258, 4102]);
        assert_eq!(
            indices(&Conditions::rated(Rating::nearest(400)), true),
            [4096, 4162, 4226, 4097]
        );
    }

    #[test]
    fn control_tokens_are_counted() {
        let controls = (0..super::super::VOCABULARY)
            .filter_map(Token::from_index)
            .filter(|&token| Conditions::is_control(token))
            .count();
        assert_eq!(controls, 1 + 6 + 2 * 35);
    }

    #[test]
    fn time_controls_have_names() {
        for class in TimeControl::ALL {
            assert_eq!(TimeControl::from_name(class.name()), Some(class));
        }
        assert_eq!(TimeControl::from_name("fast"), None);
    }
}

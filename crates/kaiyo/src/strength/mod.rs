//! Playing weaker than the engine can, as people do.
//!
//! A player of a rating is made of two things: habits, which are what the transformer says that
//! people of the rating play, and a short search, which tells how much worse each move is than
//! the best. A move is likely as far as it is a habit, and less so the worse it is
//! ([`choice::probabilities`]); with the rating grow the search and the care ([`ladder`]). Below
//! about 1500 habits prevail, and near the top the search does.

mod choice;
mod ladder;
mod listener;

pub use ladder::{MAX_ELO, MIN_ELO};
pub use listener::{Choice, ChoosingListener};

use choice::Taste;
use kaiyo_chess::{Colour, Game, Position, Random};
use kaiyo_policy::tokens::{Conditions, Player, Rating, TimeControl};
use kaiyo_search::{Limits, MAX_MULTI_PV};
use ladder::Handicap;

/// The highest skill level, which is full strength.
pub const MAX_SKILL_LEVEL: u8 = 20;
/// Elo of the lowest skill level, and of a step.
const SKILL_ELO: u16 = 800;
const SKILL_STEP: u16 = 110;

/// How many times more a player sees, and cares, where technique is all.
const TECHNIQUE: f64 = 10.0;

/// The rating to play at where nobody says.
pub const DEFAULT_ELO: u16 = 1500;

/// What a client wants of the strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrengthSettings {
    /// Whether `elo` counts.
    pub limited: bool,
    /// The rating to play at.
    pub elo: u16,
    /// From 0 to [`MAX_SKILL_LEVEL`].
    pub skill_level: u8,
    /// Play as humans of this rating do, whatever a search says; 0 for not at all.
    pub self_elo: u16,
    /// The rating of their opponents; 0 for the same.
    pub opponent_elo: u16,
    /// How far from the likeliest moves they go, for `self_elo`.
    pub temperature: f64,
    /// Share of the likeliest moves that they consider, for `self_elo`.
    pub top_p: f64,
    /// What the random choices depend on, beside the game; 0 for others every time.
    pub seed: u64,
}

impl Default for StrengthSettings {
    fn default() -> Self {
        Self {
            limited: false,
            elo: DEFAULT_ELO,
            skill_level: MAX_SKILL_LEVEL,
            self_elo: 0,
            opponent_elo: 0,
            temperature: 1.0,
            top_p: 1.0,
            seed: 0,
        }
    }
}

impl StrengthSettings {
    /// The random numbers for a move in this game.
    pub fn random(&self, game: &Game) -> Random {
        match self.seed {
            0 => Random::from_entropy(),
            seed => Random::new(seed ^ game.position().keys().full ^ game.moves().len() as u64),
        }
    }
}

/// How a player who is not at full strength plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Whose habits the moves come from.
    rating: Rating,
    /// Whom the client wants them to face.
    opponent: Option<Rating>,
    /// Positions of the search and its lines.
    nodes: u64,
    lines: usize,
    taste: Taste,
}

impl Style {
    /// The style that is asked for, or `None` for full strength.
    pub fn new(settings: &StrengthSettings) -> Option<Self> {
        if settings.self_elo > 0 {
            return Some(Self::human(settings));
        }
        let skill = (settings.skill_level < MAX_SKILL_LEVEL)
            .then(|| SKILL_ELO + SKILL_STEP * u16::from(settings.skill_level));
        let elo = if settings.limited { Some(settings.elo) } else { skill }?;
        let handicap = Handicap::of_elo(elo);
        Some(Self {
            rating: handicap.rating,
            opponent: None,
            nodes: handicap.nodes,
            lines: handicap.lines,
            taste: Taste { carelessness: handicap.carelessness, ..Taste::BY_HABIT },
        })
    }

    /// The style in this position. Mating a bare king is a technique that people have learnt: they see and
    /// care much more there than elsewhere.
    #[must_use]
    pub fn in_position(self, position: &Position) -> Self {
        let is_bare = |colour| position.colour(colour).len() == 1;
        // Who follows habits alone does so here as well.
        if self.taste.carelessness.is_infinite() || !Colour::ALL.into_iter().any(is_bare) {
            return self;
        }
        let Self { nodes, taste, .. } = self;
        let carelessness = taste.carelessness / TECHNIQUE;
        Self {
            nodes: nodes.saturating_mul(TECHNIQUE as u64),
            taste: Taste { carelessness, counts_progress: true, ..taste },
            ..self
        }
    }

    /// The style where habits are not known: by them alone, any move would be as good as any other.
    #[must_use]
    pub fn without_habits(self) -> Self {
        if self.taste.carelessness.is_finite() {
            return self;
        }
        let Handicap { nodes, lines, carelessness, .. } = Handicap::of_elo(self.rating.elo());
        Self { nodes, lines, taste: Taste { carelessness, ..self.taste }, ..self }
    }

    fn human(settings: &StrengthSettings) -> Self {
        let rating = Rating::nearest(settings.self_elo.into());
        let opponent = Some(settings.opponent_elo).filter(|&elo| elo > 0);
        let StrengthSettings { temperature, top_p, .. } = *settings;
        Self {
            rating,
            opponent: opponent.map(|elo| Rating::nearest(elo.into())),
            nodes: 1,
            lines: MAX_MULTI_PV,
            taste: Taste { temperature, top_p, ..Taste::BY_HABIT },
        }
    }

    /// What the transformer is told about the players when White is to play in this style, or
    /// Black. The opponent is the one of the settings, or has the rating that is known of the real one, or is
    /// as strong as the player.
    pub fn conditions(
        &self,
        white: bool,
        opponent: Option<u16>,
        time_control: TimeControl,
    ) -> Conditions {
        let own = Player::Human(self.rating);
        let known = opponent.map(|elo| Rating::nearest(elo.into()));
        let other = Player::Human(self.opponent.or(known).unwrap_or(self.rating));
        let (white, black) = if white { (own, other) } else { (other, own) };
        Conditions { white, black, time_control }
    }

    /// Takes the limits down to what such a player sees, who is to show so many lines.
    pub fn restrict(&self, limits: &mut Limits, shown: usize) {
        limits.soft_nodes = Some(self.nodes.min(limits.soft_nodes.unwrap_or(u64::MAX)));
        limits.lines = Some(self.lines.max(shown));
        limits.handicapped = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_strength_is_the_default() {
        let settings = StrengthSettings::default();
        assert_eq!(Style::new(&settings), None);
        assert_eq!(Style::new(&StrengthSettings { elo: 1000, ..settings }), None);
    }

    #[test]
    fn ratings_and_skill_levels_are_one_ladder() {
        let settings = StrengthSettings::default();
        let level = |skill_level| Style::new(&StrengthSettings { skill_level, ..settings });
        let rated = |elo| Style::new(&StrengthSettings { limited: true, elo, ..settings });
        assert_eq!(level(0), rated(800));
        assert_eq!(level(19), rated(2890));
        assert_eq!(level(20), None);
        let both = StrengthSettings { limited: true, elo: 1234, skill_level: 3, ..settings };
        assert_eq!(Style::new(&both), rated(1234));
    }

    #[test]
    fn humans_do_not_search() {
        let settings =
            StrengthSettings { self_elo: 1500, opponent_elo: 1900, ..StrengthSettings::default() };
        let style = Style::new(&settings).unwrap();
        let mut limits = Limits::default();
        style.restrict(&mut limits, 1);
        assert_eq!(limits.soft_nodes, Some(1));
        let conditions = style.conditions(false, None, TimeControl::Blitz);
        assert_eq!(conditions.black, Player::Human(Rating::nearest(1500)));
        assert_eq!(conditions.white, Player::Human(Rating::nearest(1900)));
        // Those who set `OppoElo` mean it; else the real opponent counts.
        let conditions = style.conditions(true, Some(1100), TimeControl::Blitz);
        assert_eq!(conditions.black, Player::Human(Rating::nearest(1900)));
        let style = Style::new(&StrengthSettings { opponent_elo: 0, ..settings }).unwrap();
        for (known, expected) in [(Some(1100), 1100), (None, 1500)] {
            let conditions = style.conditions(true, known, TimeControl::Blitz);
            assert_eq!(conditions.black, Player::Human(Rating::nearest(expected)));
        }
    }

    #[test]
    fn without_habits_a_search_decides() {
        let settings = StrengthSettings { limited: true, elo: 1500, ..StrengthSettings::default() };
        let rated = Style::new(&settings).unwrap();
        assert_eq!(rated.without_habits(), rated);
        let human = Style::new(&StrengthSettings { self_elo: 1500, ..settings }).unwrap();
        assert_eq!(human.without_habits(), rated);
    }

    #[test]
    fn a_seed_and_a_game_make_a_choice() {
        let number = |seed, moves: &[&str]| {
            let mut game = Game::default();
            moves.iter().for_each(|mv| game.play_uci(mv).unwrap());
            StrengthSettings { seed, ..StrengthSettings::default() }.random(&game).bits()
        };
        assert_eq!(number(1, &["e2e4"]), number(1, &["e2e4"]));
        assert_ne!(number(1, &["e2e4"]), number(2, &["e2e4"]));
        assert_ne!(number(1, &["e2e4"]), number(1, &["d2d4"]));
        assert_ne!(number(1, &[]), number(1, &["g1f3", "g8f6", "f3g1", "f6g8"]));
        assert_ne!(number(0, &[]), number(0, &[]));
    }

    #[test]
    fn technique_is_for_bare_kings() {
        let settings = StrengthSettings { limited: true, ..StrengthSettings::default() };
        let style = Style::new(&settings).unwrap();
        for (fen, is_technique) in [
            ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", true),
            ("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1", true),
            ("4k3/4p3/8/8/8/8/8/Q3K3 w - - 0 1", false),
        ] {
            let here = style.in_position(&Position::from_fen(fen).unwrap());
            assert_eq!(here.nodes > style.nodes, is_technique, "{fen}");
            assert_eq!(here.taste.carelessness < style.taste.carelessness, is_technique);
        }
        let human = Style::new(&StrengthSettings { self_elo: 1500, ..settings }).unwrap();
        let here =
            human.in_position(&Position::from_fen("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1").unwrap());
        assert_eq!(here, human, "humans of SelfElo do not search");
    }
}

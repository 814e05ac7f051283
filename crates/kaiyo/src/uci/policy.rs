//! The transformer at work for a session.

use crate::policy::{SHOWN_MOVES, compare};
use kaiyo_chess::{Colour, Game, Move};
use kaiyo_games::TimeClass;
use kaiyo_policy::tokens::{Conditions, Player, Rating, TimeControl};
use kaiyo_policy::{Model, ModelError, Session};
use kaiyo_search::Limits;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A prediction may take this share of the time for a move at most, as one in so many parts.
const TIME_SHARE: u32 = 20;
/// Of a step of the game before the first prediction is measured.
const USUAL_COST: Duration = Duration::from_millis(1);
/// What is left of the measured cost when a prediction is not made: a slow one is not to be the last.
const FADING: f64 = 0.9;
/// What a search does in a millisecond, to tell what time a number of positions takes.
const NODES_PER_MILLISECOND: u64 = 1000;
/// Moves that a clock is for, when it is told what class of a time control it is.
const MOVES_OF_CLASS: u32 = 40;

/// The model and what it has computed for the game.
pub struct PolicyPlayer {
    /// `None` until it is needed.
    session: Option<Session>,
    /// The model in use instead of the one in the program.
    file: Option<Arc<Model>>,
    /// How long each new step of the game took in the last prediction.
    cost: Duration,
    time_control: TimeControl,
}

impl PolicyPlayer {
    /// With the model in the program.
    pub const fn embedded() -> Self {
        Self { session: None, file: None, cost: USUAL_COST, time_control: TimeControl::Unknown }
    }

    /// Takes the model in this file, or without a file the one in the program.
    ///
    /// # Errors
    /// The file is no model; nothing has changed then.
    pub fn load(&mut self, path: Option<&Path>) -> Result<(), ModelError> {
        let file = path.map(Model::open).transpose()?.map(Arc::new);
        if let Some(model) = &file {
            // One prediction shows whether the weights make sense together.
            Session::new(Arc::clone(model)).predict(&Game::default(), &Conditions::default())?;
        }
        self.file = file;
        self.session = None;
        Ok(())
    }

    /// Loads the model now, so that no move has to wait for it.
    pub fn prepare(&mut self) {
        if self.session.is_none() {
            let model = self.file.clone().or_else(kaiyo_policy::embedded);
            self.session = model.map(Session::new);
        }
    }

    /// Forgets the time control of the last game.
    pub const fn new_game(&mut self) {
        self.time_control = TimeControl::Unknown;
    }

    /// The class of the game's time control, told by the first clock that was seen in it.
    pub fn time_control(&mut self, limits: &Limits, side: Colour) -> TimeControl {
        if self.time_control == TimeControl::Unknown
            && let Some(clock) = limits.clock_of(side)
        {
            let time = clock + limits.increment_of(side) * MOVES_OF_CLASS;
            let class = TimeClass::of_seconds(time.as_secs_f64());
            self.time_control = TimeControl::from_name(class.name()).unwrap_or_default();
        }
        self.time_control
    }

    /// Whether a prediction is cheap beside the search that it is for. `time` is what the clock
    /// allows the search.
    pub fn is_worth_its_time(
        &mut self,
        game: &Game,
        conditions: &Conditions,
        limits: &Limits,
        time: Option<Duration>,
    ) -> bool {
        let of_nodes =
            limits.nodes.map(|nodes| Duration::from_millis(nodes / NODES_PER_MILLISECOND));
        let time = time.into_iter().chain(of_nodes).min();
        let Some(time) = time else { return limits.depth.is_none() };
        let worth = self.cost * self.new_steps(game, conditions) * TIME_SHARE <= time;
        if !worth {
            self.cost = self.cost.mul_f64(FADING);
        }
        worth
    }

    /// The same as [`Self::predict`] for a player who cannot do without, in about this time: if the whole
    /// game takes longer, only the position is looked at.
    pub fn predict_within(
        &mut self,
        game: &Game,
        conditions: &Conditions,
        time: Option<Duration>,
    ) -> Option<Vec<(Move, f32)>> {
        let cost = self.cost * self.new_steps(game, conditions);
        if time.is_some_and(|time| cost > time) {
            return self.predict(&Game::new(*game.position()), conditions);
        }
        self.predict(game, conditions)
    }

    /// Steps that a prediction has to compute.
    fn new_steps(&mut self, game: &Game, conditions: &Conditions) -> u32 {
        self.prepare();
        let steps = self.session.as_ref().map(|session| session.new_steps(game, conditions));
        count(steps.unwrap_or_default())
    }

    /// How likely each move is for players under these conditions, or `None` without a model that
    /// makes sense.
    pub fn predict(&mut self, game: &Game, conditions: &Conditions) -> Option<Vec<(Move, f32)>> {
        self.prepare();
        let session = self.session.as_mut()?;
        let start = Instant::now();
        let prediction = session.predict(game, conditions).ok()?;
        self.cost = start.elapsed() / count(session.computed_steps()).max(1);
        Some(prediction.moves)
    }

    /// What people of these ratings are likely to play, beside each other, in lines for people.
    pub fn compare(&mut self, game: &Game, ratings: &[Rating]) -> Vec<String> {
        self.prepare();
        let players: Vec<Player> = ratings.iter().copied().map(Player::Human).collect();
        let shown = self.session.as_mut().and_then(|session| {
            compare(session, game, &players, TimeControl::Unknown, SHOWN_MOVES).ok()
        });
        shown.unwrap_or_else(|| vec!["info string policy: no model is in use".to_owned()])
    }

    /// The conditions of a game between engines.
    pub const fn engines(time_control: TimeControl) -> Conditions {
        Conditions { white: Player::Engine, black: Player::Engine, time_control }
    }
}

fn count(steps: usize) -> u32 {
    steps.try_into().unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prediction_is_made_only_when_there_is_time_for_it() {
        let mut player = PolicyPlayer::embedded();
        let (game, conditions) = (Game::default(), Conditions::default());
        let steps = player.new_steps(&game, &conditions);
        assert!(steps > 1, "the start and what is known before it");
        let mut worth = |limits: Limits, milliseconds: Option<u32>| {
            player.cost = Duration::from_millis(2);
            let time = milliseconds.map(|milliseconds| Duration::from_millis(milliseconds.into()));
            player.is_worth_its_time(&game, &conditions, &limits, time)
        };
        let enough = 40 * steps;
        assert!(!worth(Limits::default(), Some(enough - 1)));
        assert!(worth(Limits::default(), Some(enough)));
        assert!(!worth(Limits::nodes(u64::from(enough - 1) * NODES_PER_MILLISECOND), None));
        assert!(worth(Limits::nodes(u64::from(enough) * NODES_PER_MILLISECOND), None));
        assert!(!worth(Limits::depth(30), None));
        assert!(worth(Limits { infinite: true, ..Limits::default() }, None));
        // A limit that has nothing to do with time tells nothing about the cost.
        assert_eq!(player.cost, Duration::from_millis(2));
        // What is known already costs nothing again.
        player.predict(&game, &conditions);
        assert_eq!(player.new_steps(&game, &conditions), 1);
    }

    #[test]
    fn a_slow_prediction_is_not_the_last() {
        let mut player = PolicyPlayer::embedded();
        player.cost = Duration::from_secs(1);
        let mut ask = || {
            let time = Some(Duration::from_millis(300));
            let (game, conditions) = (Game::default(), Conditions::default());
            player.is_worth_its_time(&game, &conditions, &Limits::default(), time)
        };
        assert!(!ask());
        assert!((0..200).any(|_| ask()));
    }

    #[test]
    fn when_time_is_short_the_position_is_enough() {
        let mut player = PolicyPlayer::embedded();
        let mut game = Game::default();
        for mv in ["g1f3", "b8c6", "f3g1", "c6b8"].into_iter().cycle().take(44) {
            game.play_uci(mv).unwrap();
        }
        let conditions = Conditions::default();
        let mut computed = |milliseconds: Option<u64>| {
            player.session = None;
            player.cost = Duration::from_millis(1);
            let time = milliseconds.map(Duration::from_millis);
            let found = player.predict_within(&game, &conditions, time).unwrap();
            assert_eq!(found.len() as u64, game.position().count_legal_moves());
            player.session.as_ref().unwrap().computed_steps()
        };
        let control = kaiyo_policy::tokens::CONTROL_STEPS;
        assert_eq!(computed(Some(10)), control);
        assert_eq!(computed(Some(1000)), control + 44);
        assert_eq!(computed(None), control + 44);
    }

    #[test]
    fn the_first_clock_of_a_game_tells_its_class() {
        let mut player = PolicyPlayer::embedded();
        let mut class = |seconds, increment| {
            let mut limits = Limits::default();
            limits.clock[Colour::White.index()] = Some(Duration::from_secs(seconds));
            limits.increment[Colour::White.index()] = Duration::from_secs(increment);
            player.time_control(&limits, Colour::White)
        };
        assert_eq!(class(180, 2), TimeControl::Blitz);
        assert_eq!(class(20, 2), TimeControl::Blitz);
        player.new_game();
        assert_eq!(player.time_control(&Limits::default(), Colour::White), TimeControl::Unknown);
    }
}

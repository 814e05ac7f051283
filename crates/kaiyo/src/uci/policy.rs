//! The transformer at work for a session.

use crate::policy::{SHOWN_MOVES, compare};
use kaiyo_chess::{Colour, Game, Move};
use kaiyo_games::TimeClass;
use kaiyo_policy::tokens::{Conditions, Player, TimeControl};
use kaiyo_policy::{Model, ModelError, NotFinite, Session};
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
/// The first clock that is seen has run for a while already, and some of it is kept back for delays.
const RUN_OF_FIRST_CLOCK: f64 = 1.05;

/// The model and what it has computed for the game.
pub struct PolicyPlayer {
    /// `None` until it is needed.
    session: Option<Session>,
    /// For positions without their game: what the other knows of the game stays known.
    brief: Option<Session>,
    /// The model in use instead of the one in the program.
    file: Option<Arc<Model>>,
    /// How long each new step of the game took in the last prediction.
    cost: Duration,
    time_control: TimeControl,
}

impl PolicyPlayer {
    /// With the model in the program.
    pub const fn embedded() -> Self {
        Self {
            session: None,
            brief: None,
            file: None,
            cost: USUAL_COST,
            time_control: TimeControl::Unknown,
        }
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
        (self.session, self.brief) = (None, None);
        Ok(())
    }

    /// Loads the model now, so that no move has to wait for it.
    pub fn prepare(&mut self) {
        if self.session.is_none() {
            self.session = self.model().map(Session::new);
        }
    }

    fn model(&self) -> Option<Arc<Model>> {
        self.file.clone().or_else(kaiyo_policy::embedded)
    }

    /// Forgets the time control of the last game.
    pub const fn new_game(&mut self) {
        self.time_control = TimeControl::Unknown;
    }

    /// Takes notice of a clock: the first one of a game tells the class of its time control. A time for one
    /// move tells nothing, since managers use it for first moves.
    pub fn see_clock(&mut self, limits: &Limits, side: Colour) {
        if self.time_control == TimeControl::Unknown
            && let Some(clock) = limits.clock_of(side)
        {
            let moves = limits.moves_to_go.unwrap_or(MOVES_OF_CLASS).max(1);
            let per_move = clock.mul_f64(RUN_OF_FIRST_CLOCK) / moves + limits.increment_of(side);
            let class = TimeClass::of_seconds((per_move * MOVES_OF_CLASS).as_secs_f64());
            self.time_control = TimeControl::from_name(class.name()).unwrap_or_default();
        }
    }

    /// The class of the game's time control, as far as it is known.
    pub const fn time_control(&self) -> TimeControl {
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
    ) -> Result<Vec<(Move, f32)>, PredictionFault> {
        let cost = self.cost * self.new_steps(game, conditions);
        if time.is_none_or(|time| cost <= time) {
            return self.predict(game, conditions);
        }
        // One slow prediction is not to take the history from those after it.
        self.cost = self.cost.mul_f64(FADING);
        let mut session = self.brief.take().or_else(|| self.model().map(Session::new));
        let position = Game::new(*game.position());
        let prediction =
            session.as_mut().ok_or(PredictionFault::NoModel)?.predict(&position, conditions)?;
        self.brief = session;
        Ok(prediction.moves)
    }

    /// Steps that a prediction has to compute.
    fn new_steps(&mut self, game: &Game, conditions: &Conditions) -> u32 {
        self.prepare();
        let steps = self.session.as_ref().map(|session| session.new_steps(game, conditions));
        count(steps.unwrap_or_default())
    }

    /// How likely each move is for players under these conditions.
    ///
    /// # Errors
    /// There is no model, or it makes no sense here.
    pub fn predict(
        &mut self,
        game: &Game,
        conditions: &Conditions,
    ) -> Result<Vec<(Move, f32)>, PredictionFault> {
        self.prepare();
        let mut session = self.session.take().ok_or(PredictionFault::NoModel)?;
        let start = Instant::now();
        // A session with numbers that are not finite is not used again.
        let prediction = session.predict(game, conditions)?;
        self.cost = start.elapsed() / count(session.computed_steps()).max(1);
        self.session = Some(session);
        Ok(prediction.moves)
    }

    /// What these players are likely to play against their like, beside each other, in lines for people.
    pub fn compare(&mut self, game: &Game, players: &[Player]) -> Vec<String> {
        self.prepare();
        let shown = self.session.as_mut().ok_or(PredictionFault::NoModel).and_then(|session| {
            Ok(compare(session, game, players, None, TimeControl::Unknown, SHOWN_MOVES)?)
        });
        shown.unwrap_or_else(|fault| vec![format!("info string policy: {fault}")])
    }
}

/// Why there is no prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PredictionFault {
    /// The program was built without one, and no file is in use.
    #[error("a policy model expected, none is in use")]
    NoModel,
    /// Its weights make no sense.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
}

/// Those of a game between engines. The games that the model has learnt from them tell no time control.
pub const ENGINES: Conditions =
    Conditions { white: Player::Engine, black: Player::Engine, time_control: TimeControl::Unknown };

fn count(steps: usize) -> u32 {
    steps.try_into().unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiyo_policy::Config;
    use kaiyo_policy::model::synthetic::{self, Storage};

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
        player.predict(&game, &conditions).unwrap();
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
            player.cost = Duration::from_millis(1);
            let time = milliseconds.map(Duration::from_millis);
            let found = player.predict_within(&game, &conditions, time).unwrap();
            assert_eq!(found.len() as u64, game.position().count_legal_moves());
            [&player.session, &player.brief]
                .map(|session| session.as_ref().map_or(0, Session::computed_steps))
        };
        let control = kaiyo_policy::tokens::CONTROL_STEPS;
        assert_eq!(computed(Some(10)), [0, control]);
        assert_eq!(computed(Some(1000)), [control + 44, control]);
        assert_eq!(computed(Some(0)), [control + 44, 1]);
        assert_eq!(computed(None), [1, 1], "what was known of the game is known still");
    }

    #[test]
    fn a_model_that_makes_no_sense_is_a_fault_every_time() {
        let sizes = Config { width: 512, hidden: 1536, ..synthetic::TINY };
        let mut container = synthetic::random(&sizes, Storage::Mixed, 1);
        // Products of a hidden layer that nothing bounds leave the range of floats.
        for block in 0..sizes.blocks {
            container.tensors.remove(&format!("blk.{block}.ffn_sub_norm.weight"));
            for part in
                ["norm.weight", "gate.scale", "up.scale", "down.scale", "layer_scale.weight"]
            {
                let tensor = container.tensors.get_mut(&format!("blk.{block}.ffn_{part}")).unwrap();
                tensor.bytes = 1e6_f32.to_le_bytes().repeat(tensor.bytes.len() / 4).into();
            }
        }
        let model = Arc::new(Model::from_container(&container).unwrap());
        let mut player = PolicyPlayer { file: Some(model), ..PolicyPlayer::embedded() };
        let (game, conditions) = (Game::default(), Conditions::default());
        let fault = Err(PredictionFault::NotFinite(NotFinite));
        for time in [None, Some(Duration::ZERO), None] {
            assert_eq!(player.predict_within(&game, &conditions, time), fault);
        }
        player.load(None).unwrap();
        assert!(player.predict_within(&game, &conditions, None).is_ok());
    }

    #[test]
    fn the_first_clock_of_a_game_tells_its_class() {
        let mut player = PolicyPlayer::embedded();
        let class = |player: &mut PolicyPlayer, milliseconds, increment, moves_to_go| {
            let mut limits = Limits { moves_to_go, ..Limits::default() };
            limits.clock[Colour::White.index()] = Some(Duration::from_millis(milliseconds));
            limits.increment[Colour::White.index()] = Duration::from_secs(increment);
            player.see_clock(&limits, Colour::White);
            player.time_control()
        };
        assert_eq!(class(&mut player, 180_000, 2, None), TimeControl::Blitz);
        assert_eq!(class(&mut player, 20_000, 2, None), TimeControl::Blitz, "the first one counts");
        player.new_game();
        player.see_clock(&Limits::default(), Colour::White);
        assert_eq!(player.time_control(), TimeControl::Unknown);
        for (milliseconds, increment, moves_to_go, expected) in [
            (60_000, 1, None, TimeControl::Bullet),
            // What is left of three, eight and twenty-five minutes.
            (178_500, 0, None, TimeControl::Blitz),
            (470_000, 0, None, TimeControl::Rapid),
            (1_490_000, 0, None, TimeControl::Classical),
            (900_000, 0, Some(20), TimeControl::Classical),
            (600_000, 0, Some(80), TimeControl::Blitz),
        ] {
            player.new_game();
            let found = class(&mut player, milliseconds, increment, moves_to_go);
            assert_eq!(found, expected, "{milliseconds}+{increment}/{moves_to_go:?}");
        }
    }

    #[test]
    fn classes_of_games_are_classes_of_the_model() {
        let names = TimeClass::ALL.map(TimeClass::name);
        let known = names.map(|name| TimeControl::from_name(name).map(TimeControl::name));
        assert_eq!(known, names.map(Some));
    }
}

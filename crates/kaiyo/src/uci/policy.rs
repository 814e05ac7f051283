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
/// Of a prediction before the first one is measured.
const USUAL_COST: Duration = Duration::from_millis(3);
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
    /// How long a prediction took the last time.
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
        self.file = path.map(Model::open).transpose()?.map(Arc::new);
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
    pub fn is_worth_its_time(&self, limits: &Limits, time: Option<Duration>) -> bool {
        let of_nodes =
            limits.nodes.map(|nodes| Duration::from_millis(nodes / NODES_PER_MILLISECOND));
        let time = time.into_iter().chain(of_nodes).min();
        match time {
            Some(time) => self.cost * TIME_SHARE <= time,
            None => limits.depth.is_none(),
        }
    }

    /// How likely each move is for players under these conditions, or `None` without a model that
    /// makes sense.
    pub fn predict(&mut self, game: &Game, conditions: &Conditions) -> Option<Vec<(Move, f32)>> {
        self.prepare();
        let session = self.session.as_mut()?;
        let start = Instant::now();
        let prediction = session.predict(game, conditions).ok()?;
        self.cost = start.elapsed();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prediction_is_made_only_when_there_is_time_for_it() {
        let mut player = PolicyPlayer::embedded();
        player.cost = Duration::from_millis(2);
        let worth = |milliseconds| {
            player.is_worth_its_time(&Limits::default(), Some(Duration::from_millis(milliseconds)))
        };
        assert!(!worth(39) && worth(40));
        assert!(!player.is_worth_its_time(&Limits::nodes(20_000), None));
        assert!(player.is_worth_its_time(&Limits::nodes(50_000), None));
        assert!(!player.is_worth_its_time(&Limits::depth(30), None));
        assert!(player.is_worth_its_time(&Limits { infinite: true, ..Limits::default() }, None));
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

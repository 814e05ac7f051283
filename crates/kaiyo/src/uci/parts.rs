//! What a session has set up, in whichever protocol.

use super::Event;
use super::book::OpeningBooks;
use super::options::{self, DEFAULT_HASH_MIB};
use super::output::Output;
use super::policy::PolicyPlayer;
use super::settings::Settings;
use kaiyo_search::{Engine, EngineError};
use std::sync::mpsc::Sender;

/// The engine and all around it that options change.
pub struct Parts {
    /// The engine.
    pub engine: Engine,
    /// Options that the front end minds.
    pub settings: Settings,
    /// The opening books.
    pub books: OpeningBooks,
    /// The transformer.
    pub policy: PolicyPlayer,
    /// Where lines go, and their log.
    pub output: Output,
    /// Where events come from.
    pub events: Sender<Event>,
}

impl Parts {
    /// With all options at their defaults.
    ///
    /// # Errors
    /// When this machine cannot provide what the defaults need.
    pub fn new(output: Output, events: Sender<Event>) -> Result<Self, EngineError> {
        let mut engine = Engine::new(DEFAULT_HASH_MIB)?;
        let mut settings = Settings::default();
        options::apply_defaults(&mut engine, &mut settings)?;
        Ok(Self {
            engine,
            settings,
            books: OpeningBooks::embedded(),
            policy: PolicyPlayer::embedded(),
            output,
            events,
        })
    }
}

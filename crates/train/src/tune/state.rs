//! How far a run has come.

use super::parameter::Parameter;
use crate::datagen::GameOptions;
use anyhow::{Context, Result, ensure};
use kaiyo_files::replace_file;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write;
use std::path::Path;

const FORMAT: &str = "kaiyo-spsa-2";

/// Everything that decides how a run goes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    pub nodes: u64,
    pub hash: usize,
    /// Checksum of the network, if one evaluates.
    pub network: Option<String>,
    /// What tells the search from that of other versions.
    pub search: String,
    /// Checksum of the first positions.
    pub book: String,
    pub game: GameOptions,
    pub seed: u64,
    pub iterations: u64,
    /// Pairs of games in an iteration.
    pub batch: usize,
    /// The parameters at the start.
    pub parameters: Vec<Parameter>,
}

/// Games of the values in the directions of the iterations against those on the other side. Over a
/// whole run they say nothing about the parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

/// A run after some iterations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    format: String,
    pub plan: Plan,
    /// Iterations done.
    pub iteration: u64,
    pub record: Record,
    /// The parameters now.
    pub parameters: Vec<Parameter>,
}

impl State {
    /// The state before a run.
    pub fn new(plan: Plan) -> Self {
        let parameters = plan.parameters.clone();
        Self {
            format: FORMAT.to_owned(),
            plan,
            iteration: 0,
            record: Record::default(),
            parameters,
        }
    }

    /// Reads a state.
    ///
    /// # Errors
    /// The file cannot be read, or is none.
    pub fn load(path: &Path) -> Result<Self> {
        let context = || format!("cannot read {}", path.display());
        let text = fs::read_to_string(path).with_context(context)?;
        let state: Self = serde_json::from_str(&text).with_context(context)?;
        ensure!(state.format == FORMAT, "{} is of format {}", path.display(), state.format);
        Ok(state)
    }

    /// Writes the state; there is a whole one at any moment.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        replace_file(path, |output| Ok(output.write_all(text.as_bytes())?))
    }

    /// The state in a file, which has to be of this plan, or the first one if there is no file.
    ///
    /// # Errors
    /// The file cannot be read, or is of another run.
    pub fn resume(path: &Path, plan: Plan) -> Result<Self> {
        if !path.exists() {
            return Ok(Self::new(plan));
        }
        let state = Self::load(path)?;
        ensure!(
            state.plan == plan,
            "{} is from a run with other options or parameters, or of another version of the search",
            path.display()
        );
        Ok(state)
    }

    /// Whether all iterations are done.
    pub const fn is_finished(&self) -> bool {
        self.iteration >= self.plan.iterations
    }

    /// Pairs of games played.
    pub const fn pairs(&self) -> u64 {
        self.iteration * self.plan.batch as u64
    }
}

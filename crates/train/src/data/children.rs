//! Positions after every move, scored by an engine.
//!
//! One search of all moves of a position at once scores dozens of positions for the price of one:
//! those after its moves. They differ by a move only, which is just what a search compares.

use super::is_quiet;
use super::singles::SinglesOptions;
use super::uci_engine::UciEngine;
use crate::random::chance;
use crate::viriformat::{MAX_SCORE, ScoredPosition};
use anyhow::Result;
use kaiyo_chess::Position;

/// Positions that are in memory at a time.
const CHUNK: usize = 4096;

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    singles: SinglesOptions,
    /// Program of the engine.
    #[arg(long)]
    engine: String,
    /// Options of the engine, each as NAME=VALUE.
    #[arg(long, num_args = 1..)]
    option: Vec<String>,
    /// What the engine searches, as in UCI's go.
    #[arg(long, default_value = "depth 1")]
    go: String,
    /// Share of the positions of the games whose moves are scored.
    #[arg(long, default_value_t = 0.1)]
    share: f64,
}

/// Scores the moves of some positions of all games.
pub fn run(options: &Options) -> Result<()> {
    options.singles.check(options.share)?;
    let mut engines = (0..options.singles.threads)
        .map(|_| UciEngine::start(&options.engine, &options.option))
        .collect::<Result<Vec<_>>>()?;
    options.singles.write(
        &mut engines,
        CHUNK,
        |random| chance(random, options.share),
        |engine, parent| score_children(&parent.position, engine, &options.go),
    )
}

/// The quiet positions after the moves of one.
fn score_children(
    parent: &Position,
    engine: &mut UciEngine,
    go: &str,
) -> Result<Vec<ScoredPosition>> {
    // What a move is worth to its player, the position after it is worth to the other side.
    let scores = engine.score_moves(parent, go)?;
    let children = scores.into_iter().filter(|(_, score)| score.abs() < MAX_SCORE);
    let children = children.map(|(mv, score)| ScoredPosition::new(parent.make(mv), -score));
    Ok(children.filter(|child| is_quiet(&child.position)).collect())
}

//! Positions after moves, scored by the static evaluation of a network of Stockfish.
//!
//! A student that sees each position only once or twice can't learn it by heart, and such scores cost
//! little more than the step of training that uses them.

use super::is_quiet;
use super::singles::{Parent, SinglesOptions};
use super::stockfish_network::StockfishNetwork;
use crate::random::{chance, mix};
use crate::viriformat::{MAX_SCORE, ScoredPosition};
use anyhow::{Context, Result};
use std::path::PathBuf;

/// Positions whose moves are scored at a time.
const CHUNK: usize = 65_536;

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    singles: SinglesOptions,
    /// Network of Stockfish 15.1, as its command `export_net FILE` writes it.
    #[arg(long)]
    network: PathBuf,
    /// Share of the moves of all positions that are scored.
    #[arg(long, default_value_t = 1.0)]
    share: f64,
}

/// Scores moves of the positions of all games.
pub fn run(options: &Options) -> Result<()> {
    options.singles.check(options.share)?;
    let network = std::fs::read(&options.network)
        .map_err(Into::into)
        .and_then(|data| StockfishNetwork::read(&data))
        .with_context(|| format!("network {}", options.network.display()))?;
    let mut workers = vec![(); options.singles.threads];
    options.singles.write(
        &mut workers,
        CHUNK,
        |_| true,
        |(), parent| Ok(score_children(parent, &network, options.share)),
    )
}

/// The quiet positions after some moves of one.
fn score_children(parent: &Parent, network: &StockfishNetwork, share: f64) -> Vec<ScoredPosition> {
    let mut accumulated = None;
    let mut random = parent.random;
    let mut children = Vec::new();
    for &mv in &*parent.position.legal_moves() {
        random = mix(random);
        let position = parent.position.make(mv);
        if !chance(random, share) || !is_quiet(&position) {
            continue;
        }
        let before = accumulated.get_or_insert_with(|| network.accumulate(&parent.position));
        let score = network.score(&network.advance(before, &position));
        match i16::try_from(score) {
            Ok(score) if score.unsigned_abs() < MAX_SCORE as u16 => {
                children.push(ScoredPosition::new(position, score));
            }
            _ => {}
        }
    }
    children
}

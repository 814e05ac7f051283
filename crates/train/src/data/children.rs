//! Positions after every move, scored by an engine.
//!
//! One search of all moves of a position at once scores dozens of positions for the price of one:
//! those after its moves. They differ by a move only, which is just what a search compares.

use super::uci_engine::UciEngine;
use super::{ensure_new, for_each_game};
use crate::random::{chance, mix};
use crate::viriformat::{MAX_SCORE, PositionWriter, ScoredPosition, holds_positions};
use crate::workers::share;
use anyhow::{Context, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use kaiyo_chess::{Colour, Move, Position};
use kaiyo_search::see_at_least;
use std::path::PathBuf;

/// Positions that are in memory at a time.
const CHUNK: usize = 4096;

#[derive(clap::Args)]
pub struct Options {
    /// Files of games, plain or compressed by zstd.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// File of single positions to write, FILE.bin or FILE.bin.zst.
    #[arg(long)]
    out: PathBuf,
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
    /// Stop after so many positions.
    #[arg(long)]
    max_positions: Option<u64>,
    /// Number from which the choice of positions comes.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Engines that run at a time.
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

/// Scores the moves of some positions of all games, in order.
pub fn run(options: &Options) -> Result<()> {
    ensure!(options.threads > 0, "--threads must be positive");
    ensure!(options.share > 0.0 && options.share <= 1.0, "--share must be above 0, at most 1");
    ensure!(
        holds_positions(&options.out),
        "--out {}: expected a name that ends with .bin or .bin.zst",
        options.out.display()
    );
    ensure_new(std::slice::from_ref(&options.out), &options.files)?;
    let mut writer = PositionWriter::create(&options.out)
        .with_context(|| format!("cannot write {}", options.out.display()))?;
    let style = ProgressStyle::with_template("{spinner} {pos} positions, {per_sec}, {elapsed}")?;
    let bar = ProgressBar::new_spinner().with_style(style);
    let mut engines = (0..options.threads)
        .map(|_| UciEngine::start(&options.engine, &options.option))
        .collect::<Result<Vec<_>>>()?;
    let mut parents: Vec<Position> = Vec::new();
    let (mut seen, mut searched) = (0_u64, 0_u64);
    let enough = || options.max_positions.is_some_and(|most| bar.position() >= most);
    let mut flush = |parents: &mut Vec<Position>| -> Result<()> {
        searched += parents.len() as u64;
        let children = share(&mut engines, parents, |engine, _, parent| {
            score_children(parent, engine, &options.go)
        })?;
        for child in children.iter().flatten() {
            writer.write(child)?;
            bar.inc(1);
        }
        parents.clear();
        Ok(())
    };
    for_each_game(&options.files, |game, place| {
        if enough() {
            return Ok(());
        }
        game.replay(|position, _, _| {
            seen += 1;
            if chance(mix(mix(options.seed) ^ seen), options.share) {
                parents.push(*position);
            }
        })
        .with_context(|| place.to_string())?;
        if parents.len() >= CHUNK { flush(&mut parents) } else { Ok(()) }
    })?;
    if !enough() {
        flush(&mut parents)?;
    }
    writer.finish()?;
    bar.finish();
    println!(
        "{} quiet positions after the moves of {searched} of {seen} in {}",
        bar.position(),
        options.out.display()
    );
    Ok(())
}

/// The quiet positions after the moves of one.
fn score_children(
    parent: &Position,
    engine: &mut UciEngine,
    go: &str,
) -> Result<Vec<ScoredPosition>> {
    let white_score = |score: i16| match parent.side_to_move() {
        Colour::White => score,
        Colour::Black => -score,
    };
    let scores = engine.score_moves(parent, go)?;
    let children = scores.into_iter().filter(|(_, score)| score.abs() < MAX_SCORE);
    let children = children.map(|(mv, score)| ScoredPosition {
        position: parent.make(mv),
        score: white_score(score),
        result: None,
    });
    Ok(children.filter(|child| is_quiet(&child.position)).collect())
}

/// Whether an evaluation can know the score: no check, no capture or promotion that wins material.
fn is_quiet(position: &Position) -> bool {
    let wins_material =
        |&mv: &Move| (mv.is_capture() || mv.is_promotion()) && see_at_least(position, mv, 1);
    !position.in_check() && !position.legal_moves().iter().any(wins_material)
}

//! Tools for files of training games.

mod chances;
mod children;
mod distil;
mod import;
mod relabel;
mod sequences;
mod shuffle;
mod singles;
mod stats;
mod stockfish_network;
mod uci_engine;
mod validate;

use crate::viriformat::{GameReader, GameWriter, ScoredGame, holds_positions, open};
use anyhow::{Context, Result, ensure};
use kaiyo_chess::{Move, Position};
use kaiyo_search::see_at_least;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Games between two steps of the progress display.
const GAMES_PER_TICK: u64 = 64;
/// Errors shown; more are counted.
const SHOWN: u64 = 10;

/// What to do with games.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Describe the positions of files of games.
    Stats(stats::Options),
    /// Play all games through and report what is wrong with them.
    Validate(validate::Options),
    /// Write all games in random order, into one file or several.
    Shuffle(shuffle::ShuffleOptions),
    /// Split games at random into two files.
    Split(shuffle::SplitOptions),
    /// Replace all scores by those of new searches.
    Relabel(relabel::Options),
    /// Turn scored games of other formats into training games: PGN with comments as fastchess,
    /// cutechess or lichess write them, or lines of `RESULT|FEN or -|move:score ...`.
    Import(import::Options),
    /// Have an engine score every move of positions, and keep the quiet positions after them.
    Children(children::Options),
    /// Score positions after moves by a network of Stockfish, and keep the quiet ones.
    Distil(distil::Options),
    /// Fit the model of the chances of winning, drawing and losing to games of the engine itself.
    Chances(chances::Options),
    /// Write games as sequences of moves and boards for the trainer of the policy.
    Sequences(sequences::Options),
}

/// Runs a tool.
///
/// # Errors
/// What went wrong, for people.
pub fn run(command: &Command) -> Result<()> {
    match command {
        Command::Stats(options) => stats::run(options),
        Command::Validate(options) => validate::run(options),
        Command::Shuffle(options) => shuffle::shuffle(options),
        Command::Split(options) => shuffle::split(options),
        Command::Relabel(options) => relabel::run(options),
        Command::Import(options) => import::run(options),
        Command::Children(options) => children::run(options),
        Command::Distil(options) => distil::run(options),
        Command::Chances(options) => chances::run(options),
        Command::Sequences(options) => sequences::run(options),
    }
}

/// Visits every game of the files, in order, and shows the progress.
fn for_each_game(
    files: &[PathBuf],
    mut visit: impl FnMut(ScoredGame, Place<'_>) -> Result<()>,
) -> Result<()> {
    let bar = kaiyo_progress::bar(None, "{spinner}", "{msg}");
    for_games_until(files, |game, place| {
        if place.number.is_multiple_of(GAMES_PER_TICK) {
            bar.set_message(format!("{} games of {}", place.number, place.path.display()));
            bar.tick();
        }
        visit(game, place).map(ControlFlow::Continue)
    })?;
    bar.finish_and_clear();
    Ok(())
}

/// Visits the games of the files, in order, until one of them ends it.
fn for_games_until(
    files: &[PathBuf],
    mut visit: impl FnMut(ScoredGame, Place<'_>) -> Result<ControlFlow<()>>,
) -> Result<()> {
    'files: for path in files {
        let context = || format!("in {}", path.display());
        ensure!(!holds_positions(path), "{} holds single positions, not games", path.display());
        let mut reader = GameReader::new(open(path).with_context(context)?);
        let mut number = 0;
        while let Some(game) = reader.next_game().with_context(context)? {
            number += 1;
            if visit(game, Place { path, number })?.is_break() {
                break 'files;
            }
        }
    }
    Ok(())
}

/// Where a game stands.
#[derive(Clone, Copy)]
struct Place<'a> {
    path: &'a Path,
    /// From 1.
    number: u64,
}

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "game {} of {}", self.number, self.path.display())
    }
}

/// Files that a tool turns into another one.
#[derive(clap::Args)]
struct Conversion {
    /// Files of games, plain or compressed by zstd.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// File to write, compressed when its name ends with `.zst`.
    #[arg(long)]
    out: PathBuf,
}

impl Conversion {
    /// Creates the file to write, which must be none of those that are read.
    fn create(&self) -> Result<GameWriter> {
        ensure_new(std::slice::from_ref(&self.out), &self.files)?;
        create(&self.out)
    }
}

/// Creates a file of games.
fn create(path: &Path) -> Result<GameWriter> {
    GameWriter::create(path).with_context(|| format!("cannot write {}", path.display()))
}

/// Refuses to overwrite what is being read.
///
/// # Errors
/// A file would be read and written, or written twice.
pub fn ensure_new(outputs: &[PathBuf], inputs: &[PathBuf]) -> Result<()> {
    let is_same = |a: &Path, b: &Path| real(a).is_some() && real(a) == real(b);
    for (index, output) in outputs.iter().enumerate() {
        let is_read = inputs.iter().any(|input| is_same(input, output));
        ensure!(!is_read, "{} is read and written", output.display());
        let is_written = outputs[..index].iter().any(|other| is_same(other, output));
        ensure!(!is_written, "{} is written twice", output.display());
    }
    Ok(())
}

/// The fault of long work, of which so many positions are done and kept by `keep`, under the file's name with an
/// ending.
fn kept(
    fault: anyhow::Error,
    positions: u64,
    keep: impl FnOnce(&str) -> std::io::Result<PathBuf>,
) -> anyhow::Error {
    if positions == 0 {
        return fault;
    }
    match keep(".partial") {
        Ok(path) => {
            fault.context(format!("{positions} positions before a fault are in {}", path.display()))
        }
        Err(error) => {
            fault.context(format!("{positions} positions before a fault are lost: {error}"))
        }
    }
}

/// Where a file is, or would be.
fn real(path: &Path) -> Option<PathBuf> {
    std::fs::canonicalize(path).ok().or_else(|| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = std::fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
        Some(folder.join(path.file_name()?))
    })
}

/// Whether an evaluation can know the score: no check, no capture or promotion that wins material.
fn is_quiet(position: &Position) -> bool {
    let wins_material =
        |&mv: &Move| (mv.is_capture() || mv.is_promotion()) && see_at_least(position, mv, 1);
    !position.in_check() && !position.legal_moves().iter().any(wins_material)
}

#[cfg(test)]
mod tests;

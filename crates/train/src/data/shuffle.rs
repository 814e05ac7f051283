//! Putting games into another order and into other files.

use super::{create, ensure_new, for_each_game};
use crate::random::sequence;
use crate::viriformat::{GameReader, GameWriter};
use anyhow::{Context, Result, ensure};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct ShuffleOptions {
    /// Files of games.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Files to write, compressed when their names end with `.zst`; games are dealt to them in
    /// turn.
    #[arg(long, required = true, num_args = 1..)]
    out: Vec<PathBuf>,
    /// Number from which the order comes.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(clap::Args)]
pub struct SplitOptions {
    /// Files of games.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// File for most games.
    #[arg(long)]
    out: PathBuf,
    /// File for the others.
    #[arg(long)]
    held_out: PathBuf,
    /// Share of the games that is held out.
    #[arg(long, default_value_t = 0.01)]
    share: f64,
    /// Number from which the choice comes.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Writes games in random order. All of them are in memory meanwhile, at four bytes a position.
pub fn shuffle(options: &ShuffleOptions) -> Result<()> {
    ensure_new(&options.out, &options.files)?;
    let mut bytes = Vec::new();
    let mut starts = Vec::new();
    for_each_game(&options.files, |game, _| {
        starts.push(bytes.len());
        game.encode(&mut bytes);
        Ok(())
    })?;
    sequence(options.seed, 0).shuffle(&mut starts);
    let mut writers =
        options.out.iter().map(|path| create(path)).collect::<Result<Vec<GameWriter>>>()?;
    let count = writers.len();
    for (index, &start) in starts.iter().enumerate() {
        let game = GameReader::new(&bytes[start..]).next_game()?;
        writers[index % count].write(&game.context("a game has vanished")?)?;
    }
    writers.into_iter().try_for_each(GameWriter::finish)?;
    say!("{} games in {count} files", starts.len());
    Ok(())
}

/// Writes games into one of two files, each game by chance.
pub fn split(options: &SplitOptions) -> Result<()> {
    ensure!((0.0..=1.0).contains(&options.share), "--share must be from 0 to 1");
    ensure_new(&[options.out.clone(), options.held_out.clone()], &options.files)?;
    let mut writers = [create(&options.out)?, create(&options.held_out)?];
    let mut counts = [0_u64; 2];
    let mut random = sequence(options.seed, 0);
    for_each_game(&options.files, |game, _| {
        let chosen = usize::from(random.chance(options.share));
        counts[chosen] += 1;
        Ok(writers[chosen].write(&game)?)
    })?;
    writers.into_iter().try_for_each(GameWriter::finish)?;
    say!("{} games in {}", counts[0], options.out.display());
    say!("{} games in {}", counts[1], options.held_out.display());
    Ok(())
}

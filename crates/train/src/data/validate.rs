//! Playing games through.

use super::{SHOWN, for_each_game};
use anyhow::{Result, bail};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Options {
    /// Files of games.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
}

/// Reports every game with an illegal move, and fails if there is one.
pub fn run(options: &Options) -> Result<()> {
    let (mut games, mut positions, mut bad) = (0_u64, 0_u64, 0_u64);
    for_each_game(&options.files, |game, place| {
        games += 1;
        let replayed = game.replay(|_, _, _| positions += 1);
        if let Err(error) = replayed {
            bad += 1;
            if bad <= SHOWN {
                say!("{place}: {error}");
            }
        }
        Ok(())
    })?;
    say!("{games} games with {positions} positions played through; {bad} are not legal");
    if bad > 0 {
        bail!("{bad} of {games} games are not legal");
    }
    Ok(())
}

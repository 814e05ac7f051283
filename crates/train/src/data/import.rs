//! Training games from other formats.

use super::{Conversion, SHOWN};
use crate::viriformat::{GameWriter, MAX_SCORE, ScoredGame};
use anyhow::{Result, ensure};
use kaiyo_games::{EvalsReader, PgnReader, PlayedGame, is_pgn, open_text};

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    paths: Conversion,
    /// Multiply centipawns by this.
    #[arg(long, default_value_t = 1.0)]
    scale: f64,
    /// Leave out shorter stretches of scored moves.
    #[arg(long, default_value_t = 8)]
    min_plies: usize,
}

/// What came of the games.
#[derive(Default)]
struct Counts {
    games: u64,
    positions: u64,
    bad: u64,
    unfinished: u64,
    unscored: u64,
    short: u64,
}

/// Reads all files and writes what can be used.
pub fn run(options: &Options) -> Result<()> {
    ensure!(options.scale > 0.0, "--scale must be positive");
    let mut writer = options.paths.create()?;
    let mut counts = Counts::default();
    for path in &options.paths.files {
        let text = open_text(path)?;
        let mut add = |game: Result<PlayedGame>| -> Result<()> {
            match game {
                Ok(game) => write(&game, options, &mut writer, &mut counts),
                Err(error) => {
                    counts.bad += 1;
                    if counts.bad <= SHOWN {
                        say!("{}: {error:#}", path.display());
                    }
                    Ok(())
                }
            }
        };
        if is_pgn(path) {
            let mut reader = PgnReader::new(text);
            while let Some(game) = reader.next_game()? {
                add(game.map_err(anyhow::Error::from))?;
            }
        } else {
            let mut reader = EvalsReader::new(text);
            while let Some(game) = reader.next_game()? {
                add(game)?;
            }
        }
    }
    ensure!(counts.games > 0, "no game could be used, and nothing is written");
    writer.finish()?;
    say!(
        "{} games with {} positions in {}; left out: {} moves without a score, {} in stretches \
         shorter than {}, {} games without a result, {} that cannot be read",
        counts.games,
        counts.positions,
        options.paths.out.display(),
        counts.unscored,
        counts.short,
        options.min_plies,
        counts.unfinished,
        counts.bad,
    );
    Ok(())
}

/// Writes every stretch of moves with scores as a game of its own: the format has no place for a
/// move without one.
fn write(
    game: &PlayedGame,
    options: &Options,
    writer: &mut GameWriter,
    counts: &mut Counts,
) -> Result<()> {
    let Some(result) = game.result else {
        counts.unfinished += 1;
        return Ok(());
    };
    let mut position = game.start;
    let mut stretch = ScoredGame::new(position, result);
    let mut finish = |stretch: &ScoredGame, counts: &mut Counts| -> Result<()> {
        if stretch.len() >= options.min_plies.max(1) {
            writer.write(stretch)?;
            counts.games += 1;
            counts.positions += stretch.len() as u64;
        } else {
            counts.short += stretch.len() as u64;
        }
        Ok(())
    };
    for &(mv, score) in &game.moves {
        let next = position.make(mv);
        match score {
            Some(score) => stretch.push(mv, scaled(score, options.scale)),
            None => {
                counts.unscored += 1;
                finish(&stretch, counts)?;
                stretch = ScoredGame::new(next, result);
            }
        }
        position = next;
    }
    finish(&stretch, counts)
}

/// The score in other units, mates kept.
fn scaled(score: i16, scale: f64) -> i16 {
    if score.abs() >= MAX_SCORE {
        return score;
    }
    let limit = f64::from(MAX_SCORE);
    (f64::from(score) * scale).round().clamp(-limit, limit) as i16
}

//! The games that books are made from.

use crate::standard_error::tell;
use anyhow::{Context, Result, ensure};
use kaiyo_book::Collection;
use kaiyo_games::{GameResult, GamesReader, PlayedGame, TimeClass, decode_text};
use std::fs::File;
use std::path::{Path, PathBuf};

/// Faults that are shown; the others are only counted.
const SHOWN: u64 = 5;

/// Which games count.
#[derive(Clone, Debug, clap::Args)]
pub struct Filter {
    /// Rating that both players have at least; games with unknown ratings are left out then.
    #[arg(long, default_value_t = 0)]
    min_rating: u16,
    /// Speeds of games: bullet, blitz, rapid, classical; all of them and unknown ones without
    /// this option. In PGN they come from the time control.
    #[arg(long, value_delimiter = ',', value_parser = parse_speed)]
    speeds: Vec<TimeClass>,
    /// Results of games: 1-0, 0-1, 1/2-1/2; without this option all.
    #[arg(long, value_delimiter = ',', value_parser = parse_result)]
    results: Vec<GameResult>,
}

fn parse_speed(text: &str) -> Result<TimeClass, String> {
    TimeClass::from_name(text)
        .ok_or_else(|| "expected bullet, blitz, rapid or classical".to_owned())
}

fn parse_result(text: &str) -> Result<GameResult, String> {
    GameResult::from_text(text).ok_or_else(|| "expected 1-0, 0-1 or 1/2-1/2".to_owned())
}

impl Filter {
    /// The result of a game that counts.
    fn result(&self, game: &PlayedGame) -> Option<GameResult> {
        let result = game.result?;
        let rated = self.min_rating == 0
            || game.ratings.iter().all(|rating| rating.is_some_and(|it| it >= self.min_rating));
        let fits = rated
            && (self.speeds.is_empty()
                || game.time_class.is_some_and(|class| self.speeds.contains(&class)))
            && (self.results.is_empty() || self.results.contains(&result));
        fits.then_some(result)
    }
}

/// What came of the games.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Games that count.
    pub used: u64,
    /// Games that the filter leaves out, or that have no result.
    pub left_out: u64,
    /// Games that cannot be read.
    pub bad: u64,
}

/// Adds the first `max_plies` moves of the games of all files to a collection.
///
/// # Errors
/// A file cannot be read or has not one good game.
pub fn read(
    files: &[PathBuf],
    filter: &Filter,
    max_plies: usize,
    collection: &mut Collection,
) -> Result<Counts> {
    let mut counts = Counts::default();
    for path in files {
        let before = counts;
        read_file(path, filter, max_plies, collection, &mut counts)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let good = counts.used + counts.left_out - before.used - before.left_out;
        ensure!(good > 0, "{} has no game that can be read", path.display());
    }
    Ok(counts)
}

fn read_file(
    path: &Path,
    filter: &Filter,
    max_plies: usize,
    collection: &mut Collection,
    counts: &mut Counts,
) -> Result<()> {
    let file = File::open(path)?;
    let bar = kaiyo_progress::bar(
        Some(file.metadata()?.len()),
        "{wide_bar}",
        "{bytes}/{total_bytes}, {eta} left",
    );
    let text = decode_text(bar.wrap_read(file), path)?;
    let mut reader = GamesReader::new(text, path, max_plies)?;
    while let Some(game) = reader.next_game()? {
        match game {
            Ok(game) => match filter.result(&game) {
                Some(result) => {
                    let moves = game.moves.iter().take(max_plies).map(|&(mv, _)| mv);
                    collection.add(game.start, moves, white_half_points(result));
                    counts.used += 1;
                }
                None => counts.left_out += 1,
            },
            Err(error) => {
                counts.bad += 1;
                if counts.bad <= SHOWN {
                    bar.suspend(|| tell(format_args!("kaiyo: {}: {error:#}", path.display())));
                }
            }
        }
    }
    bar.finish_and_clear();
    Ok(())
}

const fn white_half_points(result: GameResult) -> u32 {
    match result {
        GameResult::WhiteWon => 2,
        GameResult::Draw => 1,
        GameResult::BlackWon => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiyo_chess::Position;

    fn game(ratings: [Option<u16>; 2], time_class: Option<TimeClass>) -> PlayedGame {
        let result = Some(GameResult::Draw);
        PlayedGame { start: Position::start(), result, ratings, time_class, moves: Vec::new() }
    }

    #[test]
    fn filters_compose() {
        let all = Filter { min_rating: 0, speeds: Vec::new(), results: Vec::new() };
        let unknown = game([None; 2], None);
        let rapid = game([Some(2500), Some(2400)], Some(TimeClass::Rapid));
        assert!(all.result(&unknown).is_some() && all.result(&rapid).is_some());
        let rated = Filter { min_rating: 2400, ..all.clone() };
        assert!(rated.result(&unknown).is_none() && rated.result(&rapid).is_some());
        assert!(Filter { min_rating: 2401, ..all.clone() }.result(&rapid).is_none());
        let slow = Filter { speeds: vec![TimeClass::Classical], ..all.clone() };
        assert!(slow.result(&unknown).is_none() && slow.result(&rapid).is_none());
        let won = Filter { results: vec![GameResult::WhiteWon], ..all.clone() };
        assert!(won.result(&rapid).is_none());
        let unfinished = PlayedGame { result: None, ..rapid };
        assert!(all.result(&unfinished).is_none());
    }
}

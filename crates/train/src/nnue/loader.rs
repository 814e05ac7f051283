//! Reads games, filters their positions and packs them.

use super::record::Record;
use crate::random::mix;
use crate::viriformat::{GameReader, ScoredGame, open};
use anyhow::{Context, Result, anyhow, ensure};
use indicatif::ProgressBar;
use kaiyo_chess::{Move, Position};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Games between two steps of the progress bar.
const GAMES_PER_TICK: u64 = 64;

/// Which positions teach something. Games are stored whole, so that this can change.
#[derive(Clone, Debug, clap::Args)]
pub struct Filters {
    /// Leave out so many plies at the start of each game.
    #[arg(long, default_value_t = 4)]
    pub min_ply: u32,
    /// Leave out scores beyond this, in the units of the data.
    #[arg(long, default_value_t = 6000)]
    pub max_score: u16,
    /// Leave out higher half-move clocks: scores are damped there.
    #[arg(long, default_value_t = 30)]
    pub max_clock: u16,
    /// Keep positions in check.
    #[arg(long)]
    pub keep_checks: bool,
    /// Keep positions whose move is a capture or a promotion.
    #[arg(long)]
    pub keep_tactics: bool,
    /// Keep this share of the positions that pass, at random.
    #[arg(long, default_value_t = 1.0)]
    pub keep_share: f64,
    /// Read at most so many positions of each file.
    #[arg(long)]
    pub max_positions: Option<usize>,
}

impl Filters {
    /// Whether a position passes; `random` decides about the share.
    fn pass(&self, ply: u32, position: &Position, mv: Move, score: i16, random: u64) -> bool {
        ply >= self.min_ply
            && score.unsigned_abs() <= self.max_score
            && position.halfmove_clock() <= self.max_clock
            && (self.keep_checks || !position.in_check())
            && (self.keep_tactics || !(mv.is_capture() || mv.is_promotion()))
            && (self.keep_share >= 1.0
                || (random >> 11) as f64 / (1_u64 << 53) as f64 <= self.keep_share)
    }
}

/// Positions of whole games, for training and for validation.
#[derive(Default)]
pub struct Data {
    /// Positions to learn.
    pub training: Vec<Record>,
    /// Positions of other games, to measure.
    pub validation: Vec<Record>,
    /// Games read.
    pub games: u64,
    /// Positions read, those left out too.
    pub positions: u64,
}

impl Data {
    fn append(&mut self, mut other: Self) {
        self.training.append(&mut other.training);
        self.validation.append(&mut other.validation);
        self.games += other.games;
        self.positions += other.positions;
    }
}

/// Reads all files, each in a thread, `threads` at a time.
///
/// Whether a game is held out, and which positions are kept, depends on the seed, the file's
/// place in the list and the game's place in the file, and on nothing else.
pub fn read(
    files: &[PathBuf],
    filters: &Filters,
    validation_share: f64,
    seed: u64,
    threads: usize,
) -> Result<Data> {
    ensure!((0.0..1.0).contains(&validation_share), "--validation-share must be in 0..1");
    let bar = ProgressBar::new_spinner();
    let next = AtomicUsize::new(0);
    let read_some = || -> Result<Vec<(usize, Data)>> {
        let mut read = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(path) = files.get(index) else { return Ok(read) };
            let seed = mix(seed ^ mix(index as u64));
            let data = read_file(path, filters, validation_share, seed, &bar)
                .with_context(|| format!("in {}", path.display()))?;
            read.push((index, data));
        }
    };
    let mut parts = Vec::new();
    std::thread::scope(|scope| -> Result<()> {
        let readers: Vec<_> =
            (0..threads.clamp(1, files.len().max(1))).map(|_| scope.spawn(read_some)).collect();
        for reader in readers {
            parts.extend(reader.join().map_err(|_| anyhow!("a reader failed"))??);
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    parts.sort_by_key(|&(index, _)| index);
    let mut data = Data::default();
    for (_, part) in parts {
        data.append(part);
    }
    Ok(data)
}

fn read_file(
    path: &Path,
    filters: &Filters,
    validation_share: f64,
    seed: u64,
    bar: &ProgressBar,
) -> Result<Data> {
    let mut reader = GameReader::new(open(path)?);
    let mut data = Data::default();
    let most = filters.max_positions.unwrap_or(usize::MAX);
    while data.training.len() + data.validation.len() < most {
        let Some(game) = reader.next_game()? else { break };
        let random = mix(seed ^ mix(data.games));
        data.games += 1;
        add_game(&game, filters, validation_share, random, &mut data)?;
        if data.games.is_multiple_of(GAMES_PER_TICK) {
            bar.set_message(format!("{} games of {}", data.games, path.display()));
            bar.inc(GAMES_PER_TICK);
        }
    }
    Ok(data)
}

fn add_game(
    game: &ScoredGame,
    filters: &Filters,
    validation_share: f64,
    mut random: u64,
    data: &mut Data,
) -> Result<()> {
    let held_out = (random >> 11) as f64 / ((1_u64 << 53) as f64) < validation_share;
    let records = if held_out { &mut data.validation } else { &mut data.training };
    let mut ply = 0;
    game.replay(|position, mv, score| {
        random = mix(random);
        if filters.pass(ply, position, mv, score, random) {
            records.push(Record::new(position, score, game.result));
        }
        ply += 1;
    })?;
    data.positions += u64::from(ply);
    Ok(())
}

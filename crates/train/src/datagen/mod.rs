//! Generates training games: the engine plays itself.
//!
//! A game depends on the options, the seed and its number, and on no other game, so that a run
//! that was broken off goes on as if it had not been. Each thread appends whole games to a file
//! of its own.

mod game;
mod identity;
mod opening;
mod output;
mod player;

#[cfg(feature = "tune")]
pub use game::play;
pub use game::{GameOptions, stored_score};
pub use identity::search_identity;
#[cfg(feature = "tune")]
pub use opening::read_books;
pub use player::{EvaluationOptions, Player};

use crate::random::sequence;
use crate::workers::check_threads;
use anyhow::{Context, Result, anyhow, bail, ensure};
use identity::usual_positions;
use kaiyo_progress::ProgressBar;
use kaiyo_tablebases::{TableKind, Tablebases};
use opening::{OpeningOptions, Openings};
use output::{GameFile, Manifest};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// Options of the generator.
#[derive(clap::Args)]
pub struct Options {
    /// Write games and a manifest into this folder.
    #[arg(long)]
    out: PathBuf,
    /// Number of games.
    #[arg(long)]
    games: u64,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Hash table of each thread in MiB.
    #[arg(long, default_value_t = 16)]
    hash: usize,
    #[command(flatten)]
    evaluation: EvaluationOptions,
    /// Number from which all random ones come.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Go on with the games in the folder.
    #[arg(long)]
    resume: bool,
    /// End games by the Syzygy tablebases in this folder.
    #[arg(long)]
    syzygy: Option<PathBuf>,
    /// A search ends with the first iteration after so many nodes.
    #[arg(long, default_value_t = 5000)]
    nodes: u64,
    #[command(flatten)]
    play: GameOptions,
    #[command(flatten)]
    opening: OpeningOptions,
}

impl Options {
    fn manifest(&self, openings: &Openings<'_>, tablebases: usize) -> Result<Manifest> {
        let mut player = Player::new(1, &self.evaluation)?;
        let search = search_identity(&mut player, &usual_positions())?;
        Ok(Manifest {
            format: "viriformat".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: env!("KAIYO_COMMIT").to_owned(),
            search: format!("{search:08x}"),
            network: player.network_checksum().map(|checksum| format!("{checksum:08x}")),
            book: openings.book_checksum().map(|checksum| format!("{checksum:016x}")),
            tablebases,
            seed: self.seed,
            threads: self.threads,
            options: format!(
                "hash {} nodes {} {:?} {}",
                self.hash,
                self.nodes,
                self.play,
                self.opening.shares()
            ),
            games: self.games,
        })
    }
}

/// What all threads report to.
struct Progress {
    bar: ProgressBar,
    /// A thread has failed, and no other begins another game.
    failed: AtomicBool,
    positions: AtomicU64,
    start: Instant,
}

impl Progress {
    fn add(&self, positions: usize) {
        let positions = self.positions.fetch_add(positions as u64, Relaxed) + positions as u64;
        let speed = positions as f64 / self.start.elapsed().as_secs_f64().max(1e-9);
        self.bar.set_message(format!("{positions} positions, {speed:.0}/s"));
        self.bar.inc(1);
    }
}

/// Plays games until there are as many as asked for.
pub fn run(options: &Options) -> Result<()> {
    check_threads(options.threads)?;
    ensure!(options.nodes > 0, "--nodes must be positive");
    let openings = Openings::new(&options.opening)?;
    let (tablebases, count) = open_tablebases(options.syzygy.as_deref())?;
    options.manifest(&openings, count)?.enter(&options.out, options.resume)?;
    let files = (0..options.threads)
        .map(|thread| GameFile::open(&options.out.join(output::file_name(thread))))
        .collect::<Result<Vec<_>>>()?;
    let done: u64 = files.iter().map(|file| file.games).sum();
    let text = "{pos}/{len} games, {msg}, {eta} left";
    let bar = kaiyo_progress::bar(Some(options.games), "{wide_bar}", text).with_position(done);
    bar.reset_eta();
    let (failed, positions) = (AtomicBool::new(false), AtomicU64::new(0));
    let progress = Progress { bar, failed, positions, start: Instant::now() };
    let files = std::thread::scope(|scope| {
        let workers: Vec<_> = files
            .into_iter()
            .enumerate()
            .map(|(thread, file)| {
                let (openings, tablebases, progress) = (&openings, &tablebases, &progress);
                scope.spawn(move || {
                    let file = generate(options, openings, tablebases, thread, file, progress);
                    progress.failed.fetch_or(file.is_err(), Relaxed);
                    file
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().map_err(|_| anyhow!("a thread failed"))?)
            .collect::<Result<Vec<_>>>()
    })?;
    progress.bar.finish();
    let faults = tablebases.take_faults();
    ensure!(faults.is_empty(), "games were played on without tables: {}", faults.join("; "));
    let positions = progress.positions.load(Relaxed);
    say!(
        "{} games with {} positions in {}; {:.0} positions/s",
        files.iter().map(|file| file.games).sum::<u64>(),
        files.iter().map(|file| file.positions).sum::<u64>(),
        options.out.display(),
        positions as f64 / progress.start.elapsed().as_secs_f64(),
    );
    Ok(())
}

/// The tablebases in a folder, whose heads have to be good, and the number of those that end games; none
/// without a folder.
fn open_tablebases(folder: Option<&Path>) -> Result<(Tablebases, usize)> {
    let mut tablebases = Tablebases::new();
    let mut count = 0;
    if let Some(folder) = folder {
        let scan = tablebases.add_folder(folder).with_context(|| folder.display().to_string())?;
        if let Some((path, error)) = scan.damaged.first() {
            bail!("the table {} {error}", path.display());
        }
        ensure!(tablebases.most_men() > 0, "{}: expected WDL tables (.rtbw)", folder.display());
        count = tablebases.count(TableKind::Wdl);
    }
    Ok((tablebases, count))
}

/// The games of one thread: every so-manieth.
fn generate(
    options: &Options,
    openings: &Openings<'_>,
    tablebases: &Tablebases,
    thread: usize,
    mut file: GameFile,
    progress: &Progress,
) -> Result<GameFile> {
    let mut player = Player::new(options.hash, &options.evaluation)?;
    loop {
        let number = file.games * options.threads as u64 + thread as u64;
        if number >= options.games || progress.failed.load(Relaxed) {
            return Ok(file);
        }
        let mut random = sequence(options.seed, number);
        player.new_game();
        let start = openings.draw(&mut random, &mut player)?;
        player.new_game();
        let game = game::play(start, &options.play, tablebases, |game| {
            player.search(game, options.nodes)
        })?;
        file.append(&game)?;
        progress.add(game.len());
    }
}

#[cfg(test)]
mod tests;

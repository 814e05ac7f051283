//! Files of single positions, made out of the positions of games.

use super::{ensure_new, for_games_until, kept};
use crate::random::mix;
use crate::viriformat::{PositionWriter, ScoredPosition, holds_positions};
use crate::workers::{check_threads, share};
use anyhow::{Context, Result, ensure};
use kaiyo_chess::Position;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Which games to read and what to write.
#[derive(clap::Args)]
pub struct SinglesOptions {
    /// Files of games, plain or compressed by zstd.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// File of single positions to write, FILE.bin or FILE.bin.zst.
    #[arg(long)]
    out: PathBuf,
    /// Stop after so many positions.
    #[arg(long)]
    max_positions: Option<u64>,
    /// Number from which all random choices come.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads that score.
    #[arg(long, default_value_t = 2)]
    pub threads: usize,
}

/// A position of a game.
pub struct Parent {
    /// The position.
    pub position: Position,
    /// A random number of its own.
    pub random: u64,
}

impl SinglesOptions {
    /// Tests the options before anything is read.
    ///
    /// # Errors
    /// An option makes no sense.
    pub fn check(&self, share: f64) -> Result<()> {
        check_threads(self.threads)?;
        ensure!(share > 0.0 && share <= 1.0, "--share must be above 0, at most 1");
        ensure!(
            holds_positions(&self.out),
            "--out {}: expected a name that ends with .bin or .bin.zst",
            self.out.display()
        );
        ensure_new(std::slice::from_ref(&self.out), &self.files)
    }

    /// Writes what `score` makes of the positions of all games, in their order, `chunk` of those that are
    /// `chosen` at a time.
    ///
    /// # Errors
    /// A file cannot be read or written, or scoring failed.
    pub fn write<W: Send>(
        &self,
        workers: &mut [W],
        chunk: usize,
        chosen: impl Fn(u64) -> bool,
        score: impl Fn(&mut W, &Parent) -> Result<Vec<ScoredPosition>> + Sync,
    ) -> Result<()> {
        let mut writer = PositionWriter::create(&self.out)
            .with_context(|| format!("cannot write {}", self.out.display()))?;
        let bar = kaiyo_progress::bar(
            self.max_positions,
            "{spinner}",
            "{pos} positions, {per_sec}, {elapsed}",
        );
        let mut parents: Vec<Parent> = Vec::new();
        let (mut seen, mut scored) = (0_u64, 0_u64);
        let enough = || self.max_positions.is_some_and(|most| bar.position() >= most);
        let mut flush = |parents: &mut Vec<Parent>| -> Result<()> {
            scored += parents.len() as u64;
            let children = share(workers, parents, |worker, _, parent| score(worker, parent))?;
            let left = self.max_positions.map_or(u64::MAX, |most| most - bar.position());
            let left = usize::try_from(left).unwrap_or(usize::MAX);
            for child in children.iter().flatten().take(left) {
                writer.write(child)?;
                bar.inc(1);
            }
            parents.clear();
            Ok(())
        };
        let scoring = for_games_until(&self.files, |game, place| {
            game.replay(|position, _, _| {
                seen += 1;
                let random = mix(mix(self.seed) ^ seen);
                if chosen(random) {
                    parents.push(Parent { position: *position, random });
                }
            })
            .with_context(|| place.to_string())?;
            // The last ones are scored a few at a time, so that not many are scored in vain.
            let left = self.max_positions.map_or(u64::MAX, |most| most - bar.position());
            let chunk = chunk.min(usize::try_from(left).unwrap_or(usize::MAX)).max(self.threads);
            if parents.len() >= chunk {
                flush(&mut parents)?;
            }
            Ok(if enough() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        });
        // What came before a fault is scored as well.
        let rest = if enough() { Ok(()) } else { flush(&mut parents) };
        if let Err(fault) = scoring.and(rest) {
            return Err(kept(fault, bar.position(), |ending| writer.keep_as(ending)));
        }
        writer.finish()?;
        bar.finish();
        say!(
            "{} quiet positions after moves of {scored} of {seen} in {}",
            bar.position(),
            self.out.display()
        );
        Ok(())
    }
}

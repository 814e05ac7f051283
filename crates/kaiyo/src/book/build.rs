//! `kaiyo book build`.

use super::judge::{Judge, Verification};
use super::sources::{self, Filter};
use super::write;
use crate::about;
use crate::cli::{Misuse, print};
use crate::standard_error::tell;
use anyhow::{Result, ensure};
use kaiyo_book::{Collection, Selection, select, to_bytes};
use kaiyo_files::ensure_writable;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Options {
    /// Files of games.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The book to write.
    #[arg(long)]
    out: PathBuf,
    /// Look at so many half-moves of each game.
    #[arg(long, default_value_t = 30)]
    max_plies: usize,
    /// Take moves that were played in at least so many games.
    #[arg(long, default_value_t = 5)]
    min_games: u32,
    /// Take moves that were played in at least this percentage of the games that reach the position.
    #[arg(long, default_value_t = 0.0)]
    min_share: f64,
    /// Take moves whose players made at least this percentage of the points.
    #[arg(long, default_value_t = 0.0)]
    min_score: f64,
    /// Take at most so many moves of a position: the most played ones.
    #[arg(long, default_value_t = usize::MAX, hide_default_value = true)]
    max_moves: usize,
    #[command(flatten)]
    filter: Filter,
    #[command(flatten)]
    verification: Verification,
    /// Different moves that are kept in memory while games are read, some 50 bytes each; when
    /// they become more, the rarest are forgotten.
    #[arg(long, default_value_t = 8_000_000)]
    capacity: usize,
    /// A comment in the head of the book.
    #[arg(long, default_value = "")]
    comment: String,
}

/// Reads the games, chooses the moves and writes the book.
pub fn run(options: &Options) -> Result<()> {
    for (name, percentage) in [("share", options.min_share), ("score", options.min_score)] {
        let misuse = || Misuse(format!("--min-{name} must be from 0 to 100"));
        ensure!((0.0..=100.0).contains(&percentage), misuse());
    }
    // First, so that a fault in the options does not cost the time for reading the games and for searches.
    ensure_writable(&options.out)?;
    let mut judge = Judge::new(&options.verification)?;
    let mut collection = Collection::new(options.capacity);
    let counts =
        sources::read(&options.files, &options.filter, options.max_plies, &mut collection)?;
    ensure!(counts.used > 0, "no game is left by the filters");
    tell(format_args!(
        "{} games with {} different moves; left out {} games by filters, {} that cannot be read",
        counts.used,
        collection.len(),
        counts.left_out,
        counts.bad
    ));
    // What is forgotten again and again may have had any number of games.
    if collection.forgotten() > 0 {
        tell(format_args!(
            "there was no room for all moves: rare ones were forgotten, with up to {} games at a time, and some \
             have fewer games than they had; see --capacity",
            collection.forgotten()
        ));
    }
    let selection = Selection {
        max_plies: options.max_plies,
        min_games: options.min_games,
        min_share: options.min_share / 100.0,
        min_score: options.min_score / 100.0,
        max_moves: options.max_moves,
    };
    let mut refused = 0;
    let entries = select(&collection, &selection, |ply, candidates| -> Result<Vec<bool>> {
        let verdicts = judge.judge(ply, candidates)?;
        refused += verdicts.iter().filter(|taken| !**taken).count();
        Ok(verdicts)
    })?;
    ensure!(!entries.is_empty(), "no move is left by the options");
    let count = entries.len();
    let comment = format!("{}\n{}", about::NAME, options.comment);
    let bytes = to_bytes(entries, comment.trim_end());
    write(&options.out, &bytes)?;
    let (out, length) = (options.out.display(), bytes.len());
    print(&format!("{out}: {count} moves, {length} bytes; searches refused {refused} moves"));
    Ok(())
}

//! `kaiyo book check`.

use super::judge::{search_all, searchers};
use super::open_or_embedded;
use crate::cli::print;
use anyhow::{Result, ensure};
use kaiyo_chess::Random;
use std::path::PathBuf;

/// Bad moves that are shown.
const SHOWN: usize = 10;

#[derive(clap::Args)]
pub struct Options {
    /// The books; without any those in the program.
    books: Vec<PathBuf>,
    /// Search so many moves, chosen at random; all without this option.
    #[arg(long)]
    sample: Option<usize>,
    /// Seed of the choice.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Nodes of each search.
    #[arg(long, default_value_t = 800_000)]
    nodes: u64,
    /// Scores for the player of the move below so many centipawns are bad.
    #[arg(long, default_value_t = -80, allow_hyphen_values = true)]
    limit: i32,
    /// Threads that search.
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// Searches the moves of each book that can be reached from the start position.
pub fn run(options: &Options) -> Result<()> {
    let mut searchers = searchers(options.threads)?;
    let mut bad = 0;
    for (name, book) in open_or_embedded(&options.books)? {
        let mut moves = book.reachable();
        let total = moves.len();
        let mut random = Random::new(options.seed);
        let wanted = options.sample.unwrap_or(total).min(total);
        for index in 0..wanted {
            moves.swap(index, index + random.below(total - index));
        }
        moves.truncate(wanted);
        let bar = kaiyo_progress::bar(Some(wanted as u64), "{wide_bar}", "{pos}/{len}, {eta} left");
        let mut scores = vec![0; wanted];
        let after = moves.iter().map(|(position, mv)| position.make(*mv));
        search_all(&mut searchers, after, options.nodes, |index, score| {
            bar.inc(1);
            scores[index] = -score.value();
            Ok(())
        })?;
        bar.finish_and_clear();
        let mut order: Vec<usize> = (0..wanted).collect();
        order.sort_by_key(|&index| scores[index]);
        let below = order.iter().filter(|&&index| scores[index] < options.limit).count();
        let worst = order.first().map_or(0, |&index| scores[index]);
        print(&format!(
            "{name}: {} entries, {total} moves reached, {wanted} searched, {below} below {}, the \
             worst {worst}",
            book.len(),
            options.limit
        ));
        for &index in order.iter().take(below.min(SHOWN)) {
            let (position, mv) = &moves[index];
            print(&format!("{:6} {} in {position}", scores[index], position.san(*mv)));
        }
        bad += below;
    }
    ensure!(bad == 0, "{bad} moves below {}", options.limit);
    Ok(())
}

//! `kaiyo book show`.

use super::open_or_embedded;
use crate::cli::{Misuse, parse_fen, print};
use anyhow::Result;
use kaiyo_book::{Book, key};
use kaiyo_chess::Position;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Options {
    /// The position; without it the start position.
    #[arg(default_value = kaiyo_chess::START_FEN)]
    fen: Vec<String>,
    /// The book; without it those in the program.
    #[arg(long = "book", value_name = "FILE")]
    books: Vec<PathBuf>,
}

/// Lists the moves of a position in each book.
pub fn run(options: &Options) -> Result<()> {
    let position = parse_fen(&options.fen).map_err(Misuse)?;
    for (name, book) in open_or_embedded(&options.books)? {
        print(&format!("{name}: {} entries", book.len()));
        for line in book.comment().unwrap_or_default().lines() {
            print(&format!("  {line}"));
        }
        print(&table(&book, &position));
    }
    Ok(())
}

/// The moves with weight, share of the weights, and, where the book has them, number of games
/// and percentage of the points for the player of the move.
fn table(book: &Book, position: &Position) -> String {
    let moves = book.moves(position, None);
    if moves.is_empty() {
        return format!("no move (key {:016x})", key(position, None));
    }
    let total: f64 = moves.iter().map(|found| f64::from(found.weight)).sum();
    let mut lines = vec!["move     weight   share     games  points".to_owned()];
    lines.extend(moves.iter().map(|found| {
        let share = 100.0 * f64::from(found.weight) / total.max(1.0);
        let known = book.statistics(found.learn).map_or_else(String::new, |statistics| {
            format!(" {:9} {:5.1} %", statistics.games, 100.0 * statistics.score())
        });
        format!("{:8} {:6} {share:5.1} %{known}", position.san(found.mv), found.weight)
    }));
    lines.join("\n")
}

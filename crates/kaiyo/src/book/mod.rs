//! `kaiyo book`: makes opening books and looks into them.

mod build;
mod check;
mod judge;
mod merge;
mod scores;
mod searcher;
mod show;
mod sources;

use crate::cli::examples;
use anyhow::{Context, Result};
use kaiyo_book::{Book, embedded};
use kaiyo_files::replace_file;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(clap::Subcommand)]
pub enum BookCommand {
    /// Make a book from games.
    ///
    /// The games are in PGN (files named .pgn), in lines `RESULT|FEN or -|move:score ...`, or in
    /// lines `RESULT WHITE_RATING BLACK_RATING SPEED move ...`; names ending in .zst are
    /// compressed by zstd. A move is taken when enough games have it, and when searches do not
    /// speak against it; only positions that taken moves lead to from the start are looked at.
    /// The same command with the same version of the program writes the same bytes.
    #[command(after_long_help = examples::BOOK_BUILD)]
    Build(build::Options),
    /// List what a book knows of a position.
    ///
    /// Each move with its weight and its share of the weights, and, where the book has them, its games
    /// and the percentage of the points that its player made.
    #[command(after_long_help = examples::BOOK_SHOW)]
    Show(show::Options),
    /// Make one book of several.
    ///
    /// Weights, games and points of a move are added up.
    #[command(after_long_help = examples::BOOK_MERGE)]
    Merge(merge::Options),
    /// Search the positions that moves of a book lead to, and fail if a move is bad.
    ///
    /// Looked at are the moves that can come up when the book is played from the start position.
    #[command(after_long_help = examples::BOOK_CHECK)]
    Check(check::Options),
}

/// Does what a command asks.
///
/// # Errors
/// A file cannot be read or written or holds something else than it should, or, for `check`, a
/// move is bad.
pub fn run(command: &BookCommand) -> Result<()> {
    match command {
        BookCommand::Build(options) => build::run(options),
        BookCommand::Show(options) => show::run(options),
        BookCommand::Merge(options) => merge::run(options),
        BookCommand::Check(options) => check::run(options),
    }
}

fn open(path: &Path) -> Result<Book> {
    Book::open(path).with_context(|| path.display().to_string())
}

/// The books of these files with their names, or without files those in the program.
fn open_or_embedded(paths: &[PathBuf]) -> Result<Vec<(String, Book)>> {
    if paths.is_empty() {
        return Ok(vec![
            ("book 1 of the program".to_owned(), embedded::wide()),
            ("book 2 of the program".to_owned(), embedded::narrow()),
        ]);
    }
    paths.iter().map(|path| Ok((path.display().to_string(), open(path)?))).collect()
}

/// Writes the bytes of a book; until they are all there, an old one stays.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    replace_file(path, |output| Ok(output.write_all(bytes)?))
}

//! `kaiyo book merge`.

use super::{open, write};
use crate::about;
use crate::cli::print;
use anyhow::{Result, ensure};
use kaiyo_book::{Book, merge, to_bytes};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Options {
    /// Books whose weights and games are added.
    #[arg(required = true, num_args = 2..)]
    books: Vec<PathBuf>,
    /// The book to write.
    #[arg(long)]
    out: PathBuf,
    /// A comment in the head of the book.
    #[arg(long, default_value = "")]
    comment: String,
}

/// Reads all books and writes one.
pub fn run(options: &Options) -> Result<()> {
    let books: Vec<Book> = options.books.iter().map(|path| open(path)).collect::<Result<_>>()?;
    let entries = merge(&books);
    ensure!(!entries.is_empty(), "the books have no move");
    let count = entries.len();
    let comment = format!("{}\n{}", about::NAME, options.comment);
    write(&options.out, &to_bytes(entries, comment.trim_end()))?;
    print(&format!("{}: {count} moves of {} books", options.out.display(), books.len()));
    Ok(())
}

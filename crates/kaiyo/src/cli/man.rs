//! Manual pages, made of the same definitions as the help.

use super::Cli;
use clap::CommandFactory;
use std::fs;
use std::io;
use std::path::Path;

/// The page of the program, in the language of `man`.
///
/// # Errors
/// The page is not in UTF-8, or cannot be written to memory.
pub fn page() -> io::Result<String> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page)?;
    String::from_utf8(page).map_err(io::Error::other)
}

/// Writes a page for the program and each of its commands into a folder, which is made if need be:
/// `kaiyo.1`, `kaiyo-bench.1`, `kaiyo-book-build.1` and so on.
///
/// # Errors
/// A folder or file cannot be written.
pub fn write_pages(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    clap_mangen::generate_to(Cli::command(), folder)
}

//! Paths from clients and command lines.

use kaiyo_chess::quote;
use kaiyo_files::{is_special, is_special_to_write};
use std::path::Path;

/// Refuses what may never end when it is read.
///
/// # Errors
/// A message that names the path.
pub fn expect_file(path: &Path) -> Result<(), String> {
    refuse_if(is_special(path), path)
}

/// Refuses what may never take what is written to it.
///
/// # Errors
/// A message that names the path.
pub fn expect_file_to_write(path: &Path) -> Result<(), String> {
    refuse_if(is_special_to_write(path), path)
}

fn refuse_if(is_wrong: bool, path: &Path) -> Result<(), String> {
    if is_wrong {
        let name = path.to_string_lossy();
        return Err(format!("expected the path of a file, found {}", quote(&name)));
    }
    Ok(())
}

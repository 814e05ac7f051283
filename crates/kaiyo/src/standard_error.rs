//! Messages to people on the standard error stream.

use std::fmt::Arguments;
use std::io::{Write, stderr};

/// Writes a line. Where nobody can read it, the program goes on all the same: `eprintln!` would end it.
pub fn tell(line: Arguments<'_>) {
    let _ = writeln!(stderr(), "{line}");
}

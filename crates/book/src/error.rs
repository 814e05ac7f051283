//! Why a file is no book.

use core::fmt;
use std::io;

/// Why a file is no book.
#[derive(Debug)]
pub enum BookError {
    /// The file cannot be read.
    Io(io::Error),
    /// The length is no multiple of the length of an entry.
    Length(u64),
    /// There is no entry.
    Empty,
    /// An entry, counted from 0, has a smaller key than the one before it.
    Unsorted(u64),
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot read the book: {error}"),
            Self::Length(len) => {
                write!(f, "{len} bytes, expected whole entries of {} bytes", crate::ENTRY_LEN)
            }
            Self::Empty => write!(f, "the book has no entry"),
            Self::Unsorted(entry) => {
                write!(f, "entry {entry} is out of order, expected entries sorted by key")
            }
        }
    }
}

// The message has the cause in it, so that there is no source to add.
impl core::error::Error for BookError {}

impl From<io::Error> for BookError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

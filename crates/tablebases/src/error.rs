//! Why a file is no table.

use core::fmt;
use std::io;

/// Why a file is no table, or a value cannot be read from it.
#[derive(Debug)]
pub enum TableError {
    /// The file cannot be read.
    Io(io::Error),
    /// The name is not one of a table, such as `KQvKR.rtbw`.
    Name,
    /// The file does not begin as tables of its kind do.
    Magic,
    /// The length is not one that a whole table can have.
    Length(u64),
    /// A part of the file, named here, lies beyond its end or contradicts another.
    Damaged(&'static str),
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot be read: {error}"),
            Self::Name => write!(f, "expected a name such as KQvKR.rtbw"),
            Self::Magic => write!(f, "does not begin as a table of this kind"),
            Self::Length(len) => write!(f, "{len} bytes is no length of a whole table"),
            Self::Damaged(part) => write!(f, "damaged: {part}"),
        }
    }
}

impl core::error::Error for TableError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for TableError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

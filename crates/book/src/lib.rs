//! Opening books in the Polyglot format (<http://hgm.nubati.net/book_format.html>).
//!
//! A book is a sorted list of entries of 16 bytes: a key of a position, a move, a weight and a
//! number for learning, all big endian. [`Book`] finds the moves of a position in a file that
//! is mapped into memory or compiled into the program; [`key`] computes the keys.
//!
//! [`Collection`] counts the moves of games, [`select()`] chooses those for a book, [`to_bytes`]
//! and [`merge`] make the file.

mod book;
mod collection;
pub mod embedded;
mod entry;
mod error;
mod header;
mod key;
mod random64;
mod statistics;
mod tree;
mod write;

pub use book::{Book, BookMove};
pub use collection::Collection;
pub use entry::{ENTRY_LEN, Entry};
pub use error::BookError;
pub use key::key;
pub use statistics::MoveStatistics;
pub use tree::{Candidate, Selection, select};
pub use write::{merge, to_bytes};

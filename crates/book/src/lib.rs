//! Opening books in the Polyglot format (<http://hgm.nubati.net/book_format.html>).
//!
//! A book is a sorted list of entries of 16 bytes: a key of a position, a move, a weight and a
//! number for learning, all big endian. [`Book`] finds the moves of a position in a file that
//! is mapped into memory or compiled into the program; [`key`] computes the keys.

mod book;
mod entry;
mod error;
mod key;
mod random64;

pub use book::{Book, BookMove};
pub use entry::{ENTRY_LEN, Entry};
pub use error::BookError;
pub use key::key;

//! The books in the program; `assets/PROVENANCE.md` tells how they were made.

use crate::book::Book;

/// The wide book: what masters and strong engines play.
pub fn wide() -> Book {
    Book::trusted(include_bytes!("../../../assets/book1.bin"))
}

/// The small book: lines for matches between engines.
pub fn narrow() -> Book {
    Book::trusted(include_bytes!("../../../assets/book2.bin"))
}

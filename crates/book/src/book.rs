//! Finding moves in books.

use crate::entry::{ENTRY_LEN, Entry, decode};
use crate::error::BookError;
use crate::header;
use crate::key::key;
use crate::statistics::MoveStatistics;
use kaiyo_chess::{Move, Position};
use memmap2::Mmap;
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

/// Entries of a position that are looked at: with all codes of all moves there are fewer.
const MAX_ENTRIES: usize = 1024;

/// A book, in a file that is mapped into memory or in the program.
#[derive(Debug)]
pub struct Book {
    data: Data,
    /// Whether the learning numbers are statistics.
    has_statistics: bool,
}

#[derive(Debug)]
enum Data {
    Mapped(Mmap),
    Static(&'static [u8]),
}

/// A move that a book knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move, which is legal.
    pub mv: Move,
    /// How good it is, compared with others of the position.
    pub weight: u16,
    /// The number for learning.
    pub learn: u32,
}

impl Book {
    /// Opens a file. It is read once to see that it is a book, and then only where moves are
    /// looked up.
    ///
    /// # Errors
    /// [`BookError`] says what is wrong with the file.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let file = File::open(path)?;
        check(BufReader::new(&file), file.metadata()?.len())?;
        // SAFETY: the map is only read, as bytes of which any are valid. That another process
        // cuts the file while it is in use cannot be ruled out, as for every mapped file.
        let map = unsafe { Mmap::map(&file)? };
        Ok(Self::new(Data::Mapped(map)))
    }

    /// A book in the program.
    ///
    /// # Errors
    /// [`BookError`] says what is wrong with the bytes.
    pub fn from_static(bytes: &'static [u8]) -> Result<Self, BookError> {
        check(bytes, bytes.len() as u64)?;
        Ok(Self::new(Data::Static(bytes)))
    }

    /// A book in the program that a test has read through.
    pub(crate) fn trusted(bytes: &'static [u8]) -> Self {
        Self::new(Data::Static(bytes))
    }

    fn new(data: Data) -> Self {
        let mut book = Self { data, has_statistics: false };
        let header = header::decode(book.iter());
        book.has_statistics = header.is_some_and(|header| header::has_statistics(&header));
        book
    }

    fn entries(&self) -> &[[u8; ENTRY_LEN]] {
        let bytes: &[u8] = match &self.data {
            Data::Mapped(map) => map,
            Data::Static(bytes) => bytes,
        };
        bytes.as_chunks().0
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries().len()
    }

    /// Whether there is no entry, which no book that was opened has.
    pub fn is_empty(&self) -> bool {
        self.entries().is_empty()
    }

    /// All entries, those of the header included.
    pub fn iter(&self) -> impl Iterator<Item = Entry> {
        self.entries().iter().map(Entry::from_bytes)
    }

    /// What the book says about itself in its header, if it has one.
    pub fn comment(&self) -> Option<String> {
        header::decode(self.iter()).map(|header| header::comment(&header))
    }

    /// The meaning of a learning number, in books whose header says that it is statistics.
    pub fn statistics(&self, learn: u32) -> Option<MoveStatistics> {
        self.has_statistics.then(|| MoveStatistics::from_learn(learn))
    }

    /// All entries with a key.
    pub fn find(&self, key: u64) -> impl Iterator<Item = Entry> {
        let entries = self.entries();
        let first = entries.partition_point(|bytes| Entry::from_bytes(bytes).key < key);
        entries[first..].iter().map(Entry::from_bytes).take_while(move |entry| entry.key == key)
    }

    /// The moves for a position that `last_move` has led to, best first. Entries that are no
    /// legal moves are left out, and those of the same move, whose castling may be written in two ways,
    /// are added up.
    pub fn moves(&self, position: &Position, last_move: Option<Move>) -> Vec<BookMove> {
        let mut moves: Vec<BookMove> = Vec::new();
        let legal = position.legal_moves();
        for entry in self.find(key(position, last_move)).take(MAX_ENTRIES) {
            let Some(mv) = decode(position, &legal, entry.code) else { continue };
            match moves.iter_mut().find(|known| known.mv == mv) {
                Some(known) => known.weight = known.weight.saturating_add(entry.weight),
                None => moves.push(BookMove { mv, weight: entry.weight, learn: entry.learn }),
            }
        }
        moves.sort_by_key(|book_move| core::cmp::Reverse(book_move.weight));
        moves
    }

    /// All moves in positions that the book's own moves lead to from the start, with these positions.
    pub fn reachable(&self) -> Vec<(Position, Move)> {
        let start = Position::start();
        let mut seen = HashSet::from([key(&start, None)]);
        let mut frontier = vec![(start, None)];
        let mut moves = Vec::new();
        while let Some((position, last_move)) = frontier.pop() {
            for found in self.moves(&position, last_move) {
                moves.push((position, found.mv));
                let next = position.make(found.mv);
                if seen.insert(key(&next, Some(found.mv))) {
                    frontier.push((next, Some(found.mv)));
                }
            }
        }
        moves
    }
}

/// Reads a book through.
fn check(mut input: impl Read, len: u64) -> Result<(), BookError> {
    if len == 0 {
        return Err(BookError::Empty);
    }
    if !len.is_multiple_of(ENTRY_LEN as u64) {
        return Err(BookError::Length(len));
    }
    let mut before = 0;
    for index in 0..len / ENTRY_LEN as u64 {
        let mut bytes = [0; ENTRY_LEN];
        input.read_exact(&mut bytes)?;
        let key = Entry::from_bytes(&bytes).key;
        if key < before {
            return Err(BookError::Unsorted(index));
        }
        before = key;
    }
    Ok(())
}

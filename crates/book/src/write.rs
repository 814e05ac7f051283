//! Books as bytes, and many books as one.

use crate::book::Book;
use crate::entry::Entry;
use crate::header;
use crate::statistics::MoveStatistics;
use core::cmp::Reverse;
use std::collections::BTreeMap;

/// The bytes of a book with these entries, whose learning numbers are statistics, and a comment.
pub fn to_bytes(mut entries: Vec<Entry>, comment: &str) -> Vec<u8> {
    entries.sort_by_key(|entry| (entry.key, Reverse(entry.weight), entry.code));
    header::encode(comment).into_iter().chain(entries).flat_map(Entry::to_bytes).collect()
}

/// The entries of several books together. Weights and games of a move in more than one book are
/// added; where the sum does not fit, all weights of the position shrink.
pub fn merge(books: &[Book]) -> Vec<Entry> {
    let mut moves: BTreeMap<(u64, u16), (u64, MoveStatistics)> = BTreeMap::new();
    for book in books {
        for entry in book.iter().filter(|entry| entry.key != 0) {
            let (weight, statistics) = moves.entry((entry.key, entry.code)).or_default();
            *weight += u64::from(entry.weight);
            *statistics = statistics.plus(book.statistics(entry.learn).unwrap_or_default());
        }
    }
    let moves: Vec<_> = moves.into_iter().collect();
    let mut entries = Vec::with_capacity(moves.len());
    for siblings in moves.chunk_by(|one, other| one.0.0 == other.0.0) {
        let most = siblings.iter().map(|&(_, (weight, _))| weight).max().unwrap_or(0);
        let divisor = most.div_ceil(u64::from(u16::MAX)).max(1);
        entries.extend(siblings.iter().map(|&((key, code), (weight, statistics))| Entry {
            key,
            code,
            // A move that was never to be played stays so, and any other one can be.
            weight: (weight / divisor).max(u64::from(weight > 0)) as u16,
            learn: statistics.to_learn(),
        }));
    }
    entries
}

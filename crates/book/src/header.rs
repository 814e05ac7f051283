//! What a book says about itself.
//!
//! Entries with the key 0, which no position has in practice, come first in a book, so that
//! programs which know nothing of headers skip them. The eight bytes after the key of each hold a
//! piece of a text: the line `@PG@`, the version of the header, the number of variants with their
//! names, and a comment (M. Van den Bergh's header format for Polyglot books).

use crate::entry::{ENTRY_LEN, Entry};

/// Bytes of text in an entry.
const PIECE_LEN: usize = ENTRY_LEN - 8;
/// Entries of a header that are read.
const MAX_PIECES: usize = 1 << 16;
/// The lines before the comment: marker, version, one variant and its name.
const START: &str = "@PG@\n1.0\n1\nnormal\n";
/// The last line of a comment that says what the learning numbers are.
const STATISTICS: &str = "learn = games << 12 | 4095 * points / games";

/// The entries that hold a comment, and say that the learning numbers are statistics.
pub fn encode(comment: &str) -> Vec<Entry> {
    let text = format!("{START}{comment}\n{STATISTICS}\n");
    let pieces = text.as_bytes().chunks(PIECE_LEN);
    pieces
        .map(|piece| {
            let mut bytes = [0; ENTRY_LEN];
            bytes[8..8 + piece.len()].copy_from_slice(piece);
            Entry::from_bytes(&bytes)
        })
        .collect()
}

/// The text of a header, if the first entries of a book are one.
pub fn decode(entries: impl Iterator<Item = Entry>) -> Option<String> {
    let bytes: Vec<u8> = entries
        .take(MAX_PIECES)
        .take_while(|entry| entry.key == 0)
        .flat_map(|entry| entry.to_bytes()[8..].to_vec())
        .take_while(|&byte| byte != 0)
        .collect();
    bytes.starts_with(b"@PG@\n").then(|| String::from_utf8_lossy(&bytes).into_owned())
}

/// The comment in the text of a header.
pub fn comment(header: &str) -> String {
    let mut lines = header.lines().skip(2);
    let variants = lines.next().and_then(|count| count.parse().ok()).unwrap_or(0);
    let comment: Vec<&str> =
        lines.skip(variants).filter(|line| !line.is_empty() && *line != STATISTICS).collect();
    comment.join("\n")
}

/// Whether the text of a header says that the learning numbers are statistics.
pub fn has_statistics(header: &str) -> bool {
    header.lines().any(|line| line == STATISTICS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_survive() {
        for text in ["", "short", "two\nlines, and more than one piece"] {
            let header = decode(encode(text).into_iter()).unwrap();
            assert_eq!(comment(&header), text);
            assert!(has_statistics(&header));
        }
    }

    #[test]
    fn other_entries_are_no_header() {
        let entry = Entry { key: 0, code: 1, weight: 2, learn: 3 };
        assert_eq!(decode([entry].into_iter()), None);
        assert_eq!(decode(std::iter::empty()), None);
        let foreign = "@PG@\n1.0\n2\nnormal\nsuicide\nby hand\n";
        assert_eq!(comment(foreign), "by hand");
        assert!(!has_statistics(foreign));
    }
}

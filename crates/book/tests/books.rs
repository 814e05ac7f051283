//! Books as files.

use kaiyo_book::{
    Book, BookError, Collection, ENTRY_LEN, Entry, Selection, key, merge, select, to_bytes,
};
use kaiyo_chess::{Move, Position};
use kaiyo_fuzz::rounds;
use proptest::prelude::*;
use std::collections::HashSet;
use std::path::PathBuf;

/// A file that is removed at the end.
struct TempFile(PathBuf);

impl TempFile {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("kaiyo-book-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        Self(path)
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn bytes(mut entries: Vec<Entry>) -> Vec<u8> {
    entries.sort_by_key(|entry| entry.key);
    entries.into_iter().flat_map(Entry::to_bytes).collect()
}

/// Two moves of the start position, one that is not legal, one that stands twice, and entries
/// around them.
fn start_book() -> Vec<u8> {
    let start = key(&Position::start(), None);
    let entry = |key, code, weight| Entry { key, code, weight, learn: 7 };
    let square = |name: &str| name.parse::<kaiyo_chess::Square>().unwrap().index() as u16;
    let code = |from, to| square(to) | square(from) << 6;
    bytes(vec![
        entry(0, 1, 1),
        entry(start, code("g1", "f3"), 3),
        entry(start, code("e2", "e4"), 10),
        entry(start, code("e2", "e5"), 99),
        entry(start, code("e2", "e4"), 1),
        entry(u64::MAX, 1, 1),
    ])
}

#[test]
fn moves_come_best_first() {
    let file = TempFile::new("start", &start_book());
    let book = Book::open(&file.0).unwrap();
    assert_eq!(book.len(), 6);
    let start = Position::start();
    let moves = book.moves(&start, None);
    let texts: Vec<_> = moves.iter().map(|found| (start.san(found.mv), found.weight)).collect();
    assert_eq!(texts, [("e4".to_owned(), 11), ("Nf3".to_owned(), 3)]);
    let other = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    assert!(book.moves(&other, None).is_empty());
}

#[test]
fn files_that_are_no_books_are_refused() {
    let good = start_book();
    let open = |name: &str, bytes: &[u8]| Book::open(&TempFile::new(name, bytes).0);
    assert!(matches!(open("empty", &[]), Err(BookError::Empty)));
    assert!(matches!(open("odd", &good[..good.len() - 3]), Err(BookError::Length(93))));
    let mut unsorted = good.clone();
    unsorted.rotate_left(ENTRY_LEN);
    assert!(matches!(open("unsorted", &unsorted), Err(BookError::Unsorted(5))));
    let missing = Book::open("/no/such/book.bin".as_ref());
    assert!(matches!(missing, Err(BookError::Io(_))));
}

/// Moves of games are found again in the book that is made of them, and in a merged one.
#[test]
fn any_games_are_found_in_the_book_that_is_made_of_them() {
    rounds(256, |config| {
        proptest!(config, |(choices in proptest::collection::vec(
            proptest::collection::vec(any::<u8>(), 0..8), 1..12))| {
            let mut collection = Collection::new(1000);
            let mut played = Vec::new();
            for (game, choices) in choices.iter().enumerate() {
                let (mut position, mut last_move) = (Position::start(), None);
                let mut moves = Vec::new();
                for &choice in choices {
                    let legal = position.legal_moves();
                    if legal.is_empty() {
                        break;
                    }
                    let mv = legal[usize::from(choice) % legal.len()];
                    played.push((position, last_move, mv));
                    moves.push(mv);
                    (position, last_move) = (position.make(mv), Some(mv));
                }
                collection.add(Position::start(), moves, game as u32 % 3);
            }
            let all = Selection {
                max_plies: 8, min_games: 1, min_share: 0.0, min_score: 0.0, max_moves: 99,
            };
            let judge = |_, candidates: &[_]| Ok::<_, BookError>(vec![true; candidates.len()]);
            let entries = select(&collection, &all, judge).unwrap();
            prop_assert_eq!(entries.len(), collection.len());
            let file = TempFile::new("built", &to_bytes(entries, "random games"));
            if played.is_empty() {
                // Nothing but the head.
                return Ok(());
            }
            let book = Book::open(&file.0).unwrap();
            prop_assert_eq!(book.comment(), Some("random games".to_owned()));
            let merged = TempFile::new("merged", &to_bytes(merge(&[Book::open(&file.0).unwrap()]), ""));
            let merged = Book::open(&merged.0).unwrap();
            for (position, last_move, mv) in played {
                let found = book.moves(&position, last_move);
                let found = found.iter().find(|found| found.mv == mv).unwrap();
                let statistics = book.statistics(found.learn).unwrap();
                prop_assert_eq!(Some(statistics), collection.get(key(&position, last_move), mv));
                prop_assert!(merged.moves(&position, last_move).contains(found));
            }
        })
    });
}

/// Codes of pawn moves by one and two squares from their start squares, among others.
const OPENING_CODES: std::ops::Range<u16> = 8 << 6 | 16..8 << 6 | 32;

/// Whatever a file holds, opening and probing it ends, and with legal moves.
#[test]
fn any_bytes_are_safe() {
    let found_some = std::cell::Cell::new(false);
    rounds(256, |config| {
        proptest!(config, |(
            mut keys in proptest::collection::vec(any::<u64>(), 0..40),
            codes in proptest::collection::vec(prop_oneof![any::<u16>(), OPENING_CODES], 40),
            cut in prop_oneof![9 => Just(0), 1 => 1..ENTRY_LEN],
            sort in proptest::bool::weighted(0.9),
        )| {
            let start = key(&Position::start(), None);
            keys.extend([start; 20]);
            if sort {
                keys.sort_unstable();
            }
            let entries = keys.iter().zip(codes.iter().cycle());
            let mut bytes: Vec<u8> = entries
                .flat_map(|(&key, &code)| Entry { key, code, weight: code, learn: 0 }.to_bytes())
                .collect();
            bytes.truncate(bytes.len() - cut);
            let file = TempFile::new("any", &bytes);
            if let Ok(book) = Book::open(&file.0) {
                let found = book.moves(&Position::start(), None);
                found_some.set(found_some.get() || !found.is_empty());
                for found in found {
                    prop_assert!(Position::start().is_legal(found.mv));
                    book.statistics(found.learn);
                }
                book.comment();
                prop_assert!(merge(&[book]).len() <= keys.len());
            }
        })
    });
    assert!(found_some.get(), "no file was a book with moves");
}

/// With the folder of suites in `KAIYO_SUITES`: every entry of a real book that can be reached
/// by moves of the book with any single move between them is a legal move.
#[test]
#[ignore = "needs KAIYO_SUITES"]
fn a_real_book_leads_to_legal_moves() {
    let folder = std::env::var_os("KAIYO_SUITES").expect("KAIYO_SUITES names a folder");
    let book = Book::open(&PathBuf::from(folder).join("polyglot_performance.bin")).unwrap();
    let mut stack = vec![(Position::start(), None)];
    let mut seen = HashSet::new();
    let mut reached = 0;
    while let Some(node) = stack.pop() {
        let entries = book.find(key(&node.0, node.1)).count();
        let found = book.moves(&node.0, node.1).len();
        assert_eq!(found, entries, "an entry of {} is not legal", node.0);
        reached += found;
        for next in successors(&node.0) {
            let known = book.find(key(&next.0, next.1)).next().is_some();
            for node in if known { vec![next] } else { successors(&next.0) } {
                let key = key(&node.0, node.1);
                if !seen.contains(&key) && book.find(key).next().is_some() {
                    seen.insert(key);
                    stack.push(node);
                }
            }
        }
    }
    println!("{reached} of {} entries reached", book.len());
    assert!(reached > book.len() * 9 / 10);
}

/// All positions after one move, each with the move.
fn successors(position: &Position) -> Vec<(Position, Option<Move>)> {
    position.legal_moves().iter().map(|&mv| (position.make(mv), Some(mv))).collect()
}

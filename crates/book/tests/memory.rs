//! A book takes the memory of the pages that are looked at, and not of the whole file. A process of
//! its own, in which no other test allocates.

#![cfg(target_os = "linux")]

use kaiyo_book::{Book, ENTRY_LEN, key};
use kaiyo_chess::Position;
use std::io::{BufWriter, Write};

const ENTRIES: u64 = 4 << 20;

/// Bytes of this process that are in memory, those of mapped files included.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("it is among that");
    let kibibytes = line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok());
    kibibytes.expect("a number") << 10
}

#[test]
fn resident_memory_grows_by_what_is_touched() {
    let path = std::env::temp_dir().join(format!("kaiyo-large-book-{}", std::process::id()));
    let start = key(&Position::start(), None);
    let step = u64::MAX / ENTRIES;
    let mut file = BufWriter::new(std::fs::File::create(&path).expect("a file"));
    for number in 0..ENTRIES {
        let mut entry = [0; ENTRY_LEN];
        // The nearest one becomes that of the start position: e2e4.
        let key = number * step;
        let key = if start.wrapping_sub(key) < step { start } else { key };
        entry[..8].copy_from_slice(&key.to_be_bytes());
        entry[8..10].copy_from_slice(&0x031c_u16.to_be_bytes());
        entry[10..12].copy_from_slice(&1_u16.to_be_bytes());
        file.write_all(&entry).expect("it can be written");
    }
    drop(file);

    let before = resident();
    let book = Book::open(&path).expect("a book");
    let moves = book.moves(&Position::start(), None);
    let grown = resident().saturating_sub(before);
    assert_eq!((book.len() as u64, moves.len()), (ENTRIES, 1));
    assert!(grown < 8 << 20, "{grown} bytes for one look-up");
    // Reading all of it does take its 64 MiB.
    assert_eq!(book.iter().filter(|entry| entry.weight == 1).count() as u64, ENTRIES);
    let grown = resident().saturating_sub(before);
    assert!(grown > 48 << 20, "{grown} bytes for all of it");
    std::fs::remove_file(&path).expect("the file is there");
}

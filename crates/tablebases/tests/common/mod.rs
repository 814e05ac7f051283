//! Where the tables are, and expected values as `python_chess.py` writes them.

// Every test file is a crate of its own and uses another part of this module.
#![allow(dead_code)]

use kaiyo_chess::Position;
use kaiyo_tablebases::Tablebases;
use std::path::{Path, PathBuf};

/// The folder with the tables that come with the source.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/syzygy")
}

/// The tables in a folder, all of which must be good.
pub fn tables(folder: &Path) -> Tablebases {
    let mut tables = Tablebases::new();
    let scan = tables.add_folder(folder).expect("a folder with tables");
    assert!(scan.added > 0 && scan.damaged.is_empty(), "{scan:?}");
    tables
}

/// A position.
pub fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect(fen)
}

/// Compares the tables with lines `FEN;WDL;DTZ`, and returns how many there are.
pub fn compare(tables: &Tablebases, expected: &str) -> usize {
    let mut count = 0;
    for line in expected.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split(';');
        let mut field = || fields.next().unwrap_or_else(|| panic!("a field is missing: {line}"));
        let position = position(field());
        let wdl = tables.probe_wdl(&position).map(|wdl| wdl.number().to_string());
        assert_eq!(wdl.as_deref(), Some(field()), "WDL of {line}");
        let dtz = tables.probe_dtz(&position).map(|dtz| dtz.plies().to_string());
        assert_eq!(dtz.as_deref(), Some(field()), "DTZ of {line}");
        count += 1;
    }
    assert_eq!(tables.take_faults(), [""; 0]);
    count
}

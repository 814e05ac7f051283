//! Damaged files: whatever their bytes, there is an answer or an error, and no panic.

mod common;

use common::{folder, position};
use kaiyo_chess::Position;
use kaiyo_fuzz::rounds;
use kaiyo_tablebases::{Material, Table, TableError, TableKind, Tablebases};
use proptest::prelude::*;
use std::fs;
use std::path::Path;

/// Tables without pawns and with, symmetric and not, and positions for them.
const CASES: [(&str, &[&str]); 4] = [
    ("KRvKR", &["8/8/1k3r2/8/8/2R5/6K1/8 w - - 0 1", "8/8/1k3r2/8/8/2R5/6K1/8 b - - 0 1"]),
    ("KRPvK", &["8/8/1k6/8/3P4/2R5/6K1/8 w - - 0 1", "8/8/1k6/8/3P4/2R5/6K1/8 b - - 0 1"]),
    ("KPvKP", &["8/8/1k3p2/8/8/2P5/6K1/8 w - - 0 1", "8/8/1k6/2p5/3P4/8/6K1/8 b - - 0 1"]),
    ("KQQvK", &["8/8/1k6/8/4Q3/2Q5/6K1/8 w - - 0 1", "8/3k4/8/8/6Q1/2Q5/6K1/8 b - - 0 1"]),
];

fn bytes(name: &str, kind: TableKind) -> Vec<u8> {
    let path = folder().join(format!("{name}.{}", kind.extension()));
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Opens a file of these bytes in a set with the good tables behind it, and probes.
fn probe(folder: &Path, name: &str, kind: TableKind, bytes: &[u8], fens: &[&str]) -> Vec<String> {
    fs::write(folder.join(format!("{name}.{}", kind.extension())), bytes).expect("a file");
    let mut tables = Tablebases::new();
    let scan = tables.add_folder(folder).expect("a folder");
    tables.add_folder(&common::folder()).expect("the good tables");
    for fen in fens {
        let position = position(fen);
        tables.probe_wdl(&position);
        tables.probe_dtz(&position);
    }
    let damaged = scan.damaged.into_iter().map(|(path, error)| format!("{path:?} {error}"));
    damaged.chain(tables.take_faults()).collect()
}

fn scratch_folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("kaiyo-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// Reads a table of these bytes and looks positions up, if it can be read.
fn look_up(name: &str, kind: TableKind, bytes: Vec<u8>, positions: &[Position]) {
    let material: Material = name.parse().expect("a name");
    let Ok(table) = Table::from_bytes(bytes, material, kind) else { return };
    for position in positions {
        let _ = table.wdl_entry(position);
        let _ = table.dtz_value(position);
    }
}

fn positions(fens: &[&str]) -> Vec<Position> {
    fens.iter().map(|fen| position(fen)).collect()
}

#[test]
fn every_changed_byte_of_headers_and_index_is_borne() {
    for (name, fens) in CASES {
        let positions = positions(fens);
        for kind in TableKind::ALL {
            let good = bytes(name, kind);
            // The description of the KPvKP tables is some 1000 bytes long, of others half of that.
            let step = if good.len() > 40_000 { 3 } else { 1 };
            for place in (0..good.len().min(1200)).step_by(step).chain([good.len() - 17]) {
                for change in [0x11, 0xff] {
                    let mut damaged = good.clone();
                    damaged[place] ^= change;
                    look_up(name, kind, damaged, &positions);
                }
            }
        }
    }
}

/// A set asks a table for the other side to move where it is for that one alone, and a damaged one may be
/// for neither.
#[test]
fn every_changed_byte_of_the_description_of_distances_is_borne_by_a_set() {
    let folder = scratch_folder("changed");
    // Won by moves of the king first, for either side.
    let kings = ["8/1k6/1p6/1P6/3K4/8/8/8 b - - 0 1", "8/3p3K/8/2P4k/8/8/8/8 w - - 0 1"];
    for (name, fens) in CASES.into_iter().skip(2).chain([("KPvKP", &kings[..])]) {
        let good = bytes(name, TableKind::Dtz);
        for place in 4..1200.min(good.len()) {
            let mut damaged = good.clone();
            damaged[place] ^= 1;
            probe(&folder, name, TableKind::Dtz, &damaged, fens);
        }
        fs::remove_file(folder.join(format!("{name}.rtbz"))).expect("the file can be removed");
    }
    fs::remove_dir_all(folder).expect("the folder can be removed");
}

#[test]
fn every_length_of_a_cut_file_is_borne() {
    for (name, fens) in CASES {
        let positions = positions(fens);
        for kind in TableKind::ALL {
            let good = bytes(name, kind);
            for len in (0..good.len()).step_by(if good.len() > 60_000 { 1601 } else { 64 }) {
                // Of a length that is possible, so that more than that is looked at.
                look_up(name, kind, good[..len / 64 * 64 + 16].to_vec(), &positions);
                look_up(name, kind, good[..len].to_vec(), &positions);
            }
        }
    }
}

#[test]
fn any_changed_bytes_are_borne() {
    rounds(256, |config| {
        proptest!(config, |(
            case in 0..CASES.len(),
            wdl: bool,
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..200),
            from_header: bool,
        )| {
            let (name, fens) = CASES[case];
            let kind = if wdl { TableKind::Wdl } else { TableKind::Dtz };
            let mut damaged = bytes(name, kind);
            // Behind the part that would be refused at once.
            let first = if from_header { 5 } else { 400.min(damaged.len() - 1) };
            for (place, byte) in changes {
                let place = first + place.index(damaged.len() - first);
                damaged[place] = byte;
            }
            look_up(name, kind, damaged, &positions(fens));
        })
    });
}

#[test]
fn a_damaged_file_is_named_once_and_the_others_serve() {
    let folder = scratch_folder("damaged");
    let (name, fens) = CASES[0];
    let good = bytes(name, TableKind::Wdl);
    assert!(probe(&folder, name, TableKind::Wdl, &good, fens).is_empty());

    // Seen at once: cut, or another kind of file. The good table is taken then.
    let faults = probe(&folder, name, TableKind::Wdl, &good[..good.len() - 1], fens);
    assert_eq!(faults.len(), 1);
    assert!(faults[0].contains("KRvKR.rtbw") && faults[0].contains("length"), "{faults:?}");
    let faults = probe(&folder, name, TableKind::Wdl, &[0; 80], fens);
    assert!(faults.len() == 1 && faults[0].contains("begin"), "{faults:?}");

    // Seen when it is first used.
    let mut damaged = good.clone();
    damaged[6] = 0;
    let faults = probe(&folder, name, TableKind::Wdl, &damaged, fens);
    assert!(faults.len() == 1 && faults[0].contains("damaged"), "{faults:?}");
    let cut = &good[..good.len() - 64];
    let faults = probe(&folder, name, TableKind::Wdl, cut, fens);
    assert!(faults.len() == 1 && faults[0].contains("blocks"), "{faults:?}");
    fs::remove_dir_all(folder).expect("the folder can be removed");
}

#[test]
fn tables_are_refused_for_other_material() {
    let rook = bytes("KRvKR", TableKind::Wdl);
    let open = |name: &str, kind| Table::from_bytes(rook.clone(), name.parse().unwrap(), kind);
    assert!(matches!(open("KQvKQ", TableKind::Wdl), Err(TableError::Damaged(_))));
    assert!(matches!(open("KRvKR", TableKind::Dtz), Err(TableError::Magic)));
    let table = open("KRvKR", TableKind::Wdl).expect("a good table");
    assert!(table.wdl_entry(&Position::start()).is_err());
}

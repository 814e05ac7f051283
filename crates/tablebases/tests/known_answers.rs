//! Values that another prober found, and rules that no table can break.

mod common;

use common::{compare, folder, position, tables};
use kaiyo_tablebases::{TableKind, Tablebases, Wdl};

/// The environment variables with a folder of tables, and a file with expected values for them.
const TABLES: &str = "KAIYO_SYZYGY";
const EXPECTED: &str = "KAIYO_SYZYGY_EXPECTED";

#[test]
fn values_are_those_of_python_chess() {
    let expected = include_str!("expected.txt");
    assert!(compare(&tables(&folder()), expected) >= 1_000);
}

#[test]
#[ignore = "needs all tables with three and four men"]
fn values_of_all_small_tables_are_those_of_python_chess() {
    let variable = |name| std::env::var_os(name).unwrap_or_else(|| panic!("{name} is not set"));
    let (folder, expected) = (std::path::PathBuf::from(variable(TABLES)), variable(EXPECTED));
    let expected = std::fs::read_to_string(expected).expect("the expected values");
    assert!(compare(&tables(&folder), &expected) >= 20_000);
}

#[test]
fn folders_are_counted() {
    let tables = tables(&folder());
    assert_eq!(tables.most_men(), 4);
    assert_eq!(tables.count(TableKind::Wdl), 25);
    assert_eq!(tables.count(TableKind::Dtz), 15);
    assert!(Tablebases::new().add_folder("no such folder".as_ref()).is_err());
}

#[test]
fn bare_kings_draw_without_tables() {
    let tables = Tablebases::new();
    let bare = position("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(tables.probe_wdl(&bare), Some(Wdl::Draw));
    assert_eq!(tables.probe_dtz(&bare).map(|dtz| dtz.plies()), Some(0));
    let rook = position("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    assert_eq!(tables.probe_wdl(&rook), None);
    // The last man falls.
    let taken = position("8/8/8/8/8/8/1k6/R3K3 b - - 0 1");
    assert_eq!(tables.probe_wdl(&taken), None);
}

#[test]
fn castling_and_missing_tables_are_no_answer() {
    let tables = tables(&folder());
    assert_eq!(tables.probe_wdl(&position("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")), None);
    assert_eq!(tables.probe_dtz(&position("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")), None);
    assert_eq!(tables.probe_wdl(&position("4k3/8/5n2/8/8/8/8/1Q2K3 w - - 0 1")), None);
    assert_eq!(tables.probe_wdl(&kaiyo_chess::Position::start()), None);
    // Only the result of this material is known.
    let result_only = position("4k3/8/8/8/8/2p5/8/Q3K3 w - - 0 1");
    assert_eq!(tables.probe_wdl(&result_only), Some(Wdl::Win));
    assert!(tables.probe_dtz(&position("8/4k3/8/2p5/8/8/8/Q3K3 w - - 0 1")).is_none());
    assert!(tables.take_faults().is_empty());
}

#[test]
fn en_passant_that_decides_the_game_is_seen() {
    let tables = tables(&folder());
    // Results with the capture and without, as python-chess gives them.
    for (fen, with, without) in [
        ("8/8/8/8/1pP5/8/8/K4k2 b - c3 0 1", Wdl::Draw, Wdl::Loss),
        ("8/7k/8/8/1pP5/8/8/K7 b - c3 0 1", Wdl::Draw, Wdl::Loss),
        ("8/8/8/1K1k4/1pP5/8/8/8 b - c3 0 1", Wdl::Win, Wdl::Draw),
        ("8/8/8/8/2pP4/8/1K6/5k2 b - d3 0 1", Wdl::Win, Wdl::Loss),
        ("8/8/8/8/2pP4/2K1k3/8/8 b - d3 0 1", Wdl::Win, Wdl::Loss),
    ] {
        let capture = position(fen);
        assert!(capture.en_passant().is_some(), "{fen}");
        assert_eq!(tables.probe_wdl(&capture), Some(with), "{fen}");
        let after = |&mv| tables.probe_wdl(&capture.make(mv)).map(|wdl| -wdl);
        assert_eq!(capture.legal_moves().iter().map(after).max().flatten(), Some(with), "{fen}");
        let plain = position(&fen.replace(" c3 ", " - ").replace(" d3 ", " - "));
        assert_eq!(tables.probe_wdl(&plain), Some(without), "{fen}");
    }
}

#[test]
fn threads_share_a_set() {
    let tables = tables(&folder());
    let expected = include_str!("expected.txt");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| compare(&tables, expected));
        }
    });
}

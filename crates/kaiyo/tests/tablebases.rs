//! Tablebases as a client sees them.

mod common;

use common::{AT_ONCE, Client, Folder, ShownScore, game, ms};
use kaiyo_chess::Game;
use std::fs;
use std::path::{Path, PathBuf};

const ROOK_WINS: &str = "position fen 8/8/8/3k4/8/8/6K1/7R w - - 0 1";

fn tables() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/syzygy")
}

/// A folder of its own, with a space in its name, with some of the tables.
fn copy(name: &str, files: &[&str]) -> Folder {
    let folder = Folder::new(&format!("{name} tables"));
    for file in files {
        fs::copy(tables().join(file), folder.path(file)).expect("a copy of a table");
    }
    folder
}

fn set_path(client: &mut Client, folders: &[&Path]) -> Vec<String> {
    let joined = std::env::join_paths(folders).expect("a list of folders");
    client.ask(&format!("setoption name SyzygyPath value {}", joined.to_str().expect("UTF-8")))
}

fn is_win(score: ShownScore) -> bool {
    match score {
        ShownScore::Mate(moves) => moves > 0,
        ShownScore::Centipawns(value) => value > 19_000,
    }
}

#[test]
fn several_folders_with_spaces_in_their_names_serve() {
    let rook = copy("rook", &["KRvK.rtbw", "KRvK.rtbz"]);
    let pawn = copy("pawn", &["KPvK.rtbw", "KPvK.rtbz"]);
    let mut client = Client::ready();
    let counted = "info string Syzygy: 2 WDL and 2 DTZ tables, up to 3 men";
    assert_eq!(set_path(&mut client, &[rook.as_path(), pawn.as_path()]), [counted]);
    for position in [ROOK_WINS, "position fen 8/8/1k6/8/1K6/8/1P6/8 w - - 0 1"] {
        client.send(position);
        let search = client.go("depth 6", AT_ONCE);
        client.check(&search, &game(position));
        let last = search.last().expect("a score");
        assert!(is_win(last.score) && last.tablebase_hits > 0, "{last:?}");
    }
    client.quit();
}

#[test]
fn a_missing_folder_gives_one_line_and_play_goes_on() {
    let mut client = Client::ready();
    let messages = set_path(&mut client, &[Path::new("./no such folder/")]);
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].starts_with("info string ") && messages[0].contains("no such folder"));
    client.send(ROOK_WINS);
    let search = client.go("depth 4", AT_ONCE);
    assert_eq!(search.last().expect("a score").tablebase_hits, 0);
    assert_eq!(client.ask("setoption name SyzygyPath value <empty>"), [""; 0]);
    client.quit();
}

#[test]
fn of_a_good_folder_and_a_wrong_one_both_are_told() {
    let mut client = Client::ready();
    let messages = set_path(&mut client, &[&tables(), Path::new("./no such folder/")]);
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].starts_with("info string Syzygy: "), "{messages:?}");
    assert!(messages[0].contains(" WDL and ") && messages[0].contains("no such folder"));
    client.quit();
}

#[test]
fn a_wrong_folder_leaves_the_tables_that_are_there() {
    let mut client = Client::ready();
    set_path(&mut client, &[&tables()]);
    assert_eq!(set_path(&mut client, &[Path::new("./no such folder/")]).len(), 1);
    for (value, hits) in [("", true), ("setoption name SyzygyPath value <Empty>", false)] {
        client.send(value);
        client.send(ROOK_WINS);
        let search = client.go("depth 4", AT_ONCE);
        assert_eq!(search.last().expect("a score").tablebase_hits > 0, hits, "{value}");
    }
    client.quit();
}

#[test]
fn a_damaged_file_gives_one_line_and_play_goes_on() {
    let folder = copy("damaged", &["KRvK.rtbz", "KQvK.rtbw"]);
    fs::write(folder.path("KQvK.rtbz"), [7; 100]).expect("a file");
    // Of a length that a table can have, so that it shows only when it is used.
    let mut bytes = fs::read(tables().join("KRvK.rtbw")).expect("a table");
    bytes[6] = 0xee;
    fs::write(folder.path("KRvK.rtbw"), bytes).expect("a file");

    let mut client = Client::ready();
    let messages = set_path(&mut client, &[folder.as_path()]);
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].contains("KQvK.rtbz"), "{messages:?}");
    for expected in [1, 0] {
        client.send(ROOK_WINS);
        let search = client.go("depth 4", AT_ONCE);
        client.check(&search, &game(ROOK_WINS));
        assert_eq!(search.messages.len(), expected, "{:?}", search.messages);
        assert!(search.messages.iter().all(|message| message.contains("KRvK.rtbw")));
    }
    client.quit();
}

#[test]
fn a_won_ending_is_won() {
    let mut client = Client::ready();
    assert_eq!(set_path(&mut client, &[&tables()]).len(), 1);
    let start = "position fen 8/8/1k6/8/3P4/2R5/6K1/8 w - - 0 1";
    let mut moves = String::new();
    let mut played: Game = game(start);
    while !played.position().is_checkmate() {
        assert!(played.repetitions() < 3 && !played.position().is_fifty_move_draw());
        let position = format!("{start}{moves}");
        client.send(&position);
        let search = client.go("nodes 300", ms(3000));
        client.check(&search, &played);
        assert!(search.last().expect("a score").tablebase_hits > 0);
        if moves.is_empty() {
            moves.push_str(" moves");
        }
        moves = format!("{moves} {}", search.best);
        played.play_uci(&search.best).expect("a legal move");
    }
    assert!(played.moves().len() % 2 == 1, "White wins");
    client.quit();
}

#[test]
fn lookups_have_a_least_depth_and_a_largest_number_of_men() {
    let mut client = Client::ready();
    assert_eq!(set_path(&mut client, &[&tables()]).len(), 1);
    // The rook that can be taken leaves four men, as many as the largest tables have.
    let position = "position fen 8/5k2/8/8/3r4/6P1/8/2KR4 w - - 0 1";
    for (option, wins) in [
        ("SyzygyProbeDepth value 50", false),
        ("SyzygyProbeDepth value 1", true),
        ("SyzygyProbeLimit value 3", false),
        ("SyzygyProbeLimit value 4", true),
        ("SyzygyProbeLimit value 0", false),
    ] {
        assert_eq!(client.ask(&format!("setoption name {option}")), [""; 0]);
        client.send(position);
        let search = client.go("depth 2", AT_ONCE);
        client.check(&search, &game(position));
        assert_eq!(is_win(search.score()), wins, "{option}: {:?}", search.last());
    }
    assert_eq!(client.go("depth 4", AT_ONCE).last().expect("a score").tablebase_hits, 0);
    client.quit();
}

#[test]
fn the_fifty_move_rule_can_be_switched_off() {
    let mut client = Client::ready();
    assert_eq!(set_path(&mut client, &[&tables()]).len(), 1);
    let late = "position fen 8/8/8/3k4/8/8/6K1/7R w - - 76 1";
    for (rule, wins) in [("true", false), ("false", true)] {
        client.send(&format!("setoption name Syzygy50MoveRule value {rule}"));
        client.send(late);
        let search = client.go("depth 6", AT_ONCE);
        assert_eq!(is_win(search.score()), wins, "{:?}", search.last());
    }
    client.quit();
}

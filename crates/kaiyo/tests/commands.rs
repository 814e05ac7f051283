//! The commands beyond the protocol.

mod common;

use common::{AT_ONCE, Client, Folder, game, ms};
use std::ffi::OsString;
use std::time::Instant;

#[test]
fn the_board_can_be_shown_and_flipped() {
    let mut client = Client::ready();
    client.send("position startpos moves e2e4");
    client.send("flip");
    let lines = client.ask("d");
    assert!(
        lines.contains(
            &"Fen: rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned()
        )
    );
    assert!(lines.contains(&"Legal moves: 20".to_owned()));
    client.send("go infinite");
    client.send("d");
    client.read_to(AT_ONCE, |line| line == "Legal moves: 20").expect("a board during a search");
    client.send("stop");
    client.finish_search(AT_ONCE);
    client.quit();
}

#[test]
fn counting_takes_depths_and_nothing_else() {
    let mut client = Client::ready();
    client.send("go perft -1");
    client.read_until("Nodes searched: 1");
    client.send("go perft 255");
    client.send("stop");
    client.read_until("info string perft stopped");
    // Deeper ones would not end, but in a full stack.
    for line in ["go perft x", "perft", "go perft", "go perft 256", "perft 99999999999999999999"] {
        let answer = client.ask(line);
        assert!(answer.len() == 1 && answer[0].starts_with("info string go perft: "), "{answer:?}");
    }
    client.quit();
}

#[test]
fn people_and_their_likely_moves_are_shown() {
    let mut client = Client::ready();
    let lines = client.ask("policy 1200 2200");
    assert!(lines[0].starts_with("rating") && lines[0].contains("2200"), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("e4 ")), "{lines:?}");
    assert!(client.ask("policy")[0].contains("1900"));
    let lines = client.ask("policy engine unknown");
    assert!(lines[0].split_whitespace().eq(["rating", "engine", "unknown"]), "{lines:?}");
    client.quit();
}

#[test]
fn the_network_can_be_written_and_read_again() {
    let folder = Folder::new("export");
    let path = folder.path("a network.nnue");
    let mut client = Client::ready();
    let explained = client.ask("eval");
    let answer = client.ask(&format!("export_net {path}"));
    assert!(answer.len() == 1 && answer[0].contains("network is in"), "{answer:?}");
    assert_eq!(client.ask(&format!("setoption name EvalFile value {path}")), [""; 0]);
    assert_eq!(client.ask("eval"), explained);
    let answer = client.ask("export_net /no/such/folder/x.nnue");
    assert!(answer.len() == 1 && answer[0].starts_with("info string export_net: "), "{answer:?}");
    client.quit();
}

#[test]
fn without_a_name_the_network_goes_into_the_working_folder() {
    let folder = Folder::new("working folder");
    let mut client = Client::in_folder(folder.as_path());
    let explained = client.ask("eval");
    let answer = client.ask("export_net");
    let name = answer[0].strip_prefix("info string export_net: network is in ");
    let name = name.map(|name| name.trim_matches('\'')).expect("the name of a file");
    assert!(name.starts_with("kaiyo-") && name.ends_with(".nnue"), "{answer:?}");
    let written = std::fs::read_dir(folder.as_path()).expect("a folder");
    let written: Vec<_> = written.map(|file| file.expect("a file").file_name()).collect();
    assert_eq!(written, [OsString::from(name)]);
    assert_eq!(client.ask(&format!("setoption name EvalFile value {name}")), [""; 0]);
    assert_eq!(client.ask("eval"), explained);
    client.quit();
}

#[test]
fn the_speed_of_all_threads_is_measured() {
    let mut client = Client::ready();
    client.send("speedtest 2 16 1");
    let line = client.read_to(ms(10_000), |line| line.ends_with(" nps"));
    assert!(line.is_some(), "{}", client.transcript());
    client.quit();
}

#[test]
fn counting_can_be_stopped_and_waited_for() {
    let mut client = Client::ready();
    client.send("go perft 40");
    client.send("isready");
    client.read_to(AT_ONCE, |line| line == "readyok").expect("readyok during perft");
    client.send("stop");
    client.read_until("info string perft stopped");
    client.send("go perft 3");
    client.send("go depth 1");
    client.read_until("Nodes searched: 8902");
    client.finish_search(AT_ONCE);
    client.quit();
}

#[test]
fn debug_mode_tells_which_commands_wait() {
    let mut client = Client::ready();
    let told = "info string the command waits for the end of the search";
    client.send("debug on");
    client.send("go infinite");
    client.send("setoption name MultiPV value 2");
    client.read_until(told);
    client.send("debug off");
    client.send("setoption name MultiPV value 1");
    assert!(!client.sync().iter().any(|line| line == told), "{}", client.transcript());
    client.send("stop");
    client.finish_search(AT_ONCE);
    client.quit();
}

#[test]
fn all_lines_of_an_iteration_come_together() {
    let mut client = Client::ready();
    client.send("setoption name MultiPV value 3");
    for position in ["6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "8/8/8/3k4/8/8/4P3/4K3 w - - 0 1"] {
        let command = format!("position fen {position}");
        client.send(&command);
        let search = client.go("depth 14", AT_ONCE);
        client.check(&search, &game(&command));
        assert!(search.infos.len().is_multiple_of(3), "{}", client.transcript());
        for lines in search.infos.chunks(3) {
            let depths = lines.iter().map(|line| line.depth);
            assert!(depths.eq([lines[0].depth; 3]), "{}", client.transcript());
            assert!(lines.iter().map(|line| line.multi_pv).eq(1..=3), "{}", client.transcript());
        }
        assert_eq!(search.last().map(|last| last.depth), Some(14));
    }
    client.quit();
}

#[test]
fn current_moves_come_no_faster_than_one_can_read() {
    let mut client = Client::ready();
    client.send("setoption name MultiPV value 500");
    let is_current_move = |line: &str| line.contains(" currmove ");
    let start = Instant::now();
    client.send("go infinite");
    client.read_to(10 * AT_ONCE, is_current_move).expect("a current move");
    assert!(start.elapsed() >= ms(1000), "{:?}", start.elapsed());
    let watched = Instant::now();
    let mut reports = 1;
    while watched.elapsed() < ms(1000) {
        let line = client.next_line(ms(100));
        reports += u128::from(line.is_some_and(|line| is_current_move(&line)));
    }
    // However late they are read, all of them were said since the search began.
    let most = start.elapsed().as_millis() / 50 + 1;
    assert!(reports > 1 && reports <= most, "{reports} reports, expected {most} at most");
    client.send("stop");
    client.finish_search(AT_ONCE);
    client.quit();
}

//! Commands that come while something runs.

mod common;

use common::{AT_ONCE, Client, game};
use std::io::Write;
use std::process::{Command, Stdio};

#[test]
fn options_set_during_a_search_wait_for_its_end() {
    let mut client = Client::ready();
    client.send("go infinite");
    client.send("setoption name MultiPV value 2");
    client.send("setoption name Hash value 2");
    client.send("setoption name Threads value 2");
    client.send("setoption name UCI_ShowWDL value true");
    client.send("isready");
    client.read_to(AT_ONCE, |line| line == "readyok").expect("readyok");
    client.send("stop");
    let first = client.finish_search(AT_ONCE);
    assert!(first.infos.iter().all(|info| info.multi_pv == 1 && info.chances.is_none()));
    let second = client.go("depth 3", AT_ONCE);
    assert!(second.infos.iter().any(|info| info.multi_pv == 2));
    assert!(second.infos.iter().all(|info| info.chances.is_some()));
    client.quit();
}

#[test]
fn commands_during_a_search_wait_in_order() {
    let mut client = Client::ready();
    client.send("go depth 3");
    client.send("position startpos moves e2e4");
    client.send("go depth 3");
    client.send("ucinewgame");
    client.send("position startpos moves e2e4 e7e5");
    client.send("go depth 3");
    for position in ["startpos", "startpos moves e2e4", "startpos moves e2e4 e7e5"] {
        let search = client.finish_search(AT_ONCE);
        client.check(&search, &game(&format!("position {position}")));
    }
    client.quit();
}

#[test]
fn a_search_without_end_gives_way_to_what_follows() {
    let mut client = Client::ready();
    for command in ["position startpos moves e2e4", "ucinewgame", "go depth 1"] {
        for search in ["go infinite", "go ponder wtime 1000 btime 1000", "go"] {
            client.send("position startpos");
            client.send(search);
            client.send(command);
            assert!(!client.finish_search(AT_ONCE).was_stopped, "{search}, {command}");
            if command.starts_with("go") {
                assert!(!client.finish_search(AT_ONCE).was_stopped, "{search}, {command}");
            }
            client.sync();
        }
    }
    // One `stop` must reach a search that had to wait.
    client.send("go infinite");
    client.send("go infinite");
    client.send("stop");
    assert!(!client.finish_search(AT_ONCE).was_stopped);
    assert!(!client.finish_search(AT_ONCE).was_stopped);
    client.quit();
}

#[test]
fn stop_right_after_go_is_not_lost() {
    let mut client = Client::ready();
    for _ in 0..50 {
        client.send("go infinite");
        client.send("stop");
        let search = client.finish_search(AT_ONCE);
        assert!(!search.was_stopped);
        client.check(&search, &game("position startpos"));
    }
    client.quit();
}

#[test]
fn a_new_game_during_a_search_is_harmless() {
    let mut client = Client::ready();
    for _ in 0..10 {
        client.send("go movetime 20");
        client.send("ucinewgame");
        client.send("isready");
        let search = client.read_to(AT_ONCE, |line| line.starts_with("bestmove"));
        assert!(search.is_some(), "{}", client.transcript());
    }
    client.sync();
    client.quit();
}

#[test]
fn a_ponder_hit_is_for_the_search_that_waits() {
    let mut client = Client::ready();
    client.send("go ponder wtime 600000 btime 600000");
    client.send("position startpos moves e2e4");
    client.send("go ponder wtime 1000 btime 1000");
    client.send("ponderhit");
    for position in ["position startpos", "position startpos moves e2e4"] {
        let search = client.finish_search(AT_ONCE);
        assert!(!search.was_stopped, "{}", client.transcript());
        client.check(&search, &game(position));
    }
    client.quit();
}

#[test]
fn ready_after_stop_means_that_all_before_it_is_done() {
    let mut client = Client::ready();
    for _ in 0..10 {
        client.send("position startpos");
        client.send("go infinite");
        client.send("setoption name MultiPV value 2");
        client.send("stop");
        let lines = client.sync();
        assert!(lines.iter().any(|line| line.starts_with("bestmove ")), "{lines:?}");
        let search = client.go("depth 2", AT_ONCE);
        assert!(search.infos.iter().any(|info| info.multi_pv == 2), "{}", client.transcript());
        client.send("setoption name MultiPV value 1");
    }
    client.quit();
}

/// Output of the program with this input.
fn with_input(input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kaiyo"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    pipe.write_all(input.as_bytes()).expect("input is read");
    drop(pipe);
    let output = child.wait_with_output().expect("it ends");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn the_end_of_input_takes_back_no_work_that_waits() {
    let speed = |text: &str| text.lines().last().is_some_and(|line| line.ends_with(" nps"));
    for before in ["go depth 8", "go infinite", "go infinite\nstop", "perft 4"] {
        let text = with_input(&format!("{before}\nbench 1\n"));
        assert!(speed(&text), "{before}: {text}");
        let text = with_input(&format!("{before}\npolicy 1500\n"));
        assert!(text.contains("Result expected by White"), "{before}: {text}");
    }
}

#[test]
fn arguments_after_a_search_without_end_are_executed() {
    let lines = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_kaiyo")).args(arguments).output();
        let output = output.expect("the program starts");
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let searches = |text: &str| text.lines().filter(|line| line.starts_with("bestmove ")).count();
    assert_eq!(searches(&lines(&["go infinite", "stop", "go depth 2"])), 2);
    let text = lines(&["go infinite", "position startpos moves e2e4", "go depth 2", "go infinite"]);
    assert_eq!(searches(&text), 3);
    let text = lines(&["go infinite", "setoption name MultiPV value 2", "go depth 2", "policy"]);
    assert!(searches(&text) == 2 && text.contains(" multipv 2 "), "{text}");
    assert!(text.contains("Result expected by White"), "{text}");
}

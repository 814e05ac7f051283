//! Options beyond those that every engine has.

mod common;

use common::{AT_ONCE, Client, ShownScore, game, ms};
use std::path::PathBuf;

const BARE_KINGS: &str = "position fen 8/8/3k4/8/8/3K4/8/8 w - - 0 1";

/// A file for this test alone.
fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("kaiyo {name} {}", std::process::id()))
}

/// Where each word of `words` stands, of which all must be there once and in this order.
fn in_order(line: &str, words: &[&str]) -> bool {
    let places: Vec<_> = words.iter().map(|word| line.find(word)).collect();
    places.iter().all(Option::is_some) && places.is_sorted()
}

#[test]
fn the_conversation_is_logged_in_both_directions() {
    let log = file("log.txt");
    let mut client = Client::start();
    client.send(&format!("setoption name Debug Log File value {}", log.display()));
    client.send("uci");
    client.read_until("uciok");
    client.send("go depth 2\r");
    let search = client.finish_search(AT_ONCE);
    // A file that cannot be written leaves the log as it is.
    let messages = client.ask("setoption name Debug Log File value /no/such/folder/log");
    assert!(messages.len() == 1 && messages[0].contains("/no/such/folder/log"), "{messages:?}");
    client.send("setoption name Debug Log File value <empty>");
    client.send("go depth 1");
    client.finish_search(AT_ONCE);
    client.quit();
    let text = std::fs::read_to_string(&log).expect("a log");
    std::fs::remove_file(&log).expect("the log is a file");
    let best = format!("<< bestmove {}", search.best);
    assert!(in_order(&text, &[">> uci\n", "<< uciok\n", ">> go depth 2\n", &best]), "{text}");
    assert!(!text.contains("go depth 1\n"), "{text}");
    assert!(text.lines().all(|line| line.starts_with(">> ") || line.starts_with("<< ")), "{text}");
}

#[test]
fn threads_have_a_policy() {
    let mut client = Client::start();
    client.send("uci");
    let listed = "option name NumaPolicy type string default auto";
    assert!(client.read_until("uciok").iter().any(|line| line == listed));
    for policy in ["none", "AUTO", "hardware", "none "] {
        for threads in [3, 1] {
            assert!(client.ask(&format!("setoption name numapolicy value {policy}")).is_empty());
            assert!(client.ask(&format!("setoption name Threads value {threads}")).is_empty());
            let search = client.go("nodes 3000", AT_ONCE);
            client.check(&search, &game("position startpos"));
        }
    }
    for policy in ["0-3:4-7", "<empty>"] {
        let messages = client.ask(&format!("setoption name NumaPolicy value {policy}"));
        let expected = "expected auto, system, hardware or none";
        assert!(messages.len() == 1 && messages[0].contains(expected), "{policy}: {messages:?}");
    }
    client.quit();
}

#[test]
fn managers_may_name_the_opponent() {
    let mut client = Client::ready();
    for opponent in ["GM 2800 human Gary Kasparov", "none none computer Shredder", "<empty>"] {
        let line = format!("setoption name UCI_Opponent value {opponent}");
        assert!(client.ask(&line).is_empty(), "{opponent}");
    }
    let messages = client.ask("setoption name UCI_Opponent value a friend");
    assert!(messages.len() == 1 && messages[0].contains("human"), "{messages:?}");
    client.quit();
}

#[test]
fn contempt_holds_in_games_and_not_in_analysis() {
    let mut client = Client::ready();
    client.send("setoption name Contempt value 50");
    client.send(BARE_KINGS);
    let score = |client: &mut Client| match client.go("depth 5", AT_ONCE).score() {
        ShownScore::Centipawns(score) => score,
        ShownScore::Mate(_) => panic!("no mate is possible"),
    };
    assert!((-51..=-49).contains(&score(&mut client)));
    client.send("setoption name Opponent Contempt value human=-20, shredder=30");
    for (opponent, expected) in [
        ("GM 2800 human Gary Kasparov", 20),
        ("none none computer Deep Shredder 13", -30),
        ("none none computer Crafty", -50),
        ("<empty>", -50),
    ] {
        client.send(&format!("setoption name UCI_Opponent value {opponent}"));
        assert!((score(&mut client) - expected).abs() <= 1, "{opponent}");
    }
    let messages = client.ask("setoption name OpponentContempt value human=900");
    assert!(messages.len() == 1 && messages[0].contains("-200..200"), "{messages:?}");
    client.send("setoption name Analysis Mode value true");
    assert!(score(&mut client).abs() <= 1);
    client.send("setoption name UCI_AnalyseMode value false");
    client.send("go infinite");
    let infinite = client.finish_search(ms(100));
    assert!(matches!(infinite.score(), ShownScore::Centipawns(-1..=1)), "{:?}", infinite.score());
    client.quit();
}

#[test]
fn time_can_be_measured_by_nodes() {
    let nodes = || {
        let mut client = Client::ready();
        client.send("setoption name nodestime value 10");
        client.send("position startpos");
        let search = client.go("wtime 20000 btime 20000", ms(20_000));
        assert!(!search.was_stopped);
        client.check(&search, &game("position startpos"));
        client.quit();
        search.last().map(|info| info.nodes)
    };
    assert_eq!(nodes(), nodes());
}

/// The number after `key` in a line about a move.
fn value(line: &str, key: &str) -> f64 {
    let mut words = line.split_whitespace().skip_while(|&word| word != key);
    words.next();
    let word = words.next().unwrap_or_else(|| panic!("no {key} in {line}"));
    word.trim_end_matches(['%', ')']).trim_end_matches('%').parse().expect(line)
}

#[test]
fn statistics_of_all_moves_come_before_the_best_move() {
    for chess960 in ["false", "true"] {
        let mut client = Client::ready();
        client.send("setoption name VerboseMoveStats value true");
        client.send(&format!("setoption name UCI_Chess960 value {chess960}"));
        let position =
            "position fen r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 6 8";
        client.send(position);
        let search = client.go("depth 8", ms(20_000));
        client.check(&search, &game(position));
        let (node, moves) = search.messages.split_last().expect("statistics");
        assert!(node.starts_with("node "), "{node}");
        let root = *game(position).position();
        assert_eq!(moves.len(), root.legal_moves().len());
        for line in moves {
            let mv = line.split(' ').next().unwrap_or_default();
            assert!(root.parse_uci_move(mv).is_ok(), "{line}");
            assert!((-1.0..=1.0).contains(&value(line, "(Q:")), "{line}");
            assert!((0.0..=1.0).contains(&value(line, "(D:")), "{line}");
        }
        let best = moves.last().expect("a move");
        assert!(best.starts_with(&search.best), "{best} is not {}", search.best);
        let castles = if chess960 == "true" { "e1h1 " } else { "e1g1 " };
        assert!(moves.iter().any(|line| line.starts_with(castles)), "{moves:?}");
        let sum = |key| moves.iter().map(|line| value(line, key)).sum::<f64>();
        assert!((sum("(P:") - 100.0).abs() < 1.0);
        assert_eq!(sum("N:"), value(node, "N:"));
        client.quit();
    }
}

#[test]
fn statistics_can_be_shown_during_a_search() {
    let mut client = Client::ready();
    client.send("setoption name LogLiveStats value true");
    client.send("go infinite");
    client.read_to(AT_ONCE, |line| line.starts_with("info string node ")).expect("statistics");
    client.send("stop");
    client.finish_search(AT_ONCE);
    client.send("setoption name LogLiveStats value false");
    assert!(client.go("depth 4", AT_ONCE).messages.is_empty());
    client.quit();
}

#[test]
fn a_decided_game_is_no_flood_of_lines() {
    let mut client = Client::ready();
    let position = "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    client.send(position);
    for arguments in ["depth 240", "nodes 5000000", "infinite"] {
        let search = client.go(arguments, ms(1500));
        client.check(&search, &game(position));
        assert_eq!(search.score(), ShownScore::Mate(1));
        assert!(search.infos.len() < 40, "{} lines", search.infos.len());
        // The end of the search is shown all the same.
        assert!(search.last().is_some_and(|last| last.depth >= 240), "{:?}", search.last());
    }
    client.quit();
}

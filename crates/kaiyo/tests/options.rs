//! Options beyond those that every engine has.

mod common;

use common::{AT_ONCE, Client, Folder, ShownScore, game, ms};

const BARE_KINGS: &str = "position fen 8/8/3k4/8/8/3K4/8/8 w - - 0 1";

/// Positions that a search of the position that is set up visits.
fn nodes(client: &mut Client, arguments: &str) -> u64 {
    let search = client.go(arguments, 10 * AT_ONCE);
    assert!(!search.was_stopped, "{arguments}");
    search.last().expect("a score").nodes
}

/// Positions that are visited for the first move of a game whose clocks run by nodes.
fn nodes_for_first_move(client: &mut Client, clock: u64) -> u64 {
    client.send("ucinewgame");
    client.send("position startpos");
    nodes(client, &format!("wtime {clock} btime {clock}"))
}

/// Where each word of `words` stands, of which all must be there once and in this order.
fn in_order(line: &str, words: &[&str]) -> bool {
    let places: Vec<_> = words.iter().map(|word| line.find(word)).collect();
    places.iter().all(Option::is_some) && places.is_sorted()
}

#[test]
fn the_conversation_is_logged_in_both_directions() {
    let folder = Folder::new("log");
    let log = folder.path("a log.txt");
    let mut client = Client::start();
    client.send(&format!("setoption name Debug Log File value {log}"));
    client.send("uci");
    client.read_until("uciok");
    client.send("go depth 2\r");
    let search = client.finish_search(AT_ONCE);
    // A file that cannot be written leaves the log as it is.
    let messages = client.ask("setoption name Debug Log File value /no/such/folder/log");
    assert!(messages.len() == 1 && messages[0].contains("/no/such/folder/log"), "{messages:?}");
    client.send("setoption name LogFile value <empty>");
    client.send("go depth 1");
    client.finish_search(AT_ONCE);
    client.quit();
    let text = std::fs::read_to_string(&log).expect("a log");
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
fn the_hash_table_can_be_cleared() {
    let mut client = Client::ready();
    let first = nodes(&mut client, "depth 12");
    // The same search again and again finds more and more of it in the table.
    let least = |client: &mut Client| (0..4).map(|_| nodes(client, "depth 12")).min();
    for name in ["Clear Hash", "ClearHash"] {
        let known = least(&mut client).expect("searches");
        client.send(&format!("setoption name {name}"));
        // What the search has learnt about moves is not in the table.
        let cleared = nodes(&mut client, "depth 12");
        assert!(2 * known < cleared, "{name}: {known} nodes before, {cleared} after it");
    }
    client.send("ucinewgame");
    assert_eq!(nodes(&mut client, "depth 12"), first);
    client.quit();
}

#[test]
fn an_engine_that_ponders_takes_more_time_for_its_moves() {
    let mut client = Client::ready();
    client.send("setoption name nodestime value 10");
    let mut visited = |ponder: bool| -> Vec<u64> {
        client.send(&format!("setoption name Ponder value {ponder}"));
        let clocks = (0..12).map(|step| 20_000 + 4_000 * step);
        clocks.map(|clock| nodes_for_first_move(&mut client, clock)).collect()
    };
    let (alone, pondering) = (visited(false), visited(true));
    assert!(alone.iter().zip(&pondering).all(|(a, b)| a <= b), "{alone:?} {pondering:?}");
    // Where the last iteration is the same one, it is no more.
    assert_ne!(alone, pondering);
    client.quit();
}

#[test]
fn time_that_is_lost_with_each_move_is_not_spent() {
    let mut client = Client::ready();
    client.send("setoption name nodestime value 100");
    let mut visited = |overhead: u32| {
        client.send(&format!("setoption name Move Overhead value {overhead}"));
        nodes_for_first_move(&mut client, 6_000)
    };
    let (none, much) = (visited(0), visited(5000));
    assert!(2 * much < none, "{none} and {much} nodes");
    client.quit();
}

#[test]
fn the_text_about_the_engine_cannot_be_changed() {
    let mut client = Client::ready();
    let listed = |client: &mut Client| {
        client.send("uci");
        let lines = client.read_until("uciok");
        lines.into_iter().find(|line| line.starts_with("option name UCI_EngineAbout "))
    };
    let before = listed(&mut client);
    assert!(before.as_ref().is_some_and(|line| line.contains("Kaiyo")), "{before:?}");
    assert!(client.ask("setoption name UCI_EngineAbout value another engine").is_empty());
    assert_eq!(listed(&mut client), before);
    client.quit();
}

/// README's table has every option in the order in which it is listed, with its default and its values.
#[test]
fn the_table_of_options_is_true() {
    let readme = include_str!("../../../README.md");
    let table = readme.split("### Options").nth(1).expect("a chapter about options");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .skip_while(|line| !line.starts_with("| `"))
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    let mut client = Client::start();
    client.send("uci");
    let lines = client.read_until("uciok");
    let listed = lines.iter().filter_map(|line| line.strip_prefix("option name "));
    let mut count = 0;
    for (option, row) in listed.zip(&rows) {
        count += 1;
        let (name, rest) = option.split_once(" type ").expect("a type");
        let (kind, rest) = rest.split_once(" default ").unwrap_or((rest, ""));
        let (default, bounds) = rest.split_once(" min ").unwrap_or((rest, ""));
        assert_eq!(row[1], format!("`{name}`"));
        let shown = if default.contains("Kaiyo") { "name and authors" } else { default };
        assert_eq!(row[2], shown.replace("<empty>", ""), "{name}");
        match kind {
            "check" => assert_eq!(row[3], "true, false", "{name}"),
            "spin" => assert_eq!(row[3], bounds.replace(" max ", " to "), "{name}"),
            "button" => assert_eq!(row[3], "button", "{name}"),
            _ => assert!(!row[3].is_empty(), "{name}"),
        }
    }
    assert_eq!(
        (rows.len(), count),
        (count, lines.iter().filter(|l| l.starts_with("option ")).count())
    );
    client.quit();
}

#[test]
fn options_have_the_names_that_other_engines_gave_them() {
    let mut client = Client::ready();
    // Weak players look at few positions.
    for (weak, full) in
        [("SkillLevel value 0", "SkillLevel value 20"), ("Elo value 1500", "Elo value 0")]
    {
        client.send(&format!("setoption name {weak}"));
        let few = nodes(&mut client, "nodes 20000");
        client.send(&format!("setoption name {full}"));
        let all = nodes(&mut client, "nodes 20000");
        assert!(few < 10_000 && all > 15_000, "{weak}: {few} of {all} nodes");
    }
    client.send("setoption name UseNNUE value false");
    assert!(client.ask("eval").last().is_some_and(|line| line.starts_with("Total ")));
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
        // The end of the search is shown all the same. A busy machine may need more time for it.
        let search = (1..=4)
            .map(|attempt| client.go(arguments, ms(1500 * attempt)))
            .find(|search| search.last().is_some_and(|last| last.depth >= 240))
            .expect("a search to the end");
        client.check(&search, &game(position));
        assert_eq!(search.score(), ShownScore::Mate(1));
        let most = 40 + search.elapsed.as_millis() / 100;
        assert!((search.infos.len() as u128) < most, "{} lines", search.infos.len());
    }
    client.quit();
}

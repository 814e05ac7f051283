//! Playing like people, and weaker than the engine can.

mod common;

use common::{AT_ONCE, Client, game, ms};
use std::collections::BTreeMap;

const MIDDLEGAME: &str =
    "position fen r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 4 9";
/// White can take a queen in two ways, or lose one.
const HANGING_QUEEN: &str = "position fen 6k1/5ppp/8/3q4/8/2N5/5PPP/3Q2K1 w - - 0 1";

/// How often each move is played in this position, with other random numbers each time.
fn moves(
    client: &mut Client,
    position: &str,
    arguments: &str,
    games: usize,
) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for seed in 1..=games {
        client.send(&format!("setoption name StrengthSeed value {seed}"));
        client.send(position);
        let search = client.go(arguments, ms(10_000));
        assert!(!search.was_stopped, "{}", client.transcript());
        client.check(&search, &game(position));
        *counts.entry(search.best).or_insert(0) += 1;
    }
    counts
}

#[test]
fn weak_players_vary_and_strong_ones_take_the_queen() {
    let mut client = Client::ready();
    client.send("setoption name UCI_LimitStrength value true");
    client.send("setoption name UCI_Elo value 600");
    let weak = moves(&mut client, MIDDLEGAME, "wtime 60000 btime 60000", 30);
    assert!(weak.len() >= 4, "{weak:?}");
    client.send("setoption name UCI_Elo value 2600");
    let strong = moves(&mut client, HANGING_QUEEN, "wtime 60000 btime 60000", 10);
    assert!(strong.keys().all(|mv| mv.ends_with("d5")), "{strong:?}");
    client.send("setoption name UCI_LimitStrength value false");
    client.send("setoption name Skill Level value 0");
    let unskilled = moves(&mut client, MIDDLEGAME, "movetime 1000", 30);
    assert!(unskilled.len() >= 3, "{unskilled:?}");
    client.send("setoption name Skill Level value 20");
    client.send(MIDDLEGAME);
    // Full strength uses the time.
    let full = client.go("nodes 20000", ms(10_000));
    assert!(!full.was_stopped && full.last().is_some_and(|last| last.nodes >= 15_000));
    client.quit();
}

/// Whether a player of this rating mates within fifty moves, whatever the full strength does against it.
fn mates(player: &mut Client, defender: &mut Client, elo: u16, seed: u32, fen: &str) -> bool {
    player.send(&format!("setoption name UCI_Elo value {elo}"));
    player.send(&format!("setoption name StrengthSeed value {seed}"));
    let mut line = format!("position fen {fen} moves");
    for _ in 0..50 {
        for (client, limits) in
            [(&mut *player, "wtime 60000 btime 60000"), (&mut *defender, "nodes 3000")]
        {
            client.send(&line);
            let search = client.go(limits, ms(10_000));
            assert!(!search.was_stopped, "{}", client.transcript());
            line = format!("{line} {}", search.best);
            let game = game(&line);
            if game.position().legal_moves().is_empty() {
                return game.position().in_check();
            }
        }
    }
    false
}

#[test]
fn bare_kings_are_mated_by_those_who_have_learnt_how() {
    let (mut player, mut defender) = (Client::ready(), Client::ready());
    player.send("setoption name UCI_LimitStrength value true");
    for (elo, fen) in [
        (1000, "8/8/8/3k4/8/8/8/Q3K3 w - - 0 1"),
        (1000, "8/P7/8/3k4/8/8/8/4K3 w - - 0 1"),
        (1600, "8/8/8/3k4/8/8/8/R3K3 w - - 0 1"),
        (2200, "8/8/8/3k4/8/8/8/R3K3 w - - 0 1"),
    ] {
        // Who mates six times in seven, as the weakest of these do, fails here with one of a thousand seeds.
        let (mut mated, mut failed) = (0, 0);
        while mated < 3 && failed < 5 {
            let seed = 1 + mated + failed;
            let has_mated = mates(&mut player, &mut defender, elo, seed, fen);
            *(if has_mated { &mut mated } else { &mut failed }) += 1;
        }
        assert!(mated == 3, "{elo}: {mated} of {} from {fen}", mated + failed);
    }
    player.quit();
    defender.quit();
}

#[test]
fn a_mate_in_one_is_seen() {
    let mut client = Client::ready();
    client.send("setoption name UCI_LimitStrength value true");
    client.send("setoption name UCI_Elo value 1000");
    let scholars = "position startpos moves e2e4 e7e5 d1h5 b8c6 f1c4 g8f6";
    let found = moves(&mut client, scholars, "wtime 60000 btime 60000", 20);
    assert!(found.get("h5f7").is_some_and(|&times| times >= 18), "{found:?}");
    client.quit();
}

#[test]
fn the_opponent_of_the_settings_comes_before_the_one_at_the_board() {
    let mut client = Client::ready();
    let position = "position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 f3g5";
    client.send("setoption name SelfElo value 1500");
    client.send("setoption name VerboseMoveStats value true");
    let mut priors = |options: &[&str]| {
        options.iter().for_each(|option| client.send(&format!("setoption name {option}")));
        client.send(position);
        client.send("go nodes 1");
        assert!(!client.finish_search(ms(10_000)).was_stopped);
        let lines = client.transcript();
        let mut statistics = lines.lines().filter(|line| line.contains("(P: "));
        statistics.rfind(|line| line.contains("d7d5")).unwrap_or_default().to_owned()
    };
    let unknown = priors(&["OppoElo value 0"]);
    let set = priors(&["OppoElo value 2600"]);
    let real = priors(&["OppoElo value 0", "UCI_Opponent value none 800 human Bob"]);
    let both = priors(&["OppoElo value 2600"]);
    let prior = |line: &str| line.split("(P: ").nth(1).map(|rest| rest[..6].to_owned());
    assert!(prior(&unknown).is_some());
    assert_ne!(prior(&unknown), prior(&set));
    assert_ne!(prior(&unknown), prior(&real));
    assert_eq!(prior(&both), prior(&set));
    client.quit();
}

#[test]
fn limited_strength_shows_the_lines_asked_for_and_analyses_in_full() {
    let mut client = Client::ready();
    for option in ["UCI_LimitStrength value true", "UCI_Elo value 3000", "MultiPV value 8"] {
        client.send(&format!("setoption name {option}"));
    }
    client.send(MIDDLEGAME);
    let search = client.go("nodes 20000", ms(10_000));
    assert!(!search.was_stopped);
    client.check(&search, &game(MIDDLEGAME));
    let lines = |depth| search.infos.iter().filter(|info| info.depth == depth).count();
    assert!(search.last().is_some_and(|last| lines(last.depth) >= 8), "{}", client.transcript());
    client.send("setoption name UCI_Elo value 600");
    for (go, budget) in [("infinite", 1_000), ("nodes 50000", 10_000)] {
        client.send(&format!("setoption name UCI_AnalyseMode value {}", go != "infinite"));
        client.send(MIDDLEGAME);
        let search = client.go(go, ms(budget));
        assert_eq!(search.was_stopped, go == "infinite");
        assert!(search.last().is_some_and(|last| last.nodes > 10_000), "{go}");
    }
    client.quit();
}

#[test]
fn human_moves_come_without_thought() {
    let mut client = Client::ready();
    for option in ["SelfElo value 1500", "OppoElo value 1700", "Temperature value 0"] {
        client.send(&format!("setoption name {option}"));
    }
    client.send("setoption name MultiPV value 5");
    let position = "position startpos moves e2e4 e7e5 g1f3";
    let likeliest = moves(&mut client, position, "nodes 1", 5);
    assert_eq!(likeliest.into_keys().collect::<Vec<_>>(), ["b8c6"]);
    client.send("setoption name Temperature value 2.5");
    let wild = moves(&mut client, position, "nodes 1", 40);
    assert!(wild.len() >= 4, "{wild:?}");
    // A small share of the likeliest moves is one move.
    client.send("setoption name TopP value 0.01");
    assert_eq!(moves(&mut client, position, "nodes 1", 10).len(), 1);
    client.quit();
}

#[test]
fn an_analysis_of_human_moves_shows_the_likeliest_before_it_is_stopped() {
    let mut client = Client::ready();
    for option in ["SelfElo value 1500", "Temperature value 2.5", "MultiPV value 5"] {
        client.send(&format!("setoption name {option}"));
    }
    let line = "position startpos moves e2e4 e7e5 g1f3";
    client.send(line);
    let table = client.ask("policy 1500");
    client.send("go infinite");
    let lines = client.read_to(AT_ONCE, |line| line.contains(" multipv 5 ")).expect("five lines");
    let first_word = |text: &str| text.split_whitespace().next().unwrap_or_default().to_owned();
    let game = game(line);
    let shown = lines.iter().filter_map(|line| line.split_once(" pv "));
    let shown: Vec<_> =
        shown.map(|(_, pv)| game.position().parse_uci_move(&first_word(pv)).unwrap()).collect();
    let likely = table[1..6].iter().map(|row| game.position().parse_san(&first_word(row)).unwrap());
    assert_eq!(shown, likely.collect::<Vec<_>>(), "{table:?}");
    let search = client.finish_search(ms(100));
    assert!(search.was_stopped);
    assert_eq!(search.best, "b8c6");
    client.quit();
}

#[test]
fn a_seed_makes_moves_that_can_be_had_again() {
    let mut client = Client::ready();
    client.send("setoption name SelfElo value 1500");
    let played = |client: &mut Client, seed: u32| {
        client.send("ucinewgame");
        client.send(&format!("setoption name StrengthSeed value {seed}"));
        let mut line = "position startpos moves e2e4".to_owned();
        for _ in 0..12 {
            client.send(&line);
            let search = client.go("nodes 1", AT_ONCE);
            line = format!("{line} {}", search.best);
        }
        line
    };
    let first = played(&mut client, 1);
    assert_eq!(played(&mut client, 1), first);
    assert_ne!(played(&mut client, 2), first);
    client.quit();
}

#[test]
fn odd_positions_and_limits_make_no_difference() {
    let mut client = Client::ready();
    client.send("setoption name UCI_LimitStrength value true");
    client.send("setoption name UCI_Elo value 1000");
    for position in [
        "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "position fen 6rk/6pp/8/6N1/8/8/8/K7 w - - 0 1",
        "position fen 8/8/8/8/8/k7/p7/K7 w - - 0 1",
        "position fen nrk1r1bb/pp1ppppp/2p1nq2/8/8/2P1NQ2/PP1PPPPP/NRK1R1BB w EBeb - 4 5",
    ] {
        for arguments in ["wtime 10 btime 10", "depth 3", "nodes 5", "movetime 1", "mate 2"] {
            client.send(position);
            let search = client.go(arguments, ms(5000));
            assert!(!search.was_stopped, "{arguments}: {}", client.transcript());
            client.check(&search, &game(position));
        }
        client.send(position);
        client.send("go ponder wtime 1000 btime 1000");
        client.assert_no_best_move(ms(50));
        client.send("ponderhit");
        let search = client.finish_search(ms(5000));
        assert!(!search.was_stopped, "{}", client.transcript());
        client.check(&search, &game(position));
    }
    client.quit();
}

#[test]
fn the_clock_holds_for_those_who_could_see_more() {
    let mut client = Client::ready();
    client.send("setoption name UCI_LimitStrength value true");
    client.send("setoption name UCI_Elo value 3000");
    client.sync();
    for arguments in ["movetime 50", "wtime 200 btime 200", "wtime 10 btime 10"] {
        client.send(MIDDLEGAME);
        let search = client.go(arguments, AT_ONCE);
        assert!(!search.was_stopped, "{arguments}: {}", client.transcript());
        client.check(&search, &game(MIDDLEGAME));
        // Without a clock there would be 350,000 and more.
        assert!(search.last().is_some_and(|last| last.nodes < 300_000), "{arguments}");
    }
    client.quit();
}

#[test]
fn wrong_values_and_files_change_nothing() {
    let mut client = Client::ready();
    for (option, expected) in [
        ("UCI_Elo value 500", "from 600 to 3000"),
        ("UCI_Elo value strong", "from 600 to 3000"),
        ("Temperature value hot", "a number from 0 to 10"),
        ("Temperature value NaN", "a number from 0 to 10"),
        ("TopP value 2", "a number from 0 to 1"),
        ("Skill Level value 21", "from 0 to 20"),
        ("PolicyFile value /no/such/file.gguf", "/no/such/file.gguf"),
        ("PolicyFile value Cargo.toml", "Cargo.toml"),
    ] {
        let messages = client.ask(&format!("setoption name {option}"));
        assert!(messages.len() == 1 && messages[0].contains(expected), "{option}: {messages:?}");
    }
    client.send("setoption name PolicyFile value <empty>");
    client.send("setoption name SelfElo value 1500");
    assert_eq!(moves(&mut client, MIDDLEGAME, "nodes 1", 1).len(), 1);
    client.quit();
}

#[test]
fn statistics_have_what_the_transformer_expects() {
    let mut client = Client::ready();
    client.send("setoption name VerboseMoveStats value true");
    let priors = |client: &mut Client| {
        client.send("position startpos moves e2e4 e7e5 g1f3");
        let search = client.go("depth 4", AT_ONCE);
        assert!(!search.was_stopped);
        let line = search.messages.iter().find(|line| line.starts_with("b8c6 "));
        let line = line.expect("a line about Nc6").clone();
        let percent = line.split("(P:").nth(1).and_then(|rest| rest.split('%').next());
        percent.and_then(|text| text.trim().parse::<f64>().ok()).expect("a number")
    };
    let shown = priors(&mut client);
    assert!(shown > 30.0, "{shown}");
    client.send("setoption name Policy value true");
    assert_eq!(priors(&mut client), shown);
    client.quit();
}

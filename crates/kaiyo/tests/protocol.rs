//! The rules of the protocol, and what graphical interfaces and match managers rely on beyond
//! its text.

mod common;

use common::{AT_ONCE, Client, Folder, ShownScore, game, ms};

const LONE_KINGS_MOVE: &str = "position fen 7k/8/8/8/8/8/r7/1r5K w - - 0 1";
const MATE_IN_ONE: &str = "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
const SINGLE_REPLY: &str = "position fen k7/8/8/8/8/8/1q6/K7 w - - 0 1";

#[test]
fn handshake_lists_the_options_that_clients_expect() {
    let mut client = Client::start();
    assert_eq!(client.next_line(ms(200)), None, "output before any input");
    client.send("uci");
    let lines = client.read_until("uciok");
    assert!(lines[0].starts_with("id name Kaiyo ") && lines[1].starts_with("id author "));
    let options = &lines[2..lines.len() - 1];
    for (name, form) in [
        ("Hash", "type spin default"),
        ("Threads", "type spin default 1 min 1 max 1024"),
        ("Move Overhead", "type spin default"),
        ("MultiPV", "type spin default 1 min 1 max 500"),
        ("Ponder", "type check default false"),
        ("Clear Hash", "type button"),
        ("UCI_Chess960", "type check default false"),
        ("Use NNUE", "type check default true"),
        ("EvalFile", "type string default <empty>"),
        ("OwnBook", "type check default false"),
        ("BookFile", "type string default <empty>"),
        ("BookDepth", "type spin default 30 min 0"),
        ("SyzygyPath", "type string default <empty>"),
        ("SyzygyProbeDepth", "type spin default 1 min 1 max 100"),
        ("Syzygy50MoveRule", "type check default true"),
        ("SyzygyProbeLimit", "type spin default 7 min 0 max 7"),
        ("UCI_ShowWDL", "type check default false"),
        ("UCI_AnalyseMode", "type check default false"),
    ] {
        let start = format!("option name {name} {form}");
        assert!(options.iter().any(|line| line.starts_with(&start)), "no '{start}'");
    }
    for line in options {
        // Clients split the line at these words, so that each may occur once only.
        for keyword in ["name", "type", "default", "min", "max"] {
            assert!(line.split(' ').filter(|&word| word == keyword).count() <= 1, "{line}");
        }
        assert!(!line.contains("  ") && !line.ends_with(' '), "'{line}'");
    }
    client.quit();
}

#[test]
fn infinite_searches_end_by_stop_alone() {
    let mut client = Client::ready();
    for position in [MATE_IN_ONE, SINGLE_REPLY, LONE_KINGS_MOVE] {
        for arguments in
            ["infinite", "", "infinite depth 2", "infinite movetime 10", "infinite nodes 9"]
        {
            client.send(position);
            client.send(&format!("go {arguments}"));
            client.assert_no_best_move(ms(120));
            client.send("stop");
            client.finish_search(AT_ONCE);
        }
    }
    client.quit();
}

#[test]
fn pondering_ends_after_ponderhit_or_stop() {
    let mut client = Client::ready();
    client.send("setoption name Ponder value true");
    client.send("position startpos moves e2e4 e7e5");
    // The time is up when the hit comes.
    client.send("go ponder movetime 50");
    client.assert_no_best_move(ms(250));
    client.send("ponderhit");
    assert!(!client.finish_search(AT_ONCE).was_stopped);
    // Other limits do not end it either.
    client.send(MATE_IN_ONE);
    for arguments in ["ponder depth 1", "ponder nodes 100", "ponder mate 1"] {
        client.send(&format!("go {arguments}"));
        client.assert_no_best_move(ms(100));
        client.send("ponderhit");
        assert!(!client.finish_search(AT_ONCE).was_stopped, "{arguments}");
    }
    // The clock starts at the hit.
    client.send("position startpos moves e2e4 e7e5");
    client.send("go ponder wtime 2000 btime 2000 winc 10 binc 10");
    client.assert_no_best_move(ms(150));
    client.send("ponderhit");
    let search = client.finish_search(AT_ONCE);
    assert!(!search.was_stopped && search.elapsed < ms(2500), "{:?}", search.elapsed);
    // The guess was wrong.
    client.send("go ponder wtime 2000 btime 2000");
    client.assert_no_best_move(ms(50));
    client.send("stop");
    assert!(!client.finish_search(AT_ONCE).was_stopped);
    client.quit();
}

#[test]
fn positions_without_moves_have_a_score_and_no_best_move() {
    for (position, score) in [
        ("position startpos moves f2f3 e7e5 g2g4 d8h4", ShownScore::Mate(0)),
        ("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", ShownScore::Centipawns(0)),
    ] {
        let mut client = Client::ready();
        client.send(position);
        for arguments in ["depth 3", "movetime 10", "wtime 100 btime 100", "nodes 1", "mate 2"] {
            let search = client.go(arguments, AT_ONCE);
            assert!(!search.was_stopped, "{arguments}");
            assert_eq!((search.best.as_str(), search.score()), ("(none)", score), "{arguments}");
        }
        client.send("go infinite");
        client.assert_no_best_move(ms(100));
        client.send("stop");
        assert_eq!(client.finish_search(AT_ONCE).best, "(none)");
        client.quit();
    }
}

#[test]
fn isready_is_answered_during_a_search() {
    let mut client = Client::ready();
    client.send("go infinite");
    for _ in 0..5 {
        client.send("isready");
        client.read_to(AT_ONCE, |line| line == "readyok").expect("readyok");
    }
    client.send("stop");
    client.finish_search(AT_ONCE);
    client.quit();
}

#[test]
fn stop_and_ponderhit_without_a_search_say_nothing() {
    let mut client = Client::ready();
    assert!(client.ask("stop").is_empty());
    assert!(client.ask("ponderhit").is_empty());
    assert!(client.ask("register later").is_empty());
    let search = client.go("depth 2", AT_ONCE);
    client.check(&search, &game("position startpos"));
    client.quit();
}

#[test]
fn the_program_ends_at_quit_or_end_of_input() {
    for arguments in ["infinite", "depth 200", "ponder wtime 1000 btime 1000"] {
        let mut client = Client::ready();
        client.send(&format!("go {arguments}"));
        client.assert_no_best_move(ms(50));
        client.quit();
        let mut client = Client::ready();
        client.send(&format!("go {arguments}"));
        client.assert_no_best_move(ms(50));
        client.close_input();
        client.assert_ends();
    }
    Client::ready().quit();
    let mut client = Client::ready();
    client.close_input();
    client.assert_ends();
}

#[test]
fn positions_of_any_length_are_taken() {
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let moves: Vec<&str> = shuffle.into_iter().cycle().take(5002).collect();
    let long = format!("position startpos moves {}", moves.join(" "));
    let mut client = Client::ready();
    for position in [
        long.as_str(),
        "position startpos moves",
        "position startpos moves ",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves",
        "position startpos",
    ] {
        assert!(client.ask(position).is_empty(), "{position}");
        let search = client.go("depth 2", AT_ONCE);
        client.check(&search, &game(position));
    }
    client.quit();
}

#[test]
fn an_illegal_move_is_reported_and_the_position_before_it_kept() {
    let mut client = Client::ready();
    for (bad, kept) in [
        ("e2e4 e7e5 e1e3 d7d5", "e2e4 e7e5"),
        ("e2e4 xyzzy", "e2e4"),
        ("e2e4 0000 e7e5", "e2e4"),
        ("e9e4", ""),
    ] {
        let messages = client.ask(&format!("position startpos moves {bad}"));
        assert_eq!(messages.len(), 1, "{messages:?}");
        assert!(messages[0].starts_with("info string ") && messages[0].contains("ply "));
        let search = client.go("depth 2", AT_ONCE);
        client.check(&search, &game(&format!("position startpos moves {kept}")));
    }
    client.quit();
}

#[test]
fn a_bad_fen_is_reported_and_the_last_position_kept() {
    let mut client = Client::ready();
    client.send("position startpos moves e2e4");
    for fen in [
        "",
        "x",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
        "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "k6P/8/8/8/8/8/8/K7 w - - 0 1",
        "4k2R/8/8/8/8/8/8/4K3 w - - 0 1",
        "kk6/8/8/8/8/8/8/K7 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - -5 99999999999999999999",
    ] {
        let messages = client.ask(&format!("position fen {fen} moves a2a3"));
        assert_eq!(messages.len(), 1, "{fen}: {messages:?}");
        assert!(messages[0].starts_with("info string position: invalid FEN"), "{}", messages[0]);
        let search = client.go("depth 2", AT_ONCE);
        client.check(&search, &game("position startpos moves e2e4"));
    }
    client.quit();
}

#[test]
fn options_take_any_case_and_odd_spacing() {
    let mut client = Client::ready();
    for line in [
        "setoption name hash value 8",
        "setoption name HASH value 8 ",
        "setoption  name  Move   Overhead  value  30",
        "setoption name MoveOverhead value 100",
        "setoption name Clear Hash",
        "setoption name clear hash value ",
        "setoption name UCI_ANALYSEMODE value TRUE",
        "setoption name Ponder value False\t",
        "setoption name Threads value 2.0",
    ] {
        assert!(client.ask(line).is_empty(), "{line}");
    }
    client.quit();
}

#[test]
fn bad_options_give_one_message_and_change_nothing() {
    let mut client = Client::ready();
    for line in [
        "setoption name NoSuchOption value 1",
        "setoption name Hash value abc",
        "setoption name Hash value 0",
        "setoption name Hash value -1",
        "setoption name Hash value 99999999999999999999",
        "setoption name Hash",
        "setoption name Threads value 0",
        "setoption name MultiPV value 501",
        "setoption name Ponder value maybe",
        "setoption name EvalFile value /no/such/network.nnue",
        "setoption name EvalFile value Cargo.toml",
        "setoption name",
        "setoption",
        "setoption Hash value 8",
        "setoption name value 8",
    ] {
        let messages = client.ask(line);
        assert_eq!(messages.len(), 1, "{line}: {messages:?}");
        assert!(messages[0].starts_with("info string "), "{line}: {messages:?}");
    }
    let search = client.go("depth 3", AT_ONCE);
    assert!(search.infos.iter().all(|info| info.multi_pv == 1));
    client.quit();
}

#[test]
fn networks_are_exchanged() {
    let mut client = Client::ready();
    let last_line = |client: &mut Client| client.ask("eval").pop().unwrap_or_default();
    let embedded = last_line(&mut client);
    assert!(embedded.starts_with("Evaluation +"), "{embedded}");
    client.send("setoption name Use NNUE value false");
    let classical = last_line(&mut client);
    assert!(classical.starts_with("Total "), "{classical}");
    client.send("setoption name Use NNUE value true");
    assert_eq!(last_line(&mut client), embedded);
    let folder = Folder::new("networks");
    let file = folder.path("a network.nnue");
    let weights = kaiyo_nnue::Weights::zero(kaiyo_nnue::Architecture::Pairwise);
    std::fs::write(&file, kaiyo_nnue::file::to_bytes(&weights)).expect("a place for a file");
    client.send(&format!("setoption name EvalFile value {file}"));
    let by_network = last_line(&mut client);
    assert!(by_network.starts_with("Evaluation +0.00"), "{by_network}");
    let search = client.go("depth 4", AT_ONCE);
    client.check(&search, &game("position startpos"));
    // A file that cannot be used changes nothing.
    let messages = client.ask("setoption name EvalFile value /no/such/network.nnue");
    assert!(messages[0].contains("/no/such/network.nnue"), "{messages:?}");
    assert_eq!(last_line(&mut client), by_network);
    client.send("setoption name EvalFile value <empty>");
    assert_eq!(last_line(&mut client), embedded);
    client.quit();
}

#[test]
fn options_hold_without_a_new_game() {
    let mut client = Client::ready();
    let lines_of = |client: &mut Client, lines: u32| {
        client.send(&format!("setoption name MultiPV value {lines}"));
        let search = client.go("depth 4", AT_ONCE);
        client.check(&search, &game("position startpos"));
        search.infos.iter().map(|info| info.multi_pv).max()
    };
    assert_eq!(lines_of(&mut client, 3), Some(3));
    assert_eq!(lines_of(&mut client, 1), Some(1));
    // More lines than there are moves.
    assert_eq!(lines_of(&mut client, 256), Some(20));
    client.quit();
}

#[test]
fn any_bytes_are_survived() {
    let mut client = Client::start();
    client.send_bytes(b"\xef\xbb\xbfuci\r\n");
    client.read_until("uciok");
    client.send_bytes(b"\tisready \t\r\n");
    client.read_until("readyok");
    client.send_bytes(b"\xff\xfe\x80garbage\x00\n\n   \n\r\n");
    client.send_bytes(b"position\tstartpos  moves \0 e2e4\r\n");
    client.send_bytes(&[b'x'; 1_000_000]);
    client.send_bytes(b"\n");
    client.send_bytes(&b"position startpos moves e2e4 ".repeat(40_000));
    client.send_bytes(b"\n");
    for message in client.sync() {
        assert!(message.starts_with("info string ") && message.len() < 200, "{message}");
    }
    let search = client.go("depth 2", AT_ONCE);
    client.check(&search, &game("position startpos moves e2e4"));
    client.quit();
}

#[test]
fn unknown_input_gives_one_message_at_most() {
    let mut client = Client::ready();
    assert!(client.ask("joho debug on").is_empty());
    assert!(client.ask("debug off").is_empty());
    assert!(client.ask("# go infinite").is_empty());
    assert!(client.ask("").is_empty());
    for line in ["xyzzy", "what is d", "e2e4", "Go depth 3"] {
        let messages = client.ask(line);
        assert_eq!(messages.len(), 1, "{line}: {messages:?}");
        assert!(messages[0].starts_with("info string unknown command"), "{messages:?}");
    }
    client.quit();
}

#[test]
fn every_go_has_one_best_move() {
    let mut client = Client::ready();
    client.send("position startpos moves e2e4");
    let root = game("position startpos moves e2e4");
    for arguments in [
        "depth 0",
        "depth -3",
        "depth x",
        "depth",
        "nodes 0",
        "nodes -5",
        "nodes 1",
        "movetime 0",
        "movetime -10",
        "wtime 0 btime 0",
        "wtime -100 btime -100",
        "wtime -100 btime -100 winc 10 binc 10",
        "wtime 50 btime 50 movestogo 0",
        "wtime 50 btime 50 movestogo 1",
        "wtime 50 btime 50 movestogo -1",
        "wtime 50 btime 50 movestogo 99999999999999999999",
        "wtime 100",
        "btime 100",
        "winc 10",
        "binc 10 winc 10",
        "wtime 99999999999999999999 btime 50 binc 0 depth 3",
        "depth 2 nodes 99999999999999999999 movetime 99999999999999999999",
        "wtime 100 btime 100 depth 3 nodes 1000 movetime 50",
        "quickly depth 2 please",
        "depth 2 searchmoves e7e5",
        "searchmoves e7e5 d7d5 depth 2",
        "searchmoves 0000 e9e8 depth 2",
        "mate 1 movetime 50",
        "mate -1 movetime 50",
        "mate 0 movetime 50",
    ] {
        let search = client.go(arguments, AT_ONCE);
        assert!(!search.was_stopped, "go {arguments}");
        client.check(&search, &root);
        assert_eq!(client.next_line(ms(0)), None, "go {arguments}");
    }
    let search = client.go("depth 99999999999999999999", ms(100));
    client.check(&search, &root);
    client.quit();
}

#[test]
fn the_moves_to_search_are_respected() {
    let mut client = Client::ready();
    client.send("position startpos");
    for _ in 0..3 {
        let search = client.go("depth 5 searchmoves a2a3 h2h4 e2e5", AT_ONCE);
        assert_eq!(search.messages.len(), 1, "{:?}", search.messages);
        assert!(["a2a3", "h2h4"].contains(&search.best.as_str()), "{}", search.best);
        client.check(&search, &game("position startpos"));
    }
    client.quit();
}

#[test]
fn castling_is_read_in_both_notations_and_written_in_the_chosen_one() {
    let castling = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let mut client = Client::ready();
    for chess960 in ["false", "true"] {
        client.send(&format!("setoption name UCI_Chess960 value {chess960}"));
        for moves in ["e1g1 e8c8", "e1h1 e8a8"] {
            let position = format!("{castling} moves {moves}");
            assert!(client.ask(&position).is_empty());
            let lines = client.ask("d");
            let fen = lines.iter().find(|line| line.starts_with("Fen: ")).expect("a FEN");
            assert_eq!(fen, "Fen: 2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2");
        }
        client.send(castling);
        for (wanted, shown) in [("e1c1", "e1a1"), ("e1h1", "e1h1")] {
            let search = client.go(&format!("depth 1 searchmoves {wanted}"), AT_ONCE);
            client.check(&search, &game(castling));
            assert_eq!(chess960 == "true", search.best == shown, "{}", search.best);
        }
    }
    client.quit();
}

#[test]
fn chess960_positions_are_read_in_both_styles() {
    let mut client = Client::start();
    // Some clients never send `uci`.
    client.send("setoption name UCI_Chess960 value true");
    client.sync();
    for fen in [
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1",
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
    ] {
        client.send(&format!("position fen {fen} moves"));
        let lines = client.ask("d");
        assert!(lines.iter().any(|line| line.starts_with("Fen: ") && line.contains(" HFhf ")));
        let search = client.go("depth 4", AT_ONCE);
        client.check(&search, &game(&format!("position fen {fen}")));
    }
    client.quit();
}

#[test]
fn chances_sum_to_one_and_agree_with_the_score() {
    let mut client = Client::ready();
    client.send("setoption name UCI_ShowWDL value true");
    let search = client.go("depth 5", AT_ONCE);
    for info in &search.infos {
        assert_eq!(info.chances.map(|chances| chances.iter().sum::<u32>()), Some(1000));
    }
    client.send(MATE_IN_ONE);
    let search = client.go("depth 3", AT_ONCE);
    assert_eq!(search.score(), ShownScore::Mate(1));
    assert_eq!(search.last().and_then(|info| info.chances), Some([1000, 0, 0]));
    client.quit();
}

/// Fishnet takes lines apart by single blanks, and anything but `info` and `bestmove` for a fault. It does not
/// introduce itself.
#[test]
fn the_conversation_of_fishnet() {
    let mut client = Client::start();
    client.send("setoption name UCI_Chess960 value true");
    client.send("isready");
    client.read_until("readyok");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for (lines, skill, position, go) in [
        (1, 20, format!("{start} moves"), "nodes 20000"),
        (5, 20, format!("{castling} moves e1h1"), "nodes 20000 depth 12"),
        (
            1,
            3,
            format!("{start} moves e2e4 e7e5"),
            "movetime 100 depth 5 wtime 1000 btime 1000 winc 10 binc 10",
        ),
    ] {
        client.send("ucinewgame");
        client.send(&format!("setoption name MultiPV value {lines}"));
        client.send(&format!("setoption name Skill Level value {skill}"));
        client.send(&format!("position fen {position}"));
        client.send(&format!("go {go}"));
        let said = client.read_to(AT_ONCE, |line| line.starts_with("bestmove ")).expect(go);
        let mut scored = false;
        for line in &said {
            let words: Vec<&str> = line.split(' ').collect();
            assert!(words.iter().all(|word| !word.is_empty()), "'{line}'");
            assert!(["info", "bestmove"].contains(&words[0]), "'{line}'");
            scored |= words.contains(&"score");
            if let Some(pv) = words.iter().position(|&word| word == "pv") {
                // All words after it are moves, and castling is the king that takes its rook.
                let root = game(&format!("position fen {position}"));
                let game = words[pv + 1..].iter().fold(root, |mut game, text| {
                    let mv = game.position().parse_uci_move(text).expect(text);
                    let notation = kaiyo_chess::CastlingNotation::KingTakesRook;
                    assert_eq!(game.position().uci_text(mv, notation), *text);
                    game.play(mv).expect(text);
                    game
                });
                assert!(!game.moves().is_empty(), "'{line}'");
            }
        }
        assert!(scored, "{said:?}");
    }
    client.quit();
}

#[test]
fn the_steps_of_a_managers_compliance_check() {
    let mut client = Client::ready();
    client.send("ucinewgame");
    client.sync();
    let black = "position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    for (position, go) in [
        (
            "position fen 3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27",
            "wtime 100",
        ),
        (black, "btime 100"),
        (black, "wtime 100 winc 100 btime 100 binc 100"),
        (black, "btime 100 binc 100 wtime 100 winc 100"),
        ("position startpos", "wtime 100 btime 100"),
        ("position startpos moves e2e4 e7e5", "wtime 100 btime 100"),
    ] {
        client.send(position);
        client.sync();
        let search = client.go(go, AT_ONCE);
        assert!(!search.was_stopped, "{go}");
        client.check(&search, &game(position));
        assert_eq!(client.next_line(ms(10)), None, "output after the best move");
    }
    client.quit();
}

#[test]
fn castling_of_chess960_needs_its_option() {
    let mut client = Client::ready();
    let fen = "position fen 4k3/8/8/8/8/8/8/3K3R w K - 0 1";
    let fault = "info string position: castling rights dropped that need UCI_Chess960";
    assert_eq!(client.ask(fen), [fault]);
    client.send("go perft 1");
    let lines = client.read_until("Nodes searched: 15");
    assert!(!lines.iter().any(|line| line.starts_with("d1h1") || line.starts_with("d1g1")));
    client.send("setoption name UCI_Chess960 value true");
    assert_eq!(client.ask(fen), [""; 0]);
    client.send("go perft 1");
    let lines = client.read_until("Nodes searched: 16");
    assert!(lines.iter().any(|line| line == "d1h1: 1"), "{lines:?}");
    client.quit();
}

//! Games, their results, and the settings for them.

use crate::common::{AT_ONCE, Client};
use crate::interface::{MATE_IN_ONE, SOON, ask, engine_move, line, ping, play, ready, use_book};
use kaiyo_chess::Game;

#[test]
fn contempt_depends_on_whom_the_client_names() {
    let mut client = ready();
    client.send("option OpponentContempt=human=-20, crafty=30");
    client.send("post");
    client.send("sd 4");
    for (opponent, expected) in [("name Kasparov", 20), ("computer\nname Crafty 25", -30), ("", 0)]
    {
        client.send("new");
        client.send("force");
        client.send(opponent);
        // Whose only move takes the last man.
        client.send("setboard 7k/8/8/8/8/8/1q6/K7 w - - 0 1");
        client.send("go");
        let lines = client.read_to(AT_ONCE, |line| line.starts_with("move ")).expect("a move");
        let thinking =
            lines.iter().rev().find(|line| line.starts_with(|c: char| c.is_ascii_digit()));
        let score = thinking.and_then(|line| line.split_whitespace().nth(1)?.parse::<i32>().ok());
        assert!(score.is_some_and(|score| (score - expected).abs() <= 1), "{opponent}: {lines:?}");
    }
    client.quit();
}

#[test]
fn a_game_is_played_with_either_side() {
    let mut client = ready();
    let mut game = Game::default();
    client.send("level 0 0:05 0");
    for opponent in ["usermove e2e4", "usermove Nf3", "d2d4"] {
        client.send("time 200");
        client.send("otim 200");
        client.send(opponent);
        play(&mut game, opponent.trim_start_matches("usermove "));
        let reply = engine_move(&mut client);
        play(&mut game, &reply);
    }
    // The engine goes on with the other side, and then with its own again.
    client.send("force");
    client.send("go");
    let white = engine_move(&mut client);
    play(&mut game, &white);
    client.send("playother");
    assert!(ping(&mut client, 3).is_empty());
    client.send("force");
    let black = game.position().legal_moves()[0];
    let black = game.position().uci_text(black, kaiyo_chess::CastlingNotation::KingMove);
    assert!(ask(&mut client, &format!("usermove {black}")).is_empty());
    play(&mut game, &black);
    client.send("go");
    let white = engine_move(&mut client);
    play(&mut game, &white);
    client.quit();
}

#[test]
fn illegal_moves_and_positions_are_refused_and_nothing_changes() {
    let mut client = ready();
    client.send("force");
    client.send("usermove e2e4");
    for (line, answer) in [
        ("usermove e2e4", "Illegal move (e2 is empty): e2e4"),
        ("e2e5", "Illegal move (e2 is empty): e2e5"),
        ("usermove O-O", "Illegal move (castling is not possible): O-O"),
        ("usermove x", "Illegal move (expected a move such as e2e4): x"),
        ("usermove", "Illegal move (expected a move such as e2e4): "),
        ("setboard 8/8/8/8/8/8/8/8 w - - 0 1", "tellusererror Illegal position"),
        (
            "variant atomic",
            "Error (unsupported variant, expected normal or fischerandom): variant atomic",
        ),
        ("xyzzy plugh", "Error (unknown command): xyzzy plugh"),
        ("level 40", "Error (expected moves or 0, minutes[:seconds] and "),
        ("sd deep", "Error (expected depth): sd deep"),
        ("memory lots", "# option Hash: expected a whole number"),
        ("option Nonsense=1", "# unknown option 'Nonsense'"),
        ("remove", "Error (no move to take back): remove"),
    ] {
        let lines = ask(&mut client, line);
        assert!(lines.len() == 1 && lines[0].starts_with(answer), "{line}: {lines:?}");
    }
    client.send("go");
    let mut game = Game::default();
    play(&mut game, "e2e4");
    let reply = engine_move(&mut client);
    play(&mut game, &reply);
    client.quit();
}

#[test]
fn results_are_claimed_when_the_rules_end_the_game() {
    let mut client = ready();
    client.send("force");
    client.send(MATE_IN_ONE);
    client.send("go");
    assert_eq!(engine_move(&mut client), "a1a8");
    assert_eq!(ping(&mut client, 1), ["1-0 {White mates}"]);
    // The opponent mates.
    client.send("new");
    client.send("force");
    client.send(MATE_IN_ONE);
    client.send("playother");
    assert_eq!(ask(&mut client, "usermove a1a8"), ["1-0 {White mates}"]);
    client.send("result 1-0 {White mates}");
    // Nothing is to be played.
    client.send("force");
    client.send("setboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(ask(&mut client, "go"), ["1/2-1/2 {Stalemate}"]);
    client.quit();
}

#[test]
fn draws_are_claimed_when_the_rules_end_the_game() {
    let mut client = ready();
    // The opponent's move ends it.
    client.send("force");
    for mv in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"] {
        client.send(&format!("usermove {mv}"));
    }
    client.send("playother");
    assert_eq!(ask(&mut client, "usermove f6g8"), ["1/2-1/2 {Repetition}"]);
    for (fen, mv, claim) in [
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "a1a2", "1/2-1/2 {Fifty-move rule}"),
        ("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", "e1e2", "1/2-1/2 {Insufficient material}"),
    ] {
        client.send(&format!("force\nsetboard {fen}\nplayother"));
        assert_eq!(ask(&mut client, &format!("usermove {mv}")), [claim]);
    }
    // The engine's only move ends it.
    client.send("force\nsetboard 7k/8/8/8/8/8/1q6/K7 w - - 0 1\ngo");
    assert_eq!(engine_move(&mut client), "a1b2");
    assert_eq!(ping(&mut client, 1), ["1/2-1/2 {Insufficient material}"]);
    client.quit();
}

#[test]
fn moves_out_of_turn_and_moves_that_could_be_two_are_refused() {
    let mut client = ready();
    client.send("st 1000\nusermove e2e4\nusermove d2d4");
    client.read_until("Illegal move (not your turn): d2d4");
    client.send("?");
    engine_move(&mut client);
    client.send("force\nsetboard 4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1");
    let refused = "Illegal move (several moves fit): Nd2";
    assert_eq!(ask(&mut client, "usermove Nd2"), [refused]);
    assert!(ask(&mut client, "usermove Nbd2").is_empty());
    client.quit();
}

#[test]
fn castling_of_fischerandom_needs_its_variant() {
    let mut client = ready();
    client.send("force");
    let position = "setboard 4k3/8/8/8/8/8/8/3K3R w K - 0 1";
    let notice = "# castling rights dropped that need variant fischerandom";
    assert_eq!(ask(&mut client, position), [notice]);
    let refused = "Illegal move (castling is not possible): O-O";
    assert_eq!(ask(&mut client, "usermove O-O"), [refused]);
    client.send("variant fischerandom");
    assert!(ask(&mut client, position).is_empty());
    assert!(ask(&mut client, "usermove O-O").is_empty());
    client.quit();
}

#[test]
fn the_moves_of_the_book_are_shown() {
    let mut client = ready();
    use_book(&mut client, "shown", &[line(&["e2e4"]), line(&["d2d4"])].concat());
    let shown = |client: &mut Client| -> Vec<String> {
        let lines = ask(client, "bk");
        // An empty line ends the answer, whose other lines begin with a blank.
        let (last, rest) = lines.split_last().expect("an answer");
        assert!(last.is_empty() && rest.iter().all(|line| line.starts_with('\t')), "{lines:?}");
        let words = |line: &String| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut rest: Vec<String> = rest.iter().map(words).collect();
        rest.sort();
        rest
    };
    assert_eq!(shown(&mut client), ["d4 50 %", "e4 50 %"]);
    client.send("force\nusermove a2a3");
    assert_eq!(shown(&mut client), ["no book move"]);
    client.quit();
}

#[test]
fn tablebases_are_found_where_the_client_says() {
    let mut client = ready();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/syzygy");
    client.send("st 1000\nsd 4\npost\nforce");
    for (path, found) in [("/no such folder", false), (folder, true)] {
        let said = ask(&mut client, &format!("egtpath syzygy {path}"));
        assert!(said.len() == 1 && said[0].starts_with("# "), "{said:?}");
        assert_eq!(said[0].starts_with("# Syzygy: "), found, "{said:?}");
        client.send("setboard 8/8/8/3k4/8/8/6K1/7R w - - 0 1\ngo");
        let lines = client.read_to(SOON, |line| line.starts_with("move ")).expect("a move");
        let hits = |line: &String| line.split('\t').next()?.split(' ').nth(6)?.parse::<u64>().ok();
        let last = lines.iter().rev().find_map(hits);
        assert_eq!(last.map(|hits| hits > 0), Some(found), "{lines:?}");
        client.send("force");
    }
    client.quit();
}

#[test]
fn moves_are_taken_back() {
    let mut client = ready();
    client.send("force");
    for line in ["usermove e2e4", "usermove e7e5", "remove", "usermove d2d4", "undo"] {
        assert!(ask(&mut client, line).is_empty(), "{line}");
    }
    // White is to move again at the start.
    assert!(ask(&mut client, "usermove e2e4").is_empty());
    client.send("undo");
    client.send("go");
    let white = engine_move(&mut client);
    play(&mut Game::default(), &white);
    client.quit();
}

#[test]
fn castling_is_written_with_letters_in_fischerandom() {
    let mut client = ready();
    client.send("variant fischerandom");
    client.send("force");
    // Castling is the only mate.
    client.send("setboard 5k2/8/8/8/8/8/6R1/4RK1R w H - 0 1");
    assert!(ask(&mut client, "usermove O-O").is_empty());
    client.send("undo");
    client.send("go");
    assert_eq!(engine_move(&mut client), "O-O");
    assert_eq!(ping(&mut client, 1), ["1-0 {White mates}"]);
    // In the usual game it is the king's move that is written.
    client.send("new");
    client.send("force");
    client.send("setboard 5k2/8/8/8/8/8/6R1/3RK2R w K - 0 1");
    client.send("go");
    let mv = engine_move(&mut client);
    assert!(mv.len() == 4 && !mv.contains('O'), "{mv}");
    client.quit();
}

//! Conversations in the XBoard protocol.

mod common;

use common::{AT_ONCE, Client, ms};
use kaiyo_book::{Entry, key, to_bytes};
use kaiyo_chess::{Game, Move, Position};
use std::time::Duration;

/// For what takes seconds on a busy machine, and would take minutes if it went wrong.
const SOON: Duration = Duration::from_secs(30);

const MATE_IN_ONE: &str = "setboard 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";

/// The program, ready to play Black.
fn ready() -> Client {
    let mut client = Client::start();
    client.send("xboard");
    client.send("protover 2");
    client.read_until("feature done=1");
    client.send("new");
    client.send("st 0.1");
    client
}

/// Everything that is said until all commands have been executed.
fn ping(client: &mut Client, number: u32) -> Vec<String> {
    client.send(&format!("ping {number}"));
    let mut lines = client.read_until(&format!("pong {number}"));
    lines.pop();
    lines
}

/// What is said about a line.
fn ask(client: &mut Client, line: &str) -> Vec<String> {
    client.send(line);
    ping(client, 7)
}

/// The next move of the engine.
fn engine_move(client: &mut Client) -> String {
    let lines = client.read_to(AT_ONCE, |line| line.starts_with("move "));
    let lines = lines.unwrap_or_else(|| panic!("no move\n{}", client.transcript()));
    lines.last().expect("a line")["move ".len()..].to_owned()
}

/// The move that the engine expects, once it does.
fn hint(client: &mut Client) -> String {
    for _ in 0..300 {
        if let Some(hint) = ask(client, "hint").iter().find_map(|line| line.strip_prefix("Hint: "))
        {
            return hint.to_owned();
        }
        std::thread::sleep(ms(100));
    }
    panic!("no hint\n{}", client.transcript());
}

/// Lets the engine play from a book with these moves, each at the end of a game, and no other.
fn use_book(client: &mut Client, name: &str, moves: &[(Game, Move)]) {
    let entry = |(game, mv): &(Game, Move)| Entry {
        key: key(game.position(), game.moves().last().copied()),
        code: mv.to().index() as u16 | (mv.from().index() as u16) << 6,
        weight: 1,
        learn: 0,
    };
    let path = format!("{}/{name}.bin", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&path, to_bytes(moves.iter().map(entry).collect(), "")).expect("a file");
    for option in ["BookFile", "Book2File"] {
        assert!(ask(client, &format!("option {option}={path}")).is_empty(), "{option}");
    }
    assert!(ask(client, "option OwnBook=1").is_empty());
}

/// The moves of a line, each with the game before it.
fn line(moves: &[&str]) -> Vec<(Game, Move)> {
    let mut game = Game::default();
    let mut step = |text: &&str| {
        let before = game.clone();
        play(&mut game, text);
        (before, *game.moves().last().expect("a move"))
    };
    moves.iter().map(&mut step).collect()
}

/// Plays a move as the protocol writes it.
fn play(game: &mut Game, text: &str) {
    let position = game.position();
    let mv = position.parse_uci_move(text).or_else(|_| position.parse_san(text));
    let mv = mv.unwrap_or_else(|error| panic!("{error} at {position}"));
    game.play(mv).expect("a legal move");
}

#[test]
fn features_are_told_in_lines_that_interfaces_can_read() {
    let mut client = Client::start();
    client.send("xboard");
    client.send("protover 2");
    let lines = client.read_until("feature done=1");
    for feature in [
        "ping=1",
        "setboard=1",
        "usermove=1",
        "analyze=1",
        "playother=1",
        "san=0",
        "memory=1",
        "smp=1",
        "colors=0",
        "variants=\"normal,fischerandom\"",
        "egt=\"syzygy\"",
        "exclude=1",
        " name=1",
        "option=\"MultiPV -spin 1 1 500\"",
        "option=\"ClearHash -button\"",
    ] {
        assert!(lines.iter().any(|line| line.contains(feature)), "{feature}");
    }
    for line in &lines {
        assert!(line.starts_with("feature ") && line.matches('"').count() % 2 == 0, "{line}");
    }
    for line in
        ["accepted ping", "rejected san", "random", "computer", "name GNU Chess 6", "rating 0 2700"]
    {
        assert!(ask(&mut client, line).is_empty(), "{line}");
    }
    client.quit();
}

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
fn thinking_is_shown_if_wanted_and_ends_when_told() {
    let mut client = ready();
    client.send("post");
    client.send("st 1000");
    client.send("usermove e2e4");
    let line = client.read_to(AT_ONCE, |line| line.contains('\t')).expect("thinking").pop();
    let line = line.expect("a line");
    let (numbers, variation) = line.split_once('\t').expect("a tab");
    let numbers: Vec<i64> = numbers.split(' ').map(|word| word.parse().expect(&line)).collect();
    assert_eq!(numbers.len(), 7, "{line}");
    let mut game = Game::default();
    play(&mut game, "e2e4");
    for san in variation.split(' ') {
        play(&mut game, san);
    }
    // A ping must wait for the move, and an option too.
    client.send("ping 1");
    client.send("option MultiPV=2");
    client.send("cores 2");
    client.send("?");
    let reply = engine_move(&mut client);
    client.read_until("pong 1");
    client.send("nopost");
    client.send("sd 3");
    client.send("force");
    client.send("undo");
    client.send("go");
    let lines = client.read_to(AT_ONCE, |line| line.starts_with("move ")).expect("a move");
    assert_eq!(lines.len(), 1, "{lines:?} after {reply}");
    client.quit();
}

#[test]
fn thinking_is_shown_and_hidden_while_it_goes_on() {
    let mut client = ready();
    client.send("st 1000");
    client.send("usermove e2e4");
    client.send("post");
    client.read_to(SOON, |line| line.contains('\t')).expect("thinking");
    // Errors are told at once. A line that is under way may come after the first one.
    for line in ["nopost", "no such command", "no such command either"] {
        client.send(line);
        if line != "nopost" {
            client.read_to(SOON, |line| line.starts_with("Error ")).expect("an error");
            std::thread::sleep(ms(500));
        }
    }
    client.send("?");
    let lines = client.read_to(SOON, |line| line.starts_with("move ")).expect("a move");
    assert_eq!(lines.len(), 1, "{lines:?}");
    client.quit();
}

#[test]
fn commands_break_off_thinking() {
    for line in ["new", "force", "undo", "result *", "setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"] {
        let mut client = ready();
        client.send("post");
        client.send("st 1000");
        client.send("usermove e2e4");
        client.read_to(AT_ONCE, |line| line.contains('\t')).expect("thinking");
        client.send(line);
        let rest = ping(&mut client, 2);
        assert!(rest.iter().all(|line| line.contains('\t')), "{line}: {rest:?}");
        assert_eq!(client.next_line(ms(50)), None, "{line}");
        client.quit();
    }
}

#[test]
fn an_analysis_follows_the_board() {
    let mut client = ready();
    client.send("force");
    let thinks_of = |client: &mut Client, game: &Game| {
        let line = client.read_to(AT_ONCE, |line| line.contains('\t')).expect("thinking").pop();
        let line = line.unwrap_or_default();
        let first = line.split('\t').nth(1).and_then(|variation| variation.split(' ').next());
        let first = first.unwrap_or_default().trim_end_matches(['!', '?']).to_owned();
        assert!(game.position().parse_san(&first).is_ok(), "{line} at {}", game.position());
    };
    client.send("analyze");
    let mut game = Game::default();
    thinks_of(&mut client, &game);
    client.send("usermove e2e4");
    play(&mut game, "e2e4");
    ping(&mut client, 1);
    thinks_of(&mut client, &game);
    client.send(".");
    let status = client.read_to(AT_ONCE, |line| line.starts_with("stat01: ")).expect("a status");
    assert_eq!(status.last().map(|line| line.split(' ').count()), Some(7));
    client.send("undo");
    ping(&mut client, 2);
    thinks_of(&mut client, &Game::default());
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    client.send(&format!("setboard {fen}"));
    ping(&mut client, 3);
    thinks_of(&mut client, &Game::new(Position::from_fen(fen).unwrap()));
    client.send("option MultiPV=2");
    ping(&mut client, 4);
    thinks_of(&mut client, &Game::new(Position::from_fen(fen).unwrap()));
    client.send("new");
    ping(&mut client, 7);
    thinks_of(&mut client, &Game::default());
    // No move, nothing to analyse, no harm.
    client.send("setboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    ping(&mut client, 5);
    client.send("exit");
    ping(&mut client, 6);
    assert_eq!(client.next_line(ms(50)), None);
    client.quit();
}

#[test]
fn moves_are_left_out_of_an_analysis() {
    let mut client = ready();
    client.send("force");
    client.send(MATE_IN_ONE);
    client.send("exclude a1a8");
    client.send("analyze");
    client.send("exclude a1a8");
    ping(&mut client, 1);
    // Some depth may say nothing new and not be shown.
    let depth = |line: &str| line.split(' ').next()?.parse::<u32>().ok();
    let lines = client.read_to(AT_ONCE, |line| depth(line) >= Some(5)).expect("a line of depth 5");
    assert!(lines.iter().all(|line| !line.contains("\tRa8")), "{lines:?}");
    client.send("include all");
    ping(&mut client, 2);
    let line = client.read_to(AT_ONCE, |line| line.contains('\t')).and_then(|mut l| l.pop());
    assert!(line.as_ref().is_some_and(|line| line.contains(" 100001 ")), "{line:?}");
    client.send("exclude all");
    ping(&mut client, 3);
    assert_eq!(client.next_line(ms(50)), None);
    client.quit();
}

/// So does python-chess.
#[test]
fn moves_are_left_out_of_an_analysis_to_come() {
    let mut client = ready();
    client.send("force");
    client.send(MATE_IN_ONE);
    client.send("exclude all");
    client.send("include a1a2");
    client.send("analyze");
    for _ in 0..5 {
        let line = client.read_to(AT_ONCE, |line| line.contains('\t')).and_then(|mut l| l.pop());
        assert!(line.as_ref().is_some_and(|line| line.contains("\tRa2")), "{line:?}");
    }
    // They belong to the position and the analysis.
    client.send("exit");
    ping(&mut client, 1);
    client.send("analyze");
    let line = client.read_to(AT_ONCE, |line| line.contains('\t')).and_then(|mut l| l.pop());
    assert!(line.as_ref().is_some_and(|line| line.contains("\tRa8")), "{line:?}");
    client.quit();
}

#[test]
fn the_opponents_time_is_used() {
    let mut client = ready();
    client.send("hard");
    client.send("post");
    let mut game = Game::default();
    client.send("usermove e2e4");
    play(&mut game, "e2e4");
    for _ in 0..3 {
        let reply = engine_move(&mut client);
        play(&mut game, &reply);
        let expected = hint(&mut client);
        std::thread::sleep(ms(150));
        client.send(&format!("usermove {expected}"));
        play(&mut game, &expected);
    }
    let reply = engine_move(&mut client);
    play(&mut game, &reply);
    // And now a surprise.
    let surprise = game.position().legal_moves()[0];
    let surprise = game.position().uci_text(surprise, kaiyo_chess::CastlingNotation::KingMove);
    client.send(&format!("usermove {surprise}"));
    play(&mut game, &surprise);
    let reply = engine_move(&mut client);
    play(&mut game, &reply);
    client.send("easy");
    assert!(ping(&mut client, 1).iter().all(|line| line.contains('\t')));
    client.quit();
}

#[test]
fn a_ponder_hit_begins_with_the_clock_that_the_client_tells() {
    // Minutes are meant for a move with hours on the clock, and less than a second with one.
    for (before, after) in [(360_000, 100), (100, 360_000)] {
        let mut client = ready();
        client.send("level 0 60 0");
        client.send("hard");
        client.send(&format!("time {before}\notim 360000\nusermove e2e4\n?"));
        engine_move(&mut client);
        let expected = hint(&mut client);
        std::thread::sleep(ms(1_500));
        client.send(&format!("time {after}\notim 360000\nusermove {expected}"));
        if after > before {
            assert_eq!(client.next_line(ms(2_000)), None, "hours are left");
            client.send("?");
        }
        let reply = client.read_to(SOON, |line| line.starts_with("move "));
        assert!(reply.is_some(), "a second is left\n{}", client.transcript());
        client.quit();
    }
}

#[test]
fn a_book_move_is_followed_by_pondering_on_a_reply() {
    // The book may know a reply, or the engine makes a guess.
    for known in [&["e2e4", "e7e5"][..], &["e2e4", "e7e5", "g1f3"]] {
        let mut client = ready();
        use_book(&mut client, &format!("pondering-{}", known.len()), &line(known)[1..]);
        client.send("st 1000\nhard\npost\nusermove e2e4");
        assert_eq!(engine_move(&mut client), "e7e5");
        let expected = hint(&mut client);
        assert!(known.get(2).is_none_or(|&reply| reply == expected), "{expected}");
        std::thread::sleep(ms(1_500));
        client.send(&format!("usermove {expected}\n?"));
        let lines = client.read_to(SOON, |line| line.starts_with("move ")).expect("a move");
        let centiseconds = |line: &String| line.split(' ').nth(2)?.parse::<u32>().ok();
        let times: Vec<u32> = lines.iter().filter_map(centiseconds).collect();
        assert!(!times.is_empty() && times.iter().all(|&time| time >= 100), "{lines:?}");
        client.quit();
    }
}

#[test]
fn the_book_answers_the_expected_move_if_it_can() {
    // After a book move.
    let mut client = ready();
    use_book(&mut client, "answers", &line(&["e2e4", "e7e5", "g1f3", "d8g5"])[1..]);
    client.send("st 1000\nhard\nusermove e2e4");
    assert_eq!(engine_move(&mut client), "e7e5");
    let expected = hint(&mut client);
    client.send(&format!("usermove {expected}"));
    assert_eq!(engine_move(&mut client), "d8g5");
    client.quit();

    // After a move that was searched for: the book has an answer to all that may follow.
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let start = Game::new(Position::from_fen(fen).unwrap());
    let after = |game: &Game| -> Vec<Game> {
        let legal = game.position().legal_moves();
        let play = |&mv: &Move| {
            let mut next = game.clone();
            next.play(mv).expect("a legal move");
            next
        };
        legal.iter().map(play).collect()
    };
    let replied = after(&start).iter().flat_map(after).collect::<Vec<_>>();
    let moves = replied.iter().map(|game| (game.clone(), game.position().legal_moves()[0]));
    let mut client = ready();
    use_book(&mut client, "searched", &moves.collect::<Vec<_>>());
    client.send(&format!("force\nsetboard {fen}\nhard\ngo"));
    engine_move(&mut client);
    let expected = hint(&mut client);
    client.send(&format!("st 1000\nusermove {expected}"));
    let lines = client.read_to(SOON, |line| line.starts_with("move ")).unwrap_or_default();
    assert!(lines.iter().any(|line| line.starts_with("# book 1: ")), "{}", client.transcript());
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

#[test]
fn the_end_of_input_ends_the_program() {
    for line in ["analyze", "st 1000\nusermove e2e4", "force"] {
        let mut client = ready();
        client.send(line);
        client.close_input();
        client.assert_ends();
    }
}

#[test]
fn uci_comes_first_and_xboard_when_asked() {
    let mut client = Client::ready();
    client.send("setoption name Hash value 8");
    client.send("go infinite");
    client.send("xboard");
    client.read_until("info string xboard: not during a search");
    client.send("stop");
    client.finish_search(AT_ONCE);
    client.send("xboard");
    client.send("force");
    ping(&mut client, 1);
    client.quit();
}

//! Thinking and analysis.

use crate::common::{AT_ONCE, Client, ms};
use crate::interface::{MATE_IN_ONE, SOON, engine_move, ping, play, ready};
use kaiyo_chess::{Game, Position};

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

//! Thinking on the opponent's time.

use crate::common::{Client, ms};
use crate::interface::{SOON, engine_move, hint, line, ping, play, ready, use_book};
use kaiyo_chess::{Game, Move, Position};

/// Centiseconds of the thinking shown up to a move, and the move.
fn thinking(client: &mut Client) -> (Vec<u32>, String) {
    let lines = client.read_to(SOON, |line| line.starts_with("move ")).expect("a move");
    let centiseconds = |line: &String| line.split(' ').nth(2)?.parse::<u32>().ok();
    let times = lines.iter().filter_map(centiseconds).collect();
    (times, lines[lines.len() - 1]["move ".len()..].to_owned())
}

#[test]
fn the_opponents_time_is_used() {
    let mut client = ready();
    let mut game = Game::default();
    client.send("st 1000\nhard\npost\nusermove e2e4\n?");
    play(&mut game, "e2e4");
    let reply = engine_move(&mut client);
    play(&mut game, &reply);
    let expected = hint(&mut client);
    std::thread::sleep(ms(1_500));
    client.send(&format!("usermove {expected}\n?"));
    play(&mut game, &expected);
    let (times, reply) = thinking(&mut client);
    assert!(!times.is_empty() && times.iter().all(|&time| time >= 100), "{times:?}");
    play(&mut game, &reply);
    // And now a surprise, after which it begins anew.
    let expected = hint(&mut client);
    std::thread::sleep(ms(1_500));
    let notation = kaiyo_chess::CastlingNotation::KingMove;
    let texts = game.position().legal_moves();
    let mut texts = texts.iter().map(|&mv| game.position().uci_text(mv, notation));
    let surprise = texts.find(|text| *text != expected).expect("another move");
    client.send(&format!("usermove {surprise}\n?"));
    play(&mut game, &surprise);
    let (times, reply) = thinking(&mut client);
    assert!(times.first().is_some_and(|&time| time < 100), "{times:?}");
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
        let (times, _) = thinking(&mut client);
        assert!(!times.is_empty() && times.iter().all(|&time| time >= 100), "{times:?}");
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

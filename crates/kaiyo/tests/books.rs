//! Opening books: playing from them, and the commands that make them.

mod common;

use common::{AT_ONCE, Client, Folder, game, ms};
use kaiyo_book::{Book, key};
use kaiyo_chess::Position;
use std::path::Path;
use std::process::{Command, Output};

const START: &str = "position startpos";

/// Games for a small book. The second one is lost by a blunder in the opening.
const GAMES: &str = r#"[Event "?"]
[Result "1-0"]
[WhiteElo "2500"]
[BlackElo "2400"]
[TimeControl "300+3"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0

[Event "?"]
[Result "1-0"]
[WhiteElo "2500"]
[BlackElo "2400"]
[TimeControl "40/7200"]

1. e4 e5 2. Nf3 Qg5 3. Nxg5 1-0

[Event "?"]
[Result "1/2-1/2"]
[WhiteElo "1500"]
[BlackElo "2400"]

1. e4 c5 2. Nf3 d6 1/2-1/2

[Event "?"]
[Result "0-1"]

1. d4 d5 2. c4 0-1

[Event "?"]
[Result "*"]

1. b4 *
"#;

/// A folder with the games.
fn folder_with_games(name: &str) -> Folder {
    let folder = Folder::new(name);
    std::fs::write(folder.path("games.pgn"), GAMES).unwrap();
    folder
}

/// Builds a book of the games.
fn build(folder: &Folder, name: &str, options: &[&str]) -> String {
    let (games, out) = (folder.path("games.pgn"), folder.path(name));
    let rare: &[&str] = if options.contains(&"--min-games") { &[] } else { &["--min-games", "1"] };
    let arguments = [&["build", &games, "--out", &out], rare, options].concat();
    let output = run_book(&arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    out
}

fn run_book(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kaiyo"));
    command.arg("book").args(arguments).output().expect("the program starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The moves that a book has in a position, with their weights.
fn moves(path: &str, position: &Position) -> Vec<(String, u16)> {
    let book = Book::open(Path::new(path)).unwrap();
    let moves = book.moves(position, None);
    moves.into_iter().map(|found| (position.san(found.mv), found.weight)).collect()
}

/// A client that plays from a book.
fn client(options: &[(&str, &str)]) -> Client {
    let mut client = Client::ready();
    for (name, value) in [&[("OwnBook", "true")], options].concat() {
        let said = client.ask(&format!("setoption name {name} value {value}"));
        assert!(said.is_empty(), "{said:?}");
    }
    client
}

/// Whether the answer to `go` at a position comes from a book, with its best move.
fn answer(client: &mut Client, position: &str, arguments: &str) -> (bool, String) {
    client.send(position);
    let search = client.go(arguments, ms(100));
    if let Some(commands) = position.strip_prefix("position ") {
        client.check(&search, &game(commands));
    }
    (search.messages.iter().any(|message| message.starts_with("book ")), search.best)
}

#[test]
fn a_book_move_comes_at_once_and_looks_like_a_search() {
    let mut client = client(&[]);
    client.send(START);
    // Minutes would be meant for the move.
    let search = client.go("wtime 36000000 btime 36000000", AT_ONCE);
    assert!(!search.was_stopped, "{:?}", search.elapsed);
    client.check(&search, &game("startpos"));
    assert_eq!((search.infos.len(), search.messages.len()), (1, 1), "{search:?}");
    assert!(search.messages[0].starts_with("book 1: "), "{search:?}");
    assert_eq!(search.infos[0].variation.get(1), search.ponder.as_ref());
    assert!(search.ponder.is_some());
    for arguments in ["movetime 1000", "depth 30", "nodes 1000000"] {
        assert!(answer(&mut client, START, arguments).0, "{arguments}");
    }
    // A search that follows is one.
    let (from_book, _) =
        answer(&mut client, "position fen 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "depth 2");
    assert!(!from_book);
    client.quit();
}

#[test]
fn whole_openings_are_played_from_the_book() {
    let mut client = client(&[("BookSeed", "7")]);
    let mut position = "position startpos moves".to_owned();
    for _ in 0..6 {
        let (from_book, best) = answer(&mut client, &position, "movetime 500");
        assert!(from_book, "{position}");
        position = format!("{position} {best}");
    }
    client.quit();
}

#[test]
fn books_are_left_alone_unless_a_game_is_played() {
    let mut standard = Client::ready();
    assert!(!answer(&mut standard, START, "depth 2").0);
    standard.quit();

    let mut client = client(&[]);
    for arguments in
        ["infinite", "", "searchmoves a2a3 depth 2", "searchmoves 0000 depth 2", "mate 1 depth 2"]
    {
        assert!(!answer(&mut client, START, arguments).0, "{arguments}");
    }
    client.send("go perft 1");
    let lines = client.read_to(AT_ONCE, |line| line.starts_with("Nodes searched")).unwrap();
    assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 20"));
    client.send("setoption name UCI_AnalyseMode value true");
    assert!(!answer(&mut client, START, "depth 2").0);
    client.send("setoption name UCI_AnalyseMode value false");
    client.send("setoption name BookDepth value 0");
    assert!(!answer(&mut client, START, "depth 2").0);
    client.quit();
}

#[test]
fn a_book_move_waits_for_the_move_it_answers() {
    let mut client = client(&[("Ponder", "true")]);
    client.send(START);
    let search = client.go("wtime 9000 btime 9000", AT_ONCE);
    let ponder = search.ponder.expect("an expected reply");
    let expected = format!("startpos moves {} {ponder}", search.best);
    client.send(&format!("position {expected}"));
    for end in ["ponderhit", "stop"] {
        client.send("go ponder wtime 500 btime 500");
        client.assert_no_best_move(ms(50));
        client.send(end);
        let search = client.finish_search(AT_ONCE);
        client.check(&search, &game(&expected));
        assert!(search.messages[0].starts_with("book 1: "), "{search:?}");
    }
    // What comes next is not kept waiting.
    client.send("go ponder wtime 500 btime 500");
    client.send("position startpos moves e2e4 e7e5");
    client.finish_search(AT_ONCE);
    assert!(answer(&mut client, START, "depth 2").0);
    client.send("go ponder wtime 500 btime 500");
    client.quit();
}

#[test]
fn books_are_chosen_by_options() {
    let folder = folder_with_games("options");
    let open = build(&folder, "with space.bin", &["--results", "0-1"]);
    let other = build(&folder, "other.bin", &["--min-rating", "2000"]);
    let mut client =
        client(&[("BookBestMove", "true"), ("BookFile", &open), ("Book2File", &other)]);
    assert_eq!(answer(&mut client, START, "depth 2"), (true, "d2d4".to_owned()));
    // The second book knows more of this.
    client.send("position startpos moves e2e4 e7e5");
    let search = client.go("depth 2", AT_ONCE);
    assert_eq!((search.best.as_str(), &search.messages[0][..7]), ("g1f3", "book 2:"));
    // Neither knows this.
    assert!(!answer(&mut client, "position startpos moves b2b4", "depth 2").0);

    for name in ["games.pgn", "empty.bin", "cut.bin", "unsorted.bin", "missing.bin"] {
        let mut bytes = std::fs::read(&open).unwrap();
        match name {
            "empty.bin" => bytes.clear(),
            "cut.bin" => bytes.truncate(bytes.len() - 5),
            "unsorted.bin" => bytes.rotate_left(16 * 9),
            _ => {}
        }
        if name.ends_with(".bin") && name != "missing.bin" {
            std::fs::write(folder.path(name), bytes).unwrap();
        }
        let said = client.ask(&format!("setoption name BookFile value {}", folder.path(name)));
        assert_eq!(said.len(), 1, "{name}: {said:?}");
        assert!(said[0].starts_with("info string option BookFile: "), "{said:?}");
        assert_eq!(answer(&mut client, START, "depth 2"), (true, "d2d4".to_owned()), "{name}");
    }
    // Without a name the book of the program comes back.
    assert!(client.ask("setoption name BookFile value <empty>").is_empty());
    assert!(answer(&mut client, "position startpos moves e2e4", "depth 2").0);
    client.quit();
}

#[test]
fn the_seed_repeats_the_choices() {
    let draw = |seed: &str| -> Vec<String> {
        let mut client = client(&[("BookSeed", seed)]);
        let draws = (0..30).map(|_| answer(&mut client, START, "depth 2").1).collect();
        client.quit();
        draws
    };
    let first = draw("1");
    assert_eq!(draw("1"), first);
    assert_ne!(draw("2"), first);
    assert!(first.iter().any(|mv| *mv != first[0]), "{first:?}");
}

#[test]
fn a_built_book_has_what_was_played() {
    let folder = folder_with_games("build");
    let all = build(&folder, "all.bin", &[]);
    let start = Position::start();
    // The half points of three games; the loss counts as the least weight.
    assert_eq!(moves(&all, &start), [("e4".to_owned(), 5), ("d4".to_owned(), 1)]);
    let bytes = std::fs::read(&all).unwrap();
    build(&folder, "all.bin", &[]);
    assert_eq!(std::fs::read(&all).unwrap(), bytes, "building again changes the book");

    let first = |options: &[&str]| {
        let path = build(&folder, "some.bin", options);
        moves(&path, &start).into_iter().map(|(san, _)| san).collect::<Vec<_>>()
    };
    assert_eq!(first(&["--min-games", "2"]), ["e4"]);
    // Both have the least weight.
    assert_eq!(first(&["--results", "0-1,1/2-1/2"]), ["d4", "e4"]);
    assert_eq!(first(&["--min-score", "50"]), ["e4"]);
    assert_eq!(first(&["--max-moves", "1"]), ["e4"]);
    let count = |options: &[&str]| {
        let path = build(&folder, "some.bin", options);
        Book::open(Path::new(&path)).unwrap().iter().filter(|entry| entry.key != 0).count()
    };
    assert_eq!(count(&[]), 14);
    assert_eq!(count(&["--max-plies", "1"]), 2);
    assert_eq!(count(&["--speeds", "blitz"]), 6);
    assert_eq!(count(&["--min-rating", "2400", "--speeds", "classical,rapid"]), 5);
}

#[test]
fn searches_keep_blunders_out() {
    let folder = folder_with_games("verify");
    let scores = folder.path("scores");
    let verify = ["--verify", "300:20,3000:-150", "--threads", "2", "--scores", &scores];
    let path = build(&folder, "verified.bin", &verify);
    let book = Book::open(Path::new(&path)).unwrap();
    let mut game = kaiyo_chess::Game::default();
    for mv in ["e2e4", "e7e5", "g1f3"] {
        game.play_uci(mv).unwrap();
    }
    let replies = book.moves(game.position(), None);
    assert_eq!(replies.len(), 1);
    assert_eq!(game.position().san(replies[0].mv), "Nc6");
    // Queen takes knight is not reached any more either.
    game.play_uci("d8g5").unwrap();
    assert_eq!(book.find(key(game.position(), None)).count(), 0);
    // With the kept scores and another number of threads it is the same.
    let bytes = std::fs::read(&path).unwrap();
    build(&folder, "verified.bin", &["--verify", "300:20,3000:-150", "--scores", &scores]);
    assert_eq!(std::fs::read(&path).unwrap(), bytes);

    let checked = run_book(&["check", &path, "--nodes", "3000", "--limit", "-150"]);
    assert!(checked.status.success(), "{}", stderr(&checked));
    let all = build(&folder, "all.bin", &[]);
    let checked = run_book(&["check", &all, "--nodes", "3000", "--limit", "-150"]);
    assert!(!checked.status.success());
    assert!(stdout(&checked).contains(" Qg5 in "), "{}", stdout(&checked));
}

#[test]
fn show_lists_moves_with_their_results() {
    let folder = folder_with_games("show");
    let path = build(&folder, "all.bin", &["--comment", "of three games"]);
    let text = stdout(&run_book(&["show", "--book", &path]));
    assert!(text.contains("of three games"), "{text}");
    let lines: Vec<Vec<&str>> =
        text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(lines.contains(&vec!["e4", "5", "83.3", "%", "3", "83.3", "%"]), "{text}");
    let fen = "rnbqkbnr/pppppppp/8/8/1P6/8/P1PPPPPP/RNBQKBNR b KQkq - 0 1";
    assert!(stdout(&run_book(&["show", fen, "--book", &path])).contains("no move"));
    // Without a file those in the program.
    assert!(stdout(&run_book(&["show"])).contains("book 2 of the program"));
}

#[test]
fn merged_books_add_up() {
    let folder = folder_with_games("merge");
    let (won, rest) = (
        build(&folder, "won.bin", &["--results", "1-0"]),
        build(&folder, "rest.bin", &["--results", "0-1,1/2-1/2"]),
    );
    let out = folder.path("merged.bin");
    assert!(run_book(&["merge", &won, &rest, "--out", &out]).status.success());
    let start = Position::start();
    assert_eq!(moves(&out, &start), [("e4".to_owned(), 5), ("d4".to_owned(), 1)]);
    let merged = Book::open(Path::new(&out)).unwrap();
    let statistics = merged.statistics(merged.moves(&start, None)[0].learn).unwrap();
    assert_eq!((statistics.games, statistics.half_points), (3, 5));
}

#[test]
fn faults_are_named() {
    let folder = folder_with_games("faults");
    let (games, out) = (folder.path("games.pgn"), folder.path("out.bin"));
    let missing = folder.path("missing.pgn");
    for (arguments, named) in [
        (&["build", &missing, "--out", &out][..], "missing.pgn"),
        (&["build", &games, "--out", &out, "--min-rating", "3000"], "no game"),
        (&["build", &games, "--out", &out, "--min-games", "9"], "no move"),
        (&["build", &games, "--out", &out, "--speeds", "fast"], "classical"),
        (&["build", &games, "--out", &out, "--verify", "x"], "NODES:CENTIPAWNS"),
        (&["show", "--book", &games], "games.pgn"),
        (&["show", "8/8", "--book", &games], "invalid FEN"),
        (&["merge", &games, &games, "--out", &out], "games.pgn"),
        (&["merge", &games, "--out", &out], "2"),
    ] {
        let output = run_book(arguments);
        let message = stderr(&output);
        assert!(!output.status.success() && message.contains(named), "{arguments:?}: {message}");
        assert!(output.stdout.is_empty() && !Path::new(&out).exists(), "{arguments:?}");
    }
}

/// The books in the program are books, and all of their moves are legal and can be reached.
#[test]
fn the_books_of_the_program_are_whole() {
    for (name, bytes) in [
        ("book1", include_bytes!("../../../assets/book1.bin").as_slice()),
        ("book2", include_bytes!("../../../assets/book2.bin").as_slice()),
    ] {
        assert!(bytes.len() <= 2_500_000, "{name} has {} bytes", bytes.len());
        let book = Book::from_static(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let entries = book.iter().filter(|entry| entry.key != 0).count();
        assert_eq!(book.reachable().len(), entries, "{name}");
    }
}

//! Tablebases in the search: scores, ranks at the root, and the conversion of wins.

use kaiyo_chess::{Colour, Game, GameEnd, Move, Position};
use kaiyo_search::{BestMove, Engine, Iteration, Limits, Score, SearchListener, TablebaseOptions};
use kaiyo_tablebases::{Tablebases, Wdl};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

/// The folder with the tables that come with the source.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/syzygy")
}

fn engine_with(folder: &Path) -> Engine {
    let mut engine = Engine::new(4).expect("an engine");
    engine.load_tablebases(folder.to_str().expect("a path in UTF-8")).expect("good tables");
    engine
}

fn engine() -> Engine {
    engine_with(&folder())
}

struct Collector {
    lines: Vec<Iteration>,
    sender: Sender<(Vec<Iteration>, Option<Move>)>,
}

impl SearchListener for Collector {
    fn iteration(&mut self, lines: &[Iteration]) {
        self.lines = lines.to_vec();
    }

    fn best_move(&mut self, report: &BestMove) {
        let _ = self.sender.send((std::mem::take(&mut self.lines), report.best));
    }
}

/// The lines of the last iteration, and the best move.
fn search(engine: &mut Engine, game: &Game, limits: Limits) -> (Vec<Iteration>, Option<Move>) {
    engine.set_game(game.clone());
    let (sender, receiver) = channel();
    engine.go(limits, Box::new(Collector { lines: Vec::new(), sender }));
    receiver.recv_timeout(Duration::from_secs(60)).expect("a result")
}

fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen).expect(fen))
}

fn score(engine: &mut Engine, fen: &str, depth: u32) -> Score {
    search(engine, &game(fen), Limits::depth(depth)).0[0].score
}

/// Plays a game out and returns the winner.
fn play_out(engine: &mut Engine, fen: &str, limits: &Limits) -> Option<Colour> {
    let mut game = game(fen);
    loop {
        match game.end() {
            None => {}
            Some(GameEnd::Checkmate) => return Some(!game.position().side_to_move()),
            Some(_) => return None,
        }
        let best = search(engine, &game, limits.clone()).1.expect("a move");
        game.play(best).expect("a legal move");
    }
}

#[test]
fn a_capture_into_the_tables_is_known_to_win() {
    let fen = "8/5k2/8/8/3r4/6P1/8/2KR4 w - - 0 1";
    let mut engine = engine();
    let (lines, best) = search(&mut engine, &game(fen), Limits::depth(4));
    assert_eq!(best.map(|mv| mv.to().to_string()).as_deref(), Some("d4"));
    assert!(lines[0].score.is_win() && !lines[0].score.is_mate());
    assert!(lines[0].tablebase_hits > 0);
    assert!(lines[0].score.to_string().starts_with("cp 199"));

    let two_men = TablebaseOptions { probe_limit: 2, ..TablebaseOptions::default() };
    engine.set_tablebase_options(two_men);
    assert_eq!(search(&mut engine, &game(fen), Limits::depth(4)).0[0].tablebase_hits, 0);
    engine.set_tablebase_options(TablebaseOptions::default());
    engine.load_tablebases("").expect("no tables are fine");
    assert_eq!(search(&mut engine, &game(fen), Limits::depth(4)).0[0].tablebase_hits, 0);
}

#[test]
fn the_least_depth_is_kept() {
    let mut engine = engine();
    let fen = "8/5k2/8/8/3r4/6P1/8/2KR4 w - - 0 1";
    // Positions with fewer men are looked up at any depth, but none of them is as near.
    for (probe_depth, is_decisive) in [(50, false), (1, true)] {
        let options = TablebaseOptions { probe_depth, ..TablebaseOptions::default() };
        engine.set_tablebase_options(options);
        assert_eq!(score(&mut engine, fen, 2).is_decisive(), is_decisive, "{probe_depth}");
    }
}

#[test]
fn the_clock_decides_about_wins() {
    let mut engine = engine();
    let fen = |clock: u32| format!("8/8/8/3k4/8/8/6K1/7R w - - {clock} 90");
    // The distance is 25.
    assert!(score(&mut engine, &fen(0), 8).is_win());
    assert!(score(&mut engine, &fen(75), 8).is_win());
    assert_eq!(score(&mut engine, &fen(76), 8), Score::DRAW);
    assert!(score(&mut engine, &fen(75), 8).is_win(), "the hash table does not mislead");
    let lost = |clock: u32| format!("8/8/8/3k4/8/6K1/8/7R b - - {clock} 90");
    assert!(score(&mut engine, &lost(74), 8).is_loss());
    assert_eq!(score(&mut engine, &lost(75), 8), Score::DRAW);

    let no_rule = TablebaseOptions { fifty_move_rule: false, ..TablebaseOptions::default() };
    engine.set_tablebase_options(no_rule);
    assert!(score(&mut engine, &fen(76), 8).is_win());
}

#[test]
fn results_without_distances_do_not_promise_too_much() {
    // There are no DTZ files for these men, and no capture or pawn move: after a hundred half-moves it is a draw.
    let fen = |clock: u32| format!("8/8/8/8/4Q3/1k6/1p6/3K4 w - - {clock} 90");
    let mut engine = engine();
    assert!(score(&mut engine, &fen(0), 4).is_win());
    let drawn = score(&mut engine, &fen(99), 4);
    assert!(!drawn.is_decisive(), "{drawn}");
}

#[test]
fn every_line_at_the_root_has_its_right_score() {
    let mut tables = Tablebases::new();
    tables.add_folder(&folder()).expect("tables");
    let mut engine = engine();
    engine.set_multi_pv(100);
    for fen in [
        "8/8/1k6/8/3P4/2R5/6K1/8 w - - 0 1",
        "8/8/1k3p2/8/8/2P5/6K1/8 w - - 0 1",
        "8/8/8/1k6/3P4/8/8/3K4 b - - 0 1",
        "8/1k6/8/8/8/8/1r6/K3R3 w - - 0 1",
        // Without distances: there are no DTZ files for these.
        "8/8/8/8/4Q3/1k6/1p6/3K4 w - - 0 1",
        "8/8/4k3/8/8/1r6/3P4/4K3 w - - 0 1",
    ] {
        let game = game(fen);
        let (lines, _) = search(&mut engine, &game, Limits::depth(5));
        assert_eq!(lines.len(), game.position().legal_moves().len(), "{fen}");
        let mut last = Wdl::Win;
        for line in &lines {
            let wdl = -tables.probe_wdl(&game.position().make(line.line[0])).expect("a table");
            assert!(wdl <= last, "{fen}: {:?} comes too late", line.line[0]);
            last = wdl;
            let shown = match wdl {
                Wdl::Win => line.score.is_win(),
                Wdl::Loss => line.score.is_loss(),
                _ => line.score == Score::DRAW,
            };
            assert!(shown, "{fen}: {:?} is {wdl:?}, not {}", line.line[0], line.score);
        }
    }
}

#[test]
fn search_moves_are_kept_even_if_they_lose() {
    let mut engine = engine();
    let game = game("8/8/1k6/8/3P4/2R5/6K1/8 w - - 0 1");
    let rook_away = game.position().parse_uci_move("c3c6").expect("a move");
    let limits = Limits { search_moves: vec![rook_away], ..Limits::depth(4) };
    let (lines, best) = search(&mut engine, &game, limits);
    assert_eq!(best, Some(rook_away));
    assert_eq!(lines.len(), 1);
    assert!(!lines[0].score.is_win());
}

#[test]
fn wins_are_converted_by_the_shallowest_search() {
    let mut engine = engine();
    for fen in [
        "8/8/8/3k4/8/8/6K1/7R w - - 0 1",
        "8/8/8/8/3k4/8/8/1Q2K3 b - - 0 1",
        "8/8/8/8/1k6/8/3P4/3K4 w - - 0 1",
        "8/8/1k6/8/3P4/2R5/6K1/8 w - - 0 1",
        "8/5k2/8/8/1P6/2P5/8/6K1 b - - 0 1",
        "8/8/8/3k4/8/8/1R4K1/7R w - - 0 1",
    ] {
        let winner = play_out(&mut engine, fen, &Limits::depth(1));
        assert_eq!(winner, Some(Colour::White), "{fen}");
    }
}

#[test]
fn a_repetition_ends_the_shuffling() {
    // King and rook go back and forth; then the clock nearly forbids the win.
    let mut game = game("8/8/8/3k4/8/8/6K1/7R w - - 60 90");
    for text in ["h1h2", "d5d4", "h2h1", "d4d5", "h1h2", "d5d4", "h2h1", "d4d5"] {
        game.play_uci(text).expect(text);
    }
    let mut engine = engine();
    let (lines, best) = search(&mut engine, &game, Limits::depth(6));
    assert!(lines[0].score.is_win());
    // The only move that keeps 25 half-moves at a clock of 68, of which a win has to be made.
    assert_eq!(best.map(|mv| mv.to().to_string()).as_deref(), Some("f3"));
}

#[test]
fn folders_that_are_missing_or_empty_are_named() {
    let mut engine = Engine::new(1).expect("an engine");
    let good = folder();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let paths = [Path::new("/no/such folder"), good.as_path(), source.as_path()];
    let joined = std::env::join_paths(paths).expect("a list of paths");
    let loaded = engine.load_tablebases(joined.to_str().unwrap()).expect("some tables");
    let fault = loaded.faults.expect("a fault");
    assert!(loaded.count.wdl > 0);
    assert!(fault.contains("/no/such folder") && fault.contains("no new tables in"), "{fault}");
    // The good folder is in use all the same.
    assert!(score(&mut engine, "8/8/8/3k4/8/8/6K1/7R w - - 0 1", 1).is_win());
}

/// The environment variables with a folder of all tables with three and four men, with a file of
/// positions for them, and with a number of games with time.
const TABLES: &str = "KAIYO_SYZYGY";
const EXPECTED: &str = "KAIYO_SYZYGY_EXPECTED";
const GAMES: &str = "KAIYO_SYZYGY_GAMES";

/// Positions with their results for the side to move.
fn decided_positions() -> (PathBuf, Vec<(String, Colour)>) {
    let variable = |name| std::env::var_os(name).unwrap_or_else(|| panic!("{name} is not set"));
    let (folder, expected) = (variable(TABLES), variable(EXPECTED));
    let text = std::fs::read_to_string(expected).expect("the expected values");
    let decided = |line: &str| {
        let mut fields = line.split(';');
        let fen = fields.next()?.to_owned();
        let side = Position::from_fen(&fen).ok()?.side_to_move();
        match fields.next()? {
            "2" => Some((fen, side)),
            "-2" => Some((fen, !side)),
            _ => None,
        }
    };
    (folder.into(), text.lines().filter_map(decided).collect())
}

#[test]
#[ignore = "needs all tables with three and four men"]
fn all_decided_positions_are_won_by_the_shallowest_search() {
    let (folder, positions) = decided_positions();
    let mut engine = engine_with(&folder);
    for (fen, winner) in &positions {
        assert_eq!(play_out(&mut engine, fen, &Limits::depth(1)), Some(*winner), "{fen}");
    }
}

#[test]
#[ignore = "needs all tables with three and four men"]
fn decided_positions_are_won_at_ten_milliseconds_a_move() {
    let (folder, positions) = decided_positions();
    let games = std::env::var(GAMES).ok().and_then(|games| games.parse().ok()).unwrap_or(100);
    let mut engine = engine_with(&folder);
    let limits = Limits::move_time(Duration::from_millis(10));
    // The materials follow each other in the file, so that any run of positions has all of them.
    for (fen, winner) in positions.iter().take(games) {
        assert_eq!(play_out(&mut engine, fen, &limits), Some(*winner), "{fen}");
    }
}

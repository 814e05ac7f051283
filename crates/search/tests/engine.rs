//! The engine seen from outside, through its facade.

use kaiyo_chess::{Game, Move, Position, START_FEN};
use kaiyo_search::{
    BestMove, Engine, Iteration, Limits, MoveStatistics, Score, ScoreBound, ScoreKind,
    SearchListener,
};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

enum Report {
    Iteration(Iteration),
    Statistics(Vec<MoveStatistics>),
    Best(BestMove),
}

struct Forward(Sender<Report>);

impl SearchListener for Forward {
    fn iteration(&mut self, lines: &[Iteration]) {
        for line in lines {
            let _ = self.0.send(Report::Iteration(line.clone()));
        }
    }

    fn statistics(&mut self, moves: &[MoveStatistics]) {
        let _ = self.0.send(Report::Statistics(moves.to_vec()));
    }

    fn best_move(&mut self, report: &BestMove) {
        let _ = self.0.send(Report::Best(*report));
    }
}

/// Everything a search reported.
struct Outcome {
    iterations: Vec<Iteration>,
    /// The last ones.
    statistics: Vec<MoveStatistics>,
    best: BestMove,
    nodes: u64,
}

impl Outcome {
    fn last(&self) -> &Iteration {
        self.iterations.last().expect("at least one iteration is reported")
    }

    fn best(&self) -> String {
        let mv = self.best.best.expect("a best move");
        format!("{}{}", mv.from(), mv.to())
    }
}

fn start(engine: &mut Engine, limits: Limits) -> Receiver<Report> {
    let (sender, receiver) = channel();
    engine.go(limits, Box::new(Forward(sender)));
    receiver
}

fn finish(engine: &Engine, reports: &Receiver<Report>) -> Outcome {
    let mut iterations = Vec::new();
    let mut statistics = Vec::new();
    loop {
        match reports.recv_timeout(Duration::from_secs(60)).expect("the search ends") {
            Report::Iteration(iteration) => iterations.push(iteration),
            Report::Statistics(moves) => statistics = moves,
            Report::Best(best) => {
                engine.wait();
                return Outcome { iterations, statistics, best, nodes: engine.nodes() };
            }
        }
    }
}

fn search(engine: &mut Engine, fen: &str, limits: Limits) -> Outcome {
    engine.set_game(Game::new(Position::from_fen(fen).unwrap()));
    let reports = start(engine, limits);
    let outcome = finish(engine, &reports);
    check_lines(fen, &outcome);
    outcome
}

/// Every reported line is legal, and the last one begins with the best move.
fn check_lines(fen: &str, outcome: &Outcome) {
    for iteration in &outcome.iterations {
        let mut position = Position::from_fen(fen).unwrap();
        for &mv in &iteration.line {
            assert!(position.is_legal(mv), "{mv:?} in {:?} of {fen}", iteration.line);
            position = position.make(mv);
        }
        if let ScoreKind::Mate(moves) = iteration.score.kind()
            && iteration.bound == ScoreBound::Exact
            && moves > 0
        {
            assert!(iteration.line.len() < 2 * moves as usize, "{:?}", iteration.line);
        }
    }
    let first = outcome.iterations.iter().rev().find(|iteration| iteration.multi_pv == 1).unwrap();
    assert_eq!(first.bound, ScoreBound::Exact, "the last score is no bound");
    assert_eq!(first.line.first().copied(), outcome.best.best);
}

fn engine() -> Engine {
    Engine::new(16).unwrap()
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn mates_are_found_with_their_distance_and_whole_line() {
    for (fen, moves, best) in [
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1, "d1d8"),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1, "h5f7"),
        ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2, "d2h6"),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3, "f6a6"),
    ] {
        let outcome = search(&mut engine(), fen, Limits::depth(12));
        assert_eq!(outcome.last().score.kind(), ScoreKind::Mate(moves), "{fen}");
        assert_eq!(outcome.best(), best, "{fen}");
        assert_eq!(outcome.last().line.len(), 2 * moves as usize - 1, "{fen}");
    }
    let mated = search(&mut engine(), "7k/8/6K1/8/8/8/8/R7 b - - 0 1", Limits::depth(6));
    assert_eq!(mated.last().score.kind(), ScoreKind::Mate(-1));
}

#[test]
fn a_mate_limit_ends_the_search() {
    let limits = Limits { mate: Some(2), ..Limits::default() };
    let outcome = search(&mut engine(), "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", limits);
    assert_eq!(outcome.last().score.kind(), ScoreKind::Mate(2));
}

/// Stockfish#6966: pruning hid this short mate until depth 16, after a million nodes.
#[test]
fn a_search_for_a_mate_prunes_nothing_that_hides_it() {
    let limits = Limits { mate: Some(2), nodes: Some(100_000), ..Limits::default() };
    let fen = "k1B5/2p5/NbN5/P7/3p4/P2p4/P1prp3/2RbK3 b - - 0 1";
    let outcome = search(&mut engine(), fen, limits);
    assert_eq!(outcome.last().score.kind(), ScoreKind::Mate(-2));
}

#[test]
fn one_thread_is_deterministic() {
    let mut engine = engine();
    let first = search(&mut engine, KIWIPETE, Limits::depth(9));
    engine.new_game();
    let second = search(&mut engine, KIWIPETE, Limits::depth(9));
    let fresh = search(&mut self::engine(), KIWIPETE, Limits::depth(9));
    assert_eq!(first.nodes, second.nodes);
    assert_eq!(first.nodes, fresh.nodes);
    assert_eq!(first.last().line, fresh.last().line);
}

#[test]
fn node_limits_are_exact_with_one_thread() {
    for nodes in [1_000, 5_555, 30_000] {
        let outcome = search(&mut engine(), KIWIPETE, Limits::nodes(nodes));
        assert_eq!(outcome.nodes, nodes);
    }
}

#[test]
fn every_search_has_a_move_however_tight_the_limits() {
    for limits in [Limits::nodes(1), Limits::depth(1), Limits::move_time(Duration::ZERO)] {
        let outcome = search(&mut engine(), KIWIPETE, limits);
        assert!(outcome.best.best.is_some());
    }
}

#[test]
fn positions_without_moves_have_a_score_and_no_best_move() {
    for (fen, score) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Score::DRAW),
        ("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", Score::mated_in(0)),
    ] {
        let mut engine = engine();
        engine.set_game(Game::new(Position::from_fen(fen).unwrap()));
        // The score is told at once, also by a search that waits for its end.
        let reports = start(&mut engine, Limits { infinite: true, ..Limits::default() });
        let Ok(Report::Iteration(told)) = reports.recv_timeout(Duration::from_secs(5)) else {
            panic!("no score of {fen}");
        };
        assert_eq!((told.score, told.depth, told.line.len()), (score, 0, 0));
        assert!(engine.is_searching());
        engine.stop();
        let outcome = finish(&engine, &reports);
        assert_eq!(outcome.best, BestMove { best: None, ponder: None });
        let limited = search(&mut engine, fen, Limits::depth(5));
        assert_eq!((limited.best, limited.last().score), (outcome.best, score));
    }
}

#[test]
fn search_moves_restrict_the_root() {
    let position = Position::from_fen(KIWIPETE).unwrap();
    let wanted: Vec<Move> =
        ["a2a3", "g2g3"].into_iter().map(|text| position.parse_uci_move(text).unwrap()).collect();
    let limits = Limits { search_moves: wanted.clone(), ..Limits::depth(6) };
    let mut engine = engine();
    engine.set_multi_pv(5);
    let outcome = search(&mut engine, KIWIPETE, limits);
    let last: Vec<_> = outcome.iterations.iter().filter(|iteration| iteration.depth == 6).collect();
    assert_eq!(last.len(), 2, "one line for each wanted move");
    assert!(last.iter().all(|iteration| wanted.contains(&iteration.line[0])));
}

#[test]
fn several_lines_are_ordered_and_different() {
    let mut engine = engine();
    engine.set_multi_pv(4);
    let outcome = search(&mut engine, KIWIPETE, Limits::depth(8));
    let last: Vec<_> = outcome.iterations.iter().filter(|iteration| iteration.depth == 8).collect();
    assert_eq!(last.iter().map(|line| line.multi_pv).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(last.windows(2).all(|pair| pair[0].score >= pair[1].score));
    for (index, line) in last.iter().enumerate() {
        assert!(last[..index].iter().all(|other| other.line[0] != line.line[0]));
    }
}

#[test]
fn an_infinite_search_reports_only_when_stopped() {
    let mut engine = engine();
    // Depth 245 is reached at once here, and there is just one move.
    for fen in ["k7/8/1K6/8/8/8/8/7R w - - 0 1", "7k/8/5KQ1/8/8/8/8/8 b - - 0 1"] {
        engine.set_game(Game::new(Position::from_fen(fen).unwrap()));
        let reports = start(&mut engine, Limits { infinite: true, ..Limits::default() });
        std::thread::sleep(Duration::from_millis(300));
        assert!(!reports.try_iter().any(|report| matches!(report, Report::Best(_))), "{fen}");
        engine.stop();
        loop {
            match reports.recv_timeout(Duration::from_secs(2)).expect("a best move after stop") {
                Report::Best(_) => break,
                Report::Iteration(_) | Report::Statistics(_) => {}
            }
        }
    }
}

#[test]
fn pondering_ends_with_the_ponder_hit_and_the_clock() {
    let answers_at_once = |_| {
        let mut engine = engine();
        let mut limits = Limits { ponder: true, ..Limits::default() };
        // Some 0.24 s are meant for the move, and 1.2 s if need be.
        limits.clock = [Some(Duration::from_secs(10)); 2];
        let reports = start(&mut engine, limits);
        std::thread::sleep(Duration::from_millis(2_500));
        assert!(!reports.try_iter().any(|report| matches!(report, Report::Best(_))));
        let hit = Instant::now();
        engine.ponderhit();
        let outcome = finish(&engine, &reports);
        assert!(outcome.best.best.is_some());
        hit.elapsed() < Duration::from_millis(600)
    };
    // Other programs may hold up some attempts.
    assert!((0..4).any(answers_at_once), "its time was used up already");
}

#[test]
fn a_ponder_hit_may_bring_another_clock() {
    let clock = |seconds, ponder| {
        let clock = [Some(Duration::from_secs(seconds)); 2];
        Limits { clock, ponder, ..Limits::default() }
    };
    // Minutes are meant for a move with hours on the clock, and less than a second with one.
    for (before, after) in [(10_000, 1), (1, 10_000)] {
        let mut engine = engine();
        let reports = start(&mut engine, clock(before, true));
        std::thread::sleep(Duration::from_millis(1_000));
        let hit = Instant::now();
        engine.ponderhit_with(&clock(after, false), hit);
        if after > before {
            std::thread::sleep(Duration::from_millis(1_500));
            assert!(engine.is_searching(), "hours are left");
            engine.stop();
        }
        assert!(finish(&engine, &reports).best.best.is_some(), "{after} s are left");
        assert!(after > before || hit.elapsed() < Duration::from_secs(2), "{:?}", hit.elapsed());
    }
}

#[test]
fn time_spent_pondering_counts_in_the_midst_of_an_iteration() {
    let mut engine = engine();
    let clock = [Some(Duration::from_secs(10)); 2];
    let reports = start(&mut engine, Limits { clock, ponder: true, ..Limits::default() });
    // No more than some two seconds may be spent on a move.
    std::thread::sleep(Duration::from_secs(4));
    let hit = Instant::now();
    engine.ponderhit();
    assert!(finish(&engine, &reports).best.best.is_some());
    assert!(hit.elapsed() < Duration::from_millis(500), "{:?}", hit.elapsed());
    // A time that is given for the move is given from the ponder hit on.
    let move_time = Some(Duration::from_millis(1_500));
    let reports = start(&mut engine, Limits { move_time, ponder: true, ..Limits::default() });
    std::thread::sleep(Duration::from_secs(2));
    engine.ponderhit();
    std::thread::sleep(Duration::from_millis(500));
    assert!(engine.is_searching());
    finish(&engine, &reports);
}

#[test]
fn clocks_are_kept() {
    let mut engine = engine();
    engine.set_move_overhead(Duration::from_millis(5));
    for (clock, late) in [(10, 60), (100, 0), (400, 0)] {
        let mut limits = Limits::default();
        limits.clock[0] = Some(Duration::from_millis(clock));
        let is_kept = |_| {
            let begun = Instant::now();
            search(&mut engine, KIWIPETE, limits.clone());
            begun.elapsed() < Duration::from_millis(clock + late)
        };
        // Other programs may hold up some attempts.
        assert!((0..5).any(is_kept), "{clock} ms");
    }
}

#[test]
fn a_repetition_before_the_root_needs_three() {
    // White is a queen up. Shuffling once more would not yet be a draw, and must not look like
    // one; the third time is.
    let fen = "6k1/5ppp/8/8/8/8/5PPP/3Q2K1 w - - 0 1";
    let mut game = Game::new(Position::from_fen(fen).unwrap());
    for text in ["d1d2", "g8f8", "d2d1", "f8g8"] {
        let mv = game.position().parse_uci_move(text).unwrap();
        game.play(mv).unwrap();
    }
    assert_eq!(game.repetitions(), 2);
    let mut engine = engine();
    let again = game.position().parse_uci_move("d1d2").unwrap();
    engine.set_game(game);
    let limits = Limits { search_moves: vec![again], ..Limits::depth(10) };
    let reports = start(&mut engine, limits);
    let outcome = finish(&engine, &reports);
    assert!(outcome.last().score > Score::centipawns(500), "{}", outcome.last().score);
}

#[test]
fn the_fifty_move_rule_is_seen() {
    // Mate needs far more than the two half-moves that are left.
    let fen = "8/8/8/3k4/8/8/6K1/7R w - - 98 120";
    let outcome = search(&mut engine(), fen, Limits::depth(12));
    assert!(outcome.last().score.value().abs() <= 2, "{}", outcome.last().score);
}

#[test]
fn results_of_low_clocks_do_not_leak_into_high_ones() {
    let mut engine = engine();
    let won = search(&mut engine, "8/8/8/3k4/8/8/6K1/7R w - - 0 1", Limits::depth(20));
    assert!(won.last().score > Score::centipawns(300));
    let drawn = search(&mut engine, "8/8/8/3k4/8/8/6K1/7R w - - 92 1", Limits::depth(16));
    assert!(drawn.last().score.value().abs() <= 2, "{}", drawn.last().score);
}

#[test]
fn the_nearness_of_the_fifty_move_draw_does_not_stall_the_search() {
    let mut engine = engine();
    let mut nodes_at = |clock: u32| {
        engine.new_game();
        let fen = format!("8/8/8/4k3/8/8/8/R3K3 w - - {clock} 120");
        search(&mut engine, &fen, Limits::depth(13)).nodes
    };
    let far = nodes_at(0);
    for clock in [82, 86, 90, 94] {
        let near = nodes_at(clock);
        assert!(near < 20 * far, "{near} nodes at clock {clock}, {far} at the start");
    }
}

#[test]
fn several_threads_agree_with_one_on_a_mate() {
    let mut engine = engine();
    engine.set_threads(4).unwrap();
    for _ in 0..5 {
        let outcome =
            search(&mut engine, "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", Limits::depth(12));
        assert_eq!(outcome.last().score.kind(), ScoreKind::Mate(3));
    }
    assert!(engine.nodes() > 0);
}

#[test]
fn several_threads_report_iterations_in_order_and_whole() {
    let mut engine = engine();
    engine.set_threads(4).unwrap();
    for lines in [1, 3] {
        engine.set_multi_pv(lines);
        let outcome = search(&mut engine, KIWIPETE, Limits::depth(11));
        let exact = outcome.iterations.iter().filter(|report| report.bound == ScoreBound::Exact);
        let reported: Vec<_> = exact.map(|report| (report.depth, report.multi_pv)).collect();
        assert!(reported.iter().map(|&(depth, _)| depth).is_sorted(), "{reported:?}");
        assert_eq!(*reported.last().unwrap(), (11, lines));
        // A thread that others overtake skips an iteration, but none is left half told.
        for whole in reported.chunks(lines) {
            let expected: Vec<_> = (1..=lines).map(|line| (whole[0].0, line)).collect();
            assert_eq!(whole, expected, "{reported:?}");
        }
    }
}

#[test]
fn stopping_early_and_often_is_harmless() {
    let mut engine = engine();
    engine.set_threads(3).unwrap();
    for round in 0..30 {
        let reports = start(&mut engine, Limits::default());
        if round % 3 == 0 {
            std::thread::sleep(Duration::from_millis(round));
        }
        engine.stop();
        assert!(finish(&engine, &reports).best.best.is_some());
        if round % 7 == 0 {
            engine.new_game();
            engine.set_threads(1 + round as usize % 3).unwrap();
        }
    }
}

#[test]
fn too_much_memory_is_refused_and_the_engine_goes_on() {
    let mut engine = engine();
    assert!(engine.set_hash(kaiyo_search::MAX_HASH_MIB).is_err());
    assert!(search(&mut engine, KIWIPETE, Limits::depth(5)).best.best.is_some());
}

#[test]
fn a_soft_node_limit_ends_after_a_whole_iteration() {
    let mut engine = Engine::new(1).unwrap();
    let limits = Limits { soft_nodes: Some(5000), ..Limits::default() };
    let outcome = search(&mut engine, START_FEN, limits);
    assert!(outcome.nodes >= 5000);
    let nodes: Vec<u64> = outcome.iterations.iter().map(|iteration| iteration.nodes).collect();
    let before_last = nodes[nodes.len() - 2];
    assert!(before_last < 5000, "{nodes:?}");
    assert_eq!(outcome.last().bound, ScoreBound::Exact);
    let depth = Limits::depth(outcome.last().depth);
    let mut engine = Engine::new(1).unwrap();
    assert_eq!(search(&mut engine, START_FEN, depth).nodes, outcome.nodes);
}

#[test]
fn statistics_tell_about_every_root_move() {
    for threads in [1, 3] {
        let mut engine = Engine::new(4).unwrap();
        engine.set_threads(threads).unwrap();
        let outcome = search(&mut engine, START_FEN, Limits::depth(8));
        let moves: Vec<Move> = outcome.statistics.iter().map(|known| known.mv).collect();
        let legal = Position::start().legal_moves();
        assert!(moves.len() == 20 && legal.iter().all(|mv| moves.contains(mv)));
        assert_eq!(Some(moves[0]), outcome.best.best);
        assert_eq!(outcome.statistics[0].score, Some(outcome.last().score));
        assert!(outcome.statistics.iter().all(|known| known.score.is_some()));
        let sum: u64 = outcome.statistics.iter().map(|known| known.nodes).sum();
        // Other threads go on until the search has ended.
        let (reported, nodes) = (outcome.last().nodes, outcome.nodes);
        assert!(sum <= nodes && sum > reported * 9 / 10, "{sum} {reported} {nodes}");
    }
}

#[test]
fn a_draw_is_worth_less_with_contempt() {
    let mut engine = Engine::new(1).unwrap();
    let bare_kings = "8/8/3k4/8/8/3K4/8/8 w - - 0 1";
    let score =
        |engine: &mut Engine| search(engine, bare_kings, Limits::depth(4)).last().score.value();
    assert!(score(&mut engine).abs() <= 1);
    engine.set_contempt(30);
    assert!((score(&mut engine) + 30).abs() <= 1);
    engine.set_contempt(-30);
    assert!((score(&mut engine) - 30).abs() <= 1);
    engine.set_contempt(0);
    assert!(score(&mut engine).abs() <= 1);
}

#[test]
fn draws_of_searches_with_other_contempt_are_not_believed() {
    let mut engine = engine();
    // White, who is lost otherwise, checks on e8 and h5 for ever.
    let white = "6k1/6p1/8/8/8/8/rq6/4Q1K1 w - - 0 1";
    let black = "4Q1k1/6p1/8/8/8/8/rq6/6K1 b - - 1 1";
    engine.set_contempt(100);
    for fen in [white, black, white] {
        let score = search(&mut engine, fen, Limits::depth(12)).last().score.value();
        assert!((score + 100).abs() <= 2, "{fen}: {score}");
    }
    // An analysis takes no notice of contempt.
    let reports = start(&mut engine, Limits { infinite: true, ..Limits::depth(12) });
    std::thread::sleep(Duration::from_millis(300));
    engine.stop();
    let score = finish(&engine, &reports).last().score.value();
    assert!(score.abs() <= 2, "{score}");
}

#[test]
fn a_clock_of_nodes_makes_searches_repeatable() {
    let nodes = || {
        let mut engine = Engine::new(4).unwrap();
        engine.set_nodes_per_millisecond(10);
        let clock = |milliseconds| [Some(Duration::from_millis(milliseconds)); 2];
        let mut limits = Limits { clock: clock(20_000), ..Limits::default() };
        // The second move is thought about with what the first has left.
        let first = search(&mut engine, START_FEN, limits.clone()).nodes;
        limits.clock = clock(1);
        (first, search(&mut engine, START_FEN, limits).nodes)
    };
    let (first, second) = nodes();
    assert!(first > 1_000 && first < 200_000, "{first}");
    assert!(second > 1_000 && second < 200_000, "{second}");
    assert_eq!(nodes(), (first, second));
}

/// The best defence lasts ten moves. A search that is broken off among the root moves must not take the
/// defences it has seen for all there are.
#[test]
fn no_loss_is_claimed_before_all_moves_were_searched() {
    let fen = "kB2Q3/1p5K/4p3/2p2p1p/8/3p4/b3p3/2rn1r2 b - - 0 1";
    for nodes in (77_000..=105_000).step_by(1_000) {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        if let ScoreKind::Mate(moves) = search(&mut engine(), fen, limits).last().score.kind() {
            assert!(moves <= -10, "mate {moves} after {nodes} nodes");
        }
    }
}

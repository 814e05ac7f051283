//! Runs against made-up opponents, whose best values are known.

use super::*;
use crate::datagen::GameOptions;
use clap::Parser;
use kaiyo_chess::Random;
use parameter::Parameter;
use std::path::Path;

#[derive(Parser)]
struct Game {
    #[command(flatten)]
    options: GameOptions,
}

fn plan(lines: &[&str], iterations: u64) -> Plan {
    Plan {
        nodes: 50,
        hash: 1,
        network: None,
        search: String::new(),
        book: String::new(),
        game: Game::parse_from(["game"]).options,
        seed: 7,
        iterations,
        batch: 8,
        parameters: lines.iter().map(|line| line.parse().unwrap()).collect(),
    }
}

/// Games whose results depend on how far values are from the best ones, each distance in units of
/// the parameter's own, and on chance.
fn judge(best: &[(i32, f64)], orders: &[Order], random: &mut Random) -> Vec<Outcome> {
    let weakness = |values: &[i32]| -> f64 {
        let errors = values.iter().zip(best);
        errors.map(|(&value, &(best, unit))| (f64::from(value - best) / unit).powi(2)).sum()
    };
    let mut play = |order: &Order| {
        let lead = weakness(&order.values[1]) - weakness(&order.values[0]);
        let chances = [lead, -lead].map(|lead| 0.3 / (1.0 + (-lead).exp()));
        let draw = random.unit();
        let points = if draw < chances[0] {
            1
        } else if draw < chances[0] + chances[1] {
            -1
        } else {
            0
        };
        Outcome { points }
    };
    orders.iter().map(&mut play).collect()
}

fn advance(state: &mut State, best: &[(i32, f64)], iterations: u64) {
    for _ in 0..iterations {
        let mut random = sequence(99, state.iteration);
        let play = |orders: &[Order]| Ok(Some(judge(best, orders, &mut random)));
        assert!(iterate(state, &[Position::start()], play).unwrap());
    }
}

#[test]
fn the_best_values_are_found_through_noise() {
    let lines = [
        "razor_base, int, 200.0, 120.0, 480.0, 18, 0.02",
        "probcut_margin, int, 300.0, 95.0, 380.0, 14, 0.02",
        "late_move_base, int, 2.0, 2.0, 8.0, 0.5, 0.02",
    ];
    let best = [(380, 120.0), (150, 90.0), (6, 3.0)];
    let mut state = State::new(plan(&lines, 4000));
    advance(&mut state, &best, 4000);
    assert!(state.is_finished());
    for ((now, start), (best, _)) in state.parameters.iter().zip(&state.plan.parameters).zip(best) {
        let (before, after) =
            ((start.value - f64::from(best)).abs(), (now.value - f64::from(best)).abs());
        assert!(after < 0.25 * before, "{start} came to {now}, and the best is {best}");
    }
    let record = state.record;
    assert_eq!(record.wins + record.draws + record.losses, 4000 * 16);
}

#[test]
fn values_without_effect_stay_near_their_start() {
    let lines = ["razor_base, int, 240.0, 120.0, 480.0, 18, 0.002"];
    let mut state = State::new(plan(&lines, 1000));
    advance(&mut state, &[(240, f64::INFINITY)], 1000);
    assert!((state.parameters[0].value - 240.0).abs() < 18.0, "{}", state.parameters[0]);
}

#[test]
fn a_run_that_goes_on_from_its_state_comes_to_the_same_values() {
    let path = std::env::temp_dir().join(format!("kaiyo-tune-state-{}", std::process::id()));
    let lines = [
        "razor_base, int, 200.0, 120.0, 480.0, 18, 0.02",
        "lmr_pv, int, -1024.0, -2048.0, -512.0, 76.8, 0.002",
    ];
    let best = [(380, 120.0), (-700, 300.0)];
    let plan = plan(&lines, 60);
    let mut whole = State::resume(&path, plan.clone()).unwrap();
    advance(&mut whole, &best, 60);
    let mut broken = State::new(plan.clone());
    for part in [1, 25, 34] {
        advance(&mut broken, &best, part);
        broken.save(&path).unwrap();
        broken = State::resume(&path, plan.clone()).unwrap();
    }
    assert_eq!(broken, whole);
    assert_ne!(whole.parameters, plan.parameters);
    let other = Plan { seed: 8, ..plan };
    assert!(State::resume(&path, other).is_err());
    std::fs::write(&path, "{}").unwrap();
    assert!(State::load(&path).is_err());
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn an_interrupted_iteration_changes_nothing() {
    let lines = ["razor_base, int, 200.0, 120.0, 480.0, 18, 0.02"];
    let mut state = State::new(plan(&lines, 10));
    let before = state.clone();
    assert!(!iterate(&mut state, &[Position::start()], |_| Ok(None)).unwrap());
    assert_eq!(state, before);
}

#[test]
fn pairs_have_one_opening_and_both_colours() {
    let lines = ["razor_base, int, 200.0, 120.0, 480.0, 18, 0.02"];
    let mut state = State::new(plan(&lines, 10));
    let book = [Position::start(), Position::start().make(Position::start().legal_moves()[0])];
    let play = |orders: &[Order]| {
        assert_eq!(orders.len(), 16);
        for pair in orders.chunks(2) {
            assert_eq!(pair[0].start, pair[1].start);
            assert_eq!(pair[0].values, pair[1].values);
            assert_eq!([pair[0].white, pair[1].white], [0, 1]);
        }
        assert!(orders.iter().any(|order| order.start != orders[0].start));
        Ok(Some(vec![Outcome { points: 0 }; 16]))
    };
    assert!(iterate(&mut state, &book, play).unwrap());
    assert_eq!(state.parameters, state.plan.parameters);
}

#[test]
fn the_log_is_cut_off_where_the_state_is() {
    let path = std::env::temp_dir().join(format!("kaiyo-tune-log-{}", std::process::id()));
    let lines = ["razor_base, int, 200.0, 120.0, 480.0, 18, 0.02"];
    let mut state = State::new(plan(&lines, 10));
    report::begin_log(&path, &state).unwrap();
    let mut middle = state.clone();
    for iteration in 1..6 {
        advance(&mut state, &[(380, 120.0)], 1);
        report::log(&path, &state).unwrap();
        if iteration == 3 {
            middle = state.clone();
        }
    }
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let whole = read(&path);
    assert!(whole.starts_with("iteration,pairs,razor_base\n0,0,200.000\n1,8,"), "{whole}");
    report::begin_log(&path, &middle).unwrap();
    let cut = read(&path);
    assert_eq!(cut.lines().count(), 5);
    assert!(whole.starts_with(&cut));
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn results_name_what_has_moved() {
    let lines = [
        "razor_base, int, 200.0, 120.0, 480.0, 18, 0.02",
        "lmr_pv, int, -1024.0, -2048.0, -512.0, 76.8, 0.002",
    ];
    let mut state = State::new(plan(&lines, 10));
    assert!(report::result(&state).starts_with("no parameter has moved\n\nrazor_base, int, 200.0"));
    state.parameters[0].value = 207.75;
    state.parameters[1].value = -1023.75;
    let expected = "razor_base 200 -> 208\n\n\
        razor_base, int, 207.75, 120.0, 480.0, 18, 0.02\n\
        lmr_pv, int, -1023.75, -2048.0, -512.0, 76.8, 0.002\n";
    assert_eq!(report::result(&state), expected);
}

#[test]
fn all_constants_of_the_search_but_those_of_time_can_be_tuned() {
    let all = parameter::select(None, &[]).unwrap();
    let lines: Vec<String> = kaiyo_search::tuning::parameters()
        .iter()
        .filter(|constant| !constant.name.starts_with("time_"))
        .map(|constant| constant.to_string().parse::<Parameter>().unwrap().to_string())
        .collect();
    assert_eq!(all.iter().map(Parameter::to_string).collect::<Vec<_>>(), lines);
    assert!(all.iter().all(|parameter| parameter.of_search().is_ok()));
}

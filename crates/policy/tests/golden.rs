//! A model that the trainer exported says here what it said there.
//!
//! `training/policy/README.md` tells how the files are made.

use kaiyo_policy::tokens::{self, Token};
use kaiyo_policy::{Backend, Model, Session};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const TOLERANCE: f64 = 1e-3;

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn lines(name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path(name)).expect(name);
    text.lines().map(str::to_owned).collect()
}

#[test]
fn games_are_the_steps_that_the_trainer_saw() {
    let (games, expected) = (lines("games.txt"), lines("steps.txt"));
    assert_eq!(games.len(), 20);
    assert_eq!(expected.len(), games.len());
    for (game, expected) in games.iter().zip(expected) {
        let (game, conditions) = tokens::parse_game(game).expect(game);
        let steps: Vec<String> =
            tokens::steps(&game, &conditions).iter().map(ToString::to_string).collect();
        assert_eq!(Some(&*steps.join(" ")), expected.split('|').next());
    }
}

#[test]
fn logits_and_values_are_those_of_the_trainer() {
    let model = Arc::new(Model::open(&path("tiny.gguf")).expect("a model"));
    let mut worst = 0.0_f64;
    for backend in Backend::available() {
        let mut session = Session::with_backend(model.clone(), backend);
        for (game, expected) in lines("games.txt").iter().zip(lines("expected.txt")) {
            let expected: Vec<f64> =
                expected.split(' ').map(|number| number.parse().expect("a number")).collect();
            let (game, conditions) = tokens::parse_game(game).expect(game);
            let mover = game.position().side_to_move();
            let moves = game.position().legal_moves();
            let output = session.evaluate(&tokens::steps(&game, &conditions));
            let logits = output.logits();
            let total: f64 = logits.iter().map(|&logit| f64::from(logit).exp()).sum();
            let mut numbers = vec![f64::from(output.value()), total.ln()];
            numbers.extend(moves.iter().map(|&mv| {
                let token = Token::of_move(mover, mv).expect("a legal move");
                f64::from(logits[token.index()])
            }));
            assert_eq!(numbers.len(), expected.len());
            let mut all = numbers.iter().chain(&expected);
            assert!(all.all(|number| number.is_finite()), "{numbers:?}");
            let errors = numbers.iter().zip(&expected).map(|(a, b)| (a - b).abs());
            let error = errors.fold(0.0, f64::max);
            println!("{error:.6} after {} plies on {}", game.moves().len(), backend.name());
            worst = worst.max(error);
        }
    }
    assert!(worst < TOLERANCE, "{worst}");
}

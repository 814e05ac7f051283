use super::*;
use crate::container::Container;
use crate::model::synthetic::{self, Storage};
use crate::reference::Reference;
use crate::tokens::Rating;
use kaiyo_chess::{Position, Random};

/// The largest difference that the order of additions explains.
const TOLERANCE: f32 = 1e-3;

fn random_game(plies: usize, seed: u64) -> Game {
    let mut random = Random::new(seed);
    loop {
        let mut game = Game::default();
        while game.moves().len() < plies && !game.position().legal_moves().is_empty() {
            let moves = game.position().legal_moves();
            game.play(moves[random.below(moves.len())]).expect("a legal move");
        }
        if game.moves().len() == plies {
            return game;
        }
    }
}

fn random_steps(plies: usize, seed: u64) -> Vec<Step> {
    steps(&random_game(plies, seed), &Conditions::rated(Rating::nearest(1500)))
}

fn tiny(storage: Storage, seed: u64) -> (Container<'static>, Arc<Model>) {
    let container = synthetic::random(&synthetic::TINY, storage, seed);
    let model = Model::from_container(&container).expect("a model");
    (container, Arc::new(model))
}

fn difference(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    assert!(a.iter().chain(b).all(|number| number.is_finite()));
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn the_session_agrees_with_plain_arithmetic() {
    for (storage, seed) in [(Storage::Mixed, 1), (Storage::Ternary, 2)] {
        let (mut container, _) = tiny(storage, seed);
        if storage == Storage::Ternary {
            // Parts that may be missing, or be there.
            container.tensors.remove("blk.0.ffn_sub_norm.weight");
            let norm = container.tensors["blk.0.attn_norm.weight"].clone();
            let mut sub_norm = norm.clone();
            sub_norm.shape = vec![64];
            sub_norm.bytes = [&*norm.bytes, &*norm.bytes].concat().into();
            container.tensors.insert("blk.1.attn_sub_norm.weight".to_owned(), sub_norm);
        }
        let model = Arc::new(Model::from_container(&container).expect("a model"));
        let reference = Reference::new(&container);
        // Within the context of 32 steps, and beyond it.
        for plies in [0, 1, 20, 27, 28, 29, 60] {
            let steps = random_steps(plies, seed + plies as u64);
            let expected = reference.evaluate(&steps);
            for backend in Backend::available() {
                let mut session = Session::with_backend(model.clone(), backend);
                let output = session.evaluate(&steps);
                let error = difference(&output.logits(), &expected.logits);
                assert!(error < TOLERANCE, "{} after {plies} plies: {error}", backend.name());
                assert!((output.value() - expected.value).abs() < TOLERANCE);
            }
        }
    }
}

#[test]
fn all_backends_agree_to_the_last_bit() {
    let (_, model) = tiny(Storage::Mixed, 3);
    let steps = random_steps(90, 4);
    let run = |backend| {
        let mut session = Session::with_backend(model.clone(), backend);
        let output = session.evaluate(&steps);
        (output.logits(), output.value())
    };
    let expected = run(Backend::SCALAR);
    for backend in Backend::available() {
        assert_eq!(run(backend), expected, "{}", backend.name());
    }
}

#[test]
fn steps_one_by_one_are_the_same_as_all_at_once() {
    let (_, model) = tiny(Storage::Mixed, 5);
    let steps = random_steps(150, 6);
    let mut session = Session::new(model.clone());
    for len in 1..=steps.len() {
        let logits = session.evaluate(&steps[..len]).logits();
        if len % 7 == 0 || len == steps.len() {
            let mut fresh = Session::new(model.clone());
            let error = difference(&logits, &fresh.evaluate(&steps[..len]).logits());
            assert!(error < TOLERANCE, "{len} steps: {error}");
        }
    }
}

#[test]
fn going_back_and_another_way_is_the_same_as_anew() {
    let (_, model) = tiny(Storage::Mixed, 7);
    let mut random = Random::new(8);
    let games = [random_steps(150, 9), random_steps(150, 10)];
    let mut session = Session::new(model.clone());
    for round in 0..60 {
        let steps = &games[random.below(2)];
        let steps = &steps[..1 + random.below(steps.len())];
        let logits = session.evaluate(steps).logits();
        let expected = Session::new(model.clone()).evaluate(steps).logits();
        let error = difference(&logits, &expected);
        assert!(error < TOLERANCE, "round {round}, {} steps: {error}", steps.len());
    }
}

#[test]
fn the_same_sequence_again_gives_the_same() {
    let (_, model) = tiny(Storage::Mixed, 11);
    let steps = random_steps(40, 12);
    let mut session = Session::new(model);
    let first = session.evaluate(&steps).logits();
    assert_eq!(session.evaluate(&steps).logits(), first);
    session.clear();
    assert_eq!(session.evaluate(&steps).logits(), first);
}

#[test]
fn predictions_are_of_all_legal_moves_and_sum_to_one() {
    let (_, model) = tiny(Storage::Mixed, 13);
    let mut session = Session::new(model);
    for plies in [0, 1, 17, 60] {
        let game = random_game(plies, 14);
        let conditions = Conditions::default();
        let prediction = session.predict(&game, &conditions).expect("finite");
        assert_eq!(prediction.moves.len(), game.position().count_legal_moves() as usize);
        let total: f32 = prediction.moves.iter().map(|(_, probability)| probability).sum();
        assert!((total - 1.0).abs() < 1e-4, "{total}");
        assert!(prediction.moves.is_sorted_by(|a, b| a.1 >= b.1));
        assert!(prediction.value.abs() <= 1.0);
        let all = session.evaluate(&steps(&game, &conditions)).logits();
        let tokens: Vec<Token> = (0..VOCABULARY).step_by(7).filter_map(Token::from_index).collect();
        let some = session.evaluate(&steps(&game, &conditions)).logits_of(&tokens);
        assert!(tokens.iter().zip(some).all(|(token, logit)| all[token.index()] == logit));
    }
}

#[test]
fn a_finished_game_has_no_moves() {
    let (_, model) = tiny(Storage::Mixed, 15);
    let mate = Position::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").expect("a position");
    let prediction = Session::new(model).predict(&Game::new(mate), &Conditions::default());
    assert_eq!(prediction.map(|prediction| prediction.moves.len()), Ok(0));
}

#[test]
fn colours_are_alike() {
    let (_, model) = tiny(Storage::Mixed, 16);
    let mut session = Session::new(model);
    let mut probabilities = |fen: &str| -> Vec<f32> {
        let game = Game::new(Position::from_fen(fen).expect(fen));
        let prediction = session.predict(&game, &Conditions::default()).expect("finite");
        prediction.moves.iter().map(|&(_, probability)| probability).collect()
    };
    assert_eq!(
        probabilities("r3k2r/pp3ppp/2n5/3pP3/8/5N2/PPP2PPP/R3K2R w KQkq d6 0 1"),
        probabilities("r3k2r/ppp2ppp/5n2/8/3Pp3/2N5/PP3PPP/R3K2R b KQkq d3 0 1")
    );
}

#[test]
fn extreme_weights_give_probabilities_or_are_reported() {
    let (mut container, _) = tiny(Storage::Mixed, 17);
    for (name, tensor) in &mut container.tensors {
        if name.ends_with(".scale") || name.ends_with("_norm.weight") {
            let len = tensor.bytes.len() / 4;
            tensor.bytes = 1e6_f32.to_le_bytes().repeat(len).into();
        }
    }
    let model = Arc::new(Model::from_container(&container).expect("finite weights"));
    if let Ok(prediction) = Session::new(model).predict(&Game::default(), &Conditions::default()) {
        let sum: f32 = prediction.moves.iter().map(|&(_, probability)| probability).sum();
        assert!((sum - 1.0).abs() < 1e-3 && prediction.value.abs() <= 1.0, "{prediction:?}");
    }
}

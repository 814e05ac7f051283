//! Time of an evaluation by backend, beside the least time that memory needs for it.
//!
//! `cargo bench -p kaiyo-nnue`. Weights are random, so that about as many activations are zero
//! as in a network that was never trained to have more: the first layer gets faster with real
//! ones.

use kaiyo_chess::{Move, Position};
use kaiyo_nnue::{Accumulators, Architecture, Backend, HalfRow, Network, Weights};
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 9;
const GAME_PLIES: usize = 120;

fn main() {
    let game = random_game();
    println!("nanoseconds, medians of {ROUNDS} rounds over a game of {} plies", game.len());
    println!("{:26} {:>12} {:>9} {:>9} {:>9}", "network", "backend", "move", "output", "refresh");
    for architecture in Architecture::ALL {
        let weights = random_weights(architecture);
        for backend in Backend::available() {
            let network = Network::new(weights.clone()).expect("weights").with_backend(backend);
            let whole = median(|| follow_moves(&network, &game));
            let output = median(|| outputs(&network, &game));
            let scratch = median(|| from_scratch(&network, &game));
            println!(
                "{:26.26} {:>12} {whole:>9.0} {output:>9.0} {scratch:>9.0}",
                architecture.text(),
                backend.name()
            );
        }
        let network = Network::new(weights).expect("weights");
        println!("{:26.26} {:>12} {:>9.0}", architecture.text(), "floor", floor(&network));
    }
}

/// Median time of a position in nanoseconds.
fn median(mut round: impl FnMut() -> usize) -> f64 {
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            let positions = round();
            start.elapsed().as_secs_f64() * 1e9 / positions as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[ROUNDS / 2]
}

/// A move and an evaluation at each ply.
fn follow_moves(network: &Network, game: &[(Position, Move)]) -> usize {
    const REPEATS: usize = 50;
    let mut accumulators = Accumulators::new();
    for _ in 0..REPEATS {
        accumulators.reset(&game[0].0);
        for pair in game.windows(2) {
            accumulators.push(&pair[0].0, pair[0].1);
            black_box(accumulators.evaluate(network, &pair[1].0));
        }
    }
    REPEATS * (game.len() - 1)
}

/// The dense layers alone.
fn outputs(network: &Network, game: &[(Position, Move)]) -> usize {
    const REPEATS: usize = 50;
    let sums: Vec<_> = game
        .iter()
        .map(|(position, _)| {
            let us = position.side_to_move();
            let sums = [us, !us].map(|side| network.accumulate(position, side));
            (sums, position.occupied().len())
        })
        .collect();
    for _ in 0..REPEATS {
        for ([own, other], men) in &sums {
            black_box(network.output(black_box(own), other, *men));
        }
    }
    REPEATS * game.len()
}

fn from_scratch(network: &Network, game: &[(Position, Move)]) -> usize {
    for (position, _) in game {
        black_box(network.evaluate_from_scratch(black_box(position)));
    }
    game.len()
}

/// The least time for a quiet move and an evaluation: the bytes that have to be touched, at the
/// speed at which this processor reads as many rows as a game needs, in random order.
fn floor(network: &Network) -> f64 {
    /// Of a game, with both sides: they fit into the second-level cache.
    const ROWS: usize = 512;
    let rows = &network.weights().transformer;
    let order: Vec<usize> =
        (0..32 * ROWS).map(|step| step % ROWS * 2_654_435_761 % rows.len()).collect();
    let nanoseconds_a_row = median(|| {
        for &row in &order {
            black_box(rows[row].0.iter().fold(0_i16, |sum, &weight| sum.wrapping_add(weight)));
        }
        order.len()
    });
    // Each side reads its accumulator and two rows and writes one; then both are read again,
    // with the weights of the dense layers, in the first of which about half the inputs are zero.
    let dense = &network.weights().dense[0];
    let bytes = 2 * 4 * size_of::<HalfRow>()
        + 2 * size_of::<HalfRow>()
        + size_of_val(&*dense.first) / 2
        + size_of_val(&*dense.second);
    nanoseconds_a_row * bytes as f64 / size_of::<HalfRow>() as f64
}

fn random_game() -> Vec<(Position, Move)> {
    let mut seed = 1_u64;
    let mut position = Position::start();
    let mut game = Vec::new();
    while game.len() < GAME_PLIES {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mv = moves[(seed >> 33) as usize % moves.len()];
        game.push((position, mv));
        position = position.make(mv);
    }
    game
}

fn random_weights(architecture: Architecture) -> Weights {
    let mut seed = 1_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed >> 33
    };
    let mut weights = Weights::zero(architecture);
    for row in weights.transformer.iter_mut().chain([&mut weights.transformer_bias]) {
        row.0.iter_mut().for_each(|weight| *weight = (next() % 81) as i16 - 40);
    }
    for dense in &mut weights.dense {
        for group in &mut dense.first {
            group.0.as_flattened_mut().iter_mut().for_each(|weight| *weight = next() as i8 / 4);
        }
        dense.second.as_flattened_mut().fill(0.01);
        dense.output.fill(0.1);
    }
    weights
}

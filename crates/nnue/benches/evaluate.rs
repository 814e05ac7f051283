//! Time of an evaluation by backend, beside the least time that memory and multiplications need.
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
    }
    println!("floor of an update: {:.0} ns to read and write the rows of a move", floor());
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

/// Two reads and a write of an accumulator for each side, and two rows: what a quiet move takes
/// at least, as fast as the compiler's own loops over cached memory are.
fn floor() -> f64 {
    let rows = vec![HalfRow::ZERO; 64];
    let mut sums = [HalfRow::ZERO; 4];
    median(|| {
        for round in 0..10_000 {
            let [a, b, c, d] = &mut sums;
            for (from, to) in [(&*a, &mut *b), (&*c, &mut *d)] {
                let [added, removed] = [round * 7 % 64, round * 13 % 64].map(|row| &rows[row]);
                for index in 0..to.0.len() {
                    to.0[index] =
                        from.0[index].wrapping_add(added.0[index]).wrapping_sub(removed.0[index]);
                }
            }
            black_box(&mut sums);
        }
        10_000
    })
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

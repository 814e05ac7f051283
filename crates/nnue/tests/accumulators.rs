//! Accumulators that follow games must equal those computed from nothing.

#[allow(dead_code)]
mod common;

use common::{Random, random_weights};
use kaiyo_chess::{Move, Position};
use kaiyo_nnue::{Accumulators, Architecture, Backend, Network};

fn network(seed: u64) -> Network {
    Network::new(random_weights(Architecture::Pairwise, seed)).unwrap()
}

/// Start positions with every kind of move near.
fn starts(random: &mut Random) -> Vec<Position> {
    let fens = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1",
        "4k3/8/8/2p1pPp1/2P1P1P1/8/8/4K3 w - - 0 1",
    ];
    let mut starts: Vec<_> = fens.map(|fen| Position::from_fen(fen).unwrap()).into();
    starts.push(Position::start());
    for _ in 0..40 {
        let numbers = [(); 2].map(|()| random.below(960) as u16);
        starts.push(Position::double_chess960(numbers[0], numbers[1]).unwrap());
    }
    starts
}

#[test]
fn random_games_with_takebacks_give_the_evaluation_from_scratch() {
    let mut random = Random(7);
    let network = network(1);
    let mut accumulators = Accumulators::new();
    let mut castled = 0;
    for start in starts(&mut random) {
        let mut line = vec![start];
        accumulators.reset(&start);
        for _ in 0..250 {
            let position = *line.last().unwrap();
            let moves = position.legal_moves();
            if moves.is_empty() || (line.len() > 1 && random.below(5) == 0) {
                // Some take-backs lead to plies that were never evaluated.
                for _ in 0..=random.below(4) {
                    if line.len() > 1 {
                        line.pop();
                        accumulators.pop();
                    }
                }
            } else if !position.in_check() && random.below(12) == 0 {
                accumulators.push_null();
                line.push(position.make_null());
            } else {
                let mv = favoured(&moves, &mut random);
                castled += usize::from(mv.is_castling());
                accumulators.push(&position, mv);
                line.push(position.make(mv));
            }
            if random.below(3) != 0 {
                let position = line.last().unwrap();
                let expected = network.evaluate_from_scratch(position);
                assert_eq!(accumulators.evaluate(&network, position), expected, "{position}");
            }
        }
    }
    assert!(castled > 40, "{castled} castling moves");
}

/// A random move, special ones more often.
fn favoured(moves: &[Move], random: &mut Random) -> Move {
    let special = |mv: &Move| mv.is_castling() || mv.is_promotion() || mv.is_en_passant();
    match moves.iter().copied().find(special) {
        Some(mv) if random.below(3) == 0 => mv,
        _ => moves[random.below(moves.len())],
    }
}

#[test]
fn long_lines_get_more_memory() {
    let network = network(1);
    let mut accumulators = Accumulators::new();
    let start = Position::start();
    accumulators.reset(&start);
    for _ in 0..1000 {
        accumulators.push_null();
    }
    let value = accumulators.evaluate(&network, &start);
    assert_eq!(value, network.evaluate_from_scratch(&start));
}

#[test]
fn another_network_is_noticed() {
    let [one, two] = [1, 2].map(network);
    let start = Position::start();
    let mut accumulators = Accumulators::new();
    accumulators.reset(&start);
    for network in [&one, &two, &one] {
        let expected = network.evaluate_from_scratch(&start);
        assert_eq!(accumulators.evaluate(network, &start), expected);
    }
}

#[test]
fn evaluations_are_the_same_on_all_backends() {
    let mut random = Random(3);
    for architecture in Architecture::ALL {
        let weights = random_weights(architecture, 5);
        let networks: Vec<Network> = Backend::available()
            .map(|backend| Network::new(weights.clone()).unwrap().with_backend(backend))
            .collect();
        for start in starts(&mut random) {
            let outputs: Vec<u32> = networks
                .iter()
                .map(|network| network.output_from_scratch(&start).to_bits())
                .collect();
            assert!(outputs.iter().all(|&output| output == outputs[0]), "{start}");
        }
    }
}

/// The score of the side to move does not depend on its colour.
#[test]
fn exchanged_colours_change_nothing() {
    let network = network(4);
    let pair = [
        "r2qkb1r/ppp2ppp/2n1bn2/3pp3/8/2NP1NP1/PPP1PPBP/R1BQK2R w KQkq - 0 6",
        "r1bqk2r/ppp1ppbp/2np1np1/8/3PP3/2N1BN2/PPP2PPP/R2QKB1R b KQkq - 0 6",
    ];
    let [one, other] =
        pair.map(|fen| network.output_from_scratch(&Position::from_fen(fen).unwrap()).to_bits());
    assert_eq!(one, other);
}

//! Accumulators that follow games must equal those computed from nothing.

#[allow(dead_code)]
mod common;

use common::random_weights;
use kaiyo_chess::{Move, Position, Random};
use kaiyo_nnue::{Accumulators, Architecture, Backend, Network};

fn network(seed: u64) -> Network {
    Network::new(random_weights(Architecture::Pairwise, seed)).unwrap()
}

/// Start positions with every kind of move near, and 40 of double Fischer random chess.
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
    follow_random_moves(10_000);
}

#[test]
#[ignore = "takes long"]
fn a_million_random_moves_give_the_evaluation_from_scratch() {
    follow_random_moves(1_000_000);
}

/// Plays so many random moves, with null moves and take-backs between them, from many starts.
fn follow_random_moves(count: usize) {
    let mut random = Random::new(7);
    let network = network(1);
    let mut accumulators = Accumulators::new();
    let (mut castled, mut moves) = (0, 0);
    while moves < count {
        for start in starts(&mut random) {
            let [more, castling] = follow_game(start, &network, &mut accumulators, &mut random);
            moves += more;
            castled += castling;
        }
    }
    assert!(castled * 250 > moves, "{castled} castling moves of {moves}");
}

/// Numbers of moves and of castling moves.
fn follow_game(
    start: Position,
    network: &Network,
    accumulators: &mut Accumulators,
    random: &mut Random,
) -> [usize; 2] {
    let mut counts = [0, 0];
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
            let mv = favoured(&moves, random);
            counts[0] += 1;
            counts[1] += usize::from(mv.is_castling());
            accumulators.push(&position, mv);
            line.push(position.make(mv));
        }
        if random.below(3) != 0 {
            let position = line.last().unwrap();
            let expected = network.evaluate_from_scratch(position);
            assert_eq!(accumulators.evaluate(network, position), expected, "{position}");
        }
    }
    counts
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
    compare_backends(2000);
}

#[test]
#[ignore = "takes long"]
fn a_hundred_thousand_evaluations_are_the_same_on_all_backends() {
    compare_backends(100_000);
}

/// Evaluates so many positions of random games on all backends, from nothing and by following
/// the moves.
fn compare_backends(count: usize) {
    let mut random = Random::new(3);
    for architecture in Architecture::ALL {
        let weights = random_weights(architecture, 5);
        let mut players: Vec<(Network, Accumulators)> = Backend::available()
            .map(|backend| Network::new(weights.clone()).unwrap().with_backend(backend))
            .map(|network| (network, Accumulators::new()))
            .collect();
        let mut seen = 0;
        while seen < count {
            for start in starts(&mut random) {
                seen += compare_game(start, &mut players, &mut random);
            }
        }
    }
}

/// Number of positions compared.
fn compare_game(
    start: Position,
    players: &mut [(Network, Accumulators)],
    random: &mut Random,
) -> usize {
    let mut position = start;
    players.iter_mut().for_each(|(_, accumulators)| accumulators.reset(&start));
    for ply in 0..60 {
        let outputs = players.iter_mut().map(|(network, accumulators)| {
            let followed = accumulators.evaluate(network, &position);
            (network.output_from_scratch(&position).to_bits(), followed)
        });
        let outputs: Vec<(u32, i32)> = outputs.collect();
        assert!(outputs.iter().all(|&output| output == outputs[0]), "{position}");
        let moves = position.legal_moves();
        if moves.is_empty() {
            return ply + 1;
        }
        let mv = favoured(&moves, random);
        players.iter_mut().for_each(|(_, accumulators)| accumulators.push(&position, mv));
        position = position.make(mv);
    }
    60
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

//! Speed of bulk perft beside that of cozy-chess, in interleaved rounds.
//!
//! `cargo bench -p kaiyo-chess --bench perft -- [ROUNDS [EXTRA_DEPTH]]`. Prints the medians.
//! With `--features cozy-chess/pext` the other side looks sliders up by PEXT too.

use kaiyo_chess::Position;
use std::hint::black_box;
use std::time::Instant;

/// Name, FEN (Shredder castling letters) and depth.
const POSITIONS: [(&str, &str, u32); 6] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", 5),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w HAha - 0 1", 4),
    ("position 3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6),
    ("position 4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w ha - 0 1", 5),
    ("position 5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w HA - 1 8", 4),
    ("chess960", "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", 5),
];
const DEFAULT_ROUNDS: u32 = 9;

fn main() {
    // Cargo adds `--bench` to the arguments.
    let mut numbers = std::env::args().filter_map(|text| text.parse::<u32>().ok());
    let rounds = numbers.next().unwrap_or(DEFAULT_ROUNDS).max(1);
    let extra_depth = numbers.next().unwrap_or(0);
    println!(
        "{:12} {:>11} {:>11} {:>11} {:>6}",
        "position", "leaves", "kaiyo/s", "cozy/s", "ratio"
    );
    let mut product = 1.0;
    for (name, fen, depth) in POSITIONS {
        let position = Position::from_fen(fen).expect(fen);
        let depth = depth + extra_depth;
        let board = cozy_chess::Board::from_fen(fen, true).expect(fen);
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let mut leaves = 0;
        for _ in 0..rounds {
            let (count, seconds) = timed(|| kaiyo_chess::perft(black_box(&position), depth));
            ours.push(seconds);
            let (expected, seconds) = timed(|| cozy_perft(black_box(&board), depth));
            theirs.push(seconds);
            assert_eq!(count, expected, "{name}");
            leaves = count;
        }
        let (ours, theirs) = (median(ours), median(theirs));
        let ratio = theirs / ours;
        product *= ratio;
        let per_second = |seconds: f64| leaves as f64 / seconds / 1e6;
        println!(
            "{name:12} {leaves:>11} {:>10.1}M {:>10.1}M {ratio:>6.3}",
            per_second(ours),
            per_second(theirs)
        );
    }
    println!("geometric mean of the ratios: {:.3}", product.powf(1.0 / POSITIONS.len() as f64));
}

fn timed(count: impl FnOnce() -> u64) -> (u64, f64) {
    let start = Instant::now();
    let leaves = count();
    (leaves, start.elapsed().as_secs_f64())
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Counts the leaves by the sizes of the last move sets, as the library's own example does.
fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut leaves = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            leaves += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                leaves += cozy_perft(&next, depth - 1);
            }
        }
        false
    });
    leaves
}

//! Tests of the evaluation by networks of Stockfish.

use super::*;
use crate::random::sequence;
use std::io::Write;
use std::process::{Command, Stdio};

/// A network of random small weights, in the format of the file.
pub fn random_file() -> Vec<u8> {
    let mut random = sequence(1, 0);
    let mut file = Vec::new();
    for head in [VERSION, ARCHITECTURE, 4, u32::from_le_bytes(*b"test"), 0] {
        file.extend(head.to_le_bytes());
    }
    for _ in 0..WIDTH + FEATURES * WIDTH {
        file.extend((random.below(61) as i16 - 30).to_le_bytes());
    }
    for _ in 0..FEATURES * STACKS {
        file.extend((random.below(4001) as i32 - 2000).to_le_bytes());
    }
    for _ in 0..STACKS {
        for (outputs, inputs) in [(FIRST, INPUTS), (SECOND, SECOND), (1, SECOND)] {
            if inputs == INPUTS {
                file.extend([0; 4]);
            }
            (0..outputs)
                .for_each(|_| file.extend((random.below(2001) as i32 - 1000).to_le_bytes()));
            (0..outputs * inputs).for_each(|_| file.push(random.below(256) as u8));
        }
    }
    file
}

#[test]
fn positions_after_moves_evaluate_as_from_scratch() {
    let network = StockfishNetwork::read(&random_file()).unwrap();
    let mut random = sequence(2, 0);
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    ];
    for fen in starts {
        let mut evaluated = network.accumulate(&fen.parse().unwrap());
        for _ in 0..60 {
            let moves = evaluated.position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let next = evaluated.position.make(moves[random.below(moves.len())]);
            evaluated = network.advance(&evaluated, &next);
            let fresh = network.accumulate(&next);
            assert_eq!(evaluated.accumulators, fresh.accumulators, "{next}");
            assert_eq!(network.score(&evaluated), network.score(&fresh));
        }
    }
}

#[test]
fn other_files_are_refused() {
    let refusal = |file: &[u8]| StockfishNetwork::read(file).err().unwrap().to_string();
    let mut file = random_file();
    assert!(refusal(&file[..file.len() - 1]).contains("cut off"));
    file.push(0);
    assert!(refusal(&file).contains("1 bytes too many"));
    file[4] ^= 1;
    assert!(refusal(&file).contains("Stockfish 15.1"));
    file[0] ^= 1;
    assert!(refusal(&file).contains("version"));
    assert!(refusal(b"").contains("cut off"));
}

/// The figures of the program in `KAIYO_STOCKFISH` are the reference.
#[test]
#[ignore = "needs Stockfish 15.1, named by KAIYO_STOCKFISH"]
fn scores_are_those_of_stockfish() {
    let stockfish = std::env::var_os("KAIYO_STOCKFISH").expect("KAIYO_STOCKFISH names a program");
    let path = std::env::temp_dir().join(format!("kaiyo-teacher-{}.nnue", std::process::id()));
    let fens = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r1bq1rk1/pp2nppp/2n1p3/2ppP3/3P4/P1PB1N2/2P2PPP/R1BQ1RK1 b - - 3 9",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "2r3k1/5pp1/p6p/1p2P3/3r1P2/1P4P1/P6P/2R1R1K1 b - - 0 31",
    ];
    let mut program = Command::new(stockfish)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("stockfish starts");
    let mut input = program.stdin.take().unwrap();
    writeln!(input, "export_net {}", path.display()).unwrap();
    fens.iter().for_each(|fen| writeln!(input, "position fen {fen}\neval").unwrap());
    drop(input);
    let output = String::from_utf8(program.wait_with_output().unwrap().stdout).unwrap();
    let network = StockfishNetwork::read(&std::fs::read(&path).unwrap()).unwrap();
    std::fs::remove_file(&path).unwrap();
    let figures = |name: &str| -> Vec<f64> {
        let lines = output.lines().filter(|line| line.starts_with(name));
        lines.map(|line| line.split_whitespace().nth(2).unwrap().parse().unwrap()).collect()
    };
    let (sums, finals) = (figures("NNUE evaluation"), figures("Final evaluation"));
    assert_eq!([sums.len(), finals.len()], [fens.len(); 2], "{output}");
    for ((fen, figure), last) in fens.iter().zip(sums).zip(finals) {
        let evaluated = network.accumulate(&fen.parse().unwrap());
        let parts = network.parts(&evaluated);
        let own = (parts.piece_square + parts.positional) / OUTPUT_SCALE;
        let side = if evaluated.position.side_to_move() == Colour::White { 1 } else { -1 };
        // Shown in pawns with two decimals; 361 units make a pawn.
        let shown = f64::from(side * own) / 361.0;
        assert!((shown - figure).abs() < 0.0101, "{fen}: {shown} and {figure}");
        // Scaled by material, and drawn towards zero by the clock.
        let clock = f64::from(evaluated.position.halfmove_clock());
        let score = f64::from(side * network.score(&evaluated)) * (195.0 - clock) / 195.0;
        let shown = score / 361.0;
        assert!((shown - last).abs() < 0.0151, "{fen}: {shown} and {last}");
    }
}

//! Shows what a network says about positions.

use anyhow::{Context, Result, anyhow};
use kaiyo_chess::{Colour, File, PieceType, Position, Rank, Square};
use kaiyo_nnue::features::output_bucket;
use kaiyo_nnue::{Backend, Network};
use std::path::PathBuf;

/// Options of the evaluation.
#[derive(clap::Args)]
pub struct EvaluateOptions {
    /// The network file.
    network: PathBuf,
    /// Positions, each in quotes.
    #[arg(required = true)]
    fen: Vec<String>,
}

/// Prints evaluations, and what each man is worth in them.
pub fn evaluate(options: &EvaluateOptions) -> Result<()> {
    let path = &options.network;
    let read = || -> Result<Network> { Ok(Network::from_bytes(&std::fs::read(path)?)?) };
    let network = read().with_context(|| format!("in {}", path.display()))?;
    println!(
        "{}, checksum {:08x}, scale {}, {}",
        network.weights().architecture.text(),
        network.checksum(),
        network.weights().scale,
        network.backend().name()
    );
    for fen in &options.fen {
        let position = Position::from_fen(fen).map_err(|error| anyhow!("\"{fen}\": {error}"))?;
        let output = network.output_from_scratch(&position);
        println!(
            "\n{position}\noutput {output:+.5}, expected score {:.1} %, {:+} cp, bucket {}",
            100.0 / (1.0 + (-output).exp()),
            network.centipawns(output),
            output_bucket(position.occupied().len()),
        );
        for backend in Backend::available() {
            let other = network.clone().with_backend(backend).output_from_scratch(&position);
            if other.to_bits() != output.to_bits() {
                println!("{} says {other:+.5}", backend.name());
            }
        }
        print_men(&network, &position);
    }
    Ok(())
}

/// Prints the board with the loss of each man's side when the man disappears, in pawns.
fn print_men(network: &Network, position: &Position) {
    let white = |position: &Position| {
        let value = network.evaluate_from_scratch(position);
        if position.side_to_move() == Colour::White { value } else { -value }
    };
    let whole = white(position);
    for rank in Rank::ALL.into_iter().rev() {
        let cells = File::ALL.map(|file| {
            let square = Square::new(file, rank);
            let Some(piece) = position.piece_on(square) else { return "    .   ".to_owned() };
            let mut setup = position.to_setup();
            setup.board[square.index()] = None;
            match Position::from_setup(&setup) {
                Ok(without) if piece.piece_type() != PieceType::King => {
                    let sign = if piece.colour() == Colour::White { 1 } else { -1 };
                    let worth = f64::from(sign * (whole - white(&without))) / 100.0;
                    format!(" {}{worth:+6.2}", piece.to_char())
                }
                _ => format!("    {}   ", piece.to_char()),
            }
        });
        println!("{}", cells.concat());
    }
}

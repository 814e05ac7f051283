//! Shows what a network says about positions.

use anyhow::{Context, Result, anyhow};
use kaiyo_chess::Position;
use kaiyo_nnue::{Backend, Network};
use kaiyo_search::evaluation::Evaluator;
use std::path::PathBuf;
use std::sync::Arc;

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
    let network = Arc::new(read().with_context(|| format!("in {}", path.display()))?);
    say!("{}, scale {}", network.weights().architecture.text(), network.weights().scale);
    for fen in &options.fen {
        let position = Position::from_fen(fen).map_err(|error| anyhow!("\"{fen}\": {error}"))?;
        let output = network.output_from_scratch(&position);
        say!(
            "\n{position}\n{}output {output:+.5}, expected score {:.1} %",
            Evaluator::Neural(Arc::clone(&network)).explain(&position),
            100.0 / (1.0 + (-output).exp()),
        );
        for backend in Backend::available() {
            let other =
                Network::clone(&network).with_backend(backend).output_from_scratch(&position);
            if other.to_bits() != output.to_bits() {
                say!("{} says {other:+.5}", backend.name());
            }
        }
    }
    Ok(())
}

//! Trains the evaluations of Kaiyo.

mod classical;
mod viriformat;

use clap::{Parser, Subcommand};

/// Trains the evaluations of the chess engine Kaiyo.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Fit the weights of the classical evaluation to scored games.
    Classical(classical::Options),
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().command {
        Command::Classical(options) => classical::run(&options),
    }
}

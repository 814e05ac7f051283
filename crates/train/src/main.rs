//! Trains the evaluations of Kaiyo, tunes its search, and makes the games that they learn from.

/// Prints a line. Nobody has to read it: a closed pipe ends no training.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($text)*);
    }};
}

mod classical;
mod data;
mod datagen;
mod nnue;
mod random;
#[cfg(test)]
mod test_folder;
#[cfg(feature = "tune")]
mod tune;
mod viriformat;
mod workers;

use clap::{Parser, Subcommand};

/// Makes and prepares games, trains the evaluations and tunes the search of the chess engine Kaiyo.
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
    /// Train the neural network on scored games.
    Nnue(nnue::Options),
    /// Generate training games: the engine plays itself.
    Datagen(datagen::Options),
    /// Describe, test, mix, rescore and convert training games.
    #[command(subcommand)]
    Data(data::Command),
    /// Show what a network says about positions.
    NnueEval(nnue::EvaluateOptions),
    /// Tune constants of the search by SPSA: games between values a little higher and a little lower.
    #[cfg(feature = "tune")]
    Tune(tune::Options),
    /// Print what a tuning has come to.
    #[cfg(feature = "tune")]
    TuneShow(tune::ShowOptions),
    /// Play the games that another process orders on the standard input.
    #[cfg(feature = "tune")]
    #[command(hide = true)]
    TuneWorker,
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().command {
        Command::Classical(options) => classical::run(&options),
        Command::Nnue(options) => nnue::run(&options),
        Command::Datagen(options) => datagen::run(&options),
        Command::Data(command) => data::run(&command),
        Command::NnueEval(options) => nnue::evaluate(&options),
        #[cfg(feature = "tune")]
        Command::Tune(options) => tune::run(&options),
        #[cfg(feature = "tune")]
        Command::TuneShow(options) => tune::show(&options),
        #[cfg(feature = "tune")]
        Command::TuneWorker => tune::work(),
    }
}

//! Kaiyo, a UCI chess engine: the program around `kaiyo-search`.

mod about;
mod bench;
mod board;
mod book;
mod cli;
mod genfens;
mod perft;
mod policy;
mod random;
mod strength;
mod uci;
mod wdl;
mod xboard;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(std::env::args_os().skip(1).map(|text| text.to_string_lossy().into_owned()).collect())
}

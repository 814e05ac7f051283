//! Kaiyo, a UCI chess engine: the program around `kaiyo-search`.

mod about;
mod bench;
mod board;
mod book;
mod cli;
#[cfg(test)]
mod fuzz;
mod genfens;
mod paths;
mod perft;
mod policy;
mod standard_error;
mod strength;
mod uci;
mod xboard;

use std::process::ExitCode;
use std::thread;

/// Stack of the main loop, in bytes: that of the first thread is different on every system.
const STACK_SIZE: usize = 8 << 20;

fn main() -> ExitCode {
    let run = || {
        let arguments = std::env::args_os().skip(1);
        cli::run(arguments.map(|text| text.to_string_lossy().into_owned()).collect())
    };
    let thread = thread::Builder::new().name("main loop".to_owned()).stack_size(STACK_SIZE);
    match thread.spawn(run).map(thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        Ok(Err(_)) => ExitCode::FAILURE,
        Err(_) => run(),
    }
}

//! The UCI front end (<https://www.shredderchess.com/download/div/uci.zip>).
//!
//! A thread reads the input; searches and other long work run on threads too. All of them send
//! [`Event`]s to the main loop, which therefore never waits for anything else.

mod book;
mod command;
mod go;
mod input;
mod launch;
mod noise;
mod opponent;
mod options;
mod output;
mod parts;
mod policy;
mod position;
mod reporter;
mod session;
mod settings;
mod statistics;
pub mod text;
#[cfg(feature = "tune")]
mod tuning;

pub use command::Command;
pub use launch::launch;
pub use noise::NoiseFilter;
pub use options::{DEFAULT_HASH_MIB, OPTIONS, OptionForm, OptionRequest, UciOption, set_option};
pub use output::Output;
pub use parts::Parts;

use crate::standard_error::tell;
use crate::xboard;
use kaiyo_search::BestMove;
use session::{End, Session};
use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::sync::mpsc;

/// Something the main loop has to deal with.
pub enum Event {
    /// A line of input.
    Line(String),
    /// There will be no more input.
    EndOfInput,
    /// The system or the user asks the program to end.
    Interrupted,
    /// The search or other long work has ended; its last line of output, if it has one.
    Finished(Option<String>),
    /// The search with this number has ended, in the XBoard protocol.
    Found(u64, BestMove),
}

/// Serves a client on standard input and output until it quits.
pub fn serve() -> ExitCode {
    let output = Output::stdout();
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        let (name, author) = (crate::about::NAME, crate::about::AUTHOR);
        output.line(format_args!("{name} by {author}; 'help' lists the commands"));
    }
    let (sender, events) = mpsc::channel();
    if let Err(error) = input::spawn_reader(sender.clone()) {
        tell(format_args!("kaiyo: cannot start the input thread: {error}"));
        return ExitCode::FAILURE;
    }
    let interrupted = sender.clone();
    // The main loop ends the program as at `quit`. If it has no time for that or is gone, the
    // system's way is what is left, which it is without a handler too.
    let handler = ctrlc::set_handler(move || drop(interrupted.send(Event::Interrupted)));
    if let Err(error) = handler {
        tell(format_args!("kaiyo: signals end the program at once: {error}"));
    }
    match Session::new(output, sender) {
        Ok(session) => match session.serve(&events) {
            End::Quit => ExitCode::SUCCESS,
            End::XBoard(parts) => xboard::Session::new(*parts).serve(&events),
        },
        Err(error) => fail(&error),
    }
}

/// Executes some command lines, one after the other, each to its end.
pub fn execute(lines: &[String]) -> ExitCode {
    let (sender, events) = mpsc::channel();
    match Session::new(Output::stdout(), sender) {
        Ok(session) => session.execute(lines, &events),
        Err(error) => fail(&error),
    }
}

fn fail(error: &dyn std::error::Error) -> ExitCode {
    tell(format_args!("kaiyo: {error}"));
    ExitCode::FAILURE
}

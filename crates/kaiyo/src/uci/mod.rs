//! The UCI front end (<https://www.shredderchess.com/download/div/uci.zip>).
//!
//! A thread reads the input; searches and other long work run on threads too. All of them send
//! [`Event`]s to the main loop. That waits for nothing else but what a command needs before the next
//! one: files of options, the transformer, and a client that does not read what it is sent.

mod book;
mod command;
mod contempt;
mod go;
#[cfg(unix)]
mod hang_up;
mod input;
#[cfg(any(unix, windows))]
mod interrupt;
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
pub use opponent::Opponent;
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
use std::time::{Duration, Instant};

/// How long the end of the program may wait for a search to say its last.
pub const PATIENCE_AT_END: Duration = Duration::from_millis(500);

/// Something the main loop has to deal with.
pub enum Event {
    /// A line of input, and when it came: clocks do not wait until it is dealt with.
    Line(String, Instant),
    /// There will be no more input.
    EndOfInput,
    /// The system or the user asks the program to end.
    #[cfg_attr(not(any(unix, windows)), expect(dead_code, reason = "there are no signals"))]
    Interrupted,
    /// The search or other long work has ended.
    Finished(Finished),
    /// The search with this number has ended, in the XBoard protocol.
    Found(u64, BestMove),
}

/// What is left to do when long work has ended.
pub struct Finished {
    /// Its last line of output, if it has one.
    pub last_line: Option<String>,
    /// It could not be done.
    pub failed: bool,
}

/// Serves a client on standard input and output until it quits. It may ask for the XBoard protocol, or
/// `xboard` tells that it would.
pub fn serve(xboard: bool) -> ExitCode {
    let output = Output::stdout();
    if !xboard && io::stdin().is_terminal() && io::stdout().is_terminal() {
        let (name, author) = (crate::about::NAME, crate::about::AUTHOR);
        output.line(format_args!("{name} by {author}; 'help' lists the commands"));
    }
    let (sender, events) = mpsc::channel();
    if xboard {
        // Before all input. The other end is held here, so that this cannot fail.
        let _ = sender.send(Event::Line("xboard".to_owned(), Instant::now()));
    }
    if let Err(error) = input::spawn_reader(sender.clone()) {
        tell(format_args!("kaiyo: cannot start the input thread: {error}"));
        return ExitCode::FAILURE;
    }
    #[cfg(any(unix, windows))]
    if let Err(error) = interrupt::watch(sender.clone()) {
        tell(format_args!("kaiyo: signals end the program at once: {error}"));
    }
    #[cfg(unix)]
    if let Err(error) = hang_up::watch() {
        tell(format_args!("kaiyo: the end of the client may go unnoticed: {error}"));
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

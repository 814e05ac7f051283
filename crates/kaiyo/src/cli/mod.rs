//! The command line.

pub mod examples;
mod man;

use crate::bench::{self, BenchSettings};
use crate::book::{self, BookCommand};
use crate::policy::{self, PolicyArguments};
use crate::standard_error::tell;
use crate::uci::{self, Command as UciCommand, DEFAULT_HASH_MIB};
use crate::{about, perft};
use clap::{CommandFactory, Parser, Subcommand};
use kaiyo_chess::{CastlingNotation, Position, quote};
use kaiyo_search::Engine;
use std::error::Error;
use std::fmt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

/// Kaiyo, a chess engine.
///
/// Without arguments it speaks UCI, or XBoard if the client begins with that, on standard input
/// and output. Arguments that are UCI commands, such as `kaiyo "go depth 5" quit`, are executed
/// one after the other; `kaiyo help` lists those commands.
#[derive(Parser)]
#[command(name = "kaiyo", version = about::VERSION, disable_help_subcommand = true)]
#[command(after_long_help = examples::KAIYO)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

/// The exit code for arguments that make no sense.
pub const MISUSE: u8 = 2;

/// Arguments that make no sense, and why.
#[derive(Debug)]
pub struct Misuse(pub String);

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Misuse {}

#[derive(Subcommand)]
enum Command {
    /// Search a fixed set of positions; the last line has the node count and the speed.
    ///
    /// The node count identifies what search and evaluation do: with one thread it is the same every
    /// time and on every machine. The results of the positions go to standard error, the last line
    /// `N nodes M nps` to standard output.
    #[command(after_long_help = examples::BENCH)]
    Bench {
        /// Depth in plies (12), threads (1) and hash size in MiB (16).
        #[arg(value_names = ["DEPTH", "THREADS", "HASH"], num_args = 0..=3)]
        settings: Vec<String>,
        /// Evaluate by classical terms instead of the network.
        #[arg(long)]
        classical: bool,
        /// Run once with each kind of vector instructions that this processor has; fails if
        /// the node counts differ.
        #[arg(long, conflicts_with = "classical")]
        backends: bool,
    },
    /// Count the legal move sequences of a length, by first move.
    ///
    /// The counts tell whether the rules are right: many programs and lists have the same ones. The
    /// position may be of standard chess, Chess960 or double Fischer random chess.
    #[command(after_long_help = examples::PERFT)]
    Perft {
        /// Length of the sequences in half-moves.
        #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(perft::MAX_DEPTH)))]
        depth: u32,
        /// The position as FEN, whose fields may be several arguments; without it the start
        /// position.
        #[arg(long, num_args = 1.., default_value = kaiyo_chess::START_FEN)]
        fen: Vec<String>,
    },
    /// Explain the static evaluation of a position.
    ///
    /// Shows what the network says without any search, in pawns for White: what each man contributes,
    /// which is the score less that of the position without the man, and the scores that the layers
    /// for other numbers of men would give.
    #[command(after_long_help = examples::EVAL)]
    Eval {
        /// The position as FEN, whose fields may be several arguments; without it the start
        /// position.
        #[arg(default_value = kaiyo_chess::START_FEN)]
        fen: Vec<String>,
    },
    /// Make opening books and look into them.
    ///
    /// Books are in the Polyglot format. The number that it has for learning holds the games and
    /// points of a move, where the head of the book says so.
    #[command(subcommand, after_long_help = examples::BOOK)]
    Book(Box<BookCommand>),
    Policy(PolicyArguments),
    /// Measure the speed with all processors.
    ///
    /// Searches the positions of `bench`, each for the same time, as in games. The last line has the
    /// number of positions visited and the speed.
    #[command(after_long_help = examples::SPEEDTEST)]
    Speedtest {
        /// Threads (all processors), hash size in MiB (128 for each thread) and seconds (60).
        #[arg(value_names = ["THREADS", "HASH", "SECONDS"], num_args = 0..=3)]
        settings: Vec<String>,
    },
    /// Write the network in use into a file.
    #[command(name = "export_net", after_long_help = examples::EXPORT_NET)]
    ExportNet {
        /// The file; without it one in the current folder whose name has the network's checksum.
        file: Option<String>,
    },
    /// Make balanced openings, as OpenBench wants them.
    ///
    /// Each is a line `info string genfens FEN`. The same arguments make the same openings.
    #[command(after_long_help = examples::GENFENS)]
    Genfens {
        /// How many; then `seed` and a number, `book` and a file of positions or None, and `chess960`
        /// for openings of that.
        #[arg(required = true)]
        request: Vec<String>,
    },
    /// Speak XBoard without waiting for the client to begin with it.
    #[command(after_long_help = examples::XBOARD)]
    Xboard,
    /// Tell version, compiler, target and instruction sets of this program.
    Compiler,
    /// Show the licence.
    License,
    /// Write the completion of arguments for a shell.
    ///
    /// The script goes to standard output; each shell has its own place for it.
    #[command(after_long_help = examples::COMPLETIONS)]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Write the manual pages.
    ///
    /// They say what --help says.
    #[command(after_long_help = examples::MAN)]
    Man {
        /// Write the pages of the program and of each command into this folder; without it the page
        /// of the program goes to standard output.
        folder: Option<PathBuf>,
    },
}

/// Does what the arguments ask.
pub fn run(arguments: Vec<String>) -> ExitCode {
    let definition = Cli::command();
    let is_subcommand = |name: &String| {
        definition.get_subcommands().any(|command| command.get_name() == name)
            || matches!(name.as_str(), "-h" | "--help" | "-V" | "--version")
    };
    if !arguments.first().is_some_and(is_subcommand) {
        // The commands of the protocols are explained together.
        if arguments.iter().any(|word| word == "--help" || word == "-h") {
            print(definition.clone().render_long_help().to_string().trim_end());
            return ExitCode::SUCCESS;
        }
        return run_uci(arguments);
    }
    let words = without_quit(&arguments).iter().cloned();
    let command = match Cli::try_parse_from(std::iter::once("kaiyo".to_owned()).chain(words)) {
        Ok(Cli { command: Some(command) }) => command,
        Ok(Cli { command: None }) => return ExitCode::SUCCESS,
        // Several commands of the UCI mode, or a client that hands over more than is known.
        Err(error)
            if error.use_stderr()
                && (arguments[0] == "xboard"
                    || arguments.iter().all(|word| UciCommand::is_name(word))) =>
        {
            return run_uci(arguments);
        }
        Err(error) => error.exit(),
    };
    match execute(command) {
        Ok(code) => code,
        Err(error) => {
            tell(format_args!("kaiyo: {error}"));
            if error.is::<Misuse>() { ExitCode::from(MISUSE) } else { ExitCode::FAILURE }
        }
    }
}

/// Scripts end a command of the UCI mode with `quit`, as in `kaiyo bench quit`.
fn without_quit(arguments: &[String]) -> &[String] {
    match arguments {
        [command, .., last] if last == "quit" && UciCommand::is_name(command) => {
            &arguments[..arguments.len() - 1]
        }
        _ => arguments,
    }
}

/// Speaks UCI, or executes the arguments if they are commands.
fn run_uci(arguments: Vec<String>) -> ExitCode {
    // Managers turn options that they know into arguments, with values that may stand by themselves;
    // that must not end the engine.
    // In a command, as in a FEN, there may be single dashes.
    let is_command = arguments.first().is_some_and(|first| begins_with_command(first));
    let dashes = if is_command { "--" } else { "-" };
    let (mut unknown, mut words): (Vec<_>, Vec<_>) =
        arguments.into_iter().partition(|argument| argument.starts_with(dashes));
    if !unknown.is_empty() && !words.iter().any(|word| begins_with_command(word)) {
        unknown.append(&mut words);
    }
    for argument in unknown {
        let argument = quote(&argument);
        tell(format_args!("kaiyo: unknown argument {argument} ignored, see kaiyo --help"));
    }
    match &words[..] {
        [] => uci::serve(false),
        [protocol] if protocol == "xboard" => uci::serve(true),
        _ => execute_lines(&command_lines(words)),
    }
}

/// Executes lines of commands. In the protocol a line may begin with words that mean nothing; in arguments they
/// are misspelt commands.
fn execute_lines(lines: &[String]) -> ExitCode {
    let is_empty = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
    let means_nothing = |line: &&String| !is_empty(line) && !begins_with_command(line);
    match lines.iter().find(means_nothing) {
        None => uci::execute(lines),
        Some(line) => {
            let line = quote(line);
            tell(format_args!("kaiyo: unknown command {line}, see kaiyo --help"));
            ExitCode::from(MISUSE)
        }
    }
}

fn begins_with_command(line: &str) -> bool {
    line.split_whitespace().next().is_some_and(UciCommand::is_name)
}

/// Arguments as command lines: one each if they look like that, else all of them are one line.
fn command_lines(arguments: Vec<String>) -> Vec<String> {
    let one_each = arguments.iter().any(|argument| argument.contains(char::is_whitespace))
        || arguments.iter().all(|argument| UciCommand::is_name(argument));
    if one_each { arguments } else { vec![arguments.join(" ")] }
}

fn execute(command: Command) -> Result<ExitCode, Box<dyn Error>> {
    let never = AtomicBool::new(false);
    match command {
        Command::Bench { settings, classical, backends } => {
            let settings = BenchSettings::parse(settings.iter().map(String::as_str));
            let settings = settings.map_err(Misuse)?;
            let settings = BenchSettings { classical, ..settings };
            if backends {
                bench::compare_backends(settings, print)?;
            } else if let Some(result) =
                bench::run(settings, &never, |line| tell(format_args!("{line}")))?
            {
                print(&result.to_string());
            }
        }
        Command::Perft { depth, fen } => {
            let position = parse_fen(&fen).map_err(Misuse)?;
            let notation = CastlingNotation::KingMove;
            if let Some(counted) = perft::divide(&position, depth, notation, &never, print) {
                let (nodes, speed) = (counted.nodes, counted.per_second());
                print(&format!("\nNodes searched: {nodes}"));
                print(&format!("Time: {:.3} s, {speed} nps", counted.elapsed.as_secs_f64()));
            }
        }
        Command::Eval { fen } => {
            let engine = Engine::new(DEFAULT_HASH_MIB)?;
            print(engine.explain_evaluation(&parse_fen(&fen).map_err(Misuse)?).trim_end());
        }
        Command::Book(command) => {
            book::run(&command).map_err(|error| match error.downcast::<Misuse>() {
                Ok(misuse) => Box::<dyn Error>::from(misuse),
                Err(error) => format!("{error:#}").into(),
            })?;
        }
        Command::Policy(arguments) => policy::run(arguments, &mut print)?,
        Command::Speedtest { settings } => return Ok(run_line("speedtest", &settings)),
        Command::ExportNet { file } => return Ok(run_line("export_net", file.as_slice())),
        Command::Genfens { request } => return Ok(run_line("genfens", &request)),
        Command::Xboard => return Ok(uci::serve(true)),
        Command::Compiler => print(&about::compiler()),
        Command::License => print(about::LICENSE),
        Command::Completions { shell } => print(&completions(shell)?),
        Command::Man { folder: Some(folder) } => man::write_pages(&folder)
            .map_err(|error| format!("cannot write to {}: {error}", folder.display()))?,
        Command::Man { folder: None } => print(man::page()?.trim_end()),
    }
    Ok(ExitCode::SUCCESS)
}

/// Executes a command of the UCI mode.
fn run_line(name: &str, arguments: &[String]) -> ExitCode {
    uci::execute(&[format!("{name} {}", arguments.join(" "))])
}

/// The script that completes arguments in a shell.
fn completions(shell: clap_complete::Shell) -> Result<String, std::string::FromUtf8Error> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "kaiyo", &mut script);
    String::from_utf8(script)
}

/// The position of a FEN that is spread over several arguments.
///
/// # Errors
/// A message that names the fault.
pub fn parse_fen(words: &[String]) -> Result<Position, String> {
    let fen = words.join(" ");
    Position::from_fen(&fen).map_err(|error| format!("invalid FEN {}: {error}", quote(&fen)))
}

/// Prints a line; a closed pipe ends the program instead of aborting it.
pub fn print(line: &str) {
    uci::Output::stdout().line(line);
}

/// Reads arguments as a subcommand and as lines of UCI, and does nothing with them.
#[cfg(test)]
pub fn read(words: &[String]) {
    let _ = Cli::try_parse_from(std::iter::once("kaiyo".to_owned()).chain(words.to_vec()));
    command_lines(words.to_vec());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(arguments: &[&str]) -> Vec<String> {
        command_lines(arguments.iter().map(|&argument| argument.to_owned()).collect())
    }

    #[test]
    fn arguments_are_one_command_or_one_each() {
        assert_eq!(lines(&["go", "depth", "5"]), ["go depth 5"]);
        assert_eq!(lines(&["go depth 5", "quit"]), ["go depth 5", "quit"]);
        assert_eq!(lines(&["uci", "quit"]), ["uci", "quit"]);
    }

    #[test]
    fn a_last_quit_is_left_out() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(without_quit(&words("bench 1 quit")), words("bench 1"));
        assert_eq!(without_quit(&words("bench quit")), words("bench"));
        for kept in ["quit", "bench 1", "completions quit"] {
            assert_eq!(without_quit(&words(kept)), words(kept));
        }
    }

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }
}

//! What a line of input asks for.

use super::go::GoRequest;
use super::options::OptionRequest;
use super::position::PositionRequest;
use super::text::{split_word, trim, words};
use crate::bench::{BenchSettings, SpeedTest};
use crate::genfens::GenFens;
use kaiyo_chess::quote;
use kaiyo_policy::tokens::{Player, Rating};
use std::path::PathBuf;

/// Ratings that are compared where none is given.
const COMPARED_RATINGS: [u32; 4] = [1100, 1500, 1900, 2300];

/// A command of the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Introduce yourself and list the options.
    Uci,
    /// Answer once everything before has taken effect.
    IsReady,
    /// The next position is of another game.
    NewGame,
    /// Set up a position.
    Position(PositionRequest),
    /// Search.
    Go(GoRequest),
    /// End the search.
    Stop,
    /// The expected move was played.
    PonderHit,
    /// Change an option.
    SetOption(OptionRequest),
    /// Say more, or no more.
    Debug(bool),
    /// Registration, which Kaiyo does not need.
    Register,
    /// End the program.
    Quit,
    /// Show the board.
    Display,
    /// Explain the static evaluation.
    Eval,
    /// Exchange the colours.
    Flip,
    /// Search the fixed set of positions.
    Bench(BenchSettings),
    /// Measure the speed with all threads.
    SpeedTest(SpeedTest),
    /// Write the network into this file; without a name into one that says which it is.
    ExportNetwork(Option<PathBuf>),
    /// Show what these players are likely to play.
    Policy(Vec<Player>),
    /// Make openings.
    GenFens(GenFens),
    /// List the commands.
    Help,
    /// Tell how this program was compiled.
    Compiler,
    /// Show the licence.
    License,
    /// Go on in the XBoard protocol.
    XBoard,
    /// The line cannot be understood, for this reason.
    Invalid(String),
}

impl Command {
    /// Reads a line; `None` if it is empty or a comment.
    pub fn parse(line: &str) -> Option<Self> {
        let (first, after_first) = split_word(line)?;
        if first.starts_with('#') {
            return None;
        }
        if let Some(command) =
            Self::standard(first, after_first).or_else(|| Self::further(first, after_first))
        {
            return Some(command);
        }
        // The protocol wants unknown words skipped: "joho debug on" is "debug on".
        let mut rest = after_first;
        while let Some((word, after)) = split_word(rest) {
            if let Some(command) = Self::standard(word, after) {
                return Some(command);
            }
            rest = after;
        }
        let line = quote(trim(line));
        Some(Self::Invalid(format!("unknown command {line}, 'help' lists all commands")))
    }

    /// The commands of the protocol.
    fn standard(name: &str, arguments: &str) -> Option<Self> {
        Some(match name {
            "uci" => Self::Uci,
            "isready" => Self::IsReady,
            "ucinewgame" => Self::NewGame,
            "position" => Self::Position(PositionRequest::parse(arguments)),
            "go" => Self::Go(GoRequest::parse(arguments)),
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit,
            "setoption" => match OptionRequest::parse(arguments) {
                Some(request) => Self::SetOption(request),
                None => Self::Invalid(format!(
                    "setoption: expected 'name <option> [value <text>]', found {}",
                    quote(trim(arguments))
                )),
            },
            "debug" => match words(arguments).next() {
                Some("on") => Self::Debug(true),
                Some("off") => Self::Debug(false),
                found => Self::Invalid(format!(
                    "debug: expected on or off, found {}",
                    quote(found.unwrap_or_default())
                )),
            },
            "register" => Self::Register,
            "quit" => Self::Quit,
            _ => return None,
        })
    }

    /// The commands beyond the protocol.
    fn further(name: &str, arguments: &str) -> Option<Self> {
        Some(match name {
            "d" => Self::Display,
            "eval" => Self::Eval,
            "flip" => Self::Flip,
            "bench" => match BenchSettings::parse(words(arguments)) {
                Ok(settings) => Self::Bench(settings),
                Err(message) => Self::Invalid(message),
            },
            "genfens" => match GenFens::parse(arguments) {
                Ok(request) => Self::GenFens(request),
                Err(message) => Self::Invalid(message),
            },
            "speedtest" => match SpeedTest::parse(words(arguments)) {
                Ok(settings) => Self::SpeedTest(settings),
                Err(message) => Self::Invalid(message),
            },
            "export_net" => {
                let path = trim(arguments);
                Self::ExportNetwork((!path.is_empty()).then(|| PathBuf::from(path)))
            }
            "policy" => match parse_players(arguments) {
                Ok(players) => Self::Policy(players),
                Err(message) => Self::Invalid(message),
            },
            "perft" => Self::Go(GoRequest::parse(&format!("perft {arguments}"))),
            "help" => Self::Help,
            "compiler" => Self::Compiler,
            "license" | "licence" => Self::License,
            "exit" => Self::Quit,
            "xboard" => Self::XBoard,
            _ => return None,
        })
    }

    /// Whether `word` is the name of a command.
    pub fn is_name(word: &str) -> bool {
        Self::standard(word, "").or_else(|| Self::further(word, "")).is_some()
    }

    /// Whether the command only looks and can be answered during a search.
    pub const fn only_looks(&self) -> bool {
        matches!(self, Self::Display | Self::Eval | Self::Help | Self::Compiler | Self::License)
    }

    /// Whether it is given for what it says, so that the end of input does not take it back.
    pub const fn has_an_answer(&self) -> bool {
        matches!(
            self,
            Self::Go(_)
                | Self::Bench(_)
                | Self::SpeedTest(_)
                | Self::ExportNetwork(_)
                | Self::Policy(_)
                | Self::GenFens(_)
        )
    }

    /// Whether the client has lost interest in a search that it sends this command into.
    pub const fn supersedes_search(&self) -> bool {
        matches!(self, Self::Go(_) | Self::Position(_) | Self::NewGame)
    }
}

/// Reads ratings and other players, or takes the usual ones.
fn parse_players(arguments: &str) -> Result<Vec<Player>, String> {
    let read = |text: &str| {
        Player::from_name(text).ok_or_else(|| {
            let [min, max] = [Rating::MIN, Rating::MAX].map(Rating::elo);
            format!(
                "policy: expected ratings from {min} to {max}, engine or unknown, found {}",
                quote(text)
            )
        })
    };
    let players = words(arguments).map(read).collect::<Result<Vec<_>, _>>()?;
    let usual = || COMPARED_RATINGS.map(|elo| Player::Human(Rating::nearest(elo))).to_vec();
    Ok(if players.is_empty() { usual() } else { players })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_before_a_command_are_skipped() {
        assert_eq!(Command::parse("joho debug on\n"), Some(Command::Debug(true)));
        assert_eq!(Command::parse("\u{feff}uci\r\n"), Some(Command::Uci));
        assert_eq!(Command::parse("\t isready \0"), Some(Command::IsReady));
    }

    #[test]
    fn empty_lines_and_comments_say_nothing() {
        for line in ["", "\r\n", "# go infinite", " \t\0 "] {
            assert_eq!(Command::parse(line), None, "{line:?}");
        }
    }

    #[test]
    fn short_commands_count_at_the_start_of_a_line_only() {
        assert_eq!(Command::parse("d"), Some(Command::Display));
        assert!(matches!(Command::parse("what is d"), Some(Command::Invalid(_))));
    }

    #[test]
    fn faults_are_named() {
        let message = |line| match Command::parse(line) {
            Some(Command::Invalid(message)) => message,
            other => panic!("{line}: {other:?}"),
        };
        assert!(message("xyzzy\n").contains("unknown command 'xyzzy'"));
        assert!(message("setoption Hash 3").contains("found 'Hash 3'"));
        assert!(message("bench x").contains("'x'"));
        assert!(message("policy 1500 x").contains("'x'"));
        assert!(message("speedtest 0").contains("threads"));
        assert!(message("debug maybe").contains("on or off"));
    }
}

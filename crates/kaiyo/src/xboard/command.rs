//! What a line of input asks for.

use super::clock::TimeControl;
use crate::uci::text::{clamped_integer, split_word, trim, words};
use std::time::Duration;

/// A command of the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Tell what the engine can do.
    Protover,
    /// Start a game in which the engine plays Black.
    New,
    /// Play this variant of chess.
    Variant(String),
    /// Play neither side.
    Force,
    /// Play the side to move, and move.
    Go,
    /// Play the side that is not to move.
    PlayOther,
    /// A move of the opponent, or of either side in force mode.
    Move(String),
    /// Set up this position.
    SetBoard(String),
    /// Take back so many half-moves.
    TakeBack(usize),
    /// How the time is divided.
    Level(TimeControl),
    /// Search no deeper.
    Depth(u32),
    /// What the engine's clock shows.
    Time(Duration),
    /// What the opponent's clock shows.
    OpponentTime(Duration),
    /// Move now.
    MoveNow,
    /// Answer with this text once everything before is done.
    Ping(String),
    /// The game has ended.
    Result,
    /// Think on the opponent's time, or do not.
    Ponder(bool),
    /// Show thinking, or do not.
    Post(bool),
    /// Analyse the position and what follows.
    Analyze,
    /// Leave the analysis.
    ExitAnalysis,
    /// Tell how the analysis stands.
    AnalysisStatus,
    /// Leave a move out of the analysis, or take it in again; all of them without a move.
    Exclude {
        /// The move.
        mv: Option<String>,
        /// Whether it is left out.
        excluded: bool,
    },
    /// Tell a good move for the user.
    Hint,
    /// Tell the moves of the opening book.
    Book,
    /// The opponent has this name.
    OpponentName(String),
    /// The opponent has this rating; 0 for none.
    OpponentRating(u16),
    /// The opponent is a program.
    OpponentIsComputer,
    /// Set an option of the engine, by its name in the UCI protocol.
    Option {
        /// The name.
        name: String,
        /// The value, or none for a button.
        value: Option<String>,
    },
    /// End the program.
    Quit,
    /// A word that needs no answer.
    Ignored,
    /// The arguments of a command make no sense, for this reason.
    Invalid(&'static str),
    /// Perhaps a move, or else nothing known.
    Unknown,
}

/// Commands about what does not concern this engine.
const IGNORED: &[&str] = &[
    "xboard", "accepted", "rejected", "random", "ics", "white", "black", "draw", "pause", "resume",
    "bogus", "lift", "put", "hover", "boost",
];

/// What `level` takes.
const LEVEL: &str = "moves or 0, minutes[:seconds] and seconds of increment, as in level 40 5:00 0";

impl Command {
    /// Reads a line; `None` if it is empty.
    pub fn parse(line: &str) -> Option<Self> {
        let (name, rest) = split_word(line)?;
        let rest = trim(rest);
        Some(match name {
            "protover" => Self::Protover,
            "new" => Self::New,
            "variant" => Self::Variant(rest.to_owned()),
            "force" => Self::Force,
            "go" => Self::Go,
            "playother" => Self::PlayOther,
            "usermove" => Self::Move(rest.to_owned()),
            "setboard" => Self::SetBoard(rest.to_owned()),
            "undo" => Self::TakeBack(1),
            "remove" => Self::TakeBack(2),
            "level" => TimeControl::level(rest).map_or(Self::Invalid(LEVEL), Self::Level),
            "st" => TimeControl::per_move(rest).map_or(Self::Invalid("seconds"), Self::Level),
            "sd" => number(rest).map_or(Self::Invalid("depth"), |depth| {
                Self::Depth(u32::try_from(depth.max(1)).unwrap_or(u32::MAX))
            }),
            "time" => centiseconds(rest).map_or(Self::Invalid("centiseconds"), Self::Time),
            "otim" => centiseconds(rest).map_or(Self::Invalid("centiseconds"), Self::OpponentTime),
            "?" => Self::MoveNow,
            "ping" => Self::Ping(rest.to_owned()),
            "result" => Self::Result,
            "hard" => Self::Ponder(true),
            "easy" => Self::Ponder(false),
            "post" => Self::Post(true),
            "nopost" => Self::Post(false),
            "analyze" => Self::Analyze,
            "exit" => Self::ExitAnalysis,
            "." => Self::AnalysisStatus,
            "exclude" | "include" => Self::Exclude {
                mv: (rest != "all").then(|| rest.to_owned()),
                excluded: name == "exclude",
            },
            "hint" => Self::Hint,
            "bk" => Self::Book,
            "name" => Self::OpponentName(rest.to_owned()),
            // The engine's own rating comes first.
            "rating" => words(rest)
                .nth(1)
                .and_then(clamped_integer)
                .map_or(Self::Invalid("two ratings"), |rating| {
                    Self::OpponentRating(u16::try_from(rating.max(0)).unwrap_or(u16::MAX))
                }),
            "computer" => Self::OpponentIsComputer,
            "memory" => Self::named_option("Hash", rest),
            "cores" => Self::named_option("Threads", rest),
            "egtpath" => Self::tablebases(rest),
            "option" => match rest.split_once('=') {
                Some((name, value)) => Self::named_option(name.trim(), value.trim()),
                None => Self::Option { name: rest.to_owned(), value: None },
            },
            "quit" => Self::Quit,
            ignored if IGNORED.contains(&ignored) => Self::Ignored,
            _ => Self::Unknown,
        })
    }

    fn named_option(name: &str, value: &str) -> Self {
        Self::Option { name: name.to_owned(), value: Some(value.to_owned()) }
    }

    /// `egtpath` has the kind of tables before the path; others than Syzygy's are not known here.
    fn tablebases(arguments: &str) -> Self {
        match split_word(arguments) {
            Some((kind, path)) if kind.eq_ignore_ascii_case("syzygy") => {
                Self::named_option("SyzygyPath", trim(path))
            }
            _ => Self::Ignored,
        }
    }
}

fn number(text: &str) -> Option<i64> {
    words(text).next().and_then(clamped_integer)
}

/// A clock; one that has run out may be below zero.
fn centiseconds(text: &str) -> Option<Duration> {
    const MAX: i64 = 1_000_000_000;
    Some(Duration::from_millis(number(text)?.clamp(0, MAX).unsigned_abs() * 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        let option = |name: &str, value: Option<&str>| Command::Option {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        };
        for (line, expected) in [
            ("usermove e2e4\n", Command::Move("e2e4".to_owned())),
            ("setboard 8/8/8/8 w\r\n", Command::SetBoard("8/8/8/8 w".to_owned())),
            ("time 1234", Command::Time(Duration::from_millis(12_340))),
            ("otim -5", Command::OpponentTime(Duration::ZERO)),
            ("sd 0", Command::Depth(1)),
            ("memory 64", option("Hash", Some("64"))),
            ("egtpath syzygy /my tables", option("SyzygyPath", Some("/my tables"))),
            ("egtpath nalimov /x", Command::Ignored),
            ("option Move Overhead=50", option("Move Overhead", Some("50"))),
            ("option Clear Hash", option("Clear Hash", None)),
            ("exclude all", Command::Exclude { mv: None, excluded: true }),
            ("accepted done", Command::Ignored),
            ("e2e4", Command::Unknown),
            ("name Gary Kasparov", Command::OpponentName("Gary Kasparov".to_owned())),
            ("rating 2600 2850", Command::OpponentRating(2850)),
            ("rating 0 0", Command::OpponentRating(0)),
            ("rating 2600", Command::Invalid("two ratings")),
            ("computer", Command::OpponentIsComputer),
            ("sd deep", Command::Invalid("depth")),
        ] {
            assert_eq!(Command::parse(line), Some(expected), "{line}");
        }
        assert_eq!(Command::parse(" \r\n"), None);
    }
}

//! Whatever a client or a user types, reading it neither panics nor fails without a reason in one
//! line.

use crate::cli;
use crate::genfens::GenFens;
use crate::uci::Command as UciCommand;
use crate::xboard::{Command as XBoardCommand, TimeControl};
use kaiyo_chess::{Colour, Position};
use kaiyo_fuzz::rounds;
use proptest::prelude::*;

/// Words of the protocols and the command line, and what breaks them.
const WORDS: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "setoption",
    "name",
    "value",
    "position",
    "startpos",
    "fen",
    "moves",
    "go",
    "depth",
    "nodes",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
    "stop",
    "ponderhit",
    "debug",
    "on",
    "bench",
    "genfens",
    "seed",
    "book",
    "None",
    "chess960",
    "xboard",
    "protover",
    "level",
    "st",
    "sd",
    "time",
    "otim",
    "usermove",
    "setboard",
    "option",
    "memory",
    "exclude",
    "all",
    "ping",
    "egtpath",
    "syzygy",
    "variant",
    "Hash",
    "Clear",
    "MultiPV",
    "UCI_Opponent",
    "<empty>",
    "true",
    "e2e4",
    "e7e8q",
    "0000",
    "O-O",
    "Nf3",
    "-1",
    "0",
    "1",
    "40",
    "5:30",
    "0.5",
    "1e400",
    "nan",
    "18446744073709551616",
    "-9223372036854775809",
    "w",
    "KQkq",
    "-",
    "HAha",
    "=",
    "#",
    "%",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
    "8/8/8/8/8/8/8/8",
    "4k3/8/8/8/8/8/8/4K3",
    "--help",
    "--fen",
    "--backends",
    "perft",
    "eval",
    "completions",
    "bash",
    "policy",
    "\u{feff}",
    "\0",
    "\u{fffd}",
    "ä",
    "\t",
];

fn any_line() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        8 => proptest::sample::select(WORDS).prop_map(str::to_owned),
        1 => any::<String>(),
        1 => "[a-h1-8pnbrqkPNBRQK/ -]{0,40}",
    ];
    proptest::collection::vec(word, 0..14).prop_map(|words| words.join(" "))
}

fn is_one_short_line(message: &str) -> bool {
    !message.contains(['\n', '\r']) && message.len() < 1_000
}

#[test]
fn any_line_is_read_as_uci() {
    rounds(4_000, |config| {
        proptest!(config, |(line in any_line())| {
            match UciCommand::parse(&line) {
                Some(UciCommand::Invalid(message)) => prop_assert!(is_one_short_line(&message)),
                Some(UciCommand::Position(request)) => {
                    for set_up in [false, true].map(|chess960| request.set_up(chess960)) {
                        let is_short = set_up.fault.as_deref().is_none_or(is_one_short_line);
                        prop_assert!(is_short, "{:?}", set_up.fault);
                    }
                }
                Some(UciCommand::Go(request)) => {
                    let (limits, faults) = request.limits(&Position::start());
                    prop_assert!(faults.iter().all(|fault| is_one_short_line(fault)), "{:?}", faults);
                    prop_assert!(limits.search_moves.iter().all(|&mv| Position::start().is_legal(mv)));
                }
                _ => {}
            }
        })
    });
}

#[test]
fn any_line_is_read_as_xboard() {
    rounds(4_000, |config| {
        proptest!(config, |(line in any_line())| {
            if let Some(XBoardCommand::SetBoard(fen)) = XBoardCommand::parse(&line) {
                let _ = Position::from_fen(&fen);
            }
            let controls = [TimeControl::level(&line), TimeControl::per_move(&line)];
            for control in controls.into_iter().flatten() {
                let mut clocks = crate::xboard::Clocks::NEW;
                clocks.set_control(control);
                clocks.move_made(std::time::Duration::MAX, u32::MAX);
                clocks.limits(Colour::White, u32::MAX);
            }
        })
    });
}

#[test]
fn any_arguments_are_understood_or_refused() {
    rounds(4_000, |config| {
        proptest!(config, |(line in any_line())| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            cli::read(&words);
            if let Err(message) = GenFens::parse(&line) {
                prop_assert!(is_one_short_line(&message));
            }
        })
    });
}

//! Checks the leaf counts of perft suites: `perft_suite [--lines N] DEPTH FILE...`.
//!
//! Reads both common formats, recognised line by line:
//! `FEN ;D1 20 ;D2 400 ...`, and blocks of `epd FEN` followed by lines `perft 1 20`.
//! Counts beyond DEPTH are left out; `--lines` stops after so many positions of a file.
//! Exits with 1 if any count differs.

use kaiyo_chess::{Position, perft};
use std::process::ExitCode;

const USAGE: &str = "usage: perft_suite [--lines N] DEPTH FILE...";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// Checks all files and returns how many positions failed.
fn run(arguments: &[String]) -> Result<usize, String> {
    let mut arguments = arguments.iter();
    let mut number = || {
        let argument = arguments.next().ok_or(USAGE)?;
        if argument == "--lines" { Ok(None) } else { argument.parse().map(Some).map_err(|_| USAGE) }
    };
    let (limit, depth) = match number()? {
        Some(depth) => (usize::MAX, depth),
        None => (number()?.ok_or(USAGE)?, number()?.ok_or(USAGE)?),
    };
    let mut failed = 0;
    for path in arguments {
        let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
        let cases = parse_suite(&String::from_utf8_lossy(&bytes))
            .map_err(|message| format!("{path}: {message}"))?;
        let (mut positions, mut counts, mut nodes) = (0, 0, 0);
        for case in cases.iter().take(limit) {
            match case.check(depth) {
                Ok(checked) => {
                    positions += 1;
                    counts += checked.len();
                    nodes += checked.iter().sum::<u64>();
                }
                Err(message) => {
                    println!("{path}: {message}");
                    failed += 1;
                }
            }
        }
        println!("{path}: {positions} positions, {counts} counts, {nodes} leaves agree");
    }
    println!("{failed} positions failed");
    Ok(failed)
}

/// A position and its leaf counts by depth.
struct Case {
    fen: String,
    counts: Vec<(usize, u64)>,
}

impl Case {
    /// Checks the counts up to `max_depth` and returns them.
    fn check(&self, max_depth: usize) -> Result<Vec<u64>, String> {
        let fen = &self.fen;
        let position = Position::from_fen(fen).map_err(|error| format!("{fen}: {error}"))?;
        let mut checked = Vec::new();
        for &(depth, nodes) in self.counts.iter().filter(|(depth, _)| *depth <= max_depth) {
            let found = perft(&position, depth as u32);
            if found != nodes {
                return Err(format!("{fen}: perft {depth} is {found}, expected {nodes}"));
            }
            checked.push(nodes);
        }
        Ok(checked)
    }
}

fn parse_suite(text: &str) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        let line = line.trim_matches(|letter: char| letter.is_whitespace() || letter == '\0');
        if line.is_empty() || line.starts_with('#') || line.starts_with("id ") {
            continue;
        }
        let bad = || format!("unreadable line '{line}'");
        if let Some(fen) = line.strip_prefix("epd ") {
            cases.push(Case { fen: fen.to_owned(), counts: Vec::new() });
        } else if let Some(count) = line.strip_prefix("perft ") {
            let case = cases.last_mut().ok_or_else(bad)?;
            case.counts.push(parse_count(count).ok_or_else(bad)?);
        } else {
            let mut fields = line.split(';').map(str::trim);
            let fen = fields.next().unwrap_or_default().to_owned();
            let counts = fields
                .filter(|field| !field.is_empty())
                .map(|field| field.strip_prefix('D').and_then(parse_count))
                .collect::<Option<_>>();
            cases.push(Case { fen, counts: counts.ok_or_else(bad)? });
        }
    }
    Ok(cases)
}

/// Reads `DEPTH COUNT`.
fn parse_count(text: &str) -> Option<(usize, u64)> {
    let (depth, nodes) = text.split_once(' ')?;
    Some((depth.parse().ok()?, nodes.trim().parse().ok()?))
}

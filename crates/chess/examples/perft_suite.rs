//! Checks the leaf counts of perft suites: `perft_suite DEPTH FILE...`.
//!
//! Lines are `FEN ;D1 20 ;D2 400 ...`; counts beyond DEPTH are left out. Exits with 1 if any differs.

use kaiyo_chess::{Position, perft};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(depth) = arguments.next().and_then(|depth| depth.parse::<u32>().ok()) else {
        eprintln!("usage: perft_suite DEPTH FILE...");
        return ExitCode::from(2);
    };
    let (mut passed, mut failed) = (0, 0);
    for path in arguments {
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{path}: {error}");
                return ExitCode::from(2);
            }
        };
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match check(line, depth) {
                Ok(counts) => passed += counts,
                Err(message) => {
                    println!("{path}: {message}");
                    failed += 1;
                }
            }
        }
    }
    println!("{passed} passed, {failed} failed");
    if failed == 0 && passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Checks every count of a line down to `max_depth`, and returns how many there were.
fn check(line: &str, max_depth: u32) -> Result<usize, String> {
    let mut fields = line.split(';');
    let fen = fields.next().unwrap_or_default().trim();
    let position = Position::from_fen(fen).map_err(|error| format!("{fen}: {error}"))?;
    let mut checked = 0;
    for field in fields {
        let mut words = field.trim().trim_start_matches('D').split_whitespace();
        let (Some(depth), Some(nodes)) = (words.next(), words.next()) else { continue };
        let depth: u32 = depth.parse().map_err(|_| format!("{fen}: bad depth in '{field}'"))?;
        let nodes: u64 = nodes.parse().map_err(|_| format!("{fen}: bad count in '{field}'"))?;
        if depth <= max_depth {
            let found = perft(&position, depth);
            if found != nodes {
                return Err(format!("{fen}: perft {depth} is {found}, expected {nodes}"));
            }
            checked += 1;
        }
    }
    Ok(checked)
}

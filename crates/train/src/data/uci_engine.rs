//! Another engine, asked by UCI.

use crate::viriformat::MAX_SCORE;
use anyhow::{Context, Result, ensure};
use kaiyo_chess::{FenStyle, Move, Position};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Moves of a position that an engine is asked for at once: as many as any has.
const ALL_MOVES: usize = 218;

/// A running engine that scores all moves of a position. It ends with this value.
pub struct UciEngine {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: String,
}

impl UciEngine {
    /// Starts an engine and sets its options, each as `NAME=VALUE`.
    ///
    /// # Errors
    /// It does not start, does not speak UCI, shows too few lines, or an option has no value.
    pub fn start(program: &str, options: &[String]) -> Result<Self> {
        let mut process = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {program}"))?;
        let input = process.stdin.take().context("the engine has no input")?;
        let output = BufReader::new(process.stdout.take().context("the engine has no output")?);
        let mut engine = Self { process, input, output, line: String::new() };
        engine.send("uci")?;
        let mut lines = 1;
        while engine.read()? != "uciok" {
            lines = most_lines(&engine.line).unwrap_or(lines);
        }
        ensure!(
            lines >= ALL_MOVES,
            "{program}: expected an engine that shows {ALL_MOVES} lines (MultiPV), found {lines} at most"
        );
        let always = ["UCI_Chess960=true".to_owned(), format!("MultiPV={ALL_MOVES}")];
        for option in options.iter().chain(&always) {
            let (name, value) = option
                .split_once('=')
                .with_context(|| format!("option \"{option}\", expected NAME=VALUE"))?;
            engine.send(&format!("setoption name {name} value {value}"))?;
        }
        engine.send("isready")?;
        engine.wait_for("readyok")?;
        Ok(engine)
    }

    /// The moves of a position with the scores of the side to move in centipawns, as the search
    /// that `go` asks for (`depth 1`) says in the end. Mates are [`MAX_SCORE`].
    ///
    /// # Errors
    /// The engine ended, or said something that is not understood.
    pub fn score_moves(&mut self, position: &Position, go: &str) -> Result<Vec<(Move, i16)>> {
        let fen = position.to_fen(FenStyle::Shredder);
        self.send(&format!("position fen {fen}\ngo {go}"))?;
        let mut scores: Vec<(Move, i16)> = Vec::new();
        while self.read()? != "bestmove" {
            let Some((text, score)) = parse_info(&self.line) else { continue };
            let mv = position
                .parse_uci_move(text)
                .with_context(|| format!("the engine's line \"{}\" in {fen}", self.line.trim()))?;
            match scores.iter_mut().find(|(known, _)| *known == mv) {
                Some((_, known)) => *known = score,
                None => scores.push((mv, score)),
            }
        }
        Ok(scores)
    }

    fn send(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}").context("the engine takes no more commands")
    }

    fn wait_for(&mut self, word: &str) -> Result<()> {
        while self.read()? != word {}
        Ok(())
    }

    /// Reads a line and gives its first word.
    fn read(&mut self) -> Result<&str> {
        self.line.clear();
        let length = self.output.read_line(&mut self.line).context("cannot read the engine")?;
        ensure!(length > 0, "the engine ended");
        Ok(self.line.split_whitespace().next().unwrap_or_default())
    }
}

impl Drop for UciEngine {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The most lines that an engine shows, from the line about that option.
fn most_lines(line: &str) -> Option<usize> {
    let bounds = line.trim().strip_prefix("option name MultiPV type spin ")?;
    bounds.split_once("max ")?.1.split_whitespace().next()?.parse().ok()
}

/// The first move and the score of an info line that has both, bounds left out.
fn parse_info(line: &str) -> Option<(&str, i16)> {
    let mut words = line.split_whitespace();
    if words.next() != Some("info") {
        return None;
    }
    let mut score = None;
    while let Some(word) = words.next() {
        match word {
            "string" | "lowerbound" | "upperbound" => return None,
            "score" => score = Some(parse_score(words.next()?, words.next()?)?),
            "pv" => return Some((words.next()?, score?)),
            _ => {}
        }
    }
    None
}

fn parse_score(kind: &str, value: &str) -> Option<i16> {
    let value: i32 = value.parse().ok()?;
    let limit = i32::from(MAX_SCORE);
    match kind {
        "cp" => Some(value.clamp(-limit, limit) as i16),
        "mate" if value > 0 => Some(MAX_SCORE),
        "mate" => Some(-MAX_SCORE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_lines_are_read() {
        let line = "option name MultiPV type spin default 1 min 1 max 218\n";
        assert_eq!(most_lines(line), Some(218));
        assert_eq!(most_lines("option name Hash type spin default 16 min 1 max 33554432"), None);
    }

    #[test]
    fn info_lines_are_read() {
        let line = "info depth 1 seldepth 3 multipv 2 score cp -17 nodes 9 time 1 pv e2e4 e7e5";
        assert_eq!(parse_info(line), Some(("e2e4", -17)));
        let mate = "info depth 1 score mate -2 wdl 0 0 1000 pv a1a2";
        assert_eq!(parse_info(mate), Some(("a1a2", -MAX_SCORE)));
        for other in [
            "info depth 1 score cp 3 lowerbound pv e2e4",
            "info string score cp 3 pv e2e4",
            "info depth 1 currmove e2e4",
            "info nodes 5 pv e2e4",
            "bestmove e2e4",
        ] {
            assert_eq!(parse_info(other), None, "{other}");
        }
    }

    #[test]
    fn a_program_that_cannot_start_is_named() {
        let error = UciEngine::start("/nonexistent/engine", &[]).err().unwrap();
        assert!(error.to_string().contains("/nonexistent/engine"));
    }
}

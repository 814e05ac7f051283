//! Games with a score for each move, one in a line: `RESULT|FEN or -|move:score move:score ...`.
//!
//! Moves are in UCI notation, scores White's in centipawns with 32000 for a mate. A move without
//! a score stands alone.

use crate::{GameResult, MAX_SCORE, PlayedGame, TextLines};
use anyhow::{Context, Result, bail};
use kaiyo_chess::{Position, quote};
use std::io::BufRead;

/// Reads games one after another.
pub struct EvalsReader<R> {
    lines: TextLines<R>,
}

impl<R: BufRead> EvalsReader<R> {
    /// A reader of uncompressed text.
    pub fn new(input: R) -> Self {
        Self { lines: TextLines::new(input) }
    }

    /// The next game or what is wrong with it, or `None` at the end.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn next_game(&mut self) -> Result<Option<Result<PlayedGame>>> {
        Ok(self.lines.next_filled()?.map(|line| parse(&line)))
    }
}

fn parse(line: &str) -> Result<PlayedGame> {
    let mut fields = line.splitn(3, '|');
    let (Some(result), Some(start), Some(moves)) = (fields.next(), fields.next(), fields.next())
    else {
        bail!("expected RESULT|FEN|MOVES, found {}", quote(line));
    };
    let result = GameResult::known_or_open(result)?;
    let start = if start == "-" { Position::start() } else { Position::from_fen(start)? };
    let mut position = start;
    let moves = moves
        .split_whitespace()
        .map(|text| {
            let (mv, score) = match text.split_once(':') {
                Some((mv, score)) => (mv, Some(score)),
                None => (text, None),
            };
            let mv = position.parse_uci_move(mv)?;
            position = position.make(mv);
            let score = score.map(str::parse::<i32>).transpose().context("a score is no number")?;
            let limit = i32::from(MAX_SCORE);
            Ok((mv, score.map(|score| score.clamp(-limit, limit) as i16)))
        })
        .collect::<Result<_>>()?;
    Ok(PlayedGame { start, result, ratings: [None; 2], time_class: None, moves })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Result<PlayedGame>> {
        let mut reader = EvalsReader::new(text.as_bytes());
        std::iter::from_fn(|| reader.next_game().unwrap()).collect()
    }

    #[test]
    fn moves_and_scores_are_read() {
        let text = "1-0|-|e2e4 e7e5:12 e1e2:-3 e8e7:40000\n\
                    1/2-1/2|4k3/8/8/8/8/8/8/R3K3 w Q - 0 1|e1c1:500\n";
        let games: Vec<_> = read(text).into_iter().map(Result::unwrap).collect();
        let scores: Vec<_> = games[0].moves.iter().map(|&(_, score)| score).collect();
        assert_eq!(scores, [None, Some(12), Some(-3), Some(MAX_SCORE)]);
        assert_eq!(games[0].result, Some(GameResult::WhiteWon));
        assert!(games[1].moves[0].0.is_castling());
    }

    #[test]
    fn bad_lines_do_not_end_the_reading() {
        let games = read("1-0|-|e2e5\nnonsense\n2-0|-|\n1-0|-|e2e4:x\n\n*|-|e2e4\n0-1|-|e2e4\n\n");
        let good: Vec<_> = games.iter().map(Result::is_ok).collect();
        assert_eq!(good, [false, false, false, false, true, true]);
        assert_eq!(games[4].as_ref().unwrap().result, None);
    }
}

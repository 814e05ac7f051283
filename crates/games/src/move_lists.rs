//! Games as lists of moves, one in a line: `RESULT WHITE_RATING BLACK_RATING SPEED move move ...`.
//!
//! Moves are in UCI notation. A rating of 0 and a speed that is no [`TimeClass`] are unknown.

use crate::{GameResult, PlayedGame, TextLines, TimeClass};
use anyhow::{Context, Result, bail};
use kaiyo_chess::{Position, quote};
use std::io::BufRead;

/// Reads games one after another.
pub struct MoveListReader<R> {
    lines: TextLines<R>,
    max_plies: usize,
}

impl<R: BufRead> MoveListReader<R> {
    /// A reader of uncompressed text that leaves out the moves of each game after the first
    /// `max_plies`.
    pub fn new(input: R, max_plies: usize) -> Self {
        Self { lines: TextLines::new(input), max_plies }
    }

    /// The next game or what is wrong with it, or `None` at the end.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn next_game(&mut self) -> Result<Option<Result<PlayedGame>>> {
        Ok(self.lines.next_filled()?.map(|line| parse(&line, self.max_plies)))
    }
}

fn parse(line: &str, max_plies: usize) -> Result<PlayedGame> {
    let mut words = line.split_ascii_whitespace();
    let [Some(result), Some(white), Some(black), Some(speed)] = [(); 4].map(|()| words.next())
    else {
        bail!("expected RESULT RATING RATING SPEED MOVES, found {}", quote(line));
    };
    let result = GameResult::known_or_open(result)?;
    let rating = |text: &str| -> Result<Option<u16>> {
        let rating =
            text.parse().with_context(|| format!("rating {} is no number", quote(text)))?;
        Ok((rating > 0).then_some(rating))
    };
    let mut position = Position::start();
    let moves = words
        .take(max_plies)
        .map(|text| {
            let mv = position.parse_uci_move(text)?;
            position = position.make(mv);
            Ok((mv, None))
        })
        .collect::<Result<_>>()?;
    Ok(PlayedGame {
        start: Position::start(),
        result,
        ratings: [rating(white)?, rating(black)?],
        time_class: TimeClass::from_name(speed),
        moves,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, max_plies: usize) -> Vec<Result<PlayedGame>> {
        let mut reader = MoveListReader::new(text.as_bytes(), max_plies);
        std::iter::from_fn(|| reader.next_game().unwrap()).collect()
    }

    #[test]
    fn games_are_read() {
        let text = "0-1 2605 0 rapid d2d4 g8f6 c2c4\n1-0 0 0 unknown e2e4\n";
        let games: Vec<_> = read(text, 2).into_iter().map(Result::unwrap).collect();
        assert_eq!(games[0].result, Some(GameResult::BlackWon));
        assert_eq!(games[0].ratings, [Some(2605), None]);
        assert_eq!(games[0].time_class, Some(TimeClass::Rapid));
        assert_eq!((games[0].moves.len(), games[1].moves.len()), (2, 1));
        assert_eq!(games[1].time_class, None);
    }

    #[test]
    fn bad_lines_do_not_end_the_reading() {
        let games = read(
            "1-0 1 1 blitz e2e5\nnonsense\n1-0 x 1 blitz\n\n* 1 1 blitz\n0-1 1 1 blitz e2e4",
            9,
        );
        let good: Vec<_> = games.iter().map(Result::is_ok).collect();
        assert_eq!(good, [false, false, false, true, true]);
        assert_eq!(games[3].as_ref().unwrap().result, None);
    }
}

//! Games in whichever format a file has.

use crate::{EvalsReader, MoveListReader, PgnReader, PlayedGame, is_pgn};
use anyhow::Result;
use std::io::BufRead;
use std::path::Path;

/// Reads games one after another.
pub enum GamesReader<R> {
    /// Portable Game Notation.
    Pgn(PgnReader<R>),
    /// Moves with scores.
    Evals(EvalsReader<R>),
    /// Moves alone.
    MoveLists(MoveListReader<R>),
}

impl<R: BufRead> GamesReader<R> {
    /// A reader of the uncompressed text of the file with this name. Games in PGN are known by
    /// the name, the other formats by their first line that is not empty. The caller wants the first `max_plies`
    /// moves of each game; it may get more.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn new(mut input: R, name: &Path, max_plies: usize) -> Result<Self> {
        if is_pgn(name) {
            return Ok(Self::Pgn(PgnReader::new(input)));
        }
        let start = input.fill_buf()?;
        let mut lines = start.split(|&byte| byte == b'\n');
        let first_line = lines.find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
        Ok(if first_line.contains(&b'|') {
            Self::Evals(EvalsReader::new(input))
        } else {
            Self::MoveLists(MoveListReader::new(input, max_plies))
        })
    }

    /// The next game or what is wrong with it, or `None` at the end.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn next_game(&mut self) -> Result<Option<Result<PlayedGame>>> {
        match self {
            Self::Pgn(reader) => {
                Ok(reader.next_game()?.map(|game| game.map_err(anyhow::Error::from)))
            }
            Self::Evals(reader) => reader.next_game(),
            Self::MoveLists(reader) => reader.next_game(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_apart() {
        let first = |text: &str, name: &str| {
            let mut reader = GamesReader::new(text.as_bytes(), Path::new(name), 9).unwrap();
            reader.next_game().unwrap().map(|game| game.unwrap().moves.len())
        };
        assert_eq!(first("[Event \"x\"]\n\n1. e4 e5 1-0\n", "x.pgn"), Some(2));
        assert_eq!(first("1-0|-|e2e4:3\n", "x.evals"), Some(1));
        assert_eq!(first("\r\n\n1-0|-|e2e4:3\n", "x.evals"), Some(1));
        assert_eq!(first("1-0 0 0 blitz e2e4 e7e5 g1f3\n", "x.games"), Some(3));
        assert_eq!(first("", "x.games"), None);
    }
}

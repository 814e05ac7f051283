//! Games and positions in the formats of the world.

mod any_format;
mod evals;
mod move_lists;
mod pgn;
mod result;
mod time_class;

pub use any_format::GamesReader;
pub use evals::EvalsReader;
pub use move_lists::MoveListReader;
pub use pgn::{PgnError, PgnReader};
pub use result::GameResult;
pub use time_class::TimeClass;

use anyhow::{Context, Result};
use kaiyo_chess::{Move, Position};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Scores are clamped to plus or minus this, which also stands for mates.
pub const MAX_SCORE: i16 = 32_000;
/// Bytes that a line may have.
const MAX_LINE: u64 = 16 << 20;
/// Bytes of text that are read at a time.
const TEXT_BUFFER: usize = 1 << 20;

/// A game that was played somewhere.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// The position before the first move.
    pub start: Position,
    /// How the game ended, if it did.
    pub result: Option<GameResult>,
    /// Ratings of White and Black, where they are known.
    pub ratings: [Option<u16>; 2],
    /// How fast it was played, if that is known.
    pub time_class: Option<TimeClass>,
    /// The moves, each with White's score of the position before it in centipawns, where it is
    /// known. Mates are [`MAX_SCORE`].
    pub moves: Vec<(Move, Option<i16>)>,
}

/// Opens a text, plain or compressed by zstd.
///
/// # Errors
/// The file cannot be read.
pub fn open_text(path: &Path) -> Result<Box<dyn BufRead>> {
    let context = || format!("cannot read {}", path.display());
    decode_text(File::open(path).with_context(context)?, path).with_context(context)
}

/// The text in the bytes of a file with this name, whose ending tells whether zstd has
/// compressed it.
///
/// # Errors
/// There is no memory to decompress it, or this build cannot do that.
pub fn decode_text(bytes: impl Read + 'static, name: &Path) -> Result<Box<dyn BufRead>> {
    if name.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zst")) {
        return Ok(Box::new(BufReader::with_capacity(TEXT_BUFFER, decompress(bytes)?)));
    }
    Ok(Box::new(BufReader::with_capacity(TEXT_BUFFER, bytes)))
}

#[cfg(not(target_family = "wasm"))]
fn decompress(bytes: impl Read) -> Result<impl Read> {
    /// Compressed files may look back up to 128 MiB.
    const WINDOW_LOG: u32 = 27;
    let mut decoder = zstd::Decoder::new(bytes)?;
    decoder.window_log_max(WINDOW_LOG)?;
    Ok(decoder)
}

#[cfg(target_family = "wasm")]
fn decompress(_: impl Read) -> Result<io::Empty> {
    anyhow::bail!("this build reads no files compressed by zstd")
}

/// Whether a file holds games in PGN, by its name.
pub fn is_pgn(path: &Path) -> bool {
    let name = path.to_string_lossy().to_ascii_lowercase();
    name.trim_end_matches(".zst").ends_with(".pgn")
}

/// Appends the positions of a file: one in each line as FEN or EPD, or the last ones of the games
/// of a PGN.
///
/// # Errors
/// The file cannot be read, or holds something else.
pub fn read_positions(path: &Path, positions: &mut Vec<Position>) -> Result<()> {
    let text = open_text(path)?;
    if is_pgn(path) {
        let mut reader = PgnReader::new(text);
        while let Some(game) = reader.next_game()? {
            let game = game.with_context(|| format!("in {}", path.display()))?;
            positions
                .push(game.moves.iter().fold(game.start, |position, (mv, _)| position.make(*mv)));
        }
        return Ok(());
    }
    for (index, line) in TextLines::new(text).enumerate() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let position = parse_epd(&line)
            .with_context(|| format!("line {} of {}", index + 1, path.display()))?;
        positions.push(position);
    }
    Ok(())
}

/// The lines of a text. Names in old encodings do not matter: bytes that are no UTF-8 are replaced. A line without
/// end, as of a file that is no text, is an error before it fills the memory.
struct TextLines<R>(R);

impl<R: BufRead> TextLines<R> {
    const fn new(input: R) -> Self {
        Self(input)
    }

    /// The next line that is not blank.
    fn next_filled(&mut self) -> io::Result<Option<String>> {
        self.find(|line| !line.as_ref().is_ok_and(String::is_empty)).transpose()
    }
}

impl<R: BufRead> Iterator for TextLines<R> {
    type Item = io::Result<String>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut bytes = Vec::new();
        match self.0.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut bytes) {
            Ok(0) => None,
            Ok(len) if len as u64 > MAX_LINE => {
                let fault = format!("a line has more than {} MiB", MAX_LINE >> 20);
                Some(Err(io::Error::new(io::ErrorKind::InvalidData, fault)))
            }
            Ok(_) => Some(Ok(text_of_line(&bytes))),
            Err(error) => Some(Err(error)),
        }
    }
}

/// A line without its end and without a mark of the byte order, which joined files have in their midst.
fn text_of_line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_end();
    text.strip_prefix('\u{feff}').unwrap_or(text).to_owned()
}

/// The position at the start of a line of EPD or FEN. EPD has operations in place of the clocks.
fn parse_epd(line: &str) -> Result<Position> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let clocks = fields.iter().skip(4).take(2).take_while(|field| field.parse::<u16>().is_ok());
    let used = 4 + clocks.count();
    let fen = fields[..used.min(fields.len())].join(" ");
    Ok(Position::from_fen(&fen)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn epd_and_fen_are_read() {
        let start = Position::start();
        for line in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 1;",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 bm e4;",
        ] {
            assert_eq!(parse_epd(line).unwrap(), start, "{line}");
        }
        assert!(parse_epd("8/8/8/8/8/8/8/8 w - -").is_err());
        assert!(parse_epd("").is_err());
    }

    #[test]
    fn names_tell_the_format() {
        for (name, pgn) in [("a.pgn", true), ("b.PGN.zst", true), ("a.epd", false)] {
            assert_eq!(is_pgn(Path::new(name)), pgn, "{name}");
        }
    }
}

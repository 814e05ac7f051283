//! Openings for the games by which OpenBench makes training data
//! (<https://github.com/AndyGrant/OpenBench>): `genfens N seed S book <None|file> [extra]`.

use crate::paths::expect_file;
use kaiyo_chess::{FenStyle, Game, Position, Random, quote};
use kaiyo_search::{Engine, Limits};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Random half-moves from a start position; one more in every other opening.
const PLIES: usize = 8;
/// Fewer from a start position of Chess960, where no two are alike anyway.
const CHESS960_PLIES: usize = 4;
/// Most random half-moves after a position of a book.
const BOOK_PLIES: usize = 4;
/// Nodes of the search that tests whether an opening is balanced.
const NODES: u64 = 1000;
/// Largest score of an opening, in centipawns.
const MAX_SCORE: i32 = 150;
/// Size of the hash table, in MiB.
const HASH_MIB: usize = 1;
/// Openings that may fail one after the other before the work is given up.
const MAX_FAILURES: u32 = 2000;
const CHESS960_STARTS: usize = 960;

/// Arguments of `genfens`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenFens {
    count: u64,
    seed: u64,
    /// Positions to begin with, if there are any.
    book: Option<PathBuf>,
    /// Begin with positions of Chess960.
    chess960: bool,
}

impl GenFens {
    /// Reads the arguments. Of the extra ones `chess960` is known, others are refused.
    ///
    /// # Errors
    /// A message that says what was expected.
    pub fn parse(arguments: &str) -> Result<Self, String> {
        let expected = "genfens: expected 'N seed S book <None|file> [chess960]'";
        let mut words = arguments.split_whitespace().peekable();
        let mut next = || words.next().ok_or_else(|| expected.to_owned());
        let number =
            |text: &str| text.parse().map_err(|_| format!("{expected}, found {}", quote(text)));
        let count = number(next()?)?;
        let mut request = Self { count, seed: 0, book: None, chess960: false };
        while let Some(word) = words.next() {
            match word {
                "seed" => request.seed = number(words.next().ok_or(expected)?)?,
                "book" => {
                    let mut path = words.next().ok_or(expected)?.to_owned();
                    // Paths may have spaces.
                    while let Some(more) = words.next_if(|&word| !is_keyword(word)) {
                        path = format!("{path} {more}");
                    }
                    let is_none = path.eq_ignore_ascii_case("none");
                    request.book = (!is_none).then(|| PathBuf::from(path));
                }
                "chess960" => request.chess960 = true,
                _ => return Err(format!("{expected}, found {}", quote(word))),
            }
        }
        Ok(request)
    }

    /// Makes the openings and hands each to `show`, until all are made or `stop` is set. The same
    /// arguments make the same openings.
    ///
    /// # Errors
    /// The book cannot be read, nothing balanced comes of it, or this machine cannot provide an engine.
    pub fn run(&self, stop: &AtomicBool, mut show: impl FnMut(&str)) -> Result<(), Box<dyn Error>> {
        let book = self.book.as_deref().map(read_book).transpose()?.unwrap_or_default();
        let mut engine = Engine::new(HASH_MIB)?;
        let mut random = Random::new(self.seed);
        let style = if self.chess960 { FenStyle::Shredder } else { FenStyle::XFen };
        let (mut made, mut failures) = (0, 0);
        while made < self.count && !stop.load(Ordering::Relaxed) {
            let candidate = self.candidate(&book, &mut random);
            if let Some(position) = candidate.filter(|&found| is_balanced(&mut engine, found)) {
                show(&position.to_fen(style));
                (made, failures) = (made + 1, 0);
            } else if failures == MAX_FAILURES {
                return Err(format!("{failures} openings in a row were not balanced").into());
            } else {
                failures += 1;
            }
        }
        Ok(())
    }

    /// A start with its random moves, unless these end the game.
    fn candidate(&self, book: &[Position], random: &mut Random) -> Option<Position> {
        let (start, plies) = if !book.is_empty() {
            (random.choose(book), random.below(BOOK_PLIES + 1))
        } else if self.chess960 {
            (Position::chess960(random.below(CHESS960_STARTS) as u16)?, CHESS960_PLIES)
        } else {
            (Position::start(), PLIES)
        };
        let more = usize::from(book.is_empty()) * random.below(2);
        start.after_random_moves(plies + more, random)
    }
}

fn is_keyword(word: &str) -> bool {
    ["seed", "book", "chess960"].contains(&word)
}

fn read_book(path: &Path) -> Result<Vec<Position>, Box<dyn Error>> {
    let mut positions = Vec::new();
    expect_file(path)?;
    kaiyo_games::read_positions(path, &mut positions).map_err(|error| format!("{error:#}"))?;
    if positions.is_empty() {
        return Err(format!("{} has no position", path.display()).into());
    }
    Ok(positions)
}

fn is_balanced(engine: &mut Engine, position: Position) -> bool {
    engine.new_game();
    engine.set_game(Game::new(position));
    let limits = Limits { soft_nodes: Some(NODES), ..Limits::nodes(20 * NODES) };
    let score = engine.search(limits).and_then(|found| found.score);
    score.is_some_and(|score| score.value().abs() <= MAX_SCORE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn openings(arguments: &str) -> Vec<String> {
        let mut fens = Vec::new();
        let request = GenFens::parse(arguments).unwrap();
        request.run(&AtomicBool::new(false), |fen| fens.push(fen.to_owned())).unwrap();
        fens
    }

    #[test]
    fn openings_are_different_and_the_same_for_a_seed() {
        let fens = openings("6 seed 5 book None");
        assert_eq!(fens.iter().collect::<HashSet<_>>().len(), 6);
        assert_eq!(openings("6 seed 5 book None"), fens);
        assert_ne!(openings("6 seed 6 book None"), fens);
        for fen in fens {
            let position = Position::from_fen(&fen).unwrap();
            assert!(fen.split(' ').count() == 6 && !position.legal_moves().is_empty(), "{fen}");
        }
    }

    #[test]
    fn chess960_begins_elsewhere() {
        let fens = openings("4 seed 1 book NONE chess960");
        assert!(fens.iter().any(|fen| !fen.contains("r1bq") && !fen.contains("rnbq")), "{fens:?}");
    }

    #[test]
    fn faults_are_named() {
        for arguments in ["", "x seed 1", "3 seed", "3 seed -1", "3 seed 1 book", "3 depth 9"] {
            let message = GenFens::parse(arguments).unwrap_err();
            assert!(message.starts_with("genfens: expected 'N seed S"), "{arguments}: {message}");
        }
        let missing = GenFens::parse("1 seed 1 book /no/such.epd").unwrap();
        let error = missing.run(&AtomicBool::new(false), |_| ()).unwrap_err();
        assert!(error.to_string().contains("/no/such.epd"), "{error}");
    }

    #[test]
    fn openings_begin_with_positions_of_a_book() {
        let name = format!("kaiyo genfens {}.epd", std::process::id());
        let path = std::env::temp_dir().join(name);
        // Rooks and pawns: no random moves bring pieces that are not there.
        std::fs::write(&path, "4k2r/4pppp/8/8/8/8/4PPPP/4K2R w - - hmvc 0; fmvn 9;\n").unwrap();
        let fens = openings(&format!("4 seed 3 book {}", path.display()));
        std::fs::remove_file(path).unwrap();
        for fen in &fens {
            let men = fen.split(' ').next().unwrap();
            assert!(men.chars().all(|c| "kKrRpP/12345678".contains(c)), "{fen}");
        }
        assert_eq!(fens.len(), 4);
    }

    #[test]
    fn a_book_without_balanced_positions_is_given_up() {
        let path = std::env::temp_dir().join(format!("kaiyo-genfens-{}.epd", std::process::id()));
        std::fs::write(&path, "4k3/8/8/8/8/8/8/QQQQK3 w - -\n").unwrap();
        let request = GenFens::parse(&format!("1 seed 1 book {}", path.display())).unwrap();
        let error = request.run(&AtomicBool::new(false), |_| ()).unwrap_err();
        assert!(error.to_string().contains("not balanced"), "{error}");
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn work_is_given_up_when_asked() {
        let endless = GenFens::parse("999999999 seed 1 book None").unwrap();
        let stop = AtomicBool::new(false);
        endless.run(&stop, |_| stop.store(true, Ordering::Relaxed)).unwrap();
    }
}

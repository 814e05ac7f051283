//! Where games begin.

use super::player::Player;
use crate::random::checksum;
use anyhow::{Result, bail, ensure};
use kaiyo_chess::{Game, Position, Random};
use std::path::PathBuf;

/// Most random plies after a position of a book.
const BOOK_PLIES: usize = 4;
/// Random plies from a start position of Chess960 are fewer by so many: no two are alike anyway.
const CHESS960_FEWER: usize = 4;
/// Openings that may fail one after the other before the work is given up.
const MAX_FAILURES: u32 = 2000;
/// Start positions of Chess960.
const CHESS960: usize = 960;

/// How games begin.
#[derive(Clone, Debug, clap::Args)]
pub struct OpeningOptions {
    /// Begin with positions from these files, a FEN or EPD in each line, or the games of a PGN.
    #[arg(long)]
    pub book: Vec<PathBuf>,
    /// Share of the games that begin with a position of the books, if there are any.
    #[arg(long, default_value_t = 0.5)]
    pub book_share: f64,
    /// Share of the games that begin with a start position of Chess960, half of these with
    /// different ones for both sides.
    #[arg(long, default_value_t = 0.1)]
    pub chess960_share: f64,
    /// Begin all other games with so many random plies, or one more.
    #[arg(long, default_value_t = 8)]
    pub random_plies: usize,
    /// Nodes of the search that tests whether a start is balanced.
    #[arg(long, default_value_t = 1000)]
    pub verify_nodes: u64,
    /// Largest score of a start, in centipawns.
    #[arg(long, default_value_t = 120)]
    pub verify_score: i32,
}

impl OpeningOptions {
    /// All that decides about openings but the books, whose positions have a checksum of their own.
    pub fn shares(&self) -> String {
        let Self { book_share, chess960_share, random_plies, verify_nodes, verify_score, .. } =
            self;
        format!(
            "book share {book_share} chess960 share {chess960_share} random plies {random_plies} \
             verified by {verify_nodes} nodes within {verify_score}"
        )
    }
}

/// The positions of all books, of which none may be empty.
///
/// # Errors
/// A book cannot be read, or has no position.
pub fn read_books(files: &[PathBuf]) -> Result<Vec<Position>> {
    let mut positions = Vec::new();
    for path in files {
        let before = positions.len();
        kaiyo_games::read_positions(path, &mut positions)?;
        ensure!(positions.len() > before, "{} has no position", path.display());
    }
    Ok(positions)
}

/// Draws starts of games.
pub struct Openings<'a> {
    options: &'a OpeningOptions,
    book: Vec<Position>,
}

impl<'a> Openings<'a> {
    /// Reads the books.
    ///
    /// # Errors
    /// A book cannot be read, or an option makes no sense.
    pub fn new(options: &'a OpeningOptions) -> Result<Self> {
        for (name, share) in [("book", options.book_share), ("chess960", options.chess960_share)] {
            ensure!((0.0..=1.0).contains(&share), "--{name}-share must be from 0 to 1");
        }
        Ok(Self { options, book: read_books(&options.book)? })
    }

    /// A checksum of the positions of the books, if there are any.
    pub fn book_checksum(&self) -> Option<u64> {
        (!self.book.is_empty()).then(|| checksum(&self.book))
    }

    /// The next start that is neither decided nor over.
    ///
    /// # Errors
    /// A search failed.
    pub fn draw(&self, random: &mut Random, player: &mut Player) -> Result<Position> {
        for _ in 0..MAX_FAILURES {
            let Some(position) = self.candidate(random) else { continue };
            let game = Game::new(position);
            let found = player.search(&game, self.options.verify_nodes)?;
            let limit = self.options.verify_score;
            if found.is_some_and(|(_, score)| score.value().abs() <= limit) {
                return Ok(position);
            }
        }
        bail!("{MAX_FAILURES} openings in a row were not balanced, see --verify-score")
    }

    /// A start with its random moves, unless these ended the game.
    fn candidate(&self, random: &mut Random) -> Option<Position> {
        let plies = self.options.random_plies + random.below(2);
        let (start, plies) = if random.chance(self.options.chess960_share) {
            let white = random.below(CHESS960) as u16;
            let other = random.below(CHESS960) as u16;
            let black = if random.chance(0.5) { white } else { other };
            (Position::double_chess960(white, black)?, plies.saturating_sub(CHESS960_FEWER))
        } else if !self.book.is_empty() && random.chance(self.options.book_share) {
            (random.choose(&self.book), random.below(BOOK_PLIES + 1))
        } else {
            (Position::start(), plies)
        };
        start.after_random_moves(plies, random)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datagen::EvaluationOptions;
    use crate::random::sequence;

    fn options() -> OpeningOptions {
        OpeningOptions {
            book: Vec::new(),
            book_share: 0.5,
            chess960_share: 0.0,
            random_plies: 8,
            verify_nodes: 200,
            verify_score: 120,
        }
    }

    #[test]
    fn starts_are_balanced_different_and_repeatable() {
        let options = options();
        let openings = Openings::new(&options).unwrap();
        let draw = |seed| {
            let mut player = Player::new(1, &EvaluationOptions::default()).unwrap();
            let mut random = sequence(seed, 0);
            [(); 10].map(|()| {
                player.new_game();
                openings.draw(&mut random, &mut player).unwrap()
            })
        };
        let starts = draw(1);
        assert_eq!(starts, draw(1));
        assert_ne!(starts, draw(2));
        let mut player = Player::new(1, &EvaluationOptions::default()).unwrap();
        for start in starts {
            let (_, score) = player.search(&Game::new(start), 200).unwrap().unwrap();
            assert!(score.value().abs() < 300, "{start}: {score}");
        }
    }

    #[test]
    fn the_share_of_chess960_is_kept() {
        let options = OpeningOptions { chess960_share: 1.0, random_plies: 4, ..options() };
        let openings = Openings::new(&options).unwrap();
        let mut random = sequence(1, 0);
        let starts: Vec<_> = (0..50).filter_map(|_| openings.candidate(&mut random)).collect();
        let king_at_home = starts
            .iter()
            .filter(|start| start.king(kaiyo_chess::Colour::White) == kaiyo_chess::Square::E1);
        assert!(king_at_home.count() < starts.len() / 2);
    }

    #[test]
    fn shares_beyond_one_are_refused() {
        let options = OpeningOptions { book_share: 1.5, ..options() };
        assert!(Openings::new(&options).is_err());
    }
}

//! What files of games hold.

use super::for_each_game;
use crate::viriformat::{GameResult, MAX_SCORE};
use anyhow::{Context, Result, ensure};
use kaiyo_chess::Colour;
use std::collections::HashSet;
use std::path::PathBuf;

/// Bounds of the classes of scores.
const SCORE_CLASSES: [i16; 8] = [10, 30, 100, 300, 1000, 3000, MAX_SCORE - 1, i16::MAX];
/// Width of a class of scores that expected results are collected for, and number of classes.
const CLASS_WIDTH: i16 = 25;
const CLASSES: usize = 160;

#[derive(clap::Args)]
pub struct Options {
    /// Files of games.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
}

/// Counts over positions.
#[derive(Default)]
pub(super) struct Counts {
    games: u64,
    positions: u64,
    results: [u64; 3],
    in_check: u64,
    captures: u64,
    black_to_move: u64,
    other_starts: u64,
    quiet_clock: u64,
    scores: [u64; SCORE_CLASSES.len()],
    /// By number of men.
    men: Vec<u64>,
    different: Different,
    shortest: usize,
    longest: usize,
    /// Positions and points of the side to move by its score, from -CLASSES to CLASSES.
    outcomes: Vec<(u64, f64)>,
}

/// How many different keys there are, in bounded memory: exact as long as all can be kept, and then an estimate from a
/// part of the keys (M. Wegman's adaptive sampling).
struct Different {
    kept: HashSet<u64>,
    /// Keys kept at most.
    most: usize,
    /// Keys are kept that have none of these bits.
    mask: u64,
}

impl Default for Different {
    fn default() -> Self {
        Self { kept: HashSet::new(), most: 1 << 24, mask: 0 }
    }
}

impl Different {
    fn add(&mut self, key: u64) {
        if key & self.mask == 0 {
            self.kept.insert(key);
        }
        if self.kept.len() > self.most {
            self.mask = self.mask << 1 | 1;
            self.kept.retain(|key| key & self.mask == 0);
        }
    }

    fn count(&self) -> u64 {
        self.kept.len() as u64 * (self.mask + 1)
    }
}

/// Prints what the files hold.
pub fn run(options: &Options) -> Result<()> {
    let counts = count(options)?;
    ensure!(counts.positions > 0, "the files have no position");
    counts.print();
    Ok(())
}

/// What the files hold.
pub(super) fn count(options: &Options) -> Result<Counts> {
    let mut counts = Counts {
        shortest: usize::MAX,
        men: vec![0; 33],
        outcomes: vec![(0, 0.0); 2 * CLASSES],
        ..Counts::default()
    };
    for_each_game(&options.files, |game, place| {
        counts.games += 1;
        counts.results[game.result as usize] += 1;
        counts.shortest = counts.shortest.min(game.len());
        counts.longest = counts.longest.max(game.len());
        let standard = game.start == kaiyo_chess::Position::start();
        counts.other_starts += u64::from(!standard);
        game.replay(|position, mv, score| counts.add(position, mv, score, game.result))
            .with_context(|| place.to_string())
    })?;
    Ok(counts)
}

impl Counts {
    /// The figures of the game that the tests of the tools write.
    #[cfg(test)]
    pub(super) fn assert_of_short_win(&self) {
        assert_eq!((self.games, self.positions, self.black_to_move), (1, 4, 2));
        assert_eq!((self.results, self.different.count(), self.captures), ([0, 0, 1], 4, 0));
        let seen = |score: i16| {
            self.outcomes[(score.div_euclid(CLASS_WIDTH) as isize + CLASSES as isize) as usize]
        };
        // The side to move: White ahead and winning, Black behind and losing.
        for (score, points) in [(30, 1.0), (100, 1.0), (-50, 0.0), (-200, 0.0)] {
            assert_eq!(seen(score), (1, points), "{score}");
        }
    }

    fn add(
        &mut self,
        position: &kaiyo_chess::Position,
        mv: kaiyo_chess::Move,
        score: i16,
        result: GameResult,
    ) {
        self.positions += 1;
        self.in_check += u64::from(position.in_check());
        self.captures += u64::from(mv.is_capture() || mv.is_promotion());
        self.quiet_clock += u64::from(position.halfmove_clock() < 10);
        let black = position.side_to_move() == Colour::Black;
        self.black_to_move += u64::from(black);
        let class = SCORE_CLASSES.iter().position(|&bound| score.unsigned_abs() <= bound as u16);
        self.scores[class.unwrap_or(SCORE_CLASSES.len() - 1)] += 1;
        self.men[position.occupied().len() as usize] += 1;
        self.different.add(position.key());
        let (own, points) = if black {
            (score.saturating_neg(), 1.0 - f64::from(result.white_points()))
        } else {
            (score, f64::from(result.white_points()))
        };
        let class = own.div_euclid(CLASS_WIDTH) as isize + CLASSES as isize;
        if let Some((count, sum)) = self.outcomes.get_mut(class as usize) {
            *count += 1;
            *sum += points;
        }
    }

    /// The score at which the logistic curve through the results is at 1 / (1 + 1/e), by the
    /// least squared error.
    fn scale(&self) -> f64 {
        let error = |scale: f64| -> f64 {
            self.outcomes
                .iter()
                .enumerate()
                .filter(|(_, (count, _))| *count > 0)
                .map(|(class, &(count, points))| {
                    let middle = (class as f64 - CLASSES as f64 + 0.5) * f64::from(CLASS_WIDTH);
                    let expected = 1.0 / (1.0 + (-middle / scale).exp());
                    let count = count as f64;
                    count * (points / count - expected).powi(2)
                })
                .sum()
        };
        // The error has one minimum: the third of the range on its far side is dropped each time.
        let (mut low, mut high) = (20.0_f64, 3000.0_f64);
        while high - low > 0.5 {
            let third = (high - low) / 3.0;
            if error(low + third) < error(high - third) {
                high -= third;
            } else {
                low += third;
            }
        }
        (low + high) / 2.0
    }

    fn print(&self) {
        let positions = self.positions as f64;
        let percent = |count: u64| 100.0 * count as f64 / positions;
        let games = |count: u64| 100.0 * count as f64 / self.games as f64;
        say!("games                 {}", self.games);
        say!("positions             {}", self.positions);
        say!(
            "plies                 {:.1} on average, {} to {}",
            positions / self.games as f64,
            self.shortest,
            self.longest
        );
        say!(
            "results               White {:.1} %, drawn {:.1} %, Black {:.1} %",
            games(self.results[2]),
            games(self.results[1]),
            games(self.results[0])
        );
        say!("other start positions {:.1} %", games(self.other_starts));
        say!("different positions   {:.1} %", percent(self.different.count()));
        say!("Black to move         {:.1} %", percent(self.black_to_move));
        say!("in check              {:.1} %", percent(self.in_check));
        say!("capture or promotion  {:.1} %", percent(self.captures));
        say!("clock below 10        {:.1} %", percent(self.quiet_clock));
        say!("scale of the scores   {:.0}", self.scale());
        let mut low = 0;
        for (bound, &count) in SCORE_CLASSES.iter().zip(&self.scores) {
            let text = match *bound {
                i16::MAX => "mate or tablebase".to_owned(),
                bound => format!("{low} to {bound}"),
            };
            say!("score {text:17} {:.1} %", percent(count));
            low = bound.saturating_add(1);
        }
        for (men, &count) in self.men.iter().enumerate().filter(|(_, count)| **count > 0) {
            say!("{men:2} men                {:.1} %", percent(count));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::mix;

    #[test]
    fn many_keys_are_counted_by_a_part_of_them() {
        let mut different = Different::default();
        (0..1000).for_each(|number| different.add(mix(number % 300)));
        assert_eq!(different.count(), 300);
        let mut different = Different { most: 100_000, ..Different::default() };
        let count = 1_000_000_u64;
        (0..count).for_each(|number| different.add(mix(number)));
        assert!(different.kept.len() <= 100_000);
        assert!(different.count().abs_diff(count) < count / 50, "{}", different.count());
    }
}

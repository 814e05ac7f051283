//! The classical evaluation: a sum of weighted features, tapered from middle game to end game.
//!
//! [`visit_features`] finds the features of a position. The engine sums their weights, the
//! explanation sums them by group, and the trainer, which fits the weights, records them: all
//! three see the same features because there is no other code that looks for them.

mod board;
mod endgame;
mod explain;
mod features;
mod king;
mod pair;
mod pawns;
mod pieces;
#[cfg(test)]
mod tests;
mod threats;
mod weights;

pub use endgame::{FULL_PHASE, FULL_SCALE, phase, scale};
pub use explain::explain;
pub use features::{FEATURE_COUNT, FeatureSink, Group, TERMS, Term, weight};
pub use pair::Pair;

use crate::score::Score;
use board::Board;
use endgame::{MopUp, mop_up, taper};
use kaiyo_chess::{Colour, Position};

/// Sums the weights of features, from White's point of view.
#[derive(Default)]
struct Sum(Pair);

impl FeatureSink for Sum {
    #[inline(always)]
    fn add(&mut self, feature: usize, side: Colour, count: i32) {
        match side {
            Colour::White => self.0 += weight(feature) * count,
            Colour::Black => self.0 -= weight(feature) * count,
        }
    }
}

/// Sends every feature of the position to `sink`.
#[inline]
pub fn visit_features(position: &Position, sink: &mut impl FeatureSink) {
    let mut board = Board::new(position);
    pieces::visit_men(&mut board, Colour::White, sink);
    pieces::visit_men(&mut board, Colour::Black, sink);
    visit_side(&board, Colour::White, sink);
    visit_side(&board, Colour::Black, sink);
    sink.add(features::TEMPO, position.side_to_move(), 1);
}

/// The features of one side that need the attacks of both.
#[inline(always)]
fn visit_side(board: &Board, us: Colour, sink: &mut impl FeatureSink) {
    pawns::visit_structure(board, us, sink);
    pawns::visit_passed(board, us, sink);
    pieces::visit_details(board, us, sink);
    king::visit_shelter(board, us, sink);
    king::visit_attack(board, us, sink);
    threats::visit_threats(board, us, sink);
}

/// The steps from the sum of the weights to the score, from White's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Outcome {
    phase: i32,
    scale: i32,
    mop_up: i32,
    total: i32,
}

impl Outcome {
    #[inline(always)]
    fn new(position: &Position, sum: Pair) -> Self {
        let phase = phase(position);
        let strong = if sum.end_game() >= 0 { Colour::White } else { Colour::Black };
        let MopUp { value: mop_up, alone } = mop_up(position);
        let scale = if alone { 0 } else { scale(position, strong) };
        Self { phase, scale, mop_up, total: taper(sum, phase, scale) + mop_up }
    }
}

/// The value of a position for the side to move, by its features alone: no search, and no
/// regard to the fifty-move clock.
pub fn evaluate(position: &Position) -> Score {
    let mut sum = Sum::default();
    visit_features(position, &mut sum);
    let total = Outcome::new(position, sum.0).total;
    Score::centipawns(match position.side_to_move() {
        Colour::White => total,
        Colour::Black => -total,
    })
}

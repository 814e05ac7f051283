//! The evaluation as a table for people.

use super::features::{FeatureSink, Group, TERMS, weight};
use super::pair::Pair;
use super::{FULL_PHASE, FULL_SCALE, Outcome, visit_features};
use core::fmt::Write;
use kaiyo_chess::{Colour, Position};

/// Sums the weights of features by group and side.
#[derive(Default)]
struct Breakdown {
    groups: [[Pair; 2]; Group::ALL.len()],
}

impl FeatureSink for Breakdown {
    fn add(&mut self, feature: usize, side: Colour, count: i32) {
        let after = TERMS.partition_point(|term| term.first <= feature);
        let group = TERMS[after - 1].group;
        self.groups[group as usize][side.index()] += weight(feature) * count;
    }
}

/// A table of the terms of [`super::evaluate`] in centipawns, by group, side and phase.
pub fn explain(position: &Position) -> String {
    let mut breakdown = Breakdown::default();
    visit_features(position, &mut breakdown);
    let mut sums = [Pair::ZERO; 2];
    let mut text = String::from(
        "             |     White     |     Black     |     Total\n\
         \x20            |   mg     eg   |   mg     eg   |   mg     eg\n\
         -------------+---------------+---------------+---------------\n",
    );
    for group in Group::ALL {
        let sides = breakdown.groups[group as usize];
        sums = [sums[0] + sides[0], sums[1] + sides[1]];
        write_row(&mut text, &format!("{group:?}"), sides);
    }
    text.push_str("-------------+---------------+---------------+---------------\n");
    write_row(&mut text, "Sum", sums);
    let outcome = Outcome::new(position, sums[0] - sums[1]);
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "\nPhase {}/{FULL_PHASE}, end-game scale {}/{FULL_SCALE}, bare king {:+}\n\
         Total {:+} for White, {:+} for the side to move\n",
        outcome.phase,
        outcome.scale,
        outcome.mop_up,
        outcome.total,
        super::evaluate(position).value(),
    );
    text
}

fn write_row(text: &mut String, name: &str, [white, black]: [Pair; 2]) {
    let total = white - black;
    let _ = write!(text, "{name:>12} ");
    for pair in [white, black, total] {
        let _ = write!(text, "|{:>6} {:>6}  ", pair.middle_game(), pair.end_game());
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
}

//! Weights as Rust source.

use super::Options;
use super::fit::Model;
use core::fmt::Write;
use kaiyo_search::evaluation::classical::TERMS;

/// What is said about the fit.
pub struct Summary<'a> {
    /// How it was made.
    pub options: &'a Options,
    /// Names of the files with the games.
    pub files: Vec<String>,
    /// Positions of training and validation.
    pub positions: usize,
    /// Games that they were taken from.
    pub games: u64,
    /// Validation loss before.
    pub start_loss: f64,
    /// Validation loss of the weights printed.
    pub final_loss: f64,
}

/// The source of the module `weights`.
pub fn source(model: &Model, summary: &Summary<'_>) -> String {
    let mut text = header(summary);
    for term in TERMS {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n/// {}\n#[rustfmt::skip]\npub(super) const {}: [Pair; {}] = [\n",
            term.description, term.name, term.len
        );
        for line in model.weights[term.first..term.first + term.len].chunks(term.width) {
            let pairs: Vec<String> = line
                .iter()
                .map(|[mg, eg]| format!("w({:4}, {:4}),", *mg as i32, *eg as i32))
                .collect();
            let _ = writeln!(text, "    {}", pairs.join(" "));
        }
        text.push_str("];\n");
    }
    text
}

fn header(summary: &Summary<'_>) -> String {
    let files: Vec<String> = summary.files.iter().map(|name| format!("//! - {name}")).collect();
    let Options { every, epochs, positions, result_share, data_scale, scale, .. } = summary.options;
    let Options { rate, pull, batch, .. } = summary.options;
    format!(
        "//! The weights of the features, in centipawns: (middle game, end game).
//!
//! Squares are seen from the own side, own back rank first.
//!
//! Made by `kaiyo-train classical --every {every} --epochs {epochs} --positions {positions}
//! --result-share {result_share} --data-scale {data_scale} --scale {scale} --rate {rate} --pull {pull}
//! --batch {batch} --out weights.rs --data FILES` from {} quiet positions of {} games. The target is the
//! expected score by the scores in the data, with the result's share of {result_share}. Mean squared error
//! on the games left out: {:.5} before the fit, {:.5} after it. The files:
//!
{}

use super::pair::Pair;

/// Short name, so that the tables stay readable.
const fn w(middle_game: i32, end_game: i32) -> Pair {{
    Pair::new(middle_game, end_game)
}}
",
        summary.positions,
        summary.games,
        summary.start_loss,
        summary.final_loss,
        files.join("\n")
    )
}

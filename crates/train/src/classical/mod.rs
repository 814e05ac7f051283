//! Fits the weights of the classical evaluation to scored games.

mod dataset;
mod fit;
mod print;

use crate::data::ensure_new;
use anyhow::{Result, ensure};
use dataset::Dataset;
use fit::Model;
use kaiyo_files::{ensure_writable, replace_file};
use std::io::Write;
use std::path::PathBuf;

/// Options of the fit.
#[derive(clap::Args)]
pub struct Options {
    /// Games in viriformat, plain or compressed by zstd (long windows allowed).
    #[arg(long, required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// Take at most this many positions.
    #[arg(long, default_value_t = 4_500_000)]
    positions: usize,
    /// Passes over the positions.
    #[arg(long, default_value_t = 20)]
    epochs: u32,
    /// Write the weights as Rust source to this file.
    #[arg(long)]
    out: PathBuf,
    /// One position in so many is taken.
    #[arg(long, default_value_t = 5)]
    every: u64,
    /// Share of the game's result in the target; the rest is the search score.
    #[arg(long, default_value_t = 0.25)]
    result_share: f32,
    /// Scores in the data that make an expected score of 1 / (1 + 1/e): 200 for Kaiyo's games, 596 for
    /// those of Stockfish 18. `data stats` estimates it.
    #[arg(long, default_value_t = 200.0)]
    data_scale: f32,
    /// The same in centipawns of the evaluation; the ratio of both defines the centipawn.
    #[arg(long, default_value_t = 200.0)]
    scale: f32,
    /// Step length of the first epoch, in centipawns; it falls to a hundredth of it.
    #[arg(long, default_value_t = 1.0)]
    rate: f32,
    /// Strength of the pull towards the weights that the fit starts from.
    #[arg(long, default_value_t = 1e-10)]
    pull: f32,
    /// Positions in a step.
    #[arg(long, default_value_t = 16_384)]
    batch: usize,
}

/// Reads the data, fits the weights, writes them.
pub fn run(options: &Options) -> Result<()> {
    ensure!(options.every > 0 && options.batch > 0, "--every and --batch must be positive");
    ensure!((0.0..=1.0).contains(&options.result_share), "--result-share must be in 0..=1");
    for (name, number) in [("data-scale", options.data_scale), ("scale", options.scale)] {
        ensure!(number > 0.0 && number.is_finite(), "--{name} must be positive");
    }
    for (name, number) in [("rate", options.rate), ("pull", options.pull)] {
        ensure!(number.is_finite(), "--{name} must be a number");
    }
    ensure_new(std::slice::from_ref(&options.out), &options.data)?;
    ensure_writable(&options.out)?;
    let data = dataset::read(options)?;
    say!(
        "{} positions of {} games, {:.1} features each; {} for validation",
        data.training.len() + data.validation.len(),
        data.games,
        data.training.features_per_position(),
        data.validation.len(),
    );
    ensure!(data.training.len() > 0, "no position passed the filters");
    let mut model = Model::from_engine(options.scale);
    report_start(&model, &data.validation);
    let losses = fit::run(&mut model, &data.training, &data.validation, options);
    model.move_means_to_material(&data.occurrences);
    let rounded = model.rounded();
    let loss = rounded.loss(&data.validation);
    say!("validation loss of the rounded weights {loss:.6}");
    ensure!(loss.is_finite(), "the fit came to no weights; a lower --rate may help");
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let summary = print::Summary {
        files: options.data.iter().map(name).collect(),
        options,
        positions: data.training.len() + data.validation.len(),
        games: data.games,
        start_loss: losses.start,
        final_loss: loss,
    };
    let text = print::source(&rounded, &summary);
    replace_file(&options.out, |output| Ok(output.write_all(text.as_bytes())?))
}

/// Prints the loss before the fit, also with the whole evaluation stretched or shrunk, which
/// tells wrong proportions from a wrong size.
fn report_start(model: &Model, validation: &Dataset) {
    let start = model.loss(validation);
    let best = (4..=24)
        .map(|step| f64::from(step) / 10.0)
        .map(|factor| (model.with_scale_factor(1.0 / factor as f32).loss(validation), factor))
        .min_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((loss, factor)) = best {
        say!("start: validation loss {start:.6}; times {factor:.1}: {loss:.6}");
    }
}

//! Trains the neural network that evaluates positions.

mod adam;
mod batch;
mod begin;
mod checkpoint;
mod dense;
mod evaluate;
mod export;
mod lanes;
mod loader;
mod log;
mod parameters;
mod record;
mod run;
mod schedule;
mod trainer;
mod transformer;

pub use evaluate::{EvaluateOptions, evaluate};

use crate::data::ensure_new;
use crate::random::sequence;
use crate::workers::check_threads;
use anyhow::{Result, bail, ensure};
use kaiyo_files::{ensure_writable, replace_file};
use kaiyo_nnue::{Architecture, Weights};
use kaiyo_progress::ProgressBar;
use loader::{Data, DataFile, Filters, Labels};
use log::{Line, Log};
use parameters::Layout;
use record::Record;
use run::{Plan, Run};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use trainer::Trainer;

/// Positions that the engine's and the trainer's outputs are compared on.
const QUANTISATION_SAMPLE: usize = 16_384;
/// More centipawns for an output of 1 are refused by the network's format.
const MAX_CENTIPAWNS: f32 = 1e6;
/// Stream of random numbers for the one shuffle of all records.
const SHUFFLE: u64 = u64::MAX;

/// The forms of the layers after the feature transformer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// Products of clipped sums, then 16 outputs in two forms, 32 and 1.
    Pairwise,
    /// Squares of clipped sums, then 16 outputs and 1.
    Squared,
}

impl From<Form> for Architecture {
    fn from(form: Form) -> Self {
        match form {
            Form::Pairwise => Self::Pairwise,
            Form::Squared => Self::Squared,
        }
    }
}

/// Options of the training.
#[derive(clap::Args)]
pub struct Options {
    /// Games in viriformat, or single positions (.bin), plain or compressed by zstd (long windows allowed).
    /// FILE@SCALE for scores of another scale than --scale.
    #[arg(long, required = true, num_args = 1..)]
    data: Vec<DataFile>,
    /// Share of the next position's target in that of a position, from 0 to below 1.
    #[arg(long, default_value_t = 0.0)]
    lookahead: f32,
    /// Write the network to this file.
    #[arg(long)]
    out: PathBuf,
    /// The form of the network.
    #[arg(long, value_enum, default_value_t = Form::Pairwise)]
    form: Form,
    /// Share of the games, and of blocks of single positions, that is held out to measure the loss. Positions after
    /// moves (.bin) of a game are held out apart from it, so that the loss is a little too good where both are given.
    #[arg(long, default_value_t = 0.01)]
    validation_share: f64,
    /// Measure the loss on so many held-out positions.
    #[arg(long, default_value_t = 131_072)]
    validation_positions: usize,
    /// Passes over the positions.
    #[arg(long, default_value_t = 20)]
    epochs: u64,
    /// Steps, instead of `--epochs`.
    #[arg(long)]
    steps: Option<u64>,
    /// Begin with this network instead of random weights.
    #[arg(long)]
    begin: Option<PathBuf>,
    #[command(flatten)]
    plan: Plan,
    #[command(flatten)]
    filters: Filters,
    /// Centipawns of an output of 1, which stands for an expected score of 73 %.
    #[arg(long, default_value_t = 200.0)]
    centipawns: f32,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Keep a checkpoint with its network, the table and the picture of the loss in this folder.
    #[arg(long)]
    checkpoint: Option<PathBuf>,
    /// Go on from the checkpoint.
    #[arg(long, requires = "checkpoint")]
    resume: bool,
    /// Write a checkpoint and measure the loss after so many steps.
    #[arg(long, default_value_t = 1000)]
    checkpoint_every: u64,
    /// Add a line to the table after so many steps.
    #[arg(long, default_value_t = 100)]
    log_every: u64,
}

/// Reads the data, trains, writes the network.
pub fn run(options: &Options) -> Result<()> {
    check(options)?;
    let inputs: Vec<PathBuf> = options.data.iter().map(|file| file.path().to_owned()).collect();
    ensure_new(std::slice::from_ref(&options.out), &inputs)?;
    ensure_writable(&options.out)?;
    let place = options.checkpoint.as_ref().map(|folder| folder.join("checkpoint.bin"));
    if let Some(path) = place.as_ref().filter(|path| !options.resume && path.exists()) {
        bail!("{} is of an earlier training: --resume goes on with it", path.display());
    }
    let plan = &options.plan;
    let architecture = Architecture::from(options.form);
    let read_beginning =
        |path: &PathBuf| begin::read(path, Layout::new(architecture), options.centipawns);
    let beginning = options.begin.as_ref().map(read_beginning).transpose()?;
    let data = read(options)?;
    let run = Run::new(plan, &data.training, options.steps, options.epochs)?;
    let mut trainer = Trainer::new(architecture, plan.seed, options.threads);
    let mut text = format!(
        "{plan:?} {:?} {} {} {architecture:?}",
        options.filters,
        options.lookahead,
        run.steps()
    );
    if let Some((parameters, checksum)) = beginning {
        text += &format!(" {checksum:08x}");
        trainer.state.parameters = parameters;
    }
    let fingerprint =
        u64::from(crc32fast::hash(text.as_bytes())) << 32 | u64::from(checksum(&data.training));
    if let (true, Some(path)) = (options.resume, &place) {
        trainer.state = checkpoint::load(path, Layout::new(architecture), fingerprint)?;
        say!("going on after step {}", trainer.state.step);
    }
    let mut log = match &options.checkpoint {
        Some(folder) => Some(Log::open(folder, trainer.state.step)?),
        None => None,
    };
    let mut report = Report::new(run.steps(), &trainer)?;
    let validation = &data.validation;
    run.until(&mut trainer, run.steps(), |trainer, done| {
        report.add(&done, plan.batch);
        let step = trainer.state.step;
        let last = step == run.steps();
        // Before the last good checkpoint is replaced.
        ensure!(
            done.loss.is_finite(),
            "the loss is no number any more after step {step}; a lower --lr may help, in a training that begins anew"
        );
        let measure = last || step.is_multiple_of(options.checkpoint_every);
        if measure || step.is_multiple_of(options.log_every) {
            let loss = (measure && !validation.is_empty())
                .then(|| run.validation_loss(trainer, validation));
            let line = report.line(&run, trainer, loss);
            if let Some(log) = &mut log {
                log.add(line)?;
            }
        }
        if let (true, Some(path)) = (last || step.is_multiple_of(options.checkpoint_every), &place)
        {
            ensure!(
                trainer.state.parameters.is_finite(),
                "weights that are no numbers after step {step}; the checkpoint before it is kept, and a lower --lr \
                 may help, in a training that begins anew"
            );
            checkpoint::save(path, &mut trainer.state, fingerprint)?;
            let weights = export::quantise(trainer.layout, &trainer.state.parameters, options.centipawns);
            write_network(&path.with_file_name("network.nnue"), &weights)?;
        }
        Ok(())
    })?;
    report.bar.finish();
    export(options, &mut trainer, &data)
}

/// Refuses options that make no sense, before anything is read.
fn check(options: &Options) -> Result<()> {
    ensure!(options.plan.batch > 0, "--batch must be positive");
    check_threads(options.threads)?;
    let Plan { scale, exponent, warmup, .. } = options.plan;
    ensure!(scale > 0.0 && scale.is_finite(), "--scale must be a positive number");
    let share = options.filters.keep_share;
    ensure!(share > 0.0 && share <= 1.0, "--keep-share must be above 0, at most 1");
    ensure!(options.epochs > 0, "--epochs must be positive");
    if let Some(steps) = options.steps {
        ensure!(steps > warmup, "--steps must be more than --warmup, {warmup}");
    }
    // The export would refuse others, after the training.
    ensure!(
        options.centipawns > 0.0 && options.centipawns <= MAX_CENTIPAWNS,
        "--centipawns must be above 0 and at most {MAX_CENTIPAWNS}"
    );
    let Plan { lr, final_lr, weight_decay, activation_cost, .. } = options.plan;
    for (name, number) in [
        ("lr", lr),
        ("final-lr", final_lr),
        ("weight-decay", weight_decay),
        ("activation-cost", activation_cost),
    ] {
        ensure!(number.is_finite() && number >= 0.0, "--{name} must be at least 0");
    }
    ensure!((0.0..1.0).contains(&options.lookahead), "--lookahead must be in 0..1");
    ensure!(exponent >= 1.0 && exponent.is_finite(), "--exponent must be at least 1");
    ensure!(options.checkpoint_every > 0, "--checkpoint-every must be positive");
    ensure!(options.log_every > 0, "--log-every must be positive");
    Ok(())
}

/// A checksum of all positions, their scores and their order.
fn checksum(records: &[Record]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    records.iter().for_each(|record| hasher.update(&record.to_bytes()));
    hasher.finalize()
}

/// Reads and shuffles the data.
fn read(options: &Options) -> Result<Data> {
    let start = Instant::now();
    let seed = options.plan.seed;
    let mut data = loader::read(
        &options.data,
        &options.filters,
        Labels { scale: options.plan.scale, lookahead: options.lookahead },
        options.validation_share,
        seed,
        options.threads,
    )?;
    sequence(seed, SHUFFLE).shuffle(&mut data.training);
    sequence(seed, SHUFFLE - 1).shuffle(&mut data.validation);
    say!(
        "{} positions of {} games read in {:.0} s; {} pass the filters, {} more are held out",
        data.positions,
        data.games,
        start.elapsed().as_secs_f64(),
        data.training.len(),
        data.validation.len(),
    );
    data.validation.truncate(options.validation_positions);
    ensure!(!data.training.is_empty(), "no position passed the filters");
    Ok(data)
}

fn write_network(path: &Path, weights: &Weights) -> Result<()> {
    let bytes = kaiyo_nnue::file::to_bytes(weights);
    replace_file(path, |output| Ok(output.write_all(&bytes)?))
}

/// Writes the network and says how well it matches.
fn export(options: &Options, trainer: &mut Trainer, data: &Data) -> Result<()> {
    let sample: &[Record] =
        if data.validation.is_empty() { &data.training } else { &data.validation };
    let sample = &sample[..sample.len().min(QUANTISATION_SAMPLE)];
    let (network, error) = export::network(trainer, options.centipawns, sample)?;
    write_network(&options.out, network.weights())?;
    say!(
        "{}: checksum {:08x}; quantisation error on {} positions: mean {:.2} cp, largest {:.1} cp, \
         bias {:+.2} cp; {:.1} % of the activations are not zero",
        options.out.display(),
        network.checksum(),
        sample.len(),
        error.mean,
        error.max,
        error.bias,
        100.0 * error.active,
    );
    Ok(())
}

/// What the user sees.
struct Report {
    bar: ProgressBar,
    loss: f64,
    steps: u64,
    positions: u64,
    since: Instant,
    validation: Option<f64>,
}

impl Report {
    fn new(steps: u64, trainer: &Trainer) -> Result<Self> {
        let text = "{pos}/{len} steps, {msg}, {eta} left";
        let bar = kaiyo_progress::bar(Some(steps), "{wide_bar}", text)
            .with_position(trainer.state.step)
            .with_message("no loss yet");
        bar.reset_eta();
        Ok(Self { bar, loss: 0.0, steps: 0, positions: 0, since: Instant::now(), validation: None })
    }

    fn add(&mut self, done: &run::Done, batch: usize) {
        self.loss += done.loss;
        self.steps += 1;
        self.positions += done.positions.min(batch) as u64;
        self.bar.inc(1);
    }

    /// A line of the log about the steps since the last one.
    fn line(&mut self, run: &Run, trainer: &Trainer, validation: Option<f64>) -> Line {
        let step = trainer.state.step;
        let line = Line {
            step,
            epoch: step as f64 / run.steps_per_epoch() as f64,
            rate: run.rate(step.saturating_sub(1)),
            result_share: run.result_share(step.saturating_sub(1)),
            training: self.loss / self.steps.max(1) as f64,
            validation,
            speed: self.positions as f64 / self.since.elapsed().as_secs_f64().max(1e-9),
        };
        self.validation = validation.or(self.validation);
        let validation = self.validation.map_or(String::new(), |loss| format!(" ({loss:.6})"));
        let message =
            format!("loss {:.6}{validation}, {:.0} positions/s", line.training, line.speed);
        self.bar.set_message(message);
        (self.loss, self.steps, self.positions) = (0.0, 0, 0);
        self.since = Instant::now();
        line
    }
}

#[cfg(test)]
mod tests;

//! The run of a training: which positions are learned at which step, and how.

use super::batch::{Batch, EpochOrder};
use super::dense::Loss;
use super::record::Record;
use super::schedule::{RateSchedule, ResultShare};
use super::trainer::{StepOptions, Trainer};
use anyhow::{Result, ensure};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};

/// Batches prepared ahead.
const AHEAD: usize = 2;

/// Everything that decides what comes out, besides the data.
#[derive(Clone, Debug, clap::Args)]
pub struct Plan {
    /// Positions in a step.
    #[arg(long, default_value_t = 16_384)]
    pub batch: usize,
    /// Highest learning rate.
    #[arg(long, default_value_t = 1e-3)]
    pub lr: f32,
    /// Steps on which the learning rate rises.
    #[arg(long, default_value_t = 500)]
    pub warmup: u64,
    /// Learning rate at the end.
    #[arg(long, default_value_t = 1e-6)]
    pub final_lr: f32,
    /// Weight decay.
    #[arg(long, default_value_t = 0.01)]
    pub weight_decay: f32,
    /// Share of the game's result in the target, START or START:END; the rest is the score.
    #[arg(long, default_value = "0.2")]
    pub wdl: ResultShare,
    /// Scores in the data that make an expected score of 1 / (1 + 1/e): 200 for Kaiyo's games, 596 for
    /// those of Stockfish 18 and what `data distil` makes. `data stats` estimates it.
    #[arg(long, default_value_t = 200.0)]
    pub scale: f32,
    /// The loss is the difference of the expected scores to this power.
    #[arg(long, default_value_t = 2.5)]
    pub exponent: f32,
    /// What a unit of activation adds to the loss of a position. The engine skips inputs of the
    /// first layer that are zero.
    #[arg(long, default_value_t = 0.0)]
    pub activation_cost: f32,
    /// Number from which all random ones come.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// A training of known length on known data.
pub struct Run<'a> {
    plan: &'a Plan,
    training: &'a [Record],
    steps_per_epoch: u64,
    rates: RateSchedule,
}

/// A step that was made.
pub struct Done {
    /// Mean loss before the step.
    pub loss: f64,
    /// Positions in it.
    pub positions: usize,
}

impl<'a> Run<'a> {
    /// A run over these steps or, without them, epochs.
    pub fn new(
        plan: &'a Plan,
        training: &'a [Record],
        steps: Option<u64>,
        epochs: u64,
    ) -> Result<Self> {
        ensure!(!training.is_empty(), "nothing to learn from");
        let steps_per_epoch = (training.len() / plan.batch).max(1) as u64;
        let steps = steps.unwrap_or(epochs * steps_per_epoch);
        let rates = RateSchedule { warmup: plan.warmup, steps, peak: plan.lr, last: plan.final_lr };
        Ok(Self { plan, training, steps_per_epoch, rates })
    }

    /// Number of steps.
    pub const fn steps(&self) -> u64 {
        self.rates.steps
    }

    /// Number of steps in a pass over the data.
    pub const fn steps_per_epoch(&self) -> u64 {
        self.steps_per_epoch
    }

    /// Learning rate of a step, counted from 0.
    pub fn rate(&self, step: u64) -> f32 {
        self.rates.rate(step)
    }

    /// Share of the result in the targets of a step, counted from 0.
    pub fn result_share(&self, step: u64) -> f32 {
        self.plan.wdl.at(step, self.steps())
    }

    const fn loss(&self) -> Loss {
        Loss { exponent: self.plan.exponent, activation_cost: self.plan.activation_cost }
    }

    /// Goes on from the trainer's step until `end`, and calls `after` after each step. Another
    /// thread prepares the batches.
    pub fn until(
        &self,
        trainer: &mut Trainer,
        end: u64,
        mut after: impl FnMut(&mut Trainer, Done) -> Result<()>,
    ) -> Result<()> {
        let start = trainer.state.step;
        std::thread::scope(|scope| {
            let (full, batches) = sync_channel(AHEAD);
            let (used, empty) = channel();
            scope.spawn(move || self.prepare(start..end, &full, &empty));
            for batch in batches {
                let options = StepOptions {
                    rate: self.rate(trainer.state.step),
                    weight_decay: self.plan.weight_decay,
                    loss: self.loss(),
                };
                let loss = trainer.step(&batch, &options);
                after(trainer, Done { loss, positions: batch.positions })?;
                // At the end nobody waits for used batches any more.
                let _ = used.send(batch);
            }
            Ok(())
        })
    }

    /// Prepares the batches of these steps, in used ones where there are some, until nobody
    /// wants them any more.
    fn prepare(
        &self,
        steps: core::ops::Range<u64>,
        full: &SyncSender<Batch>,
        empty: &Receiver<Batch>,
    ) {
        let records = self.training;
        let size = self.plan.batch.min(records.len());
        let Some(mut epoch) = steps.clone().next().map(|step| step / self.steps_per_epoch) else {
            return;
        };
        let mut order = EpochOrder::new(records.len(), self.plan.seed, epoch);
        for step in steps {
            if step / self.steps_per_epoch != epoch {
                epoch = step / self.steps_per_epoch;
                order = EpochOrder::new(records.len(), self.plan.seed, epoch);
            }
            let start = (step % self.steps_per_epoch) as usize * size;
            let chosen = (start..start + size).map(|place| &records[order.get(place)]);
            let share = self.result_share(step);
            let mut batch = empty.try_recv().unwrap_or_default();
            batch.fill(chosen, |record| record.target(self.plan.scale, share));
            if full.send(batch).is_err() {
                return;
            }
        }
    }

    /// Mean loss of the validation positions, with the targets of the last step.
    pub fn validation_loss(&self, trainer: &mut Trainer, validation: &[Record]) -> f64 {
        let share = self.result_share(self.steps().saturating_sub(1));
        let mut batch = Batch::default();
        let mut total = 0.0;
        for records in validation.chunks(self.plan.batch) {
            batch.fill(records.iter(), |record| record.target(self.plan.scale, share));
            total += trainer.loss(&batch, Loss { activation_cost: 0.0, ..self.loss() });
        }
        total / validation.len().max(1) as f64
    }
}

//! Steps of the training.
//!
//! A step has three phases, each shared by all threads: sums of the transformer tile by tile,
//! dense layers group by group, gradients and optimiser tile by tile. No two threads ever add to
//! the same number, and gradients of parts of a batch are added in one order, so that the result
//! does not depend on the number of threads or on which of them was faster.

use super::adam::{Adam, step_rows};
use super::batch::Batch;
use super::dense::{self, DenseGradient, Job, Loss};
use super::lanes::Simd;
use super::parameters::{Floats, Layout, Parameters, Rows, TILES};
use super::record::Record;
use super::transformer::{
    GROUP_ROWS, SharedSums, TRANSFORMER_LIMIT, Tile, backward_tile, step_tile,
};
use kaiyo_nnue::features::{BUCKET_FEATURES, FEATURES, OUTPUT_BUCKETS};
use kaiyo_nnue::{Architecture, FIRST_QUANTUM};
use std::sync::Mutex;

/// Parts of a batch in the dense layers, each with gradients of its own.
const PARTS: usize = 16;
/// Largest weight of the first dense layer, which has to fit in 8 bits.
pub const FIRST_LIMIT: f32 = i8::MAX as f32 / FIRST_QUANTUM as f32;

/// What the training has come to: everything that a checkpoint keeps.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Steps done.
    pub step: u64,
    /// The network.
    pub parameters: Parameters,
    /// First moments of the gradients.
    pub first: Parameters,
    /// The same for the weights that all king buckets share.
    pub factoriser_first: Rows,
    /// Second moments of the gradients, those of the transformer by feature without bucket.
    pub second: Parameters,
}

impl State {
    /// Random weights and no step.
    pub fn new(layout: Layout, seed: u64) -> Self {
        Self {
            step: 0,
            parameters: Parameters::random(layout, seed),
            first: Parameters::zero(layout),
            factoriser_first: Rows::zeroed(TILES * BUCKET_FEATURES),
            second: Parameters::shared(layout),
        }
    }

    /// All numbers in one fixed order.
    pub fn arrays_mut(&mut self) -> Vec<&mut Rows> {
        let mut arrays: Vec<_> = self.parameters.parts_mut().into();
        arrays.extend(self.first.parts_mut());
        arrays.push(&mut self.factoriser_first);
        arrays.extend(self.second.parts_mut());
        arrays
    }
}

/// How a step is made.
#[derive(Clone, Copy, Debug)]
pub struct StepOptions {
    /// Learning rate.
    pub rate: f32,
    /// Weight decay for a learning rate of 1.
    pub weight_decay: f32,
    /// What is made small.
    pub loss: Loss,
}

/// Trains a network, and computes its outputs in floating point.
pub struct Trainer {
    /// Where parameters lie.
    pub layout: Layout,
    /// The network and everything that belongs to it.
    pub state: State,
    simd: Simd,
    threads: usize,
    sums: Rows,
    outputs: Vec<f32>,
    transposed: Vec<Floats>,
    gradients: Vec<DenseGradient>,
    /// Gradients of a tile of the transformer for each thread.
    tile_gradients: Vec<Rows>,
}

impl Trainer {
    /// A trainer that begins with random weights.
    pub fn new(architecture: Architecture, seed: u64, threads: usize) -> Self {
        let layout = Layout::new(architecture);
        let gradient = |_| DenseGradient {
            rows: Rows::zeroed(OUTPUT_BUCKETS * layout.len),
            touched: [false; OUTPUT_BUCKETS],
        };
        let threads = threads.max(1);
        Self {
            layout,
            state: State::new(layout, seed),
            simd: Simd::best(),
            threads,
            sums: Rows::zeroed(0),
            outputs: Vec::new(),
            transposed: Vec::new(),
            gradients: (0..PARTS).map(gradient).collect(),
            tile_gradients: (0..threads).map(|_| Rows::zeroed(FEATURES)).collect(),
        }
    }

    /// Uses other vector instructions.
    #[cfg(test)]
    pub fn with_simd(mut self, simd: Simd) -> Self {
        self.simd = simd;
        self
    }

    /// Learns from a batch and returns its mean loss before the step.
    pub fn step(&mut self, batch: &Batch, options: &StepOptions) -> f64 {
        self.sum(batch);
        let loss = self.pass_dense(batch, options.loss, true);
        self.state.step += 1;
        let adam = Adam::new(self.state.step, options.rate, options.weight_decay);
        self.step_dense(&adam);
        self.step_transformer(batch, &adam);
        loss / batch.positions.max(1) as f64
    }

    /// The sum of the losses of a batch.
    pub fn loss(&mut self, batch: &Batch, loss: Loss) -> f64 {
        self.sum(batch);
        self.pass_dense(batch, loss, false)
    }

    /// The outputs for records.
    pub fn outputs(&mut self, records: &[Record]) -> Vec<f32> {
        let mut batch = Batch::default();
        batch.fill(records.iter(), |_| 0.5);
        self.loss(&batch, Loss { exponent: 2.0, activation_cost: 0.0 });
        let mut outputs = vec![0.0; records.len()];
        for (&place, &output) in batch.places.iter().zip(&self.outputs) {
            if let Some(slot) = outputs.get_mut(place as usize) {
                *slot = output;
            }
        }
        outputs
    }

    /// The first phase: the sums of the transformer.
    fn sum(&mut self, batch: &Batch) {
        let rows = batch.groups() * GROUP_ROWS;
        if self.sums.len() < rows {
            self.sums = Rows::zeroed(rows);
        }
        let sums = SharedSums::new(&mut self.sums);
        let parameters = &self.state.parameters;
        let jobs = Mutex::new((0..TILES).flat_map(|tile| [[0, tile], [1, tile]]));
        let simd = self.simd;
        work(self.threads, || {
            while let Some([side, tile]) = take(&jobs) {
                let weights = &parameters.transformer[tile * FEATURES..][..FEATURES];
                let bias = &parameters.transformer_bias[tile];
                // SAFETY: each side of each tile is a job, and taken once.
                unsafe { sums.forward(simd, weights, bias, batch, [side, tile]) };
            }
        });
    }

    /// The second phase: outputs and losses and, if wanted, gradients, those of the sums in the
    /// place of the sums. Returns the sum of all losses.
    fn pass_dense(&mut self, batch: &Batch, loss: Loss, with_gradients: bool) -> f64 {
        let dense = &self.state.parameters.dense;
        dense::transpose(self.layout, dense, &mut self.transposed);
        self.outputs.resize(batch.slots(), 0.0);
        let groups = batch.groups();
        let per_part = groups.div_ceil(PARTS).max(1);
        let sums = self.sums.chunks_mut(per_part * GROUP_ROWS);
        let outputs = self.outputs.chunks_mut(per_part * super::batch::GROUP);
        let parts = (0..groups).step_by(per_part).zip(sums).zip(outputs).zip(&mut self.gradients);
        let jobs = Mutex::new(parts.enumerate());
        let losses = Mutex::new([0.0; PARTS]);
        let (simd, layout, transposed) = (self.simd, self.layout, &self.transposed);
        work(self.threads, || {
            while let Some((part, (((start, sums), outputs), gradient))) = take(&jobs) {
                let job = Job {
                    layout,
                    parameters: dense,
                    transposed,
                    batch,
                    groups: start..(start + per_part).min(groups),
                    sums,
                    outputs,
                    loss,
                    gradient: with_gradients.then_some(gradient),
                };
                let loss = dense::run(simd, job);
                lock(&losses)[part] = loss;
            }
        });
        let losses = *lock(&losses);
        losses.iter().sum()
    }

    /// Adds the gradients of all parts and makes the step of the dense layers.
    fn step_dense(&mut self, adam: &Adam) {
        let Self { layout, simd, gradients, .. } = self;
        let State { parameters, first, second, .. } = &mut self.state;
        let Some((total, others)) = gradients.split_first_mut() else { return };
        for bucket in 0..OUTPUT_BUCKETS {
            let bucket_rows = bucket * layout.len..(bucket + 1) * layout.len;
            for part in &mut *others {
                if core::mem::take(&mut part.touched[bucket]) {
                    let rows = &mut part.rows[bucket_rows.clone()];
                    move_rows(rows, &mut total.rows[bucket_rows.clone()]);
                }
            }
            total.touched[bucket] = false;
            let first_layer_end = bucket_rows.start + layout.first_bias;
            for (rows, limit) in [
                (bucket_rows.start..first_layer_end, FIRST_LIMIT),
                (first_layer_end..bucket_rows.end, f32::MAX),
            ] {
                step_rows(
                    *simd,
                    adam,
                    limit,
                    &mut parameters.dense[rows.clone()],
                    &mut first.dense[rows.clone()],
                    &mut second.dense[rows.clone()],
                    &mut total.rows[rows],
                );
            }
        }
    }

    /// The third phase: gradients and step of the transformer.
    fn step_transformer(&mut self, batch: &Batch, adam: &Adam) {
        let State { parameters, first, factoriser_first, second, .. } = &mut self.state;
        let weights = parameters
            .transformer
            .chunks_exact_mut(FEATURES)
            .zip(first.transformer.chunks_exact_mut(FEATURES));
        let shared = factoriser_first
            .chunks_exact_mut(BUCKET_FEATURES)
            .zip(second.transformer.chunks_exact_mut(BUCKET_FEATURES));
        let biases = parameters
            .transformer_bias
            .chunks_exact_mut(1)
            .zip(first.transformer_bias.chunks_exact_mut(1))
            .zip(second.transformer_bias.chunks_exact_mut(1));
        let jobs = Mutex::new(weights.zip(shared).zip(biases).enumerate());
        let (simd, sums) = (self.simd, &self.sums);
        let gradients = Mutex::new(self.tile_gradients.iter_mut());
        work(self.threads, || {
            let Some(gradient) = take(&gradients) else { return };
            while let Some((tile, ((weights, shared), bias))) = take(&jobs) {
                let mut bias_gradient = [Floats::ZERO];
                for side in 0..2 {
                    let bias = &mut bias_gradient[0];
                    backward_tile(simd, gradient, bias, batch, sums, [side, tile]);
                }
                let mut tile = Tile {
                    weights: weights.0,
                    first: weights.1,
                    factoriser_first: shared.0,
                    second: shared.1,
                };
                step_tile(simd, adam, &mut tile, gradient);
                let ((weights, first), second) = bias;
                let limit = TRANSFORMER_LIMIT;
                step_rows(simd, adam, limit, weights, first, second, &mut bias_gradient);
            }
        });
    }
}

/// Runs `job` on so many threads, this one included.
fn work(threads: usize, job: impl Fn() + Sync) {
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(&job);
        }
        job();
    });
}

/// Adds rows to others and clears them.
fn move_rows(from: &mut [Floats], to: &mut [Floats]) {
    for (from, to) in from.iter_mut().zip(to) {
        for (to, from) in to.0.iter_mut().zip(from.0) {
            *to += from;
        }
        *from = Floats::ZERO;
    }
}

/// A lock whose holders do not fail.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The next job.
fn take<I: Iterator>(jobs: &Mutex<I>) -> Option<I::Item> {
    lock(jobs).next()
}

#[cfg(test)]
#[path = "trainer_tests.rs"]
mod tests;

//! The forward pass over new steps of a sequence.

use super::Session;
use super::rotary::Angles;
use crate::kernels::{self, Attention, Quantised, Rows};
use crate::model::{Block, Line, Matrix, Model};
use crate::tokens::CONTROL_STEPS;
use half::slice::HalfFloatSliceExt;
use kaiyo_simd::Backend;

/// Room for the numbers of the steps that are computed together, step after step.
#[derive(Clone, Debug, Default)]
pub(super) struct Workspace {
    states: Vec<f32>,
    normal: Vec<f32>,
    queries: Vec<f32>,
    control_queries: Vec<f32>,
    keys: Vec<f32>,
    values: Vec<f32>,
    attention: Vec<f32>,
    gate: Vec<f32>,
    up: Vec<f32>,
    projection: Vec<f32>,
    scores: Vec<f32>,
    quantised: Quantised,
    /// For each step.
    masks: Vec<Vec<f32>>,
    angles: Vec<Angles>,
    control_angles: Option<Angles>,
}

impl Session {
    /// Computes the steps from `start` to before `end`, at most a chunk. The cache has those
    /// before. Sets the outputs if the last step of the sequence is among them.
    pub(super) fn forward(&mut self, start: usize, end: usize) {
        let model = self.model.clone();
        let is_last = end == self.steps.len();
        self.prepare(&model, start, end);
        for (number, block) in model.blocks.iter().enumerate() {
            // Of the last block only the outputs of the last step are needed, of the others
            // their keys and values.
            let first = match (number + 1 == model.blocks.len(), is_last) {
                (false, _) => 0,
                (true, true) => end - start - 1,
                (true, false) => end - start,
            };
            self.attention(&model, block, number, start, first);
            if first < end - start {
                self.feed_forward(&model, block, first);
            }
        }
        if is_last {
            let states = self.workspace.states.chunks_exact(model.config.width);
            let Some(state) = states.last() else { return };
            let epsilon = model.config.epsilon;
            kernels::normalise(self.backend, state, &model.output_norm, epsilon, &mut self.last);
            self.quantised.clear(model.config.width);
            kernels::quantise(self.backend, &self.last, &mut self.quantised);
        }
    }

    /// Embeds the steps, and finds out what they see.
    fn prepare(&mut self, model: &Model, start: usize, end: usize) {
        let Self { workspace, cache, rotary, steps, .. } = self;
        let config = &model.config;
        let width = config.width;
        cache.reserve(end);
        workspace.states.clear();
        workspace.masks.resize_with(end - start, Vec::new);
        workspace.angles.clear();
        for (position, step) in (start..end).zip(&steps[start..end]) {
            let row = step.token.index() * width;
            let state_at = workspace.states.len();
            workspace.states.resize(state_at + width, 0.0);
            workspace.normal.resize(width, 0.0);
            let state = &mut workspace.states[state_at..];
            model.tokens[row..row + width].convert_to_f32_slice(state);
            let rows = step.board.as_ref().filter(|_| model.sees_board());
            for &row in rows.map_or(&[][..], |board| board.rows()) {
                let row = usize::from(row) * width;
                model.board[row..row + width].convert_to_f32_slice(&mut workspace.normal);
                for (sum, value) in state.iter_mut().zip(&workspace.normal) {
                    *sum += value;
                }
            }
            cache.mask(position, &mut workspace.masks[position - start]);
            workspace.angles.push(rotary.angles(position));
        }
        let slides = end > config.context;
        workspace.control_angles = slides.then(|| rotary.angles(config.context - 1));
    }

    /// Attention and its projection, for the steps of the chunk from `first` on; keys and values
    /// for all of them.
    fn attention(
        &mut self,
        model: &Model,
        block: &Block,
        number: usize,
        start: usize,
        first: usize,
    ) {
        let Self { workspace: work, cache, backend, .. } = self;
        let config = &model.config;
        let (width, queries, keys) = (config.width, config.query_width(), config.key_width());
        let product = Product { backend: *backend, lines: &model.lines };
        let epsilon = config.epsilon;
        product.norm(&work.states, &block.attention_norm, epsilon, &mut work.normal);
        product.quantise(&work.normal, width, &mut work.quantised);
        product.matrix(&block.key, &work.quantised, &mut work.keys);
        product.matrix(&block.value, &work.quantised, &mut work.values);
        let vectors = work.keys.chunks_exact_mut(keys).zip(work.values.chunks_exact(keys));
        for (step, (keys, values)) in vectors.enumerate() {
            work.angles[step].turn(keys);
            cache.store(number, start + step, keys, values);
        }
        if first * width == work.normal.len() {
            return;
        }
        if first > 0 {
            product.quantise(&work.normal[first * width..], width, &mut work.quantised);
        }
        product.matrix(&block.query, &work.quantised, &mut work.queries);
        work.attention.resize(work.queries.len(), 0.0);
        let group = config.heads / config.key_heads * config.head_size;
        for (step, queries) in work.queries.chunks_exact_mut(queries).enumerate() {
            let position = start + first + step;
            let control = work.control_angles.as_ref().filter(|_| position >= config.context);
            work.control_queries.clear();
            work.control_queries.extend_from_slice(queries);
            if let Some(angles) = control {
                angles.turn(&mut work.control_queries);
            }
            work.angles[first + step].turn(queries);
            let output = &mut work.attention[step * queries.len()..(step + 1) * queries.len()];
            for (head, output) in output.chunks_exact_mut(group).enumerate() {
                let heads = head * group..(head + 1) * group;
                let (keys, values) = cache.head(number, head);
                let attention = Attention {
                    queries: &queries[heads.clone()],
                    control_queries: &work.control_queries[heads],
                    control_slots: if control.is_some() { CONTROL_STEPS } else { 0 },
                    head_size: config.head_size,
                    keys,
                    values,
                    mask: &work.masks[first + step],
                };
                kernels::attend(*backend, &attention, &mut work.scores, output);
            }
        }
        if let Some(norm) = &block.attention_sub_norm {
            product.norm(&work.attention, norm, epsilon, &mut work.normal);
            product.quantise(&work.normal, queries, &mut work.quantised);
        } else {
            product.quantise(&work.attention, queries, &mut work.quantised);
        }
        product.matrix(&block.attention_output, &work.quantised, &mut work.projection);
        let states = &mut work.states[first * width..];
        product.add(states, &work.projection, &block.attention_scale);
    }

    /// The feed-forward part, for the steps of the chunk from `first` on.
    fn feed_forward(&mut self, model: &Model, block: &Block, first: usize) {
        let Self { workspace: work, backend, .. } = self;
        let config = &model.config;
        let product = Product { backend: *backend, lines: &model.lines };
        let epsilon = config.epsilon;
        let states = &mut work.states[first * config.width..];
        product.norm(states, &block.hidden_norm, epsilon, &mut work.normal);
        product.quantise(&work.normal, config.width, &mut work.quantised);
        product.matrix(&block.gate, &work.quantised, &mut work.gate);
        product.matrix(&block.up, &work.quantised, &mut work.up);
        kernels::gate(*backend, &mut work.gate, &work.up);
        if let Some(norm) = &block.hidden_sub_norm {
            product.norm(&work.gate, norm, epsilon, &mut work.normal);
            product.quantise(&work.normal, config.hidden, &mut work.quantised);
        } else {
            product.quantise(&work.gate, config.hidden, &mut work.quantised);
        }
        product.matrix(&block.down, &work.quantised, &mut work.projection);
        product.add(states, &work.projection, &block.hidden_scale);
    }
}

/// Operations on several vectors, one after the other.
struct Product<'a> {
    backend: Backend,
    lines: &'a [Line],
}

impl Product<'_> {
    fn norm(&self, input: &[f32], weight: &[f32], epsilon: f32, output: &mut Vec<f32>) {
        output.resize(input.len(), 0.0);
        let vectors = input.chunks_exact(weight.len());
        for (input, output) in vectors.zip(output.chunks_exact_mut(weight.len())) {
            kernels::normalise(self.backend, input, weight, epsilon, output);
        }
    }

    fn quantise(&self, input: &[f32], columns: usize, output: &mut Quantised) {
        output.clear(columns);
        for input in input.chunks_exact(columns) {
            kernels::quantise(self.backend, input, output);
        }
    }

    fn matrix(&self, matrix: &Matrix, inputs: &Quantised, output: &mut Vec<f32>) {
        output.resize(matrix.rows * inputs.len(), 0.0);
        let rows = Rows {
            kind: matrix.kind,
            columns: matrix.columns,
            lines: matrix.lines(self.lines),
            scales: &matrix.scales,
        };
        kernels::multiply(self.backend, rows, inputs, output);
    }

    fn add(&self, states: &mut [f32], addends: &[f32], scale: &[f32]) {
        let vectors = states.chunks_exact_mut(scale.len());
        for (state, addend) in vectors.zip(addends.chunks_exact(scale.len())) {
            kernels::add_scaled(self.backend, state, addend, scale);
        }
    }
}

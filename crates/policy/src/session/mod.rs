//! A model at work on a game.

mod cache;
mod forward;
mod rotary;

use crate::kernels::{self, Quantised, Rows};
use crate::model::{BLOCK_ROWS, Model};
use crate::tokens::{Conditions, Step, Token, VOCABULARY, steps};
use cache::Cache;
use forward::Workspace;
use kaiyo_chess::{Game, Move};
use kaiyo_simd::Backend;
use rotary::Rotary;
use std::sync::Arc;

/// Steps that are computed together. More share a pass over the weights, but their numbers
/// leave the fast caches.
pub(crate) const CHUNK: usize = 64;

/// A model with what it has computed for a game so far.
///
/// A sequence that begins as the last one did costs its new steps alone. Beyond the context of
/// the model the window slides, and nothing is computed again either; only going back by more
/// than 64 steps there starts anew.
#[derive(Debug)]
pub struct Session {
    model: Arc<Model>,
    backend: Backend,
    rotary: Rotary,
    cache: Cache,
    workspace: Workspace,
    /// The steps whose keys and values are cached.
    steps: Vec<Step>,
    /// Of them, how many the last sequence added.
    computed: usize,
    /// The last step after the last norm.
    last: Vec<f32>,
    /// The same, quantised.
    quantised: Quantised,
}

/// The model gave numbers that are not finite: its weights make no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("finite probabilities expected from the policy model")]
pub struct NotFinite;

/// What a model says about the next move.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// Legal moves with their probabilities, likely ones first. They sum to 1.
    pub moves: Vec<(Move, f32)>,
    /// Expected result for the side to move, from -1 to 1.
    pub value: f32,
}

impl Session {
    /// A session with the best vector instructions.
    pub fn new(model: Arc<Model>) -> Self {
        Self::with_backend(model, Backend::best())
    }

    /// A session with these vector instructions.
    pub fn with_backend(model: Arc<Model>, backend: Backend) -> Self {
        let config = model.config();
        Self {
            rotary: Rotary::new(config),
            cache: Cache::new(config),
            workspace: Workspace::default(),
            steps: Vec::new(),
            computed: 0,
            last: vec![0.0; config.width],
            quantised: Quantised::default(),
            backend,
            model,
        }
    }

    /// Forgets everything: the next sequence is computed as a whole.
    pub fn clear(&mut self) {
        self.steps.clear();
        self.cache.clear();
    }

    /// Probabilities of the legal moves in the last position of a game.
    ///
    /// # Errors
    /// [`NotFinite`] with a model whose weights make no sense.
    pub fn predict(
        &mut self,
        game: &Game,
        conditions: &Conditions,
    ) -> Result<Prediction, NotFinite> {
        let position = game.position();
        let mover = position.side_to_move();
        let legal = position.legal_moves();
        let (moves, tokens): (Vec<Move>, Vec<Token>) = legal
            .iter()
            .filter_map(|&mv| Token::of_move(mover, mv).map(|token| (mv, token)))
            .unzip();
        let output = self.evaluate(&steps(game, conditions));
        let mut probabilities = output.logits_of(&tokens);
        softmax(&mut probabilities)?;
        let value = output.value();
        let mut moves: Vec<(Move, f32)> = moves.into_iter().zip(probabilities).collect();
        moves.sort_by(|a, b| b.1.total_cmp(&a.1));
        if value.is_finite() { Ok(Prediction { moves, value }) } else { Err(NotFinite) }
    }

    /// How many steps a prediction for this game would have to compute.
    pub fn new_steps(&self, game: &Game, conditions: &Conditions) -> usize {
        let steps = steps(game, conditions);
        steps.len() - self.first_new_step(&steps)
    }

    /// How many steps the last prediction had to compute.
    pub const fn computed_steps(&self) -> usize {
        self.computed
    }

    /// The first step of a sequence that has to be computed. The last one has to be in any case: its
    /// output is wanted.
    fn first_new_step(&self, steps: &[Step]) -> usize {
        let common = self.steps.iter().zip(steps).take_while(|(a, b)| a == b).count();
        let start = common.min(steps.len() - 1);
        if self.cache.can_go_on_at(start) { start } else { 0 }
    }

    /// Computes a sequence; what it has in common with the last one is reused.
    ///
    /// # Panics
    /// When there is no step.
    pub fn evaluate(&mut self, steps: &[Step]) -> Output<'_> {
        assert!(!steps.is_empty(), "a sequence has steps");
        let mut start = self.first_new_step(steps);
        if start == 0 {
            self.cache.clear();
        }
        self.computed = steps.len() - start;
        self.steps.truncate(start);
        self.steps.extend_from_slice(&steps[start..]);
        while start < steps.len() {
            let end = steps.len().min(start + CHUNK);
            self.forward(start, end);
            start = end;
        }
        Output { session: self }
    }
}

/// Turns logits into probabilities.
fn softmax(logits: &mut [f32]) -> Result<(), NotFinite> {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut total = 0.0;
    for logit in logits.iter_mut() {
        *logit = (*logit - largest).exp();
        total += *logit;
    }
    if logits.is_empty() {
        return Ok(());
    }
    if !f32::is_finite(total) || total <= 0.0 {
        return Err(NotFinite);
    }
    logits.iter_mut().for_each(|logit| *logit /= total);
    Ok(())
}

/// The output of a model at the last step of a sequence.
#[derive(Clone, Copy, Debug)]
pub struct Output<'a> {
    session: &'a Session,
}

impl Output<'_> {
    /// Expected result for the side to move, from -1 to 1.
    pub fn value(&self) -> f32 {
        let Session { model, backend, last, .. } = self.session;
        (kernels::dot(*backend, &model.value, last) + model.value_bias).tanh()
    }

    /// The logits of all tokens.
    pub fn logits(&self) -> Vec<f32> {
        let mut logits = vec![0.0; VOCABULARY];
        self.multiply(0, &mut logits);
        logits
    }

    /// The logits of some tokens, in their order. Cheaper than those of all.
    pub fn logits_of(&self, tokens: &[Token]) -> Vec<f32> {
        let mut order: Vec<usize> = (0..tokens.len()).collect();
        order.sort_by_key(|&index| tokens[index]);
        let mut logits = vec![0.0; tokens.len()];
        let mut block = [0.0; BLOCK_ROWS];
        let mut computed = None;
        for index in order {
            let token = tokens[index].index();
            let number = token / BLOCK_ROWS;
            if computed != Some(number) {
                self.multiply(number, &mut block);
                computed = Some(number);
            }
            logits[index] = block[token % BLOCK_ROWS];
        }
        logits
    }

    /// Logits from a block of rows on.
    fn multiply(&self, block: usize, logits: &mut [f32]) {
        let Session { model, backend, quantised, .. } = self.session;
        let head = &model.output;
        let per_block = head.kind.lines(head.columns);
        let lines = &head.lines(&model.lines)[block * per_block..];
        let part = Rows {
            kind: head.kind,
            columns: head.columns,
            lines: &lines[..logits.len() / BLOCK_ROWS * per_block],
            scales: &head.scales[block * BLOCK_ROWS..][..logits.len()],
        };
        kernels::multiply(*backend, part, quantised, logits);
    }
}

#[cfg(test)]
mod tests;

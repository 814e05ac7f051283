//! The weights of a network and what they compute.
//!
//! Let `a` be the accumulator of a side, [`WIDTH`] sums in units of 1/510, clipped to 0..=255.
//! The activations are bytes of 0..=[`ACTIVATION_MAX`]: a product of two clipped sums, shifted
//! right by [`ACTIVATION_SHIFT`]. Which two says the [`Architecture`]. The side to move comes
//! first, then the other side.
//!
//! The first dense layer has `i8` weights in units of 1/128 and `i32` sums, which are exact. From
//! there on everything is `f32` without fused operations and with one order of additions, so
//! that all processors agree.

use crate::error::NetworkError;
use crate::features::{self, FEATURES, OUTPUT_BUCKETS, output_bucket};
use crate::kernels;
use kaiyo_chess::{Colour, Position, Square};
use kaiyo_memory::{HugeSlice, Zeroable};
use kaiyo_simd::Backend;

/// Sums of the feature transformer for each side.
pub const WIDTH: usize = 512;
/// Accumulator value that stands for 1.
pub const TRANSFORMER_QUANTUM: i32 = 510;
/// Largest accumulator value that makes a difference. Trained sums are mostly below one half;
/// to spend all bits on that range makes errors of rounding small.
pub const SUM_LIMIT: i16 = 255;
/// Weight of the first dense layer that stands for 1.
pub const FIRST_QUANTUM: i32 = 128;
/// What a product of two clipped sums is shifted right by to fit a byte.
pub const ACTIVATION_SHIFT: u32 = 9;
/// Largest activation.
pub const ACTIVATION_MAX: u8 = ((SUM_LIMIT as i32 * SUM_LIMIT as i32) >> ACTIVATION_SHIFT) as u8;
/// Outputs of the first dense layer.
pub const FIRST_OUTPUTS: usize = 16;
/// Outputs of the second dense layer, and its inputs: both forms of all first outputs.
pub const SECOND_OUTPUTS: usize = 32;
/// Most inputs of the first dense layer in any architecture.
pub const MAX_FIRST_INPUTS: usize = 2 * WIDTH;
/// Real value of 1 in a sum of the first dense layer.
pub const FIRST_SCALE: f32 = (1 << ACTIVATION_SHIFT) as f32
    / (TRANSFORMER_QUANTUM * TRANSFORMER_QUANTUM * FIRST_QUANTUM) as f32;
/// Evaluations stay within plus or minus this many centipawns, clear of mate scores.
pub const EVALUATION_LIMIT: i32 = 20_000;

/// The forms of the layers after the feature transformer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Architecture {
    /// Each sum is clipped and squared: 2 x 512 activations, 16 clipped outputs, 1 output.
    Squared,
    /// Each sum of the first half is multiplied with its partner in the second half: 2 x 256
    /// activations, 16 outputs that go on both clipped and clipped after squaring, 32 clipped
    /// outputs, 1 output.
    Pairwise,
}

impl Architecture {
    /// Every form.
    pub const ALL: [Self; 2] = [Self::Squared, Self::Pairwise];

    /// The name in network files.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Squared => "768x10hm-512x2-screlu-16-1x8",
            Self::Pairwise => "768x10hm-512x2-pairwise-16dual-32-1x8",
        }
    }

    /// Activations of each side.
    pub const fn activations(self) -> usize {
        match self {
            Self::Squared => WIDTH,
            Self::Pairwise => WIDTH / 2,
        }
    }

    /// Inputs of the first dense layer: the activations of both sides.
    pub const fn first_inputs(self) -> usize {
        2 * self.activations()
    }

    /// Whether there is a layer between the first dense layer and the output.
    pub const fn has_second_layer(self) -> bool {
        matches!(self, Self::Pairwise)
    }

    /// Inputs of the output.
    pub const fn output_inputs(self) -> usize {
        match self {
            Self::Squared => FIRST_OUTPUTS,
            Self::Pairwise => SECOND_OUTPUTS,
        }
    }
}

/// A value for each sum of one side: a row of the feature transformer, its bias or an
/// accumulator, in units of 1/[`TRANSFORMER_QUANTUM`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct HalfRow(pub [i16; WIDTH]);

impl HalfRow {
    /// All zero.
    pub const ZERO: Self = Self([0; WIDTH]);
}

// SAFETY: plain numbers.
unsafe impl Zeroable for HalfRow {}

/// Rows of the feature transformer. They are read in no order, and are many.
pub type Rows = HugeSlice<HalfRow>;

/// Weights from four neighbouring inputs of the first dense layer, `[output][input]`, in units
/// of 1/[`FIRST_QUANTUM`]. Instructions that multiply bytes sum four neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct InputGroup(pub [[i8; 4]; FIRST_OUTPUTS]);

/// The layers after the feature transformer for one number of men.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    /// Weights of the first layer, one group for four inputs.
    pub first: Vec<InputGroup>,
    /// Bias of the first layer.
    pub first_bias: [f32; FIRST_OUTPUTS],
    /// Weights of the second layer, `[input][output]`; the first 16 inputs are the clipped
    /// outputs, the others the squared ones. Empty without such a layer.
    pub second: Vec<[f32; SECOND_OUTPUTS]>,
    /// Bias of the second layer.
    pub second_bias: [f32; SECOND_OUTPUTS],
    /// Weights of the output; without a second layer only the first 16 count.
    pub output: [f32; SECOND_OUTPUTS],
    /// Bias of the output.
    pub output_bias: f32,
}

impl Dense {
    /// Layers of zeros.
    pub fn zero(architecture: Architecture) -> Self {
        let second_inputs = if architecture.has_second_layer() { SECOND_OUTPUTS } else { 0 };
        Self {
            first: vec![InputGroup([[0; 4]; FIRST_OUTPUTS]); architecture.first_inputs() / 4],
            first_bias: [0.0; FIRST_OUTPUTS],
            second: vec![[0.0; SECOND_OUTPUTS]; second_inputs],
            second_bias: [0.0; SECOND_OUTPUTS],
            output: [0.0; SECOND_OUTPUTS],
            output_bias: 0.0,
        }
    }
}

/// The weights of a network, as they lie in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The form of the layers.
    pub architecture: Architecture,
    /// Centipawns of a network output of 1.
    pub scale: f32,
    /// Weights of the feature transformer, [`FEATURES`] rows.
    pub transformer: Rows,
    /// Bias of the feature transformer.
    pub transformer_bias: HalfRow,
    /// The dense layers, [`OUTPUT_BUCKETS`] of them.
    pub dense: Vec<Dense>,
}

impl Weights {
    /// Weights of zero.
    pub fn zero(architecture: Architecture) -> Self {
        Self {
            architecture,
            scale: 1.0,
            transformer: Rows::zeroed(FEATURES),
            transformer_bias: HalfRow::ZERO,
            dense: vec![Dense::zero(architecture); OUTPUT_BUCKETS],
        }
    }
}

/// A network ready for use.
#[derive(Clone, Debug)]
pub struct Network {
    weights: Weights,
    checksum: u32,
    backend: Backend,
}

impl Network {
    /// A network with these weights, on the best backend of this processor.
    ///
    /// # Errors
    /// Vectors of a wrong length, and floating-point weights that a file could not hold.
    pub fn new(weights: Weights) -> Result<Self, NetworkError> {
        Self::from_bytes(&crate::file::to_bytes(&weights))
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// [`NetworkError`] with what was expected and what was found.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let (weights, checksum) = crate::file::from_bytes(bytes)?;
        Ok(Self { weights, checksum, backend: Backend::best() })
    }

    /// The same network on another backend.
    #[must_use]
    pub fn with_backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }

    /// The backend in use.
    pub const fn backend(&self) -> Backend {
        self.backend
    }

    /// The weights.
    pub const fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Checksum of the file this network came from or would make.
    pub const fn checksum(&self) -> u32 {
        self.checksum
    }

    /// The raw output from the accumulators of the side to move and of the other side; a
    /// logistic function of it is the expected score. `men` chooses the dense layers.
    #[inline]
    pub fn output(&self, own: &HalfRow, other: &HalfRow, men: u32) -> f32 {
        // A network always has all its buckets: readers refuse anything else.
        let dense = &self.weights.dense[output_bucket(men)];
        kernels::output(self.backend, self.weights.architecture, own, other, dense)
    }

    /// A raw output in centipawns.
    #[inline]
    pub fn centipawns(&self, output: f32) -> i32 {
        ((output * self.weights.scale) as i32).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
    }

    /// The accumulator of one side, computed from nothing.
    pub fn accumulate(&self, position: &Position, side: Colour) -> HalfRow {
        let mut active = Vec::with_capacity(features::MAX_ACTIVE);
        features::visit_active(position, side, |feature| active.push(feature));
        let mut row = self.weights.transformer_bias;
        kernels::update(self.backend, &self.weights.transformer, None, &mut row, &active, &[]);
        row
    }

    /// The accumulators of the side to move and of the other side, computed from nothing.
    fn accumulate_both(&self, position: &Position) -> [HalfRow; 2] {
        let us = position.side_to_move();
        [us, !us].map(|side| self.accumulate(position, side))
    }

    /// The raw output for a position, computed from nothing.
    pub fn output_from_scratch(&self, position: &Position) -> f32 {
        let [own, other] = self.accumulate_both(position);
        self.output(&own, &other, position.occupied().len())
    }

    /// As [`Self::evaluate_from_scratch`], as if the man on `square` were missing.
    pub fn evaluate_without(&self, position: &Position, square: Square) -> i32 {
        let Some(piece) = position.piece_on(square) else {
            return self.evaluate_from_scratch(position);
        };
        let us = position.side_to_move();
        let [own, other] = [us, !us].map(|side| {
            let mut row = self.accumulate(position, side);
            let feature = features::View::of(position, side).feature(piece, square);
            kernels::update(
                self.backend,
                &self.weights.transformer,
                None,
                &mut row,
                &[],
                &[feature],
            );
            row
        });
        self.centipawns(self.output(&own, &other, position.occupied().len() - 1))
    }

    /// Centipawns for the side to move by the layers of each output bucket.
    pub fn evaluate_buckets(&self, position: &Position) -> [i32; OUTPUT_BUCKETS] {
        let [own, other] = self.accumulate_both(position);
        core::array::from_fn(|bucket| {
            let dense = &self.weights.dense[bucket];
            let architecture = self.weights.architecture;
            self.centipawns(kernels::output(self.backend, architecture, &own, &other, dense))
        })
    }

    /// Centipawns for the side to move, computed from nothing: slow, for tests and tools.
    pub fn evaluate_from_scratch(&self, position: &Position) -> i32 {
        self.centipawns(self.output_from_scratch(position))
    }
}

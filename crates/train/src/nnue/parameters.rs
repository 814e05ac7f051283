//! The numbers that are trained, and how they lie in memory.

use super::lanes::LANES;
use crate::random::sequence;
use kaiyo_memory::{HugeSlice, Zeroable};
use kaiyo_nnue::features::{BUCKET_FEATURES, FEATURES, KING_BUCKETS, OUTPUT_BUCKETS};
use kaiyo_nnue::{Architecture, FIRST_OUTPUTS, SECOND_OUTPUTS, WIDTH};

/// Columns of the transformer come in so many tiles of [`LANES`]. The weights of a tile fit the
/// second-level cache of a core, and a core takes all positions through one tile before it goes
/// on to the next.
pub const TILES: usize = WIDTH / LANES;

/// Sixteen floats in a cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Floats(pub [f32; LANES]);

// SAFETY: plain numbers.
unsafe impl Zeroable for Floats {}

/// Rows of floats. Nearly all accesses are far apart.
pub type Rows = HugeSlice<Floats>;

impl Floats {
    /// All zero.
    pub const ZERO: Self = Self([0.0; LANES]);
}

/// The rows of [`Floats`] of the dense layers of one bucket: where each part begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The form of the layers.
    pub architecture: Architecture,
    /// Bias of the first layer, a row. Before it, the weights of the first layer: a row of 16
    /// outputs for each input.
    pub first_bias: usize,
    /// Weights of the second layer: two rows of 32 outputs for each of 32 inputs.
    pub second: usize,
    /// Bias of the second layer, two rows.
    pub second_bias: usize,
    /// Weights of the output, a row for 16 inputs.
    pub output: usize,
    /// Bias of the output, in the first lane of a row.
    pub output_bias: usize,
    /// Number of rows.
    pub len: usize,
}

impl Layout {
    /// The layout of an architecture.
    pub const fn new(architecture: Architecture) -> Self {
        let first_bias = architecture.first_inputs();
        let second = first_bias + 1;
        let rows = SECOND_OUTPUTS / LANES;
        let (second_rows, bias_rows) =
            if architecture.has_second_layer() { (SECOND_OUTPUTS * rows, rows) } else { (0, 0) };
        let second_bias = second + second_rows;
        let output = second_bias + bias_rows;
        let output_bias = output + architecture.output_inputs() / LANES;
        Self {
            architecture,
            first_bias,
            second,
            second_bias,
            output,
            output_bias,
            len: output_bias + 1,
        }
    }
}

/// Trained numbers, or something that belongs to each of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// Weights of the feature transformer, `[tile][feature]`.
    pub transformer: Rows,
    /// Bias of the feature transformer, `[tile]`.
    pub transformer_bias: Rows,
    /// Dense layers, `[bucket]` with the rows of a [`Layout`].
    pub dense: Rows,
}

impl Parameters {
    /// Whether all are numbers.
    pub fn is_finite(&self) -> bool {
        let tables = [&self.transformer, &self.transformer_bias, &self.dense];
        let mut rows = tables.into_iter().flat_map(|table| table.iter());
        rows.all(|row| row.0.iter().all(|value| value.is_finite()))
    }

    /// All zero.
    pub fn zero(layout: Layout) -> Self {
        Self::with_rows(layout, FEATURES)
    }

    /// As [`Self::zero`], but one row of the transformer stands for all king buckets.
    pub fn shared(layout: Layout) -> Self {
        Self::with_rows(layout, BUCKET_FEATURES)
    }

    fn with_rows(layout: Layout, rows: usize) -> Self {
        Self {
            transformer: Rows::zeroed(TILES * rows),
            transformer_bias: Rows::zeroed(TILES),
            dense: Rows::zeroed(OUTPUT_BUCKETS * layout.len),
        }
    }

    /// Random weights to begin with. All king buckets get the same, and all output buckets:
    /// what is learned in one is a better guess for a rarely seen other than a random number.
    pub fn random(layout: Layout, seed: u64) -> Self {
        let mut parameters = Self::zero(layout);
        let mut random = sequence(seed, 0);
        let mut fill = |rows: &mut [Floats], limit: f32| {
            for value in rows.iter_mut().flat_map(|row| &mut row.0) {
                *value = limit * random.signed_unit();
            }
        };
        for tile in parameters.transformer.chunks_exact_mut(FEATURES) {
            let (first, others) = tile.split_at_mut(BUCKET_FEATURES);
            // The root of 1/768. From larger random weights the same loss in training means a
            // worse one in validation: the network learns around them.
            fill(first, 0.036);
            for bucket in others.chunks_exact_mut(BUCKET_FEATURES) {
                bucket.copy_from_slice(first);
            }
        }
        parameters.transformer_bias.fill(Floats([0.2; LANES]));
        let (first, others) = parameters.dense.split_at_mut(layout.len);
        let inputs = layout.first_bias;
        fill(&mut first[..inputs], (12.0 / inputs as f32).sqrt());
        fill(&mut first[layout.first_bias..layout.second], 0.1);
        fill(&mut first[layout.second..layout.second_bias], (3.0 / SECOND_OUTPUTS as f32).sqrt());
        fill(&mut first[layout.second_bias..layout.output], 0.1);
        fill(&mut first[layout.output..layout.output_bias], (3.0 / SECOND_OUTPUTS as f32).sqrt());
        for bucket in others.chunks_exact_mut(layout.len) {
            bucket.copy_from_slice(first);
        }
        parameters
    }

    /// All numbers in one fixed order, for checkpoints.
    pub fn parts_mut(&mut self) -> [&mut Rows; 3] {
        [&mut self.transformer, &mut self.transformer_bias, &mut self.dense]
    }

    /// A weight of the transformer, `[feature][column]`.
    pub fn transformer_weight(&self, feature: usize, column: usize) -> f32 {
        self.transformer[column / LANES * FEATURES + feature].0[column % LANES]
    }

    /// A bias of the transformer.
    pub fn transformer_bias(&self, column: usize) -> f32 {
        self.transformer_bias[column / LANES].0[column % LANES]
    }
}

const _: () = assert!(FIRST_OUTPUTS == LANES && FEATURES == KING_BUCKETS * BUCKET_FEATURES);

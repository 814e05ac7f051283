//! Models with random weights, for measurements and tests.

use super::matrix::WeightKind;
use super::{Config, Model};
use crate::container::{Container, Tensor, TensorType};
use crate::tokens::{BOARD_FEATURES, VOCABULARY};
use half::f16;
use kaiyo_chess::Random;
use std::borrow::Cow;

/// The full size: 41 million parameters.
pub const FULL: Config = Config {
    blocks: 12,
    context: 256,
    width: 512,
    hidden: 1536,
    heads: 8,
    key_heads: 2,
    head_size: 64,
    epsilon: 1e-5,
    rope_base: 10_000.0,
};

/// For tests: has all parts, and a context that short games exceed.
pub const TINY: Config = Config {
    blocks: 2,
    context: 32,
    width: 32,
    hidden: 96,
    heads: 4,
    key_heads: 2,
    head_size: 16,
    epsilon: 1e-5,
    rope_base: 10_000.0,
};

/// Which matrices are ternary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Those of the feed-forward part; the others are int8.
    Mixed,
    /// All.
    Ternary,
}

/// A model of these sizes with random weights.
pub fn random(config: &Config, storage: Storage, seed: u64) -> Container<'static> {
    let mut maker = Maker { container: Container::default(), random: Random::new(seed) };
    config.write(&mut maker.container);
    let Config { width, hidden, .. } = *config;
    let (queries, keys) = (config.query_width(), config.key_width());
    let other = match storage {
        Storage::Mixed => WeightKind::Int8,
        Storage::Ternary => WeightKind::Ternary,
    };
    maker.halves("token_embd.weight", width, VOCABULARY, 0.5);
    maker.halves("board_embd.weight", width, BOARD_FEATURES, 0.2);
    for number in 0..config.blocks {
        let name = |part: &str| format!("blk.{number}.{part}");
        for (part, len) in [("attn_norm", width), ("ffn_norm", width), ("ffn_sub_norm", hidden)] {
            maker.floats(&name(part), len, 1.0, 0.3);
        }
        maker.floats(&name("attn_layer_scale"), width, 0.2, 0.1);
        maker.floats(&name("ffn_layer_scale"), width, 0.2, 0.1);
        maker.matrix(&name("attn_q"), other, width, queries);
        maker.matrix(&name("attn_k"), other, width, keys);
        maker.matrix(&name("attn_v"), other, width, keys);
        maker.matrix(&name("attn_output"), other, queries, width);
        maker.matrix(&name("ffn_gate"), WeightKind::Ternary, width, hidden);
        maker.matrix(&name("ffn_up"), WeightKind::Ternary, width, hidden);
        maker.matrix(&name("ffn_down"), WeightKind::Ternary, hidden, width);
    }
    maker.floats("output_norm", width, 1.0, 0.3);
    maker.matrix("output", other, width, VOCABULARY);
    maker.floats("value", width, 0.0, 0.1);
    maker.tensor("value.bias", TensorType::F32, &[1], 0.1_f32.to_le_bytes().to_vec());
    maker.container
}

impl Model {
    /// A model of these sizes with random weights.
    ///
    /// # Panics
    /// When `config` is none that a file could have.
    pub fn random(config: &Config, storage: Storage, seed: u64) -> Self {
        Self::from_container(&random(config, storage, seed)).expect("sizes within their bounds")
    }
}

struct Maker {
    container: Container<'static>,
    random: Random,
}

impl Maker {
    fn tensor(&mut self, name: &str, kind: TensorType, shape: &[usize], bytes: Vec<u8>) {
        let shape = shape.iter().map(|&size| size as u64).collect();
        let tensor = Tensor { kind, shape, bytes: Cow::Owned(bytes) };
        self.container.tensors.insert(name.to_owned(), tensor);
    }

    fn floats(&mut self, name: &str, len: usize, middle: f32, spread: f32) {
        let value = |random: &mut Random| middle + spread * random.signed_unit();
        let bytes = (0..len).flat_map(|_| value(&mut self.random).to_le_bytes()).collect();
        self.tensor(&format!("{name}.weight"), TensorType::F32, &[len], bytes);
    }

    fn halves(&mut self, name: &str, width: usize, rows: usize, spread: f32) {
        let value = |random: &mut Random| f16::from_f32(spread * random.signed_unit());
        let bytes = (0..width * rows).flat_map(|_| value(&mut self.random).to_le_bytes()).collect();
        self.tensor(name, TensorType::F16, &[width, rows], bytes);
    }

    /// Scales are such that outputs are about as large as inputs.
    fn matrix(&mut self, name: &str, kind: WeightKind, columns: usize, rows: usize) {
        let row_bytes = kind.row_bytes(columns);
        let random = &mut self.random;
        let mut bytes = vec![0; rows * row_bytes];
        match kind {
            WeightKind::Int8 => bytes.iter_mut().for_each(|byte| *byte = random.bits() as u8),
            WeightKind::Ternary => {
                for row in bytes.chunks_exact_mut(row_bytes) {
                    let (plus, minus) = row.split_at_mut(row_bytes / 2);
                    for (plus, minus) in plus.iter_mut().zip(minus) {
                        // Two of three weights are not zero.
                        let bits = random.bits();
                        let used = bits as u8 | (bits >> 8) as u8 & (bits >> 16) as u8;
                        *plus = used & (bits >> 24) as u8;
                        *minus = used & !*plus;
                    }
                }
            }
        }
        let deviation = match kind {
            WeightKind::Int8 => 74.0,
            WeightKind::Ternary => 0.8,
        };
        let scale = 1.0 / (deviation * (columns as f32).sqrt());
        let scales: Vec<u8> = (0..rows)
            .flat_map(|_| (scale * (1.0 + 0.3 * self.random.signed_unit())).to_le_bytes())
            .collect();
        self.tensor(&format!("{name}.weight"), TensorType::I8, &[row_bytes, rows], bytes);
        self.tensor(&format!("{name}.scale"), TensorType::F32, &[rows], scales);
    }
}

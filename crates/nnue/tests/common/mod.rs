//! Networks of random weights.

use kaiyo_chess::split_mix;
use kaiyo_nnue::{Architecture, Weights};

/// A small generator of random numbers.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        split_mix(&mut self.0)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }
}

/// Weights of usual size, so that activations are neither all zero nor all at their limit.
pub fn random_weights(architecture: Architecture, seed: u64) -> Weights {
    let mut random = Random(seed);
    let mut weights = Weights::zero(architecture);
    weights.scale = 200.0;
    for row in weights.transformer.iter_mut().chain([&mut weights.transformer_bias]) {
        for values in row.0.as_chunks_mut::<8>().0 {
            let bytes = random.next().to_le_bytes();
            for (value, byte) in values.iter_mut().zip(bytes) {
                *value = i16::from(byte as i8) / 4;
            }
        }
    }
    for dense in &mut weights.dense {
        for group in &mut dense.first {
            for values in group.0.as_flattened_mut().as_chunks_mut::<8>().0 {
                *values = random.next().to_le_bytes().map(|byte| byte as i8);
            }
        }
        dense.first_bias = core::array::from_fn(|_| random.unit());
        dense.second.as_flattened_mut().iter_mut().for_each(|weight| *weight = random.unit());
        if architecture.has_second_layer() {
            dense.second_bias = core::array::from_fn(|_| random.unit());
        }
        let inputs = architecture.output_inputs();
        dense.output[..inputs].iter_mut().for_each(|weight| *weight = random.unit());
        dense.output_bias = random.unit();
    }
    weights
}

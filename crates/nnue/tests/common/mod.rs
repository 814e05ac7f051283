//! Networks of random weights.

use kaiyo_chess::Random;
use kaiyo_nnue::{Architecture, Weights};

/// Weights of usual size, so that activations are neither all zero nor all at their limit.
pub fn random_weights(architecture: Architecture, seed: u64) -> Weights {
    let mut random = Random::new(seed);
    let mut weights = Weights::zero(architecture);
    weights.scale = 200.0;
    for row in weights.transformer.iter_mut().chain([&mut weights.transformer_bias]) {
        for values in row.0.as_chunks_mut::<8>().0 {
            let bytes = random.bits().to_le_bytes();
            for (value, byte) in values.iter_mut().zip(bytes) {
                *value = i16::from(byte as i8) / 4;
            }
        }
    }
    for dense in &mut weights.dense {
        for group in &mut dense.first {
            for values in group.0.as_flattened_mut().as_chunks_mut::<8>().0 {
                *values = random.bits().to_le_bytes().map(|byte| byte as i8);
            }
        }
        dense.first_bias = core::array::from_fn(|_| random.signed_unit());
        dense
            .second
            .as_flattened_mut()
            .iter_mut()
            .for_each(|weight| *weight = random.signed_unit());
        if architecture.has_second_layer() {
            dense.second_bias = core::array::from_fn(|_| random.signed_unit());
        }
        let inputs = architecture.output_inputs();
        dense.output[..inputs].iter_mut().for_each(|weight| *weight = random.signed_unit());
        dense.output_bias = random.signed_unit();
    }
    weights
}

//! From trained numbers to the network of the engine.

use super::lanes::LANES;
use super::parameters::{Layout, Parameters};
use super::record::Record;
use super::trainer::Trainer;
use anyhow::{Context, Result};
use kaiyo_nnue::features::FEATURES;
use kaiyo_nnue::{
    Dense, FIRST_OUTPUTS, FIRST_QUANTUM, HalfRow, Network, Rows, SECOND_OUTPUTS,
    TRANSFORMER_QUANTUM, WIDTH, Weights,
};

/// Rounds all numbers to what the engine computes with. `scale` is the centipawns of an output
/// of 1.
pub fn quantise(layout: Layout, parameters: &Parameters, scale: f32) -> Weights {
    let quantum = TRANSFORMER_QUANTUM as f32;
    let mut transformer = Rows::zeroed(FEATURES);
    for (feature, row) in transformer.iter_mut().enumerate() {
        for (column, weight) in row.0.iter_mut().enumerate() {
            *weight = (parameters.transformer_weight(feature, column) * quantum).round() as i16;
        }
    }
    let bias = |column| (parameters.transformer_bias(column) * quantum).round() as i16;
    Weights {
        architecture: layout.architecture,
        scale,
        transformer,
        transformer_bias: HalfRow(core::array::from_fn::<_, WIDTH, _>(bias)),
        dense: parameters
            .dense
            .chunks_exact(layout.len)
            .map(|rows| quantise_dense(layout, rows))
            .collect(),
    }
}

fn quantise_dense(layout: Layout, rows: &[super::parameters::Floats]) -> Dense {
    let mut dense = Dense::zero(layout.architecture);
    for (input, row) in rows[..layout.first_bias].iter().enumerate() {
        for (output, weight) in row.0.iter().enumerate() {
            dense.first[input / 4].0[output][input % 4] =
                (weight * FIRST_QUANTUM as f32).round() as i8;
        }
    }
    dense.first_bias = rows[layout.first_bias].0;
    let second = rows[layout.second..layout.second_bias].as_chunks::<2>().0;
    for (weights, row) in dense.second.iter_mut().zip(second) {
        *weights = pair(row);
    }
    if let [row] = rows[layout.second_bias..layout.output].as_chunks::<2>().0 {
        dense.second_bias = pair(row);
    }
    for (index, row) in rows[layout.output..layout.output_bias].iter().enumerate() {
        dense.output[index * LANES..][..LANES].copy_from_slice(&row.0);
    }
    dense.output_bias = rows[layout.output_bias].0[0];
    dense
}

/// Two rows as one.
fn pair(rows: &[super::parameters::Floats; 2]) -> [f32; SECOND_OUTPUTS] {
    core::array::from_fn(|index| rows[index / LANES].0[index % LANES])
}

const _: () = assert!(FIRST_OUTPUTS == LANES && SECOND_OUTPUTS == 2 * LANES);

/// How far the engine's outputs are from those in floating point, in centipawns.
#[derive(Clone, Copy, Debug, Default)]
pub struct QuantisationError {
    /// Mean of the differences without sign.
    pub mean: f64,
    /// Largest difference without sign.
    pub max: f64,
    /// Mean of the differences.
    pub bias: f64,
    /// Share of the activations that are not zero in the engine.
    pub active: f64,
}

/// Makes the network of the engine and compares it with the trainer on some records.
pub fn network(
    trainer: &mut Trainer,
    scale: f32,
    sample: &[Record],
) -> Result<(Network, QuantisationError)> {
    let weights = quantise(trainer.layout, &trainer.state.parameters, scale);
    let network = Network::new(weights).context("the trained weights make no network")?;
    let outputs = trainer.outputs(sample);
    let mut error = QuantisationError::default();
    let count = sample.len().max(1) as f64;
    for (record, expected) in sample.iter().zip(outputs) {
        let [own, other] = accumulators(&network, record);
        let output = network.output(&own, &other, record.men());
        let difference = f64::from((output - expected) * scale);
        error.mean += difference.abs() / count;
        error.bias += difference / count;
        error.max = error.max.max(difference.abs());
        error.active += active_share(&network, &own, &other) / count;
    }
    Ok((network, error))
}

/// The engine's accumulators for a record: own side first.
fn accumulators(network: &Network, record: &Record) -> [HalfRow; 2] {
    let mut features = [[0; kaiyo_nnue::features::MAX_ACTIVE]; 2];
    record.features(&mut features);
    let weights = network.weights();
    features.map(|list| {
        let mut sums = weights.transformer_bias;
        for &feature in &list[..record.men() as usize] {
            let row = &weights.transformer[usize::from(feature)];
            for (sum, weight) in sums.0.iter_mut().zip(&row.0) {
                *sum = sum.wrapping_add(*weight);
            }
        }
        sums
    })
}

/// Share of the activations that are not zero.
fn active_share(network: &Network, own: &HalfRow, other: &HalfRow) -> f64 {
    let activations = network.weights().architecture.activations();
    let partner = WIDTH - activations;
    let active = |sums: &HalfRow| {
        (0..activations)
            .filter(|&index| {
                let [a, b] = [index, index + partner]
                    .map(|index| i32::from(sums.0[index].clamp(0, kaiyo_nnue::SUM_LIMIT)));
                (a * b) >> kaiyo_nnue::ACTIVATION_SHIFT != 0
            })
            .count()
    };
    (active(own) + active(other)) as f64 / (2 * activations) as f64
}

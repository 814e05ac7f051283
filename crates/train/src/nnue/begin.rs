//! From a network of the engine to numbers that are trained further.

use super::lanes::LANES;
use super::parameters::{Floats, Layout, Parameters};
use anyhow::{Context, Result, ensure};
use kaiyo_nnue::features::FEATURES;
use kaiyo_nnue::{Dense, FIRST_QUANTUM, TRANSFORMER_QUANTUM, WIDTH, Weights};
use std::path::Path;

/// Reads the network of a file, which must have this layout and this scale: the centipawns of an output
/// of 1. Returns its checksum as well.
pub fn read(path: &Path, layout: Layout, scale: f32) -> Result<(Parameters, u32)> {
    let read = || -> Result<(Parameters, u32)> {
        let (weights, checksum) = kaiyo_nnue::file::from_bytes(&std::fs::read(path)?)?;
        ensure!(
            weights.architecture == layout.architecture,
            "the form {} expected, as --form has it, found {}",
            layout.architecture.text(),
            weights.architecture.text()
        );
        ensure!(
            weights.scale == scale,
            "an output of 1 is {scale} centipawns by --centipawns, and {} in the network",
            weights.scale
        );
        Ok((parameters(layout, &weights), checksum))
    };
    read().with_context(|| format!("cannot begin with {}", path.display()))
}

/// The numbers that the engine's were rounded from, as far as they can be told.
pub fn parameters(layout: Layout, weights: &Weights) -> Parameters {
    let quantum = TRANSFORMER_QUANTUM as f32;
    let mut parameters = Parameters::zero(layout);
    for column in 0..WIDTH {
        let (tile, lane) = (column / LANES, column % LANES);
        for (feature, row) in weights.transformer.iter().enumerate() {
            let value = f32::from(row.0[column]) / quantum;
            parameters.transformer[tile * FEATURES + feature].0[lane] = value;
        }
        let bias = f32::from(weights.transformer_bias.0[column]) / quantum;
        parameters.transformer_bias[tile].0[lane] = bias;
    }
    for (rows, dense) in parameters.dense.chunks_exact_mut(layout.len).zip(&weights.dense) {
        fill_dense(layout, rows, dense);
    }
    parameters
}

fn fill_dense(layout: Layout, rows: &mut [Floats], dense: &Dense) {
    for (input, row) in rows[..layout.first_bias].iter_mut().enumerate() {
        for (output, value) in row.0.iter_mut().enumerate() {
            let weight = dense.first[input / 4].0[output][input % 4];
            *value = f32::from(weight) / FIRST_QUANTUM as f32;
        }
    }
    rows[layout.first_bias].0 = dense.first_bias;
    let second = dense.second.as_flattened().as_chunks::<LANES>().0;
    for (row, values) in rows[layout.second..layout.second_bias].iter_mut().zip(second) {
        row.0 = *values;
    }
    let second_bias = dense.second_bias.as_chunks::<LANES>().0;
    for (row, values) in rows[layout.second_bias..layout.output].iter_mut().zip(second_bias) {
        row.0 = *values;
    }
    let output = dense.output.as_chunks::<LANES>().0;
    for (row, values) in rows[layout.output..layout.output_bias].iter_mut().zip(output) {
        row.0 = *values;
    }
    rows[layout.output_bias].0[0] = dense.output_bias;
}

#[cfg(test)]
mod tests {
    use super::super::export::quantise;
    use super::*;
    use kaiyo_nnue::Architecture;

    #[test]
    fn a_network_is_read_as_it_was_written() {
        for architecture in Architecture::ALL {
            let layout = Layout::new(architecture);
            let weights = quantise(layout, &Parameters::random(layout, 7), 200.0);
            let parameters = parameters(layout, &weights);
            assert!(quantise(layout, &parameters, 200.0) == weights, "{architecture:?}");

            let path = std::env::temp_dir().join(format!("kaiyo-begin-{}", std::process::id()));
            std::fs::write(&path, kaiyo_nnue::file::to_bytes(&weights)).unwrap();
            assert!(read(&path, layout, 200.0).unwrap().0 == parameters);
            let other = Architecture::ALL.into_iter().find(|other| *other != architecture).unwrap();
            for (layout, scale, fault) in [
                (layout, 100.0, "100 centipawns by --centipawns"),
                (Layout::new(other), 200.0, other.text()),
            ] {
                let error = format!("{:#}", read(&path, layout, scale).unwrap_err());
                assert!(error.contains(fault), "{error}");
            }
            std::fs::remove_file(&path).unwrap();
        }
    }
}

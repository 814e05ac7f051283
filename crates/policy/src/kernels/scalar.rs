//! The reference: plain loops.

use super::{Quantised, Rows};
use crate::model::{BLOCK_ROWS, WeightKind};

/// See [`crate::kernels::multiply`].
pub(super) fn multiply(rows: Rows<'_>, inputs: &Quantised, output: &mut [f32]) {
    let per_block = rows.kind.lines(rows.columns);
    for input in 0..inputs.len() {
        let output = &mut output[input * rows.scales.len()..(input + 1) * rows.scales.len()];
        let blocks = rows.lines.chunks_exact(per_block).zip(output.chunks_exact_mut(BLOCK_ROWS));
        for ((lines, output), scales) in blocks.zip(rows.scales.chunks_exact(BLOCK_ROWS)) {
            let mut sums = [0; BLOCK_ROWS];
            match rows.kind {
                WeightKind::Ternary => {
                    let groups = inputs.bytes(input).as_chunks::<4>().0;
                    for (line, groups) in lines.iter().zip(groups) {
                        for (field, group) in groups.iter().enumerate() {
                            let weights = line.0.map(|byte| byte >> (2 * field) & 3);
                            add_products(&mut sums, &weights, group);
                        }
                    }
                }
                WeightKind::Int8 => {
                    for (line, group) in lines.iter().zip(inputs.bytes(input)) {
                        add_products(&mut sums, &line.0, group);
                    }
                }
            }
            let zero = rows.kind.zero() * inputs.sum(input);
            for ((output, sum), scale) in output.iter_mut().zip(sums).zip(scales) {
                *output = (sum - zero) as f32 * (inputs.factor(input) * scale);
            }
        }
    }
}

/// Four columns of 16 rows.
fn add_products(sums: &mut [i32; BLOCK_ROWS], weights: &[u8; 64], inputs: &[i8; 4]) {
    for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<4>().0) {
        for (&weight, &input) in weights.iter().zip(inputs) {
            *sum += i32::from(weight) * i32::from(input);
        }
    }
}

super::float_kernels!();

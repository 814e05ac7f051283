//! The reference: plain loops.

use super::generic::{Inputs, tail};
use crate::network::{Architecture, Dense, FIRST_OUTPUTS, HalfRow, InputGroup};

/// See [`crate::kernels::update`].
pub(super) fn update(
    rows: &[HalfRow],
    source: Option<&HalfRow>,
    target: &mut HalfRow,
    added: &[u16],
    removed: &[u16],
) {
    if let Some(source) = source {
        *target = *source;
    }
    for &feature in added {
        for (sum, weight) in target.0.iter_mut().zip(&rows[usize::from(feature)].0) {
            *sum = sum.wrapping_add(*weight);
        }
    }
    for &feature in removed {
        for (sum, weight) in target.0.iter_mut().zip(&rows[usize::from(feature)].0) {
            *sum = sum.wrapping_sub(*weight);
        }
    }
}

/// See [`crate::kernels::output`].
pub(super) fn output(
    architecture: Architecture,
    own: &HalfRow,
    other: &HalfRow,
    dense: &Dense,
) -> f32 {
    let mut inputs = Inputs::new();
    let inputs = inputs.fill(architecture, own, other);
    tail(architecture, first_layer(inputs, &dense.first), dense)
}

fn first_layer(inputs: &[[u8; 4]], weights: &[InputGroup]) -> [i32; FIRST_OUTPUTS] {
    let mut sums = [0; FIRST_OUTPUTS];
    for (input, group) in inputs.iter().zip(weights) {
        for (sum, weights) in sums.iter_mut().zip(&group.0) {
            for (&input, &weight) in input.iter().zip(weights) {
                *sum += i32::from(input) * i32::from(weight);
            }
        }
    }
    sums
}

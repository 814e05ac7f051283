//! The inner loops, for each kind of vector instructions.
//!
//! A kernel is written once ([`generic`]) and compiled for each instruction set inside a function
//! that enables it. Products of integers are exact, and floats are added in one fixed order
//! without fused operations, so that every backend gives the same result to the last bit.

mod floats;
mod generic;
#[cfg(target_arch = "aarch64")]
mod neon;
mod quantised;
mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use floats::{Attention, LANES};
pub(crate) use quantised::Quantised;

use crate::model::{Line, WeightKind};
use kaiyo_simd::{Backend, dispatch};

/// A part of a matrix for a kernel: whole blocks of rows.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) kind: WeightKind,
    pub(crate) columns: usize,
    pub(crate) lines: &'a [Line],
    /// A factor for each row.
    pub(crate) scales: &'a [f32],
}

/// The kernels on floats, inside functions that enable the instruction set: compilers turn
/// their plain code into good vector code there.
macro_rules! float_kernels {
    ($(#[$feature:meta])*) => {
        /// See [`crate::kernels::normalise`].
        $(#[$feature])*
        pub(in crate::kernels) fn normalise(
            input: &[f32],
            weight: &[f32],
            epsilon: f32,
            output: &mut [f32],
        ) {
            crate::kernels::floats::normalise(input, weight, epsilon, output);
        }

        /// See [`crate::kernels::quantise`].
        $(#[$feature])*
        pub(in crate::kernels) fn quantise(
            input: &[f32],
            output: &mut crate::kernels::Quantised,
        ) {
            crate::kernels::quantised::push(input, output);
        }

        /// See [`crate::kernels::gate`].
        $(#[$feature])*
        pub(in crate::kernels) fn gate(gate: &mut [f32], up: &[f32]) {
            crate::kernels::floats::gate(gate, up);
        }

        /// See [`crate::kernels::add_scaled`].
        $(#[$feature])*
        pub(in crate::kernels) fn add_scaled(sum: &mut [f32], addend: &[f32], scale: &[f32]) {
            crate::kernels::floats::add_scaled(sum, addend, scale);
        }

        /// See [`crate::kernels::dot`].
        $(#[$feature])*
        pub(in crate::kernels) fn dot(a: &[f32], b: &[f32]) -> f32 {
            crate::kernels::floats::dot(a, b)
        }

        /// See [`crate::kernels::attend`].
        $(#[$feature])*
        pub(in crate::kernels) fn attend(
            attention: &crate::kernels::Attention<'_>,
            scores: &mut Vec<f32>,
            output: &mut [f32],
        ) {
            crate::kernels::floats::attend(attention, scores, output);
        }
    };
}
use float_kernels;

/// Products of rows with each of the inputs: `output` has the values of all rows for the
/// first input, then for the second, and so on.
///
/// # Panics
/// When the lengths do not fit each other.
pub(crate) fn multiply(backend: Backend, rows: Rows<'_>, inputs: &Quantised, output: &mut [f32]) {
    assert_eq!(rows.columns, inputs.columns());
    assert_eq!(output.len(), rows.scales.len() * inputs.len());
    let blocks = rows.scales.len() / crate::model::BLOCK_ROWS;
    assert_eq!(rows.lines.len(), blocks * rows.kind.lines(rows.columns));
    assert_eq!(rows.scales.len(), blocks * crate::model::BLOCK_ROWS);
    dispatch!(backend, multiply(rows, inputs, output));
}

/// RMSNorm: `output` becomes `input / sqrt(mean(input^2) + epsilon) * weight`.
pub(crate) fn normalise(
    backend: Backend,
    input: &[f32],
    weight: &[f32],
    epsilon: f32,
    output: &mut [f32],
) {
    dispatch!(backend, normalise(input, weight, epsilon, output));
}

/// Appends a vector to `output`, quantised.
pub(crate) fn quantise(backend: Backend, input: &[f32], output: &mut Quantised) {
    dispatch!(backend, quantise(input, output));
}

/// `gate` becomes `silu(gate) * up`.
pub(crate) fn gate(backend: Backend, gate: &mut [f32], up: &[f32]) {
    dispatch!(backend, gate(gate, up));
}

/// Adds `addend * scale` to `sum`.
pub(crate) fn add_scaled(backend: Backend, sum: &mut [f32], addend: &[f32], scale: &[f32]) {
    dispatch!(backend, add_scaled(sum, addend, scale));
}

/// Sum of products.
pub(crate) fn dot(backend: Backend, a: &[f32], b: &[f32]) -> f32 {
    dispatch!(backend, dot(a, b))
}

/// Attention of the query heads that share a key head; `scores` is room to work in.
pub(crate) fn attend(
    backend: Backend,
    attention: &Attention<'_>,
    scores: &mut Vec<f32>,
    output: &mut [f32],
) {
    dispatch!(backend, attend(attention, scores, output));
}

#[cfg(test)]
mod tests;

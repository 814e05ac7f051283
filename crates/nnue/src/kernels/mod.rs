//! The inner loops, for each kind of vector instructions.
//!
//! A kernel is written once over the few primitives of [`generic::Isa`] and compiled for each
//! instruction set inside a function that enables it. Integer sums wrap around and have no
//! order, and floats are added in one fixed order without fused operations, so that every
//! backend gives the same result to the last bit.

mod generic;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(target_arch = "x86_64")]
mod x86;

use crate::network::{Architecture, Dense, HalfRow};
use kaiyo_simd::{Backend, dispatch};

/// The functions that compile the kernels for an instruction set.
macro_rules! kernels {
    ($isa:ty, $features:literal, $tile:literal) => {
        /// See [`crate::kernels::update`].
        ///
        /// # Safety
        /// The processor has the instruction set.
        #[target_feature(enable = $features)]
        pub(in crate::kernels) unsafe fn update(
            rows: &[crate::network::HalfRow],
            source: Option<&crate::network::HalfRow>,
            target: &mut crate::network::HalfRow,
            added: &[u16],
            removed: &[u16],
        ) {
            // SAFETY: the caller's promise.
            unsafe {
                crate::kernels::generic::update::<$isa, $tile>(rows, source, target, added, removed)
            }
        }

        /// See [`crate::kernels::output`].
        ///
        /// # Safety
        /// The processor has the instruction set.
        #[target_feature(enable = $features)]
        pub(in crate::kernels) unsafe fn output(
            architecture: crate::network::Architecture,
            own: &crate::network::HalfRow,
            other: &crate::network::HalfRow,
            dense: &crate::network::Dense,
        ) -> f32 {
            // SAFETY: the caller's promise.
            unsafe { crate::kernels::generic::output::<$isa>(architecture, own, other, dense) }
        }
    };
}
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
use kernels;

/// Sets `target` to `source` (itself when `None`) plus the rows with the indices `added`
/// minus those with the indices `removed`.
///
/// # Panics
/// When an index has no row.
#[inline]
pub(crate) fn update(
    backend: Backend,
    rows: &[HalfRow],
    source: Option<&HalfRow>,
    target: &mut HalfRow,
    added: &[u16],
    removed: &[u16],
) {
    dispatch!(backend, update(rows, source, target, added, removed));
}

/// The network's output from the accumulators of the side to move and the other side.
#[inline]
pub(crate) fn output(
    backend: Backend,
    architecture: Architecture,
    own: &HalfRow,
    other: &HalfRow,
    dense: &Dense,
) -> f32 {
    dispatch!(backend, output(architecture, own, other, dense))
}

#[cfg(test)]
mod tests;

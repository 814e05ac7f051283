//! The vectors of WebAssembly, which a module either has or does not load.

use super::generic::{self, Isa};
use super::{Quantised, Rows};
use crate::model::{BLOCK_ROWS, Line};
use core::arch::wasm32::*;

/// See [`crate::kernels::multiply`].
///
/// # Safety
/// The module has 128-bit vectors.
#[target_feature(enable = "simd128")]
pub(super) unsafe fn multiply(rows: Rows<'_>, inputs: &Quantised, output: &mut [f32]) {
    // SAFETY: the caller's promise.
    unsafe { generic::multiply::<Simd128, 2>(rows, inputs, output) }
}

crate::kernels::float_kernels!(#[target_feature(enable = "simd128")]);

/// 128-bit vectors, four for a line, each of four rows. Sums have two vectors for each of them, of
/// two rows each.
pub(super) struct Simd128;

/// The vectors' low and high halves, widened.
type Halves = [[v128; 2]; 4];

impl Isa for Simd128 {
    type Bytes = [v128; 4];
    /// Sums of each column.
    type Partial = Halves;
    /// Sums of two columns.
    type Sums = Halves;
    type Wide = Halves;

    #[inline(always)]
    unsafe fn zero() -> (Halves, Halves) {
        ([[i16x8_splat(0); 2]; 4], [[i32x4_splat(0); 2]; 4])
    }

    #[inline(always)]
    unsafe fn load(line: &Line) -> [v128; 4] {
        // SAFETY: a line has four vectors.
        core::array::from_fn(|part| unsafe { v128_load(line.0.as_ptr().add(16 * part).cast()) })
    }

    #[inline(always)]
    unsafe fn prefetch(_line: *const Line) {}

    #[inline(always)]
    unsafe fn fields(bytes: [v128; 4]) -> [[v128; 4]; 4] {
        let field = u8x16_splat(3);
        [
            bytes.map(|bytes| v128_and(bytes, field)),
            bytes.map(|bytes| v128_and(u8x16_shr(bytes, 2), field)),
            bytes.map(|bytes| v128_and(u8x16_shr(bytes, 4), field)),
            bytes.map(|bytes| u8x16_shr(bytes, 6)),
        ]
    }

    #[inline(always)]
    unsafe fn ternary(partial: Halves, field: [v128; 4], inputs: [i8; 4]) -> Halves {
        // Fields are at most 2, the same with a sign.
        let inputs = i32x4_splat(i32::from_le_bytes(inputs.map(|input| input as u8)));
        core::array::from_fn(|part| {
            let [low, high] = partial[part];
            [
                i16x8_add(low, i16x8_extmul_low_i8x16(field[part], inputs)),
                i16x8_add(high, i16x8_extmul_high_i8x16(field[part], inputs)),
            ]
        })
    }

    #[inline(always)]
    unsafe fn take_over(sums: Halves, partial: Halves) -> Halves {
        core::array::from_fn(|part| {
            core::array::from_fn(|half| {
                i32x4_add(sums[part][half], i32x4_extadd_pairwise_i16x8(partial[part][half]))
            })
        })
    }

    #[inline(always)]
    unsafe fn widen(bytes: [v128; 4]) -> Halves {
        bytes.map(|bytes| [i16x8_extend_low_u8x16(bytes), i16x8_extend_high_u8x16(bytes)])
    }

    #[inline(always)]
    unsafe fn int8(sums: Halves, weights: Halves, bytes: [i8; 4], _pairs: [[i16; 2]; 2]) -> Halves {
        let inputs = i32x4_splat(i32::from_le_bytes(bytes.map(|input| input as u8)));
        let inputs = i16x8_extend_low_i8x16(inputs);
        core::array::from_fn(|part| {
            core::array::from_fn(|half| {
                i32x4_add(sums[part][half], i32x4_dot_i16x8(weights[part][half], inputs))
            })
        })
    }

    #[inline(always)]
    unsafe fn store(sums: Halves) -> [i32; BLOCK_ROWS] {
        let mut out = [0; BLOCK_ROWS];
        for (out, sums) in out.as_chunks_mut::<2>().0.iter_mut().zip(sums.as_flattened()) {
            *out = [
                i32x4_extract_lane::<0>(*sums) + i32x4_extract_lane::<1>(*sums),
                i32x4_extract_lane::<2>(*sums) + i32x4_extract_lane::<3>(*sums),
            ];
        }
        out
    }
}

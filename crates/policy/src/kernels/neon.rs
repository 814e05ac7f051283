//! NEON, which every 64-bit ARM processor has.

use super::generic::{self, Isa};
use super::{Quantised, Rows};
use crate::model::{BLOCK_ROWS, Line};
use core::arch::aarch64::*;

/// See [`crate::kernels::multiply`].
///
/// # Safety
/// The processor has NEON.
#[target_feature(enable = "neon")]
pub(super) unsafe fn multiply(rows: Rows<'_>, inputs: &Quantised, output: &mut [f32]) {
    // SAFETY: the caller's promise.
    unsafe { generic::multiply::<Neon, 4>(rows, inputs, output) }
}

crate::kernels::float_kernels!(#[target_feature(enable = "neon")]);

/// 128-bit vectors, four for a line, each of four rows.
pub(super) struct Neon;

impl Isa for Neon {
    type Bytes = [uint8x16_t; 4];
    /// Sums of two columns: two for each row.
    type Partial = [int16x8_t; 4];
    type Sums = [int32x4_t; 4];
    type Wide = [uint8x16_t; 4];

    #[inline(always)]
    unsafe fn zero() -> ([int16x8_t; 4], [int32x4_t; 4]) {
        // SAFETY: the processor has NEON.
        unsafe { ([vdupq_n_s16(0); 4], [vdupq_n_s32(0); 4]) }
    }

    #[inline(always)]
    unsafe fn load(line: &Line) -> [uint8x16_t; 4] {
        // SAFETY: a line has four vectors; the processor has NEON.
        core::array::from_fn(|part| unsafe { vld1q_u8(line.0.as_ptr().add(16 * part)) })
    }

    #[inline(always)]
    unsafe fn prefetch(_line: *const Line) {}

    #[inline(always)]
    unsafe fn fields(bytes: [uint8x16_t; 4]) -> [[uint8x16_t; 4]; 4] {
        // SAFETY: the processor has NEON.
        unsafe {
            let field = vdupq_n_u8(3);
            [
                bytes.map(|bytes| vandq_u8(bytes, field)),
                bytes.map(|bytes| vandq_u8(vshrq_n_u8::<2>(bytes), field)),
                bytes.map(|bytes| vandq_u8(vshrq_n_u8::<4>(bytes), field)),
                bytes.map(|bytes| vshrq_n_u8::<6>(bytes)),
            ]
        }
    }

    #[inline(always)]
    unsafe fn ternary(
        partial: [int16x8_t; 4],
        field: [uint8x16_t; 4],
        inputs: [i8; 4],
    ) -> [int16x8_t; 4] {
        // SAFETY: the processor has NEON. Fields are at most 2, the same with a sign.
        unsafe {
            let inputs = i32::from_le_bytes(inputs.map(|input| input as u8));
            let inputs = vreinterpretq_s8_s32(vdupq_n_s32(inputs));
            core::array::from_fn(|part| {
                let weights = vreinterpretq_s8_u8(field[part]);
                let low = vmull_s8(vget_low_s8(weights), vget_low_s8(inputs));
                let high = vmull_high_s8(weights, inputs);
                vaddq_s16(partial[part], vpaddq_s16(low, high))
            })
        }
    }

    #[inline(always)]
    unsafe fn take_over(sums: [int32x4_t; 4], partial: [int16x8_t; 4]) -> [int32x4_t; 4] {
        // SAFETY: the processor has NEON.
        core::array::from_fn(|part| unsafe { vpadalq_s16(sums[part], partial[part]) })
    }

    #[inline(always)]
    unsafe fn widen(bytes: [uint8x16_t; 4]) -> [uint8x16_t; 4] {
        bytes
    }

    #[inline(always)]
    unsafe fn int8(
        sums: [int32x4_t; 4],
        weights: [uint8x16_t; 4],
        bytes: [i8; 4],
        _pairs: [[i16; 2]; 2],
    ) -> [int32x4_t; 4] {
        // SAFETY: the processor has NEON. Weights have 8 bits without a sign, and so 9 with one.
        unsafe {
            let inputs = i32::from_le_bytes(bytes.map(|input| input as u8));
            let inputs = vmovl_s8(vreinterpret_s8_s32(vdup_n_s32(inputs)));
            core::array::from_fn(|part| {
                let low = vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(weights[part])));
                let high = vreinterpretq_s16_u16(vmovl_high_u8(weights[part]));
                let row = |weights| {
                    let first = vmull_s16(vget_low_s16(weights), vget_low_s16(inputs));
                    vpaddq_s32(first, vmull_high_s16(weights, inputs))
                };
                vaddq_s32(sums[part], vpaddq_s32(row(low), row(high)))
            })
        }
    }

    #[inline(always)]
    unsafe fn store(sums: [int32x4_t; 4]) -> [i32; BLOCK_ROWS] {
        let mut out = [0; BLOCK_ROWS];
        for (part, sums) in sums.into_iter().enumerate() {
            // SAFETY: the stores fill the 16 numbers; the processor has NEON.
            unsafe { vst1q_s32(out.as_mut_ptr().add(4 * part), sums) };
        }
        out
    }
}

//! NEON, which every 64-bit ARM processor has.

use super::generic::Isa;
use crate::network::{FIRST_OUTPUTS, InputGroup};
use core::arch::aarch64::*;

crate::kernels::kernels!(Neon, "neon", 16);

/// 128-bit vectors.
struct Neon;

impl Isa for Neon {
    type Sums = int16x8_t;
    const LANES: usize = 8;

    #[inline(always)]
    unsafe fn load(from: *const i16) -> int16x8_t {
        // SAFETY: the caller's promise.
        unsafe { vld1q_s16(from) }
    }

    #[inline(always)]
    unsafe fn store(to: *mut i16, sums: int16x8_t) {
        // SAFETY: the caller's promise.
        unsafe { vst1q_s16(to, sums) }
    }

    #[inline(always)]
    unsafe fn add(a: int16x8_t, b: int16x8_t) -> int16x8_t {
        // SAFETY: the caller's promise.
        unsafe { vaddq_s16(a, b) }
    }

    #[inline(always)]
    unsafe fn sub(a: int16x8_t, b: int16x8_t) -> int16x8_t {
        // SAFETY: the caller's promise.
        unsafe { vsubq_s16(a, b) }
    }

    #[inline(always)]
    unsafe fn first_layer(inputs: &[[u8; 4]], weights: &[InputGroup]) -> [i32; FIRST_OUTPUTS] {
        let mut out = [0; FIRST_OUTPUTS];
        // SAFETY: the processor has NEON. A group of weights has four vectors of 16 bytes, four
        // outputs each, and the stores fill the 16 numbers. Inputs are at most 127, so that
        // they are the same with a sign, and a product has 15 bits and a sign.
        unsafe {
            let mut sums = [vdupq_n_s32(0); 4];
            for (&input, group) in inputs.iter().zip(weights) {
                let input = i32::from_le_bytes(input);
                if input == 0 {
                    continue;
                }
                let input = vreinterpretq_s8_s32(vdupq_n_s32(input));
                let weights: *const i8 = (&raw const *group).cast();
                for (index, sum) in sums.iter_mut().enumerate() {
                    let weights = vld1q_s8(weights.add(16 * index));
                    let low = vmull_s8(vget_low_s8(input), vget_low_s8(weights));
                    let high = vmull_high_s8(input, weights);
                    // Neighbouring products belong to one output; twice halved, it has all four.
                    let pairs = vpaddq_s32(vpaddlq_s16(low), vpaddlq_s16(high));
                    *sum = vaddq_s32(*sum, pairs);
                }
            }
            for (index, sum) in sums.into_iter().enumerate() {
                vst1q_s32(out.as_mut_ptr().add(4 * index), sum);
            }
        }
        out
    }
}

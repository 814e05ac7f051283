//! The vectors of WebAssembly, which a module either has or does not load.

use super::generic::Isa;
use crate::network::{FIRST_OUTPUTS, InputGroup};
use core::arch::wasm32::*;

crate::kernels::kernels!(Simd128, "simd128", 8);

/// 128-bit vectors.
struct Simd128;

impl Isa for Simd128 {
    type Sums = v128;
    const LANES: usize = 8;

    #[inline(always)]
    unsafe fn load(from: *const i16) -> v128 {
        // SAFETY: the caller's promise.
        unsafe { v128_load(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store(to: *mut i16, sums: v128) {
        // SAFETY: the caller's promise.
        unsafe { v128_store(to.cast(), sums) }
    }

    #[inline(always)]
    unsafe fn add(a: v128, b: v128) -> v128 {
        i16x8_add(a, b)
    }

    #[inline(always)]
    unsafe fn sub(a: v128, b: v128) -> v128 {
        i16x8_sub(a, b)
    }

    #[inline(always)]
    unsafe fn first_layer(inputs: &[[u8; 4]], weights: &[InputGroup]) -> [i32; FIRST_OUTPUTS] {
        // Eight vectors of two sums for each of two outputs.
        let mut sums = [i32x4_splat(0); FIRST_OUTPUTS / 2];
        for (&input, group) in inputs.iter().zip(weights) {
            let input = i32::from_le_bytes(input);
            if input == 0 {
                continue;
            }
            let input = i16x8_extend_low_u8x16(i32x4_splat(input));
            let weights: *const i8 = (&raw const *group).cast();
            for (index, sum) in sums.iter_mut().enumerate() {
                // SAFETY: a group of weights has eight times 8 bytes, two outputs each.
                let weights = unsafe { i16x8_load_extend_i8x8(weights.add(8 * index)) };
                *sum = i32x4_add(*sum, i32x4_dot_i16x8(weights, input));
            }
        }
        let mut out = [0; FIRST_OUTPUTS];
        for (out, sums) in out.as_chunks_mut::<2>().0.iter_mut().zip(sums) {
            *out = [
                i32x4_extract_lane::<0>(sums) + i32x4_extract_lane::<1>(sums),
                i32x4_extract_lane::<2>(sums) + i32x4_extract_lane::<3>(sums),
            ];
        }
        out
    }
}

//! AVX2, AVX-512 and AVX-512 with VNNI.
//!
//! In a trained network many groups of four activations are zero. The first layer finds the
//! others by comparing whole vectors and multiplies only those, each with one vector of weights
//! (the "sparse" first layer, introduced in Stockfish by Luecx and others in 2023). Where nearly
//! all groups of a block are needed it is faster to take all of them in turn.

use super::generic::Isa;
use crate::network::{FIRST_OUTPUTS, InputGroup};
use core::arch::x86_64::*;

/// Groups whose zeros are found at once: a bit of a word for each.
const BLOCK: usize = 64;
/// From so many non-zero groups on, all groups of a block are multiplied.
const DENSE: u32 = 44;

pub(super) mod avx2 {
    use super::*;
    crate::kernels::kernels!(Avx2, "avx2,bmi1,popcnt", 8);
}

pub(super) mod avx512 {
    use super::*;
    crate::kernels::kernels!(Avx512<false>, "avx512f,avx512bw,bmi1,popcnt", 16);
}

pub(super) mod avx512vnni {
    use super::*;
    crate::kernels::kernels!(Avx512<true>, "avx512f,avx512bw,avx512vnni,bmi1,popcnt", 16);
}

/// The sixteen sums of the first layer over all groups of non-zero inputs. `$nonzero` finds
/// them in a block and `$dot` adds the products of one group to a sum. Several chains of sums
/// hide the latency of the multiplications.
macro_rules! sparse_sums {
    ($inputs:expr, $weights:expr, $zero:expr, $nonzero:expr, $dot:expr) => {{
        let (inputs, weights): (&[[u8; 4]], &[InputGroup]) = ($inputs, $weights);
        let [mut even, mut odd, mut third, mut fourth] = [$zero; 4];
        let blocks = inputs.as_chunks::<BLOCK>().0.iter().zip(weights.as_chunks::<BLOCK>().0);
        for (inputs, weights) in blocks {
            let mut groups: u64 = $nonzero(inputs);
            if groups.count_ones() >= DENSE {
                let fours = inputs.as_chunks::<4>().0.iter().zip(weights.as_chunks::<4>().0);
                for (inputs, weights) in fours {
                    let inputs = inputs.map(i32::from_le_bytes);
                    even = $dot(even, inputs[0], &weights[0]);
                    odd = $dot(odd, inputs[1], &weights[1]);
                    third = $dot(third, inputs[2], &weights[2]);
                    fourth = $dot(fourth, inputs[3], &weights[3]);
                }
                continue;
            }
            while groups != 0 {
                let group = groups.trailing_zeros() as usize % BLOCK;
                even = $dot(even, i32::from_le_bytes(inputs[group]), &weights[group]);
                groups &= groups - 1;
                if groups == 0 {
                    break;
                }
                let group = groups.trailing_zeros() as usize % BLOCK;
                odd = $dot(odd, i32::from_le_bytes(inputs[group]), &weights[group]);
                groups &= groups - 1;
            }
        }
        [even, odd, third, fourth]
    }};
}

/// 256-bit vectors.
pub(super) struct Avx2;

impl Avx2 {
    /// A bit for each group that is not all zero.
    #[inline(always)]
    unsafe fn nonzero(inputs: &[[u8; 4]; BLOCK]) -> u64 {
        let mut groups = 0;
        for (index, part) in inputs.as_chunks::<8>().0.iter().enumerate() {
            // SAFETY: a part has the 32 bytes of a vector; the processor has AVX2.
            let zeros = unsafe {
                let part = _mm256_loadu_si256(part.as_ptr().cast());
                let zeros = _mm256_cmpeq_epi32(part, _mm256_setzero_si256());
                _mm256_movemask_ps(_mm256_castsi256_ps(zeros))
            };
            groups |= u64::from(!zeros as u8) << (8 * index);
        }
        groups
    }

    /// Adds the products of four inputs with their weights for all 16 outputs.
    #[inline(always)]
    unsafe fn dot(sums: [__m256i; 2], inputs: i32, weights: &InputGroup) -> [__m256i; 2] {
        let weights: *const __m256i = (&raw const *weights).cast();
        // SAFETY: a group has two aligned vectors; the processor has AVX2. Two products of at
        // most 127 * 128 fit in 16 bits, so that nothing saturates.
        unsafe {
            let inputs = _mm256_set1_epi32(inputs);
            let ones = _mm256_set1_epi16(1);
            let low = _mm256_maddubs_epi16(inputs, _mm256_load_si256(weights));
            let high = _mm256_maddubs_epi16(inputs, _mm256_load_si256(weights.add(1)));
            [
                _mm256_add_epi32(sums[0], _mm256_madd_epi16(low, ones)),
                _mm256_add_epi32(sums[1], _mm256_madd_epi16(high, ones)),
            ]
        }
    }
}

impl Isa for Avx2 {
    type Sums = __m256i;
    const LANES: usize = 16;

    #[inline(always)]
    unsafe fn load(from: *const i16) -> __m256i {
        // SAFETY: the caller's promise.
        unsafe { _mm256_load_si256(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store(to: *mut i16, sums: __m256i) {
        // SAFETY: the caller's promise.
        unsafe { _mm256_store_si256(to.cast(), sums) }
    }

    #[inline(always)]
    unsafe fn add(a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the caller's promise.
        unsafe { _mm256_add_epi16(a, b) }
    }

    #[inline(always)]
    unsafe fn sub(a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the caller's promise.
        unsafe { _mm256_sub_epi16(a, b) }
    }

    #[inline(always)]
    unsafe fn first_layer(inputs: &[[u8; 4]], weights: &[InputGroup]) -> [i32; FIRST_OUTPUTS] {
        let mut out = [0; FIRST_OUTPUTS];
        // SAFETY: the processor has AVX2, and the stores fill the 16 numbers.
        unsafe {
            let zero = [_mm256_setzero_si256(); 2];
            let [a, b, c, d] = sparse_sums!(inputs, weights, zero, Self::nonzero, Self::dot);
            let to: *mut __m256i = out.as_mut_ptr().cast();
            for half in 0..2 {
                let pairs = [(a[half], b[half]), (c[half], d[half])];
                let [one, other] = pairs.map(|(one, other)| _mm256_add_epi32(one, other));
                _mm256_storeu_si256(to.add(half), _mm256_add_epi32(one, other));
            }
        }
        out
    }
}

/// 512-bit vectors, with or without VNNI.
pub(super) struct Avx512<const VNNI: bool>;

impl<const VNNI: bool> Avx512<VNNI> {
    /// A bit for each group that is not all zero.
    #[inline(always)]
    unsafe fn nonzero(inputs: &[[u8; 4]; BLOCK]) -> u64 {
        let mut groups = 0;
        for (index, part) in inputs.as_chunks::<16>().0.iter().enumerate() {
            // SAFETY: a part has the 64 bytes of a vector; the processor has AVX-512.
            let nonzero = unsafe {
                let part = _mm512_loadu_si512(part.as_ptr().cast());
                _mm512_test_epi32_mask(part, part)
            };
            groups |= u64::from(nonzero) << (16 * index);
        }
        groups
    }

    /// Adds the products of four inputs with their weights for all 16 outputs.
    #[inline(always)]
    unsafe fn dot(sums: __m512i, inputs: i32, weights: &InputGroup) -> __m512i {
        // SAFETY: a group is an aligned vector; the processor has AVX-512, and VNNI where it
        // is used. Without it, two products of at most 127 * 128 fit in 16 bits, so that
        // nothing saturates.
        unsafe {
            let inputs = _mm512_set1_epi32(inputs);
            let weights = _mm512_load_si512((&raw const *weights).cast());
            if VNNI {
                _mm512_dpbusd_epi32(sums, inputs, weights)
            } else {
                let pairs = _mm512_maddubs_epi16(inputs, weights);
                _mm512_add_epi32(sums, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)))
            }
        }
    }
}

impl<const VNNI: bool> Isa for Avx512<VNNI> {
    type Sums = __m512i;
    const LANES: usize = 32;

    #[inline(always)]
    unsafe fn load(from: *const i16) -> __m512i {
        // SAFETY: the caller's promise.
        unsafe { _mm512_load_si512(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store(to: *mut i16, sums: __m512i) {
        // SAFETY: the caller's promise.
        unsafe { _mm512_store_si512(to.cast(), sums) }
    }

    #[inline(always)]
    unsafe fn add(a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the caller's promise.
        unsafe { _mm512_add_epi16(a, b) }
    }

    #[inline(always)]
    unsafe fn sub(a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the caller's promise.
        unsafe { _mm512_sub_epi16(a, b) }
    }

    #[inline(always)]
    unsafe fn first_layer(inputs: &[[u8; 4]], weights: &[InputGroup]) -> [i32; FIRST_OUTPUTS] {
        let mut out = [0; FIRST_OUTPUTS];
        // SAFETY: the processor has AVX-512, and the store fills the 16 numbers.
        unsafe {
            let zero = _mm512_setzero_si512();
            let [a, b, c, d] = sparse_sums!(inputs, weights, zero, Self::nonzero, Self::dot);
            let sums = _mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d));
            _mm512_storeu_si512(out.as_mut_ptr().cast(), sums);
        }
        out
    }
}

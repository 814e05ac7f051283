//! AVX2, AVX-512 and AVX-512 with VNNI.

use super::generic::{self, Isa};
use super::{Quantised, Rows};
use crate::model::{BLOCK_ROWS, Line};
use core::arch::x86_64::*;

/// The functions that compile the kernels for an instruction set.
macro_rules! kernels {
    ($isa:ty, $features:literal, $tile:literal) => {
        /// See [`crate::kernels::multiply`].
        ///
        /// # Safety
        /// The processor has the instruction set.
        #[target_feature(enable = $features)]
        pub(in super::super) unsafe fn multiply(
            rows: Rows<'_>,
            inputs: &Quantised,
            output: &mut [f32],
        ) {
            // SAFETY: the caller's promise.
            unsafe { generic::multiply::<$isa, $tile>(rows, inputs, output) }
        }

        crate::kernels::float_kernels!(#[target_feature(enable = $features)]);
    };
}

pub(super) mod avx2 {
    use super::*;
    kernels!(Avx2, "avx2", 4);
}

pub(super) mod avx512 {
    use super::*;
    kernels!(Avx512<false>, "avx512f,avx512bw,avx512dq,avx512vl", 8);
}

pub(super) mod avx512vnni {
    use super::*;
    kernels!(Avx512<true>, "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni", 8);
}

#[inline(always)]
const fn pair(pair: [i16; 2]) -> i32 {
    (pair[0] as u16 as u32 | (pair[1] as u16 as u32) << 16) as i32
}

/// 256-bit vectors, two for a line.
pub(super) struct Avx2;

impl Isa for Avx2 {
    type Bytes = [__m256i; 2];
    type Partial = [__m256i; 2];
    type Sums = [__m256i; 2];
    /// Even columns, odd columns.
    type Wide = [[__m256i; 2]; 2];

    #[inline(always)]
    unsafe fn zero() -> ([__m256i; 2], [__m256i; 2]) {
        // SAFETY: the processor has AVX2.
        let zero = unsafe { _mm256_setzero_si256() };
        ([zero; 2], [zero; 2])
    }

    #[inline(always)]
    unsafe fn load(line: &Line) -> [__m256i; 2] {
        let line: *const __m256i = (&raw const *line).cast();
        // SAFETY: a line has two aligned vectors; the processor has AVX2.
        unsafe { [_mm256_load_si256(line), _mm256_load_si256(line.add(1))] }
    }

    #[inline(always)]
    unsafe fn prefetch(line: *const Line) {
        // SAFETY: a prefetch of any address is harmless.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.cast()) };
    }

    #[inline(always)]
    unsafe fn fields(bytes: [__m256i; 2]) -> [[__m256i; 2]; 4] {
        // SAFETY: the processor has AVX2.
        unsafe {
            let field = _mm256_set1_epi8(3);
            [
                bytes.map(|bytes| _mm256_and_si256(bytes, field)),
                bytes.map(|bytes| _mm256_and_si256(_mm256_srli_epi16::<2>(bytes), field)),
                bytes.map(|bytes| _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), field)),
                bytes.map(|bytes| _mm256_and_si256(_mm256_srli_epi16::<6>(bytes), field)),
            ]
        }
    }

    #[inline(always)]
    unsafe fn ternary(partial: [__m256i; 2], field: [__m256i; 2], inputs: [i8; 4]) -> [__m256i; 2] {
        // SAFETY: the processor has AVX2.
        unsafe {
            let inputs = _mm256_set1_epi32(i32::from_le_bytes(inputs.map(|input| input as u8)));
            let add = |half| {
                let products = _mm256_maddubs_epi16(field[half], inputs);
                _mm256_add_epi16(partial[half], products)
            };
            [add(0), add(1)]
        }
    }

    #[inline(always)]
    unsafe fn take_over(sums: [__m256i; 2], partial: [__m256i; 2]) -> [__m256i; 2] {
        // SAFETY: the processor has AVX2.
        unsafe {
            let ones = _mm256_set1_epi16(1);
            let add = |half| {
                let pairs = _mm256_madd_epi16(partial[half], ones);
                _mm256_add_epi32(sums[half], pairs)
            };
            [add(0), add(1)]
        }
    }

    #[inline(always)]
    unsafe fn widen(bytes: [__m256i; 2]) -> [[__m256i; 2]; 2] {
        // SAFETY: the processor has AVX2.
        unsafe {
            let low = _mm256_set1_epi16(0xff);
            [
                bytes.map(|bytes| _mm256_and_si256(bytes, low)),
                bytes.map(|bytes| _mm256_srli_epi16::<8>(bytes)),
            ]
        }
    }

    #[inline(always)]
    unsafe fn int8(
        sums: [__m256i; 2],
        weights: [[__m256i; 2]; 2],
        _bytes: [i8; 4],
        pairs: [[i16; 2]; 2],
    ) -> [__m256i; 2] {
        // SAFETY: the processor has AVX2.
        unsafe {
            let [even, odd] = pairs.map(|inputs| _mm256_set1_epi32(pair(inputs)));
            let add = |half: usize| {
                let even = _mm256_madd_epi16(weights[0][half], even);
                let odd = _mm256_madd_epi16(weights[1][half], odd);
                _mm256_add_epi32(_mm256_add_epi32(sums[half], even), odd)
            };
            [add(0), add(1)]
        }
    }

    #[inline(always)]
    unsafe fn store(sums: [__m256i; 2]) -> [i32; BLOCK_ROWS] {
        let mut out = [0; BLOCK_ROWS];
        let to: *mut __m256i = out.as_mut_ptr().cast();
        // SAFETY: the stores fill the 16 numbers; the processor has AVX2.
        unsafe {
            _mm256_storeu_si256(to, sums[0]);
            _mm256_storeu_si256(to.add(1), sums[1]);
        }
        out
    }
}

/// 512-bit vectors, with or without VNNI.
pub(super) struct Avx512<const VNNI: bool>;

impl<const VNNI: bool> Isa for Avx512<VNNI> {
    type Bytes = __m512i;
    /// 16-bit numbers, or 32-bit ones with VNNI.
    type Partial = __m512i;
    type Sums = __m512i;
    /// Even columns, odd columns; with VNNI the bytes, twice.
    type Wide = [__m512i; 2];

    #[inline(always)]
    unsafe fn zero() -> (__m512i, __m512i) {
        // SAFETY: the processor has AVX-512.
        let zero = unsafe { _mm512_setzero_si512() };
        (zero, zero)
    }

    #[inline(always)]
    unsafe fn load(line: &Line) -> __m512i {
        // SAFETY: a line is an aligned vector; the processor has AVX-512.
        unsafe { _mm512_load_si512((&raw const *line).cast()) }
    }

    #[inline(always)]
    unsafe fn prefetch(line: *const Line) {
        // SAFETY: a prefetch of any address is harmless.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.cast()) };
    }

    #[inline(always)]
    unsafe fn fields(bytes: __m512i) -> [__m512i; 4] {
        // SAFETY: the processor has AVX-512.
        unsafe {
            let field = _mm512_set1_epi8(3);
            [
                _mm512_and_si512(bytes, field),
                _mm512_and_si512(_mm512_srli_epi16::<2>(bytes), field),
                _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), field),
                _mm512_and_si512(_mm512_srli_epi16::<6>(bytes), field),
            ]
        }
    }

    #[inline(always)]
    unsafe fn ternary(partial: __m512i, field: __m512i, inputs: [i8; 4]) -> __m512i {
        // SAFETY: the processor has AVX-512, and VNNI where it is used.
        unsafe {
            let inputs = _mm512_set1_epi32(i32::from_le_bytes(inputs.map(|input| input as u8)));
            if VNNI {
                _mm512_dpbusd_epi32(partial, field, inputs)
            } else {
                _mm512_add_epi16(partial, _mm512_maddubs_epi16(field, inputs))
            }
        }
    }

    #[inline(always)]
    unsafe fn take_over(sums: __m512i, partial: __m512i) -> __m512i {
        // SAFETY: the processor has AVX-512.
        unsafe {
            let partial =
                if VNNI { partial } else { _mm512_madd_epi16(partial, _mm512_set1_epi16(1)) };
            _mm512_add_epi32(sums, partial)
        }
    }

    #[inline(always)]
    unsafe fn widen(bytes: __m512i) -> [__m512i; 2] {
        if VNNI {
            return [bytes; 2];
        }
        // SAFETY: the processor has AVX-512.
        unsafe {
            let low = _mm512_set1_epi16(0xff);
            [_mm512_and_si512(bytes, low), _mm512_srli_epi16::<8>(bytes)]
        }
    }

    #[inline(always)]
    unsafe fn int8(
        sums: __m512i,
        weights: [__m512i; 2],
        bytes: [i8; 4],
        pairs: [[i16; 2]; 2],
    ) -> __m512i {
        // SAFETY: the processor has AVX-512, and VNNI where it is used.
        unsafe {
            if VNNI {
                let inputs = i32::from_le_bytes(bytes.map(|input| input as u8));
                return _mm512_dpbusd_epi32(sums, weights[0], _mm512_set1_epi32(inputs));
            }
            let [even, odd] = pairs.map(|inputs| _mm512_set1_epi32(pair(inputs)));
            let even = _mm512_madd_epi16(weights[0], even);
            let odd = _mm512_madd_epi16(weights[1], odd);
            _mm512_add_epi32(_mm512_add_epi32(sums, even), odd)
        }
    }

    #[inline(always)]
    unsafe fn store(sums: __m512i) -> [i32; BLOCK_ROWS] {
        let mut out = [0; BLOCK_ROWS];
        // SAFETY: the store fills the 16 numbers; the processor has AVX-512.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), sums) };
        out
    }
}

//! Sixteen floats at once.
//!
//! Loops of the trainer are written over [`Lanes`] and always inlined into functions that enable
//! the instructions of an implementation (see `kernels!`), which [`Simd`] chooses between.

/// A set of vector instructions that this processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simd(Kind);

/// Private, so that a [`Simd`] proves that its instructions are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Simd {
    /// Every set that this processor has, slowest first.
    pub fn available() -> Vec<Self> {
        #[allow(unused_mut, reason = "only x86 has more")]
        let mut found = vec![Self(Kind::Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                found.push(Self(Kind::Avx2));
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
                found.push(Self(Kind::Avx512));
            }
        }
        found
    }

    /// The fastest set.
    pub fn best() -> Self {
        Self::available().pop().unwrap_or(Self(Kind::Portable))
    }

    pub(super) const fn kind(self) -> Kind {
        self.0
    }
}

/// Declares a function that runs `$generic::<implementation of Lanes, positions at once>` with
/// the instructions of a [`Simd`].
macro_rules! kernels {
    ($(#[$meta:meta])* $visibility:vis $name:ident => $generic:ident($($argument:ident: $type:ty),* $(,)?) $(-> $out:ty)?) => {
        $(#[$meta])*
        $visibility fn $name(simd: $crate::nnue::lanes::Simd, $($argument: $type),*) $(-> $out)? {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn avx2($($argument: $type),*) $(-> $out)? {
                // SAFETY: this function enables the instructions.
                unsafe { $generic::<$crate::nnue::lanes::Avx2, 4>($($argument),*) }
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512dq")]
            fn avx512($($argument: $type),*) $(-> $out)? {
                // SAFETY: this function enables the instructions.
                unsafe { $generic::<$crate::nnue::lanes::Avx512, 16>($($argument),*) }
            }
            match simd.kind() {
                // SAFETY: portable code needs no instructions.
                $crate::nnue::lanes::Kind::Portable => unsafe {
                    $generic::<$crate::nnue::lanes::Portable, 4>($($argument),*)
                },
                // SAFETY: a `Simd` of this kind exists only where the instructions were found.
                #[cfg(target_arch = "x86_64")]
                $crate::nnue::lanes::Kind::Avx2 => unsafe { avx2($($argument),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                $crate::nnue::lanes::Kind::Avx512 => unsafe { avx512($($argument),*) },
            }
        }
    };
}
pub(super) use kernels;

/// Asks for a value that will be used soon.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the pointer comes from a reference, and prefetching has no other effect.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(value).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Number of floats.
pub const LANES: usize = 16;

/// Sixteen floats and what can be done to them.
///
/// # Safety
/// All functions need the instructions of the implementation.
#[allow(clippy::missing_safety_doc, reason = "said once for the whole trait")]
pub trait Lanes: Copy {
    unsafe fn splat(value: f32) -> Self;
    unsafe fn load(from: &[f32; LANES]) -> Self;
    unsafe fn store(self, to: &mut [f32; LANES]);
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn mul(self, other: Self) -> Self;
    unsafe fn div(self, other: Self) -> Self;
    unsafe fn sqrt(self) -> Self;
    unsafe fn min(self, other: Self) -> Self;
    unsafe fn max(self, other: Self) -> Self;
    /// `self * factor + summand`.
    unsafe fn mul_add(self, factor: Self, summand: Self) -> Self;
    /// Where `self` lies strictly between the limits `value`, elsewhere 0.
    unsafe fn gate(self, low: Self, high: Self, value: Self) -> Self;
    /// The sum of all lanes.
    unsafe fn sum(self) -> f32;
}

/// Plain arrays, which compilers turn into what vectors the target has.
#[derive(Clone, Copy)]
pub struct Portable([f32; LANES]);

impl Portable {
    #[inline(always)]
    fn zip(self, other: Self, mut f: impl FnMut(f32, f32) -> f32) -> Self {
        let mut out = self;
        for (a, b) in out.0.iter_mut().zip(other.0) {
            *a = f(*a, b);
        }
        out
    }
}

impl Lanes for Portable {
    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        Self([value; LANES])
    }

    #[inline(always)]
    unsafe fn load(from: &[f32; LANES]) -> Self {
        Self(*from)
    }

    #[inline(always)]
    unsafe fn store(self, to: &mut [f32; LANES]) {
        *to = self.0;
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }

    #[inline(always)]
    unsafe fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }

    #[inline(always)]
    unsafe fn div(self, other: Self) -> Self {
        self.zip(other, |a, b| a / b)
    }

    #[inline(always)]
    unsafe fn sqrt(self) -> Self {
        Self(self.0.map(f32::sqrt))
    }

    #[inline(always)]
    unsafe fn min(self, other: Self) -> Self {
        self.zip(other, f32::min)
    }

    #[inline(always)]
    unsafe fn max(self, other: Self) -> Self {
        self.zip(other, f32::max)
    }

    #[inline(always)]
    unsafe fn mul_add(self, factor: Self, summand: Self) -> Self {
        self.zip(factor, |a, b| a * b).zip(summand, |a, b| a + b)
    }

    #[inline(always)]
    unsafe fn gate(self, low: Self, high: Self, value: Self) -> Self {
        let mut out = value;
        for (index, out) in out.0.iter_mut().enumerate() {
            let x = self.0[index];
            *out = if x > low.0[index] && x < high.0[index] { *out } else { 0.0 };
        }
        out
    }

    #[inline(always)]
    unsafe fn sum(self) -> f32 {
        let mut values = self.0;
        let mut half = LANES / 2;
        while half > 0 {
            for index in 0..half {
                values[index] += values[index + half];
            }
            half /= 2;
        }
        values[0]
    }
}

#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{LANES, Lanes};
    use core::arch::x86_64::*;

    /// Two vectors of 256 bits.
    #[derive(Clone, Copy)]
    pub struct Avx2(__m256, __m256);

    /// A vector of 512 bits.
    #[derive(Clone, Copy)]
    pub struct Avx512(__m512);

    /// An operation on both halves.
    macro_rules! halves {
        ($name:ident($($argument:ident),*) => $intrinsic:ident) => {
            #[inline(always)]
            unsafe fn $name(self, $($argument: Self),*) -> Self {
                // SAFETY: the promise of the trait.
                unsafe {
                    Self($intrinsic(self.0, $($argument.0),*), $intrinsic(self.1, $($argument.1),*))
                }
            }
        };
    }

    impl Lanes for Avx2 {
        halves!(add(other) => _mm256_add_ps);
        halves!(mul(other) => _mm256_mul_ps);
        halves!(div(other) => _mm256_div_ps);
        halves!(sqrt() => _mm256_sqrt_ps);
        halves!(min(other) => _mm256_min_ps);
        halves!(max(other) => _mm256_max_ps);
        halves!(mul_add(factor, summand) => _mm256_fmadd_ps);

        #[inline(always)]
        unsafe fn splat(value: f32) -> Self {
            // SAFETY: the promise of the trait.
            unsafe { Self(_mm256_set1_ps(value), _mm256_set1_ps(value)) }
        }

        #[inline(always)]
        unsafe fn load(from: &[f32; LANES]) -> Self {
            // SAFETY: an array has 16 floats.
            unsafe {
                let from = from.as_ptr();
                Self(_mm256_loadu_ps(from), _mm256_loadu_ps(from.add(8)))
            }
        }

        #[inline(always)]
        unsafe fn store(self, to: &mut [f32; LANES]) {
            // SAFETY: an array has 16 floats.
            unsafe {
                let to = to.as_mut_ptr();
                _mm256_storeu_ps(to, self.0);
                _mm256_storeu_ps(to.add(8), self.1);
            }
        }

        #[inline(always)]
        unsafe fn gate(self, low: Self, high: Self, value: Self) -> Self {
            /// Gates a half.
            #[inline(always)]
            unsafe fn half(x: __m256, low: __m256, high: __m256, value: __m256) -> __m256 {
                // SAFETY: the promise of the trait.
                unsafe {
                    let above = _mm256_cmp_ps::<_CMP_GT_OQ>(x, low);
                    let below = _mm256_cmp_ps::<_CMP_LT_OQ>(x, high);
                    _mm256_and_ps(value, _mm256_and_ps(above, below))
                }
            }
            // SAFETY: the promise of the trait.
            unsafe {
                Self(half(self.0, low.0, high.0, value.0), half(self.1, low.1, high.1, value.1))
            }
        }

        #[inline(always)]
        unsafe fn sum(self) -> f32 {
            // SAFETY: the promise of the trait.
            unsafe {
                let eight = _mm256_add_ps(self.0, self.1);
                let high = _mm256_extractf128_ps::<1>(eight);
                let four = _mm_add_ps(_mm256_castps256_ps128(eight), high);
                let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
                _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
            }
        }
    }

    /// An operation on the vector.
    macro_rules! whole {
        ($name:ident($($argument:ident),*) => $intrinsic:ident) => {
            #[inline(always)]
            unsafe fn $name(self, $($argument: Self),*) -> Self {
                // SAFETY: the promise of the trait.
                unsafe { Self($intrinsic(self.0, $($argument.0),*)) }
            }
        };
    }

    impl Lanes for Avx512 {
        whole!(add(other) => _mm512_add_ps);
        whole!(mul(other) => _mm512_mul_ps);
        whole!(div(other) => _mm512_div_ps);
        whole!(sqrt() => _mm512_sqrt_ps);
        whole!(min(other) => _mm512_min_ps);
        whole!(max(other) => _mm512_max_ps);
        whole!(mul_add(factor, summand) => _mm512_fmadd_ps);

        #[inline(always)]
        unsafe fn splat(value: f32) -> Self {
            // SAFETY: the promise of the trait.
            unsafe { Self(_mm512_set1_ps(value)) }
        }

        #[inline(always)]
        unsafe fn load(from: &[f32; LANES]) -> Self {
            // SAFETY: an array has 16 floats.
            unsafe { Self(_mm512_loadu_ps(from.as_ptr())) }
        }

        #[inline(always)]
        unsafe fn store(self, to: &mut [f32; LANES]) {
            // SAFETY: an array has 16 floats.
            unsafe { _mm512_storeu_ps(to.as_mut_ptr(), self.0) }
        }

        #[inline(always)]
        unsafe fn gate(self, low: Self, high: Self, value: Self) -> Self {
            // SAFETY: the promise of the trait.
            unsafe {
                let above = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(self.0, low.0);
                let inside = _mm512_mask_cmp_ps_mask::<_CMP_LT_OQ>(above, self.0, high.0);
                Self(_mm512_maskz_mov_ps(inside, value.0))
            }
        }

        #[inline(always)]
        unsafe fn sum(self) -> f32 {
            // SAFETY: the promise of the trait.
            unsafe { _mm512_reduce_add_ps(self.0) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    kernels! {
        /// Some of everything.
        pub everything => all(a: &[f32; LANES], b: &[f32; LANES]) -> [f32; LANES + 1]
    }

    #[inline(always)]
    unsafe fn all<V: Lanes, const P: usize>(
        a: &[f32; LANES],
        b: &[f32; LANES],
    ) -> [f32; LANES + 1] {
        let mut out = [0.0; LANES + 1];
        // SAFETY: the caller's promise.
        unsafe {
            let (a, b) = (V::load(a), V::load(b));
            let half = V::splat(0.5);
            let c = a.mul_add(b, half).max(half).sqrt().min(b.add(V::splat(3.0)));
            let d = a.gate(V::splat(-0.45), V::splat(0.45), b).mul(c).div(half);
            let mut lanes = [0.0; LANES];
            d.store(&mut lanes);
            out[..LANES].copy_from_slice(&lanes);
            out[LANES] = a.sum();
        }
        out
    }

    #[test]
    fn all_instructions_agree() {
        let a: [f32; LANES] = core::array::from_fn(|index| index as f32 / 10.0 - 0.8);
        let b: [f32; LANES] = core::array::from_fn(|index| 1.0 - index as f32 / 7.0);
        let expected = everything(Simd(Kind::Portable), &a, &b);
        // Of the lanes -0.4 to 0.4 pass the gate, and one of them has a value of 0.
        assert_eq!(expected[..LANES].iter().filter(|&&x| x != 0.0).count(), 8);
        for simd in Simd::available() {
            for (out, expected) in everything(simd, &a, &b).into_iter().zip(expected) {
                assert!((out - expected).abs() < 1e-5, "{simd:?}: {out}, expected {expected}");
            }
        }
    }
}

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
#[cfg(target_arch = "x86_64")]
mod x86;

use crate::network::{Architecture, Dense, HalfRow};

/// A set of vector instructions that this processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backend(Kind);

/// Private, so that a [`Backend`] proves that its instructions are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl Kind {
    /// Every kind for this architecture, slowest first.
    const ALL: &[Self] = &[
        Self::Scalar,
        #[cfg(target_arch = "x86_64")]
        Self::Avx2,
        #[cfg(target_arch = "x86_64")]
        Self::Avx512,
        #[cfg(target_arch = "x86_64")]
        Self::Avx512Vnni,
        #[cfg(target_arch = "aarch64")]
        Self::Neon,
    ];

    fn is_available(self) -> bool {
        match self {
            Self::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw")
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Vnni => {
                Self::Avx512.is_available() && is_x86_feature_detected!("avx512vnni")
            }
            #[cfg(target_arch = "aarch64")]
            Self::Neon => std::arch::is_aarch64_feature_detected!("neon"),
        }
    }
}

/// Calls a kernel of the backend at hand.
macro_rules! dispatch {
    ($backend:expr, $kernel:ident($($argument:expr),*)) => {
        match $backend.0 {
            Kind::Scalar => scalar::$kernel($($argument),*),
            // SAFETY: a backend with this kind exists only where its instructions were found.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { x86::avx2::$kernel($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { x86::avx512::$kernel($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512Vnni => unsafe { x86::avx512vnni::$kernel($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "aarch64")]
            Kind::Neon => unsafe { neon::$kernel($($argument),*) },
        }
    };
}

impl Backend {
    /// The reference that all others are tested against; available everywhere.
    pub const SCALAR: Self = Self(Kind::Scalar);

    /// Every backend that this processor can run, slowest first.
    pub fn available() -> impl Iterator<Item = Self> {
        Kind::ALL.iter().copied().filter(|kind| kind.is_available()).map(Self)
    }

    /// The fastest backend that this processor can run.
    pub fn best() -> Self {
        Self::available().last().unwrap_or(Self::SCALAR)
    }

    /// A name to show.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Kind::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "AVX-512",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512Vnni => "AVX-512 VNNI",
            #[cfg(target_arch = "aarch64")]
            Kind::Neon => "NEON",
        }
    }

    /// Sets `target` to `source` (itself when `None`) plus the rows with the indices `added`
    /// minus those with the indices `removed`.
    ///
    /// # Panics
    /// When an index has no row.
    #[inline]
    pub(crate) fn update(
        self,
        rows: &[HalfRow],
        source: Option<&HalfRow>,
        target: &mut HalfRow,
        added: &[u16],
        removed: &[u16],
    ) {
        dispatch!(self, update(rows, source, target, added, removed));
    }

    /// The network's output from the accumulators of the side to move and the other side.
    #[inline]
    pub(crate) fn output(
        self,
        architecture: Architecture,
        own: &HalfRow,
        other: &HalfRow,
        dense: &Dense,
    ) -> f32 {
        dispatch!(self, output(architecture, own, other, dense))
    }
}

#[cfg(test)]
mod tests;

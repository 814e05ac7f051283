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
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use floats::{Attention, LANES};
pub(crate) use quantised::Quantised;

use crate::model::{Line, WeightKind};

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
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
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

/// A part of a matrix for a kernel: whole blocks of rows.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) kind: WeightKind,
    pub(crate) columns: usize,
    pub(crate) lines: &'a [Line],
    /// A factor for each row.
    pub(crate) scales: &'a [f32],
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

/// The kernels on floats, inside functions that enable the instruction set: compilers turn
/// their plain code into good vector code there.
macro_rules! float_kernels {
    ($(#[$feature:meta])*) => {
        /// See [`super::Backend::normalise`].
        $(#[$feature])*
        pub(in crate::kernels) fn normalise(
            input: &[f32],
            weight: &[f32],
            epsilon: f32,
            output: &mut [f32],
        ) {
            crate::kernels::floats::normalise(input, weight, epsilon, output);
        }

        /// See [`super::Backend::quantise`].
        $(#[$feature])*
        pub(in crate::kernels) fn quantise(
            input: &[f32],
            output: &mut crate::kernels::Quantised,
        ) {
            crate::kernels::quantised::push(input, output);
        }

        /// See [`super::Backend::gate`].
        $(#[$feature])*
        pub(in crate::kernels) fn gate(gate: &mut [f32], up: &[f32]) {
            crate::kernels::floats::gate(gate, up);
        }

        /// See [`super::Backend::add_scaled`].
        $(#[$feature])*
        pub(in crate::kernels) fn add_scaled(sum: &mut [f32], addend: &[f32], scale: &[f32]) {
            crate::kernels::floats::add_scaled(sum, addend, scale);
        }

        /// See [`super::Backend::dot`].
        $(#[$feature])*
        pub(in crate::kernels) fn dot(a: &[f32], b: &[f32]) -> f32 {
            crate::kernels::floats::dot(a, b)
        }

        /// See [`super::Backend::attend`].
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

    /// Products of rows with each of the inputs: `output` has the values of all rows for the
    /// first input, then for the second, and so on.
    ///
    /// # Panics
    /// When the lengths do not fit each other.
    pub(crate) fn multiply(self, rows: Rows<'_>, inputs: &Quantised, output: &mut [f32]) {
        assert_eq!(rows.columns, inputs.columns());
        assert_eq!(output.len(), rows.scales.len() * inputs.len());
        let blocks = rows.scales.len() / crate::model::BLOCK_ROWS;
        assert_eq!(rows.lines.len(), blocks * rows.kind.lines(rows.columns));
        assert_eq!(rows.scales.len(), blocks * crate::model::BLOCK_ROWS);
        dispatch!(self, multiply(rows, inputs, output));
    }

    /// RMSNorm: `output` becomes `input / sqrt(mean(input^2) + epsilon) * weight`.
    pub(crate) fn normalise(self, input: &[f32], weight: &[f32], epsilon: f32, output: &mut [f32]) {
        dispatch!(self, normalise(input, weight, epsilon, output));
    }

    /// Appends a vector to `output`, quantised.
    pub(crate) fn quantise(self, input: &[f32], output: &mut Quantised) {
        dispatch!(self, quantise(input, output));
    }

    /// `gate` becomes `silu(gate) * up`.
    pub(crate) fn gate(self, gate: &mut [f32], up: &[f32]) {
        dispatch!(self, gate(gate, up));
    }

    /// Adds `addend * scale` to `sum`.
    pub(crate) fn add_scaled(self, sum: &mut [f32], addend: &[f32], scale: &[f32]) {
        dispatch!(self, add_scaled(sum, addend, scale));
    }

    /// Sum of products.
    pub(crate) fn dot(self, a: &[f32], b: &[f32]) -> f32 {
        dispatch!(self, dot(a, b))
    }

    /// Attention of the query heads that share a key head; `scores` is room to work in.
    pub(crate) fn attend(
        self,
        attention: &Attention<'_>,
        scores: &mut Vec<f32>,
        output: &mut [f32],
    ) {
        dispatch!(self, attend(attention, scores, output));
    }
}

#[cfg(test)]
mod tests;

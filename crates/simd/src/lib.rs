//! Which vector instructions the processor has, found out at run time.
//!
//! Kernels are compiled for each instruction set inside functions that enable it. A [`Backend`]
//! proves that its instructions are there, and [`dispatch!`] calls the kernel compiled for it.

use std::sync::OnceLock;

/// The environment variable that forces a backend, to test or to measure it: `scalar`, `avx2`, `avx512`,
/// `avx512vnni`, `neon` or `simd128`. Others, and those that this processor lacks, change nothing.
pub const BACKEND_VARIABLE: &str = "KAIYO_BACKEND";

/// A set of vector instructions that this processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backend(Kind);

/// The kinds of vector instructions that kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
    #[cfg(target_arch = "aarch64")]
    Neon,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
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
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Self::Simd128,
    ];

    /// Whether the processor has everything that kernels of this kind may enable.
    fn is_available(self) -> bool {
        match self {
            Self::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                Self::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
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
            // WebAssembly cannot ask: a module with instructions that are unknown does not load.
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128 => true,
        }
    }
}

impl Backend {
    /// The reference that all others are tested against; available everywhere.
    pub const SCALAR: Self = Self(Kind::Scalar);

    /// Every backend that this processor can run, slowest first.
    pub fn available() -> impl Iterator<Item = Self> {
        Kind::ALL.iter().copied().filter(|kind| kind.is_available()).map(Self)
    }

    /// The fastest backend that this processor can run, or the one that [`BACKEND_VARIABLE`] names.
    pub fn best() -> Self {
        static BEST: OnceLock<Backend> = OnceLock::new();
        *BEST.get_or_init(|| {
            let wanted =
                std::env::var(BACKEND_VARIABLE).ok().and_then(|name| Self::from_name(&name));
            wanted.or_else(|| Self::available().last()).unwrap_or(Self::SCALAR)
        })
    }

    /// The available backend with this name; capitals and what joins words do not matter.
    pub fn from_name(name: &str) -> Option<Self> {
        let plain = |name: &str| -> String {
            name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase()
        };
        Self::available().find(|backend| plain(backend.name()) == plain(name))
    }

    /// Its kind, whose instructions the processor has.
    #[inline]
    pub const fn kind(self) -> Kind {
        self.0
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
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kind::Simd128 => "SIMD128",
        }
    }
}

/// Calls a kernel of a backend: a function of this name in the modules `scalar`, `x86::avx2`,
/// `x86::avx512`, `x86::avx512vnni`, `neon` and `simd128` in scope, which enables no more than the
/// backend has.
#[macro_export]
macro_rules! dispatch {
    ($backend:expr, $kernel:ident($($argument:expr),*)) => {
        match $crate::Backend::kind($backend) {
            $crate::Kind::Scalar => scalar::$kernel($($argument),*),
            // SAFETY: a backend with this kind exists only where its instructions were found.
            #[cfg(target_arch = "x86_64")]
            $crate::Kind::Avx2 => unsafe { x86::avx2::$kernel($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            $crate::Kind::Avx512 => unsafe { x86::avx512::$kernel($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            $crate::Kind::Avx512Vnni => unsafe { x86::avx512vnni::$kernel($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "aarch64")]
            $crate::Kind::Neon => unsafe { neon::$kernel($($argument),*) },
            // SAFETY: as above.
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            $crate::Kind::Simd128 => unsafe { simd128::$kernel($($argument),*) },
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backends_come_slowest_first_and_the_best_last() {
        let backends: Vec<Backend> = Backend::available().collect();
        assert_eq!(backends.first(), Some(&Backend::SCALAR));
        if std::env::var_os(BACKEND_VARIABLE).is_none() {
            assert_eq!(backends.last(), Some(&Backend::best()));
        }
    }

    #[test]
    fn backends_have_names() {
        for backend in Backend::available() {
            assert_eq!(Backend::from_name(&backend.name().to_lowercase()), Some(backend));
        }
        assert_eq!(Backend::from_name("SCALAR"), Some(Backend::SCALAR));
        assert_eq!(Backend::from_name("mmx"), None);
    }
}

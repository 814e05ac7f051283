//! What can be wrong with a network file.

use core::fmt;

/// Why bytes are not a network of this engine.
#[derive(Clone, Debug, PartialEq)]
pub enum NetworkError {
    /// Fewer bytes than the header needs.
    Header {
        /// Length of a header in bytes.
        expected: usize,
        /// Bytes there are.
        found: usize,
    },
    /// The file does not begin with `KYNN`.
    Magic([u8; 4]),
    /// Another version of the format.
    Version {
        /// The version this engine reads.
        expected: u32,
        /// The version of the file.
        found: u32,
    },
    /// A network of a form that this engine does not know; its architecture text.
    Architecture(String),
    /// A size or a quantisation factor that this engine is not made for.
    Dimension {
        /// Which one.
        name: &'static str,
        /// What this engine is made for.
        expected: u32,
        /// What the file has.
        found: u32,
    },
    /// The centipawns of a network output of 1 are no sensible number.
    Scale(f32),
    /// The header announces a wrong length of the weights.
    PayloadLength {
        /// Length of the weights of this architecture in bytes.
        expected: u64,
        /// The length in the header.
        found: u64,
    },
    /// The file is shorter or longer than its header says.
    FileLength {
        /// Header and weights together, in bytes.
        expected: usize,
        /// Bytes there are.
        found: usize,
    },
    /// The file was damaged.
    Checksum {
        /// The checksum in the header.
        expected: u32,
        /// The checksum of the bytes there are.
        found: u32,
    },
    /// A floating-point weight that is not finite or too large.
    Weight {
        /// The layer it belongs to.
        layer: &'static str,
        /// Its value.
        value: f32,
    },
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header { expected, found } => {
                write!(f, "network header of {expected} bytes expected, found {found} bytes")
            }
            Self::Magic(found) => {
                write!(f, "network magic \"KYNN\" expected, found \"{}\"", found.escape_ascii())
            }
            Self::Version { expected, found } => {
                write!(f, "network format version {expected} expected, found {found}")
            }
            Self::Architecture(found) => {
                write!(
                    f,
                    "unknown network architecture \"{}\", expected one of",
                    found.escape_debug()
                )?;
                for architecture in crate::Architecture::ALL {
                    write!(f, " \"{}\"", architecture.text())?;
                }
                Ok(())
            }
            Self::Dimension { name, expected, found } => {
                write!(f, "network {name} {expected} expected, found {found}")
            }
            Self::Scale(found) => {
                write!(f, "network scale above 0, at most a million, expected, found {found}")
            }
            Self::PayloadLength { expected, found } => {
                write!(f, "{expected} bytes of network weights expected, found {found}")
            }
            Self::FileLength { expected, found } => {
                write!(f, "network file of {expected} bytes expected, found {found}")
            }
            Self::Checksum { expected, found } => {
                write!(f, "network checksum {expected:08x} expected, found {found:08x}")
            }
            Self::Weight { layer, value } => {
                write!(
                    f,
                    "weights of at most a million expected in the {layer} layer, found {value}"
                )
            }
        }
    }
}

impl core::error::Error for NetworkError {}

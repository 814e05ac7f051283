//! What can be wrong with a container.

use kaiyo_chess::quote;

/// Why bytes are no container of tensors.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ContainerError {
    /// The file does not begin as one of either form.
    #[error("model file expected to begin with \"GGUF\", found \"{}\"", .0.escape_ascii())]
    Magic(Vec<u8>),
    /// Another version of GGUF.
    #[error("GGUF version {expected} expected, found {found}")]
    Version {
        /// The version that is read.
        expected: u32,
        /// The version of the file.
        found: u32,
    },
    /// The file ends in the midst of something.
    #[error("model file ends within {what}: {needed} bytes expected at {at}, found {left}")]
    Truncated {
        /// What was to be read.
        what: &'static str,
        /// Where it begins.
        at: usize,
        /// Its length in bytes.
        needed: u64,
        /// Bytes that are left there.
        left: usize,
    },
    /// A name or key that is not UTF-8.
    #[error("{0} in UTF-8 expected")]
    Text(&'static str),
    /// A count or length that no model has.
    #[error("{what} of at most {most} expected, found {found}")]
    TooMany {
        /// What is counted.
        what: &'static str,
        /// The most that is accepted.
        most: u64,
        /// What the file says.
        found: u64,
    },
    /// A type of metadata that GGUF does not have.
    #[error("metadata type from 0 to 12 expected for {}, found {found}", quote(key))]
    ValueType {
        /// The key.
        key: String,
        /// The type's code.
        found: u32,
    },
    /// A key or tensor that is there twice.
    #[error("one {} expected, found two", quote(.0))]
    Duplicate(String),
    /// An alignment that is no power of two or too large.
    #[error("alignment expected to be a power of two from 8 to 65536, found {0}")]
    Alignment(String),
    /// A tensor with more than four sizes, an empty one, or too large a one.
    #[error("shape of tensor {} expected to be 1 to 4 sizes above 0, found {found:?}", quote(name))]
    Shape {
        /// Its name.
        name: String,
        /// Its sizes.
        found: Vec<u64>,
    },
    /// A tensor whose data begins at no multiple of the alignment.
    #[error(
        "offset of tensor {} expected to be a multiple of {alignment}, found {found}",
        quote(name)
    )]
    Offset {
        /// Its name.
        name: String,
        /// The alignment.
        alignment: u64,
        /// Where it begins.
        found: u64,
    },
    /// What the reader of safetensors says.
    #[error("damaged safetensors file: {0}")]
    Safetensors(String),
}

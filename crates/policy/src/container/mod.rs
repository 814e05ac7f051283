//! Containers of named tensors with metadata: GGUF, and safetensors as a second form.

mod error;
pub mod gguf;
pub mod safetensors;

pub use error::ContainerError;

use kaiyo_chess::quote;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Type of a tensor's elements; the codes are those of GGML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TensorType {
    /// 32-bit floats, code 0.
    F32,
    /// 16-bit floats, code 1.
    F16,
    /// Bytes, code 24: integers with a sign, or packed data.
    I8,
    /// Any other type of GGML by its code. Such tensors are listed only; what data
    /// they have is of no use.
    Other(u32),
}

impl TensorType {
    const fn from_code(code: u32) -> Self {
        match code {
            0 => Self::F32,
            1 => Self::F16,
            24 => Self::I8,
            code => Self::Other(code),
        }
    }

    const fn code(self) -> u32 {
        match self {
            Self::F32 => 0,
            Self::F16 => 1,
            Self::I8 => 24,
            Self::Other(code) => code,
        }
    }

    /// Bytes of an element, where they are known.
    const fn size(self) -> Option<u64> {
        match self {
            Self::F32 => Some(4),
            Self::F16 => Some(2),
            Self::I8 => Some(1),
            Self::Other(_) => None,
        }
    }
}

impl core::fmt::Display for TensorType {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::F32 => f.write_str("F32"),
            Self::F16 => f.write_str("F16"),
            Self::I8 => f.write_str("I8"),
            Self::Other(code) => write!(f, "GGML type {code}"),
        }
    }
}

/// A tensor of a container.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor<'a> {
    /// Type of the elements.
    pub kind: TensorType,
    /// Sizes, the one whose elements are neighbours first (rows of a matrix have `shape[0]`
    /// elements); at most four.
    pub shape: Vec<u64>,
    /// The elements, little endian.
    pub bytes: Cow<'a, [u8]>,
}

/// A value of the metadata.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An integer of any width.
    Integer(i128),
    /// A floating-point number.
    Float(f64),
    /// True or false.
    Bool(bool),
    /// Text.
    Text(String),
    /// An array, of which only the number of elements is kept.
    Array(u64),
}

impl core::fmt::Display for Value {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Integer(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value}"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Text(text) => write!(f, "{}", quote(text)),
            Self::Array(len) => write!(f, "array of {len}"),
        }
    }
}

/// Metadata and tensors by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Container<'a> {
    /// Metadata by key.
    pub metadata: BTreeMap<String, Value>,
    /// Tensors by name.
    pub tensors: BTreeMap<String, Tensor<'a>>,
}

impl<'a> Container<'a> {
    /// Reads either form, told by its first bytes.
    ///
    /// # Errors
    /// [`ContainerError`] when the bytes are neither or are damaged.
    pub fn read(bytes: &'a [u8]) -> Result<Self, ContainerError> {
        // A file of safetensors begins with the length of a text that begins with a brace.
        if bytes.get(8) == Some(&b'{') && !bytes.starts_with(&gguf::MAGIC) {
            return safetensors::read(bytes);
        }
        gguf::read(bytes)
    }
}

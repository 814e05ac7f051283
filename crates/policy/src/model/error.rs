//! What can be wrong with a model.

use crate::container::{ContainerError, TensorType};
use crate::session::NotFinite;
use std::path::PathBuf;

/// Why a file is no model of this engine.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    File {
        /// Where it was looked for.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file is no container.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// A model of another kind.
    #[error("model architecture \"{expected}\" expected, found {found}")]
    Architecture {
        /// The architecture that is read.
        expected: &'static str,
        /// That of the file, as it is shown.
        found: String,
    },
    /// A metadata value that is missing or makes no sense.
    #[error("{expected} expected for \"{key}\", found {found}")]
    Metadata {
        /// Its key.
        key: String,
        /// What it may be.
        expected: String,
        /// What it is, as it is shown.
        found: String,
    },
    /// A tensor that is missing.
    #[error("tensor \"{0}\" expected")]
    Missing(String),
    /// A tensor of another type or shape.
    #[error("tensor \"{name}\" expected as {expected}, found {found} {shape:?}")]
    Tensor {
        /// Its name.
        name: String,
        /// What it should be.
        expected: String,
        /// Its type.
        found: TensorType,
        /// Its shape.
        shape: Vec<u64>,
    },
    /// A floating-point weight that is not finite or too large.
    #[error("finite weights expected in tensor \"{name}\", found {value}")]
    Weight {
        /// The tensor.
        name: String,
        /// The weight.
        value: f32,
    },
    /// Weights that make no sense together.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
    /// A ternary weight that is 1 and -1 at once.
    #[error("one of two bits for each weight expected in row {row} of tensor \"{name}\"")]
    Ternary {
        /// The tensor.
        name: String,
        /// The row.
        row: usize,
    },
}

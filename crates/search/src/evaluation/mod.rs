//! Static evaluation of positions.

pub mod classical;

pub use classical::{evaluate, explain};

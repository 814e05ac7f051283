//! The move transformer: what humans of a rating, or engines, would play.
//!
//! A decoder-only transformer over the moves of a game, whose feed-forward weights are -1, 0 or 1
//! ("The Era of 1-bit LLMs", Ma et al. 2024). [`tokens`] says what it reads, [`model`] what it
//! computes and how files look, [`container`] reads and writes those. A [`Session`] keeps what
//! was computed for a game, so that a new move costs one step ([`Session::predict`]).

pub mod container;
mod embedded;
mod kernels;
pub mod measure;
pub mod model;
#[cfg(test)]
mod reference;
mod session;
pub mod tokens;

pub use embedded::{embedded, embedded_file};
pub use kaiyo_simd::Backend;
pub use model::{Config, Model, ModelError};
pub use session::{NotFinite, Output, Prediction, Session};

//! The efficiently updatable neural network (NNUE) that evaluates positions.
//!
//! The design goes back to Yu Nasu, "Efficiently Updatable Neural-Network-based Evaluation
//! Functions for Computer Shogi" (2018); <https://www.chessprogramming.org/NNUE> is an
//! introduction. In this network
//!
//! - the inputs are the men on their squares, seen by each side from its own king
//!   ([`features`]);
//! - a wide first layer, the feature transformer, sums one row of weights for each man; the sums
//!   are kept in [`Accumulators`] and follow the moves, since a move changes few men;
//! - a few small dense layers, chosen by the number of men, turn both sums into a score.
//!
//! [`Network`] holds the weights and is read from and written to a file ([`mod@file`]). All
//! processors get the same score to the last bit, whatever their vector instructions
//! ([`Backend`]).

mod accumulator;
mod error;
pub mod features;
pub mod file;
mod kernels;
mod network;

pub use accumulator::Accumulators;
pub use error::NetworkError;
pub use kaiyo_simd::Backend;
pub use network::{
    ACTIVATION_MAX, ACTIVATION_SHIFT, Architecture, Dense, EVALUATION_LIMIT, FIRST_OUTPUTS,
    FIRST_QUANTUM, FIRST_SCALE, HalfRow, InputGroup, MAX_FIRST_INPUTS, Network, Rows,
    SECOND_OUTPUTS, SUM_LIMIT, TRANSFORMER_QUANTUM, WIDTH, Weights,
};

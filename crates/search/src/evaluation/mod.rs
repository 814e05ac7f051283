//! Static evaluation of positions.

pub mod classical;

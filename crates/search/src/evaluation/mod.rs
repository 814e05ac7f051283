//! Static evaluation of positions.

pub mod classical;
mod neural;

pub use neural::embedded as embedded_network;

use crate::score::Score;
use kaiyo_chess::Position;
use kaiyo_nnue::{Accumulators, Network};
use std::sync::Arc;

/// How positions are evaluated.
#[derive(Clone, Debug)]
pub enum Evaluator {
    /// By terms that people have thought of. Needs nothing, and is the fallback.
    Classical,
    /// By a neural network.
    Neural(Arc<Network>),
}

impl Evaluator {
    /// The score of `position` for the side to move. The accumulators have followed the moves to
    /// it, if there is a network.
    #[inline]
    pub(crate) fn evaluate(&self, accumulators: &mut Accumulators, position: &Position) -> Score {
        match self {
            Self::Classical => classical::evaluate(position),
            Self::Neural(network) => Score::centipawns(accumulators.evaluate(network, position)),
        }
    }

    /// Whether moves have to be told to accumulators.
    #[inline]
    pub(crate) const fn needs_accumulators(&self) -> bool {
        matches!(self, Self::Neural(_))
    }

    /// The static evaluation of a position in words and numbers, for people.
    pub fn explain(&self, position: &Position) -> String {
        match self {
            Self::Classical => classical::explain(position),
            Self::Neural(network) => neural::explain(network, position),
        }
    }
}

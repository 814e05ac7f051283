//! Random numbers.

use kaiyo_chess::split_mix;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

/// A sequence of random numbers.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The generator that begins with this seed.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// A generator that begins differently every time.
    pub fn from_entropy() -> Self {
        Self::new(RandomState::new().hash_one(0))
    }

    /// A number.
    pub const fn next(&mut self) -> u64 {
        split_mix(&mut self.state)
    }

    /// A number from 0 to less than 1.
    pub const fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number below `bound`, which is not 0.
    pub const fn below(&mut self, bound: u64) -> u64 {
        ((self.next() as u128 * bound as u128) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_below_their_bound() {
        let mut random = Random::from_entropy();
        assert!((1..200).all(|bound| random.below(bound) < bound));
    }
}

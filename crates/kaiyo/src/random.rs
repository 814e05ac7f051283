//! Random numbers.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

/// The SplitMix64 generator (Steele, Lea and Flood, <https://doi.org/10.1145/2714064.2660195>).
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
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = self.state;
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ (number >> 31)
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
    fn published_numbers() {
        let mut random = Random::new(1_234_567);
        let numbers = [(); 3].map(|()| random.next());
        let expected =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(numbers, expected);
    }

    #[test]
    fn numbers_stay_below_their_bound() {
        let mut random = Random::from_entropy();
        assert!((1..200).all(|bound| random.below(bound) < bound));
    }
}

//! Random numbers, and hashing by numbers that are random already.

use crate::Position;
use crate::movegen::has_legal_move;
use core::hash::{BuildHasher, Hasher};
use std::collections::hash_map::RandomState;

/// The next random number of a state (SplitMix64, Steele, Lea and Flood,
/// <https://doi.org/10.1145/2714064.2660195>).
#[inline]
pub const fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A sequence of random numbers that depends on its seed alone.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Another sequence every time.
    pub fn from_entropy() -> Self {
        Self::new(RandomState::new().hash_one(0))
    }

    /// 64 random bits.
    #[inline]
    pub const fn bits(&mut self) -> u64 {
        split_mix(&mut self.0)
    }

    /// A number below `bound`, which is above 0.
    #[inline]
    pub const fn below(&mut self, bound: usize) -> usize {
        ((self.bits() as u128 * bound as u128) >> 64) as usize
    }

    /// One of these, of which there is at least one.
    pub fn choose<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// A number from 0 to below 1.
    pub const fn unit(&mut self) -> f64 {
        unit(self.bits())
    }

    /// A number from -1 to below 1.
    pub const fn signed_unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    /// Whether something happens that does with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Puts values into a random order.
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for index in (1..values.len()).rev() {
            values.swap(index, self.below(index + 1));
        }
    }
}

/// The number from 0 to below 1 that random bits stand for.
pub const fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

impl Position {
    /// The position after so many random legal moves, unless they end the game.
    pub fn after_random_moves(mut self, plies: usize, random: &mut Random) -> Option<Self> {
        for _ in 0..plies {
            let moves = self.legal_moves();
            if moves.is_empty() {
                return None;
            }
            self = self.make(random.choose(&moves));
        }
        let is_over = !has_legal_move(&self) || self.is_insufficient_material();
        (!is_over).then_some(self)
    }
}

/// A hasher for maps by keys of positions and materials, which nobody chooses to collide.
#[derive(Default)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, number: u64) {
        // Maps take the low bits, where a product mixes least.
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
    }

    fn write_u16(&mut self, number: u16) {
        self.write_u64(number.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_numbers() {
        let mut state = 1_234_567;
        let numbers = [(); 3].map(|()| split_mix(&mut state));
        let expected =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(numbers, expected);
    }

    #[test]
    fn numbers_stay_within_their_bounds() {
        let mut random = Random::from_entropy();
        for bound in 1..200 {
            assert!(random.below(bound) < bound);
            assert!((0.0..1.0).contains(&random.unit()));
            assert!((-1.0..1.0).contains(&random.signed_unit()));
            assert!(random.chance(1.0) && !random.chance(0.0));
        }
        assert!((0.0..1.0).contains(&unit(u64::MAX)));
        let mut numbers: Vec<usize> = (0..100).collect();
        random.shuffle(&mut numbers);
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..100));
    }

    #[test]
    fn hashes_depend_on_all_parts_in_their_order() {
        let hash = |parts: &[u64]| {
            let mut hasher = KeyHasher::default();
            parts.iter().for_each(|&part| hasher.write_u64(part));
            hasher.finish()
        };
        assert_ne!(hash(&[1, 2]), hash(&[2, 1]));
        assert_ne!(hash(&[1, 2]), hash(&[1, 3]));
    }
}

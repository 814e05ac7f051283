//! Random numbers, and hashing by numbers that are random already.

use crate::Position;
use crate::movegen::has_legal_move;
use core::hash::Hasher;

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

impl Position {
    /// The position after so many random legal moves, unless they end the game. `below` draws a
    /// number below its argument.
    pub fn after_random_moves(
        mut self,
        plies: usize,
        mut below: impl FnMut(usize) -> usize,
    ) -> Option<Self> {
        for _ in 0..plies {
            let moves = self.legal_moves();
            if moves.is_empty() {
                return None;
            }
            self = self.make(moves[below(moves.len())]);
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

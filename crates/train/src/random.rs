//! Random numbers that depend on nothing but their seed.

use kaiyo_chess::{Position, Random, split_mix, unit};

/// A random number that depends on `number` alone.
pub const fn mix(mut number: u64) -> u64 {
    split_mix(&mut number)
}

/// A checksum of positions in their order.
pub fn checksum(positions: &[Position]) -> u64 {
    positions.iter().fold(0, |checksum, position| mix(checksum ^ position.key()))
}

/// Whether something of this probability happens, as a random number decides.
pub fn chance(random: u64, probability: f64) -> bool {
    unit(random) < probability
}

/// A sequence of random numbers for each pair of numbers.
pub const fn sequence(seed: u64, stream: u64) -> Random {
    /// Makes the sequences those that earlier data were made with.
    const OFFSET: u64 = 0x9e37_79b9_7f4a_7c15;
    Random::new(mix(mix(seed) ^ stream).wrapping_add(OFFSET))
}

//! Random numbers that depend on nothing but their seed.

use kaiyo_chess::split_mix;

/// A random number that depends on `number` alone.
pub const fn mix(mut number: u64) -> u64 {
    split_mix(&mut number)
}

/// Whether something of this probability happens, as a random number decides.
pub fn chance(random: u64, probability: f64) -> bool {
    unit(random) < probability
}

/// A number from 0 to below 1.
fn unit(random: u64) -> f64 {
    (random >> 11) as f64 / (1_u64 << 53) as f64
}

/// A sequence of random numbers.
pub struct Random(u64);

impl Random {
    /// A sequence for each pair of numbers.
    pub const fn new(seed: u64, stream: u64) -> Self {
        Self(mix(mix(seed) ^ stream))
    }

    /// The next number.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `limit`, which is above 0.
    pub const fn below(&mut self, limit: usize) -> usize {
        ((self.next() as u128 * limit as u128) >> 64) as usize
    }

    /// A number from -1 to 1.
    pub const fn signed_unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    /// A number from 0 to below 1.
    #[cfg(feature = "tune")]
    pub fn unit(&mut self) -> f64 {
        unit(self.next())
    }

    /// Whether something happens that does with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        chance(self.next(), probability)
    }

    /// Puts values into a random order.
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for index in (1..values.len()).rev() {
            values.swap(index, self.below(index + 1));
        }
    }
}

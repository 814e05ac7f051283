//! Random numbers that depend on nothing but their seed.

/// A step of the SplitMix64 generator (Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", 2014).
pub const fn mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
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

    /// Whether something happens that does with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        ((self.next() >> 11) as f64 / (1_u64 << 53) as f64) < probability
    }

    /// Puts values into a random order.
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for index in (1..values.len()).rev() {
            values.swap(index, self.below(index + 1));
        }
    }
}

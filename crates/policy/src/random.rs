//! Random numbers for weights of models that were never trained.

use kaiyo_chess::split_mix;

/// A small generator.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) const fn bits(&mut self) -> u64 {
        split_mix(&mut self.0)
    }

    /// A number below `bound`, which is above zero.
    pub(crate) const fn below(&mut self, bound: usize) -> usize {
        (((self.bits() >> 32) * bound as u64) >> 32) as usize
    }

    /// A number from -1 to 1.
    pub(crate) const fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }
}

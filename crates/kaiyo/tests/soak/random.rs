//! Random choices.

use kaiyo_chess::split_mix;

/// A sequence of random numbers.
pub struct Random(pub u64);

impl Random {
    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (split_mix(&mut self.0) % bound as u64) as usize
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Bytes that end nowhere in a line: control characters, Latin-1 and broken UTF-8.
    pub fn bytes(&mut self) -> Vec<u8> {
        let length = self.below(40);
        let mut bytes: Vec<u8> = (0..length).map(|_| self.below(256) as u8).collect();
        bytes.retain(|&byte| byte != b'\n');
        bytes
    }
}

//! Middle-game and end-game values in one integer.

use core::fmt;
use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middle-game and an end-game value, in centipawns, that are added in one operation.
///
/// The end-game value fills the upper half of the word and the middle-game value the lower one,
/// whose sign borrows from the upper half. Each half has 32 bits, so that even a board full of
/// queens cannot overflow it.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Pair(i64);

impl Pair {
    /// Nothing in both phases.
    pub const ZERO: Self = Self(0);

    /// A pair from its two values.
    #[inline(always)]
    pub const fn new(middle_game: i32, end_game: i32) -> Self {
        Self(((end_game as i64) << 32) + middle_game as i64)
    }

    /// The value in the middle game.
    #[inline(always)]
    pub const fn middle_game(self) -> i32 {
        self.0 as i32
    }

    /// The value in the end game.
    #[inline(always)]
    pub const fn end_game(self) -> i32 {
        // Undoes the borrow of a negative lower half.
        ((self.0 + 0x8000_0000) >> 32) as i32
    }
}

impl Add for Pair {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Pair {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Pair {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl SubAssign for Pair {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        self.0 -= other.0;
    }
}

impl Neg for Pair {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Mul<i32> for Pair {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: i32) -> Self {
        Self(self.0 * factor as i64)
    }
}

impl fmt::Debug for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.middle_game(), self.end_game())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_arithmetic_equals_plain_arithmetic() {
        let values = [-70_000, -513, -1, 0, 1, 77, 31_000];
        for a in values {
            for b in values {
                for c in values {
                    let (x, y) = (Pair::new(a, b), Pair::new(b, c));
                    assert_eq!(x + y, Pair::new(a + b, b + c));
                    assert_eq!(x - y, Pair::new(a - b, b - c));
                    assert_eq!(-x, Pair::new(-a, -b));
                    assert_eq!(x * -13, Pair::new(a * -13, b * -13));
                    let sum = x * 3 - y;
                    assert_eq!((sum.middle_game(), sum.end_game()), (3 * a - b, 3 * b - c));
                }
            }
        }
    }
}

//! Search depth.

use crate::score::MAX_PLY;
use core::fmt;
use core::ops::{Add, Sub};

/// A number of plies still to search. Below one, quiescence search takes over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Depth(i32);

impl Depth {
    /// No plies: the depth of quiescence search.
    pub const ZERO: Self = Self(0);
    /// The deepest iteration. GUIs read depths into a byte.
    pub const MAX: Self = Self(MAX_PLY as i32 - 1);

    /// A depth of this many plies.
    #[inline(always)]
    pub const fn new(plies: i32) -> Self {
        Self(plies)
    }

    /// Number of plies.
    #[inline(always)]
    pub const fn plies(self) -> i32 {
        self.0
    }
}

impl Add<i32> for Depth {
    type Output = Self;
    #[inline(always)]
    fn add(self, plies: i32) -> Self {
        Self(self.0 + plies)
    }
}

impl Sub<i32> for Depth {
    type Output = Self;
    #[inline(always)]
    fn sub(self, plies: i32) -> Self {
        Self(self.0 - plies)
    }
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

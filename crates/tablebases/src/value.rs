//! What tables say about positions.

use core::ops::Neg;

/// The result of best play for the side to move, if the last move was a capture or pawn move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(i8)]
pub enum Wdl {
    /// A loss.
    Loss = -2,
    /// A loss but for the fifty-move rule, which makes it a draw.
    BlessedLoss = -1,
    /// A draw.
    Draw = 0,
    /// A win but for the fifty-move rule, which makes it a draw.
    CursedWin = 1,
    /// A win.
    Win = 2,
}

impl Wdl {
    /// All results, worst first.
    pub const ALL: [Self; 5] =
        [Self::Loss, Self::BlessedLoss, Self::Draw, Self::CursedWin, Self::Win];

    /// The result as -2 (loss) to 2 (win).
    #[inline]
    pub const fn number(self) -> i8 {
        self as i8
    }

    /// The result with its cursed wins and blessed losses taken as the draws they are under the
    /// fifty-move rule, or without that rule as the wins and losses they are then.
    #[inline]
    pub const fn under(self, fifty_move_rule: bool) -> Self {
        match (self, fifty_move_rule) {
            (Self::CursedWin | Self::BlessedLoss, true) => Self::Draw,
            (Self::CursedWin, false) => Self::Win,
            (Self::BlessedLoss, false) => Self::Loss,
            _ => self,
        }
    }

    /// The distance to zero when the best move is a capture or pawn move that leads to this.
    pub(crate) const fn distance_by_zeroing(self) -> Dtz {
        Dtz {
            plies: match self {
                Self::Win => 1,
                Self::CursedWin => 101,
                Self::Draw => 0,
                Self::BlessedLoss => -101,
                Self::Loss => -1,
            },
            exact: true,
        }
    }
}

impl Neg for Wdl {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }
}

/// Distance to zero: half-moves of best play until the next capture or pawn move, or mate.
///
/// Positive for a win of the side to move, negative for a loss, zero for a draw. Cursed wins and
/// blessed losses are at 101 or more. The side that is mated has -1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dtz {
    pub(crate) plies: i32,
    pub(crate) exact: bool,
}

impl Dtz {
    /// A draw.
    pub const DRAW: Self = Self { plies: 0, exact: true };

    /// The distance as the table has it. Where [`Self::is_exact`] does not hold, the true one may
    /// be one half-move longer.
    #[inline]
    pub const fn plies(self) -> i32 {
        self.plies
    }

    /// Whether the table counts half-moves; many count whole moves.
    #[inline]
    pub const fn is_exact(self) -> bool {
        self.exact
    }

    /// The most half-moves it can take; zero for a draw.
    #[inline]
    pub const fn longest(self) -> u32 {
        if self.plies == 0 { 0 } else { self.plies.unsigned_abs() + !self.exact as u32 }
    }

    /// The result under the fifty-move rule when its clock stands at `clock`. What cannot be told
    /// for sure counts as a draw.
    pub const fn wdl_at(self, clock: u16) -> Wdl {
        let in_time = self.longest() + clock as u32 <= 100;
        match (self.plies.signum(), in_time) {
            (1, true) => Wdl::Win,
            (1, false) => Wdl::CursedWin,
            (-1, true) => Wdl::Loss,
            (-1, false) => Wdl::BlessedLoss,
            _ => Wdl::Draw,
        }
    }

    /// The distance before a quiet move that led to a position where it is this for the opponent.
    #[must_use]
    pub const fn before_quiet_move(self) -> Self {
        Self { plies: -self.plies - self.plies.signum(), exact: self.exact }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_decides_at_one_hundred() {
        let exact = Dtz { plies: 25, exact: true };
        assert_eq!((exact.wdl_at(75), exact.wdl_at(76)), (Wdl::Win, Wdl::CursedWin));
        let rounded = Dtz { plies: -25, exact: false };
        assert_eq!((rounded.wdl_at(74), rounded.wdl_at(75)), (Wdl::Loss, Wdl::BlessedLoss));
        assert_eq!(Dtz::DRAW.wdl_at(99), Wdl::Draw);
        assert_eq!(Wdl::CursedWin.distance_by_zeroing().wdl_at(0), Wdl::CursedWin);
    }

    #[test]
    fn results_are_symmetric() {
        for wdl in Wdl::ALL {
            assert_eq!((-wdl).number(), -wdl.number());
            assert_eq!((-wdl).under(true), -wdl.under(true));
            assert_eq!((-wdl).under(false), -wdl.under(false));
        }
        assert_eq!(Wdl::CursedWin.under(false), Wdl::Win);
        assert_eq!(Wdl::CursedWin.under(true), Wdl::Draw);
    }

    #[test]
    fn a_move_before_the_distance_is_one_longer() {
        let lost = Dtz { plies: -4, exact: true };
        assert_eq!(lost.before_quiet_move().plies(), 5);
        assert_eq!(Dtz::DRAW.before_quiet_move().plies(), 0);
        assert_eq!(Dtz { plies: 3, exact: true }.before_quiet_move().plies(), -4);
    }
}

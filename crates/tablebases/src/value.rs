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
        Dtz::exactly(match self {
            Self::Win => 1,
            Self::CursedWin => 101,
            Self::Draw => 0,
            Self::BlessedLoss => -101,
            Self::Loss => -1,
        })
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
    /// The longest it can be, with the same sign.
    pub(crate) longest: i32,
}

impl Dtz {
    /// A draw.
    pub const DRAW: Self = Self::exactly(0);

    /// A distance known exactly.
    pub(crate) const fn exactly(plies: i32) -> Self {
        Self { plies, longest: plies }
    }

    /// A distance from a table that counts whole moves, so that it may be one half-move longer.
    ///
    /// If only the winner can capture or move pawns, the last half-move is the winner's, and the
    /// distance odd for the winner and even for the loser. Then it is known exactly.
    pub(crate) const fn in_moves(plies: i32, only_winner_zeroes: bool) -> Self {
        let is_odd = plies % 2 != 0;
        let known = only_winner_zeroes && is_odd == (plies > 0);
        Self { plies, longest: if known { plies } else { plies + plies.signum() } }
    }

    /// The distance as the table has it. The true one may be one half-move longer.
    #[inline]
    pub const fn plies(self) -> i32 {
        self.plies
    }

    /// The most half-moves it can take; zero for a draw.
    #[inline]
    pub const fn longest(self) -> u32 {
        self.longest.unsigned_abs()
    }

    /// The result under the fifty-move rule when its clock stands at `clock`. What the table is not
    /// precise enough to tell counts as a draw.
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
        let sign = self.plies.signum();
        Self { plies: -self.plies - sign, longest: -self.longest - sign }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_decides_at_one_hundred() {
        let exact = Dtz::exactly(25);
        assert_eq!((exact.wdl_at(75), exact.wdl_at(76)), (Wdl::Win, Wdl::CursedWin));
        let rounded = Dtz::in_moves(-25, false);
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
        let lost = Dtz::in_moves(-3, true);
        assert_eq!((lost.plies(), lost.longest()), (-3, 4));
        assert_eq!((lost.before_quiet_move().plies(), lost.before_quiet_move().longest()), (4, 5));
        assert_eq!(Dtz::DRAW.before_quiet_move().plies(), 0);
        assert_eq!(Dtz::in_moves(3, true).longest(), 3);
        assert_eq!(Dtz::exactly(3).before_quiet_move(), Dtz::exactly(-4));
    }
}

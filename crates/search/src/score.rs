//! Scores of positions.

use core::fmt;
use core::ops::{Add, Neg, Sub};
use kaiyo_chess::FIFTY_MOVES;

/// The deepest ply a search can reach, extensions and quiescence included.
pub const MAX_PLY: usize = 246;

/// The value of a position for the side to move, in centipawns, or a distance to mate.
///
/// Mate in `n` plies is `MATE - n`, so that shorter mates are better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Score(i32);

/// What a score says, in the terms of the UCI protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreKind {
    /// An evaluation in centipawns.
    Centipawns(i32),
    /// Mate in this many full moves; negative when the side to move is mated.
    Mate(i32),
}

impl Score {
    /// A draw.
    pub const DRAW: Self = Self(0);
    /// Above every score.
    pub const INFINITE: Self = Self(32_001);
    /// Marks the absence of a score.
    pub const NONE: Self = Self(32_002);
    /// Mate on the board; given now.
    const MATE: i32 = 32_000;
    /// The longest mate that a search can see.
    const LONGEST_MATE: i32 = Self::MATE - MAX_PLY as i32;
    /// Bound of tablebase wins, which come below all mates.
    const TABLEBASE_WIN: i32 = Self::LONGEST_MATE - 1;
    /// Bound of evaluations, which come below all proven results.
    const MAX_EVALUATION: i32 = Self::TABLEBASE_WIN - MAX_PLY as i32 - 1;

    /// An evaluation; values beyond what an evaluation may say are clamped.
    #[inline(always)]
    pub const fn centipawns(value: i32) -> Self {
        if value > Self::MAX_EVALUATION {
            Self(Self::MAX_EVALUATION)
        } else if value < -Self::MAX_EVALUATION {
            Self(-Self::MAX_EVALUATION)
        } else {
            Self(value)
        }
    }

    /// The opponent is mated in `ply` plies from the root.
    #[inline(always)]
    pub const fn mate_in(ply: usize) -> Self {
        Self(Self::MATE - ply as i32)
    }

    /// The side to move is mated in `ply` plies from the root.
    #[inline(always)]
    pub const fn mated_in(ply: usize) -> Self {
        Self(ply as i32 - Self::MATE)
    }

    /// A tablebase win, `ply` plies from the root.
    #[inline(always)]
    pub(crate) const fn tablebase_win(ply: usize) -> Self {
        Self(Self::TABLEBASE_WIN - ply as i32)
    }

    /// A tablebase loss, `ply` plies from the root.
    #[inline(always)]
    pub(crate) const fn tablebase_loss(ply: usize) -> Self {
        Self(ply as i32 - Self::TABLEBASE_WIN)
    }

    /// Whether the fifty-move rule surely allows a score of a node at `ply`, whose clock stands at
    /// `clock`: the mate, or the capture or pawn move that leads to a tablebase result, must come in time.
    #[inline(always)]
    pub(crate) const fn is_in_time(self, ply: usize, clock: u16) -> bool {
        if !self.is_decisive() {
            return true;
        }
        let end = if self.is_mate() { Self::MATE } else { Self::TABLEBASE_WIN };
        end - self.0.abs() - ply as i32 + clock as i32 <= FIFTY_MOVES as i32
    }

    /// Whether this is a mate for the side that wins by `tablebase`.
    pub(crate) const fn refines(self, tablebase: Self) -> bool {
        self.is_mate()
            && (self.is_win() && tablebase.is_win() || self.is_loss() && tablebase.is_loss())
    }

    /// The bare number.
    #[inline(always)]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// A score from its bare number.
    #[inline(always)]
    pub(crate) const fn from_value(value: i32) -> Self {
        Self(value)
    }

    /// Whether the score is a mate for either side.
    #[inline(always)]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Self::LONGEST_MATE && self.0.abs() <= Self::MATE
    }

    /// Whether the score is a proven win: a mate or a tablebase win.
    #[inline(always)]
    pub const fn is_win(self) -> bool {
        self.0 > Self::MAX_EVALUATION
    }

    /// Whether the score is a proven loss.
    #[inline(always)]
    pub const fn is_loss(self) -> bool {
        self.0 < -Self::MAX_EVALUATION
    }

    /// Whether the score is proven for either side rather than an evaluation.
    #[inline(always)]
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Half-moves until a side is mated, if the score is a mate.
    pub const fn plies_to_mate(self) -> Option<usize> {
        if self.is_mate() { Some((Self::MATE - self.0.abs()) as usize) } else { None }
    }

    /// The score in the terms of the UCI protocol. Tablebase results show as 200 pawns less the plies
    /// to reach them, which clients know from other engines.
    pub const fn kind(self) -> ScoreKind {
        const SHOWN_WIN: i32 = 20_000;
        if !self.is_decisive() {
            ScoreKind::Centipawns(self.0)
        } else if !self.is_mate() {
            let plies = Self::TABLEBASE_WIN - self.0.abs();
            ScoreKind::Centipawns(self.0.signum() * (SHOWN_WIN - plies))
        } else if self.0 > 0 {
            ScoreKind::Mate((Self::MATE - self.0 + 1) / 2)
        } else {
            ScoreKind::Mate(-(Self::MATE + self.0) / 2)
        }
    }

    /// This score as stored in a table, where mates are counted from the node at `ply` rather
    /// than from the root.
    #[inline(always)]
    pub(crate) const fn to_table(self, ply: usize) -> i16 {
        let value = if self.is_win() {
            self.0 + ply as i32
        } else if self.is_loss() {
            self.0 - ply as i32
        } else {
            self.0
        };
        value as i16
    }

    /// The inverse of [`Self::to_table`].
    #[inline(always)]
    pub(crate) const fn from_table(stored: i16, ply: usize) -> Self {
        let score = Self(stored as i32);
        // Far from the root a result may not turn into an evaluation.
        const LEAST_WIN: i32 = Score::MAX_EVALUATION + 1;
        let ply = ply as i32;
        if score.is_win() {
            Self(if score.0 - ply < LEAST_WIN { LEAST_WIN } else { score.0 - ply })
        } else if score.is_loss() {
            Self(if score.0 + ply > -LEAST_WIN { -LEAST_WIN } else { score.0 + ply })
        } else {
            score
        }
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;
    #[inline(always)]
    fn add(self, margin: i32) -> Self {
        Self(self.0 + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Self;
    #[inline(always)]
    fn sub(self, margin: i32) -> Self {
        Self(self.0 - margin)
    }
}

impl Sub for Score {
    type Output = i32;
    #[inline(always)]
    fn sub(self, other: Self) -> i32 {
        self.0 - other.0
    }
}

impl fmt::Display for Score {
    /// The score as UCI writes it: `cp 13` or `mate -2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            ScoreKind::Centipawns(value) => write!(f, "cp {value}"),
            ScoreKind::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_full_moves() {
        assert_eq!(Score::mate_in(1).to_string(), "mate 1");
        assert_eq!(Score::mate_in(3).to_string(), "mate 2");
        assert_eq!(Score::mated_in(0).to_string(), "mate 0");
        assert_eq!(Score::mated_in(2).to_string(), "mate -1");
        assert_eq!(Score::mated_in(4).to_string(), "mate -2");
        assert_eq!(Score::centipawns(-7).to_string(), "cp -7");
        assert_eq!(Score::mated_in(4).plies_to_mate(), Some(4));
        assert_eq!(Score::centipawns(-7).plies_to_mate(), None);
    }

    #[test]
    fn evaluations_never_look_like_proven_results() {
        assert!(!Score::centipawns(i32::MAX).is_decisive());
        assert!(!Score::centipawns(i32::MIN).is_decisive());
        assert!(Score::mate_in(MAX_PLY).is_win() && Score::mated_in(MAX_PLY).is_loss());
        assert!(!Score::INFINITE.is_mate() && !Score::NONE.is_mate());
    }

    #[test]
    fn tablebase_results_lie_between_evaluations_and_mates() {
        for ply in [0, 1, MAX_PLY] {
            let (win, loss) = (Score::tablebase_win(ply), Score::tablebase_loss(ply));
            assert!(win.is_win() && !win.is_mate() && win == -loss);
            assert!(win < Score::mate_in(MAX_PLY) && win > Score::centipawns(i32::MAX));
            assert_eq!(win.to_string(), format!("cp {}", 20_000 - ply));
            assert_eq!(loss.to_string(), format!("cp -{}", 20_000 - ply));
            for other in [0, 9, MAX_PLY] {
                let stored = win.to_table(ply);
                assert!(Score::from_table(stored, other).is_win());
                assert_eq!(Score::from_table(stored, ply), win);
            }
        }
    }

    #[test]
    fn tablebase_results_beyond_the_fifty_move_rule_are_not_in_time() {
        // Five plies from a node at ply 3.
        let win = Score::tablebase_win(8);
        assert!(win.is_in_time(3, 95) && !win.is_in_time(3, 96));
        assert!((-win).is_in_time(3, 95) && !(-win).is_in_time(3, 96));
        assert!(Score::mate_in(10).is_in_time(0, 90) && !Score::mate_in(11).is_in_time(0, 90));
        assert!(Score::mate_in(15).is_in_time(5, 90) && Score::centipawns(9).is_in_time(0, 99));
    }

    #[test]
    fn table_scores_are_relative_to_the_node() {
        for ply in [0, 1, 17, MAX_PLY] {
            for score in [Score::mate_in(ply + 3), Score::mated_in(ply), Score::centipawns(250)] {
                assert_eq!(Score::from_table(score.to_table(ply), ply), score);
            }
        }
        // The same mate seen one ply nearer is one ply shorter.
        assert_eq!(Score::from_table(Score::mate_in(9).to_table(6), 5), Score::mate_in(8));
    }
}

//! The 64-bit form of a table entry.

use super::NewEntry;
use crate::depth::Depth;
use crate::score::Score;
use kaiyo_chess::Move;

/// How a stored score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Bound {
    /// The true score is at most the stored one.
    Upper = 1,
    /// The true score is at least the stored one.
    Lower = 2,
    /// The stored score is the true one.
    Exact = 3,
}

impl Bound {
    /// The bound of two bits; zero marks an empty slot.
    #[inline(always)]
    const fn of_bits(bits: u64) -> Option<Self> {
        match bits & 3 {
            0 => None,
            1 => Some(Self::Upper),
            2 => Some(Self::Lower),
            _ => Some(Self::Exact),
        }
    }

    /// What a search of the window `(alpha, beta)` proves by the score `best`. In a null window
    /// no score is exact.
    #[inline(always)]
    pub fn of_result(best: Score, alpha: Score, beta: Score, pv_node: bool) -> Self {
        if best >= beta {
            Self::Lower
        } else if pv_node && best > alpha {
            Self::Exact
        } else {
            Self::Upper
        }
    }

    /// Whether the true score is known to be at least the stored one.
    #[inline(always)]
    pub const fn is_lower(self) -> bool {
        self as u8 & 2 != 0
    }

    /// Whether the true score is known to be at most the stored one.
    #[inline(always)]
    pub const fn is_upper(self) -> bool {
        self as u8 & 1 != 0
    }
}

/// What the table knows about a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableEntry {
    pub depth: Depth,
    pub score: Score,
    /// The unscaled evaluation; absent for positions in check.
    pub static_eval: Option<Score>,
    pub bound: Bound,
    pub mv: Option<Move>,
    pub pv: bool,
}

impl TableEntry {
    /// The stored score if it proves a result outside the window `(beta - 1, beta)`:
    /// at least `beta`, or below it.
    #[inline]
    pub fn cutoff(&self, beta: Score) -> Option<Score> {
        let is_high = self.score >= beta;
        let proven = if is_high { self.bound.is_lower() } else { self.bound.is_upper() };
        proven.then_some(self.score)
    }

    /// The stored score where it proves that an evaluation is wrong, or else the evaluation. Proven
    /// wins and losses are no evaluations.
    #[inline]
    pub fn refine(&self, evaluation: Score) -> Score {
        self.cutoff(evaluation).filter(|score| !score.is_decisive()).unwrap_or(evaluation)
    }
}

/// Move 16, score 16, evaluation 16, depth 8, generation 5, PV flag 1 and bound 2 bits.
#[derive(Clone, Copy)]
pub(super) struct Packed(pub u64);

/// Depths are stored with this added, since they may be below zero.
const DEPTH_OFFSET: i32 = 2;

impl Packed {
    pub const GENERATION_MASK: u8 = 31;

    #[inline(always)]
    pub fn pack(new: &NewEntry, generation: u8) -> Self {
        let mv = new.mv.map_or(0, Move::bits);
        let score = new.score.to_table(new.ply) as u16;
        let static_eval = new.static_eval.value() as i16 as u16;
        let depth = (new.depth.plies() + DEPTH_OFFSET).clamp(1, 255) as u8;
        let flags = generation << 3 | u8::from(new.pv) << 2 | new.bound as u8;
        Self(
            u64::from(mv)
                | u64::from(score) << 16
                | u64::from(static_eval) << 32
                | u64::from(depth) << 48
                | u64::from(flags) << 56,
        )
    }

    /// The entry, if the slot is not empty.
    #[inline(always)]
    pub fn unpack(self, ply: usize) -> Option<TableEntry> {
        let bound = Bound::of_bits(self.0 >> 56)?;
        let static_eval = Score::from_value(i32::from((self.0 >> 32) as i16));
        Some(TableEntry {
            depth: self.depth(),
            score: Score::from_table((self.0 >> 16) as i16, ply),
            static_eval: (static_eval != Score::NONE).then_some(static_eval),
            bound,
            mv: self.mv(),
            pv: self.0 >> 58 & 1 != 0,
        })
    }

    /// Sixteen bits that depend on all others.
    #[inline(always)]
    pub const fn fold(self) -> u16 {
        let half = self.0 ^ self.0 >> 32;
        (half ^ half >> 16) as u16
    }

    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        Bound::of_bits(self.0 >> 56).is_none()
    }

    #[inline(always)]
    pub const fn depth(self) -> Depth {
        Depth::new((self.0 >> 48 & 0xff) as i32 - DEPTH_OFFSET)
    }

    #[inline(always)]
    pub fn mv(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }

    #[inline(always)]
    pub const fn generation(self) -> u8 {
        (self.0 >> 59) as u8
    }

    /// Searches since the entry was written, as far as five bits can tell.
    #[inline(always)]
    pub const fn age(self, generation: u8) -> u8 {
        generation.wrapping_sub(self.generation()) & Self::GENERATION_MASK
    }
}

//! What the search remembers about each ply of the current path.

use crate::correction::RecentMoves;
use crate::history::{Continuations, PieceTo, QuietMade};
use crate::score::{MAX_PLY, Score};
use kaiyo_chess::Move;

/// Frames before the root, so that looking back a few plies needs no test.
const BEFORE_ROOT: usize = 6;

/// One ply of the current path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// Static evaluation of the position, [`Score::NONE`] in check.
    pub static_eval: Score,
    /// Centipawns by which histories corrected it.
    pub correction: i32,
    /// Whether the node is or was on a principal variation.
    pub table_pv: bool,
    /// The move being searched, as an index into the continuation tables.
    pub moved: PieceTo,
    /// The move being searched, if it is quiet.
    pub quiet: Option<QuietMade>,
    /// The move being searched; none for a null move.
    pub mv: Option<Move>,
    /// A move left out to test whether it is singular.
    pub excluded: Option<Move>,
    /// Extensions beyond one ply made on the path so far.
    pub double_extensions: u32,
    /// Plies by which the search of the current move is reduced.
    pub reduction: i32,
    /// Nodes at this ply that failed high since the grandparent of the current one was entered.
    pub cutoffs: u32,
    /// Half-moves since the last null move; at the root more than any game has, which has none.
    pub plies_since_null: u16,
}

impl Frame {
    const EMPTY: Self = Self {
        static_eval: Score::NONE,
        correction: 0,
        table_pv: false,
        moved: PieceTo::NONE,
        quiet: None,
        mv: None,
        excluded: None,
        double_extensions: 0,
        reduction: 0,
        cutoffs: 0,
        plies_since_null: 0,
    };
}

/// The frames of the current path, indexed by ply.
pub(crate) struct Stack(Box<[Frame; MAX_PLY + BEFORE_ROOT + 4]>);

impl Stack {
    pub fn new() -> Self {
        Self(Box::new([Frame::EMPTY; MAX_PLY + BEFORE_ROOT + 4]))
    }

    #[inline(always)]
    pub const fn at(&self, ply: usize) -> &Frame {
        &self.0[ply + BEFORE_ROOT]
    }

    #[inline(always)]
    pub const fn at_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply + BEFORE_ROOT]
    }

    /// The frame `back` plies above `ply`, at most six; empty above the root.
    #[inline(always)]
    pub const fn above(&self, ply: usize, back: usize) -> &Frame {
        &self.0[ply + BEFORE_ROOT - back]
    }

    /// The moves one, two, four and six plies above `ply`.
    #[inline(always)]
    pub const fn continuations(&self, ply: usize) -> Continuations {
        [
            self.above(ply, 1).moved,
            self.above(ply, 2).moved,
            self.above(ply, 4).moved,
            self.above(ply, 6).moved,
        ]
    }

    /// The moves that corrections of the evaluation at `ply` depend on.
    #[inline(always)]
    pub const fn recent_moves(&self, ply: usize) -> RecentMoves {
        RecentMoves {
            last: self.above(ply, 1).moved,
            earlier: [self.above(ply, 2).moved, self.above(ply, 4).moved],
        }
    }

    /// Whether the side to move at `ply` stands better than at its last turn not in check.
    #[inline(always)]
    pub fn is_improving(&self, ply: usize) -> bool {
        let now = self.at(ply).static_eval;
        if now == Score::NONE {
            return false;
        }
        let two = self.above(ply, 2).static_eval;
        let four = self.above(ply, 4).static_eval;
        if two != Score::NONE {
            now > two
        } else if four != Score::NONE {
            now > four
        } else {
            true
        }
    }
}

//! Principal variations.

use crate::score::MAX_PLY;
use kaiyo_chess::Move;

/// A sequence of moves from a node on.
#[derive(Clone)]
pub(crate) struct Line {
    moves: [Option<Move>; MAX_PLY + 1],
    len: usize,
}

impl Line {
    pub const fn new() -> Self {
        Self { moves: [None; MAX_PLY + 1], len: 0 }
    }

    #[inline(always)]
    pub const fn clear(&mut self) {
        self.len = 0;
    }

    /// Becomes `first` followed by `rest`.
    #[inline]
    pub fn set(&mut self, first: Move, rest: &Self) {
        let rest_len = rest.len.min(MAX_PLY);
        self.moves[0] = Some(first);
        self.moves[1..=rest_len].copy_from_slice(&rest.moves[..rest_len]);
        self.len = rest_len + 1;
    }

    pub fn to_vec(&self) -> Vec<Move> {
        self.moves[..self.len].iter().flatten().copied().collect()
    }
}

/// The lines of all plies of the current path: the triangular table
/// (<https://www.chessprogramming.org/Triangular_PV-Table>).
pub(crate) struct LineTable(Box<[Line]>);

impl LineTable {
    pub fn new() -> Self {
        Self(vec![Line::new(); MAX_PLY + 2].into_boxed_slice())
    }

    #[inline(always)]
    pub const fn at(&mut self, ply: usize) -> &mut Line {
        &mut self.0[ply]
    }

    /// Makes the line of `ply` the move `mv` followed by the line of the next ply.
    #[inline]
    pub fn extend(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.0.split_at_mut(ply + 1);
        above[ply].set(mv, &below[0]);
    }
}

//! Step 16: what the result of a node teaches the histories.

use super::Worker;
use super::node::{Candidate, Node};
use crate::depth::Depth;
use crate::history::{self, PieceTo};
use crate::parameters::*;
use crate::score::Score;
use crate::table::Bound;
use kaiyo_chess::{Move, Position};

/// Moves of one kind remembered per node to be marked down after a cutoff.
const MAX_TRIED: usize = 32;

/// Moves that were searched without success.
pub(super) struct Tried {
    moves: [Option<Move>; MAX_TRIED],
    len: usize,
}

impl Tried {
    pub const fn new() -> Self {
        Self { moves: [None; MAX_TRIED], len: 0 }
    }

    pub fn push(&mut self, mv: Move) {
        if self.len < MAX_TRIED {
            self.moves[self.len] = Some(mv);
            self.len += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves[..self.len].iter().flatten().copied()
    }
}

impl Worker<'_> {
    /// Step 16: the move that refuted this node is preferred in future, those before it are not.
    pub(super) fn learn_from_cutoff(
        &mut self,
        position: &Position,
        node: &Node,
        best: Move,
        quiet_tried: &Tried,
        noisy_tried: &Tried,
    ) {
        let earlier = self.stack.continuations(node.ply);
        let bonus = history::bonus(node.depth);
        let malus = history::malus(node.depth);
        if best.is_noisy() {
            self.histories.update_capture(position, best, bonus);
        } else {
            self.histories.update_quiet(position, best, &earlier, bonus);
            for mv in quiet_tried.iter() {
                self.histories.update_quiet(position, mv, &earlier, -malus);
            }
        }
        for mv in noisy_tried.iter() {
            self.histories.update_capture(position, mv, -malus);
        }
    }

    /// Step 16: where no move helps, the quiet move that led here was a good one.
    pub(super) fn learn_from_fail_low(&mut self, node: &Node) {
        let Some(parent) = node.ply.checked_sub(1) else { return };
        if let Some(made) = self.stack.at(parent).quiet {
            let earlier = self.stack.continuations(parent);
            self.histories.update_made(made, &earlier, history::bonus(node.depth));
        }
    }

    /// Step 5: a quiet move is judged by how the static evaluation changed with it. `swing` is what it
    /// lost, in centipawns.
    #[inline]
    pub(super) fn learn_from_swing(&mut self, node: &Node, swing: i32) {
        if let Some(made) = self.stack.above(node.ply, 1).quiet {
            let bonus = swing_bonus_offset() - swing_bonus_per_centipawn() * swing;
            let bonus = bonus.clamp(-swing_bonus_max(), swing_bonus_max());
            self.histories.update_made_by_itself(made, bonus);
        }
    }

    /// Step 11: a quiet move that a shallow search misjudged is remembered by its full search.
    pub(super) fn learn_from_research(
        &mut self,
        position: &Position,
        candidate: &Candidate,
        ply: usize,
        score: Score,
        (alpha, beta): (Score, Score),
        depth: Depth,
    ) {
        let bonus = history::bonus(depth);
        let bonus = if score >= beta {
            bonus
        } else if score <= alpha {
            -bonus
        } else {
            return;
        };
        let earlier = self.stack.continuations(ply);
        let moved = PieceTo::of_move(position, candidate.mv);
        self.histories.update_continuations(moved, &earlier, bonus);
    }

    /// Step 16: the result of a quiet node tells how wrong its static evaluation was.
    pub(super) fn learn_from_result(
        &mut self,
        position: &Position,
        node: &Node,
        best: Score,
        bound: Bound,
        best_move: Option<Move>,
    ) {
        let error = best - node.static_eval;
        let tells_more = match bound {
            Bound::Exact => true,
            Bound::Lower => error > 0,
            Bound::Upper => error < 0,
        };
        if tells_more
            && !node.in_check
            && !best.is_decisive()
            && best_move.is_none_or(|mv| !mv.is_noisy())
        {
            let moves = self.stack.recent_moves(node.ply);
            self.histories.corrections.update(position, &moves, error, node.depth);
        }
    }
}

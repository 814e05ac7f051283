//! Step 8: leaving out moves that will not matter.

use super::Worker;
use super::margins;
use super::node::{Candidate, Node};
use crate::depth::Depth;
use crate::parameters::*;
use crate::score::Score;
use crate::see::{gain, see_at_least};
use kaiyo_chess::Position;

/// What is to be done with a move.
pub(super) enum MovePruning {
    /// It is searched.
    Search,
    /// It is left out.
    SkipMove,
    /// It is left out, and so are all quiet moves after it.
    SkipQuiet,
}

impl Worker<'_> {
    /// Whether a move is worth a search, given a better one.
    #[inline]
    pub(super) fn prune_move(
        &self,
        position: &Position,
        node: &Node,
        candidate: &Candidate,
        alpha: Score,
    ) -> MovePruning {
        // In pawn endings and for mates that hide from pruning, nothing is left out.
        if self.full_width || !position.non_pawn_material(position.side_to_move()).any() {
            return MovePruning::Search;
        }
        let Candidate { mv, quiet, .. } = *candidate;
        let reduced = (node.depth - candidate.base_reduction / 1024).max(Depth::ZERO);
        if quiet {
            // Late move pruning: the picker puts good moves first.
            if candidate.number > margins::late_move_count(node.depth, node.improving) {
                return MovePruning::SkipQuiet;
            }
            // Futility: the position is too bad for a quiet move, if it does not even check.
            if !node.in_check
                && reduced.plies() <= futility_max_depth()
                && node.static_eval + margins::futility(reduced) <= alpha
                && !position.gives_check(mv)
            {
                return MovePruning::SkipMove;
            }
            // History: the move failed too often.
            if reduced.plies() <= history_pruning_max_depth()
                && candidate.history < history_pruning_per_depth() * node.depth.plies()
            {
                return MovePruning::SkipMove;
            }
        } else if !node.in_check
            && node.depth.plies() <= capture_futility_max_depth()
            && node.static_eval
                + gain(position, mv)
                + margins::capture_futility(node.depth, candidate.history)
                <= alpha
            && !position.gives_check(mv)
        {
            // Futility: not even what is taken makes up for the position.
            return MovePruning::SkipMove;
        }
        // Static exchange: the move loses too much material.
        let depth = if quiet { reduced } else { node.depth };
        if depth.plies() <= see_pruning_max_depth()
            && !see_at_least(position, mv, margins::see_pruning(depth, quiet))
        {
            return MovePruning::SkipMove;
        }
        MovePruning::Search
    }
}

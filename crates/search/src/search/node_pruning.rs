//! Step 6: deciding a node without looking at all its moves.

use super::margins;
use super::node::Node;
use super::{NonPv, Worker};
use crate::parameters::*;
use crate::picker::MovePicker;
use crate::score::Score;
use crate::see::see_at_least;
use crate::table::Bound;
use kaiyo_chess::{Move, Position};

/// Quarters of the depth of a search that verifies a null move in which there are no others.
const NULL_MOVE_FREE_QUARTERS: i32 = 3;
/// An entry of the table counts for ProbCut if it is at most so many plies less deep than the node.
const PROBCUT_TABLE_DEPTH_MARGIN: i32 = 3;

impl Worker<'_> {
    /// Step 6: a score if the node can be decided without looking at all its moves.
    pub(super) fn prune_node(
        &mut self,
        position: &Position,
        node: &Node,
        alpha: Score,
        beta: Score,
    ) -> Option<Score> {
        let Node { ply, depth, estimate, .. } = *node;

        // Razoring: so far below alpha that only captures could help.
        if depth.plies() <= razor_max_depth() && estimate + margins::razor(depth) <= alpha {
            let score = self.quiescence::<NonPv>(position, ply, (alpha, alpha + 1), false);
            if score <= alpha || self.stopped {
                return Some(score);
            }
        }

        // Reverse futility pruning: so far above beta that the opponent has no answer. Where a quiet
        // move is known as the best, there is something to be answered.
        if depth.plies() <= reverse_futility_max_depth()
            && estimate - margins::reverse_futility(depth, node.improving) >= beta
            && node.hash_move.is_none_or(Move::is_noisy)
            && !beta.is_decisive()
            && !estimate.is_decisive()
        {
            return Some(Score::from_value((estimate.value() + beta.value()) / 2));
        }

        self.null_move_pruning(position, node, beta).or_else(|| self.probcut(position, node, beta))
    }

    /// Step 6: if passing the turn still fails high, a move will (except in zugzwang).
    fn null_move_pruning(
        &mut self,
        position: &Position,
        node: &Node,
        beta: Score,
    ) -> Option<Score> {
        let Node { ply, depth, estimate, static_eval, .. } = *node;
        let useful = node.cut_node
            && depth.plies() >= null_move_min_depth()
            && estimate >= beta
            && static_eval >= beta
            && !beta.is_decisive()
            && ply >= self.null_move_min_ply
            && self.stack.above(ply, 1).mv.is_some()
            && position.non_pawn_material(position.side_to_move()).any();
        if !useful {
            return None;
        }
        let reduced = depth - margins::null_move_reduction(depth, estimate - beta);
        let next = self.make_null(position, ply);
        let score =
            -self.search::<NonPv>(&next, ply + 1, -beta, -beta + 1, reduced, !node.cut_node);
        self.unmake();
        if self.stopped {
            return Some(Score::DRAW);
        }
        if score < beta {
            return None;
        }
        // A mate found after a null move is not proven.
        let score = if score.is_win() { beta } else { score };
        if self.null_move_min_ply != 0 || depth.plies() < null_move_verify_depth() {
            return Some(score);
        }
        let without = NULL_MOVE_FREE_QUARTERS * reduced.plies().max(0) / 4;
        self.null_move_min_ply = ply + without as usize + 1;
        let verified = self.search::<NonPv>(position, ply, beta - 1, beta, reduced, false);
        self.null_move_min_ply = 0;
        (verified >= beta || self.stopped).then_some(score)
    }

    /// Step 6: a capture that beats beta by a margin in a shallow search will do so in a deep one.
    fn probcut(&mut self, position: &Position, node: &Node, beta: Score) -> Option<Score> {
        let Node { ply, depth, .. } = *node;
        let raised = beta + probcut_margin();
        let hopeless = node.entry.is_some_and(|entry| {
            entry.depth >= depth - PROBCUT_TABLE_DEPTH_MARGIN && entry.score < raised
        });
        if depth.plies() < probcut_min_depth() || beta.is_decisive() || hopeless {
            return None;
        }
        let hash_move = node
            .hash_move
            .filter(|mv| mv.is_noisy() && see_at_least(position, *mv, raised - node.static_eval));
        let mut picker = MovePicker::noisy(hash_move, raised - node.static_eval);
        let reduced = depth - probcut_reduction();
        while let Some(mv) = picker.next(position, self.histories) {
            let next = self.make(position, mv, ply);
            let mut score =
                -self.quiescence::<NonPv>(&next, ply + 1, (-raised, -raised + 1), false);
            if score >= raised {
                score = -self.search::<NonPv>(
                    &next,
                    ply + 1,
                    -raised,
                    -raised + 1,
                    reduced,
                    !node.cut_node,
                );
            }
            self.unmake();
            if self.stopped {
                return Some(Score::DRAW);
            }
            if score >= raised {
                self.store(node, score, Bound::Lower, Some(mv), reduced + 1);
                return Some(score);
            }
        }
        None
    }
}

//! Steps 10 to 13: searching one move, with as little depth as its rank allows
//! (<https://www.chessprogramming.org/Late_Move_Reductions>).

use super::extensions::forcing_extension;
use super::margins::{self, ReductionTerms};
use super::node::{Candidate, Node};
use super::{NodeKind, NonPv, Pv, Worker};
use crate::depth::Depth;
use crate::parameters::*;
use crate::score::Score;
use kaiyo_chess::{Move, Position};

/// While mates are searched for in full width, a late move may lose one ply, and another for so many moves
/// of the mate: long ones are out of reach otherwise.
const FULL_WIDTH_REDUCTION_MOVES: u32 = 4;

/// A move that is not expected to raise alpha.
struct LateMove<'a> {
    node: &'a Node,
    candidate: &'a Candidate,
    /// The best score at the node so far.
    best: Score,
    window: (Score, Score),
}

impl Worker<'_> {
    /// Steps 10 to 13: the value of one move, with as little search as its rank allows.
    #[inline]
    pub(super) fn search_move<N: NodeKind>(
        &mut self,
        position: &Position,
        node: &Node,
        candidate: &Candidate,
        extension: i32,
        best: Score,
        (alpha, beta): (Score, Score),
    ) -> Score {
        let Node { ply, depth, .. } = *node;
        let below = ply + 1;
        let nodes_before = self.nodes;

        // 10. The move is made, and extended if it forces matters.
        self.stack.at_mut(below).double_extensions =
            self.stack.at(ply).double_extensions + u32::from(extension >= 2);
        let next = self.make(position, candidate.mv, ply);
        let mut new_depth = depth + extension - 1;
        if !N::ROOT && extension == 0 && self.may_extend(ply) {
            let previous = self.stack.above(ply, 1).mv;
            let forcing = forcing_extension(position, &next, candidate.mv, previous, N::PV);
            new_depth = new_depth + forcing;
        }
        let mut score = -Score::INFINITE;
        if depth.plies() >= lmr_min_depth() && candidate.number > 1 + i32::from(N::PV) {
            let late = LateMove { node, candidate, best, window: (alpha, beta) };
            (score, new_depth) = self.search_reduced::<N>(position, &next, &late, new_depth);
        } else if !N::PV || candidate.number > 1 {
            // 12. Other moves are expected to fail against a null window.
            let cut_node = !node.cut_node;
            score = -self.search::<NonPv>(&next, below, -alpha - 1, -alpha, new_depth, cut_node);
        }
        // 13. The first move, and any that did not fail, get the full window.
        if N::PV && (candidate.number == 1 || score > alpha) {
            score = -self.search::<Pv>(&next, below, -beta, -alpha, new_depth, false);
        }
        self.unmake();
        if N::ROOT {
            self.credit_root_move(candidate.mv, self.nodes - nodes_before);
        }
        score
    }

    /// Step 11: late moves are searched with less depth first. Returns the value of the move that leads to
    /// `next`, and the depth to which it is worth searching.
    #[inline(always)]
    fn search_reduced<N: NodeKind>(
        &mut self,
        position: &Position,
        next: &Position,
        late: &LateMove<'_>,
        mut new_depth: Depth,
    ) -> (Score, Depth) {
        let LateMove { node, candidate, best, window: (alpha, beta) } = *late;
        let below = node.ply + 1;
        let reduction = self.late_move_reduction::<N>(node, candidate, next);
        let shallowest = Depth::new(1);
        let reduced = (new_depth - reduction).clamp(shallowest, new_depth.max(shallowest));
        self.stack.at_mut(node.ply).reduction = new_depth.plies() - reduced.plies();
        let mut score = -self.search::<NonPv>(next, below, -alpha - 1, -alpha, reduced, true);
        self.stack.at_mut(node.ply).reduction = 0;
        if score > alpha && reduced < new_depth {
            let deeper = score > best + lmr_deeper_margin();
            let shallower = score < best + lmr_shallower_margin();
            new_depth = new_depth + i32::from(deeper) - i32::from(shallower);
            if reduced < new_depth {
                let cut_node = !node.cut_node;
                score = -self.search::<NonPv>(next, below, -alpha - 1, -alpha, new_depth, cut_node);
                if candidate.quiet && !self.stopped {
                    self.learn_from_research(
                        position,
                        candidate,
                        node.ply,
                        score,
                        (alpha, beta),
                        new_depth,
                    );
                }
            }
        }
        (score, new_depth)
    }

    /// Step 11: plies to reduce a move by.
    #[inline(always)]
    fn late_move_reduction<N: NodeKind>(
        &self,
        node: &Node,
        candidate: &Candidate,
        next: &Position,
    ) -> i32 {
        // The excluded move was the hash move.
        let hash_move = node.hash_move.or(self.stack.at(node.ply).excluded);
        let reduction = margins::late_move_reduction(&ReductionTerms {
            base: candidate.base_reduction,
            pv_node: N::PV,
            table_pv: node.table_pv,
            cut_node: node.cut_node,
            improving: node.improving,
            gives_check: next.in_check(),
            hash_move: hash_move.map(Move::is_noisy),
            deep_entry: node.entry.is_some_and(|entry| entry.depth >= node.depth),
            child_cutoffs: self.stack.at(node.ply + 1).cutoffs,
            correction: node.correction,
            history: candidate.history,
        });
        match self.context.limits.mate {
            Some(moves) if self.full_width => {
                reduction.min(1 + (moves / FULL_WIDTH_REDUCTION_MOVES) as i32)
            }
            _ => reduction,
        }
    }
}

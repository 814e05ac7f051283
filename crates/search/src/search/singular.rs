//! Step 9: extending a hash move that stands alone
//! (<https://www.chessprogramming.org/Singular_Extensions>).

use super::margins;
use super::node::Node;
use super::{NonPv, Worker};
use crate::depth::Depth;
use crate::parameters::*;
use crate::score::Score;
use kaiyo_chess::{Move, Position};

/// The outcome of testing whether the hash move is singular.
pub(super) enum Singular {
    /// Search the hash move this much deeper.
    Extend(i32),
    /// The node fails high with this score.
    Cutoff(Score),
}

impl Worker<'_> {
    /// Step 9: a hash move that is much better than all others deserves more depth.
    pub(super) fn singular_extension(
        &mut self,
        position: &Position,
        node: &Node,
        mv: Move,
        beta: Score,
    ) -> Singular {
        let Node { ply, depth, .. } = *node;
        let Some(entry) = node.entry else { return Singular::Extend(0) };
        let table_score = entry.score;
        let testable = depth.plies() >= singular_min_depth()
            && self.may_extend(ply)
            && entry.depth >= depth - singular_table_depth_margin()
            && entry.bound.is_lower()
            && !table_score.is_decisive();
        if !testable {
            return Singular::Extend(0);
        }
        let singular_beta = margins::singular_beta(table_score, depth);
        let half = Depth::new((depth.plies() - 1) / 2);
        self.stack.at_mut(ply).excluded = Some(mv);
        let score = self.search::<NonPv>(
            position,
            ply,
            singular_beta - 1,
            singular_beta,
            half,
            node.cut_node,
        );
        self.stack.at_mut(ply).excluded = None;
        if score < singular_beta {
            let extension = if self.stack.at(ply).double_extensions < DOUBLE_EXTENSIONS_MAX {
                margins::singular_extension(singular_beta - score, node.table_pv, mv.is_noisy())
            } else {
                1
            };
            return Singular::Extend(extension);
        }
        // Full width leaves nothing out.
        if self.full_width {
            return Singular::Extend(0);
        }
        // Another move beats beta as well: this node will fail high.
        if score >= beta {
            return Singular::Cutoff(if score.is_decisive() { beta } else { score });
        }
        let expected_high = table_score >= beta || node.cut_node;
        Singular::Extend(if expected_high { negative_extension() } else { 0 })
    }
}

//! Step 4: what the transposition table and the tablebases know of a node.

use super::{NodeKind, Worker};
use crate::depth::Depth;
use crate::history;
use crate::score::Score;
use crate::table::TableEntry;
use core::ops::ControlFlow;
use kaiyo_chess::{Move, Position};

/// What is known of a node before it is searched.
pub(super) struct Known {
    pub key: u64,
    pub entry: Option<TableEntry>,
    pub hash_move: Option<Move>,
    /// Whether the node is or was on a principal variation.
    pub table_pv: bool,
}

impl Worker<'_> {
    /// Step 4: what the table knows, or the score if it or the tablebases settle this node.
    #[inline(always)]
    pub(super) fn look_up<N: NodeKind>(
        &mut self,
        position: &Position,
        ply: usize,
        depth: Depth,
        beta: Score,
        excluded: bool,
    ) -> ControlFlow<Score, Known> {
        let key = self.table_key(position);
        let entry = if excluded { None } else { self.context.table.probe(key, ply) };
        // An entry whose move is illegal here is another position's.
        let entry = entry.filter(|entry| entry.mv.is_none_or(|mv| position.is_legal(mv)));
        let hash_move = if N::ROOT {
            Some(self.root_moves[self.pv_index].mv)
        } else {
            entry.and_then(|entry| entry.mv)
        };
        if !N::PV
            && let Some(entry) = entry
            && let Some(score) = self.table_cutoff(position, ply, depth, beta, entry, hash_move)
        {
            return ControlFlow::Break(score);
        }
        if !N::ROOT
            && !excluded
            && position.occupied().len() <= self.tablebase_men
            && position.halfmove_clock() == 0
            && let Some(score) = self.tablebase_score(position, ply, depth)
        {
            return ControlFlow::Break(score);
        }
        let table_pv = if excluded {
            self.stack.at(ply).table_pv
        } else {
            N::PV || entry.is_some_and(|entry| entry.pv)
        };
        self.stack.at_mut(ply).table_pv = table_pv;
        ControlFlow::Continue(Known { key, entry, hash_move, table_pv })
    }

    /// Step 4: the table's score, if it settles this node.
    #[inline]
    fn table_cutoff(
        &mut self,
        position: &Position,
        ply: usize,
        depth: Depth,
        beta: Score,
        entry: TableEntry,
        hash_move: Option<Move>,
    ) -> Option<Score> {
        let score = entry.cutoff(beta)?;
        if entry.depth < depth || !score.is_in_time(ply, position.halfmove_clock()) {
            return None;
        }
        if score >= beta
            && let Some(mv) = hash_move
            && !mv.is_noisy()
        {
            let earlier = self.stack.continuations(ply);
            self.histories.update_quiet(position, mv, &earlier, history::bonus(depth));
        }
        Some(score)
    }

    /// Step 4: the tablebases' score, if they know it.
    ///
    /// Only after a capture or pawn move the score does not depend on the clock. It goes into no entry
    /// of the transposition table for this position, which might be reached with another clock.
    #[cold]
    #[inline(never)]
    fn tablebase_score(&mut self, position: &Position, ply: usize, depth: Depth) -> Option<Score> {
        // A file on a slow disk may take as long as thousands of nodes: the clock is looked at soon.
        self.next_check = 0;
        let score = self.context.tablebases.score_at(position, ply, depth)?;
        self.tablebase_hits += 1;
        Some(if score == Score::DRAW { self.draw_score(ply) } else { score })
    }
}

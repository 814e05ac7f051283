//! Quiescence search: captures, check evasions and some checks until the position is quiet
//! (<https://www.chessprogramming.org/Quiescence_Search>).

use super::{NodeKind, Worker};
use crate::depth::Depth;
use crate::parameters::{quiescence_margin, quiescence_max_captures, see_value};
use crate::picker::MovePicker;
use crate::score::{MAX_PLY, Score};
use crate::table::{Bound, NewEntry, TableEntry};
use kaiyo_chess::{Move, PieceType, Position};

/// The numbers of a node of quiescence that its steps pass on.
struct QuiescenceNode {
    ply: usize,
    key: u64,
    /// Unscaled static evaluation, as the table stores it.
    raw: Score,
    /// The score of a side that does nothing.
    stand_pat: Score,
    table_pv: bool,
    with_checks: bool,
}

impl Worker<'_> {
    /// The value of `position` once no more captures pay, within `[alpha, beta]` or a bound.
    /// Checks are tried `with_checks` only.
    pub(super) fn quiescence<N: NodeKind>(
        &mut self,
        position: &Position,
        ply: usize,
        (mut alpha, beta): (Score, Score),
        with_checks: bool,
    ) -> Score {
        if N::PV {
            self.lines.at(ply).clear();
            self.selective_depth = self.selective_depth.max(ply);
        }
        if !self.enter_node() {
            return Score::DRAW;
        }
        if self.is_draw(position, ply) {
            return self.draw_score(ply);
        }
        if alpha < self.certain_draw(ply) && self.can_repeat(position, ply) {
            alpha = alpha.max(self.draw_score(ply));
            if alpha >= beta {
                return alpha;
            }
        }
        if ply >= MAX_PLY - 1 {
            return self.evaluation_at_the_end(position, ply);
        }

        // 1. The transposition table.
        let key = self.table_key(position);
        let entry = self.context.table.probe(key, ply);
        if !N::PV
            && let Some(score) = entry.and_then(|entry| entry.cutoff(beta))
            && score.is_in_time(ply, position.halfmove_clock())
        {
            return score;
        }

        // 2. Standing pat: not capturing is an option too.
        let (raw, stand_pat) = self.stand_pat(position, ply, entry);
        let node = QuiescenceNode {
            ply,
            key,
            raw,
            stand_pat,
            table_pv: N::PV || entry.is_some_and(|entry| entry.pv),
            with_checks,
        };
        if stand_pat >= beta {
            if entry.is_none() {
                self.store_quiescence(&node, stand_pat, Bound::Lower, None);
            }
            return stand_pat;
        }
        let hash_move = entry
            .and_then(|entry| entry.mv)
            .filter(|&mv| (position.in_check() || mv.is_noisy()) && position.is_legal(mv));
        self.search_forcing::<N>(position, &node, hash_move, alpha, beta)
    }

    /// Step 3: captures and checks, or all evasions of a check.
    fn search_forcing<N: NodeKind>(
        &mut self,
        position: &Position,
        node: &QuiescenceNode,
        hash_move: Option<Move>,
        original_alpha: Score,
        beta: Score,
    ) -> Score {
        let ply = node.ply;
        let in_check = position.in_check();
        let mut best = node.stand_pat;
        let mut alpha = original_alpha.max(best);
        let mut picker = if in_check {
            let earlier = self.stack.continuations(ply);
            MovePicker::all(hash_move, earlier)
        } else {
            MovePicker::forcing(hash_move, node.with_checks)
        };
        let mut best_move: Option<Move> = None;
        let mut tried = 0;
        while let Some(mv) = picker.next(position, self.histories) {
            if !best.is_loss() {
                if in_check {
                    // A way out is known: quiet ones will not be better.
                    picker.skip_quiet();
                    if !mv.is_noisy() {
                        continue;
                    }
                } else if mv.is_noisy() {
                    let enough = tried >= quiescence_max_captures();
                    let promised = node.stand_pat + quiescence_margin() + promise(position, mv);
                    let futile = promised <= alpha && !mv.is_promotion();
                    if (enough || futile) && !position.gives_check(mv) {
                        if enough {
                            picker.skip_noisy();
                        } else {
                            best = best.max(promised);
                        }
                        continue;
                    }
                }
            }
            tried += 1;
            let next = self.make(position, mv, ply);
            let score = -self.quiescence::<N>(&next, ply + 1, (-beta, -alpha), false);
            self.unmake();
            if self.stopped {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    alpha = score;
                    if N::PV {
                        self.lines.extend(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        if in_check && tried == 0 && best == -Score::INFINITE {
            return Score::mated_in(ply);
        }
        let bound = Bound::of_result(best, original_alpha, beta, N::PV);
        self.store_quiescence(node, best, bound, best_move);
        best
    }

    fn store_quiescence(
        &self,
        node: &QuiescenceNode,
        score: Score,
        bound: Bound,
        mv: Option<Move>,
    ) {
        let QuiescenceNode { ply, key, raw: static_eval, table_pv: pv, .. } = *node;
        let new = NewEntry { depth: Depth::ZERO, score, static_eval, bound, mv, pv, ply };
        self.context.table.store(key, new);
    }

    /// The raw evaluation and the score of a side that does nothing; in check it can't.
    fn stand_pat(
        &mut self,
        position: &Position,
        ply: usize,
        entry: Option<TableEntry>,
    ) -> (Score, Score) {
        if position.in_check() {
            return (Score::NONE, -Score::INFINITE);
        }
        let known = entry.and_then(|entry| entry.static_eval);
        let raw = known.unwrap_or_else(|| self.raw_evaluation(position));
        let static_eval = self.adjust_evaluation(raw, position, ply);
        (raw, entry.map_or(static_eval, |entry| entry.refine(static_eval)))
    }
}

/// Centipawns a capture takes off the board.
#[inline(always)]
fn promise(position: &Position, mv: Move) -> i32 {
    let captured = position.captured(mv).map_or(PieceType::Pawn, |piece| piece.piece_type());
    see_value(captured)
}

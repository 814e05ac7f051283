//! Quiescence search: captures, check evasions and some checks until the position is quiet
//! (<https://www.chessprogramming.org/Quiescence_Search>).

use super::{NodeKind, Worker};
use crate::depth::Depth;
use crate::parameters::{quiescence_margin, see_value};
use crate::picker::MovePicker;
use crate::score::{MAX_PLY, Score};
use crate::table::{Bound, NewEntry, TableEntry};
use kaiyo_chess::{Move, PieceType, Position};

/// Captures looked at in a node that is not in check.
const MAX_CAPTURES: u32 = 3;

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
        if alpha < Score::DRAW && self.can_repeat(position, ply) {
            alpha = alpha.max(self.draw_score(ply));
            if alpha >= beta {
                return alpha;
            }
        }
        let in_check = position.in_check();
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
        let table_pv = N::PV || entry.is_some_and(|entry| entry.pv);
        let hash_move = entry
            .and_then(|entry| entry.mv)
            .filter(|&mv| (in_check || mv.is_noisy()) && position.is_legal(mv));

        // 2. Standing pat: not capturing is an option too.
        let original_alpha = alpha;
        let (raw, mut best) = self.stand_pat(position, ply, entry);
        let table = &self.context.table;
        let store = |score, bound, mv| {
            let (depth, pv) = (Depth::ZERO, table_pv);
            table.store(key, NewEntry { depth, score, static_eval: raw, bound, mv, pv, ply });
        };
        if best >= beta {
            if entry.is_none() {
                store(best, Bound::Lower, None);
            }
            return best;
        }
        alpha = alpha.max(best);
        let futility_base = best + quiescence_margin();

        // 3. Captures and checks, or all evasions of a check.
        let mut picker = if in_check {
            let earlier = self.stack.continuations(ply);
            MovePicker::all(hash_move, earlier)
        } else {
            MovePicker::forcing(hash_move, with_checks)
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
                } else if mv.is_noisy() && !position.gives_check(mv) {
                    if tried >= MAX_CAPTURES {
                        picker.skip_noisy();
                        continue;
                    }
                    let promised = futility_base + promise(position, mv);
                    if promised <= alpha && !mv.is_promotion() {
                        best = best.max(promised);
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

        store(best, Bound::of_result(best, original_alpha, beta, N::PV), best_move);
        best
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

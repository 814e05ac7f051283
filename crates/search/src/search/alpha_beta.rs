//! Principal variation search (<https://www.chessprogramming.org/Principal_Variation_Search>)
//! with its pruning, extensions and reductions, in numbered steps.

use super::learning::Tried;
use super::margins;
use super::move_pruning::MovePruning;
use super::node::{Candidate, Node};
use super::singular::Singular;
use super::table_look_up::Known;
use super::{NodeKind, Worker, corrected};
use crate::depth::Depth;
use crate::history::Continuations;
use crate::parameters::*;
use crate::picker::MovePicker;
use crate::score::{MAX_PLY, Score};
use crate::table::{Bound, NewEntry};
use core::ops::ControlFlow;
use kaiyo_chess::{Move, Position};

/// The moves of a node in the order of their search: those of the picker, then those put off because
/// another thread was at them.
struct MoveOrder {
    picker: MovePicker,
    /// Moves that the picker gave.
    generated: i32,
    /// Places in the worker's list of moves put off.
    first_deferred: usize,
    next_deferred: usize,
}

impl MoveOrder {
    #[inline(always)]
    fn new(picker: MovePicker, deferred: &[(Move, i32)]) -> Self {
        let first_deferred = deferred.len();
        Self { picker, generated: 0, first_deferred, next_deferred: first_deferred }
    }
}

/// What the moves of a node have come to.
struct Results {
    best: Score,
    /// The move that raised alpha last.
    best_move: Option<Move>,
    /// Other moves that were searched.
    quiet_tried: Tried,
    noisy_tried: Tried,
}

impl Results {
    #[inline(always)]
    fn new() -> Self {
        let (quiet_tried, noisy_tried) = (Tried::new(), Tried::new());
        Self { best: -Score::INFINITE, best_move: None, quiet_tried, noisy_tried }
    }

    #[inline(always)]
    fn add(&mut self, candidate: &Candidate, score: Score, raises_alpha: bool) {
        self.best = self.best.max(score);
        if raises_alpha {
            self.best_move = Some(candidate.mv);
        } else {
            let tried = if candidate.quiet { &mut self.quiet_tried } else { &mut self.noisy_tried };
            tried.push(candidate.mv);
        }
    }
}

impl Worker<'_> {
    /// The value of `position` searched to `depth`, within `[alpha, beta]` or a bound.
    ///
    /// `cut_node` tells that the parent expects this node to fail high.
    pub(super) fn search<N: NodeKind>(
        &mut self,
        position: &Position,
        ply: usize,
        mut alpha: Score,
        mut beta: Score,
        depth: Depth,
        cut_node: bool,
    ) -> Score {
        // 1. Leaves.
        if depth <= Depth::ZERO {
            return self.quiescence::<N>(position, ply, (alpha, beta), true);
        }
        if N::PV {
            self.lines.at(ply).clear();
            self.selective_depth = self.selective_depth.max(ply);
        }
        if !self.enter_node() {
            return Score::DRAW;
        }
        if !N::ROOT
            && let Some(score) = self.apply_rules(position, ply, &mut alpha, &mut beta)
        {
            return score;
        }

        // 4. The transposition table and tablebases.
        let excluded = self.stack.at(ply).excluded;
        let Known { key, entry, hash_move, table_pv } =
            match self.look_up::<N>(position, ply, depth, beta, excluded.is_some()) {
                ControlFlow::Continue(known) => known,
                ControlFlow::Break(score) => return score,
            };

        // 5. Static evaluation, and what it says about the move that led here.
        let in_check = position.in_check();
        let mut node = Node {
            ply,
            depth,
            raw: Score::NONE,
            static_eval: Score::NONE,
            correction: 0,
            estimate: Score::NONE,
            in_check,
            improving: false,
            cut_node,
            table_pv,
            key,
            entry,
            hash_move,
        };
        self.evaluate_node(position, &mut node, excluded.is_some());
        self.stack.at_mut(ply + 1).excluded = None;
        self.stack.at_mut(ply + 2).cutoffs = 0;
        if !N::ROOT && !in_check && excluded.is_none() {
            node.depth = node.depth + self.look_back(&node);
        }

        // 6. Pruning of the whole node.
        if !N::PV
            && !in_check
            && excluded.is_none()
            && !self.full_width
            && let Some(score) = self.prune_node(position, &node, alpha, beta)
        {
            return score;
        }

        // 7. Internal iterative reduction: without a hash move the node is not worth full depth.
        if node.depth.plies() >= iir_min_depth()
            && hash_move.is_none()
            && excluded.is_none()
            && (N::PV || cut_node)
        {
            node.depth = node.depth - 1;
        }

        self.search_moves::<N>(position, node, alpha, beta, excluded)
    }

    /// Steps 2 and 3: the score if the rules or the end of the stack settle this node. If not, the
    /// window is narrowed to the scores that the rules allow.
    #[inline(always)]
    fn apply_rules(
        &mut self,
        position: &Position,
        ply: usize,
        alpha: &mut Score,
        beta: &mut Score,
    ) -> Option<Score> {
        // 2. Draws, the end of the stack, and a draw that the side to move can have.
        if self.is_draw(position, ply) {
            return Some(self.draw_score(ply));
        }
        if ply >= MAX_PLY - 1 {
            return Some(self.evaluation_at_the_end(position, ply));
        }
        if *alpha < self.certain_draw(ply) && self.can_repeat(position, ply) {
            *alpha = (*alpha).max(self.draw_score(ply));
        }
        // 3. Mate distance pruning: no score can be outside these.
        *alpha = (*alpha).max(Score::mated_in(ply));
        *beta = (*beta).min(Score::mate_in(ply + 1));
        (*alpha >= *beta).then_some(*alpha)
    }

    /// Step 5: fills in the evaluations of a node.
    #[inline]
    fn evaluate_node(&mut self, position: &Position, node: &mut Node, excluded: bool) {
        let ply = node.ply;
        if node.in_check {
            self.stack.at_mut(ply).static_eval = Score::NONE;
            return;
        }
        if excluded {
            let frame = self.stack.at(ply);
            (node.static_eval, node.correction) = (frame.static_eval, frame.correction);
            node.estimate = node.static_eval;
        } else {
            let known = node.entry.and_then(|entry| entry.static_eval);
            node.raw = known.unwrap_or_else(|| self.raw_evaluation(position));
            node.correction = self.correction(position, ply);
            node.static_eval = corrected(node.raw, position, node.correction);
            node.estimate =
                node.entry.map_or(node.static_eval, |entry| entry.refine(node.static_eval));
            let frame = self.stack.at_mut(ply);
            (frame.static_eval, frame.correction) = (node.static_eval, node.correction);
        }
        node.improving = self.stack.is_improving(ply);
    }

    /// Step 5: the change of the evaluation tells what the last move was worth, and whether its
    /// reduction was too large or too small: by how many plies, is the answer.
    #[inline]
    fn look_back(&mut self, node: &Node) -> i32 {
        let parent = self.stack.above(node.ply, 1);
        if parent.static_eval == Score::NONE {
            return 0;
        }
        let swing = node.static_eval.value() + parent.static_eval.value();
        let reduction = parent.reduction;
        // A search that verifies a null move at this node must not count it again.
        self.stack.at_mut(node.ply - 1).reduction = 0;
        self.learn_from_swing(node, swing);
        margins::hindsight(node.depth, reduction, swing)
    }

    /// Steps 8 to 16: the loop over the moves, and what comes of it.
    fn search_moves<N: NodeKind>(
        &mut self,
        position: &Position,
        node: Node,
        mut alpha: Score,
        beta: Score,
        excluded: Option<Move>,
    ) -> Score {
        let original_window = (alpha, beta);
        let earlier = self.stack.continuations(node.ply);
        let mut order = MoveOrder::new(MovePicker::all(node.hash_move, earlier), &self.deferred);
        let mut results = Results::new();

        while let Some((mv, number, deferred)) = self.next_move::<N>(position, &mut order, excluded)
        {
            let candidate = self.candidate(position, &node, mv, number, &earlier);

            // 8. Pruning of single moves, once a line that does not lose is known.
            if !N::ROOT && !results.best.is_loss() {
                match self.prune_move(position, &node, &candidate, alpha) {
                    MovePruning::Search => {}
                    MovePruning::SkipMove => continue,
                    MovePruning::SkipQuiet => {
                        order.picker.skip_quiet();
                        continue;
                    }
                }
            }

            // What another thread searches is left to it for the time being.
            let mark = self.mark(&node, mv, number, excluded);
            if !deferred && self.is_in_progress(mark) {
                self.deferred.push((mv, number));
                continue;
            }

            // 9. Singular moves are extended.
            let mut extension = 0;
            if !N::ROOT && Some(mv) == node.hash_move && excluded.is_none() {
                extension = match self.singular_extension(position, &node, mv, beta) {
                    Singular::Extend(_) if self.stopped => return Score::DRAW,
                    Singular::Extend(plies) => plies,
                    Singular::Cutoff(score) => return score,
                };
            }

            self.begin_move(mark);
            let window = (alpha, beta);
            let score =
                self.search_move::<N>(position, &node, &candidate, extension, results.best, window);
            self.end_move(mark);
            if self.stopped {
                return Score::DRAW;
            }

            // 14. The result is compared.
            if N::ROOT {
                self.update_root_move(mv, score, number == 1 || score > alpha);
            }
            let raises_alpha = score > alpha;
            results.add(&candidate, score, raises_alpha);
            if raises_alpha {
                if N::PV && !N::ROOT {
                    self.lines.extend(node.ply, mv);
                }
                if score >= beta {
                    self.stack.at_mut(node.ply).cutoffs += 1;
                    break;
                }
                alpha = score;
            }
        }

        self.deferred.truncate(order.first_deferred);
        if order.generated == 0 {
            return self.score_without_moves(&node, alpha, excluded);
        }
        self.learn_from_moves::<N>(position, &node, &results, original_window, excluded);
        results.best
    }

    /// Step 15: mate, stalemate, or nothing but the excluded move.
    fn score_without_moves(&self, node: &Node, alpha: Score, excluded: Option<Move>) -> Score {
        match excluded {
            Some(_) => alpha,
            None if node.in_check => Score::mated_in(node.ply),
            None => self.certain_draw(node.ply),
        }
    }

    /// The next move to search, with its rank among the moves of the node, from 1, and whether it was put
    /// off before.
    #[inline(always)]
    fn next_move<N: NodeKind>(
        &mut self,
        position: &Position,
        order: &mut MoveOrder,
        excluded: Option<Move>,
    ) -> Option<(Move, i32, bool)> {
        while let Some(mv) = order.picker.next(position, self.histories) {
            if Some(mv) == excluded || (N::ROOT && !self.is_root_candidate(mv)) {
                continue;
            }
            order.generated += 1;
            if N::ROOT {
                self.report_current_move(mv, order.generated);
            }
            return Some((mv, order.generated, false));
        }
        let &(mv, number) = self.deferred.get(order.next_deferred)?;
        order.next_deferred += 1;
        if N::ROOT {
            self.report_current_move(mv, number);
        }
        Some((mv, number, true))
    }

    /// Step 16: histories and the table learn.
    #[inline(always)]
    fn learn_from_moves<N: NodeKind>(
        &mut self,
        position: &Position,
        node: &Node,
        results: &Results,
        (alpha, beta): (Score, Score),
        excluded: Option<Move>,
    ) {
        let Results { best, best_move, ref quiet_tried, ref noisy_tried } = *results;
        if best >= beta
            && let Some(mv) = best_move
        {
            self.learn_from_cutoff(position, node, mv, quiet_tried, noisy_tried);
        } else if best_move.is_none() && excluded.is_none() {
            self.learn_from_fail_low(node);
        }
        // What some of a node's moves are worth is not what the node is worth.
        let is_partial =
            excluded.is_some() || N::ROOT && (self.pv_index > 0 || self.context.is_restricted());
        if !is_partial {
            let bound = Bound::of_result(best, alpha, beta, N::PV);
            self.learn_from_result(position, node, best, bound, best_move);
            self.store(node, best, bound, best_move, node.depth);
        }
    }

    /// What the pruning and reduction rules want to know about a move.
    #[inline(always)]
    fn candidate(
        &self,
        position: &Position,
        node: &Node,
        mv: Move,
        number: i32,
        earlier: &Continuations,
    ) -> Candidate {
        let quiet = !mv.is_noisy();
        let history = if quiet {
            self.histories.quiet_score(position, mv, earlier)
        } else {
            self.histories.capture_score(position, mv)
        };
        let base_reduction = margins::base_reduction(self.logarithms, node.depth, number, quiet);
        Candidate { mv, number, quiet, history, base_reduction }
    }

    /// Stores the result of a node in the transposition table.
    pub(super) fn store(
        &self,
        node: &Node,
        score: Score,
        bound: Bound,
        mv: Option<Move>,
        depth: Depth,
    ) {
        let new = NewEntry {
            depth,
            score,
            static_eval: node.raw,
            bound,
            mv,
            pv: node.table_pv,
            ply: node.ply,
        };
        self.context.table.store(node.key, new);
    }
}

//! Principal variation search (<https://www.chessprogramming.org/Principal_Variation_Search>)
//! with its pruning, extensions and reductions, in numbered steps.

use super::margins::{self, ReductionTerms};
use super::{NodeKind, NonPv, Pv, Worker, table_key};
use crate::depth::Depth;
use crate::history::{self, Continuations, PieceTo};
use crate::parameters::*;
use crate::picker::{MovePicker, Refutations, Stage};
use crate::score::{MAX_PLY, Score};
use crate::see::see_at_least;
use crate::table::{Bound, NewEntry, TableEntry};
use kaiyo_chess::{Move, Position};

/// Moves of one kind remembered per node to be marked down after a cutoff.
const MAX_TRIED: usize = 32;
/// Above this clock no score is taken from the table: it may hide the fifty-move draw.
const MAX_CLOCK_FOR_CUTOFFS: u16 = 90;

/// Moves that were searched without success.
struct Tried {
    moves: [Option<Move>; MAX_TRIED],
    len: usize,
}

impl Tried {
    const fn new() -> Self {
        Self { moves: [None; MAX_TRIED], len: 0 }
    }

    fn push(&mut self, mv: Move) {
        if self.len < MAX_TRIED {
            self.moves[self.len] = Some(mv);
            self.len += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves[..self.len].iter().flatten().copied()
    }
}

/// The numbers of a node that its steps pass on.
#[derive(Clone, Copy)]
struct Node {
    ply: usize,
    depth: Depth,
    /// Unscaled static evaluation, as the table stores it.
    raw: Score,
    static_eval: Score,
    /// The static evaluation, improved by the table's score where its bound allows.
    estimate: Score,
    in_check: bool,
    improving: bool,
    cut_node: bool,
    table_pv: bool,
    key: u64,
    entry: Option<TableEntry>,
    hash_move: Option<Move>,
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
            return self.quiescence::<N>(position, ply, alpha, beta);
        }
        if N::PV {
            self.lines.at(ply).clear();
            self.selective_depth = self.selective_depth.max(ply);
        }
        if !self.enter_node() {
            return Score::DRAW;
        }
        let in_check = position.in_check();
        if !N::ROOT {
            // 2. Draws and the end of the stack.
            if self.is_draw(position, ply) {
                return self.draw_score();
            }
            if ply >= MAX_PLY - 1 {
                let raw = self.raw_evaluation(position);
                return if in_check { Score::DRAW } else { Self::scale_by_clock(raw, position) };
            }
            // 3. Mate distance pruning: no score can be outside these.
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // 4. The transposition table.
        let excluded = self.stack.at(ply).excluded;
        let key = table_key(position);
        let entry = if excluded.is_none() { self.context.table.probe(key, ply) } else { None };
        let hash_move = if N::ROOT {
            Some(self.root_moves[self.pv_index].mv)
        } else {
            entry.and_then(|entry| entry.mv).filter(|&mv| position.is_legal(mv))
        };
        if !N::PV
            && let Some(entry) = entry
            && let Some(score) = self.table_cutoff(position, ply, depth, beta, entry, hash_move)
        {
            return score;
        }

        // 5. Static evaluation.
        let mut node = Node {
            ply,
            depth,
            raw: Score::NONE,
            static_eval: Score::NONE,
            estimate: Score::NONE,
            in_check,
            improving: false,
            cut_node,
            table_pv: N::PV || entry.is_some_and(|entry| entry.pv),
            key,
            entry,
            hash_move,
        };
        self.evaluate_node(position, &mut node, excluded.is_some());
        self.stack.at_mut(ply + 1).excluded = None;
        self.stack.at_mut(ply + 2).killers = [None; 2];

        // 6. Pruning of the whole node.
        if !N::PV
            && !in_check
            && excluded.is_none()
            && let Some(score) = self.prune_node(position, &node, alpha, beta)
        {
            return score;
        }

        // 7. Internal iterative reduction: without a hash move the node is not worth full depth.
        if depth.plies() >= IIR_MIN_DEPTH && hash_move.is_none() && (N::PV || cut_node) {
            node.depth = node.depth - 1;
        }

        self.search_moves::<N>(position, node, alpha, beta, excluded)
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
        if entry.depth < depth || position.halfmove_clock() >= MAX_CLOCK_FOR_CUTOFFS {
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

    /// Step 5: fills in the evaluations of a node.
    #[inline]
    fn evaluate_node(&mut self, position: &Position, node: &mut Node, excluded: bool) {
        let ply = node.ply;
        if node.in_check {
            self.stack.at_mut(ply).static_eval = Score::NONE;
            return;
        }
        if excluded {
            node.static_eval = self.stack.at(ply).static_eval;
            node.estimate = node.static_eval;
        } else {
            let known = node.entry.and_then(|entry| entry.static_eval);
            node.raw = known.unwrap_or_else(|| self.raw_evaluation(position));
            node.static_eval = Self::scale_by_clock(node.raw, position);
            node.estimate = match node.entry.and_then(|entry| entry.cutoff(node.static_eval)) {
                Some(score) if !score.is_decisive() => score,
                _ => node.static_eval,
            };
            self.stack.at_mut(ply).static_eval = node.static_eval;
        }
        node.improving = self.stack.is_improving(ply);
    }

    /// Step 6: a score if the node can be decided without looking at all its moves.
    fn prune_node(
        &mut self,
        position: &Position,
        node: &Node,
        alpha: Score,
        beta: Score,
    ) -> Option<Score> {
        let Node { ply, depth, estimate, .. } = *node;

        // Razoring: so far below alpha that only captures could help.
        if depth.plies() <= RAZOR_MAX_DEPTH && estimate + margins::razor(depth) <= alpha {
            let score = self.quiescence::<NonPv>(position, ply, alpha, alpha + 1);
            if score <= alpha || self.stopped {
                return Some(score);
            }
        }

        // Reverse futility pruning: so far above beta that the opponent has no answer.
        if depth.plies() <= REVERSE_FUTILITY_MAX_DEPTH
            && estimate - margins::reverse_futility(depth, node.improving) >= beta
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
        let useful = depth.plies() >= NULL_MOVE_MIN_DEPTH
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
        if self.null_move_min_ply != 0 || depth.plies() < NULL_MOVE_VERIFY_DEPTH {
            return Some(score);
        }
        self.null_move_min_ply = ply + (3 * reduced.plies().max(0) / 4) as usize + 1;
        let verified = self.search::<NonPv>(position, ply, beta - 1, beta, reduced, false);
        self.null_move_min_ply = 0;
        (verified >= beta || self.stopped).then_some(score)
    }

    /// Step 6: a capture that beats beta by a margin in a shallow search will do so in a deep one.
    fn probcut(&mut self, position: &Position, node: &Node, beta: Score) -> Option<Score> {
        let Node { ply, depth, .. } = *node;
        let raised = beta + PROBCUT_MARGIN;
        let hopeless = node.entry.is_some_and(|entry| {
            entry.depth >= depth - 3 && entry.score.is_some_and(|score| score < raised)
        });
        if depth.plies() < PROBCUT_MIN_DEPTH || beta.is_decisive() || hopeless {
            return None;
        }
        let hash_move = node
            .hash_move
            .filter(|mv| mv.is_noisy() && see_at_least(position, *mv, raised - node.static_eval));
        let mut picker = MovePicker::noisy(hash_move, raised - node.static_eval);
        let reduced = depth - PROBCUT_REDUCTION;
        while let Some(mv) = picker.next(position, self.histories) {
            let next = self.make(position, mv, ply);
            let mut score = -self.quiescence::<NonPv>(&next, ply + 1, -raised, -raised + 1);
            if score >= raised {
                let window = (-raised, -raised + 1);
                score = -self.search::<NonPv>(
                    &next,
                    ply + 1,
                    window.0,
                    window.1,
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

    /// Steps 8 to 14: the loop over the moves.
    fn search_moves<N: NodeKind>(
        &mut self,
        position: &Position,
        node: Node,
        mut alpha: Score,
        beta: Score,
        excluded: Option<Move>,
    ) -> Score {
        let Node { ply, depth, .. } = node;
        let original_alpha = alpha;
        let earlier = self.stack.continuations(ply);
        let refutations = Refutations {
            killers: self.stack.at(ply).killers,
            countermove: self.histories.countermove(earlier[0]),
        };
        let mut picker = MovePicker::all(node.hash_move, refutations, earlier);
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut quiet_tried = Tried::new();
        let mut noisy_tried = Tried::new();
        let mut number = 0;

        while let Some(mv) = picker.next(position, self.histories) {
            if Some(mv) == excluded || (N::ROOT && !self.is_root_candidate(mv)) {
                continue;
            }
            number += 1;
            if N::ROOT {
                self.report_current_move(mv, number);
            }
            let quiet = !mv.is_noisy();
            let history = if quiet {
                self.histories.quiet_score(position, mv, &earlier)
            } else {
                self.histories.capture_score(position, mv)
            };
            let base_reduction = self.reductions.get(depth, number, quiet);

            // 8. Pruning of single moves, once a line that does not lose is known.
            if !N::ROOT
                && !best.is_loss()
                && position.non_pawn_material(position.side_to_move()).any()
            {
                let reduced = (depth - base_reduction / 1024).max(Depth::ZERO);
                if quiet && self.skips_rest(&node, number, reduced, alpha) {
                    picker.skip_quiet();
                    continue;
                }
                if self.skips_move(position, &node, mv, quiet, reduced, history) {
                    continue;
                }
            }

            // 9. Extensions.
            let extension = if !N::ROOT && Some(mv) == node.hash_move && excluded.is_none() {
                match self.singular_extension(position, &node, mv, beta) {
                    Singular::Extend(plies) => plies,
                    Singular::Cutoff(score) => return score,
                }
            } else {
                0
            };
            if self.stopped {
                return Score::DRAW;
            }

            // 10. The move is made.
            let nodes_before = self.nodes;
            self.stack.at_mut(ply + 1).double_extensions =
                self.stack.at(ply).double_extensions + u32::from(extension >= 2);
            let next = self.make(position, mv, ply);
            let mut new_depth = depth + extension - 1;
            let mut score = -Score::INFINITE;

            // 11. Late moves are searched with less depth first.
            let reducible = depth.plies() >= LMR_MIN_DEPTH && number > 1 + i32::from(N::PV);
            if reducible {
                let reduction = margins::late_move_reduction(&ReductionTerms {
                    base: base_reduction,
                    pv_node: N::PV,
                    table_pv: node.table_pv,
                    cut_node: node.cut_node,
                    improving: node.improving,
                    refutation: matches!(
                        picker.stage(),
                        Stage::Killer | Stage::SecondKiller | Stage::Countermove
                    ),
                    gives_check: next.in_check(),
                    noisy_hash_move: node.hash_move.is_some_and(Move::is_noisy),
                    history,
                });
                let reduced =
                    (new_depth - reduction).clamp(Depth::new(1), new_depth.max(Depth::new(1)));
                score = -self.search::<NonPv>(&next, ply + 1, -alpha - 1, -alpha, reduced, true);
                if score > alpha && reduced < new_depth {
                    let deeper = score > best + LMR_DEEPER_MARGIN;
                    let shallower = score < best + LMR_SHALLOWER_MARGIN;
                    new_depth = new_depth + i32::from(deeper) - i32::from(shallower);
                    if reduced < new_depth {
                        let cut_node = !node.cut_node;
                        score = -self.search::<NonPv>(
                            &next,
                            ply + 1,
                            -alpha - 1,
                            -alpha,
                            new_depth,
                            cut_node,
                        );
                    }
                }
            } else if !N::PV || number > 1 {
                // 12. Other moves are expected to fail against a null window.
                let cut_node = !node.cut_node;
                score =
                    -self.search::<NonPv>(&next, ply + 1, -alpha - 1, -alpha, new_depth, cut_node);
            }
            // 13. The first move, and any that did not fail, get the full window.
            if N::PV && (number == 1 || score > alpha) {
                score = -self.search::<Pv>(&next, ply + 1, -beta, -alpha, new_depth, false);
            }
            self.unmake();
            if self.stopped {
                return Score::DRAW;
            }

            // 14. The result is compared.
            if N::ROOT {
                let improves = number == 1 || score > alpha;
                self.update_root_move(mv, score, improves, self.nodes - nodes_before);
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV && !N::ROOT {
                        self.lines.extend(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
            if best_move != Some(mv) {
                if quiet { &mut quiet_tried } else { &mut noisy_tried }.push(mv);
            }
        }

        // 15. Mate, stalemate, or nothing but the excluded move.
        if number == 0 {
            return if excluded.is_some() {
                alpha
            } else if node.in_check {
                Score::mated_in(ply)
            } else {
                Score::DRAW
            };
        }

        // 16. Histories and the table learn.
        if best >= beta
            && let Some(mv) = best_move
        {
            self.learn_from_cutoff(position, &node, mv, &earlier, &quiet_tried, &noisy_tried);
        }
        if excluded.is_none() {
            let bound = if best >= beta {
                Bound::Lower
            } else if N::PV && best > original_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            if !(N::ROOT && self.pv_index > 0) {
                self.store(&node, best, bound, best_move, node.depth);
            }
        }
        best
    }

    /// Step 8: whether no further quiet move is worth a look.
    #[inline]
    fn skips_rest(&self, node: &Node, number: i32, reduced: Depth, alpha: Score) -> bool {
        let late = number > margins::late_move_count(node.depth, node.improving);
        let futile = !node.in_check
            && reduced.plies() <= FUTILITY_MAX_DEPTH
            && node.static_eval + margins::futility(reduced) <= alpha;
        late || futile
    }

    /// Step 8: whether this move is not worth a look.
    #[inline]
    fn skips_move(
        &self,
        position: &Position,
        node: &Node,
        mv: Move,
        quiet: bool,
        reduced: Depth,
        history: i32,
    ) -> bool {
        if quiet
            && reduced.plies() <= HISTORY_PRUNING_MAX_DEPTH
            && history < HISTORY_PRUNING_PER_DEPTH * node.depth.plies()
        {
            return true;
        }
        let depth = if quiet { reduced } else { node.depth };
        depth.plies() <= SEE_PRUNING_MAX_DEPTH
            && !see_at_least(position, mv, margins::see_pruning(depth, quiet))
    }

    /// Step 9: a hash move that is much better than all others deserves more depth
    /// (<https://www.chessprogramming.org/Singular_Extensions>).
    fn singular_extension(
        &mut self,
        position: &Position,
        node: &Node,
        mv: Move,
        beta: Score,
    ) -> Singular {
        let Node { ply, depth, .. } = *node;
        let Some((entry, table_score)) = node.entry.and_then(|entry| Some((entry, entry.score?)))
        else {
            return Singular::Extend(0);
        };
        let testable = depth.plies() >= SINGULAR_MIN_DEPTH
            && ply < 2 * self.root_depth as usize
            && entry.depth >= depth - SINGULAR_TABLE_DEPTH_MARGIN
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
            let far = !node.table_pv && score < singular_beta - DOUBLE_EXTENSION_MARGIN;
            let double = far && self.stack.at(ply).double_extensions < 8;
            return Singular::Extend(1 + i32::from(double));
        }
        // Another move beats beta as well: this node will fail high.
        if singular_beta >= beta {
            return Singular::Cutoff(singular_beta);
        }
        if table_score >= beta {
            return Singular::Extend(-1);
        }
        Singular::Extend(0)
    }

    /// Step 16: the move that refuted this node is preferred in future, those before it are not.
    fn learn_from_cutoff(
        &mut self,
        position: &Position,
        node: &Node,
        best: Move,
        earlier: &Continuations,
        quiet_tried: &Tried,
        noisy_tried: &Tried,
    ) {
        let bonus = history::bonus(node.depth);
        if best.is_noisy() {
            self.histories.update_capture(position, best, bonus);
        } else {
            let killers = &mut self.stack.at_mut(node.ply).killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            if earlier[0] != PieceTo::NONE {
                self.histories.set_countermove(earlier[0], best);
            }
            self.histories.update_quiet(position, best, earlier, bonus);
            for mv in quiet_tried.iter() {
                self.histories.update_quiet(position, mv, earlier, -bonus);
            }
        }
        for mv in noisy_tried.iter() {
            self.histories.update_capture(position, mv, -bonus);
        }
    }

    fn store(&self, node: &Node, score: Score, bound: Bound, mv: Option<Move>, depth: Depth) {
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

/// The outcome of testing whether the hash move is singular.
enum Singular {
    /// Search the hash move this much deeper.
    Extend(i32),
    /// The node fails high with this score.
    Cutoff(Score),
}

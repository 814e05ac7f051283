//! The arithmetic of pruning, reductions and extensions: pure functions of a node's numbers.

use crate::depth::Depth;
use crate::parameters::*;
use crate::score::Score;
use std::sync::LazyLock;

/// Razoring: how far below alpha the evaluation is hopeless.
#[inline(always)]
pub(super) fn razor(depth: Depth) -> i32 {
    RAZOR_BASE + RAZOR_PER_DEPTH_SQUARED * depth.plies() * depth.plies()
}

/// Reverse futility: how far above beta the evaluation is safe.
#[inline(always)]
pub(super) fn reverse_futility(depth: Depth, improving: bool) -> i32 {
    REVERSE_FUTILITY_PER_DEPTH * depth.plies() - REVERSE_FUTILITY_IMPROVING * i32::from(improving)
}

/// Plies given up by a null-move search, the null move itself included.
#[inline(always)]
pub(super) fn null_move_reduction(depth: Depth, above_beta: i32) -> i32 {
    NULL_MOVE_BASE
        + depth.plies() / NULL_MOVE_DEPTH_DIVISOR
        + (above_beta / NULL_MOVE_MARGIN_DIVISOR).clamp(0, NULL_MOVE_MARGIN_MAX)
}

/// Late move pruning: after how many moves the remaining quiet ones are skipped.
#[inline(always)]
pub(super) fn late_move_count(depth: Depth, improving: bool) -> i32 {
    let count = LATE_MOVE_BASE + depth.plies() * depth.plies();
    if improving { count } else { count / 2 }
}

/// Futility: how far a quiet move at this depth may raise the evaluation.
#[inline(always)]
pub(super) fn futility(depth: Depth) -> i32 {
    FUTILITY_BASE + FUTILITY_PER_DEPTH * depth.plies()
}

/// What a move may lose in exchanges and still be searched.
#[inline(always)]
pub(super) fn see_pruning(depth: Depth, quiet: bool) -> i32 {
    let depth = depth.plies();
    if quiet { SEE_PRUNING_QUIET * depth * depth } else { SEE_PRUNING_NOISY * depth }
}

/// Hindsight: plies to add to a node's depth after a move reduced by `reduction` plies.
/// `swing` is the sum of the evaluations before and after that move, each for its side to move: what
/// the move lost, in centipawns.
#[inline(always)]
pub(super) fn hindsight(depth: Depth, reduction: i32, swing: i32) -> i32 {
    let regained = reduction >= HINDSIGHT_DEEPER_REDUCTION && swing <= 0;
    let lost = reduction >= HINDSIGHT_SHALLOWER_REDUCTION
        && depth.plies() >= HINDSIGHT_SHALLOWER_MIN_DEPTH
        && swing > HINDSIGHT_SHALLOWER_MARGIN;
    i32::from(regained) - i32::from(lost)
}

/// The score that all moves but the hash move must stay below for it to be singular.
#[inline(always)]
pub(super) fn singular_beta(table_score: Score, depth: Depth) -> Score {
    table_score - SINGULAR_MARGIN_PER_DEPTH * depth.plies()
}

/// Plies by which to extend a singular move that all others stay `lead` centipawns below.
#[inline(always)]
pub(super) fn singular_extension(lead: i32, table_pv: bool, noisy: bool) -> i32 {
    let double = lead > DOUBLE_EXTENSION_MARGIN + DOUBLE_EXTENSION_PV * i32::from(table_pv);
    let triple = lead > TRIPLE_EXTENSION_MARGIN && !table_pv && !noisy;
    1 + i32::from(double) + i32::from(double && triple)
}

/// The reductions that all threads read; computed once, not for every search.
pub(super) static REDUCTIONS: LazyLock<ReductionTable> = LazyLock::new(ReductionTable::new);

/// Late move reductions in 1/1024 plies by depth and move number.
pub(super) struct ReductionTable {
    quiet: [[i32; 64]; 64],
    noisy: [[i32; 64]; 64],
}

impl ReductionTable {
    fn new() -> Self {
        Self {
            quiet: Self::fill(LMR_QUIET_BASE, LMR_QUIET_FACTOR),
            noisy: Self::fill(LMR_NOISY_BASE, LMR_NOISY_FACTOR),
        }
    }

    fn fill(base: f64, factor: f64) -> [[i32; 64]; 64] {
        let mut table = [[0; 64]; 64];
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, reduction) in row.iter_mut().enumerate().skip(1) {
                *reduction = (base + factor * (depth as f64).ln() * (number as f64).ln()) as i32;
            }
        }
        table
    }

    /// The basic reduction of the `number`th move, counted from one.
    #[inline(always)]
    pub fn get(&self, depth: Depth, number: i32, quiet: bool) -> i32 {
        let table = if quiet { &self.quiet } else { &self.noisy };
        table[depth.plies().clamp(0, 63) as usize][number.clamp(0, 63) as usize]
    }
}

/// What makes a late move worth more or less depth.
#[derive(Clone, Copy)]
pub(super) struct ReductionTerms {
    pub base: i32,
    pub pv_node: bool,
    pub table_pv: bool,
    pub cut_node: bool,
    pub improving: bool,
    pub gives_check: bool,
    /// Whether the hash move is noisy, if there is one.
    pub hash_move: Option<bool>,
    /// Whether the table knows the node to this depth.
    pub deep_entry: bool,
    /// Nodes that failed high among the children so far.
    pub child_cutoffs: u32,
    /// Centipawns by which histories corrected the static evaluation.
    pub correction: i32,
    pub history: i32,
}

/// Plies to reduce a late move by.
#[inline]
pub(super) fn late_move_reduction(terms: &ReductionTerms) -> i32 {
    let mut reduction = terms.base;
    reduction += LMR_PV * i32::from(terms.pv_node);
    reduction += LMR_TABLE_PV * i32::from(terms.table_pv);
    reduction += LMR_CUT_NODE * i32::from(terms.cut_node);
    reduction += LMR_NOT_IMPROVING * i32::from(!terms.improving);
    reduction += LMR_GIVES_CHECK * i32::from(terms.gives_check);
    reduction += LMR_NOISY_HASH_MOVE * i32::from(terms.hash_move == Some(true));
    reduction += LMR_NO_HASH_MOVE * i32::from(terms.cut_node && terms.hash_move.is_none());
    reduction += LMR_DEEP_ENTRY * i32::from(terms.table_pv && terms.deep_entry);
    reduction += LMR_CHILD_CUTOFFS * i32::from(terms.child_cutoffs > LMR_CHILD_CUTOFFS_MIN);
    reduction -= LMR_PER_CORRECTION * terms.correction.abs();
    reduction -= terms.history * 1024 / LMR_HISTORY_PER_PLY;
    reduction / 1024
}

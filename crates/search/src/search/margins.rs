//! The arithmetic of pruning, reductions and extensions: pure functions of a node's numbers.

use crate::depth::Depth;
use crate::parameters::*;
use crate::score::Score;
use std::sync::LazyLock;

/// Razoring: how far below alpha the evaluation is hopeless.
#[inline(always)]
pub(super) fn razor(depth: Depth) -> i32 {
    razor_base() + razor_per_depth_squared() * depth.plies() * depth.plies()
}

/// Reverse futility: how far above beta the evaluation is safe.
#[inline(always)]
pub(super) fn reverse_futility(depth: Depth, improving: bool) -> i32 {
    let depth = depth.plies();
    reverse_futility_per_depth() * depth + reverse_futility_per_depth_squared() * depth * depth
        - reverse_futility_improving() * i32::from(improving)
}

/// Plies given up by a null-move search, the null move itself included.
#[inline(always)]
pub(super) fn null_move_reduction(depth: Depth, above_beta: i32) -> i32 {
    null_move_base()
        + depth.plies() / null_move_depth_divisor()
        + (above_beta / null_move_margin_divisor()).clamp(0, null_move_margin_max())
}

/// The counts of late move pruning are in 64ths of a move, times a percentage.
const LATE_MOVE_UNIT: i32 = 64 * 100;
/// The margin of singular moves is in 16ths of a centipawn.
const SINGULAR_UNIT: i32 = 16;

/// Late move pruning: after how many moves the remaining quiet ones are skipped.
#[inline(always)]
pub(super) fn late_move_count(depth: Depth, improving: bool) -> i32 {
    let count = late_move_base() + late_move_per_depth_squared() * depth.plies() * depth.plies();
    let percent = if improving { 100 } else { late_move_not_improving() };
    count * percent / LATE_MOVE_UNIT
}

/// Futility: how far a quiet move at this depth may raise the evaluation.
#[inline(always)]
pub(super) fn futility(depth: Depth) -> i32 {
    futility_base() + futility_per_depth() * depth.plies()
}

/// Futility: how far a capture at this depth may raise the evaluation beyond the man taken.
#[inline(always)]
pub(super) fn capture_futility(depth: Depth, history: i32) -> i32 {
    capture_futility_base()
        + capture_futility_per_depth() * depth.plies()
        + history / capture_futility_history_divisor()
}

/// What a move may lose in exchanges and still be searched.
#[inline(always)]
pub(super) fn see_pruning(depth: Depth, quiet: bool) -> i32 {
    let depth = depth.plies();
    if quiet { see_pruning_quiet() * depth * depth } else { see_pruning_noisy() * depth }
}

/// Hindsight: plies to add to a node's depth after a move reduced by `reduction` plies.
/// `swing` is the sum of the evaluations before and after that move, each for its side to move: what
/// the move lost, in centipawns.
#[inline(always)]
pub(super) fn hindsight(depth: Depth, reduction: i32, swing: i32) -> i32 {
    let regained = reduction >= hindsight_deeper_reduction() && swing <= 0;
    let lost = reduction >= hindsight_shallower_reduction()
        && depth.plies() >= hindsight_shallower_min_depth()
        && swing > hindsight_shallower_margin();
    i32::from(regained) - i32::from(lost)
}

/// The score that all moves but the hash move must stay below for it to be singular.
#[inline(always)]
pub(super) fn singular_beta(table_score: Score, depth: Depth) -> Score {
    table_score - singular_margin_per_depth() * depth.plies() / SINGULAR_UNIT
}

/// Plies by which to extend a singular move that all others stay `lead` centipawns below.
#[inline(always)]
pub(super) fn singular_extension(lead: i32, table_pv: bool, noisy: bool) -> i32 {
    let double = lead > double_extension_margin() + double_extension_pv() * i32::from(table_pv);
    let triple = lead > triple_extension_margin() && !table_pv && !noisy;
    1 + i32::from(double) + i32::from(double && triple)
}

/// The logarithms that all threads read; computed once, not for every search.
pub(super) static LOGARITHMS: LazyLock<Logarithms> = LazyLock::new(Logarithms::new);

/// Natural logarithms of the numbers below 64, in 1/1024.
pub(super) struct Logarithms([i32; 64]);

impl Logarithms {
    fn new() -> Self {
        Self(std::array::from_fn(|number| ((number.max(1) as f64).ln() * 1024.0).round() as i32))
    }

    #[inline(always)]
    const fn of(&self, number: i32) -> i32 {
        let number = if number < 0 { 0 } else { number as usize };
        self.0[if number > 63 { 63 } else { number }]
    }
}

/// The basic reduction of the `number`th move, counted from one, in 1/1024 plies.
#[inline(always)]
pub(super) fn base_reduction(
    logarithms: &Logarithms,
    depth: Depth,
    number: i32,
    quiet: bool,
) -> i32 {
    let product = (logarithms.of(depth.plies()) * logarithms.of(number)) >> 10;
    let (base, factor) = if quiet {
        (lmr_quiet_base(), lmr_quiet_factor())
    } else {
        (lmr_noisy_base(), lmr_noisy_factor())
    };
    base + ((factor * product) >> 10)
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
    reduction += lmr_pv() * i32::from(terms.pv_node);
    reduction += lmr_table_pv() * i32::from(terms.table_pv);
    reduction += lmr_cut_node() * i32::from(terms.cut_node);
    reduction += lmr_not_improving() * i32::from(!terms.improving);
    reduction += lmr_gives_check() * i32::from(terms.gives_check);
    reduction += lmr_noisy_hash_move() * i32::from(terms.hash_move == Some(true));
    reduction += lmr_no_hash_move() * i32::from(terms.cut_node && terms.hash_move.is_none());
    reduction += lmr_deep_entry() * i32::from(terms.table_pv && terms.deep_entry);
    reduction +=
        lmr_child_cutoffs() * i32::from(terms.child_cutoffs as i32 > lmr_child_cutoffs_min());
    reduction -= lmr_per_correction() * terms.correction.abs();
    reduction -= terms.history * 1024 / lmr_history_per_ply();
    reduction / 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_reductions_grow_with_depth_and_move_number() {
        let base =
            |depth, number, quiet| base_reduction(&LOGARITHMS, Depth::new(depth), number, quiet);
        for quiet in [false, true] {
            for (depth, number) in [(2, 2), (5, 9), (20, 30)] {
                let here = base(depth, number, quiet);
                assert!(
                    here < base(2 * depth, number, quiet) && here < base(depth, 2 * number, quiet)
                );
            }
            // Far moves and depths are all alike.
            assert_eq!(base(200, 250, quiet), base(63, 63, quiet));
        }
        assert!(base(10, 10, true) > base(10, 10, false));
        let expected =
            f64::from(lmr_quiet_base()) + f64::from(lmr_quiet_factor()) * 4_f64.ln().powi(2);
        assert!((f64::from(base(4, 4, true)) - expected).abs() <= 2.0);
    }

    #[test]
    fn hindsight_returns_depth_to_moves_that_lost_nothing() {
        let depth = Depth::new(6);
        assert_eq!(hindsight(depth, 0, 0), 0);
        assert_eq!(hindsight(depth, 4, -10), 1);
        assert_eq!(hindsight(depth, 4, 10), 0);
        assert_eq!(hindsight(depth, 4, 500), -1);
        assert_eq!(hindsight(Depth::new(1), 4, 500), 0, "a leaf has no depth to lose");
    }

    #[test]
    fn singular_moves_are_extended_by_their_lead() {
        let plies = [1, 50, 500].map(|lead| singular_extension(lead, false, false));
        assert_eq!(plies, [1, 2, 3]);
        assert_eq!(singular_extension(500, false, true), 2, "captures get no third ply");
        assert_eq!(singular_extension(50, true, false), 1, "principal variations need more");
    }
}

//! Every constant of the search that a tuner may touch, with its unit and the range to search.
//!
//! Centipawns are those of the evaluation; depths are plies. A constant is read by the function of its
//! name. With the feature `tune` that function reads a variable, which [`crate::tuning`] sets.

use kaiyo_chess::PieceType;

/// Declares constants: name, value and range.
macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident: $value:expr, $range:expr;)*) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "tune"))]
            #[inline(always)]
            pub(crate) const fn $name() -> i32 {
                $value
            }

            $(#[$doc])*
            #[cfg(feature = "tune")]
            #[inline(always)]
            pub(crate) fn $name() -> i32 {
                variables::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )*

        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals)]
        mod variables {
            use std::sync::atomic::AtomicI32;
            $(pub static $name: AtomicI32 = AtomicI32::new($value);)*
        }

        /// All constants declared here, in their order.
        #[cfg(feature = "tune")]
        pub(crate) static ALL: &[crate::tuning::Parameter] = &[
            $(crate::tuning::Parameter {
                name: stringify!($name),
                default: $value,
                range: $range,
                value: &variables::$name,
            },)*
        ];
    };
}

/// Value of a man in exchanges, centipawns. A king is never left to be taken.
#[inline(always)]
pub(crate) const fn see_value(piece_type: PieceType) -> i32 {
    [100, 310, 330, 500, 950, 0][piece_type as usize]
}

parameters! {
    /// Aspiration windows: from this depth on, half the first window in centipawns, and its growth
    /// per failure in percent.
    aspiration_min_depth: 4, 2..=8;
    aspiration_delta: 10, 3..=14;
    aspiration_growth: 50, 25..=100;

    /// Razoring: margin below alpha, centipawns plus centipawns per squared depth.
    razor_max_depth: 4, 2..=8;
    razor_base: 120, 60..=480;
    razor_per_depth_squared: 90, 45..=180;

    /// Reverse futility: margin above beta, centipawns per depth and squared depth, less when
    /// improving.
    reverse_futility_max_depth: 9, 4..=18;
    reverse_futility_per_depth: 60, 22..=90;
    reverse_futility_per_depth_squared: 9, 4..=16;
    reverse_futility_improving: 37, 32..=130;

    /// Null move: reduction in plies and its growth with depth and with the margin over beta.
    null_move_min_depth: 3, 1..=6;
    null_move_base: 4, 2..=8;
    null_move_depth_divisor: 4, 2..=8;
    null_move_margin_divisor: 200, 100..=400;
    null_move_margin_max: 3, 1..=6;
    /// From this depth on a null-move cutoff is verified by a search without null moves.
    null_move_verify_depth: 14, 7..=28;

    /// ProbCut: margin above beta in centipawns, and the depth given up.
    probcut_min_depth: 5, 2..=10;
    probcut_margin: 92, 47..=380;
    probcut_reduction: 4, 2..=8;

    /// Internal iterative reduction by one ply where no hash move is known.
    iir_min_depth: 4, 2..=8;

    /// Late move pruning: number of moves in 1/64, per squared depth, and the percentage of it when not
    /// improving.
    late_move_base: 345, 128..=512;
    late_move_per_depth_squared: 71, 32..=128;
    late_move_not_improving: 61, 30..=90;

    /// Futility: margin below alpha, centipawns plus centipawns per depth.
    futility_max_depth: 8, 4..=16;
    futility_base: 44, 27..=110;
    futility_per_depth: 37, 22..=90;

    /// The same for captures, beyond the man taken; their history divided by this counts too.
    capture_futility_max_depth: 8, 4..=16;
    capture_futility_base: 126, 60..=240;
    capture_futility_per_depth: 103, 55..=220;
    capture_futility_history_divisor: 67, 32..=128;

    /// Quiet moves with a history below this, times depth, are not searched.
    history_pruning_max_depth: 4, 2..=8;
    history_pruning_per_depth: -4_453, -6_000..=-1_500;

    /// Moves that lose more than this in exchanges are not searched: centipawns per depth for
    /// captures, per squared depth for quiet moves.
    see_pruning_max_depth: 9, 4..=18;
    see_pruning_noisy: -116, -190..=-48;
    see_pruning_quiet: -25, -44..=-11;

    /// Singular extension: 1/16 centipawns below the hash score, per depth.
    singular_min_depth: 6, 3..=12;
    singular_table_depth_margin: 3, 1..=6;
    singular_margin_per_depth: 15, 8..=40;
    /// Centipawns below the singular bound that earn a second ply.
    double_extension_margin: 18, 8..=32;
    /// ... more of them on a principal variation.
    double_extension_pv: 150, 75..=300;
    /// Centipawns below the singular bound that earn a quiet move off the principal variation a third.
    triple_extension_margin: 90, 45..=180;
    /// Plies by which a hash move is extended where other moves are as likely to fail high.
    negative_extension: -2, -4..=0;

    /// Late move reductions in 1/1024 plies: base and factor of ln(depth) * ln(move number).
    lmr_min_depth: 2, 1..=4;
    lmr_quiet_base: 1_118, 450..=1_800;
    lmr_quiet_factor: 466, 195..=780;
    lmr_noisy_base: 208, 125..=500;
    lmr_noisy_factor: 379, 150..=600;
    /// ... in a PV node, whose value is wanted exactly,
    lmr_pv: -709, -2_048..=-512;
    /// where the table has seen a principal variation, which may come back,
    lmr_table_pv: -779, -1_400..=-350;
    /// in a node that is expected to fail high by its first moves,
    lmr_cut_node: 959, 700..=2_800;
    /// where the evaluation does not rise, so that late moves are less likely to save the node,
    lmr_not_improving: 745, 350..=1_400;
    /// for moves that give check, which leave few replies,
    lmr_gives_check: -839, -1_800..=-450;
    /// where the hash move is a capture, which quiet moves seldom beat,
    lmr_noisy_hash_move: 898, 400..=1_600;
    /// where there is no hash move, so that the node is hardly known,
    lmr_no_hash_move: 823, 350..=1_400;
    /// where the table's entry is as deep as the node, whose order of moves is reliable,
    lmr_deep_entry: -500, -1_000..=-250;
    /// and where children have failed high already: the others probably do so too.
    lmr_child_cutoffs: 1_018, 450..=1_800;
    /// Children that may fail high before the rest is reduced more.
    lmr_child_cutoffs_min: 2, 1..=4;
    /// Less reduction per centipawn by which the static evaluation was corrected.
    lmr_per_correction: 5, 2..=10;
    /// History that is worth one ply of reduction.
    lmr_history_per_ply: 9_619, 4_500..=18_000;
    /// A reduced search that beats alpha by this, centipawns, is repeated one ply deeper.
    lmr_deeper_margin: 22, 11..=44;
    /// ... and by less than this, one ply shallower.
    lmr_shallower_margin: 8, 4..=16;

    /// Hindsight: reductions in plies from which a node is searched one ply deeper because the
    /// reduced move lost nothing, or one ply shallower because it lost more than a margin in centipawns.
    hindsight_deeper_reduction: 3, 1..=6;
    hindsight_shallower_reduction: 2, 1..=4;
    hindsight_shallower_min_depth: 2, 1..=4;
    hindsight_shallower_margin: 60, 30..=120;

    /// Quiescence: centipawns a capture must promise above the static evaluation.
    quiescence_margin: 117, 45..=180;

    /// History updates: points per depth, less an offset, up to a maximum, for moves that cut off and
    /// for those tried before them.
    history_bonus_per_depth: 159, 85..=340;
    history_bonus_offset: 90, 45..=180;
    history_bonus_max: 2_136, 850..=3_400;
    history_malus_per_depth: 267, 85..=340;
    history_malus_offset: 90, 45..=180;
    history_malus_max: 1_598, 850..=3_400;

    /// History of a quiet move for the change of the static evaluation it brought: points per centipawn
    /// gained, plus an offset, up to a maximum.
    swing_bonus_per_centipawn: 7, 4..=16;
    swing_bonus_offset: 200, 100..=400;
    swing_bonus_max: 1_114, 600..=2_400;

    /// Correction histories: weights of the tables in 1/1024, and how many centipawns times plies of
    /// error move an entry by one.
    correction_pawn_weight: 47, 32..=128;
    correction_minor_weight: 48, 24..=96;
    correction_non_pawn_weight: 62, 32..=128;
    correction_continuation_weight: 48, 24..=96;
    correction_bonus_divisor: 8, 4..=16;

    /// Captures are ordered by this many points per centipawn of the victim, plus history.
    capture_victim_weight: 19, 8..=32;
    /// A capture is good if it loses no more than its points in centipawns, by the weight above, divided by
    /// this.
    good_capture_history_divisor: 64, 32..=128;
    /// Points for a quiet move that gives check without losing the man.
    check_bonus: 8_416, 4_000..=16_000;

    /// Time for a move, where a clock gets no more at a certain move: the time left less the overhead of
    /// so many moves, spread over so many moves, times a weight in percent that grows by a tenth of the second
    /// number with each ply.
    time_overhead_moves: 10, 2..=20;
    time_horizon: 40, 20..=80;
    time_opening: 96, 48..=192;
    time_per_ply: 16, 0..=32;
    time_weight_max: 160, 80..=320;
    /// Factors of that time in percent: for a best move that has just changed, less for each iteration that it
    /// stood; more for each change of late.
    time_stability_base: 130, 100..=160;
    time_stability_step: 8, 2..=12;
    time_per_change: 50, 10..=100;
    /// ... centipawns of a falling score that double the time, and limits of that in percent.
    time_falling: 90, 10..=200;
    time_falling_min: 75, 50..=100;
    time_falling_max: 160, 100..=250;
    /// ... less for the share of nodes spent on the best move, down to a least percentage.
    time_effort_base: 190, 120..=250;
    time_effort: 135, 60..=220;
    time_effort_min: 55, 20..=80;
    /// The score's average, which a falling score falls below: the share of the last iteration in percent.
    time_average_share: 40, 10..=90;
    /// Shares in percent: of the increment that is spent at once, and of the time left that a move may take
    /// in the end and aims at most to take. How many percent of the planned time it may take.
    time_increment_share: 80, 40..=100;
    time_hard_share: 75, 40..=90;
    time_soft_share: 35, 15..=60;
    time_hard_factor: 500, 200..=800;
    /// Percent of the planned time: when the opponent's time is used as well; when there is nothing to decide.
    time_ponder_factor: 120, 100..=160;
    time_single_move_factor: 5, 1..=20;

    /// Moves tried in a node of quiescence that is not in check before its other captures are left out.
    quiescence_max_captures: 3, 2..=6;

    /// Several threads: the least depth of a move that is worth putting off, and the centipawns by which the
    /// vote of the thread with the lowest score counts more than nothing.
    sharing_min_depth: 6, 3..=12;
    vote_score_offset: 14, 5..=40;
}

/// Extensions of more than a ply on one path, beyond which trees would explode.
pub(crate) const DOUBLE_EXTENSIONS_MAX: u32 = 8;
/// Points for taking a man out of an attack by a lesser one, by the value of the man.
pub(crate) const ESCAPE_BONUS: [i32; 6] = [0, 6_000, 6_000, 10_000, 15_000, 0];

//! Every constant of the search that a tuner may touch, with its unit.
//!
//! Centipawns are those of the evaluation; depths are plies.

use kaiyo_chess::PieceType;

/// Value of a man in exchanges, centipawns. A king is never left to be taken.
#[inline(always)]
pub(crate) const fn see_value(piece_type: PieceType) -> i32 {
    [100, 310, 330, 500, 950, 0][piece_type as usize]
}

/// Aspiration windows: from this depth on, half the first window in centipawns, and its growth
/// per failure in percent.
pub(crate) const ASPIRATION_MIN_DEPTH: i32 = 4;
pub(crate) const ASPIRATION_DELTA: i32 = 14;
pub(crate) const ASPIRATION_GROWTH: i32 = 50;

/// Razoring: margin below alpha, centipawns plus centipawns per squared depth.
pub(crate) const RAZOR_MAX_DEPTH: i32 = 4;
pub(crate) const RAZOR_BASE: i32 = 240;
pub(crate) const RAZOR_PER_DEPTH_SQUARED: i32 = 180;

/// Reverse futility: margin above beta, centipawns per depth, less when improving.
pub(crate) const REVERSE_FUTILITY_MAX_DEPTH: i32 = 9;
pub(crate) const REVERSE_FUTILITY_PER_DEPTH: i32 = 75;
pub(crate) const REVERSE_FUTILITY_IMPROVING: i32 = 65;

/// Null move: reduction in plies and its growth with depth and with the margin over beta.
pub(crate) const NULL_MOVE_MIN_DEPTH: i32 = 3;
pub(crate) const NULL_MOVE_BASE: i32 = 4;
pub(crate) const NULL_MOVE_DEPTH_DIVISOR: i32 = 4;
pub(crate) const NULL_MOVE_MARGIN_DIVISOR: i32 = 200;
pub(crate) const NULL_MOVE_MARGIN_MAX: i32 = 3;
/// From this depth on a null-move cutoff is verified by a search without null moves.
pub(crate) const NULL_MOVE_VERIFY_DEPTH: i32 = 14;

/// ProbCut: margin above beta in centipawns, and the depth given up.
pub(crate) const PROBCUT_MIN_DEPTH: i32 = 5;
pub(crate) const PROBCUT_MARGIN: i32 = 190;
pub(crate) const PROBCUT_REDUCTION: i32 = 4;

/// Internal iterative reduction by one ply where no hash move is known.
pub(crate) const IIR_MIN_DEPTH: i32 = 4;

/// Late move pruning: number of quiet moves, base plus squared depth, halved when not improving.
pub(crate) const LATE_MOVE_BASE: i32 = 4;

/// Futility: margin below alpha, centipawns plus centipawns per depth.
pub(crate) const FUTILITY_MAX_DEPTH: i32 = 8;
pub(crate) const FUTILITY_BASE: i32 = 110;
pub(crate) const FUTILITY_PER_DEPTH: i32 = 90;

/// Quiet moves with a history below this, times depth, are not searched.
pub(crate) const HISTORY_PRUNING_MAX_DEPTH: i32 = 4;
pub(crate) const HISTORY_PRUNING_PER_DEPTH: i32 = -3_000;

/// Moves that lose more than this in exchanges are not searched: centipawns per depth for
/// captures, per squared depth for quiet moves.
pub(crate) const SEE_PRUNING_MAX_DEPTH: i32 = 9;
pub(crate) const SEE_PRUNING_NOISY: i32 = -95;
pub(crate) const SEE_PRUNING_QUIET: i32 = -22;

/// Singular extension: centipawns below the hash score, per depth.
pub(crate) const SINGULAR_MIN_DEPTH: i32 = 6;
pub(crate) const SINGULAR_TABLE_DEPTH_MARGIN: i32 = 3;
pub(crate) const SINGULAR_MARGIN_PER_DEPTH: i32 = 1;
/// Centipawns below the singular bound that earn a second ply.
pub(crate) const DOUBLE_EXTENSION_MARGIN: i32 = 16;
/// ... more of them on a principal variation.
pub(crate) const DOUBLE_EXTENSION_PV: i32 = 150;
/// Centipawns below the singular bound that earn a quiet move off the principal variation a third.
pub(crate) const TRIPLE_EXTENSION_MARGIN: i32 = 90;
/// Extensions of more than a ply on one path, beyond which trees would explode.
pub(crate) const DOUBLE_EXTENSIONS_MAX: u32 = 8;
/// Plies by which a hash move is extended where other moves are as likely to fail high.
pub(crate) const NEGATIVE_EXTENSION: i32 = -2;

/// Late move reductions in 1/1024 plies: base and factor of ln(depth) * ln(move number).
pub(crate) const LMR_MIN_DEPTH: i32 = 2;
pub(crate) const LMR_QUIET_BASE: f64 = 900.0;
pub(crate) const LMR_QUIET_FACTOR: f64 = 390.0;
pub(crate) const LMR_NOISY_BASE: f64 = 250.0;
pub(crate) const LMR_NOISY_FACTOR: f64 = 300.0;
pub(crate) const LMR_PV: i32 = -1024;
pub(crate) const LMR_TABLE_PV: i32 = -700;
pub(crate) const LMR_CUT_NODE: i32 = 1400;
pub(crate) const LMR_NOT_IMPROVING: i32 = 700;
pub(crate) const LMR_GIVES_CHECK: i32 = -900;
pub(crate) const LMR_NOISY_HASH_MOVE: i32 = 800;
pub(crate) const LMR_NO_HASH_MOVE: i32 = 700;
pub(crate) const LMR_DEEP_ENTRY: i32 = -500;
pub(crate) const LMR_CHILD_CUTOFFS: i32 = 900;
/// Children that may fail high before the rest is reduced more.
pub(crate) const LMR_CHILD_CUTOFFS_MIN: u32 = 2;
/// Less reduction per centipawn by which the static evaluation was corrected.
pub(crate) const LMR_PER_CORRECTION: i32 = 5;
/// History that is worth one ply of reduction.
pub(crate) const LMR_HISTORY_PER_PLY: i32 = 9_000;
/// A reduced search that beats alpha by this, centipawns, is repeated one ply deeper.
pub(crate) const LMR_DEEPER_MARGIN: i32 = 45;
/// ... and by less than this, one ply shallower.
pub(crate) const LMR_SHALLOWER_MARGIN: i32 = 8;

/// Hindsight: reductions in plies from which a node is searched one ply deeper because the
/// reduced move lost nothing, or one ply shallower because it lost more than a margin in centipawns.
pub(crate) const HINDSIGHT_DEEPER_REDUCTION: i32 = 3;
pub(crate) const HINDSIGHT_SHALLOWER_REDUCTION: i32 = 2;
pub(crate) const HINDSIGHT_SHALLOWER_MIN_DEPTH: i32 = 2;
pub(crate) const HINDSIGHT_SHALLOWER_MARGIN: i32 = 120;

/// Quiescence: centipawns a capture must promise above the static evaluation.
pub(crate) const QUIESCENCE_MARGIN: i32 = 180;

/// History updates: points per depth, less an offset, up to a maximum.
pub(crate) const HISTORY_BONUS_PER_DEPTH: i32 = 170;
pub(crate) const HISTORY_BONUS_OFFSET: i32 = 90;
pub(crate) const HISTORY_BONUS_MAX: i32 = 1_700;

/// History of a quiet move for the change of the static evaluation it brought: points per centipawn
/// gained, plus an offset, up to a maximum.
pub(crate) const SWING_BONUS_PER_CENTIPAWN: i32 = 8;
pub(crate) const SWING_BONUS_OFFSET: i32 = 200;
pub(crate) const SWING_BONUS_MAX: i32 = 1_200;

/// Correction histories: weights of the tables in 1/1024, and how many centipawns times plies of
/// error move an entry by one.
pub(crate) const CORRECTION_PAWN_WEIGHT: i32 = 64;
pub(crate) const CORRECTION_MINOR_WEIGHT: i32 = 48;
pub(crate) const CORRECTION_NON_PAWN_WEIGHT: i32 = 64;
pub(crate) const CORRECTION_CONTINUATION_WEIGHT: i32 = 48;
pub(crate) const CORRECTION_BONUS_DIVISOR: i32 = 8;

/// Captures are ordered by this many points per centipawn of the victim, plus history.
pub(crate) const CAPTURE_VICTIM_WEIGHT: i32 = 16;
/// A capture is good if it loses no more than its history points divided by this, centipawns.
pub(crate) const GOOD_CAPTURE_HISTORY_DIVISOR: i32 = 64;
/// Points for a quiet move that gives check without losing the man.
pub(crate) const CHECK_BONUS: i32 = 8_000;
/// Points for taking a man out of an attack by a lesser one, by the value of the man.
pub(crate) const ESCAPE_BONUS: [i32; 6] = [0, 6_000, 6_000, 10_000, 15_000, 0];

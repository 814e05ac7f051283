//! The weights of the features, in centipawns: (middle game, end game).
//!
//! Squares are seen from the own side, own back rank first.
//!
//! Made by `kaiyo-train classical --data-scale 596 --every 5 --epochs 12 --out weights.rs --data FILES`
//! from 4403701 quiet positions of 415613 games that Stockfish 18 played against itself.
//! The target is three quarters the expected score by its search of about 120 nodes, and one
//! quarter the result. Mean squared error on the games left out: 0.02314 before the fit, 0.01977
//! after it. The files:
//!
//! - sf18-selfplay-01.vf.zst
//! - sf18-selfplay-02.vf.zst
//! - sf18-selfplay-03.vf.zst
//! - sf18-selfplay-04.vf.zst

use super::pair::Pair;

/// Short name, so that the tables stay readable.
const fn w(middle_game: i32, end_game: i32) -> Pair {
    Pair::new(middle_game, end_game)
}

/// Pawn, knight, bishop, rook, queen.
#[rustfmt::skip]
pub(super) const MATERIAL: [Pair; 5] = [
    w(  68,  121), w( 292,  433), w( 316,  451), w( 361,  741), w( 889, 1269),
];

/// Two bishops or more.
#[rustfmt::skip]
pub(super) const BISHOP_PAIR: [Pair; 1] = [
    w(  22,   67),
];

/// Pawn squares, files mirrored so that the own king stands on files e to h.
#[rustfmt::skip]
pub(super) const PAWN_SQUARES: [Pair; 64] = [
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w( -19,   -3), w( -17,   -2), w(  -9,   -3), w(  -4,   -1), w(   0,    6), w(  -1,    1), w(  15,   -2), w(   1,   -4),
    w( -16,   -8), w( -15,   -7), w(  -8,  -11), w(  -1,   -3), w(   3,   -3), w(   0,    6), w(  12,    3), w(  -3,    0),
    w( -13,   -1), w(  -6,   -5), w(  -1,  -12), w(  14,   -6), w(  12,   -4), w(   9,   11), w(   5,   14), w(  -1,    9),
    w(  -5,    6), w(   4,    1), w(   9,   -8), w(  20,   -2), w(  19,    4), w(  12,   27), w(  13,   24), w(   9,   16),
    w(   6,   15), w(  18,    7), w(  23,   -3), w(  34,   10), w(  24,   21), w(  25,   43), w(  19,   38), w(  15,   24),
    w(  29,   14), w(  12,   24), w(  22,   16), w(  28,   22), w(  25,   35), w(  22,   54), w(  16,   43), w(  28,   29),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
];

/// Knight squares, files as for pawns.
#[rustfmt::skip]
pub(super) const KNIGHT_SQUARES: [Pair; 64] = [
    w( -29,  -42), w( -20,  -26), w( -14,  -15), w(  -6,    2), w(  -3,   -1), w( -12,   -6), w( -17,  -13), w( -21,  -24),
    w( -28,  -26), w( -18,  -12), w( -11,  -13), w(  -3,    2), w(   6,    0), w(  -2,   -2), w(  -1,   -3), w( -17,  -10),
    w( -15,  -19), w(  -9,  -11), w(  -5,    4), w(   6,   14), w(  12,   15), w(   9,    6), w(   3,    3), w(  -6,   -4),
    w(  -3,   -8), w(   7,    0), w(  11,   10), w(  19,   18), w(  19,   24), w(  20,   15), w(  18,    7), w(   2,    8),
    w(   2,   -9), w(   7,   -1), w(  11,   14), w(  24,   21), w(  20,   24), w(  18,   19), w(  10,   13), w(   8,   11),
    w(  -9,  -14), w(  -3,   -4), w(   7,    9), w(  12,   14), w(  14,   19), w(  22,   11), w(   2,    3), w(   0,   -4),
    w(  -7,  -29), w( -16,  -16), w(   8,   -7), w(  16,    2), w(  15,   -1), w(  22,   -9), w(   4,   -2), w( -10,  -19),
    w( -54,  -54), w( -38,  -18), w( -38,  -12), w( -15,   -4), w(  -4,   -8), w( -34,   -6), w( -20,  -26), w( -44,  -47),
];

/// Bishop squares, files as for pawns.
#[rustfmt::skip]
pub(super) const BISHOP_SQUARES: [Pair; 64] = [
    w(  -5,   -6), w(   3,   -4), w(  -6,   -2), w(  -1,   -4), w(  -4,   -2), w(  -6,   -3), w(  -8,   -7), w(   0,   -9),
    w(  -7,   -7), w( -13,   -4), w(  -6,   -6), w(  -4,   -2), w(   2,    0), w(   9,   -2), w(  13,  -10), w(   8,  -16),
    w( -11,    1), w(  -3,    2), w(  -4,    6), w(   4,    7), w(   6,   10), w(  11,    8), w(  17,    2), w(   7,   -4),
    w(  -5,   -5), w(  -3,   -1), w(   6,    9), w(   5,   13), w(  14,   12), w(  10,   15), w(   9,    4), w(   6,    0),
    w( -11,   -3), w(   7,    0), w(   6,    1), w(  12,   12), w(   6,   19), w(  13,   14), w(   2,   11), w(   6,   -3),
    w(   0,   -8), w(  -2,    1), w(   2,    2), w(   8,    7), w(  11,    5), w(   9,   14), w(  12,    4), w(  -5,    8),
    w( -18,  -10), w( -12,   -4), w(  -4,    1), w( -10,    1), w( -11,    6), w(   3,    1), w( -14,    5), w(  -9,   -9),
    w( -19,   -6), w( -25,   -6), w( -44,    0), w( -38,    5), w( -17,   -1), w( -37,   -1), w( -23,   -1), w( -24,   -4),
];

/// Rook squares, files as for pawns.
#[rustfmt::skip]
pub(super) const ROOK_SQUARES: [Pair; 64] = [
    w(  -2,    1), w(   4,   -4), w(  -1,   -2), w(   3,   -3), w(   9,   -6), w(   2,    2), w(  -9,    4), w( -12,   -8),
    w(  -7,    3), w(  -5,    4), w(  -3,    6), w(   2,    1), w(   4,   -1), w(   3,   -6), w(   2,   -5), w( -14,    2),
    w(  -7,    8), w(  -5,    8), w(  -6,   11), w(  -3,    7), w(   9,    3), w(   4,    8), w(   7,    5), w(  -1,   -5),
    w(  -3,    7), w(  -2,   10), w(   1,   10), w(   6,    5), w(   4,   11), w(   1,   12), w(  11,    6), w(  -3,    8),
    w(  -4,   14), w(  -1,   13), w(   9,    7), w(  12,    5), w(   9,    9), w(  13,   10), w(  24,    6), w(   3,    8),
    w(   6,   12), w(  13,    6), w(   6,    9), w(  18,    2), w(  21,    1), w(  33,    4), w(  28,    3), w(   8,    7),
    w(  13,    7), w(   5,   13), w(  16,    8), w(  24,    5), w(  23,    7), w(  35,   11), w(  25,   12), w(  24,   11),
    w(   5,   21), w(   4,   22), w(   2,   21), w(  16,   19), w(  17,   16), w(  20,   17), w(  29,   15), w(  20,   15),
];

/// Queen squares, files as for pawns.
#[rustfmt::skip]
pub(super) const QUEEN_SQUARES: [Pair; 64] = [
    w(  -1,  -13), w(   4,  -21), w(   0,  -20), w(   0,  -17), w(  -1,   -8), w(  -6,  -10), w( -10,  -35), w(  -7,  -16),
    w(   2,   -5), w(  -4,    6), w(   2,   -8), w(   1,    7), w(   5,   -6), w(   4,  -13), w(   2,  -29), w(   1,  -28),
    w(  -1,    8), w(   1,    1), w(  -6,   19), w(  -2,   13), w(  -5,   24), w(  -1,   20), w(   2,   17), w(   0,   -1),
    w(   0,   15), w(  -4,   20), w(  -3,   28), w(  -5,   42), w(  -4,   35), w(  -5,   40), w(   6,   22), w(  -4,   15),
    w(  -3,   13), w(  -1,   28), w(  -7,   30), w(  -2,   43), w(  -6,   52), w(   1,   38), w(  -2,   36), w(   4,   34),
    w(   2,   13), w(  -2,   26), w(  -3,   38), w(  -1,   39), w(   2,   48), w(   3,   44), w(   7,   42), w(  -1,   24),
    w(  -4,   16), w( -17,   20), w(  -4,   39), w(  -9,   43), w( -14,   40), w(  16,   26), w(  -2,   34), w(   5,   15),
    w(  -7,   13), w(   1,    9), w(  13,    8), w(   8,   10), w(  17,   16), w(   3,   11), w(   6,    0), w(  -7,   -8),
];

/// King squares, files as for pawns.
#[rustfmt::skip]
pub(super) const KING_SQUARES: [Pair; 64] = [
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(  -3,  -14), w(   3,   -4), w(  26,  -13), w(  28,  -27),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w( -11,   21), w(  -4,   14), w(  21,    8), w(  18,   -8),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w( -41,   40), w( -27,   32), w(  -2,   16), w( -17,    3),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w( -81,   52), w( -61,   40), w( -41,   26), w( -52,    2),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w( -60,   52), w( -59,   48), w( -46,   32), w( -54,    8),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w( -59,   57), w( -61,   52), w( -47,   43), w( -52,    8),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w( -85,   40), w( -77,   43), w( -59,   40), w( -76,  -23),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(-105,   11), w(-100,   16), w( -89,   17), w(-104,  -44),
];

/// Pawn squares, files mirrored so that the enemy king stands on files e to h.
#[rustfmt::skip]
pub(super) const PAWN_TO_KING: [Pair; 64] = [
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   5,    5), w(  12,    3), w(   2,    5), w(  -2,    9), w(  -5,   10), w(  -3,    8), w(   2,    6), w(  -5,    0),
    w(   2,    1), w(   3,   -1), w(   1,   -1), w(  -6,   -3), w(  -3,   -2), w( -11,   -2), w(  -1,   -3), w(  -5,   -7),
    w(   0,    5), w(  -1,    4), w(   4,   -1), w(  -7,   -9), w(  -4,  -12), w(  -3,   -9), w(  -2,   -2), w(  -7,   -8),
    w(   6,   11), w(   5,    5), w(   1,    5), w(   4,  -11), w(   9,  -12), w(   3,  -12), w(   3,   -3), w(  -2,   -9),
    w(   0,   13), w(   4,    9), w(   9,   13), w(  14,   -3), w(  18,   -3), w(  12,   -6), w(  12,   -3), w(   4,  -14),
    w(  17,   14), w(   3,   23), w(   1,   26), w( -10,   17), w(  30,   -5), w(  11,   -7), w(  -2,   -3), w(  15,  -16),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
];

/// Knight squares, mirrored by the enemy king.
#[rustfmt::skip]
pub(super) const KNIGHT_TO_KING: [Pair; 64] = [
    w(  -2,  -11), w(   4,   -3), w(  -3,   -2), w(  -1,   -1), w(   0,    6), w(   0,    1), w(   2,   -3), w(  10,   -8),
    w(  -5,   -1), w(   1,    8), w(  -3,    0), w(  -3,   -3), w(  -6,   -3), w(   1,   -7), w(   7,   -3), w(   5,    0),
    w(   2,   -5), w(  -2,    1), w(   1,    0), w(  -6,    4), w(  -3,    1), w(  -2,    3), w(   7,   -4), w(   4,    2),
    w(  -1,    5), w(   2,    6), w(   2,    1), w(  -5,    5), w(   0,    1), w(   5,    1), w(  18,   -9), w(  11,    0),
    w(  -1,   11), w(   4,    0), w(  -5,    3), w(   0,    5), w(  -4,    4), w(   7,    8), w(   4,    3), w(  17,   -5),
    w(  -7,    7), w(   0,    8), w(  -8,   14), w(  -9,    6), w(  -2,    5), w(  20,   -3), w(  -1,   -5), w(  14,   -6),
    w( -14,    8), w( -10,   17), w(  -2,   -1), w(   3,    2), w(  -1,  -10), w(  21,  -11), w(   6,  -19), w(  22,  -23),
    w( -30,   11), w( -40,   13), w( -32,   13), w( -22,    0), w( -18,   -7), w( -44,  -11), w(  -4,  -24), w( -34,  -63),
];

/// Bishop squares, mirrored by the enemy king.
#[rustfmt::skip]
pub(super) const BISHOP_TO_KING: [Pair; 64] = [
    w(  12,   -1), w(   9,   -4), w(   4,   -5), w(  -3,   -5), w(  -2,   -3), w(  -9,    6), w(  -1,    3), w(  -1,    3),
    w(  14,   -6), w(  20,   -7), w(   9,   -4), w(  -1,   -6), w(  -7,   -1), w(  -1,   -4), w(   1,   -1), w(   4,   -5),
    w(  10,    0), w(  15,    5), w(   4,    3), w(  -4,    3), w(  -2,    3), w(  -5,    5), w(  -1,   -1), w(  -8,    3),
    w(   1,   -1), w(   4,    1), w(   0,    7), w(   1,    7), w(  -5,    2), w(  -1,    4), w(  -5,   -4), w(   1,   -4),
    w(   0,   -2), w(  -4,    4), w(  -5,    5), w(  -3,    8), w(  -3,    6), w(   6,   -6), w(   2,    2), w(  -3,   -3),
    w( -21,    9), w(  -6,    9), w( -16,    8), w(  -2,    2), w(   6,   -3), w(  21,    1), w(  14,   -3), w(  17,   -4),
    w( -13,   16), w( -10,   15), w(  -2,    4), w( -11,    2), w( -18,   -1), w(   0,   -3), w(  -7,   -9), w(   2,  -23),
    w( -16,   22), w( -23,   19), w( -37,   13), w( -29,    3), w( -26,    2), w( -35,   -9), w(  -9,  -15), w(  -4,  -14),
];

/// Rook squares, mirrored by the enemy king.
#[rustfmt::skip]
pub(super) const ROOK_TO_KING: [Pair; 64] = [
    w( -12,   11), w( -10,    9), w(  -2,    4), w(   3,   -5), w(   4,   -2), w(   4,   -1), w(   7,   -5), w(   5,  -14),
    w(  -5,    7), w(  -6,    8), w(  -2,    4), w(   0,    0), w(   3,    1), w(   3,   -4), w(   8,  -11), w(  -1,   -7),
    w(  -5,   10), w(  -1,    7), w(  -7,   13), w(  -1,    1), w(   2,    4), w(   2,    1), w(   8,    0), w(   8,  -12),
    w(  -2,   10), w(  -6,    9), w(  -7,   10), w(  -1,    6), w(   4,    1), w(   8,   -2), w(  22,   -4), w(   7,   -5),
    w(  -3,   12), w(   1,    9), w(   6,    2), w(   3,    2), w(  11,   -1), w(  16,   -1), w(  25,   -4), w(  14,   -6),
    w(  -5,   10), w(   3,    3), w(   5,    2), w(   9,   -4), w(  24,  -11), w(  34,  -10), w(  45,  -12), w(  31,   -9),
    w(   3,    0), w(   0,   -2), w(  12,   -6), w(  12,   -6), w(  12,  -15), w(  23,   -8), w(  20,   -8), w(  31,  -17),
    w(  11,   15), w(  16,   13), w(  18,   10), w(   9,    3), w(  19,    5), w(   2,    4), w(  21,   -3), w(  26,   -5),
];

/// Queen squares, mirrored by the enemy king.
#[rustfmt::skip]
pub(super) const QUEEN_TO_KING: [Pair; 64] = [
    w(  -3,   -2), w(  -5,  -17), w(  -4,   -1), w(  -1,  -16), w(  -2,  -10), w(  -3,  -21), w(   2,  -19), w(   2,    4),
    w(  -2,   -6), w(  -5,   -2), w(   3,   -7), w(   2,   -8), w(   0,   -1), w(   4,  -14), w(  10,  -11), w(  10,   -5),
    w(  -7,    7), w(  -2,   12), w(  -6,   17), w(  -5,   11), w(  -2,    7), w(   0,   13), w(  11,    6), w(  11,   11),
    w(  -8,   10), w(  -5,   17), w(  -5,   32), w(  -7,   30), w(  -1,   17), w(   3,   15), w(  10,   15), w(  18,   21),
    w(  -5,   10), w( -11,   20), w(  -4,   21), w(  -9,   34), w(   6,   32), w(   6,   28), w(  16,   34), w(  14,   36),
    w( -18,   12), w(  -6,   24), w( -17,   24), w(  -3,   29), w(  10,   38), w(  23,   47), w(  22,   44), w(  28,   36),
    w( -18,   24), w( -15,   31), w( -11,   34), w( -14,   37), w(   0,   36), w(  40,   32), w(  10,   34), w(  34,   28),
    w( -30,   23), w(   7,    9), w(   3,   16), w(   9,   11), w(  25,   15), w(  26,   13), w(  17,   20), w(  37,   12),
];

/// A pawn behind another on its file.
#[rustfmt::skip]
pub(super) const DOUBLED: [Pair; 1] = [
    w( -14,  -22),
];

/// No own pawn on the neighbouring files: enemy pawn ahead, file open ahead.
#[rustfmt::skip]
pub(super) const ISOLATED: [Pair; 2] = [
    w(  -1,   -3), w(  -6,  -13),
];

/// Cannot be defended by a pawn, nor advance safely: enemy pawn ahead, file open ahead.
#[rustfmt::skip]
pub(super) const BACKWARD: [Pair; 2] = [
    w(  -2,   -5), w( -13,   -7),
];

/// Defended by a pawn, by rank.
#[rustfmt::skip]
pub(super) const SUPPORTED: [Pair; 8] = [
    w(   0,    0), w(   8,    4), w(  11,   12), w(   8,   11), w(  17,   11), w(  23,   34), w(  32,    4), w(   0,    0),
];

/// Beside another pawn, by rank.
#[rustfmt::skip]
pub(super) const PHALANX: [Pair; 8] = [
    w(   0,    0), w(   4,   -1), w(   6,    4), w(   8,    7), w(  14,   30), w(  64,   67), w(  52,  109), w(   0,    0),
];

/// Passed pawn by rank.
#[rustfmt::skip]
pub(super) const PASSED: [Pair; 8] = [
    w(   0,    0), w( -11,   12), w( -19,   22), w(   0,   32), w(  13,   56), w(  35,  103), w( 110,  179), w(   0,    0),
];

/// Passed pawn with an enemy man on its next square, by rank.
#[rustfmt::skip]
pub(super) const PASSED_BLOCKED: [Pair; 8] = [
    w(   0,    0), w(  -2,   -2), w( -12,    1), w(   4,  -15), w(   0,  -27), w(  -9,  -52), w( -41,  -98), w(   0,    0),
];

/// Passed pawn whose next square is not attacked by the enemy, by rank.
#[rustfmt::skip]
pub(super) const PASSED_SAFE_STEP: [Pair; 8] = [
    w(   0,    0), w(   3,   -4), w(   5,   -1), w(  -3,    6), w(  -3,   18), w(   6,   24), w(  13,   14), w(   0,    0),
];

/// Passed pawn whose path is empty and not attacked by the enemy, by rank.
#[rustfmt::skip]
pub(super) const PASSED_FREE_PATH: [Pair; 8] = [
    w(   0,    0), w( -49,   29), w( -68,   28), w( -76,   44), w( -56,   51), w(  -6,   75), w(  64,  127), w(   0,    0),
];

/// Passed pawn defended by a pawn, by rank.
#[rustfmt::skip]
pub(super) const PASSED_PROTECTED: [Pair; 8] = [
    w(   0,    0), w(   0,    0), w(   8,   -8), w(  10,   -5), w(  17,    6), w(  33,   -2), w(  39,   10), w(   0,    0),
];

/// Passed pawn with another one on a neighbouring file, by rank.
#[rustfmt::skip]
pub(super) const PASSED_CONNECTED: [Pair; 8] = [
    w(   0,    0), w(   6,   -8), w(   3,    3), w( -10,   12), w(   9,    4), w(  -3,   11), w(  45,   73), w(   0,    0),
];

/// Distance of the own king from a passed pawn's next square: a line for each rank from 4 to 7.
#[rustfmt::skip]
pub(super) const PASSED_OWN_KING: [Pair; 32] = [
    w(  -1,   15), w(  14,   33), w(  -3,   10), w( -12,   -9), w(  -7,  -28), w(  -1,  -27), w(  10,  -31), w(  -6,  -31),
    w(   1,   32), w(  16,   60), w(  29,    3), w( -11,  -19), w( -17,  -34), w( -10,  -46), w(  -1,  -46), w(  -9,  -44),
    w(   6,   41), w(  24,   83), w(  38,   -3), w(  29,  -46), w(  -6,  -60), w( -22,  -63), w( -29,  -66), w( -19,  -58),
    w(  13,   70), w(  22,   86), w(  27,   36), w(  28,  -35), w(  31,  -84), w(  19,  -93), w(  -6,  -89), w( -41,  -72),
];

/// Distance of the enemy king from a passed pawn's next square: a line for each rank from 4 to 7.
#[rustfmt::skip]
pub(super) const PASSED_ENEMY_KING: [Pair; 32] = [
    w(  -9,   25), w(  -4,   12), w(  11,   -4), w(   2,    1), w(  -4,   24), w(  -7,   36), w(  -4,   35), w( -19,   30),
    w( -11,   14), w(   4,    4), w(   3,   -8), w(  -6,   26), w(  -2,   47), w(  -3,   61), w(  -5,   66), w( -13,   65),
    w( -41,    1), w( -21,   -9), w(  25,   -1), w(   5,   58), w(  -1,   89), w(  -1,  109), w(   7,  106), w(   0,   93),
    w( -19,  -12), w(  15,  -17), w(  33,    4), w(  20,   81), w(   5,  110), w(  -4,  130), w(  -5,  139), w(   0,  132),
];

/// Passed pawn that the bare enemy king cannot catch.
#[rustfmt::skip]
pub(super) const PASSED_UNSTOPPABLE: [Pair; 1] = [
    w( -15,  184),
];

/// Rook behind a passed pawn: an own one, an enemy one.
#[rustfmt::skip]
pub(super) const PASSED_ROOK_BEHIND: [Pair; 2] = [
    w(  10,   23), w(  19,  -71),
];

/// Knight by number of safe squares.
#[rustfmt::skip]
pub(super) const KNIGHT_MOBILITY: [Pair; 9] = [
    w( -43,  -89), w( -26,  -50), w( -16,  -15), w(  -9,   -5), w(  -1,    3), w(   5,   13), w(  11,   12), w(  18,    7), w(  23,   -4),
];

/// Bishop by number of safe squares.
#[rustfmt::skip]
pub(super) const BISHOP_MOBILITY: [Pair; 14] = [
    w( -36,  -87), w( -25,  -33), w( -11,  -20), w(  -7,   -4), w(   1,    5), w(   5,   12), w(   9,   15),
    w(  11,   19), w(  13,   19), w(  16,   17), w(  21,   14), w(  27,    8), w(  40,    7), w(  33,    0),
];

/// Rook by number of safe squares.
#[rustfmt::skip]
pub(super) const ROOK_MOBILITY: [Pair; 15] = [
    w( -59, -119), w( -23,  -64), w( -10,  -39), w(  -8,  -22), w(  -3,  -10), w(  -2,    4), w(   0,   12), w(   2,   14),
    w(   5,   19), w(   8,   24), w(  10,   26), w(  13,   30), w(  16,   33), w(  11,   39), w(  31,   26),
];

/// Queen by number of safe squares.
#[rustfmt::skip]
pub(super) const QUEEN_MOBILITY: [Pair; 28] = [
    w( -57,  -88), w( -31,  -95), w( -23,  -89), w( -15,  -80), w( -11,  -70), w(  -9,  -47), w(  -6,  -23),
    w(  -4,  -14), w(  -1,    0), w(   0,    9), w(   2,   17), w(   4,   22), w(   3,   31), w(   6,   32),
    w(   5,   33), w(   4,   37), w(   5,   34), w(   9,   28), w(  11,   24), w(  22,    4), w(  23,   -5),
    w(  41,  -31), w(  40,  -31), w(  40,  -43), w(  19,  -33), w(  16,  -33), w(  18,  -11), w(  18,  -12),
];

/// For each own pawn on squares of the bishop's colour.
#[rustfmt::skip]
pub(super) const BISHOP_PAWNS: [Pair; 1] = [
    w(  -3,   -5),
];

/// Rook on a file without own pawns, without any pawns.
#[rustfmt::skip]
pub(super) const ROOK_FILE: [Pair; 2] = [
    w(  11,    4), w(  27,    7),
];

/// Rook on the seventh rank that cuts off the king or attacks pawns.
#[rustfmt::skip]
pub(super) const ROOK_SEVENTH: [Pair; 1] = [
    w( -13,   26),
];

/// Square that no enemy pawn can attack: knight, defended by a pawn; bishop, defended by a pawn.
#[rustfmt::skip]
pub(super) const OUTPOST: [Pair; 4] = [
    w(  14,  -11), w(  23,    9), w(   7,   -7), w(  25,    7),
];

/// Knight or bishop behind a pawn of either side.
#[rustfmt::skip]
pub(super) const MINOR_BEHIND_PAWN: [Pair; 2] = [
    w(   5,   18), w(   4,   14),
];

/// Castling rights left.
#[rustfmt::skip]
pub(super) const CASTLING: [Pair; 1] = [
    w(  13,    6),
];

/// Own pawn before the king by rank (0: none): a line for each file from the edge to the centre.
#[rustfmt::skip]
pub(super) const SHIELD: [Pair; 32] = [
    w( -19,    4), w(  18,  -24), w(  18,  -13), w(  10,   -6), w(   0,    5), w( -12,   13), w(   4,   22), w( -20,    0),
    w(  -7,    6), w(  21,   -2), w(  14,   -8), w(   9,   -5), w(   0,   -2), w(   1,    4), w(  -4,   18), w( -28,    0),
    w(  -9,   10), w(  21,    6), w(   2,    2), w(  -6,   -5), w(   1,  -14), w(   4,  -15), w(   9,   -4), w( -20,    0),
    w(  -9,    2), w(   6,    4), w(   6,    2), w(   0,    3), w(   0,    1), w( -19,    2), w( -22,    7), w( -16,    0),
];

/// Enemy pawn coming, by its rank as the king's side counts (0: none), lines as for the shield.
#[rustfmt::skip]
pub(super) const STORM: [Pair; 32] = [
    w( -15,    0), w(  33,    3), w( -49,   -1), w( -26,   14), w( -13,    8), w(  -4,    2), w(  -7,    6), w(   0,    0),
    w( -11,    1), w(  -9,   14), w( -57,   12), w( -18,   14), w( -16,   11), w(  -5,    3), w(  -7,   -1), w(   0,    0),
    w(  11,    2), w(  -1,   -3), w( -61,    4), w( -10,    2), w(  -1,    0), w(   3,   -4), w(   8,   -1), w(   0,    0),
    w(  -6,    4), w( -29,   10), w( -36,   -2), w(  -8,   -5), w(  -6,   -2), w(   4,    0), w(  -6,    4), w(   0,    0),
];

/// Enemy pawn stopped by an own pawn, by rank.
#[rustfmt::skip]
pub(super) const STORM_BLOCKED: [Pair; 8] = [
    w(   0,    0), w(   0,    0), w( -16,  -36), w(   4,  -18), w(   4,  -17), w(   7,  -20), w(  19,  -16), w(   0,    0),
];

/// King on a file without own pawns, without any pawns.
#[rustfmt::skip]
pub(super) const KING_FILE: [Pair; 2] = [
    w(  -5,    3), w( -43,   -5),
];

/// Man that attacks squares next to the enemy king: knight, bishop, rook, queen.
#[rustfmt::skip]
pub(super) const KING_ATTACKER: [Pair; 4] = [
    w(   9,    4), w(   5,    3), w(   2,   -4), w(  -6,   17),
];

/// Safe checking squares: knight, bishop, rook, queen.
#[rustfmt::skip]
pub(super) const SAFE_CHECK: [Pair; 4] = [
    w(  47,    1), w(  15,   34), w(  43,   12), w(  20,   48),
];

/// Squares next to the enemy king that are attacked and defended by the king at most.
#[rustfmt::skip]
pub(super) const WEAK_RING: [Pair; 1] = [
    w(   5,   -4),
];

/// All attack on the enemy king together, by units.
#[rustfmt::skip]
pub(super) const KING_DANGER: [Pair; 48] = [
    w(   0,    0), w(  -7,   -4), w(  -4,   -3), w(  -6,   -2), w(  -4,    2), w(  -6,    4), w(  -4,    7), w(  -3,   12),
    w(   1,   16), w(   2,   21), w(   9,   21), w(  16,   24), w(  25,   20), w(  34,   30), w(  43,   34), w(  57,   39),
    w(  62,   44), w(  83,   53), w(  99,   42), w( 100,   56), w( 137,   40), w( 138,   31), w( 156,   27), w( 167,   22),
    w( 173,   22), w( 191,   19), w( 208,   21), w( 205,   10), w( 229,    9), w( 238,   12), w( 248,    4), w( 271,    8),
    w( 282,    8), w( 307,    9), w( 322,    9), w( 343,   11), w( 362,   11), w( 381,   10), w( 404,   11), w( 425,   11),
    w( 447,   12), w( 471,   12), w( 494,   13), w( 500,   13), w( 500,   13), w( 500,   14), w( 500,   14), w( 500,   14),
];

/// Pawn attacks a man (pawn to king): enemy to move, own move.
#[rustfmt::skip]
pub(super) const PAWN_THREAT: [Pair; 12] = [
    w(   0,    0), w(  58,   43), w(  69,   67), w(  64,   53), w(  77,   41), w(   0,    0),
    w(   0,    0), w(  75,  113), w(  80,  110), w( 109,  136), w( 130,  133), w(   0,    0),
];

/// Knight or bishop attacks a man: enemy to move, own move.
#[rustfmt::skip]
pub(super) const MINOR_THREAT: [Pair; 12] = [
    w(   5,   13), w(  24,   38), w(  38,   38), w(  44,   49), w(  65,   66), w(   0,    0),
    w(   4,   16), w(  19,   49), w(  34,   32), w(  69,  148), w( 131,  114), w(   0,    0),
];

/// Rook attacks a weakly defended man or the queen: enemy to move, own move.
#[rustfmt::skip]
pub(super) const ROOK_THREAT: [Pair; 12] = [
    w(   5,   22), w(  22,   38), w(  24,   49), w(  -1,   29), w(  87,   49), w(   0,    0),
    w(  11,   12), w(  36,   26), w(  45,   36), w(  13,   10), w( 165,  144), w(   0,    0),
];

/// Any man attacks an undefended one: enemy to move, own move.
#[rustfmt::skip]
pub(super) const HANGING: [Pair; 12] = [
    w(  10,   22), w(  23,   16), w(  15,   11), w(  24,   -8), w(   3,  -34), w(   0,    0),
    w(  25,   36), w(  42,   81), w(  46,   64), w(  60,   81), w(  42,  104), w(   0,    0),
];

/// King attacks a weakly defended man: enemy to move, own move.
#[rustfmt::skip]
pub(super) const KING_THREAT: [Pair; 2] = [
    w(   7,   38), w(  68,   15),
];

/// Safe pawn push that attacks men: enemy to move, own move.
#[rustfmt::skip]
pub(super) const PUSH_THREAT: [Pair; 2] = [
    w(  13,   13), w(  21,   29),
];

/// The right to move.
#[rustfmt::skip]
pub(super) const TEMPO: [Pair; 1] = [
    w(  32,   23),
];

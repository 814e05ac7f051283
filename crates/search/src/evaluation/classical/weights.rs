//! The weights of the features, in centipawns: (middle game, end game).
//!
//! Squares are seen from the own side, own back rank first.
//!
//! Starting values set by hand.

use super::pair::Pair;

/// Short name, so that the tables stay readable.
const fn w(middle_game: i32, end_game: i32) -> Pair {
    Pair::new(middle_game, end_game)
}

/// Pawn, knight, bishop, rook, queen.
#[rustfmt::skip]
pub(super) const MATERIAL: [Pair; 5] = [
    w(  75,   95), w( 310,  300), w( 330,  320), w( 450,  530), w( 950,  980),
];

/// Two bishops or more.
#[rustfmt::skip]
pub(super) const BISHOP_PAIR: [Pair; 1] = [
    w(  25,   50),
];

/// For each own pawn on the board, by piece: knight, bishop, rook, queen.
#[rustfmt::skip]
pub(super) const PIECE_WITH_PAWNS: [Pair; 4] = [
    w(   3,    3), w(   0,    0), w(  -3,   -3), w(   0,    0),
];

/// Pawn squares, files mirrored so that the own king stands on files e to h.
#[rustfmt::skip]
pub(super) const PAWN_SQUARES: [Pair; 64] = [
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(  -6,    0), w(  -2,    0), w(   2,    0), w(   6,    0), w(   6,    0), w(   2,    0), w(  -2,    0), w(  -6,    0),
    w(  -2,    6), w(   2,    6), w(   6,    6), w(  10,    6), w(  10,    6), w(   6,    6), w(   2,    6), w(  -2,    6),
    w(   2,   12), w(   6,   12), w(  10,   12), w(  24,   12), w(  24,   12), w(  10,   12), w(   6,   12), w(   2,   12),
    w(   6,   18), w(  10,   18), w(  14,   18), w(  18,   18), w(  18,   18), w(  14,   18), w(  10,   18), w(   6,   18),
    w(  14,   24), w(  15,   24), w(  17,   24), w(  18,   24), w(  18,   24), w(  17,   24), w(  15,   24), w(  14,   24),
    w(  18,   30), w(  19,   30), w(  21,   30), w(  22,   30), w(  22,   30), w(  21,   30), w(  19,   30), w(  18,   30),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
];

/// Knight squares, files as for pawns.
#[rustfmt::skip]
pub(super) const KNIGHT_SQUARES: [Pair; 64] = [
    w( -30,  -22), w( -21,  -15), w( -12,   -8), w(  -3,   -1), w(  -3,   -1), w( -12,   -8), w( -21,  -15), w( -30,  -22),
    w( -22,  -15), w( -13,   -8), w(  -4,   -1), w(   5,    6), w(   5,    6), w(  -4,   -1), w( -13,   -8), w( -22,  -15),
    w( -14,   -8), w(  -5,   -1), w(   4,    6), w(  13,   13), w(  13,   13), w(   4,    6), w(  -5,   -1), w( -14,   -8),
    w(  -6,   -1), w(   3,    6), w(  12,   13), w(  21,   20), w(  21,   20), w(  12,   13), w(   3,    6), w(  -6,   -1),
    w(  -4,   -1), w(   5,    6), w(  14,   13), w(  23,   20), w(  23,   20), w(  14,   13), w(   5,    6), w(  -4,   -1),
    w(  -8,   -8), w(   1,   -1), w(  10,    6), w(  19,   13), w(  19,   13), w(  10,    6), w(   1,   -1), w(  -8,   -8),
    w( -12,  -15), w(  -3,   -8), w(   6,   -1), w(  15,    6), w(  15,    6), w(   6,   -1), w(  -3,   -8), w( -12,  -15),
    w( -16,  -22), w(  -7,  -15), w(   2,   -8), w(  11,   -1), w(  11,   -1), w(   2,   -8), w(  -7,  -15), w( -16,  -22),
];

/// Bishop squares, files as for pawns.
#[rustfmt::skip]
pub(super) const BISHOP_SQUARES: [Pair; 64] = [
    w( -10,   -8), w(  -6,   -5), w(  -2,   -2), w(   2,    1), w(   2,    1), w(  -2,   -2), w(  -6,   -5), w( -10,   -8),
    w(  -6,   -5), w(  -2,   -2), w(   2,    1), w(   6,    4), w(   6,    4), w(   2,    1), w(  -2,   -2), w(  -6,   -5),
    w(  -2,   -2), w(   2,    1), w(   6,    4), w(  10,    7), w(  10,    7), w(   6,    4), w(   2,    1), w(  -2,   -2),
    w(   2,    1), w(   6,    4), w(  10,    7), w(  14,   10), w(  14,   10), w(  10,    7), w(   6,    4), w(   2,    1),
    w(   2,    1), w(   6,    4), w(  10,    7), w(  14,   10), w(  14,   10), w(  10,    7), w(   6,    4), w(   2,    1),
    w(  -2,   -2), w(   2,    1), w(   6,    4), w(  10,    7), w(  10,    7), w(   6,    4), w(   2,    1), w(  -2,   -2),
    w(  -6,   -5), w(  -2,   -2), w(   2,    1), w(   6,    4), w(   6,    4), w(   2,    1), w(  -2,   -2), w(  -6,   -5),
    w( -10,   -8), w(  -6,   -5), w(  -2,   -2), w(   2,    1), w(   2,    1), w(  -2,   -2), w(  -6,   -5), w( -10,   -8),
];

/// Rook squares, files as for pawns.
#[rustfmt::skip]
pub(super) const ROOK_SQUARES: [Pair; 64] = [
    w(  -4,   -4), w(  -1,   -4), w(   2,   -4), w(   5,   -4), w(   5,   -4), w(   2,   -4), w(  -1,   -4), w(  -4,   -4),
    w(  -4,   -2), w(  -1,   -2), w(   2,   -2), w(   5,   -2), w(   5,   -2), w(   2,   -2), w(  -1,   -2), w(  -4,   -2),
    w(  -4,    0), w(  -1,    0), w(   2,    0), w(   5,    0), w(   5,    0), w(   2,    0), w(  -1,    0), w(  -4,    0),
    w(  -4,    2), w(  -1,    2), w(   2,    2), w(   5,    2), w(   5,    2), w(   2,    2), w(  -1,    2), w(  -4,    2),
    w(  -4,    4), w(  -1,    4), w(   2,    4), w(   5,    4), w(   5,    4), w(   2,    4), w(  -1,    4), w(  -4,    4),
    w(  -4,    6), w(  -1,    6), w(   2,    6), w(   5,    6), w(   5,    6), w(   2,    6), w(  -1,    6), w(  -4,    6),
    w(   4,   14), w(   7,   14), w(  10,   14), w(  13,   14), w(  13,   14), w(  10,   14), w(   7,   14), w(   4,   14),
    w(  -4,   10), w(  -1,   10), w(   2,   10), w(   5,   10), w(   5,   10), w(   2,   10), w(  -1,   10), w(  -4,   10),
];

/// Queen squares, files as for pawns.
#[rustfmt::skip]
pub(super) const QUEEN_SQUARES: [Pair; 64] = [
    w(   0,  -14), w(   2,   -9), w(   3,   -4), w(   4,    1), w(   4,    1), w(   3,   -4), w(   2,   -9), w(   0,  -14),
    w(  -1,   -9), w(   0,   -4), w(   2,    1), w(   4,    6), w(   4,    6), w(   2,    1), w(   0,   -4), w(  -1,   -9),
    w(  -2,   -4), w(   0,    1), w(   1,    6), w(   2,   11), w(   2,   11), w(   1,    6), w(   0,    1), w(  -2,   -4),
    w(  -3,    1), w(  -2,    6), w(   0,   11), w(   2,   16), w(   2,   16), w(   0,   11), w(  -2,    6), w(  -3,    1),
    w(  -4,    1), w(  -2,    6), w(  -1,   11), w(   0,   16), w(   0,   16), w(  -1,   11), w(  -2,    6), w(  -4,    1),
    w(  -5,   -4), w(  -4,    1), w(  -2,    6), w(   0,   11), w(   0,   11), w(  -2,    6), w(  -4,    1), w(  -5,   -4),
    w(  -6,   -9), w(  -4,   -4), w(  -3,    1), w(  -2,    6), w(  -2,    6), w(  -3,    1), w(  -4,   -4), w(  -6,   -9),
    w(  -7,  -14), w(  -6,   -9), w(  -4,   -4), w(  -2,    1), w(  -2,    1), w(  -4,   -4), w(  -6,   -9), w(  -7,  -14),
];

/// King squares, files as for pawns.
#[rustfmt::skip]
pub(super) const KING_SQUARES: [Pair; 64] = [
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    2), w(   2,   -7), w(  24,  -16), w(  36,  -25),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w( -18,   11), w(  -6,    2), w(   6,   -7), w(  18,  -16),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w( -36,   20), w( -32,   11), w( -29,    2), w( -25,   -7),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w( -54,   29), w( -50,   20), w( -47,   11), w( -43,    2),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w( -72,   35), w( -68,   26), w( -65,   17), w( -61,    8),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w( -90,   26), w( -86,   17), w( -83,    8), w( -79,   -1),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(-108,   17), w(-104,    8), w(-101,   -1), w( -97,  -10),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(-126,    8), w(-122,   -1), w(-119,  -10), w(-115,  -19),
];

/// Pawn squares, files mirrored so that the enemy king stands on files e to h.
#[rustfmt::skip]
pub(super) const PAWN_TO_KING: [Pair; 64] = [
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
];

/// Knight squares, mirrored by the enemy king.
#[rustfmt::skip]
pub(super) const KNIGHT_TO_KING: [Pair; 64] = [
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
];

/// Bishop squares, mirrored by the enemy king.
#[rustfmt::skip]
pub(super) const BISHOP_TO_KING: [Pair; 64] = [
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
];

/// Rook squares, mirrored by the enemy king.
#[rustfmt::skip]
pub(super) const ROOK_TO_KING: [Pair; 64] = [
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
];

/// Queen squares, mirrored by the enemy king.
#[rustfmt::skip]
pub(super) const QUEEN_TO_KING: [Pair; 64] = [
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0), w(   0,    0),
];

/// A pawn behind another on its file.
#[rustfmt::skip]
pub(super) const DOUBLED: [Pair; 1] = [
    w(  -8,  -18),
];

/// No own pawn on the neighbouring files: enemy pawn ahead, file open ahead.
#[rustfmt::skip]
pub(super) const ISOLATED: [Pair; 2] = [
    w(  -8,   -8), w( -14,  -14),
];

/// Cannot be defended by a pawn, nor advance safely: enemy pawn ahead, file open ahead.
#[rustfmt::skip]
pub(super) const BACKWARD: [Pair; 2] = [
    w(  -6,   -8), w( -14,  -12),
];

/// Defended by a pawn, by rank.
#[rustfmt::skip]
pub(super) const SUPPORTED: [Pair; 8] = [
    w(   0,    0), w(   8,    4), w(  11,    8), w(  14,   12), w(  17,   16), w(  20,   20), w(  23,   24), w(   0,    0),
];

/// Beside another pawn, by rank.
#[rustfmt::skip]
pub(super) const PHALANX: [Pair; 8] = [
    w(   0,    0), w(   5,    3), w(   9,    7), w(  13,   11), w(  17,   15), w(  21,   19), w(  25,   23), w(   0,    0),
];

/// Passed pawn by rank.
#[rustfmt::skip]
pub(super) const PASSED: [Pair; 8] = [
    w(   0,    0), w(   0,    8), w(   2,   12), w(   6,   25), w(  20,   45), w(  45,   85), w(  80,  140), w(   0,    0),
];

/// Passed pawn with an enemy man on its next square, by rank.
#[rustfmt::skip]
pub(super) const PASSED_BLOCKED: [Pair; 8] = [
    w(   0,    0), w(   0,    0), w(  -2,   -5), w(  -4,  -12), w(  -8,  -22), w( -16,  -45), w( -25,  -70), w(   0,    0),
];

/// Passed pawn whose next square is not attacked by the enemy, by rank.
#[rustfmt::skip]
pub(super) const PASSED_SAFE_STEP: [Pair; 8] = [
    w(   0,    0), w(   0,    0), w(   0,    2), w(   2,    5), w(   5,   12), w(  10,   20), w(  20,   30), w(   0,    0),
];

/// Passed pawn whose path is empty and not attacked by the enemy, by rank.
#[rustfmt::skip]
pub(super) const PASSED_FREE_PATH: [Pair; 8] = [
    w(   0,    0), w(   0,    2), w(   0,    3), w(   2,    8), w(   5,   15), w(  10,   25), w(  20,   40), w(   0,    0),
];

/// Passed pawn defended by a pawn, by rank.
#[rustfmt::skip]
pub(super) const PASSED_PROTECTED: [Pair; 8] = [
    w(   0,    0), w(   0,    0), w(   3,    4), w(   6,    7), w(  10,   12), w(  20,   22), w(  30,   30), w(   0,    0),
];

/// Passed pawn with another one on a neighbouring file, by rank.
#[rustfmt::skip]
pub(super) const PASSED_CONNECTED: [Pair; 8] = [
    w(   0,    0), w(   2,    2), w(   4,    6), w(   8,   10), w(  14,   20), w(  22,   40), w(  30,   60), w(   0,    0),
];

/// Distance of the own king from a passed pawn's next square: a line for each rank from 4 to 7.
#[rustfmt::skip]
pub(super) const PASSED_OWN_KING: [Pair; 32] = [
    w(   0,    0), w(   0,   -3), w(   0,   -6), w(   0,   -9), w(   0,  -12), w(   0,  -15), w(   0,  -18), w(   0,  -21),
    w(   0,    0), w(   0,   -5), w(   0,  -10), w(   0,  -15), w(   0,  -20), w(   0,  -25), w(   0,  -30), w(   0,  -35),
    w(   0,    0), w(   0,   -8), w(   0,  -16), w(   0,  -24), w(   0,  -32), w(   0,  -40), w(   0,  -48), w(   0,  -56),
    w(   0,    0), w(   0,  -10), w(   0,  -20), w(   0,  -30), w(   0,  -40), w(   0,  -50), w(   0,  -60), w(   0,  -70),
];

/// Distance of the enemy king from a passed pawn's next square: a line for each rank from 4 to 7.
#[rustfmt::skip]
pub(super) const PASSED_ENEMY_KING: [Pair; 32] = [
    w(   0,    0), w(   0,    4), w(   0,    8), w(   0,   12), w(   0,   16), w(   0,   20), w(   0,   24), w(   0,   28),
    w(   0,    0), w(   0,    8), w(   0,   16), w(   0,   24), w(   0,   32), w(   0,   40), w(   0,   48), w(   0,   56),
    w(   0,    0), w(   0,   14), w(   0,   28), w(   0,   42), w(   0,   56), w(   0,   70), w(   0,   84), w(   0,   98),
    w(   0,    0), w(   0,   18), w(   0,   36), w(   0,   54), w(   0,   72), w(   0,   90), w(   0,  108), w(   0,  126),
];

/// Passed pawn that the bare enemy king cannot catch.
#[rustfmt::skip]
pub(super) const PASSED_UNSTOPPABLE: [Pair; 1] = [
    w(   0,  350),
];

/// Rook behind a passed pawn: an own one, an enemy one.
#[rustfmt::skip]
pub(super) const PASSED_ROOK_BEHIND: [Pair; 2] = [
    w(   0,   15), w(   0,  -15),
];

/// Knight by number of safe squares.
#[rustfmt::skip]
pub(super) const KNIGHT_MOBILITY: [Pair; 9] = [
    w( -29,  -29), w( -20,  -20), w( -13,  -13), w(  -6,   -6), w(   0,    0), w(   6,    6), w(  11,   11), w(  16,   16), w(  21,   21),
];

/// Bishop by number of safe squares.
#[rustfmt::skip]
pub(super) const BISHOP_MOBILITY: [Pair; 14] = [
    w( -40,  -43), w( -31,  -33), w( -24,  -25), w( -17,  -18), w( -11,  -12), w(  -5,   -6), w(   0,    0),
    w(   5,    5), w(  10,   11), w(  15,   16), w(  19,   21), w(  24,   25), w(  28,   30), w(  32,   35),
];

/// Rook by number of safe squares.
#[rustfmt::skip]
pub(super) const ROOK_MOBILITY: [Pair; 15] = [
    w( -24,  -52), w( -19,  -42), w( -15,  -33), w( -12,  -25), w(  -9,  -18), w(  -6,  -12), w(  -3,   -6), w(   0,    0),
    w(   3,    6), w(   5,   11), w(   8,   16), w(  10,   21), w(  12,   26), w(  15,   31), w(  17,   36),
];

/// Queen by number of safe squares.
#[rustfmt::skip]
pub(super) const QUEEN_MOBILITY: [Pair; 28] = [
    w( -28,  -56), w( -24,  -49), w( -21,  -43), w( -19,  -38), w( -17,  -33), w( -14,  -29), w( -12,  -25),
    w( -10,  -21), w(  -9,  -17), w(  -7,  -13), w(  -5,  -10), w(  -3,   -7), w(  -2,   -3), w(   0,    0),
    w(   2,    3), w(   3,    6), w(   5,    9), w(   6,   12), w(   8,   15), w(   9,   18), w(  11,   21),
    w(  12,   24), w(  13,   27), w(  15,   29), w(  16,   32), w(  17,   35), w(  19,   37), w(  20,   40),
];

/// For each own pawn on squares of the bishop's colour.
#[rustfmt::skip]
pub(super) const BISHOP_PAWNS: [Pair; 1] = [
    w(  -3,   -6),
];

/// Rook on a file without own pawns, without any pawns.
#[rustfmt::skip]
pub(super) const ROOK_FILE: [Pair; 2] = [
    w(  14,    8), w(  30,   12),
];

/// Rook on the seventh rank that cuts off the king or attacks pawns.
#[rustfmt::skip]
pub(super) const ROOK_SEVENTH: [Pair; 1] = [
    w(   5,   20),
];

/// Square that no enemy pawn can attack: knight, defended by a pawn; bishop, defended by a pawn.
#[rustfmt::skip]
pub(super) const OUTPOST: [Pair; 4] = [
    w(  12,    8), w(  30,   18), w(  12,    6), w(  24,   12),
];

/// Knight or bishop behind a pawn of either side.
#[rustfmt::skip]
pub(super) const MINOR_BEHIND_PAWN: [Pair; 2] = [
    w(   8,    4), w(   6,    3),
];

/// Safe squares in the own half of the four middle files.
#[rustfmt::skip]
pub(super) const SPACE: [Pair; 1] = [
    w(   2,    0),
];

/// Castling rights left.
#[rustfmt::skip]
pub(super) const CASTLING: [Pair; 1] = [
    w(  12,    0),
];

/// Own pawn before the king by rank (0: none): a line for each file from the edge to the centre.
#[rustfmt::skip]
pub(super) const SHIELD: [Pair; 32] = [
    w( -10,    0), w(  16,    0), w(  10,    0), w(   4,    0), w(  -2,    0), w(  -8,    0), w( -14,    0), w( -20,    0),
    w( -14,    0), w(  22,    0), w(  14,    0), w(   6,    0), w(  -3,    0), w( -11,    0), w( -20,    0), w( -28,    0),
    w( -10,    0), w(  16,    0), w(  10,    0), w(   4,    0), w(  -2,    0), w(  -8,    0), w( -14,    0), w( -20,    0),
    w(  -8,    0), w(  13,    0), w(   8,    0), w(   3,    0), w(  -2,    0), w(  -6,    0), w( -11,    0), w( -16,    0),
];

/// Enemy pawn coming, by its rank as the king's side counts (0: none), lines as for the shield.
#[rustfmt::skip]
pub(super) const STORM: [Pair; 32] = [
    w(   0,    0), w(   0,    0), w( -30,    0), w( -22,    0), w( -10,    0), w(  -3,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w( -30,    0), w( -22,    0), w( -10,    0), w(  -3,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w( -30,    0), w( -22,    0), w( -10,    0), w(  -3,    0), w(   0,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w( -30,    0), w( -22,    0), w( -10,    0), w(  -3,    0), w(   0,    0), w(   0,    0),
];

/// Enemy pawn stopped by an own pawn, by rank.
#[rustfmt::skip]
pub(super) const STORM_BLOCKED: [Pair; 8] = [
    w(   0,    0), w(   0,    0), w(  -4,    0), w(  -6,    0), w(  -3,    0), w(   0,    0), w(   0,    0), w(   0,    0),
];

/// King on a file without own pawns, without any pawns.
#[rustfmt::skip]
pub(super) const KING_FILE: [Pair; 2] = [
    w( -10,    0), w( -25,    0),
];

/// Man that attacks squares next to the enemy king: knight, bishop, rook, queen.
#[rustfmt::skip]
pub(super) const KING_ATTACKER: [Pair; 4] = [
    w(   6,    0), w(   4,    0), w(   6,    0), w(   4,    4),
];

/// Safe checking squares: knight, bishop, rook, queen.
#[rustfmt::skip]
pub(super) const SAFE_CHECK: [Pair; 4] = [
    w(  12,    0), w(   8,    0), w(  15,    0), w(   8,    8),
];

/// Squares next to the enemy king that are attacked and defended by the king at most.
#[rustfmt::skip]
pub(super) const WEAK_RING: [Pair; 1] = [
    w(   4,    0),
];

/// All attack on the enemy king together, by units.
#[rustfmt::skip]
pub(super) const KING_DANGER: [Pair; 48] = [
    w(   0,    0), w(   0,    0), w(   1,    1), w(   3,    1), w(   4,    1), w(   7,    2), w(  10,    2), w(  14,    2),
    w(  18,    2), w(  23,    3), w(  28,    3), w(  34,    3), w(  40,    4), w(  47,    4), w(  55,    4), w(  63,    4),
    w(  72,    5), w(  81,    5), w(  91,    5), w( 101,    6), w( 112,    6), w( 123,    6), w( 136,    7), w( 148,    7),
    w( 161,    7), w( 175,    8), w( 189,    8), w( 204,    8), w( 220,    8), w( 235,    9), w( 252,    9), w( 269,    9),
    w( 287,   10), w( 305,   10), w( 324,   10), w( 343,   10), w( 363,   11), w( 383,   11), w( 404,   11), w( 426,   12),
    w( 448,   12), w( 471,   12), w( 494,   13), w( 500,   13), w( 500,   13), w( 500,   14), w( 500,   14), w( 500,   14),
];

/// Pawn attacks a man (pawn to king): enemy to move, own move.
#[rustfmt::skip]
pub(super) const PAWN_THREAT: [Pair; 12] = [
    w(   0,    0), w(  44,   44), w(  48,   48), w(  64,   64), w(  72,   72), w(   0,    0),
    w(   0,    0), w(  61,   61), w(  66,   66), w(  88,   88), w(  99,   99), w(   0,    0),
];

/// Knight or bishop attacks a man: enemy to move, own move.
#[rustfmt::skip]
pub(super) const MINOR_THREAT: [Pair; 12] = [
    w(   6,    6), w(  14,   14), w(  16,   16), w(  36,   36), w(  40,   40), w(   0,    0),
    w(   9,    9), w(  20,   20), w(  22,   22), w(  50,   50), w(  55,   55), w(   0,    0),
];

/// Rook attacks a weakly defended man or the queen: enemy to move, own move.
#[rustfmt::skip]
pub(super) const ROOK_THREAT: [Pair; 12] = [
    w(   5,    5), w(  14,   14), w(  14,   14), w(   4,    4), w(  40,   40), w(   0,    0),
    w(   7,    7), w(  20,   20), w(  20,   20), w(   6,    6), w(  55,   55), w(   0,    0),
];

/// Any man attacks an undefended one: enemy to move, own move.
#[rustfmt::skip]
pub(super) const HANGING: [Pair; 12] = [
    w(  12,   12), w(  21,   21), w(  21,   21), w(  24,   24), w(  24,   24), w(   0,    0),
    w(  24,   24), w(  42,   42), w(  42,   42), w(  48,   48), w(  48,   48), w(   0,    0),
];

/// King attacks a weakly defended man: enemy to move, own move.
#[rustfmt::skip]
pub(super) const KING_THREAT: [Pair; 2] = [
    w(   8,   20), w(  12,   30),
];

/// Safe pawn push that attacks men: enemy to move, own move.
#[rustfmt::skip]
pub(super) const PUSH_THREAT: [Pair; 2] = [
    w(  12,   10), w(  18,   15),
];

/// The right to move.
#[rustfmt::skip]
pub(super) const TEMPO: [Pair; 1] = [
    w(  18,   14),
];

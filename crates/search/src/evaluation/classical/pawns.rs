//! Pawn structure and passed pawns.

use super::board::{Board, beside, fill, front, relative_rank};
use super::features::{self as feature, FeatureSink};
use kaiyo_chess::{Bitboard, Colour, PieceType, Square};

/// Visits the terms that depend on nothing but pawns.
#[inline(always)]
pub(super) fn visit_structure(board: &Board, us: Colour, sink: &mut impl FeatureSink) {
    let own = board.side(us);
    let enemy = board.side(!us);
    let pawns = own.pawns;
    let own_attacks = own.attacks[PieceType::Pawn.index()];
    let enemy_attacks = enemy.attacks[PieceType::Pawn.index()];

    let doubled = pawns & front(!us, pawns);
    if doubled.any() {
        sink.add(feature::DOUBLED, us, doubled.len() as i32);
    }
    let files = fill(us, fill(!us, pawns));
    let isolated = pawns & !beside(files);
    let open_ahead = !front(!us, enemy.pawns);
    for square in isolated {
        sink.add(feature::ISOLATED + usize::from(open_ahead.contains(square)), us, 1);
    }
    let undefendable_step = (enemy_attacks & !own.attack_span).shift(-us.up());
    let backward = pawns & undefendable_step & !isolated & !own_attacks;
    for square in backward {
        sink.add(feature::BACKWARD + usize::from(open_ahead.contains(square)), us, 1);
    }
    for square in pawns & own_attacks {
        sink.add(feature::SUPPORTED + relative_rank(us, square), us, 1);
    }
    for square in pawns & beside(pawns) {
        sink.add(feature::PHALANX + relative_rank(us, square), us, 1);
    }
}

/// The passed pawns of `us`; of two on a file only the one in front.
#[inline(always)]
pub(super) fn passed_pawns(board: &Board, us: Colour) -> Bitboard {
    let own = board.side(us).pawns;
    let enemy = board.side(!us);
    own & !(front(!us, enemy.pawns) | enemy.attack_span | front(!us, own))
}

/// Visits the terms of passed pawns.
#[inline(always)]
pub(super) fn visit_passed(board: &Board, us: Colour, sink: &mut impl FeatureSink) {
    let passed = passed_pawns(board, us);
    let defended = board.side(us).attacks[PieceType::Pawn.index()];
    // The neighbouring files, one rank before and behind included.
    let next_to_passed = {
        let near = passed | passed.shift(8) | passed.shift(-8);
        beside(near)
    };
    for square in passed {
        let rank = relative_rank(us, square);
        sink.add(feature::PASSED + rank, us, 1);
        if defended.contains(square) {
            sink.add(feature::PASSED_PROTECTED + rank, us, 1);
        }
        if next_to_passed.contains(square) {
            sink.add(feature::PASSED_CONNECTED + rank, us, 1);
        }
        visit_passed_path(board, us, square, rank, sink);
    }
}

/// What lies ahead of a passed pawn and behind it.
#[inline(always)]
fn visit_passed_path(
    board: &Board,
    us: Colour,
    square: Square,
    rank: usize,
    sink: &mut impl FeatureSink,
) {
    let own = board.side(us);
    let enemy = board.side(!us);
    let pawn = Bitboard::from(square);
    let step = pawn.shift(us.up());
    let path = front(us, pawn);
    if (step & board.position.colour(!us)).any() {
        sink.add(feature::PASSED_BLOCKED + rank, us, 1);
    }
    if (step & enemy.all_attacks).is_empty() {
        sink.add(feature::PASSED_SAFE_STEP + rank, us, 1);
        if (path & (enemy.all_attacks | board.occupied)).is_empty() {
            sink.add(feature::PASSED_FREE_PATH + rank, us, 1);
        }
    }
    if rank >= 3
        && let Some(step) = step.first()
    {
        let line = 8 * (rank - 3);
        let own_distance = usize::from(own.king.distance(step));
        let enemy_distance = usize::from(enemy.king.distance(step));
        sink.add(feature::PASSED_OWN_KING + line + own_distance, us, 1);
        sink.add(feature::PASSED_ENEMY_KING + line + enemy_distance, us, 1);
    }
    let behind = front(!us, pawn);
    let rooks = board.position.piece_type(PieceType::Rook) & behind;
    if rooks.any() {
        let of_enemy = usize::from((rooks & board.position.colour(!us)).any());
        sink.add(feature::PASSED_ROOK_BEHIND + of_enemy, us, 1);
    }
    if board.position.non_pawn_material(!us).is_empty()
        && (path & board.occupied).is_empty()
        && outruns_king(board, us, square, rank)
    {
        sink.add(feature::PASSED_UNSTOPPABLE, us, 1);
    }
}

/// Whether the enemy king stands outside the square of the pawn.
#[inline(always)]
fn outruns_king(board: &Board, us: Colour, square: Square, rank: usize) -> bool {
    let last_rank = 56 * (1 - us.index());
    let goal = Square::from_low_bits((square.index() & 7 | last_rank) as u8);
    let steps = 7 - rank - usize::from(rank == 1);
    let moves = usize::from(board.side(!us).king.distance(goal));
    moves > steps + (1 - board.own_move(us))
}

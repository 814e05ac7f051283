//! Attacks on men that win material or force them away.

use super::board::Board;
use super::features::{self as feature, FeatureSink};
use kaiyo_chess::attacks::pawn_attacks_from_set;
use kaiyo_chess::{Bitboard, Colour, PieceType, Rank};

/// Visits the threats of `us`.
#[inline(always)]
pub(super) fn visit_threats(board: &Board, us: Colour, sink: &mut impl FeatureSink) {
    let own = board.side(us);
    let enemy = board.side(!us);
    let position = board.position;
    let men = position.colour(!us) & !Bitboard::from(enemy.king);
    let pieces = men & !enemy.pawns;
    let by_pawns = own.attacks[PieceType::Pawn.index()];
    let minors = own.attacks[PieceType::Knight.index()] | own.attacks[PieceType::Bishop.index()];
    let defended_well =
        enemy.attacks[PieceType::Pawn.index()] | enemy.double_attacks & !own.double_attacks;
    let weak = men & !defended_well;
    let own_move = board.own_move(us);

    visit_targets(board, us, feature::PAWN_THREAT, pieces & by_pawns, sink);
    visit_targets(board, us, feature::MINOR_THREAT, (pieces | weak) & minors, sink);
    let by_rooks =
        own.attacks[PieceType::Rook.index()] & (weak | position.pieces(!us, PieceType::Queen));
    visit_targets(board, us, feature::ROOK_THREAT, by_rooks, sink);
    let hanging = men & own.all_attacks & !enemy.all_attacks;
    visit_targets(board, us, feature::HANGING, hanging, sink);

    let by_king = weak & own.attacks[PieceType::King.index()];
    if by_king.any() {
        sink.add(feature::KING_THREAT + own_move, us, by_king.len() as i32);
    }
    let pushes = safe_pushes(board, us);
    let by_pushes = pawn_attacks_from_set(us, pushes) & pieces & !by_pawns;
    if by_pushes.any() {
        sink.add(feature::PUSH_THREAT + own_move, us, by_pushes.len() as i32);
    }
}

/// Counts attacked men by type and by whose move it is.
#[inline(always)]
fn visit_targets(
    board: &Board,
    us: Colour,
    first: usize,
    targets: Bitboard,
    sink: &mut impl FeatureSink,
) {
    let line = first + 6 * board.own_move(us);
    for square in targets {
        if let Some(piece) = board.position.piece_on(square) {
            sink.add(line + piece.piece_type().index(), us, 1);
        }
    }
}

/// Squares that pawns can advance to without being lost.
#[inline(always)]
fn safe_pushes(board: &Board, us: Colour) -> Bitboard {
    let own = board.side(us);
    let enemy = board.side(!us);
    let empty = !board.occupied;
    let single = own.pawns.shift(us.up()) & empty;
    let third = Bitboard::rank(us.relative_rank(Rank::R3));
    let double = (single & third).shift(us.up()) & empty;
    let lost = enemy.attacks[PieceType::Pawn.index()] | enemy.all_attacks & !own.all_attacks;
    (single | double) & !lost
}

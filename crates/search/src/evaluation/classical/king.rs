//! Safety of the kings.

use super::board::{Board, Side, fill, relative_rank};
use super::features::{self as feature, FeatureSink};
use kaiyo_chess::attacks::{bishop_attacks, knight_attacks, rook_attacks};
use kaiyo_chess::{Bitboard, Colour, File, PieceType, Square};

/// Attack units of a knight, bishop, rook and queen that bear on the king.
///
/// They only sort attacks into the lines of a table, whose values are fitted.
const ATTACKER_UNITS: [u32; 4] = [3, 2, 3, 4];
/// Attack units of a safe check by a knight, bishop, rook and queen.
const CHECK_UNITS: [u32; 4] = [4, 3, 5, 4];
/// The last line of the danger table.
const MAX_UNITS: u32 = 47;

/// Counts a piece whose attacks reach the surroundings of the enemy king.
#[inline(always)]
pub(super) fn note_attack<const KIND: usize>(
    board: &mut Board,
    us: Colour,
    attacks: Bitboard,
    sink: &mut impl FeatureSink,
) {
    let enemy = board.side(!us);
    if (attacks & enemy.king_ring).is_empty() {
        return;
    }
    let near = attacks & enemy.attacks[PieceType::King.index()];
    let units = ATTACKER_UNITS[KIND] + near.len();
    board.sides[us.index()].attack_units += units;
    sink.add(feature::KING_ATTACKER + KIND, us, 1);
}

/// Visits the attack of `us` on the enemy king.
#[inline(always)]
pub(super) fn visit_attack(board: &Board, us: Colour, sink: &mut impl FeatureSink) {
    let own = board.side(us);
    let enemy = board.side(!us);
    let near_king = enemy.attacks[PieceType::King.index()];
    // Squares that the enemy defends by its king alone are no safer than undefended ones
    // when they are attacked twice.
    let king_only = near_king & !enemy.double_attacks;
    let weak = own.all_attacks & king_only;
    let mut units = own.attack_units;
    if weak.any() {
        let count = weak.len();
        sink.add(feature::WEAK_RING, us, count as i32);
        units += count;
    }
    let safe = !board.position.colour(us) & (!enemy.all_attacks | king_only & own.double_attacks);
    let king = enemy.king;
    let diagonal = bishop_attacks(king, board.occupied);
    let straight = rook_attacks(king, board.occupied);
    let from = [knight_attacks(king), diagonal, straight, diagonal | straight];
    for (kind, from) in from.into_iter().enumerate() {
        let checks = from & own.attacks[kind + 1] & safe;
        if checks.any() {
            sink.add(feature::SAFE_CHECK + kind, us, 1 + i32::from(checks.more_than_one()));
            units += CHECK_UNITS[kind];
        }
    }
    // Without a queen an attack rarely mates.
    if board.position.pieces(us, PieceType::Queen).is_empty() {
        units /= 2;
    }
    if units > 0 {
        sink.add(feature::KING_DANGER + units.min(MAX_UNITS) as usize, us, 1);
    }
}

/// Visits the pawns around the king of `us`, and its castling rights.
#[inline(always)]
pub(super) fn visit_shelter(board: &Board, us: Colour, sink: &mut impl FeatureSink) {
    let own = board.side(us);
    let enemy = board.side(!us);
    let king_file = own.king.index() & 7;
    // Pawns that the king has passed neither shield nor endanger it.
    let rank_start = Bitboard(0xff << (own.king.index() & 56));
    let ahead = fill(us, rank_start);
    let centre = king_file.clamp(1, 6);
    for file in centre - 1..=centre + 1 {
        visit_shelter_file(us, file, own, enemy, ahead, sink);
    }
    let mask = Bitboard::file(File::ALL[king_file]);
    if (own.pawns & mask).is_empty() {
        let open = usize::from((enemy.pawns & mask).is_empty());
        sink.add(feature::KING_FILE + open, us, 1);
    }
    let rights = board.position.castling_rooks() & board.position.colour(us);
    if rights.any() {
        sink.add(feature::CASTLING, us, rights.len() as i32);
    }
}

#[inline(always)]
fn visit_shelter_file(
    us: Colour,
    file: usize,
    own: &Side,
    enemy: &Side,
    ahead: Bitboard,
    sink: &mut impl FeatureSink,
) {
    let mask = Bitboard::file(File::ALL[file & 7]) & ahead;
    let line = 8 * file.min(7 - file);
    let own_pawn = nearest(us, own.pawns & mask);
    let enemy_pawn = nearest(us, enemy.pawns & mask);
    let own_rank = own_pawn.map_or(0, |square| relative_rank(us, square));
    let enemy_rank = enemy_pawn.map_or(0, |square| relative_rank(us, square));
    sink.add(feature::SHIELD + line + own_rank, us, 1);
    if own_rank != 0 && own_rank + 1 == enemy_rank {
        sink.add(feature::STORM_BLOCKED + enemy_rank, us, 1);
    } else {
        sink.add(feature::STORM + line + enemy_rank, us, 1);
    }
}

/// The square of a set that is nearest to the back rank of `us`.
#[inline(always)]
fn nearest(us: Colour, set: Bitboard) -> Option<Square> {
    match us {
        Colour::White => set.first(),
        Colour::Black => set.flip_rank().first().map(Square::flip_rank),
    }
}

//! Men on their squares, mobility, and what else single pieces are worth.

use super::board::{Board, fill, relative_rank};
use super::features::{self as feature, FeatureSink};
use super::king::note_attack;
use kaiyo_chess::attacks::{bishop_attacks, knight_attacks, queen_attacks, rook_attacks};
use kaiyo_chess::{Bitboard, Colour, PieceType, Rank, Square};

/// The men that move over more than one square or jump.
const PIECES: [PieceType; 4] =
    [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];

/// Where the mobility weights of each of [`PIECES`] begin.
const MOBILITY: [usize; 4] = [
    feature::KNIGHT_MOBILITY,
    feature::BISHOP_MOBILITY,
    feature::ROOK_MOBILITY,
    feature::QUEEN_MOBILITY,
];

/// Turns squares into places of the square tables: own back rank first, files mirrored.
#[derive(Clone, Copy)]
struct Orientation {
    by_own_king: usize,
    by_enemy_king: usize,
}

impl Orientation {
    #[inline(always)]
    fn new(board: &Board, us: Colour) -> Self {
        let ranks = 56 * us.index();
        let files = |king: Square| if king.index() & 4 == 0 { 7 } else { 0 };
        Self {
            by_own_king: ranks ^ files(board.side(us).king),
            by_enemy_king: ranks ^ files(board.side(!us).king),
        }
    }

    #[inline(always)]
    fn visit(self, square: Square, man: PieceType, us: Colour, sink: &mut impl FeatureSink) {
        let table = 64 * man.index();
        sink.add(feature::PAWN_SQUARES + table + (square.index() ^ self.by_own_king), us, 1);
        if man != PieceType::King {
            sink.add(feature::PAWN_TO_KING + table + (square.index() ^ self.by_enemy_king), us, 1);
        }
    }
}

/// Visits material, squares and mobility of all men, and collects what they attack.
#[inline(always)]
pub(super) fn visit_men(board: &mut Board, us: Colour, sink: &mut impl FeatureSink) {
    let orientation = Orientation::new(board, us);
    let pawns = board.side(us).pawns;
    sink.add(feature::MATERIAL, us, pawns.len() as i32);
    for square in pawns {
        orientation.visit(square, PieceType::Pawn, us, sink);
    }
    orientation.visit(board.side(us).king, PieceType::King, us, sink);
    visit_pieces::<0>(board, us, orientation, sink);
    visit_pieces::<1>(board, us, orientation, sink);
    visit_pieces::<2>(board, us, orientation, sink);
    visit_pieces::<3>(board, us, orientation, sink);
}

#[inline(always)]
fn visit_pieces<const KIND: usize>(
    board: &mut Board,
    us: Colour,
    orientation: Orientation,
    sink: &mut impl FeatureSink,
) {
    let man = PIECES[KIND];
    let men = board.position.pieces(us, man);
    let area = board.side(us).mobility_area;
    let mut count = 0;
    for square in men {
        count += 1;
        orientation.visit(square, man, us, sink);
        let attacks = attacks_of(board, us, man, square);
        board.sides[us.index()].add_attacks(man, attacks);
        sink.add(MOBILITY[KIND] + (attacks & area).len() as usize, us, 1);
        note_attack::<KIND>(board, us, attacks, sink);
    }
    if count > 0 {
        sink.add(feature::MATERIAL + man.index(), us, count);
    }
}

/// Attacks of a piece, through own pieces that move the same way.
#[inline(always)]
fn attacks_of(board: &Board, us: Colour, man: PieceType, square: Square) -> Bitboard {
    let position = board.position;
    match man {
        PieceType::Knight => knight_attacks(square),
        PieceType::Bishop => {
            bishop_attacks(square, board.occupied ^ position.pieces(us, PieceType::Queen))
        }
        PieceType::Rook => rook_attacks(square, board.occupied ^ position.straight_sliders(us)),
        _ => queen_attacks(square, board.occupied),
    }
}

/// Visits what depends on the pawns around the pieces.
#[inline(always)]
pub(super) fn visit_details(board: &Board, us: Colour, sink: &mut impl FeatureSink) {
    visit_minors(board, us, sink);
    visit_rooks(board, us, sink);
}

#[inline(always)]
fn visit_minors(board: &Board, us: Colour, sink: &mut impl FeatureSink) {
    let position = board.position;
    let side = board.side(us);
    let knights = position.pieces(us, PieceType::Knight);
    let bishops = position.pieces(us, PieceType::Bishop);
    if bishops.more_than_one() {
        sink.add(feature::BISHOP_PAIR, us, 1);
    }
    let dark_pawns = (side.pawns & Bitboard::DARK_SQUARES).len() as i32;
    let light_pawns = (side.pawns & !Bitboard::DARK_SQUARES).len() as i32;
    for bishop in bishops {
        let dark = Bitboard::DARK_SQUARES.contains(bishop);
        sink.add(feature::BISHOP_PAWNS, us, if dark { dark_pawns } else { light_pawns });
    }
    let outpost_ranks = Bitboard::rank(us.relative_rank(Rank::R4))
        | Bitboard::rank(us.relative_rank(Rank::R5))
        | Bitboard::rank(us.relative_rank(Rank::R6));
    let outposts = outpost_ranks & !board.side(!us).attack_span;
    let defended = side.attacks[PieceType::Pawn.index()];
    for square in (knights | bishops) & outposts {
        let of_bishop = usize::from(bishops.contains(square));
        let index = 2 * of_bishop + usize::from(defended.contains(square));
        sink.add(feature::OUTPOST + index, us, 1);
    }
    let behind_pawn = position.piece_type(PieceType::Pawn).shift(-us.up());
    for square in (knights | bishops) & behind_pawn {
        let of_bishop = usize::from(bishops.contains(square));
        sink.add(feature::MINOR_BEHIND_PAWN + of_bishop, us, 1);
    }
}

#[inline(always)]
fn visit_rooks(board: &Board, us: Colour, sink: &mut impl FeatureSink) {
    let rooks = board.position.pieces(us, PieceType::Rook);
    let own_files = fill(us, fill(!us, board.side(us).pawns));
    let enemy = board.side(!us);
    for rook in rooks & !own_files {
        let file = Bitboard::file(rook.file());
        let open = usize::from((file & enemy.pawns).is_empty());
        sink.add(feature::ROOK_FILE + open, us, 1);
    }
    let seventh = Bitboard::rank(us.relative_rank(Rank::R7));
    let on_seventh = rooks & seventh;
    if on_seventh.any() && (relative_rank(us, enemy.king) == 7 || (enemy.pawns & seventh).any()) {
        sink.add(feature::ROOK_SEVENTH, us, on_seventh.len() as i32);
    }
}

//! What is not linear in the weights: phase, drawish material, mating a bare king.

use super::pair::Pair;
use kaiyo_chess::{Bitboard, Colour, PieceType, Position, Square};

/// The phase of a board with all pieces.
pub const FULL_PHASE: i32 = 24;
/// The scale of an end game like any other.
pub const FULL_SCALE: i32 = 64;

// The scales of opposite bishops are those with the least error on the games that the weights
// are fitted to. Without pawns that would be 0, but some hope of a mistake shall remain.

/// Bishops of opposite colours and pawns only: even two pawns more are often not enough.
const OPPOSITE_BISHOPS_ALONE: i32 = 32;
/// Bishops of opposite colours among other pieces.
const OPPOSITE_BISHOPS: i32 = 60;
/// No pawns, and at most a minor piece more than the enemy, as a rook against a bishop.
const NO_PAWNS: i32 = 4;

/// A bare king cannot hold out against mating material.
const MATING_MATERIAL: i32 = 600;
/// For each point of bishops and knights where nothing else counts.
const MATING_POINT: i32 = 130;
/// For each step of the bare king away from the centre.
const EDGE: i32 = 10;
/// For each step between the kings less.
const KING_APPROACH: i32 = 6;
/// For each step towards a corner of the bishop's colour, where bishop and knight mate.
const CORNER: i32 = 70;

/// How much of the middle game is left: from [`FULL_PHASE`] down to 0 without pieces.
#[inline(always)]
pub fn phase(position: &Position) -> i32 {
    let minors = position.piece_type(PieceType::Knight) | position.piece_type(PieceType::Bishop);
    let rooks = position.piece_type(PieceType::Rook).len();
    let queens = position.piece_type(PieceType::Queen).len();
    ((minors.len() + 2 * rooks + 4 * queens) as i32).min(FULL_PHASE)
}

/// Weighs both phases; `scale` shrinks the end-game value, and 0 says that nobody can win.
#[inline(always)]
pub(super) fn taper(value: Pair, phase: i32, scale: i32) -> i32 {
    if scale == 0 {
        return 0;
    }
    let middle_game = value.middle_game() * phase * FULL_SCALE;
    let end_game = value.end_game() * (FULL_PHASE - phase) * scale;
    (middle_game + end_game) / (FULL_PHASE * FULL_SCALE)
}

/// How much of its end-game advantage `strong` can hope to keep, out of [`FULL_SCALE`].
#[inline(always)]
pub fn scale(position: &Position, strong: Colour) -> i32 {
    let bishops = position.piece_type(PieceType::Bishop);
    let pawns = position.pieces(strong, PieceType::Pawn);
    if pawns.is_empty() {
        return scale_without_pawns(position, strong);
    }
    if wrong_rook_pawn(position, strong, pawns) {
        return 0;
    }
    let one_each = bishops.len() == 2 && (bishops & position.colour(strong)).len() == 1;
    if one_each && (bishops & Bitboard::DARK_SQUARES).len() == 1 {
        let others =
            position.non_pawn_material(Colour::White) | position.non_pawn_material(Colour::Black);
        return if others == bishops { OPPOSITE_BISHOPS_ALONE } else { OPPOSITE_BISHOPS };
    }
    FULL_SCALE
}

/// Value of the pieces as counted for drawish material, in pawns.
#[inline(always)]
fn piece_points(position: &Position, colour: Colour) -> i32 {
    let pieces = [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];
    let points = |man: PieceType| man.points() * position.pieces(colour, man).len();
    pieces.into_iter().map(points).sum::<u32>() as i32
}

fn scale_without_pawns(position: &Position, strong: Colour) -> i32 {
    let own = piece_points(position, strong);
    let enemy = piece_points(position, !strong);
    let knights = position.pieces(strong, PieceType::Knight);
    let two_knights = knights.len() == 2 && position.non_pawn_material(strong) == knights;
    if own <= 3 || two_knights && position.pieces(!strong, PieceType::Pawn).is_empty() {
        0
    } else if own - enemy <= 3 || two_knights {
        NO_PAWNS
    } else {
        FULL_SCALE
    }
}

/// Whether all pawns are on one rook file, the enemy king holds the corner, and no piece but
/// bishops of the other colour can drive it out.
#[inline(always)]
fn wrong_rook_pawn(position: &Position, strong: Colour, pawns: Bitboard) -> bool {
    let bishops = position.pieces(strong, PieceType::Bishop);
    if position.non_pawn_material(strong) != bishops {
        return false;
    }
    let Some(pawn) = pawns.first() else { return false };
    let file = Bitboard::file(pawn.file());
    let at_edge = pawn.index() & 7 == 0 || pawn.index() & 7 == 7;
    if !at_edge || (pawns & !file).any() {
        return false;
    }
    let corner = Square::new(pawn.file(), (!strong).back_rank());
    let corner_colour = same_colour(corner);
    (bishops & corner_colour).is_empty() && position.king(!strong).distance(corner) <= 1
}

#[inline(always)]
fn same_colour(square: Square) -> Bitboard {
    if Bitboard::DARK_SQUARES.contains(square) {
        Bitboard::DARK_SQUARES
    } else {
        !Bitboard::DARK_SQUARES
    }
}

/// What drives a bare king into the mate.
#[derive(Clone, Copy, Default)]
pub(super) struct MopUp {
    /// From White's point of view; 0 if no king is bare.
    pub value: i32,
    /// Whether nothing else may count: bishop and knight mate in two corners only, from which
    /// the squares of the pieces would distract.
    pub alone: bool,
}

#[inline(always)]
pub(super) fn mop_up(position: &Position) -> MopUp {
    if position.has_bare_king(Colour::Black) {
        mop_up_for(position, Colour::White)
    } else if position.has_bare_king(Colour::White) {
        let MopUp { value, alone } = mop_up_for(position, Colour::Black);
        MopUp { value: -value, alone }
    } else {
        MopUp::default()
    }
}

fn mop_up_for(position: &Position, strong: Colour) -> MopUp {
    let bishops = position.pieces(strong, PieceType::Bishop);
    let knights = position.pieces(strong, PieceType::Knight);
    let dark = (bishops & Bitboard::DARK_SQUARES).any();
    let light = (bishops & !Bitboard::DARK_SQUARES).any();
    let mates_anywhere = position.straight_sliders(strong).any() || dark && light;
    if !mates_anywhere && (bishops.is_empty() || knights.is_empty()) {
        return MopUp::default();
    }
    let bare = position.king(!strong);
    let own = position.king(strong);
    let (file, rank) = (bare.index() as i32 & 7, bare.index() as i32 >> 3);
    let from_centre = |line: i32| (line - 4).max(3 - line);
    let apart = (own.index() as i32 & 7).abs_diff(file) + (own.index() as i32 >> 3).abs_diff(rank);
    let drive =
        EDGE * (from_centre(file) + from_centre(rank)) + KING_APPROACH * (14 - apart as i32);
    if mates_anywhere {
        return MopUp { value: MATING_MATERIAL + drive, alone: false };
    }
    // Bishop and knight need so many moves that each step must show.
    let from_diagonal = if dark { (7 - file - rank).abs() } else { (file - rank).abs() };
    let value = MATING_MATERIAL + 2 * drive + CORNER * from_diagonal;
    if position.pieces(strong, PieceType::Pawn).any() {
        return MopUp { value, alone: false };
    }
    MopUp { value: value + MATING_POINT * piece_points(position, strong), alone: true }
}

//! Generation of legal moves.
//!
//! Moves leave the generator as sets of target squares, which a [`MoveSink`] turns into a list
//! or merely counts. Checks and pins are respected by masking the sets, so no move is generated
//! that has to be taken back.

use crate::attacks::{
    bishop_attacks, king_attacks, knight_attacks, line, pawn_attacks, rook_attacks,
};
use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveFlag, MoveList};
use crate::piece::{Colour, PieceType};
use crate::position::Position;
use crate::square::{File, Rank, Square};

/// Takes the moves a generator produces.
pub trait MoveSink {
    /// Moves of one man to each of `targets`.
    fn targets(&mut self, from: Square, targets: Bitboard, flag: MoveFlag);

    /// Moves of one man to each of `targets`: captures where one of `them` stands, quiet moves
    /// elsewhere.
    #[inline(always)]
    fn mixed_targets(&mut self, from: Square, targets: Bitboard, them: Bitboard) {
        self.targets(from, targets & them, MoveFlag::Capture);
        self.targets(from, targets & !them, MoveFlag::Quiet);
    }

    /// Pawn moves to each of `targets`, each from the square `step` index steps before it.
    fn pawns(&mut self, targets: Bitboard, step: i8, flag: MoveFlag);
}

impl MoveSink for MoveList {
    #[inline(always)]
    fn targets(&mut self, from: Square, targets: Bitboard, flag: MoveFlag) {
        self.extend_with(targets, |to| Move::new(from, to, flag));
    }

    #[inline(always)]
    fn mixed_targets(&mut self, from: Square, targets: Bitboard, them: Bitboard) {
        self.extend_with(targets, |to| {
            let flag = if them.contains(to) { MoveFlag::Capture } else { MoveFlag::Quiet };
            Move::new(from, to, flag)
        });
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: i8, flag: MoveFlag) {
        self.extend_with(targets, |to| Move::new(to.step(-step), to, flag));
    }
}

/// Counts moves without listing them.
#[derive(Clone, Copy, Debug, Default)]
pub struct MoveCounter(pub u64);

impl MoveSink for MoveCounter {
    #[inline(always)]
    fn targets(&mut self, _from: Square, targets: Bitboard, _flag: MoveFlag) {
        self.0 += u64::from(targets.len());
    }

    #[inline(always)]
    fn mixed_targets(&mut self, _from: Square, targets: Bitboard, _them: Bitboard) {
        self.0 += u64::from(targets.len());
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _step: i8, _flag: MoveFlag) {
        self.0 += u64::from(targets.len());
    }
}

impl Position {
    /// Sends all legal moves to `sink`.
    #[inline]
    pub fn generate_all(&self, sink: &mut impl MoveSink) {
        generate::<true, true, _>(self, sink);
    }

    /// Sends the legal captures and queen promotions to `sink`.
    #[inline]
    pub fn generate_noisy(&self, sink: &mut impl MoveSink) {
        generate::<true, false, _>(self, sink);
    }

    /// Sends the legal moves that [`Self::generate_noisy`] leaves out to `sink`.
    #[inline]
    pub fn generate_quiet(&self, sink: &mut impl MoveSink) {
        generate::<false, true, _>(self, sink);
    }

    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate_all(&mut moves);
        moves
    }

    /// Number of legal moves.
    #[inline]
    pub fn count_legal_moves(&self) -> u64 {
        let mut counter = MoveCounter::default();
        self.generate_all(&mut counter);
        counter.0
    }
}

/// Whether the side to move has a legal move.
pub(crate) fn has_legal_move(position: &Position) -> bool {
    position.count_legal_moves() != 0
}

#[inline(always)]
fn generate<const NOISY: bool, const QUIET: bool, S: MoveSink>(position: &Position, sink: &mut S) {
    king_moves::<NOISY, QUIET, S>(position, sink);
    if position.checkers().more_than_one() {
        return;
    }
    if position.side_to_move() == Colour::White {
        pawn_moves::<NOISY, QUIET, true, S>(position, sink);
    } else {
        pawn_moves::<NOISY, QUIET, false, S>(position, sink);
    }
    piece_moves::<NOISY, QUIET, S>(position, sink);
    if QUIET && !position.in_check() {
        castling_moves(position, sink);
    }
}

/// Sends the targets of one man, split into captures and quiet moves.
#[inline(always)]
fn split<const NOISY: bool, const QUIET: bool, S: MoveSink>(
    position: &Position,
    from: Square,
    targets: Bitboard,
    sink: &mut S,
) {
    let them = position.colour(!position.side_to_move());
    match (NOISY, QUIET) {
        (true, true) => sink.mixed_targets(from, targets, them),
        (true, false) => sink.targets(from, targets & them, MoveFlag::Capture),
        _ => sink.targets(from, targets & !them, MoveFlag::Quiet),
    }
}

#[inline(always)]
fn king_moves<const NOISY: bool, const QUIET: bool, S: MoveSink>(
    position: &Position,
    sink: &mut S,
) {
    let us = position.side_to_move();
    let king = position.king(us);
    let targets = king_attacks(king) & !position.colour(us) & !position.threats();
    split::<NOISY, QUIET, S>(position, king, targets, sink);
}

fn castling_moves<S: MoveSink>(position: &Position, sink: &mut S) {
    let us = position.side_to_move();
    let king = position.king(us);
    for rook in position.castling_rooks() & position.colour(us) {
        if position.castling_is_legal(rook) {
            let flag =
                if rook > king { MoveFlag::CastleKingSide } else { MoveFlag::CastleQueenSide };
            sink.targets(king, Bitboard::from(rook), flag);
        }
    }
}

#[inline(always)]
fn piece_moves<const NOISY: bool, const QUIET: bool, S: MoveSink>(
    position: &Position,
    sink: &mut S,
) {
    let us = position.side_to_move();
    let king = position.king(us);
    let pinned = position.pinned();
    let occupied = position.occupied();
    let mut allowed = position.check_mask() & !position.colour(us);
    if !QUIET {
        allowed &= position.colour(!us);
    }
    for knight in position.pieces(us, PieceType::Knight) & !pinned {
        split::<NOISY, QUIET, S>(position, knight, knight_attacks(knight) & allowed, sink);
    }
    let diagonal = position.diagonal_sliders(us);
    let straight = position.straight_sliders(us);
    for from in diagonal & !pinned {
        split::<NOISY, QUIET, S>(position, from, bishop_attacks(from, occupied) & allowed, sink);
    }
    for from in straight & !pinned {
        split::<NOISY, QUIET, S>(position, from, rook_attacks(from, occupied) & allowed, sink);
    }
    for from in diagonal & pinned {
        let targets = bishop_attacks(from, occupied) & allowed & line(king, from);
        split::<NOISY, QUIET, S>(position, from, targets, sink);
    }
    for from in straight & pinned {
        let targets = rook_attacks(from, occupied) & allowed & line(king, from);
        split::<NOISY, QUIET, S>(position, from, targets, sink);
    }
}

#[inline(always)]
fn pawn_moves<const NOISY: bool, const QUIET: bool, const WHITE: bool, S: MoveSink>(
    position: &Position,
    sink: &mut S,
) {
    let us = if WHITE { Colour::White } else { Colour::Black };
    let up = us.up();
    let king = position.king(us);
    let pawns = position.pieces(us, PieceType::Pawn);
    let free = !position.pinned();
    let empty = !position.occupied();
    let them = position.colour(!us);
    let check_mask = position.check_mask();
    let last_rank = Bitboard::rank(us.relative_rank(Rank::R8));

    // A pinned pawn is on a line with its king, so it may push on the king's file
    // and capture along the king's diagonal.
    let pushers = pawns & (free | Bitboard::file(king.file()));
    let single = pushers.shift(up) & empty;
    let third_rank = Bitboard::rank(us.relative_rank(Rank::R3));
    let double = (single & third_rank).shift(up) & empty & check_mask;
    let single = single & check_mask;
    if QUIET {
        sink.pawns(single & !last_rank, up, MoveFlag::Quiet);
        sink.pawns(double, 2 * up, MoveFlag::DoublePush);
    }
    promotions::<NOISY, QUIET, false, S>(single & last_rank, up, sink);
    if !NOISY {
        return;
    }
    for (side, edge) in [(-1, File::A), (1, File::H)] {
        let step = up + side;
        let hitters = pawns & (free | king_diagonal(king, step)) & !Bitboard::file(edge);
        let captures = hitters.shift(step) & them & check_mask;
        sink.pawns(captures & !last_rank, step, MoveFlag::Capture);
        promotions::<NOISY, QUIET, true, S>(captures & last_rank, step, sink);
    }
    if let Some(to) = position.en_passant() {
        for from in pawn_attacks(!us, to) & pawns {
            if position.en_passant_is_safe(from, to) {
                sink.targets(from, Bitboard::from(to), MoveFlag::EnPassant);
            }
        }
    }
}

/// The diagonal through the king that runs in the direction of a pawn's capture.
#[inline(always)]
fn king_diagonal(king: Square, step: i8) -> Bitboard {
    let rising = matches!(step, 9 | -9);
    KING_DIAGONALS[rising as usize][king.index()]
}

static KING_DIAGONALS: [[Bitboard; 64]; 2] = [diagonals(false), diagonals(true)];

const fn diagonals(rising: bool) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            let same_rising = b % 8 + a / 8 == a % 8 + b / 8;
            let same_falling = b % 8 + b / 8 == a % 8 + a / 8;
            if (rising && same_rising) || (!rising && same_falling) {
                table[a].0 |= 1 << b;
            }
            b += 1;
        }
        a += 1;
    }
    table
}

/// Queen promotions and all promotion captures are noisy, other promotions quiet.
#[inline(always)]
fn promotions<const NOISY: bool, const QUIET: bool, const CAPTURE: bool, S: MoveSink>(
    targets: Bitboard,
    step: i8,
    sink: &mut S,
) {
    if targets.is_empty() {
        return;
    }
    if NOISY {
        sink.pawns(targets, step, MoveFlag::promotion(PieceType::Queen, CAPTURE));
    }
    if (CAPTURE && NOISY) || (!CAPTURE && QUIET) {
        for piece_type in [PieceType::Knight, PieceType::Rook, PieceType::Bishop] {
            sink.pawns(targets, step, MoveFlag::promotion(piece_type, CAPTURE));
        }
    }
}

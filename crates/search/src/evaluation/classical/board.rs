//! What both sides attack: shared by all terms.

use kaiyo_chess::attacks::{king_attacks, pawn_attacks_from_set};
use kaiyo_chess::{Bitboard, Colour, File, PieceType, Position, Rank, Square};

/// What one side has on the board and attacks.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub pawns: Bitboard,
    pub king: Square,
    /// The king's square, those next to it and those before them.
    pub king_ring: Bitboard,
    /// Squares attacked by men of each type.
    pub attacks: [Bitboard; 6],
    /// Squares attacked by any man.
    pub all_attacks: Bitboard,
    /// Squares attacked by two men or more.
    pub double_attacks: Bitboard,
    /// Squares whose reach counts as mobility.
    pub mobility_area: Bitboard,
    /// Squares that own pawns attack now or can attack after advancing.
    pub attack_span: Bitboard,
    /// Attack on the enemy king.
    pub attack_units: u32,
}

/// A position with the facts that several terms need.
pub(super) struct Board<'a> {
    pub position: &'a Position,
    pub occupied: Bitboard,
    pub sides: [Side; 2],
}

impl<'a> Board<'a> {
    /// Collects what does not depend on the pieces; those add their attacks as they are visited.
    #[inline(always)]
    pub fn new(position: &'a Position) -> Self {
        let white = Side::new(position, Colour::White);
        let black = Side::new(position, Colour::Black);
        let mut board = Self { position, occupied: position.occupied(), sides: [white, black] };
        board.set_mobility_area(Colour::White);
        board.set_mobility_area(Colour::Black);
        board
    }

    #[inline(always)]
    fn set_mobility_area(&mut self, us: Colour) {
        let enemy_pawn_attacks = self.side(!us).attacks[PieceType::Pawn.index()];
        let side = &mut self.sides[us.index()];
        let blocked = side.pawns & self.occupied.shift(-us.up());
        let undeveloped = side.pawns
            & (Bitboard::rank(us.relative_rank(Rank::R2))
                | Bitboard::rank(us.relative_rank(Rank::R3)));
        side.mobility_area =
            !(enemy_pawn_attacks | blocked | undeveloped | Bitboard::from(side.king));
    }

    #[inline(always)]
    pub fn side(&self, colour: Colour) -> &Side {
        &self.sides[colour.index()]
    }

    /// Second half of the tables that depend on whose move it is.
    #[inline(always)]
    pub fn own_move(&self, us: Colour) -> usize {
        usize::from(self.position.side_to_move() == us)
    }
}

impl Side {
    #[inline(always)]
    fn new(position: &Position, us: Colour) -> Self {
        let pawns = position.pieces(us, PieceType::Pawn);
        let king = position.king(us);
        let near_king = king_attacks(king);
        let pawn_attacks = pawn_attacks_from_set(us, pawns);
        let ring = near_king | Bitboard::from(king);
        let mut attacks = [Bitboard::EMPTY; 6];
        attacks[PieceType::Pawn.index()] = pawn_attacks;
        attacks[PieceType::King.index()] = near_king;
        Self {
            pawns,
            king,
            king_ring: ring | ring.shift(us.up()),
            attacks,
            all_attacks: pawn_attacks | near_king,
            double_attacks: pawn_attacks & near_king | pawn_double_attacks(us, pawns),
            mobility_area: Bitboard::EMPTY,
            attack_span: fill(us, pawn_attacks),
            attack_units: 0,
        }
    }

    /// Adds the attacks of one piece.
    #[inline(always)]
    pub fn add_attacks(&mut self, piece_type: PieceType, attacks: Bitboard) {
        self.double_attacks |= self.all_attacks & attacks;
        self.all_attacks |= attacks;
        self.attacks[piece_type.index()] |= attacks;
    }
}

/// Squares attacked by two pawns.
#[inline(always)]
fn pawn_double_attacks(us: Colour, pawns: Bitboard) -> Bitboard {
    let west = (pawns & !Bitboard::file(File::A)).shift(us.up() - 1);
    let east = (pawns & !Bitboard::file(File::H)).shift(us.up() + 1);
    west & east
}

/// The squares and all those before them, as `us` looks.
#[inline(always)]
pub(super) fn fill(us: Colour, mut set: Bitboard) -> Bitboard {
    set |= set.shift(us.up());
    set |= set.shift(2 * us.up());
    set | set.shift(4 * us.up())
}

/// All squares before the squares, as `us` looks.
#[inline(always)]
pub(super) fn front(us: Colour, set: Bitboard) -> Bitboard {
    fill(us, set).shift(us.up())
}

/// The squares to the left and to the right.
#[inline(always)]
pub(super) fn beside(set: Bitboard) -> Bitboard {
    (set & !Bitboard::file(File::A)).shift(-1) | (set & !Bitboard::file(File::H)).shift(1)
}

/// The rank of a square as `us` counts, from 0.
#[inline(always)]
pub(super) fn relative_rank(us: Colour, square: Square) -> usize {
    (square.index() >> 3) ^ (us.index() * 7)
}

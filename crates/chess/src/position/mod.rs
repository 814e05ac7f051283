//! A chess position and the questions one can ask it.

mod attack_info;
mod draws;
mod fen;
mod legality;
mod make;
mod setup;

pub use draws::FIFTY_MOVES;
pub use fen::{FenError, FenField, FenStyle, START_FEN};
pub(crate) use make::CastlingSquares;
pub use setup::{Setup, SetupError};

use crate::attacks::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks};
use crate::bitboard::Bitboard;
use crate::piece::{Colour, Piece, PieceType};
use crate::square::Square;
use crate::zobrist;

/// Zobrist keys of a position and of parts of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    /// Everything that distinguishes positions: men, side to move, castling and en passant.
    pub full: u64,
    /// Pawns of both colours.
    pub pawn: u64,
    /// Knights, bishops and kings of both colours.
    pub minor: u64,
    /// The men other than pawns, by colour.
    pub non_pawn: [u64; 2],
}

impl Keys {
    /// For each man all bits of the keys it enters.
    const MASKS: [Self; 12] = {
        let mut masks = [Self { full: !0, pawn: 0, minor: 0, non_pawn: [0; 2] }; 12];
        let mut index = 0;
        while index < masks.len() {
            let mask = &mut masks[index];
            let piece = Piece::ALL[index];
            match piece.piece_type() {
                PieceType::Pawn => mask.pawn = !0,
                PieceType::Knight | PieceType::Bishop | PieceType::King => mask.minor = !0,
                PieceType::Rook | PieceType::Queen => {}
            }
            if !matches!(piece.piece_type(), PieceType::Pawn) {
                mask.non_pawn[piece.colour() as usize] = !0;
            }
            index += 1;
        }
        masks
    };

    /// Enters or removes the number of a man on a square, in the keys this man belongs to.
    ///
    /// By masks, since a branch on the kind of man is hard to predict.
    #[inline(always)]
    fn toggle(&mut self, piece: Piece, number: u64) {
        static MASKS: [Keys; 12] = Keys::MASKS;
        let mask = &MASKS[piece.index()];
        self.full ^= number;
        self.pawn ^= number & mask.pawn;
        self.minor ^= number & mask.minor;
        self.non_pawn[0] ^= number & mask.non_pawn[0];
        self.non_pawn[1] ^= number & mask.non_pawn[1];
    }
}

/// A legal chess position: men, side to move, castling rights, en passant and clocks.
///
/// Made by copying (see [`Position::make`]). Checkers, pins and the opponent's attacks are
/// computed once, when the position comes into being.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    by_type: [Bitboard; 6],
    by_colour: [Bitboard; 2],
    mailbox: [Option<Piece>; 64],
    keys: Keys,
    checkers: Bitboard,
    pinned: Bitboard,
    threats: Bitboard,
    castling_rooks: Bitboard,
    halfmove_clock: u16,
    fullmove_number: u16,
    en_passant: Option<Square>,
    side_to_move: Colour,
}

impl Position {
    /// The side whose turn it is.
    #[inline(always)]
    pub const fn side_to_move(&self) -> Colour {
        self.side_to_move
    }

    /// All men of `colour`.
    #[inline(always)]
    pub const fn colour(&self, colour: Colour) -> Bitboard {
        self.by_colour[colour as usize]
    }

    /// All men of `piece_type` of both colours.
    #[inline(always)]
    pub const fn piece_type(&self, piece_type: PieceType) -> Bitboard {
        self.by_type[piece_type as usize]
    }

    /// The men of this colour and type.
    #[inline(always)]
    pub fn pieces(&self, colour: Colour, piece_type: PieceType) -> Bitboard {
        self.colour(colour) & self.piece_type(piece_type)
    }

    /// Bishops and queens of `colour`.
    #[inline(always)]
    pub fn diagonal_sliders(&self, colour: Colour) -> Bitboard {
        self.colour(colour)
            & (self.piece_type(PieceType::Bishop) | self.piece_type(PieceType::Queen))
    }

    /// Rooks and queens of `colour`.
    #[inline(always)]
    pub fn straight_sliders(&self, colour: Colour) -> Bitboard {
        self.colour(colour) & (self.piece_type(PieceType::Rook) | self.piece_type(PieceType::Queen))
    }

    /// Knights, bishops, rooks and queens of `colour`.
    #[inline(always)]
    pub fn non_pawn_material(&self, colour: Colour) -> Bitboard {
        self.colour(colour) & !(self.piece_type(PieceType::Pawn) | self.piece_type(PieceType::King))
    }

    /// All men on the board.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.by_colour[0] | self.by_colour[1]
    }

    /// The man on `square`.
    #[inline(always)]
    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        self.mailbox[square as usize]
    }

    /// The square of the king of `colour`.
    #[inline(always)]
    pub fn king(&self, colour: Colour) -> Square {
        self.pieces(colour, PieceType::King).first_unchecked()
    }

    /// Men of the opponent that give check.
    #[inline(always)]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub const fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// Men of the side to move that shield their king from a slider.
    #[inline(always)]
    pub const fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// Squares the opponent attacks, looking through the king of the side to move.
    #[inline(always)]
    pub const fn threats(&self) -> Bitboard {
        self.threats
    }

    /// The rooks with which castling is still allowed, of both colours.
    #[inline(always)]
    pub const fn castling_rooks(&self) -> Bitboard {
        self.castling_rooks
    }

    /// The square a pawn can capture en passant on. Set only if such a capture is legal.
    #[inline(always)]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Half-moves since the last capture or pawn move.
    #[inline(always)]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// Number of the current move as a game score counts, from 1.
    #[inline(always)]
    pub const fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// Half-moves of the game before this position, by its move number.
    #[inline(always)]
    pub const fn game_ply(&self) -> u32 {
        2 * (self.fullmove_number as u32).saturating_sub(1) + self.side_to_move as u32
    }

    /// The Zobrist key of the position; clocks do not enter it.
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        self.keys.full
    }

    /// The Zobrist keys of the position and its parts.
    #[inline(always)]
    pub const fn keys(&self) -> &Keys {
        &self.keys
    }

    /// Men of both colours that attack `square` on a board occupied by `occupied`.
    #[inline]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let diagonal = self.piece_type(PieceType::Bishop) | self.piece_type(PieceType::Queen);
        let straight = self.piece_type(PieceType::Rook) | self.piece_type(PieceType::Queen);
        pawn_attacks(Colour::White, square) & self.pieces(Colour::Black, PieceType::Pawn)
            | pawn_attacks(Colour::Black, square) & self.pieces(Colour::White, PieceType::Pawn)
            | knight_attacks(square) & self.piece_type(PieceType::Knight)
            | king_attacks(square) & self.piece_type(PieceType::King)
            | bishop_attacks(square, occupied) & diagonal
            | rook_attacks(square, occupied) & straight
    }

    /// The keys computed from the board, to check the incremental ones.
    pub fn keys_from_scratch(&self) -> Keys {
        let mut keys = Keys::default();
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                keys.toggle(piece, zobrist::piece(piece, square));
            }
        }
        keys.full ^= zobrist::castling(self.castling_rooks);
        if let Some(square) = self.en_passant {
            keys.full ^= zobrist::en_passant(square.file());
        }
        if self.side_to_move == Colour::Black {
            keys.full ^= zobrist::black_to_move();
        }
        keys
    }

    #[inline(always)]
    fn toggle(&mut self, piece: Piece, squares: Bitboard, number: u64) {
        self.by_type[piece.piece_type().index()] ^= squares;
        self.by_colour[piece.colour().index()] ^= squares;
        self.keys.toggle(piece, number);
    }

    /// Puts a man on an empty square.
    #[inline(always)]
    fn put(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, Bitboard::from(square), zobrist::piece(piece, square));
        self.mailbox[square.index()] = Some(piece);
    }

    /// Takes a man off its square.
    #[inline(always)]
    fn take(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, Bitboard::from(square), zobrist::piece(piece, square));
        self.mailbox[square.index()] = None;
    }

    /// Carries a man to an empty square.
    #[inline(always)]
    fn carry(&mut self, piece: Piece, from: Square, to: Square) {
        let number = zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
        self.toggle(piece, Bitboard::from(from) | Bitboard::from(to), number);
        self.mailbox[from.index()] = None;
        self.mailbox[to.index()] = Some(piece);
    }
}

impl core::fmt::Debug for Position {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Position({self})")
    }
}

impl Default for Position {
    /// The start position of standard chess.
    fn default() -> Self {
        Self::start()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which keys change with a White move: pawn, minor, white and black non-pawn.
    fn changed(fen: &str, uci: &str) -> [bool; 4] {
        let before = Position::from_fen(fen).expect(fen);
        let after = before.make(before.parse_uci_move(uci).expect(uci));
        let (old, new) = (before.keys(), after.keys());
        assert_ne!(old.full, new.full);
        [
            old.pawn != new.pawn,
            old.minor != new.minor,
            old.non_pawn[0] != new.non_pawn[0],
            old.non_pawn[1] != new.non_pawn[1],
        ]
    }

    #[test]
    fn each_man_enters_the_keys_of_its_kind() {
        let fen = "1r2k3/P1n5/8/8/1B6/8/8/R3KQ1R w - - 0 1";
        assert_eq!(changed(fen, "b4c5"), [false, true, true, false]);
        assert_eq!(changed(fen, "a1a2"), [false, false, true, false]);
        assert_eq!(changed(fen, "f1f2"), [false, false, true, false]);
        assert_eq!(changed(fen, "e1e2"), [false, true, true, false]);
        assert_eq!(changed(fen, "a7a8n"), [true, true, true, false]);
        assert_eq!(changed(fen, "a7b8q"), [true, false, true, true]);
        let fen = "4k3/8/8/3n4/2P5/8/8/4K3 w - - 0 1";
        assert_eq!(changed(fen, "c4c5"), [true, false, false, false]);
        assert_eq!(changed(fen, "c4d5"), [true, true, false, true]);
    }

    #[test]
    fn a_position_is_small_enough_to_copy() {
        assert!(size_of::<Position>() <= 224);
    }
}

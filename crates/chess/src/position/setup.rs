//! Building positions from their parts, with validation.

use super::{Keys, Position};
use crate::bitboard::Bitboard;
use crate::piece::{Colour, Piece, PieceType};
use crate::square::{File, Rank, Square};
use crate::zobrist;
use core::fmt;

/// Most men a game of chess can have on the board.
const MAX_MEN: u32 = 32;

/// The parts of a position, not yet checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The man on each square, a1 first.
    pub board: [Option<Piece>; 64],
    /// Whose turn it is.
    pub side_to_move: Colour,
    /// Rooks with which castling is allowed. Rights that cannot exist are dropped.
    pub castling_rooks: Bitboard,
    /// The square behind a pawn that has just made a double push. Dropped when no legal
    /// en passant capture exists.
    pub en_passant: Option<Square>,
    /// Half-moves since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// Number of the move, from 1.
    pub fullmove_number: u16,
}

/// Why the parts make no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// A side has no king or several.
    KingCount(Colour, u32),
    /// More than 32 men.
    TooManyMen(u32),
    /// A pawn stands on the first or last rank.
    PawnOnBackRank(Square),
    /// The side that is not to move stands in check.
    OpponentInCheck(Colour),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::KingCount(colour, count) => {
                write!(f, "{colour:?} has {count} kings, expected 1")
            }
            Self::TooManyMen(count) => write!(f, "{count} men on the board, at most 32 can be"),
            Self::PawnOnBackRank(square) => write!(f, "a pawn cannot stand on {square}"),
            Self::OpponentInCheck(colour) => {
                write!(f, "{colour:?} is in check but not to move")
            }
        }
    }
}

impl core::error::Error for SetupError {}

impl Setup {
    /// An empty board with White to move.
    pub const EMPTY: Self = Self {
        board: [None; 64],
        side_to_move: Colour::White,
        castling_rooks: Bitboard::EMPTY,
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };

    /// The castling rights that king and rooks on the board allow: the king on its back rank,
    /// at most one rook, the outermost, on each side of it.
    fn possible_castling_rooks(&self, position: &Position) -> Bitboard {
        let mut possible = Bitboard::EMPTY;
        for colour in Colour::ALL {
            let king = position.king(colour);
            if king.rank() != colour.back_rank() {
                continue;
            }
            let rooks = self.castling_rooks
                & position.pieces(colour, PieceType::Rook)
                & Bitboard::rank(colour.back_rank());
            let queen_side = rooks.into_iter().find(|&rook| rook < king);
            let king_side = rooks.into_iter().filter(|&rook| rook > king).last();
            possible |= queen_side.into_iter().chain(king_side).collect();
        }
        possible
    }

    /// Whether a double push of the opponent could have passed `square`.
    fn double_push_passed(&self, square: Square) -> bool {
        let us = self.side_to_move;
        let on = |square: Square| self.board[square.index()];
        us.relative_rank(square.rank()) == Rank::R6
            && on(square).is_none()
            && on(square.step(us.up())).is_none()
            && on(square.step(-us.up())) == Some(Piece::new(!us, PieceType::Pawn))
    }
}

impl Position {
    /// Builds a position, or says which rule its parts break.
    ///
    /// # Errors
    /// [`SetupError`] for anything that move generation could not live with. Castling rights
    /// and en passant squares that cannot be used are dropped without an error.
    pub fn from_setup(setup: &Setup) -> Result<Self, SetupError> {
        let mut position = Self {
            by_type: [Bitboard::EMPTY; 6],
            by_colour: [Bitboard::EMPTY; 2],
            mailbox: [None; 64],
            keys: Keys::default(),
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            threats: Bitboard::EMPTY,
            castling_rooks: Bitboard::EMPTY,
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number.max(1),
            en_passant: None,
            side_to_move: setup.side_to_move,
        };
        for square in Square::ALL {
            if let Some(piece) = setup.board[square.index()] {
                position.put(piece, square);
            }
        }
        position.validate()?;
        if position.side_to_move == Colour::Black {
            position.keys.full ^= zobrist::black_to_move();
        }
        position.castling_rooks = setup.possible_castling_rooks(&position);
        position.keys.full ^= zobrist::castling(position.castling_rooks);
        position.refresh_attack_info();
        if let Some(square) = setup.en_passant
            && setup.double_push_passed(square)
        {
            position.offer_en_passant(square);
        }
        Ok(position)
    }

    /// The parts of this position.
    pub fn to_setup(&self) -> Setup {
        Setup {
            board: self.mailbox,
            side_to_move: self.side_to_move,
            castling_rooks: self.castling_rooks,
            en_passant: self.en_passant,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        }
    }

    /// This position without the castling rights that only Chess960 has: those of a king that is not on
    /// the e-file and of rooks that are in no corner.
    #[must_use]
    pub fn with_standard_castling(&self) -> Self {
        let mut standard = Bitboard::EMPTY;
        for colour in Colour::ALL {
            if self.king(colour).file() == File::E {
                let rank = colour.back_rank();
                standard |= Bitboard::from(Square::new(File::A, rank));
                standard |= Bitboard::from(Square::new(File::H, rank));
            }
        }
        let mut position = *self;
        position.castling_rooks &= standard;
        position.keys.full ^= zobrist::castling(self.castling_rooks);
        position.keys.full ^= zobrist::castling(position.castling_rooks);
        position
    }

    fn validate(&self) -> Result<(), SetupError> {
        for colour in Colour::ALL {
            let kings = self.king_count(colour);
            if kings != 1 {
                return Err(SetupError::KingCount(colour, kings));
            }
        }
        let men = self.occupied().len();
        if men > MAX_MEN {
            return Err(SetupError::TooManyMen(men));
        }
        let misplaced = self.piece_type(PieceType::Pawn) & Bitboard::BACK_RANKS;
        if let Some(square) = misplaced.first() {
            return Err(SetupError::PawnOnBackRank(square));
        }
        if self.opponent_in_check() {
            return Err(SetupError::OpponentInCheck(!self.side_to_move));
        }
        Ok(())
    }
}

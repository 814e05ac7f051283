//! The rules of chess, Chess960 and double Fischer random included.
//!
//! [`Position`] is a small `Copy` value made by copying: `let next = position.make(mv)`.
//! Move generation is fully legal. Castling is the king taking its own rook, so that no variant
//! is special. The crate has no dependency and no state besides compile-time tables.

pub mod attacks;
mod bitboard;
mod chess960;
mod game;
mod move_error;
mod movegen;
mod moves;
mod perft;
mod piece;
mod position;
mod quiet_checks;
mod quote;
mod random;
mod reversible;
mod san;
mod square;
mod uci_text;
mod zobrist;

pub use bitboard::Bitboard;
pub use game::{Game, GameEnd, IllegalMove};
pub use move_error::{IllegalReason, MoveText, ParseMoveError};
pub use movegen::{MoveCounter, MoveSink};
pub use moves::{MAX_MOVES, Move, MoveFlag, MoveList};
pub use perft::{perft, perft_divide};
pub use piece::{Colour, Piece, PieceType};
pub use position::{
    FIFTY_MOVES, FenError, FenField, FenStyle, Keys, Position, START_FEN, Setup, SetupError,
};
pub use quote::{Quoted, quote};
pub use random::{KeyHasher, Random, split_mix, unit};
pub use reversible::{reversible_move, turn_difference};
pub use square::{File, ParseSquareError, Rank, Square};
pub use uci_text::CastlingNotation;

//! What the transformer reads: moves, the board, and what is known of the players.
//!
//! # Vocabulary
//!
//! There are [`VOCABULARY`] = 72 x 64 tokens. A token is `plane * 64 + square`, where squares are
//! numbered a1 = 0, b1 = 1, ... h8 = 63 and the board is seen from the side that moves: for Black
//! ranks are flipped, so that both colours share everything.
//!
//! | planes | squares | meaning |
//! |---|---|---|
//! | 0-55 | any | a move from that square: plane = 7 * direction + distance - 1, with the directions north, north-east, east, south-east, south, south-west, west, north-west; north is forward. Castling is the king taking its own rook. A pawn that reaches the last rank becomes a queen. |
//! | 56-63 | any | a knight's move: (file, rank) steps (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2) |
//! | 64-66 | a7-h7 | promotion to a knight: to the left, straight, to the right |
//! | 67-69 | a7-h7 | promotion to a bishop, likewise |
//! | 70-71 | a7-h7 | promotion to a rook: to the left, to the right |
//! | 70 | a1-h1 | promotion to a rook straight from the seventh rank of that file |
//!
//! No two legal moves of a position share a token.
//!
//! # Control tokens
//!
//! Under-promotions need the squares of the seventh rank alone. Three free ranges of cells say
//! what is known before the first move:
//!
//! | tokens | cells | meaning |
//! |---|---|---|
//! | 4096 | plane 64, a1 | start of a game |
//! | 4097-4102 | plane 64, b1-g1 | class of the time control: unknown, bullet, blitz, rapid, classical, correspondence |
//! | 4160 | plane 65, a1 | the first player: nothing is known |
//! | 4161 | plane 65, b1 | the first player: an engine |
//! | 4162-4194 | plane 65, c1-c5 | the first player: a human rated 400, 500, ... 3600 |
//! | 4224-4258 | plane 66, a1-c5 | the second player, in the same order |
//!
//! All other cells are free. The first player is the one who moves first in the sequence, which
//! is Black where the start position has Black to move. A time control of base time plus 40
//! increments is bullet below 180 seconds, blitz below 480, rapid below 1500, else classical.
//!
//! # Sequences
//!
//! A sequence ([`steps`]) is: start of game, first player, second player, time control, then the
//! moves. The last control token and every move come with the board after them ([`BoardFeatures`]),
//! so that a position without history is a sequence of four steps. The output at a step is about
//! the next move.

mod board;
mod control;
mod moves;
mod sequence;
mod text;

pub use board::{BOARD_FEATURES, BoardFeatures};
pub use control::{Conditions, Player, Rating, TimeControl};
pub use moves::{Token, VOCABULARY};
pub use sequence::{CONTROL_STEPS, Step, steps};
pub use text::{GameLineError, parse_game};

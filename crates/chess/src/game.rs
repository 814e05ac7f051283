//! A game: a start position and the moves played from it.

use crate::movegen::has_legal_move;
use crate::moves::Move;
use crate::position::Position;

/// A start position with the moves played from it, and the keys needed to see repetitions.
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    current: Position,
    moves: Vec<Move>,
    /// Key of every position before the current one, oldest first.
    keys: Vec<u64>,
}

/// How the rules end a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnd {
    /// The side to move is in check and has no legal move: it has lost.
    Checkmate,
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// No side can mate.
    InsufficientMaterial,
    /// Fifty moves of each side without a capture or pawn move.
    FiftyMoves,
    /// The third time on the board.
    Repetition,
}

/// The move is not legal in the current position of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove(pub Move);

impl core::fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "illegal move {}{}", self.0.from(), self.0.to())
    }
}

impl core::error::Error for IllegalMove {}

impl Game {
    /// A game without moves yet.
    pub fn new(start: Position) -> Self {
        Self { start, current: start, moves: Vec::new(), keys: Vec::new() }
    }

    /// Plays a move.
    ///
    /// # Errors
    /// [`IllegalMove`] when the move is not legal; the game is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.current.is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        self.push(mv);
        Ok(())
    }

    /// Plays a move known to be legal.
    pub(crate) fn push(&mut self, mv: Move) {
        self.keys.push(self.current.key());
        self.moves.push(mv);
        self.current = self.current.make(mv);
    }

    /// The position the game started from.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The position after all moves.
    pub const fn position(&self) -> &Position {
        &self.current
    }

    /// The moves played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Keys of the positions before the current one, oldest first.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// How the rules have ended the game, if they have. Repetitions and fifty moves need no claim.
    pub fn end(&self) -> Option<GameEnd> {
        let position = &self.current;
        if !has_legal_move(position) {
            return Some(if position.in_check() { GameEnd::Checkmate } else { GameEnd::Stalemate });
        }
        if position.is_insufficient_material() {
            return Some(GameEnd::InsufficientMaterial);
        }
        if position.is_fifty_move_draw() {
            return Some(GameEnd::FiftyMoves);
        }
        (self.repetitions() >= 3).then_some(GameEnd::Repetition)
    }

    /// How often the current position has been on the board, this time included.
    pub fn repetitions(&self) -> usize {
        let reversible = usize::from(self.current.halfmove_clock());
        let key = self.current.key();
        1 + self.keys.iter().rev().take(reversible).filter(|&&earlier| earlier == key).count()
    }
}

impl Default for Game {
    fn default() -> Self {
        Self::new(Position::start())
    }
}

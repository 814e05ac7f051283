//! A game: a start position and the moves played from it.

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

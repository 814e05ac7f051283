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

#[cfg(test)]
mod tests {
    use super::*;

    fn game(fen: &str, moves: &[&str]) -> Game {
        let mut game = Game::new(Position::from_fen(fen).expect(fen));
        for mv in moves {
            game.play_uci(mv).expect(mv);
        }
        game
    }

    /// How often the last position has been there after so many rounds of the same four moves.
    fn repetitions(fen: &str, round: [&str; 4]) -> [usize; 4] {
        [0, 1, 2, 3].map(|rounds| game(fen, &round.repeat(rounds)).repetitions())
    }

    #[test]
    fn positions_with_other_rights_are_others() {
        let kings = ["e1d1", "e8d8", "d1e1", "d8e8"];
        assert_eq!(repetitions("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", kings), [1, 2, 3, 4]);
        assert_eq!(repetitions("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", kings), [1, 1, 2, 3]);
        // The rook alone loses one right of two.
        let rooks = ["h1g1", "e8d8", "g1h1", "d8e8"];
        assert_eq!(repetitions("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", rooks), [1, 1, 2, 3]);
        let kings = ["e8d8", "e1d1", "d8e8", "d1e1"];
        assert_eq!(repetitions("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", kings), [1, 1, 2, 3]);
        // Nobody can take this pawn in passing.
        assert_eq!(repetitions("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", kings), [1, 2, 3, 4]);
    }

    #[test]
    fn nothing_before_a_pawn_move_is_repeated() {
        let kings = ["e1d1", "e8d8", "d1e1", "d8e8"];
        let moves = [&kings.repeat(2)[..], &["e2e3", "e8d8", "e1d1", "d8e8", "d1e1"]].concat();
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        assert_eq!(game(fen, &moves[..8]).end(), Some(GameEnd::Repetition));
        assert_eq!(game(fen, &moves[..9]).repetitions(), 1);
        assert_eq!(game(fen, &moves).repetitions(), 2);
    }

    #[test]
    fn games_end_by_the_first_rule_that_holds() {
        let late = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80";
        for (fen, moves, end) in [
            (crate::START_FEN, &["f2f3", "e7e5", "g2g4"][..], None),
            (crate::START_FEN, &["f2f3", "e7e5", "g2g4", "d8h4"], Some(GameEnd::Checkmate)),
            (late, &[], None),
            (late, &["a1a2"], Some(GameEnd::FiftyMoves)),
            (late, &["a1a8"], Some(GameEnd::Checkmate)),
            ("7k/8/6K1/8/8/8/8/5Q2 w - - 99 90", &["f1f7"], Some(GameEnd::Stalemate)),
            ("4k3/8/8/8/8/8/4p3/4K3 w - - 99 90", &["e1e2"], Some(GameEnd::InsufficientMaterial)),
            ("4k3/8/8/8/8/8/8/4K1N1 w - - 100 90", &[], Some(GameEnd::InsufficientMaterial)),
        ] {
            assert_eq!(game(fen, moves).end(), end, "{fen} {moves:?}");
        }
    }

    #[test]
    fn an_illegal_move_changes_nothing() {
        let mut game = game(crate::START_FEN, &["e2e4"]);
        let (position, white) = (*game.position(), game.moves()[0]);
        assert_eq!(game.play(white), Err(IllegalMove(white)));
        assert_eq!((*game.position(), game.moves()), (position, &[white][..]));
    }
}

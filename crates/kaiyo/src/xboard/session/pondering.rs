//! Thinking on the opponent's time.

use super::{Mode, Purpose, Session};
use crate::xboard::outcome;
use kaiyo_chess::{Game, Move};
use kaiyo_search::Limits;

/// Positions to visit for a guess of the opponent's move: little beside what is then pondered.
const GUESS_NODES: u64 = 20_000;

impl Session {
    /// Turns pondering on or off. It begins after the engine's next move.
    pub(super) fn set_ponder(&mut self, on: bool) {
        self.ponder = on;
        if let Some(search) = &self.search
            && matches!(search.purpose, Purpose::Guess | Purpose::Ponder(_))
            && !on
        {
            self.abort();
        }
        // The engine waits for searches before it changes.
        if self.search.is_none() {
            self.parts.engine.set_ponder(on);
        }
    }

    /// Searches for the answer to the move that the opponent is expected to make, or before that
    /// for a move to expect, if the client lets the engine ponder.
    pub(super) fn start_pondering(&mut self) {
        let Mode::Play(side) = self.mode else { return };
        let is_own_turn = side == self.game.position().side_to_move();
        if !self.ponder || self.search.is_some() || is_own_turn {
            return;
        }
        if outcome::result(&self.game).is_some() {
            return;
        }
        let Some(expected) = self.expected else {
            return self.start(Purpose::Guess, self.game.clone(), Limits::nodes(GUESS_NODES));
        };
        let mut game = self.game.clone();
        // The book's answers need no thought, and a ponder hit would do without them.
        if game.play(expected).is_err() || outcome::result(&game).is_some() || self.in_book(&game) {
            return;
        }
        let limits = Limits { ponder: true, ..self.limits_of(&game, side) };
        self.start(Purpose::Ponder(expected), game, limits);
    }

    /// Whether the engine would play from a book at the end of `game`.
    fn in_book(&self, game: &Game) -> bool {
        let settings = self.parts.settings.book;
        settings.own_book && self.parts.books.have_move(settings, game)
    }

    /// Takes a move of the opponent if it is the one that the engine ponders on, whose search then
    /// becomes that of the engine's move.
    pub(super) fn take_ponder_hit(&mut self, mv: Move) -> bool {
        let Some(search) = &mut self.search else { return false };
        if search.purpose != Purpose::Ponder(mv) || self.game.play(mv).is_err() {
            return false;
        }
        search.purpose = Purpose::Move;
        search.started = self.received;
        self.expected = None;
        self.excluded.clear();
        self.show_thinking();
        // The client has told the clocks since the search began, when they were estimates.
        let limits = self.limits_of(&self.game, self.game.position().side_to_move());
        self.parts.engine.ponderhit_with(&limits, self.received);
        true
    }
}

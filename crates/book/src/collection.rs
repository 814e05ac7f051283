//! Counting the moves of games.

use crate::entry::encode;
use crate::key::key;
use crate::statistics::MoveStatistics;
use core::hash::BuildHasherDefault;
use kaiyo_chess::{Colour, KeyHasher, Move, Position};
use std::collections::HashMap;

/// Moves of games with their results, in bounded memory.
pub struct Collection {
    moves: HashMap<(u64, u16), MoveStatistics, BuildHasherDefault<KeyHasher>>,
    capacity: usize,
    forgotten: u32,
}

impl Collection {
    /// A collection of at most `capacity` different moves, some 50 bytes each. When they become
    /// more, those with the fewest games are forgotten.
    pub fn new(capacity: usize) -> Self {
        Self { moves: HashMap::default(), capacity: capacity.max(1), forgotten: 0 }
    }

    /// Adds the first moves of a game. `white_half_points` are 2 when White has won, 1 for a
    /// draw and 0 when White has lost.
    pub fn add(
        &mut self,
        start: Position,
        moves: impl IntoIterator<Item = Move>,
        white_half_points: u32,
    ) {
        let (mut position, mut last_move) = (start, None);
        for mv in moves {
            let half_points = match position.side_to_move() {
                Colour::White => white_half_points,
                Colour::Black => 2 - white_half_points,
            };
            let statistics = self.moves.entry((key(&position, last_move), encode(mv))).or_default();
            *statistics = statistics.plus(MoveStatistics { games: 1, half_points });
            position = position.make(mv);
            last_move = Some(mv);
        }
        let mut games = 0;
        while self.moves.len() > self.capacity {
            games += 1;
            self.moves.retain(|_, statistics| statistics.games > games);
            self.forgotten = self.forgotten.max(games);
        }
    }

    /// What is known of a move, by the key of its position.
    pub fn get(&self, key: u64, mv: Move) -> Option<MoveStatistics> {
        self.moves.get(&(key, encode(mv))).copied()
    }

    /// Number of different moves.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there is no move.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The largest number of games of a move that was forgotten for want of room.
    pub const fn forgotten(&self) -> u32 {
        self.forgotten
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiyo_chess::Game;

    fn add(collection: &mut Collection, moves: &str, white_half_points: u32) {
        let mut game = Game::default();
        moves.split_whitespace().for_each(|mv| game.play_uci(mv).unwrap());
        collection.add(*game.start(), game.moves().iter().copied(), white_half_points);
    }

    fn of_start(collection: &Collection, mv: &str) -> Option<MoveStatistics> {
        let start = Position::start();
        collection.get(key(&start, None), start.parse_uci_move(mv).unwrap())
    }

    #[test]
    fn points_belong_to_the_player_of_the_move() {
        let mut collection = Collection::new(100);
        add(&mut collection, "e2e4 c7c5", 2);
        add(&mut collection, "e2e4 c7c5", 1);
        assert_eq!(
            of_start(&collection, "e2e4"),
            Some(MoveStatistics { games: 2, half_points: 3 })
        );
        let mut game = Game::default();
        game.play_uci("e2e4").unwrap();
        let reply = game.position().parse_uci_move("c7c5").unwrap();
        let key = key(game.position(), game.moves().last().copied());
        let statistics = collection.get(key, reply);
        assert_eq!(statistics, Some(MoveStatistics { games: 2, half_points: 1 }));
        assert_eq!(of_start(&collection, "d2d4"), None);
    }

    #[test]
    fn the_rarest_moves_are_forgotten() {
        let mut collection = Collection::new(3);
        for moves in ["e2e4", "e2e4", "d2d4", "d2d4", "c2c4", "e2e4 e7e5"] {
            add(&mut collection, moves, 1);
        }
        assert_eq!((collection.len(), collection.forgotten()), (2, 1));
        assert_eq!(of_start(&collection, "e2e4").map(|statistics| statistics.games), Some(3));
        assert_eq!(of_start(&collection, "c2c4"), None);
    }
}

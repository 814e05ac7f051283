//! Counting the leaves of the legal move tree (<https://www.chessprogramming.org/Perft>).

use crate::moves::{Move, MoveList};
use crate::position::Position;

/// Number of legal move sequences of `depth` half-moves.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves(),
        _ => {
            let mut moves = MoveList::new();
            position.generate_all(&mut moves);
            let leaves_after = |&mv| {
                let mut next = *position;
                next.make_in_place(mv);
                perft(&next, depth - 1)
            };
            moves.iter().map(leaves_after).sum()
        }
    }
}

/// The share of each legal move in [`perft`], in generation order.
pub fn perft_divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let below = depth.saturating_sub(1);
    position.legal_moves().iter().map(|&mv| (mv, perft(&position.make(mv), below))).collect()
}

//! Draws by the rules, by repetition, and by repetitions that the side to move can bring about.

use super::Worker;
use crate::score::Score;
use kaiyo_chess::{Position, reversible_move, turn_difference};

impl Worker<'_> {
    /// A draw at `ply`: by the contempt worse than equal for the side to move at the root.
    #[inline(always)]
    pub(super) fn certain_draw(&self, ply: usize) -> Score {
        let contempt = if ply.is_multiple_of(2) { -self.contempt } else { self.contempt };
        Score::DRAW + contempt
    }

    /// The same, randomised by a centipawn so that equal lines are not all alike to the search.
    #[inline(always)]
    pub(super) fn draw_score(&self, ply: usize) -> Score {
        self.certain_draw(ply) + (1 - (self.nodes as i32 & 2))
    }

    /// Whether the rules make this a draw, or a repetition that counts as one in a search.
    #[inline]
    pub(super) fn is_draw(&self, position: &Position, ply: usize) -> bool {
        self.is_repetition(position, ply)
            || position.is_fifty_move_draw()
            || position.is_insufficient_material()
    }

    /// Whether the position occurred once after the root, or twice at or before it.
    fn is_repetition(&self, position: &Position, ply: usize) -> bool {
        let reversible = self.reversible_plies(position, ply);
        if reversible < 4 {
            return false;
        }
        let key = position.key();
        let mut seen_at_or_before_root = false;
        let mut back = 4;
        while back <= reversible.min(self.keys.len()) {
            if self.keys[self.keys.len() - back] == key {
                if back < ply || seen_at_or_before_root {
                    return true;
                }
                seen_at_or_before_root = true;
            }
            back += 2;
        }
        false
    }

    /// Whether the side to move can repeat a position of the search path, so that it has at least a draw.
    pub(super) fn can_repeat(&self, position: &Position, ply: usize) -> bool {
        // A position at or before the root would have to occur once more.
        let farthest = self.reversible_plies(position, ply).min(ply.saturating_sub(1));
        can_return(position, &self.keys, farthest)
    }

    /// Plies back to the last move that cannot be taken back, or null move.
    fn reversible_plies(&self, position: &Position, ply: usize) -> usize {
        usize::from(position.halfmove_clock().min(self.stack.at(ply).plies_since_null))
    }
}

/// Whether the side to move can return to one of the positions whose keys end `keys`, at most `farthest`
/// plies back: its own quiet move, and none of the opponent, parts that position from this one
/// (<https://www.chessprogramming.org/Repetitions#Upcoming_Repetitions>).
fn can_return(position: &Position, keys: &[u64], farthest: usize) -> bool {
    let farthest = farthest.min(keys.len());
    if farthest < 3 {
        return false;
    }
    let key = |back: usize| keys[keys.len() - back];
    let turn = turn_difference();
    let mut moves_of_opponent = position.key() ^ key(1) ^ turn;
    let mut back = 3;
    while back <= farthest {
        moves_of_opponent ^= key(back - 1) ^ key(back) ^ turn;
        if moves_of_opponent == 0
            && reversible_move(position.key() ^ key(back), position.occupied()).is_some()
        {
            return true;
        }
        back += 2;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiyo_chess::attacks::king_attacks;
    use kaiyo_chess::{Move, split_mix};

    /// Whether one of these moves leads to a position at most `farthest` plies back.
    fn leads_back(position: &Position, moves: &[Move], keys: &[u64], farthest: usize) -> bool {
        let recent = &keys[keys.len().saturating_sub(farthest)..];
        moves.iter().any(|&mv| recent.contains(&position.make(mv).key()))
    }

    #[test]
    fn a_way_back_is_seen_where_there_is_one() {
        let mut state = 7;
        let (mut seen, mut unseen) = (0, 0);
        for _ in 0..200 {
            // Few men, so that random moves often go back and forth.
            let mut position = Position::from_fen("4k3/8/2n5/8/8/8/3R4/4K3 w - - 0 1").unwrap();
            let mut keys = Vec::new();
            for _ in 0..60 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let farthest = keys.len().min(usize::from(position.halfmove_clock()));
                let expected = leads_back(&position, &moves, &keys, farthest);
                let found = can_return(&position, &keys, farthest);
                assert!(found || !expected, "{position}");
                // A way back that a check, a pin or an attack forbids may be seen as well.
                let king = position.king(position.side_to_move());
                let free = !position.in_check()
                    && position.pinned().is_empty()
                    && (king_attacks(king) & position.threats()).is_empty();
                assert!(!free || found == expected, "{position}");
                if found {
                    seen += 1
                } else {
                    unseen += 1
                }
                keys.push(position.key());
                let index = split_mix(&mut state) % moves.len() as u64;
                position = position.make(moves[index as usize]);
            }
        }
        assert!(seen > 100 && unseen > 100, "{seen} {unseen}");
    }
}

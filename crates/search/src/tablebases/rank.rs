//! What tablebases say about the moves at the root.

use super::score;
use crate::score::Score;
use kaiyo_chess::{FIFTY_MOVES, Game, Move};
use kaiyo_tablebases::{Dtz, Tablebases, Wdl};

/// What tablebases say about a move at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rank {
    /// Higher is better; above zero for wins, below for losses, cursed and blessed ones too. Between
    /// moves of the same rank the search decides.
    pub order: i32,
    /// The result under the fifty-move rule, if that is in force; none where only the distance could tell whether
    /// there is time for it.
    pub score: Option<Score>,
}

/// The order of a move that wins for certain. Distances are taken off for others.
const CERTAIN: i32 = 1 << 16;

/// Ranks by distance to zero. `None` if a table is missing, or if there is no more time: files on slow disks
/// can take long.
///
/// All moves that win in time are equal, so that the search may look for the best way. But once a
/// position has come back since the last capture or pawn move, only the shortest way will do: from
/// there on distances shrink, and the game makes progress.
pub(super) fn by_distance(
    tables: &Tablebases,
    game: &Game,
    moves: &[Move],
    fifty_move_rule: bool,
    is_late: impl Fn() -> bool,
) -> Option<Vec<Rank>> {
    let clock = game.position().halfmove_clock();
    let repeated = has_repetition(game);
    let rank = |&mv: &Move| {
        if is_late() {
            return None;
        }
        let dtz = tables.probe_move(game.position(), mv)?;
        let dtz = if ends_in_repetition(game, mv) { Dtz::DRAW } else { dtz };
        let wdl = dtz.wdl_at(clock).under(fifty_move_rule);
        let order = match dtz.plies().signum() {
            1 if wdl == Wdl::Win && !repeated => CERTAIN,
            1 => CERTAIN - dtz.plies() - i32::from(clock),
            // Losing moves are equal unless the fifty-move rule may yet help.
            -1 if fifty_move_rule
                && 2 * dtz.longest() + u32::from(clock) >= u32::from(FIFTY_MOVES) =>
            {
                -CERTAIN - dtz.plies() + i32::from(clock)
            }
            -1 => -CERTAIN,
            _ => 0,
        };
        Some(Rank { order, score: Some(score(wdl, 1)) })
    };
    moves.iter().map(rank).collect()
}

/// Ranks by results alone. `None` if a table is missing, or if there is no more time.
///
/// Results are those of a young clock. A win or loss on an old one is left to the search, unless the move
/// sets it to zero.
pub(super) fn by_result(
    tables: &Tablebases,
    game: &Game,
    moves: &[Move],
    fifty_move_rule: bool,
    is_late: impl Fn() -> bool,
) -> Option<Vec<Rank>> {
    let rank = |&mv: &Move| {
        if is_late() {
            return None;
        }
        let next = game.position().make(mv);
        let wdl = -tables.probe_wdl(&next)?;
        let wdl = if ends_in_repetition(game, mv) { Wdl::Draw } else { wdl };
        let order = match wdl {
            Wdl::Win => CERTAIN,
            Wdl::CursedWin => CERTAIN - 101,
            Wdl::Draw => 0,
            Wdl::BlessedLoss => 101 - CERTAIN,
            Wdl::Loss => -CERTAIN,
        };
        let score = score(wdl.under(fifty_move_rule), 1);
        let is_certain = !fifty_move_rule || next.halfmove_clock() <= 1 || !score.is_decisive();
        Some(Rank { order, score: is_certain.then_some(score) })
    };
    moves.iter().map(rank).collect()
}

/// Whether some position has come back since the last capture or pawn move.
fn has_repetition(game: &Game) -> bool {
    let reversible = usize::from(game.position().halfmove_clock());
    let mut keys: Vec<u64> = game.keys().iter().rev().take(reversible).copied().collect();
    keys.push(game.position().key());
    keys.sort_unstable();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}

/// Whether a move brings a position for the third time.
fn ends_in_repetition(game: &Game, mv: Move) -> bool {
    let next = game.position().make(mv);
    let reversible = usize::from(next.halfmove_clock());
    // The current position is not among the keys, but no move leads back to it at once.
    let earlier = game.keys().iter().rev().take(reversible.saturating_sub(1));
    earlier.filter(|&&key| key == next.key()).count() >= 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn no_more_is_read_than_there_is_time_for() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/syzygy");
        let mut tables = Tablebases::new();
        tables.add_folder(&folder).expect("tables");
        let game = Game::new("8/8/8/3k4/8/8/6K1/7R w - - 0 1".parse().expect("a position"));
        let moves = game.position().legal_moves();
        let count = |ranks: Option<Vec<Rank>>| ranks.map(|ranks| ranks.len());
        assert_eq!(count(by_distance(&tables, &game, &moves, true, || false)), Some(moves.len()));
        assert_eq!(count(by_result(&tables, &game, &moves, true, || false)), Some(moves.len()));
        let left = std::cell::Cell::new(3);
        let is_late = || left.replace(left.get() - 1) <= 0;
        assert_eq!(count(by_distance(&tables, &game, &moves, true, is_late)), None);
        assert_eq!(
            (left.get(), count(by_result(&tables, &game, &moves, true, || true))),
            (-1, None)
        );
    }
}

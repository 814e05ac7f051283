//! Telling versions of the search apart.

use super::player::Player;
use anyhow::Result;
use kaiyo_chess::{Game, Position};

/// Positions that are searched for it, at most.
const POSITIONS: usize = 16;
/// Nodes of each search.
const NODES: u64 = 5000;

/// A number that tells the searches of versions apart, by what they find in some positions. A commit would call
/// others different that play the same games, and those the same that were built with changes.
///
/// # Errors
/// A search failed.
pub fn search_identity(player: &mut Player, positions: &[Position]) -> Result<u32> {
    let mut found = crc32fast::Hasher::new();
    for &position in positions.iter().take(POSITIONS) {
        player.new_game();
        let best = player.search_exactly(&Game::new(position), NODES)?;
        found.update(format!("{best:?}").as_bytes());
    }
    Ok(found.finalize())
}

/// Start positions of Chess960, for searches that begin with no book.
pub fn usual_positions() -> Vec<Position> {
    let number = |index: usize| (960 / POSITIONS * index) as u16;
    (0..POSITIONS).filter_map(|index| Position::chess960(number(index))).collect()
}

//! How games went on from a move, as Kaiyo's own books keep it.

/// Bits of the learning number that hold the share of points.
const SHARE_BITS: u32 = 12;
/// The share of points of a player who has won every game.
const FULL_SHARE: u32 = (1 << SHARE_BITS) - 1;
/// The largest number of games that can be stored; more are stored as this.
const MAX_GAMES: u32 = (1 << (32 - SHARE_BITS)) - 1;

/// Results of the games in which a move was played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveStatistics {
    /// Number of games.
    pub games: u32,
    /// Points of the player of the move in half points: 2 for a win, 1 for a draw.
    pub half_points: u32,
}

impl MoveStatistics {
    /// The share of points that the player of the move has made, from 0 to 1.
    pub fn score(self) -> f64 {
        f64::from(self.half_points) / f64::from(2 * self.games.max(1))
    }

    /// These games and others.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            games: self.games.saturating_add(other.games),
            half_points: self.half_points.saturating_add(other.half_points),
        }
    }

    /// As the learning number of an entry: games in the upper 20 bits, at most 1,048,575, and
    /// the share of points in the lower 12 bits, in units of 1/4095.
    pub fn to_learn(self) -> u32 {
        let share = (self.score() * f64::from(FULL_SHARE)).round() as u32;
        self.games.min(MAX_GAMES) << SHARE_BITS | share
    }

    /// The inverse of [`Self::to_learn`], up to rounding.
    pub fn from_learn(learn: u32) -> Self {
        let games = learn >> SHARE_BITS;
        let share = f64::from(learn & FULL_SHARE) / f64::from(FULL_SHARE);
        Self { games, half_points: (share * f64::from(2 * games)).round() as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_survive_their_storage() {
        for (games, half_points) in [(0, 0), (1, 1), (7, 9), (1000, 1055), (2000, 4000)] {
            let statistics = MoveStatistics { games, half_points };
            assert_eq!(MoveStatistics::from_learn(statistics.to_learn()), statistics);
        }
        let many = MoveStatistics { games: 3_000_000, half_points: 3_000_000 };
        let stored = MoveStatistics::from_learn(many.to_learn());
        assert_eq!(stored.games, MAX_GAMES);
        assert!((stored.score() - 0.5).abs() < 0.001, "{stored:?}");
    }
}

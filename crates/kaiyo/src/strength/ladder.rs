//! From a rating to what a player of that rating sees and overlooks.

use kaiyo_policy::tokens::Rating;

/// How a player with a rating plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handicap {
    /// Whose habits the moves come from.
    pub rating: Rating,
    /// Positions that are looked at; the iteration that is under way then is finished.
    pub nodes: u64,
    /// Best lines that are told apart. Other moves are not seen.
    pub lines: usize,
    /// Centipawns by which a move may be worse before it becomes less likely by a factor of e.
    pub carelessness: f64,
}

/// A rung of the ladder: Elo, positions, lines, carelessness.
struct Rung(f64, f64, f64, f64);

/// Between rungs values grow by equal factors. Found by matches between rungs and against
/// Stockfish 15.1 with the same UCI_Elo.
const LADDER: [Rung; 7] = [
    Rung(600.0, 100.0, 37.0, 330.0),
    Rung(1000.0, 410.0, 28.0, 125.0),
    Rung(1400.0, 1_520.0, 17.0, 66.0),
    Rung(1800.0, 4_400.0, 12.0, 40.5),
    Rung(2200.0, 18_000.0, 7.0, 20.5),
    Rung(2600.0, 65_000.0, 5.0, 9.5),
    Rung(3000.0, 350_000.0, 3.0, 3.5),
];

/// The lowest rating that can be played at.
pub const MIN_ELO: u16 = LADDER[0].0 as u16;
/// The highest one.
pub const MAX_ELO: u16 = LADDER[LADDER.len() - 1].0 as u16;

impl Handicap {
    /// That of a player with this rating, which is brought into the range of the ladder.
    pub fn of_elo(elo: u16) -> Self {
        let elo = f64::from(elo.clamp(MIN_ELO, MAX_ELO));
        let upper = LADDER.iter().position(|rung| rung.0 > elo).unwrap_or(LADDER.len() - 1);
        let (low, high) = (&LADDER[upper - 1], &LADDER[upper]);
        let share = (elo - low.0) / (high.0 - low.0);
        let between = |low: f64, high: f64| low * (high / low).powf(share);
        Self {
            rating: Rating::nearest(elo as u32),
            nodes: between(low.1, high.1).round() as u64,
            lines: between(low.2, high.2).round() as usize,
            carelessness: between(low.3, high.3),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_rating_sees_more_and_cares_more() {
        let players: Vec<Handicap> = (MIN_ELO..=MAX_ELO).map(Handicap::of_elo).collect();
        for pair in players.windows(2) {
            assert!(pair[0].nodes <= pair[1].nodes);
            assert!(pair[0].lines >= pair[1].lines);
            assert!(pair[0].carelessness > pair[1].carelessness);
            assert!(pair[0].rating <= pair[1].rating);
        }
        assert_eq!(players[0].nodes as f64, LADDER[0].1);
        assert_eq!(players[players.len() - 1].nodes as f64, LADDER[LADDER.len() - 1].1);
        assert_eq!(Handicap::of_elo(1400).nodes as f64, LADDER[2].1);
    }

    #[test]
    fn ratings_beyond_the_ladder_are_its_ends() {
        assert_eq!(Handicap::of_elo(0), Handicap::of_elo(MIN_ELO));
        assert_eq!(Handicap::of_elo(u16::MAX), Handicap::of_elo(MAX_ELO));
    }
}

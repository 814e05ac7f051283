//! Choosing a move as a player would who is not perfect.

use kaiyo_chess::Random;
use kaiyo_search::{Score, ScoreKind};

/// Scores this far from equal, in centipawns, are told apart half as well as near equal ones.
const SCALE: f64 = 400.0;
/// What a mate feels like to a player who counts progress, less so much for each move that it takes.
const MATE: f64 = 10_000.0;
const MATE_STEP: f64 = 50.0;
/// The least probability of a move where scores count too: no player is sure never to see a good move.
const MIN_PRIOR: f64 = 1e-4;

/// A move that may be played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// How likely such a player is to think of it, from 0 to 1.
    pub prior: f64,
    /// Its score for the player.
    pub score: Score,
}

/// How a choice is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taste {
    /// Centipawns by which a move may be worse before it becomes less likely by a factor of e;
    /// infinite for a player who follows habits alone.
    pub carelessness: f64,
    /// Habits count as usual at 1, more below and less above; at 0 the likeliest move is played.
    pub temperature: f64,
    /// The likeliest moves that are considered have at most this share together; one always is.
    pub top_p: f64,
    /// Progress counts where the game is decided, as much as elsewhere.
    pub counts_progress: bool,
}

impl Taste {
    /// That of a player who follows habits alone.
    pub const BY_HABIT: Self =
        Self { carelessness: f64::INFINITY, temperature: 1.0, top_p: 1.0, counts_progress: false };

    /// How good a score feels, in centipawns.
    fn felt(&self, score: Score) -> f64 {
        let centipawns = f64::from(score.value());
        match score.kind() {
            _ if !self.counts_progress => SCALE * (centipawns / SCALE).asinh(),
            ScoreKind::Mate(moves) => {
                let mate = MATE - MATE_STEP * f64::from(moves.abs());
                if moves > 0 { mate } else { -mate }
            }
            ScoreKind::Centipawns(_) => centipawns,
        }
    }
}

/// The probabilities of the candidates.
pub fn probabilities(candidates: &[Candidate], taste: &Taste) -> Vec<f64> {
    let felt = |candidate: &Candidate| taste.felt(candidate.score);
    // Habits alone are taken as they are, or nonsense would be played at high temperatures.
    let least = if taste.carelessness.is_finite() { MIN_PRIOR } else { f64::MIN_POSITIVE };
    let best = candidates.iter().map(felt).fold(f64::NEG_INFINITY, f64::max);
    let logarithms: Vec<f64> = candidates
        .iter()
        .map(|candidate| {
            let habit = candidate.prior.max(least).ln();
            habit - (best - felt(candidate)) / taste.carelessness
        })
        .collect();
    let largest = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut weights: Vec<f64> = logarithms
        .iter()
        .map(|&logarithm| {
            let behind = logarithm - largest;
            // Division by a temperature of zero leaves the likeliest moves alone.
            if behind == 0.0 { 1.0 } else { (behind / taste.temperature).exp() }
        })
        .collect();
    normalise(&mut weights);
    cut_tail(&mut weights, taste.top_p);
    weights
}

/// Takes out all but the likeliest move and those next to it that have at most this share together with
/// it.
fn cut_tail(weights: &mut [f64], share: f64) {
    if share >= 1.0 {
        return;
    }
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
    let mut sum = 0.0;
    for (rank, index) in order.into_iter().enumerate() {
        sum += weights[index];
        if rank > 0 && sum > share {
            weights[index] = 0.0;
        }
    }
    normalise(weights);
}

fn normalise(weights: &mut [f64]) {
    let total: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= total);
}

/// The number of a candidate, drawn by these probabilities; 0 if there is none.
pub fn draw(probabilities: &[f64], random: &mut Random) -> usize {
    let mut place = random.unit();
    for (index, probability) in probabilities.iter().enumerate() {
        if place < *probability {
            return index;
        }
        place -= probability;
    }
    // Rounding may leave a little at the end.
    probabilities.iter().rposition(|&probability| probability > 0.0).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TASTE: Taste = Taste { carelessness: 50.0, ..Taste::BY_HABIT };

    fn candidates(list: &[(f64, i32)]) -> Vec<Candidate> {
        let candidate = |&(prior, score)| Candidate { prior, score: Score::centipawns(score) };
        list.iter().map(candidate).collect()
    }

    fn close(found: &[f64], expected: &[f64]) -> bool {
        found.len() == expected.len()
            && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-3)
    }

    #[test]
    fn habit_decides_among_equal_moves() {
        let equal = candidates(&[(0.6, 10), (0.3, 10), (0.1, 10)]);
        assert!(close(&probabilities(&equal, &TASTE), &[0.6, 0.3, 0.1]));
        let cold = Taste { temperature: 0.5, ..TASTE };
        assert!(close(&probabilities(&equal, &cold), &[36.0 / 46.0, 9.0 / 46.0, 1.0 / 46.0]));
        let coldest = Taste { temperature: 0.0, ..TASTE };
        assert!(close(&probabilities(&equal, &coldest), &[1.0, 0.0, 0.0]));
        let few = Taste { top_p: 0.92, ..TASTE };
        assert!(close(&probabilities(&equal, &few), &[2.0 / 3.0, 1.0 / 3.0, 0.0]));
        // The one that crosses the share is out, unless it is the first.
        for top_p in [0.7, 0.0] {
            let one = Taste { top_p, ..TASTE };
            assert!(close(&probabilities(&equal, &one), &[1.0, 0.0, 0.0]));
        }
    }

    #[test]
    fn worse_moves_are_played_less_by_those_who_care() {
        let habit = candidates(&[(0.9, -300), (0.1, 0)]);
        let blunder = |carelessness| probabilities(&habit, &Taste { carelessness, ..TASTE })[0];
        assert!(blunder(10.0) < 1e-6);
        assert!(blunder(50.0) < blunder(100.0));
        assert!((blunder(f64::INFINITY) - 0.9).abs() < 1e-9);
    }

    #[test]
    fn only_good_moves_gain_from_being_unlikely() {
        let unlikely = candidates(&[(1.0, 0), (1e-9, 0), (1e-9, -900)]);
        let by_habit = Taste { carelessness: f64::INFINITY, temperature: 2.0, ..TASTE };
        let chances = probabilities(&unlikely, &by_habit);
        assert!(chances[1] < 1e-4 && chances[1] == chances[2], "{chances:?}");
        let with_scores = probabilities(&unlikely, &TASTE);
        assert!(with_scores[1] > 5e-5 && with_scores[2] < 1e-8, "{with_scores:?}");
    }

    #[test]
    fn differences_matter_less_in_decided_games() {
        let worse = |score: i32, taste: &Taste| {
            let pair = candidates(&[(0.5, score), (0.5, score - 100)]);
            probabilities(&pair, taste)[1]
        };
        let [even, won, over] = [100, 1000, 5000].map(|score| worse(score, &TASTE));
        assert!(even < won && won < over);
        let technical = Taste { counts_progress: true, ..TASTE };
        let [even, won, over] = [100, 1000, 5000].map(|score| worse(score, &technical));
        assert!((even - won).abs() < 1e-9 && (won - over).abs() < 1e-9);
    }

    #[test]
    fn technique_prefers_the_shorter_mate_and_any_mate_to_none() {
        let technical = Taste { counts_progress: true, ..TASTE };
        let scores = [Score::mate_in(9), Score::mate_in(5), Score::centipawns(900), Score::DRAW];
        let equal = scores.map(|score| Candidate { prior: 0.25, score });
        let chances = probabilities(&equal, &technical);
        assert!(chances[1] > 2.0 * chances[0] && chances[0] > 1e6 * chances[2], "{chances:?}");
        assert!(chances[2] > 1e6 * chances[3], "{chances:?}");
        let lost = [Score::mated_in(4), Score::mated_in(10)];
        let chances = probabilities(&lost.map(|score| Candidate { prior: 0.5, score }), &technical);
        assert!(chances[1] > chances[0], "{chances:?}");
    }

    #[test]
    fn draws_follow_the_probabilities() {
        let mut random = Random::new(7);
        let mut counts = [0; 4];
        for _ in 0..4000 {
            counts[draw(&[0.5, 0.0, 0.3, 0.2], &mut random)] += 1;
        }
        assert!(counts[1] == 0 && (1900..2100).contains(&counts[0]), "{counts:?}");
        assert!((720..880).contains(&counts[3]), "{counts:?}");
        assert_eq!(draw(&[], &mut random), 0);
    }
}

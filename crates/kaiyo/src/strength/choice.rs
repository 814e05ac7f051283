//! Choosing a move as a player would who is not perfect.

use kaiyo_chess::Random;

/// Scores this far from equal, in centipawns, are told apart half as well as near equal ones.
const SCALE: f64 = 400.0;
/// The least probability of a move where scores count too: no player is sure never to see a good move.
const MIN_PRIOR: f64 = 1e-4;

/// A move that may be played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// How likely such a player is to think of it, from 0 to 1.
    pub prior: f64,
    /// Its score for the player, in centipawns.
    pub score: f64,
}

/// How a choice is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taste {
    /// Centipawns by which a move may be worse before it becomes less likely by a factor of e;
    /// infinite for a player who follows habits alone.
    pub carelessness: f64,
    /// Habits count as usual at 1, more below and less above; at 0 the likeliest move is played.
    pub temperature: f64,
    /// Share of the likeliest moves that are considered.
    pub top_p: f64,
}

/// The probabilities of the candidates.
pub fn probabilities(candidates: &[Candidate], taste: &Taste) -> Vec<f64> {
    let felt = |candidate: &Candidate| SCALE * (candidate.score / SCALE).asinh();
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

/// Takes the least likely moves out, as long as the others keep this share.
fn cut_tail(weights: &mut [f64], share: f64) {
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
    let mut sum = 0.0;
    for index in order {
        if sum >= share && sum > 0.0 {
            weights[index] = 0.0;
        } else {
            sum += weights[index];
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

    const TASTE: Taste = Taste { carelessness: 50.0, temperature: 1.0, top_p: 1.0 };

    fn candidates(list: &[(f64, f64)]) -> Vec<Candidate> {
        list.iter().map(|&(prior, score)| Candidate { prior, score }).collect()
    }

    fn close(found: &[f64], expected: &[f64]) -> bool {
        found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-3)
    }

    #[test]
    fn habit_decides_among_equal_moves() {
        let equal = candidates(&[(0.6, 10.0), (0.3, 10.0), (0.1, 10.0)]);
        assert!(close(&probabilities(&equal, &TASTE), &[0.6, 0.3, 0.1]));
        let cold = Taste { temperature: 0.5, ..TASTE };
        assert!(close(&probabilities(&equal, &cold), &[36.0 / 46.0, 9.0 / 46.0, 1.0 / 46.0]));
        let coldest = Taste { temperature: 0.0, ..TASTE };
        assert!(close(&probabilities(&equal, &coldest), &[1.0, 0.0, 0.0]));
        let few = Taste { top_p: 0.7, ..TASTE };
        assert!(close(&probabilities(&equal, &few), &[2.0 / 3.0, 1.0 / 3.0, 0.0]));
        let one = Taste { top_p: 0.0, ..TASTE };
        assert!(close(&probabilities(&equal, &one), &[1.0, 0.0, 0.0]));
    }

    #[test]
    fn worse_moves_are_played_less_by_those_who_care() {
        let habit = candidates(&[(0.9, -300.0), (0.1, 0.0)]);
        let blunder = |carelessness| probabilities(&habit, &Taste { carelessness, ..TASTE })[0];
        assert!(blunder(10.0) < 1e-6);
        assert!(blunder(50.0) < blunder(100.0));
        assert!((blunder(f64::INFINITY) - 0.9).abs() < 1e-9);
    }

    #[test]
    fn only_good_moves_gain_from_being_unlikely() {
        let unlikely = candidates(&[(1.0, 0.0), (1e-9, 0.0), (1e-9, -900.0)]);
        let by_habit = Taste { carelessness: f64::INFINITY, temperature: 2.0, ..TASTE };
        let chances = probabilities(&unlikely, &by_habit);
        assert!(chances[1] < 1e-4 && chances[1] == chances[2], "{chances:?}");
        let with_scores = probabilities(&unlikely, &TASTE);
        assert!(with_scores[1] > 5e-5 && with_scores[2] < 1e-8, "{with_scores:?}");
    }

    #[test]
    fn differences_matter_less_in_decided_games() {
        let ratio = |score: f64| {
            let pair = candidates(&[(0.5, score), (0.5, score - 100.0)]);
            probabilities(&pair, &TASTE)[1]
        };
        assert!(ratio(100.0) < ratio(1000.0) && ratio(1000.0) < ratio(5000.0));
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

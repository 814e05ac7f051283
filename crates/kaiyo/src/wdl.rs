//! Chances of winning, drawing and losing at a score.

use kaiyo_search::Score;

/// The evaluation at which half of the games are won, in centipawns.
///
/// Not fitted to games yet: a plain logistic model with round constants.
const EVEN_CHANCE: f64 = 100.0;
/// How slowly the chances change with the evaluation, in centipawns.
const SPREAD: f64 = 60.0;

/// Win, draw and loss in per mille for the side to move, which sum to 1000.
pub fn per_mille(score: Score) -> [u32; 3] {
    if score.is_win() {
        return [1000, 0, 0];
    }
    if score.is_loss() {
        return [0, 0, 1000];
    }
    let win = winning_chance(f64::from(score.value()));
    let loss = winning_chance(-f64::from(score.value()));
    [win, 1000 - win - loss, loss]
}

fn winning_chance(centipawns: f64) -> u32 {
    (1000.0 / (1.0 + ((EVEN_CHANCE - centipawns) / SPREAD).exp())).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_sum_to_one_and_mirror_the_score() {
        for centipawns in -40_000..=40_000 {
            let [win, draw, loss] = per_mille(Score::centipawns(centipawns));
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(per_mille(-Score::centipawns(centipawns)), [loss, draw, win]);
        }
        assert_eq!(per_mille(Score::centipawns(100))[0], 500);
    }

    #[test]
    fn proven_results_are_certain() {
        assert_eq!(per_mille(Score::mate_in(5)), [1000, 0, 0]);
        assert_eq!(per_mille(Score::mated_in(4)), [0, 0, 1000]);
    }
}

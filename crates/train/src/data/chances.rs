//! Fits how often positions of a score are won, drawn and lost.

use super::for_each_game;
use crate::viriformat::MAX_SCORE;
use anyhow::{Context, Result, ensure};
use kaiyo_chess::Colour;
use kaiyo_search::{ChancesModel, logistic};
use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};
use std::path::PathBuf;

/// Scores of a class differ by less, in centipawns.
const CLASS_WIDTH: i16 = 4;
/// Coefficients of both polynomials.
const COEFFICIENTS: usize = 8;
/// The chances of the model are kept from becoming zero, whose logarithm is infinite.
const LEAST_CHANCE: f64 = 1e-6;
/// Steps after which the fit has long come to rest.
const STEPS: usize = 100;
/// Where the fit begins, in centipawns.
const BEGINNING: ChancesModel =
    ChancesModel { even_chance: [150.0, 0.0, 0.0, 0.0], spread: [60.0, 0.0, 0.0, 0.0] };

#[derive(clap::Args)]
pub struct Options {
    /// Files of games of the engine with its own scores.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Leave out the first half-moves of games.
    #[arg(long, default_value_t = 8)]
    skip_plies: usize,
    /// Leave out larger scores, in centipawns.
    #[arg(long, default_value_t = 1500)]
    max_score: i16,
}

/// What games of one score and material came to, for the side to move: lost, drawn, won.
type Outcomes = BTreeMap<(i16, u32), [u64; 3]>;

/// Reads the games and prints the model that explains their results best.
pub fn run(options: &Options) -> Result<()> {
    ensure!(
        (1..MAX_SCORE).contains(&options.max_score),
        "--max-score must be from 1 to {}",
        MAX_SCORE - 1
    );
    let outcomes = read(options)?;
    let positions: u64 = outcomes.values().flatten().sum();
    ensure!(positions > 0, "the files have no position that counts");
    let model = fit(&outcomes);
    say!("positions            {positions}");
    say!("even_chance          {:.2?}", model.even_chance);
    say!("spread               {:.2?}", model.spread);
    say!("cost                 {:.5}", cost(&model, &outcomes) / positions as f64);
    say!("cost of the old one  {:.5}", cost(&ChancesModel::KAIYO, &outcomes) / positions as f64);
    print_calibration(&model, &outcomes);
    Ok(())
}

fn read(options: &Options) -> Result<Outcomes> {
    let mut outcomes = Outcomes::new();
    for_each_game(&options.files, |game, place| {
        let mut ply = 0;
        game.replay(|position, _, white_score| {
            ply += 1;
            if ply <= options.skip_plies || white_score.saturating_abs() > options.max_score {
                return;
            }
            let (score, result) = match position.side_to_move() {
                Colour::White => (white_score, game.result as usize),
                Colour::Black => (-white_score, 2 - game.result as usize),
            };
            let class = (score + CLASS_WIDTH / 2).div_euclid(CLASS_WIDTH) * CLASS_WIDTH;
            let key = (class, ChancesModel::material(position));
            outcomes.entry(key).or_default()[result] += 1;
        })
        .with_context(|| place.to_string())
    })?;
    Ok(outcomes)
}

/// The chances of losing, drawing and winning, and how they change with a and b.
fn chances(model: &ChancesModel, score: i16, material: u32) -> [(f64, [f64; 2]); 3] {
    let (even_chance, spread) = model.at(material);
    let side = |score: f64| {
        let distance = (score - even_chance) / spread;
        let chance = logistic(distance);
        let slope = -chance * (1.0 - chance) / spread;
        (chance, [slope, slope * distance])
    };
    let (loss, loss_slopes) = side(-f64::from(score));
    let (win, win_slopes) = side(f64::from(score));
    let draw_slopes = [0, 1].map(|index| -loss_slopes[index] - win_slopes[index]);
    [(loss, loss_slopes), (1.0 - loss - win, draw_slopes), (win, win_slopes)]
}

/// Minus the logarithm of the likelihood of the outcomes.
fn cost(model: &ChancesModel, outcomes: &Outcomes) -> f64 {
    let mut cost = 0.0;
    for (&(score, material), counts) in outcomes {
        for (&count, (chance, _)) in counts.iter().zip(chances(model, score, material)) {
            cost -= count as f64 * chance.max(LEAST_CHANCE).ln();
        }
    }
    cost
}

/// The likeliest model, by Fisher's method of scoring: Newton's with the expected curvature. Steps
/// that do not help are shortened as by Levenberg and Marquardt.
fn fit(outcomes: &Outcomes) -> ChancesModel {
    let mut model = BEGINNING;
    let mut best = cost(&model, outcomes);
    let mut damping = 1.0;
    for _ in 0..STEPS {
        let (gradient, mut curvature) = slopes(&model, outcomes);
        for (index, row) in curvature.iter_mut().enumerate() {
            row[index] *= 1.0 + damping;
        }
        let step = solve(curvature, gradient);
        let next = moved(&model, &step);
        let next_cost = cost(&next, outcomes);
        if next_cost < best {
            (model, best) = (next, next_cost);
            damping /= 4.0;
        } else {
            damping *= 4.0;
        }
    }
    model
}

/// How the likelihood grows with each coefficient, and Fisher's information.
fn slopes(
    model: &ChancesModel,
    outcomes: &Outcomes,
) -> ([f64; COEFFICIENTS], [[f64; COEFFICIENTS]; COEFFICIENTS]) {
    let mut gradient = [0.0; COEFFICIENTS];
    let mut information = [[0.0; COEFFICIENTS]; COEFFICIENTS];
    for (&(score, material), counts) in outcomes {
        let positions = counts.iter().sum::<u64>() as f64;
        let powers = ChancesModel::powers(material);
        for (&count, (chance, [by_even_chance, by_spread])) in
            counts.iter().zip(chances(model, score, material))
        {
            let chance = chance.max(LEAST_CHANCE);
            let mut slope = [0.0; COEFFICIENTS];
            for (index, &power) in powers.iter().enumerate() {
                slope[index] = by_even_chance * power;
                slope[index + powers.len()] = by_spread * power;
            }
            for (row, &left) in slope.iter().enumerate() {
                gradient[row] += count as f64 / chance * left;
                for (column, &right) in slope.iter().enumerate() {
                    information[row][column] += positions / chance * left * right;
                }
            }
        }
    }
    (gradient, information)
}

/// The solution of linear equations with a positive definite matrix, by Gauss's elimination;
/// unknowns that nothing depends on are zero.
fn solve(
    mut matrix: [[f64; COEFFICIENTS]; COEFFICIENTS],
    mut right: [f64; COEFFICIENTS],
) -> [f64; COEFFICIENTS] {
    for pivot in 0..COEFFICIENTS {
        if matrix[pivot][pivot].abs() < f64::EPSILON {
            (matrix[pivot], right[pivot]) = ([0.0; COEFFICIENTS], 0.0);
            matrix[pivot][pivot] = 1.0;
        }
        for row in (0..COEFFICIENTS).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot] / matrix[pivot][pivot];
            let above = matrix[pivot];
            for (value, above) in matrix[row].iter_mut().zip(above) {
                *value -= factor * above;
            }
            right[row] -= factor * right[pivot];
        }
    }
    core::array::from_fn(|index| right[index] / matrix[index][index])
}

fn moved(model: &ChancesModel, step: &[f64; COEFFICIENTS]) -> ChancesModel {
    let mut model = *model;
    for (index, by) in step.iter().enumerate() {
        let terms = model.even_chance.len();
        if index < terms {
            model.even_chance[index] += by;
        } else {
            model.spread[index - terms] += by;
        }
    }
    model
}

/// Prints how often games were won and drawn beside what the model says, by score and material.
fn print_calibration(model: &ChancesModel, outcomes: &Outcomes) {
    say!("material  score      positions  won (model)      drawn (model)");
    for materials in [10..=24, 25..=39, 40..=57, 58..=78] {
        for bounds in [-400_i16, -200, -100, -50, 0, 50, 100, 200, 400].windows(2) {
            let (low, high) = (bounds[0], bounds[1]);
            let (seen, expected) = tally(model, outcomes, low..high, &materials);
            let positions: f64 = seen.iter().sum();
            if positions == 0.0 {
                continue;
            }
            let percent = |count: f64| 100.0 * count / positions;
            say!(
                "{:2} to {:2}  {low:4} to {high:4}  {positions:8}  {:5.1} ({:5.1})  {:5.1} ({:5.1})",
                materials.start(),
                materials.end(),
                percent(seen[2]),
                percent(expected[2]),
                percent(seen[1]),
                percent(expected[1]),
            );
        }
    }
}

/// Losses, draws and wins of a class of positions, and what the model says they should be.
fn tally(
    model: &ChancesModel,
    outcomes: &Outcomes,
    scores: Range<i16>,
    materials: &RangeInclusive<u32>,
) -> ([f64; 3], [f64; 3]) {
    let (mut seen, mut expected) = ([0.0; 3], [0.0; 3]);
    let is_inside = |score, material| scores.contains(&score) && materials.contains(&material);
    for (&(score, material), counts) in outcomes.iter().filter(|((s, m), _)| is_inside(*s, *m)) {
        let positions = counts.iter().sum::<u64>() as f64;
        for (index, (chance, _)) in chances(model, score, material).into_iter().enumerate() {
            seen[index] += counts[index] as f64;
            expected[index] += positions * chance;
        }
    }
    (seen, expected)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::sequence;
    use crate::viriformat::GameResult;

    /// Outcomes drawn from a model.
    fn draw(model: &ChancesModel) -> Outcomes {
        let mut random = sequence(7, 0);
        let mut outcomes = Outcomes::new();
        for material in (10..=78).step_by(4) {
            for score in (-800..=800).step_by(20) {
                let counts = outcomes.entry((score, material)).or_insert([0; 3]);
                let [(loss, _), (draw, _), _] = chances(model, score, material);
                for _ in 0..100 {
                    let point = random.below(1_000_000) as f64 / 1e6;
                    let result = if point < loss {
                        0
                    } else if point < loss + draw {
                        1
                    } else {
                        2
                    };
                    counts[result] += 1;
                }
            }
        }
        outcomes
    }

    #[test]
    fn the_model_that_made_the_outcomes_is_found() {
        let truth = ChancesModel {
            even_chance: [180.0, 60.0, -20.0, 15.0],
            spread: [55.0, 12.0, 6.0, -5.0],
        };
        let found = fit(&draw(&truth));
        for material in (14..=74).step_by(10) {
            let (even_chance, spread) = found.at(material);
            let (true_chance, true_spread) = truth.at(material);
            assert!((even_chance - true_chance).abs() < 8.0, "{material}: {found:?}");
            assert!((spread - true_spread).abs() < 5.0, "{material}: {found:?}");
        }
    }

    #[test]
    fn outcomes_are_those_of_the_side_to_move() {
        let mut position = kaiyo_chess::Position::start();
        let mut game = crate::viriformat::ScoredGame::new(position, GameResult::WhiteWon);
        for (text, score) in [("e2e4", 40), ("e7e5", 80), ("d1h5", 120), ("b8c6", 200)] {
            let mv = position.parse_uci_move(text).unwrap();
            game.push(mv, score);
            position = position.make(mv);
        }
        let path = std::env::temp_dir().join(format!("kaiyo-chances-{}.vf", std::process::id()));
        let mut writer = crate::viriformat::GameWriter::create(&path).unwrap();
        writer.write(&game).unwrap();
        writer.finish().unwrap();
        let outcomes = read(&Options { files: vec![path.clone()], skip_plies: 1, max_score: 150 });
        std::fs::remove_file(&path).unwrap();
        // The first move is left out, and so is the last, for its score.
        let material = ChancesModel::material(&kaiyo_chess::Position::start());
        let expected = [((-80, material), [1, 0, 0]), ((120, material), [0, 0, 1])];
        assert_eq!(outcomes.unwrap(), Outcomes::from(expected));
    }

    #[test]
    fn slopes_are_those_of_the_cost() {
        let model = ChancesModel { even_chance: [140.0, 30.0, 5.0, 1.0], ..BEGINNING };
        let outcomes = draw(&BEGINNING);
        let (gradient, _) = slopes(&model, &outcomes);
        for index in 0..COEFFICIENTS {
            let mut step = [0.0; COEFFICIENTS];
            step[index] = 1e-3;
            let up = cost(&moved(&model, &step), &outcomes);
            step[index] = -1e-3;
            let down = cost(&moved(&model, &step), &outcomes);
            let measured = (down - up) / 2e-3;
            assert!((measured - gradient[index]).abs() < 1e-3 * gradient[index].abs().max(1.0));
        }
    }
}

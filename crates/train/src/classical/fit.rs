//! The evaluation as a function of its weights, and the descent on its error.

use super::Options;
use super::dataset::{Dataset, Sample};
use crate::random::mix;
use kaiyo_search::evaluation::classical::{FEATURE_COUNT, TERMS, Term, weight};

/// A number for the middle game and one for the end game.
type Phases = [f32; 2];

/// Decay of the means of gradients and of their squares in Adam.
const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
/// Well below the gradient of any feature that matters: a loss per centipawn is small.
const EPSILON: f32 = 1e-12;
/// The last step length as a part of the first.
const LAST_RATE: f32 = 0.01;

/// Weights in centipawns, and how many of them make a likely win.
#[derive(Clone)]
pub struct Model {
    /// Middle-game and end-game weight of each feature.
    pub weights: Vec<Phases>,
    scale: f32,
}

/// Losses on the validation positions.
pub struct Losses {
    /// Before the fit.
    pub start: f64,
}

impl Model {
    /// The weights that the engine uses now.
    pub fn from_engine(scale: f32) -> Self {
        let weights = (0..FEATURE_COUNT)
            .map(|feature| {
                let pair = weight(feature);
                [pair.middle_game() as f32, pair.end_game() as f32]
            })
            .collect();
        Self { weights, scale }
    }

    /// The same weights, with the scale times `factor`.
    pub fn with_scale_factor(&self, factor: f32) -> Self {
        Self { weights: self.weights.clone(), scale: self.scale * factor }
    }

    /// The weights as the engine can hold them.
    pub fn rounded(&self) -> Self {
        let weights = self.weights.iter().map(|phases| phases.map(f32::round)).collect();
        Self { weights, scale: self.scale }
    }

    /// White's evaluation, and how much of each phase's sum enters it.
    fn evaluate(
        &self,
        sample: &Sample,
        features: impl Iterator<Item = (usize, f32)>,
    ) -> (f32, Phases) {
        let mut sum = [0.0; 2];
        for (feature, count) in features {
            let [middle_game, end_game] = self.weights[feature];
            sum[0] += middle_game * count;
            sum[1] += end_game * count;
        }
        let end_game = sample.end_game[usize::from(sum[1] < 0.0)];
        let shares = [sample.middle_game, end_game];
        (sum[0] * shares[0] + sum[1] * shares[1], shares)
    }

    /// White's expected score at this evaluation.
    fn expected_score(&self, value: f32) -> f32 {
        1.0 / (1.0 + (-value / self.scale).exp())
    }

    /// Mean squared error of the expected score.
    pub fn loss(&self, dataset: &Dataset) -> f64 {
        let error = |index| {
            let (sample, features) = dataset.get(index);
            let (value, _) = self.evaluate(&sample, features);
            f64::from((self.expected_score(value) - sample.target).powi(2))
        };
        (0..dataset.len()).map(error).sum::<f64>() / dataset.len().max(1) as f64
    }

    /// Adds the gradient of the squared error of one position; returns the error.
    fn add_gradient(&self, dataset: &Dataset, index: usize, gradient: &mut [Phases]) -> f64 {
        let (sample, features) = dataset.get(index);
        let (value, shares) = self.evaluate(&sample, features);
        let expected = self.expected_score(value);
        let error = expected - sample.target;
        let slope = 2.0 * error * expected * (1.0 - expected) / self.scale;
        let slopes = shares.map(|share| share * slope);
        let (_, features) = dataset.get(index);
        for (feature, count) in features {
            gradient[feature][0] += slopes[0] * count;
            gradient[feature][1] += slopes[1] * count;
        }
        f64::from(error * error)
    }

    /// Moves the mean of every table that counts each man once into the material, which changes
    /// no evaluation but makes the tables readable. The king's mean vanishes.
    pub fn move_means_to_material(&mut self, occurrences: &[u64]) {
        for (man, name) in ["PAWN", "KNIGHT", "BISHOP", "ROOK", "QUEEN", "KING"].iter().enumerate()
        {
            for suffix in ["SQUARES", "TO_KING", "MOBILITY"] {
                let Some(term) = find(&format!("{name}_{suffix}")) else { continue };
                let mean = self.take_mean(term, occurrences);
                if let Some(material) = find("MATERIAL").filter(|material| man < material.len) {
                    let weights = &mut self.weights[material.first + man];
                    *weights = [weights[0] + mean[0], weights[1] + mean[1]];
                }
            }
        }
    }

    fn take_mean(&mut self, term: &Term, occurrences: &[u64]) -> Phases {
        let range = term.first..term.first + term.len;
        let total = occurrences[range.clone()].iter().sum::<u64>().max(1) as f64;
        let mean = [0, 1].map(|phase| {
            let sum: f64 = range
                .clone()
                .map(|feature| {
                    occurrences[feature] as f64 * f64::from(self.weights[feature][phase])
                })
                .sum();
            (sum / total) as f32
        });
        for feature in range {
            // What cannot occur stays at zero.
            let seen = occurrences[feature] > 0;
            let weights = &mut self.weights[feature];
            *weights = if seen { [weights[0] - mean[0], weights[1] - mean[1]] } else { [0.0; 2] };
        }
        mean
    }
}

fn find(name: &str) -> Option<&'static Term> {
    TERMS.iter().find(|term| term.name == name)
}

/// The state of Adam (Kingma and Ba 2015).
struct Adam {
    mean: Vec<Phases>,
    square: Vec<Phases>,
    steps: i32,
}

impl Adam {
    fn new() -> Self {
        let zeros = vec![[0.0; 2]; FEATURE_COUNT];
        Self { mean: zeros.clone(), square: zeros, steps: 0 }
    }

    fn step(&mut self, weights: &mut [Phases], gradient: &[Phases], rate: f32) {
        self.steps += 1;
        let mean_bias = 1.0 - MEAN_DECAY.powi(self.steps);
        let square_bias = 1.0 - SQUARE_DECAY.powi(self.steps);
        for feature in 0..weights.len() {
            for phase in 0..2 {
                let slope = gradient[feature][phase];
                let mean = &mut self.mean[feature][phase];
                *mean += (1.0 - MEAN_DECAY) * (slope - *mean);
                let square = &mut self.square[feature][phase];
                *square += (1.0 - SQUARE_DECAY) * (slope * slope - *square);
                let step = (*mean / mean_bias) / ((*square / square_bias).sqrt() + EPSILON);
                weights[feature][phase] -= rate * step;
            }
        }
    }
}

/// Fits the model to the training positions.
pub fn run(
    model: &mut Model,
    training: &Dataset,
    validation: &Dataset,
    options: &Options,
) -> Losses {
    let start = model.weights.clone();
    let losses = Losses { start: model.loss(validation) };
    let mut adam = Adam::new();
    let mut order: Vec<u32> = (0..training.len() as u32).collect();
    let batches = order.len().div_ceil(options.batch) * options.epochs as usize;
    let mut batch_number = 0;
    for epoch in 1..=options.epochs {
        shuffle(&mut order, u64::from(epoch));
        let mut sum = 0.0;
        for batch in order.chunks(options.batch) {
            let mut gradient = vec![[0.0; 2]; FEATURE_COUNT];
            for &index in batch {
                sum += model.add_gradient(training, index as usize, &mut gradient);
            }
            for (feature, slopes) in gradient.iter_mut().enumerate() {
                for phase in 0..2 {
                    let away = model.weights[feature][phase] - start[feature][phase];
                    slopes[phase] = slopes[phase] / batch.len() as f32 + 2.0 * options.pull * away;
                }
            }
            let rate = options.rate * LAST_RATE.powf(batch_number as f32 / batches as f32);
            adam.step(&mut model.weights, &gradient, rate);
            batch_number += 1;
        }
        let loss = model.loss(validation);
        let mean = sum / order.len() as f64;
        say!("epoch {epoch:3}: training loss {mean:.6}, validation loss {loss:.6}");
    }
    losses
}

/// Fisher-Yates.
fn shuffle(order: &mut [u32], seed: u64) {
    let mut state = mix(seed);
    for last in (1..order.len()).rev() {
        state = mix(state);
        order.swap(last, (state % (last as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::super::dataset::Recorder;
    use super::*;
    use kaiyo_chess::{Colour, Position};
    use kaiyo_search::evaluation::classical::evaluate;

    const POSITIONS: [&str; 6] = [
        "r1bqk2r/ppp2ppp/2n2n2/2bpp3/4P3/2PP1N2/PP2BPPP/RNBQK2R w KQkq - 0 6",
        "2r3k1/pp3p1p/6p1/3Pp3/4P1n1/2N3P1/PP2q2P/3R2QK b - - 0 25",
        "8/5k2/3b2p1/1P6/3P4/2P1B3/5K2/8 w - - 0 1",
        "8/2k5/1p4p1/p4p1p/P1K2P1P/1P4P1/8/8 w - - 0 1",
        "r4rk1/1b2qppp/p2p1n2/1pp5/4P3/1BP2Q2/PP1N1PPP/R3R1K1 b - - 2 17",
        "8/1P4k1/8/4r3/8/5K2/8/3R4 b - - 0 1",
    ];

    fn dataset() -> Dataset {
        let (mut dataset, mut recorder) = (Dataset::default(), Recorder::new());
        for fen in POSITIONS {
            recorder.record(&Position::from_fen(fen).unwrap(), 0.4, &mut dataset);
        }
        dataset
    }

    #[test]
    fn the_model_evaluates_as_the_engine_does() {
        let (dataset, model) = (dataset(), Model::from_engine(200.0));
        for (index, fen) in POSITIONS.iter().enumerate() {
            let position = Position::from_fen(fen).unwrap();
            let (sample, features) = dataset.get(index);
            let (value, _) = model.evaluate(&sample, features);
            let sign = if position.side_to_move() == Colour::White { 1.0 } else { -1.0 };
            let engine = sign * evaluate(&position).value() as f32;
            // The engine drops the fraction.
            assert!((value - engine).abs() < 1.01, "{fen}: {value}, engine {engine}");
        }
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let (dataset, model) = (dataset(), Model::from_engine(200.0));
        let mut gradient = vec![[0.0; 2]; FEATURE_COUNT];
        for index in 0..dataset.len() {
            model.add_gradient(&dataset, index, &mut gradient);
        }
        let mut tested = 0;
        for (feature, slopes) in gradient.iter().enumerate() {
            for (phase, slope) in slopes.iter().enumerate() {
                let slope = slope / dataset.len() as f32;
                if slope.abs() < 1e-6 {
                    continue;
                }
                let shifted = |by: f32| {
                    let mut model = model.clone();
                    model.weights[feature][phase] += by;
                    model.loss(&dataset)
                };
                let measured = ((shifted(2.0) - shifted(-2.0)) / 4.0) as f32;
                let tolerance = 0.05 * slope.abs() + 2e-7;
                assert!((slope - measured).abs() < tolerance, "{feature}: {slope} {measured}");
                tested += 1;
            }
        }
        assert!(tested > 50);
    }

    #[test]
    fn moved_means_change_no_evaluation() {
        let (dataset, mut model) = (dataset(), Model::from_engine(200.0));
        let value = |model: &Model, index| {
            let (sample, features) = dataset.get(index);
            model.evaluate(&sample, features).0
        };
        let before: Vec<f32> = (0..dataset.len()).map(|index| value(&model, index)).collect();
        model.move_means_to_material(&[1; FEATURE_COUNT]);
        for (index, before) in before.into_iter().enumerate() {
            assert!((value(&model, index) - before).abs() < 0.1, "{}", POSITIONS[index]);
        }
    }
}

//! Simultaneous perturbation stochastic approximation, as OpenBench and fishtest do it
//! (Spall, "An overview of the simultaneous perturbation method for efficient optimization", 1998;
//! <https://www.chessprogramming.org/SPSA>).
//!
//! Each iteration moves all parameters by a step at random up or down, plays games between these
//! values and the ones as far on the other side, and goes towards the side that wins more.

use super::parameter::Parameter;
use kaiyo_chess::Random;

/// Share of the iterations in which the learning rate stays low at first.
const STABILITY: f64 = 0.1;
/// How the learning rate falls.
const ALPHA: f64 = 0.602;
/// How the step falls.
const GAMMA: f64 = 0.101;
/// Steps below this would not change whole numbers.
const LEAST_STEP: f64 = 0.5;

/// How steps and learning rates fall over a run.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    iterations: f64,
}

impl Schedule {
    /// The schedule of a run of so many iterations.
    pub const fn new(iterations: u64) -> Self {
        Self { iterations: iterations as f64 }
    }

    /// The distance of the compared values from that of the parameter in an iteration, counted
    /// from 0.
    pub fn step(&self, parameter: &Parameter, iteration: u64) -> f64 {
        let progress = (iteration + 1) as f64 / self.iterations;
        (parameter.end_step * progress.powf(-GAMMA)).max(LEAST_STEP)
    }

    /// The part of a step that the parameter moves for each game that is won more than lost.
    pub fn rate(&self, parameter: &Parameter, iteration: u64) -> f64 {
        let delay = STABILITY * self.iterations;
        let gain = parameter.end_rate * parameter.end_step * parameter.end_step;
        let left = (delay + self.iterations) / (delay + (iteration + 1) as f64);
        gain * left.powf(ALPHA) / self.step(parameter, iteration).powi(2)
    }
}

/// Which way an iteration moves each parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Direction(Vec<bool>);

impl Direction {
    /// A random direction for so many parameters.
    pub fn draw(parameters: usize, random: &mut Random) -> Self {
        Self((0..parameters).map(|_| random.chance(0.5)).collect())
    }

    fn signs(&self) -> impl Iterator<Item = f64> {
        self.0.iter().map(|&up| if up { 1.0 } else { -1.0 })
    }
}

/// The values of both sides of a pair of games: those a step in the direction and those a step
/// against it. They are rounded up or down at random, so that their means are as far from the
/// parameters as the step says, and both in the same way, so that their distance is no matter of chance.
pub fn sides(
    parameters: &[Parameter],
    direction: &Direction,
    schedule: &Schedule,
    iteration: u64,
    random: &mut Random,
) -> [Vec<i32>; 2] {
    let mut sides = [Vec::new(), Vec::new()];
    for (parameter, sign) in parameters.iter().zip(direction.signs()) {
        let threshold = random.unit();
        let step = sign * schedule.step(parameter, iteration);
        for (side, step) in sides.iter_mut().zip([step, -step]) {
            let value = (parameter.value + step + threshold).floor();
            side.push(parameter.clamp(value) as i32);
        }
    }
    sides
}

/// Moves the parameters after an iteration whose first side has won so many games more than it lost.
pub fn update(
    parameters: &mut [Parameter],
    direction: &Direction,
    schedule: &Schedule,
    iteration: u64,
    balance: i64,
) {
    for (parameter, sign) in parameters.iter_mut().zip(direction.signs()) {
        let move_per_game =
            schedule.rate(parameter, iteration) * schedule.step(parameter, iteration);
        parameter.value = parameter.clamp(parameter.value + sign * move_per_game * balance as f64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::sequence;

    fn parameter() -> Parameter {
        "razor_base, int, 240.25, 120.0, 480.0, 10, 0.002".parse().unwrap()
    }

    #[test]
    fn steps_and_rates_end_where_the_parameter_says() {
        let schedule = Schedule::new(1000);
        let parameter = parameter();
        assert_eq!(schedule.step(&parameter, 999), 10.0);
        assert!((schedule.rate(&parameter, 999) - 0.002).abs() < 1e-12);
        // c = 10 * 1000^0.101, a = 0.002 * 10^2 * 1100^0.602, r = a / 101^0.602 / c^2.
        assert!((schedule.step(&parameter, 0) - 20.090_9).abs() < 1e-3);
        assert!((schedule.rate(&parameter, 0) - 2.088e-3).abs() < 1e-5);
        let narrow = Parameter { end_step: 0.1, ..parameter };
        assert_eq!(schedule.step(&narrow, 999), 0.5);
    }

    #[test]
    fn sides_are_a_step_away_on_average_and_always_two_steps_apart() {
        let schedule = Schedule::new(1);
        let mut parameter = parameter();
        parameter.end_step = 2.75;
        let parameters = [parameter];
        let mut random = sequence(1, 0);
        for up in [true, false] {
            let direction = Direction(vec![up]);
            let mut sums = [0.0, 0.0];
            for _ in 0..10_000 {
                let sides = sides(&parameters, &direction, &schedule, 0, &mut random);
                let distance = (sides[0][0] - sides[1][0]) * if up { 1 } else { -1 };
                assert!(distance == 5 || distance == 6, "{sides:?}");
                for (sum, side) in sums.iter_mut().zip(&sides) {
                    *sum += f64::from(side[0]) / 10_000.0;
                }
            }
            let [up_mean, down_mean] = if up { sums } else { [sums[1], sums[0]] };
            assert!((up_mean - 243.0).abs() < 0.02, "{up_mean}");
            assert!((down_mean - 237.5).abs() < 0.02, "{down_mean}");
        }
    }

    #[test]
    fn values_stay_within_their_bounds() {
        let schedule = Schedule::new(10);
        let mut random = sequence(1, 0);
        for value in [120.0, 480.0] {
            let mut parameters = [Parameter { value, ..parameter() }];
            for up in [true, false] {
                let direction = Direction(vec![up]);
                let sides = sides(&parameters, &direction, &schedule, 0, &mut random);
                assert!(sides.iter().all(|side| (120..=480).contains(&side[0])), "{sides:?}");
                let balance = if (value > 200.0) == up { 1_000_000 } else { -1_000_000 };
                update(&mut parameters, &direction, &schedule, 0, balance);
                assert_eq!(parameters[0].value, value);
            }
        }
    }

    #[test]
    fn the_side_that_wins_draws_the_value() {
        let schedule = Schedule::new(100);
        for (up, balance, sign) in [(true, 3, 1.0), (false, 3, -1.0), (true, -3, -1.0)] {
            let mut parameters = [parameter()];
            let direction = Direction(vec![up]);
            update(&mut parameters, &direction, &schedule, 99, balance);
            // Three games at 0.002 of a step of 10.
            assert!((parameters[0].value - 240.25 - sign * 0.06).abs() < 1e-12);
        }
    }
}

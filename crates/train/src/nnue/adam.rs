//! AdamW (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019), sixteen numbers
//! at a time.

use super::lanes::Lanes;
use super::parameters::Floats;

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// What is the same for all numbers in a step.
#[derive(Clone, Copy, Debug)]
pub struct Adam {
    /// Learning rate with the correction of the first moment.
    rate: f32,
    /// Correction of the root of the second moment.
    correction: f32,
    /// What weights are multiplied with.
    decay: f32,
}

impl Adam {
    /// The step with this number, from 1.
    pub fn new(step: u64, rate: f32, weight_decay: f32) -> Self {
        let power = |beta: f32| 1.0 - f64::from(beta).powf(step as f64);
        Self {
            rate: (f64::from(rate) / power(BETA1)) as f32,
            correction: (1.0 / power(BETA2).sqrt()) as f32,
            decay: 1.0 - rate * weight_decay,
        }
    }

    /// Updates the moments and returns what the step adds to the weights, besides the decay.
    ///
    /// # Safety
    /// The processor has the instructions of `V`.
    #[inline(always)]
    pub unsafe fn delta<V: Lanes>(
        &self,
        gradient: V,
        first: &mut Floats,
        second: &mut Floats,
    ) -> V {
        // SAFETY: the caller's promise.
        unsafe {
            let square = gradient.mul(gradient).mul(V::splat(1.0 - BETA2));
            let variance = V::load(&second.0).mul_add(V::splat(BETA2), square);
            variance.store(&mut second.0);
            self.delta_with(gradient, first, variance)
        }
    }

    /// The same with the second moment of other gradients, which is up to date.
    ///
    /// # Safety
    /// The processor has the instructions of `V`.
    #[inline(always)]
    pub unsafe fn delta_with<V: Lanes>(&self, gradient: V, first: &mut Floats, variance: V) -> V {
        // SAFETY: the caller's promise.
        unsafe {
            let share = gradient.mul(V::splat(1.0 - BETA1));
            let mean = V::load(&first.0).mul_add(V::splat(BETA1), share);
            mean.store(&mut first.0);
            let root = variance.sqrt().mul_add(V::splat(self.correction), V::splat(EPSILON));
            mean.mul(V::splat(-self.rate)).div(root)
        }
    }

    /// Decays weights, adds to them and clips them.
    ///
    /// # Safety
    /// The processor has the instructions of `V`.
    #[inline(always)]
    pub unsafe fn apply<V: Lanes>(&self, weights: &mut Floats, delta: V, limit: f32) {
        // SAFETY: the caller's promise.
        unsafe {
            let weight = V::load(&weights.0).mul_add(V::splat(self.decay), delta);
            weight.min(V::splat(limit)).max(V::splat(-limit)).store(&mut weights.0);
        }
    }
}

super::lanes::kernels! {
    /// A step for rows of weights; clears the gradient.
    pub step_rows => generic_step_rows(
        adam: &Adam,
        limit: f32,
        weights: &mut [Floats],
        first: &mut [Floats],
        second: &mut [Floats],
        gradient: &mut [Floats],
    )
}

#[inline(always)]
unsafe fn generic_step_rows<V: Lanes, const P: usize>(
    adam: &Adam,
    limit: f32,
    weights: &mut [Floats],
    first: &mut [Floats],
    second: &mut [Floats],
    gradient: &mut [Floats],
) {
    let moments = first.iter_mut().zip(second);
    for ((weight, gradient), (first, second)) in weights.iter_mut().zip(gradient).zip(moments) {
        // SAFETY: the caller's promise.
        unsafe {
            let delta = adam.delta(V::load(&gradient.0), first, second);
            adam.apply(weight, delta, limit);
        }
        *gradient = Floats::ZERO;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::lanes::Simd;

    /// The textbook in double precision.
    #[test]
    fn steps_follow_the_definition() {
        for simd in Simd::available() {
            let mut weights = [Floats([0.5; 16])];
            let (mut first, mut second) = ([Floats::ZERO], [Floats::ZERO]);
            let (mut weight, mut mean, mut variance) = (0.5_f64, 0.0, 0.0);
            let (rate, decay) = (0.01, 0.1);
            for step in 1..=50_u64 {
                let gradient = (step as f64).sin();
                let adam = Adam::new(step, rate as f32, decay as f32);
                let mut row = [Floats([gradient as f32; 16])];
                step_rows(simd, &adam, 2.0, &mut weights, &mut first, &mut second, &mut row);
                assert_eq!(row[0], Floats::ZERO);
                mean = 0.9 * mean + 0.1 * gradient;
                variance = 0.999 * variance + 0.001 * gradient * gradient;
                let unbiased = [
                    mean / (1.0 - 0.9_f64.powf(step as f64)),
                    variance / (1.0 - 0.999_f64.powf(step as f64)),
                ];
                weight -= rate * decay * weight + rate * unbiased[0] / (unbiased[1].sqrt() + 1e-8);
                let error = f64::from(weights[0].0[7]) - weight;
                assert!(error.abs() < 1e-4, "{simd:?}, step {step}: {error}");
            }
        }
    }

    #[test]
    fn weights_are_clipped() {
        let mut weights = [Floats([1.0; 16])];
        let (mut first, mut second) = ([Floats::ZERO], [Floats::ZERO]);
        let mut gradient = [Floats([-3.0; 16])];
        let adam = Adam::new(1, 0.5, 0.0);
        step_rows(Simd::best(), &adam, 1.25, &mut weights, &mut first, &mut second, &mut gradient);
        assert_eq!(weights[0], Floats([1.25; 16]));
    }
}

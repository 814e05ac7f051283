//! Rotary positions (Su et al., "RoFormer", 2021).

use crate::model::Config;

/// Turns pairs of elements of a head by angles that grow with the position.
#[derive(Clone, Debug)]
pub(super) struct Rotary {
    /// Angle from a position to the next, for each pair.
    frequencies: Vec<f64>,
}

/// The angles of a position.
#[derive(Clone, Debug, Default)]
pub(super) struct Angles {
    cosines: Vec<f32>,
    sines: Vec<f32>,
}

impl Rotary {
    pub(super) fn new(config: &Config) -> Self {
        let pairs = config.head_size / 2;
        let frequency = |pair: usize| {
            f64::from(config.rope_base).powf(-(2.0 * pair as f64) / config.head_size as f64)
        };
        Self { frequencies: (0..pairs).map(frequency).collect() }
    }

    pub(super) fn angles(&self, position: usize) -> Angles {
        let (sines, cosines) = self
            .frequencies
            .iter()
            .map(|frequency| {
                let (sine, cosine) = (frequency * position as f64).sin_cos();
                (sine as f32, cosine as f32)
            })
            .unzip();
        Angles { cosines, sines }
    }
}

impl Angles {
    /// Turns every head. The partner of an element is half a head further.
    pub(super) fn turn(&self, heads: &mut [f32]) {
        let pairs = self.cosines.len();
        for head in heads.chunks_exact_mut(2 * pairs) {
            let (first, second) = head.split_at_mut(pairs);
            let elements = first.iter_mut().zip(second);
            for ((first, second), (cosine, sine)) in
                elements.zip(self.cosines.iter().zip(&self.sines))
            {
                (*first, *second) =
                    (*first * cosine - *second * sine, *second * cosine + *first * sine);
            }
        }
    }
}

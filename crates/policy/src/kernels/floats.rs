//! Kernels on floats in plain code.
//!
//! Sums have [`LANES`] partial sums in one order, so that vectors of any size give the same
//! result. Everything is inlined into functions that enable an instruction set.

/// Partial sums; also the slots of a block of keys.
pub(crate) const LANES: usize = 16;

/// Adding it rounds a number below 2^22 to an integer, halves to even, whose lowest bits are then
/// the lowest bits of the float.
pub(super) const ROUND: f32 = 12_582_912.0;

/// Sum of the lanes by halves.
#[inline(always)]
fn horizontal(mut lanes: [f32; LANES], combine: impl Fn(f32, f32) -> f32) -> f32 {
    let mut len = LANES;
    while len > 1 {
        len /= 2;
        for lane in 0..len {
            lanes[lane] = combine(lanes[lane], lanes[lane + len]);
        }
    }
    lanes[0]
}

/// See [`crate::kernels::dot`].
#[inline(always)]
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    let (a, b) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    for (a, b) in a.0.iter().zip(b.0) {
        for lane in 0..LANES {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    let rest: f32 = a.1.iter().zip(b.1).map(|(a, b)| a * b).sum();
    horizontal(lanes, |a, b| a + b) + rest
}

/// The larger number, and the first if the second is none: as vectors compare.
#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

/// Largest absolute value; the comparison drops what is no number.
#[inline(always)]
pub(super) fn largest(values: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    let (chunks, rest) = values.as_chunks::<LANES>();
    for chunk in chunks {
        for lane in 0..LANES {
            lanes[lane] = larger(lanes[lane], chunk[lane].abs());
        }
    }
    rest.iter().fold(horizontal(lanes, larger), |a, b| larger(a, b.abs()))
}

/// See [`crate::kernels::normalise`].
#[inline(always)]
pub(super) fn normalise(input: &[f32], weight: &[f32], epsilon: f32, output: &mut [f32]) {
    let mean = dot(input, input) / input.len() as f32;
    let factor = 1.0 / (mean + epsilon).sqrt();
    for ((output, input), weight) in output.iter_mut().zip(input).zip(weight) {
        *output = input * factor * weight;
    }
}

/// See [`crate::kernels::gate`].
#[inline(always)]
pub(super) fn gate(gate: &mut [f32], up: &[f32]) {
    for (gate, up) in gate.iter_mut().zip(up) {
        *gate = *gate / (1.0 + exp(-*gate)) * up;
    }
}

/// See [`crate::kernels::add_scaled`].
#[inline(always)]
pub(super) fn add_scaled(sum: &mut [f32], addend: &[f32], scale: &[f32]) {
    for ((sum, addend), scale) in sum.iter_mut().zip(addend).zip(scale) {
        *sum += addend * scale;
    }
}

/// The exponential function to about 1e-7 of its value, in operations that all vectors have:
/// `2^n * e^r` with a polynomial for the small rest `r`. Below -87 it is 0: subnormal numbers
/// would be right, but processors are very slow with them.
#[inline(always)]
#[allow(clippy::excessive_precision, reason = "the decimals of single-precision constants")]
fn exp(x: f32) -> f32 {
    const LN_2_HIGH: f32 = 0.693_359_375;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let is_zero = x < -87.0;
    let x = if x > 88.0 { 88.0 } else { x };
    let shifted = x * core::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = x - n * LN_2_HIGH - n * LN_2_LOW;
    // Cephes' coefficients of (e^r - 1 - r) / r^2 for |r| up to half of ln 2.
    let mut sum = 1.987_569_15e-4;
    sum = sum * r + 1.398_199_9e-3;
    sum = sum * r + 8.333_452e-3;
    sum = sum * r + 4.166_579_6e-2;
    sum = sum * r + 1.666_666_5e-1;
    sum = sum * r + 5.000_000_1e-1;
    let power = f32::from_bits((shifted.to_bits().wrapping_add(127)) << 23);
    if is_zero { 0.0 } else { (sum * r * r + r + 1.0) * power }
}

/// Attention of the query heads that share a key head.
pub(crate) struct Attention<'a> {
    /// Queries, head after head.
    pub(crate) queries: &'a [f32],
    /// The queries as the control steps see them.
    pub(crate) control_queries: &'a [f32],
    /// Number of slots at the start that hold control steps.
    pub(crate) control_slots: usize,
    /// Size of a head, a multiple of [`LANES`].
    pub(crate) head_size: usize,
    /// Keys by blocks of [`LANES`] slots: `[block][element][slot of the block]`.
    pub(crate) keys: &'a [f32],
    /// Values, slot after slot.
    pub(crate) values: &'a [f32],
    /// For every slot 0 if it can be seen, or else minus infinity; a multiple of [`LANES`].
    pub(crate) mask: &'a [f32],
}

/// See [`crate::kernels::attend`].
#[inline(always)]
pub(super) fn attend(attention: &Attention<'_>, scores: &mut Vec<f32>, output: &mut [f32]) {
    let head_size = attention.head_size;
    let heads = attention.queries.len() / head_size;
    let mut head = 0;
    while head < heads {
        let output = &mut output[head * head_size..];
        head += match heads - head {
            4.. => attend_heads::<4>(attention, head, scores, output),
            2.. => attend_heads::<2>(attention, head, scores, output),
            _ => attend_heads::<1>(attention, head, scores, output),
        };
    }
}

/// Attention of `HEADS` query heads from `first` on; returns their number.
#[inline(always)]
fn attend_heads<const HEADS: usize>(
    attention: &Attention<'_>,
    first: usize,
    scores: &mut Vec<f32>,
    output: &mut [f32],
) -> usize {
    let &Attention { head_size, keys, mask, .. } = attention;
    let blocks = mask.len() / LANES;
    // Scores by block, then head: what is computed together lies together.
    scores.clear();
    scores.resize(blocks * HEADS * LANES, 0.0);
    let heads = |queries: &'_ [f32], head: usize| {
        let start = (first + head) * head_size;
        start..start + head_size.min(queries.len() - start)
    };
    let queries: [&[f32]; HEADS] =
        core::array::from_fn(|head| &attention.queries[heads(attention.queries, head)]);
    let factor = 1.0 / (head_size as f32).sqrt();
    let mut largest = [f32::NEG_INFINITY; HEADS];
    let score_blocks = scores.as_chunks_mut::<LANES>().0.as_chunks_mut::<HEADS>().0;
    for (block, scores) in score_blocks.iter_mut().enumerate() {
        let keys = &keys[block * head_size * LANES..(block + 1) * head_size * LANES];
        let mut sums = block_scores(queries, keys);
        if block == 0 && attention.control_slots > 0 {
            let queries: [&[f32]; HEADS] = core::array::from_fn(|head| {
                &attention.control_queries[heads(attention.control_queries, head)]
            });
            let control = block_scores(queries, keys);
            for (sums, control) in sums.iter_mut().zip(control) {
                let slots = attention.control_slots.min(LANES);
                sums[..slots].copy_from_slice(&control[..slots]);
            }
        }
        let mask = &mask.as_chunks::<LANES>().0[block];
        for head in 0..HEADS {
            for lane in 0..LANES {
                let score = sums[head][lane] * factor + mask[lane];
                scores[head][lane] = score;
            }
            largest[head] = larger(largest[head], horizontal(scores[head], larger));
        }
    }
    let mut totals = [[0.0; LANES]; HEADS];
    for scores in score_blocks.iter_mut() {
        for head in 0..HEADS {
            for lane in 0..LANES {
                let weight = exp(scores[head][lane] - largest[head]);
                scores[head][lane] = weight;
                totals[head][lane] += weight;
            }
        }
    }
    let totals = totals.map(|lanes| 1.0 / horizontal(lanes, |a, b| a + b));
    for part in 0..head_size / LANES {
        let sums = weighted_values(score_blocks, attention.values, head_size, part * LANES);
        for head in 0..HEADS {
            let start = head * head_size + part * LANES;
            for (output, sum) in output[start..start + LANES].iter_mut().zip(sums[head]) {
                *output = sum * totals[head];
            }
        }
    }
    HEADS
}

/// Products of queries with the keys of a block.
#[inline(always)]
fn block_scores<const HEADS: usize>(
    queries: [&[f32]; HEADS],
    keys: &[f32],
) -> [[f32; LANES]; HEADS] {
    let mut sums = [[0.0; LANES]; HEADS];
    for (element, keys) in keys.as_chunks::<LANES>().0.iter().enumerate() {
        for head in 0..HEADS {
            let query = queries[head][element];
            for lane in 0..LANES {
                sums[head][lane] += query * keys[lane];
            }
        }
    }
    sums
}

/// Sums of [`LANES`] elements of the values, weighted by the scores.
#[inline(always)]
fn weighted_values<const HEADS: usize>(
    scores: &[[[f32; LANES]; HEADS]],
    values: &[f32],
    head_size: usize,
    start: usize,
) -> [[f32; LANES]; HEADS] {
    let mut sums = [[0.0; LANES]; HEADS];
    for (scores, values) in scores.iter().zip(values.chunks_exact(LANES * head_size)) {
        for (lane, values) in values.chunks_exact(head_size).enumerate() {
            let values = &values[start..start + LANES];
            for head in 0..HEADS {
                let weight = scores[head][lane];
                for (sum, value) in sums[head].iter_mut().zip(values) {
                    *sum += weight * value;
                }
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_close() {
        for step in -8700..8700 {
            let x = step as f32 / 100.0;
            let expected = f64::from(x).exp();
            let error = (f64::from(exp(x)) - expected).abs() / expected;
            assert!(error < 3e-7, "{x}: {error}");
        }
        assert_eq!(exp(f32::NEG_INFINITY), 0.0);
        assert!(exp(f32::INFINITY).is_finite());
    }
}

//! The dense layers, forwards and backwards, for groups of sixteen positions of one bucket.
//!
//! In the first layer a vector holds the sixteen outputs of one position; in its backward pass
//! the sixteen inputs of a tile. The sums of the transformer are replaced by their gradients.

use super::batch::{Batch, GROUP};
use super::lanes::{LANES, Lanes, kernels};
use super::parameters::{Floats, Layout, Rows, TILES};
use super::transformer::GROUP_ROWS;
use core::ops::Range;
use kaiyo_nnue::features::OUTPUT_BUCKETS;
use kaiyo_nnue::{Architecture, SECOND_OUTPUTS};

/// Rows of a transposed second layer.
const SECOND_ROWS: usize = SECOND_OUTPUTS * SECOND_ROW;
/// Rows for the outputs of the second layer.
const SECOND_ROW: usize = SECOND_OUTPUTS / LANES;

/// Sums of the transformer are clipped to 0..=this.
pub const SUM_LIMIT: f32 = kaiyo_nnue::SUM_LIMIT as f32 / kaiyo_nnue::TRANSFORMER_QUANTUM as f32;

/// How far an output is from its target.
#[derive(Clone, Copy, Debug)]
pub struct Loss {
    /// The loss is the difference of the expected scores to this power.
    pub exponent: f32,
    /// Loss for each unit of activation: inputs of the first layer that are zero cost the engine
    /// nothing.
    pub activation_cost: f32,
}

impl Loss {
    /// The loss of an output, and its derivative.
    #[inline]
    pub fn of(&self, output: f32, target: f32) -> (f32, f32) {
        let expected = 1.0 / (1.0 + (-output).exp());
        let difference = expected - target;
        let power = difference.abs().powf(self.exponent - 1.0);
        let slope = self.exponent * power.copysign(difference) * expected * (1.0 - expected);
        (power * difference.abs(), slope)
    }
}

/// Gradients of the dense layers from a part of a batch.
pub struct DenseGradient {
    /// As [`super::parameters::Parameters::dense`].
    pub rows: Rows,
    /// The buckets that have any.
    pub touched: [bool; OUTPUT_BUCKETS],
}

/// The dense layers turned around for the way back: per bucket the first layer `[tile][output]`
/// with a lane for each input of the tile, then the second layer `[output]` with two rows of
/// inputs.
pub fn transpose(layout: Layout, dense: &[Floats], out: &mut Vec<Floats>) {
    out.clear();
    for bucket in dense.chunks_exact(layout.len) {
        for tile in bucket[..layout.first_bias].as_chunks::<LANES>().0 {
            for output in 0..LANES {
                out.push(Floats(core::array::from_fn(|input| tile[input].0[output])));
            }
        }
        if layout.architecture.has_second_layer() {
            let second = &bucket[layout.second..layout.second_bias];
            for output in 0..SECOND_OUTPUTS {
                for half in 0..SECOND_ROW {
                    out.push(Floats(core::array::from_fn(|lane| {
                        let input = half * LANES + lane;
                        second[input * SECOND_ROW + output / LANES].0[output % LANES]
                    })));
                }
            }
        }
    }
}

/// A run of groups of a batch on its way through the dense layers.
pub struct Job<'a> {
    /// Where parameters lie.
    pub layout: Layout,
    /// The dense layers of all buckets.
    pub parameters: &'a [Floats],
    /// The same by [`transpose`].
    pub transposed: &'a [Floats],
    /// The batch.
    pub batch: &'a Batch,
    /// The groups.
    pub groups: Range<usize>,
    /// The sums of these groups; their gradients afterwards, if gradients are wanted.
    pub sums: &'a mut [Floats],
    /// The network's output for each slot of the groups.
    pub outputs: &'a mut [f32],
    /// How to judge outputs.
    pub loss: Loss,
    /// Where gradients go, if they are wanted.
    pub gradient: Option<&'a mut DenseGradient>,
}

kernels! {
    /// Runs a job and returns the sum of the losses of its positions. Gradients are those of the
    /// mean loss of the whole batch.
    pub run => generic_run(job: Job<'_>) -> f64
}

#[inline(always)]
unsafe fn generic_run<V: Lanes, const P: usize>(mut job: Job<'_>) -> f64 {
    let layout = job.layout;
    let tiles = layout.first_bias / LANES;
    let mut inputs = vec![Floats::ZERO; tiles * GROUP];
    let transposed_len = job.transposed.len() / OUTPUT_BUCKETS;
    let mut total = 0.0;
    for (index, group) in job.groups.clone().enumerate() {
        let bucket = usize::from(job.batch.buckets[group]);
        let parameters = &job.parameters[bucket * layout.len..][..layout.len];
        let sums = &mut job.sums[index * GROUP_ROWS..][..GROUP_ROWS];
        let outputs = &mut job.outputs[index * GROUP..][..GROUP];
        let mut hidden = [Floats::ZERO; GROUP];
        let mut costs = [0.0; GROUP];
        // SAFETY: the caller has the instructions, here and below.
        unsafe {
            activate::<V>(layout.architecture, sums, &mut inputs);
            first_layer::<V, P>(layout, parameters, &inputs, &mut hidden);
        }
        let transposed = &job.transposed[bucket * transposed_len..][..transposed_len];
        let mut gradient = job.gradient.as_deref_mut().map(|gradient| {
            gradient.touched[bucket] = true;
            &mut gradient.rows[bucket * layout.len..][..layout.len]
        });
        for position in 0..GROUP {
            let slot = group * GROUP + position;
            let hidden = &mut hidden[position];
            // SAFETY: see above.
            let (output, tail) = unsafe { tail::<V>(layout, parameters, hidden) };
            outputs[position] = output;
            let empty = job.batch.men[slot] == 0;
            if !empty {
                costs[position] = job.loss.activation_cost / job.batch.positions as f32;
            }
            let (loss, slope) =
                if empty { (0.0, 0.0) } else { job.loss.of(output, job.batch.targets[slot]) };
            total += f64::from(loss);
            if let Some(gradient) = &mut gradient {
                let slope = slope / job.batch.positions as f32;
                let second = &transposed[layout.first_bias..];
                // SAFETY: see above.
                unsafe {
                    tail_back::<V>(layout, parameters, second, &tail, slope, hidden, gradient)
                };
            }
        }
        if job.loss.activation_cost > 0.0 {
            let used = costs.map(|cost| f32::from(u8::from(cost > 0.0)));
            total += f64::from(job.loss.activation_cost * sum_of_used(&inputs, &used));
        }
        if let Some(gradient) = gradient {
            // SAFETY: see above.
            unsafe {
                first_layer_gradient::<V>(layout, &inputs, &hidden, gradient);
                sums_gradient::<V>(layout, transposed, &hidden, &costs, sums);
            }
        }
    }
    total
}

#[inline(always)]
unsafe fn clip<V: Lanes>(x: V) -> V {
    // SAFETY: the caller has the instructions.
    unsafe { x.max(V::splat(0.0)).min(V::splat(1.0)) }
}

#[inline(always)]
unsafe fn clip_sum<V: Lanes>(x: V) -> V {
    // SAFETY: the caller has the instructions.
    unsafe { x.max(V::splat(0.0)).min(V::splat(SUM_LIMIT)) }
}

/// The sum of all inputs of the positions in use, those with a 1.
fn sum_of_used(inputs: &[Floats], used: &[f32; GROUP]) -> f32 {
    let rows = inputs.iter().zip(used.iter().cycle());
    rows.map(|(row, used)| used * row.0.iter().sum::<f32>()).sum()
}

/// Where the sums of an input tile lie: the row of the first factor of its products, and of the
/// second one.
#[inline(always)]
const fn factors(architecture: Architecture, tile: usize) -> [usize; 2] {
    match architecture {
        Architecture::Squared => [tile * GROUP; 2],
        Architecture::Pairwise => {
            let half = TILES / 2;
            let first = tile / half * TILES + tile % half;
            [first * GROUP, (first + half) * GROUP]
        }
    }
}

/// Inputs of the first layer, `[tile][position]`.
#[inline(always)]
unsafe fn activate<V: Lanes>(architecture: Architecture, sums: &[Floats], inputs: &mut [Floats]) {
    for (tile, inputs) in inputs.as_chunks_mut::<GROUP>().0.iter_mut().enumerate() {
        let [first, second] = factors(architecture, tile);
        let (first, second) = (&sums[first..][..GROUP], &sums[second..][..GROUP]);
        for (input, (first, second)) in inputs.iter_mut().zip(first.iter().zip(second)) {
            // SAFETY: the caller has the instructions.
            unsafe {
                let product = clip_sum(V::load(&first.0)).mul(clip_sum(V::load(&second.0)));
                product.store(&mut input.0);
            }
        }
    }
}

/// Sums of the first layer, `[position]` with a lane for each output; `P` positions at once.
#[inline(always)]
unsafe fn first_layer<V: Lanes, const P: usize>(
    layout: Layout,
    parameters: &[Floats],
    inputs: &[Floats],
    hidden: &mut [Floats; GROUP],
) {
    let weights = parameters[..layout.first_bias].as_chunks::<LANES>().0;
    // SAFETY: the caller has the instructions.
    unsafe {
        let bias = V::load(&parameters[layout.first_bias].0);
        for (part, hidden) in hidden.as_chunks_mut::<P>().0.iter_mut().enumerate() {
            let mut sums = [bias; P];
            for (weights, inputs) in weights.iter().zip(inputs.as_chunks::<GROUP>().0) {
                let Some(inputs) = inputs.as_chunks::<P>().0.get(part) else { continue };
                for (input, weight) in weights.iter().enumerate() {
                    let weight = V::load(&weight.0);
                    for (sum, inputs) in sums.iter_mut().zip(inputs) {
                        *sum = V::splat(inputs.0[input]).mul_add(weight, *sum);
                    }
                }
            }
            for (hidden, sum) in hidden.iter_mut().zip(sums) {
                sum.store(&mut hidden.0);
            }
        }
    }
}

/// What the way back needs of the way forward.
struct Tail {
    /// Inputs of the second layer.
    inputs: [Floats; SECOND_ROW],
    /// Sums of the second layer.
    sums: [Floats; SECOND_ROW],
}

/// The output of one position from its sums of the first layer.
#[inline(always)]
unsafe fn tail<V: Lanes>(layout: Layout, parameters: &[Floats], hidden: &Floats) -> (f32, Tail) {
    let mut tail = Tail { inputs: [Floats::ZERO; SECOND_ROW], sums: [Floats::ZERO; SECOND_ROW] };
    // SAFETY: the caller has the instructions.
    let output = unsafe {
        let hidden = V::load(&hidden.0);
        let plain = clip(hidden);
        let weights = &parameters[layout.output..layout.output_bias];
        let products = if layout.architecture.has_second_layer() {
            plain.store(&mut tail.inputs[0].0);
            hidden.mul(hidden).min(V::splat(1.0)).store(&mut tail.inputs[1].0);
            let bias = &parameters[layout.second_bias..layout.output];
            let mut sums = [V::load(&bias[0].0), V::load(&bias[1].0)];
            let rows = parameters[layout.second..layout.second_bias].as_chunks::<SECOND_ROW>().0;
            let values = tail.inputs.iter().flat_map(|row| &row.0);
            for (row, &value) in rows.iter().zip(values) {
                let value = V::splat(value);
                sums[0] = value.mul_add(V::load(&row[0].0), sums[0]);
                sums[1] = value.mul_add(V::load(&row[1].0), sums[1]);
            }
            sums[0].store(&mut tail.sums[0].0);
            sums[1].store(&mut tail.sums[1].0);
            let product = clip(sums[0]).mul(V::load(&weights[0].0));
            clip(sums[1]).mul_add(V::load(&weights[1].0), product)
        } else {
            plain.mul(V::load(&weights[0].0))
        };
        products.sum() + parameters[layout.output_bias].0[0]
    };
    (output, tail)
}

/// Takes the slope at the output back to the sums of the first layer, which are replaced by
/// their gradients, and adds to the gradients of the layers between.
#[inline(always)]
unsafe fn tail_back<V: Lanes>(
    layout: Layout,
    parameters: &[Floats],
    transposed: &[Floats],
    tail: &Tail,
    slope: f32,
    hidden: &mut Floats,
    gradient: &mut [Floats],
) {
    gradient[layout.output_bias].0[0] += slope;
    // SAFETY: the caller has the instructions.
    unsafe {
        let slope = V::splat(slope);
        let (zero, one) = (V::splat(0.0), V::splat(1.0));
        let sums = V::load(&hidden.0);
        if !layout.architecture.has_second_layer() {
            add::<V>(&mut gradient[layout.output], clip(sums).mul(slope));
            let weights = V::load(&parameters[layout.output].0);
            sums.gate(zero, one, weights.mul(slope)).store(&mut hidden.0);
            return;
        }
        let mut slopes = [Floats::ZERO; SECOND_ROW];
        for half in 0..SECOND_ROW {
            let sums = V::load(&tail.sums[half].0);
            add::<V>(&mut gradient[layout.output + half], clip(sums).mul(slope));
            let weights = V::load(&parameters[layout.output + half].0);
            let back = sums.gate(zero, one, weights.mul(slope));
            add::<V>(&mut gradient[layout.second_bias + half], back);
            back.store(&mut slopes[half].0);
        }
        let back = [V::load(&slopes[0].0), V::load(&slopes[1].0)];
        let rows = &mut gradient[layout.second..layout.second_bias];
        let values = tail.inputs.iter().flat_map(|row| &row.0);
        for (row, &value) in rows.as_chunks_mut::<SECOND_ROW>().0.iter_mut().zip(values) {
            let value = V::splat(value);
            add::<V>(&mut row[0], back[0].mul(value));
            add::<V>(&mut row[1], back[1].mul(value));
        }
        let mut inputs = [zero; SECOND_ROW];
        let slopes = slopes.iter().flat_map(|row| &row.0);
        let rows = transposed[..SECOND_ROWS].as_chunks::<SECOND_ROW>().0;
        for (row, &slope) in rows.iter().zip(slopes) {
            let slope = V::splat(slope);
            inputs[0] = slope.mul_add(V::load(&row[0].0), inputs[0]);
            inputs[1] = slope.mul_add(V::load(&row[1].0), inputs[1]);
        }
        let plain = sums.gate(zero, one, inputs[0]);
        let squared = sums.gate(V::splat(-1.0), one, inputs[1].mul(sums.add(sums)));
        plain.add(squared).store(&mut hidden.0);
    }
}

#[inline(always)]
unsafe fn add<V: Lanes>(row: &mut Floats, summand: V) {
    // SAFETY: the caller has the instructions.
    unsafe { V::load(&row.0).add(summand).store(&mut row.0) }
}

/// Gradients of weights and bias of the first layer; `slopes` are those of its sums.
#[inline(always)]
unsafe fn first_layer_gradient<V: Lanes>(
    layout: Layout,
    inputs: &[Floats],
    slopes: &[Floats; GROUP],
    gradient: &mut [Floats],
) {
    /// Inputs at once: independent sums hide the latency of the additions.
    const INPUTS: usize = 4;
    // SAFETY: the caller has the instructions.
    unsafe {
        let mut back = [V::splat(0.0); GROUP];
        let mut total = V::splat(0.0);
        for (back, slope) in back.iter_mut().zip(slopes) {
            *back = V::load(&slope.0);
            total = total.add(*back);
        }
        add::<V>(&mut gradient[layout.first_bias], total);
        let rows = gradient[..layout.first_bias].as_chunks_mut::<LANES>().0;
        for (rows, inputs) in rows.iter_mut().zip(inputs.as_chunks::<GROUP>().0) {
            for (part, rows) in rows.as_chunks_mut::<INPUTS>().0.iter_mut().enumerate() {
                let mut sums = [V::splat(0.0); INPUTS];
                for (sum, row) in sums.iter_mut().zip(rows.iter()) {
                    *sum = V::load(&row.0);
                }
                for (inputs, &back) in inputs.iter().zip(&back) {
                    let inputs = &inputs.0.as_chunks::<INPUTS>().0[part];
                    for (sum, &input) in sums.iter_mut().zip(inputs) {
                        *sum = V::splat(input).mul_add(back, *sum);
                    }
                }
                for (sum, row) in sums.into_iter().zip(rows) {
                    sum.store(&mut row.0);
                }
            }
        }
    }
}

/// Replaces the sums of the transformer by their gradients. `costs` are those of a unit of
/// activation in each position.
#[inline(always)]
unsafe fn sums_gradient<V: Lanes>(
    layout: Layout,
    transposed: &[Floats],
    slopes: &[Floats; GROUP],
    costs: &[f32; GROUP],
    sums: &mut [Floats],
) {
    /// Positions at once.
    const POSITIONS: usize = 4;
    let weights = transposed[..layout.first_bias].as_chunks::<LANES>().0;
    for (tile, weights) in weights.iter().enumerate() {
        let [first, second] = factors(layout.architecture, tile);
        let costs = costs.as_chunks::<POSITIONS>().0;
        let slopes = slopes.as_chunks::<POSITIONS>().0;
        for (part, (slopes, costs)) in slopes.iter().zip(costs).enumerate() {
            // SAFETY: the caller has the instructions.
            unsafe {
                let mut inputs = [V::splat(0.0); POSITIONS];
                for (input, &cost) in inputs.iter_mut().zip(costs) {
                    *input = V::splat(cost);
                }
                for (output, weights) in weights.iter().enumerate() {
                    let weights = V::load(&weights.0);
                    for (input, slope) in inputs.iter_mut().zip(slopes) {
                        *input = V::splat(slope.0[output]).mul_add(weights, *input);
                    }
                }
                for (index, input) in inputs.into_iter().enumerate() {
                    let position = part * POSITIONS + index;
                    product_gradient(input, [first + position, second + position], sums);
                }
            }
        }
    }
}

/// Replaces the two factors of products by their gradients.
#[inline(always)]
unsafe fn product_gradient<V: Lanes>(slope: V, [first, second]: [usize; 2], sums: &mut [Floats]) {
    // SAFETY: the caller has the instructions.
    unsafe {
        let (zero, limit) = (V::splat(0.0), V::splat(SUM_LIMIT));
        let left = V::load(&sums[first].0);
        if first == second {
            let slope = slope.mul(left.add(left));
            left.gate(zero, limit, slope).store(&mut sums[first].0);
        } else {
            let right = V::load(&sums[second].0);
            left.gate(zero, limit, slope.mul(clip_sum(right))).store(&mut sums[first].0);
            right.gate(zero, limit, slope.mul(clip_sum(left))).store(&mut sums[second].0);
        }
    }
}

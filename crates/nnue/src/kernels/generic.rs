//! Kernels over the primitives of an instruction set.
//!
//! Everything here is always inlined, into functions that enable the instruction set: code
//! that is compiled outside of them would call each intrinsic as a function.

use crate::network::{
    Architecture, Dense, FIRST_OUTPUTS, FIRST_SCALE, HalfRow, InputGroup, MAX_FIRST_INPUTS,
    SECOND_OUTPUTS, SUM_LIMIT, WIDTH,
};
use core::mem::MaybeUninit;

/// The primitives of an instruction set.
///
/// # Safety
/// All functions require that the processor has the instruction set.
pub(super) trait Isa {
    /// A vector of 16-bit integers.
    type Sums: Copy;
    /// Integers in such a vector; divides [`WIDTH`].
    const LANES: usize;

    /// Loads [`Self::LANES`] integers.
    ///
    /// # Safety
    /// They can be read and the first is aligned to the size of the vector.
    unsafe fn load(from: *const i16) -> Self::Sums;

    /// Stores [`Self::LANES`] integers.
    ///
    /// # Safety
    /// They can be written and the first is aligned to the size of the vector.
    unsafe fn store(to: *mut i16, sums: Self::Sums);

    /// Wrapping sums.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn add(a: Self::Sums, b: Self::Sums) -> Self::Sums;

    /// Wrapping differences.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn sub(a: Self::Sums, b: Self::Sums) -> Self::Sums;

    /// Sums of the first dense layer from its inputs by groups of four, each at most 127.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn first_layer(inputs: &[[u8; 4]], weights: &[InputGroup]) -> [i32; FIRST_OUTPUTS];
}

/// See [`crate::kernels::update`]. `TILE` vectors are kept in registers while all rows pass.
///
/// # Safety
/// The processor has the instruction set.
#[inline(always)]
pub(super) unsafe fn update<I: Isa, const TILE: usize>(
    rows: &[HalfRow],
    source: Option<&HalfRow>,
    target: &mut HalfRow,
    added: &[u16],
    removed: &[u16],
) {
    const { assert!(WIDTH.is_multiple_of(I::LANES * TILE)) };
    let target = target.0.as_mut_ptr();
    let source = match source {
        Some(source) => source.0.as_ptr(),
        None => target.cast_const(),
    };
    let mut start = 0;
    while start < WIDTH {
        // SAFETY: all offsets are multiples of a vector below `WIDTH`, and rows are aligned to
        // 64 bytes, the size of the largest vectors. `source` and `target` are the same array
        // or different ones, and each part is read before it is written.
        unsafe {
            let mut sums = [I::load(source.add(start)); TILE];
            for (index, sum) in sums.iter_mut().enumerate() {
                *sum = I::load(source.add(start + index * I::LANES));
            }
            for &feature in added {
                let row = rows[usize::from(feature)].0.as_ptr().add(start);
                for (index, sum) in sums.iter_mut().enumerate() {
                    *sum = I::add(*sum, I::load(row.add(index * I::LANES)));
                }
            }
            for &feature in removed {
                let row = rows[usize::from(feature)].0.as_ptr().add(start);
                for (index, sum) in sums.iter_mut().enumerate() {
                    *sum = I::sub(*sum, I::load(row.add(index * I::LANES)));
                }
            }
            for (index, sum) in sums.iter().enumerate() {
                I::store(target.add(start + index * I::LANES), *sum);
            }
        }
        start += I::LANES * TILE;
    }
}

/// See [`crate::kernels::output`].
///
/// # Safety
/// The processor has the instruction set.
#[inline(always)]
pub(super) unsafe fn output<I: Isa>(
    architecture: Architecture,
    own: &HalfRow,
    other: &HalfRow,
    dense: &Dense,
) -> f32 {
    let mut inputs = Inputs::new();
    let inputs = inputs.fill(architecture, own, other);
    // SAFETY: the caller's promise.
    let sums = unsafe { I::first_layer(inputs, &dense.first) };
    tail(architecture, sums, dense)
}

/// Room for the inputs of the first dense layer, not cleared since they are written at once.
#[repr(align(64))]
pub(super) struct Inputs([MaybeUninit<u8>; MAX_FIRST_INPUTS]);

impl Inputs {
    #[inline(always)]
    pub(super) const fn new() -> Self {
        Self([const { MaybeUninit::uninit() }; MAX_FIRST_INPUTS])
    }

    /// Activates both accumulators and returns the inputs of the architecture by groups of four.
    #[inline(always)]
    pub(super) fn fill(
        &mut self,
        architecture: Architecture,
        own: &HalfRow,
        other: &HalfRow,
    ) -> &[[u8; 4]] {
        let activations = architecture.activations();
        let inputs = &mut self.0[..2 * activations];
        let (first, second) = inputs.split_at_mut(activations);
        activate(architecture, own, first);
        activate(architecture, other, second);
        // SAFETY: `activate` has written both halves, which are all of `inputs`.
        let inputs = unsafe { core::slice::from_raw_parts(inputs.as_ptr().cast(), inputs.len()) };
        <[u8]>::as_chunks(inputs).0
    }
}

/// Activations of one accumulator, which fill `out`. Plain code: compilers turn it into good
/// vector code.
#[inline(always)]
fn activate(architecture: Architecture, sums: &HalfRow, out: &mut [MaybeUninit<u8>]) {
    assert_eq!(out.len(), architecture.activations());
    match architecture {
        Architecture::Squared => {
            for (out, &sum) in out.iter_mut().zip(&sums.0) {
                out.write(product(sum, sum));
            }
        }
        Architecture::Pairwise => {
            let (left, right) = sums.0.split_at(WIDTH / 2);
            for (out, (&left, &right)) in out.iter_mut().zip(left.iter().zip(right)) {
                out.write(product(left, right));
            }
        }
    }
}

/// The product of two clipped sums as a byte of at most 127.
#[inline(always)]
fn product(a: i16, b: i16) -> u8 {
    let (a, b) = (a.clamp(0, SUM_LIMIT) as u16, b.clamp(0, SUM_LIMIT) as u16);
    ((a * b) >> crate::network::ACTIVATION_SHIFT) as u8
}

/// Everything after the sums of the first dense layer.
#[inline(always)]
pub(super) fn tail(architecture: Architecture, sums: [i32; FIRST_OUTPUTS], dense: &Dense) -> f32 {
    let mut hidden = [0.0; FIRST_OUTPUTS];
    for (hidden, (&sum, &bias)) in hidden.iter_mut().zip(sums.iter().zip(&dense.first_bias)) {
        *hidden = sum as f32 * FIRST_SCALE + bias;
    }
    let mut products = [0.0; SECOND_OUTPUTS];
    match architecture {
        Architecture::Squared => {
            for (product, (&hidden, &weight)) in
                products.iter_mut().zip(hidden.iter().zip(&dense.output))
            {
                *product = clip(hidden) * weight;
            }
        }
        Architecture::Pairwise => {
            let hidden = second_layer(&hidden, dense);
            for (product, (&hidden, &weight)) in
                products.iter_mut().zip(hidden.iter().zip(&dense.output))
            {
                *product = clip(hidden) * weight;
            }
        }
    }
    sum(products) + dense.output_bias
}

/// Sums of the second layer. Four chains of additions, of every fourth input each, hide the
/// latency of an addition; the first one begins with the bias.
#[inline(always)]
fn second_layer(hidden: &[f32; FIRST_OUTPUTS], dense: &Dense) -> [f32; SECOND_OUTPUTS] {
    let mut inputs = [0.0; SECOND_OUTPUTS];
    let (plain, squared) = inputs.split_at_mut(FIRST_OUTPUTS);
    for (&hidden, (plain, squared)) in hidden.iter().zip(plain.iter_mut().zip(squared)) {
        *plain = clip(hidden);
        *squared = clip(hidden * hidden);
    }
    // Networks with a second layer have all rows; a known number lets the compiler unroll.
    let Some(rows) = dense.second.first_chunk::<SECOND_OUTPUTS>() else {
        return dense.second_bias;
    };
    let zero = [0.0; SECOND_OUTPUTS];
    let a = chain::<0>(&inputs, rows, dense.second_bias);
    let b = chain::<1>(&inputs, rows, zero);
    let c = chain::<2>(&inputs, rows, zero);
    let d = chain::<3>(&inputs, rows, zero);
    core::array::from_fn(|output| (a[output] + b[output]) + (c[output] + d[output]))
}

/// Sums of the second layer from every fourth input.
#[inline(always)]
fn chain<const FIRST: usize>(
    inputs: &[f32; SECOND_OUTPUTS],
    rows: &[[f32; SECOND_OUTPUTS]; SECOND_OUTPUTS],
    mut sums: [f32; SECOND_OUTPUTS],
) -> [f32; SECOND_OUTPUTS] {
    for step in 0..SECOND_OUTPUTS / 4 {
        let (input, weights) = (inputs[FIRST + 4 * step], &rows[FIRST + 4 * step]);
        for (sum, weight) in sums.iter_mut().zip(weights) {
            *sum += input * weight;
        }
    }
    sums
}

/// Clipped to 0..=1.
#[inline(always)]
fn clip(value: f32) -> f32 {
    value.clamp(0.0, 1.0)
}

/// The sum by halves: lane i and lane i + 16, then + 8, + 4, + 2, + 1. Any order would do, but
/// it must be the same everywhere, and vectors can follow this one.
#[inline(always)]
fn sum(mut values: [f32; SECOND_OUTPUTS]) -> f32 {
    let mut half = SECOND_OUTPUTS / 2;
    while half > 0 {
        for index in 0..half {
            values[index] += values[index + half];
        }
        half /= 2;
    }
    values[0]
}

//! Products of integers over the primitives of an instruction set.
//!
//! Everything here is always inlined, into functions that enable the instruction set: code
//! that is compiled outside of them would call each intrinsic as a function.

use super::{Quantised, Rows};
use crate::model::{BLOCK_ROWS, Line, WeightKind};

/// Lines after which partial sums of ternary products are taken over: a line adds four products
/// of at most 2 * (2 * 127), so that 16 lines stay below 2^15.
const PARTIAL_LINES: usize = 16;

/// The primitives of an instruction set, each on whole [`Line`]s.
///
/// # Safety
/// All functions require that the processor has the instruction set.
pub(super) trait Isa {
    /// The bytes of a line.
    type Bytes: Copy;
    /// Partial sums of ternary products, which may overflow after [`PARTIAL_LINES`].
    type Partial: Copy;
    /// Sums for the 16 rows of a line.
    type Sums: Copy;

    /// No sums yet.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn zero() -> (Self::Partial, Self::Sums);

    /// The bytes of a line.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn load(line: &Line) -> Self::Bytes;

    /// A hint that this line, which need not exist, will be read soon.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn prefetch(line: *const Line);

    /// The ternary weights of all four fields.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn fields(bytes: Self::Bytes) -> [Self::Bytes; 4];

    /// Adds the products of a field with four inputs.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn ternary(partial: Self::Partial, field: Self::Bytes, inputs: [i8; 4])
    -> Self::Partial;

    /// Adds partial sums to sums.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn take_over(sums: Self::Sums, partial: Self::Partial) -> Self::Sums;

    /// A line of int8 weights as [`Self::int8`] needs them.
    type Wide: Copy;

    /// Prepares a line of int8 weights.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn widen(bytes: Self::Bytes) -> Self::Wide;

    /// Adds the products of four columns of int8 weights with four inputs, which are given
    /// with 8 bits and with 16.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn int8(
        sums: Self::Sums,
        weights: Self::Wide,
        bytes: [i8; 4],
        pairs: [[i16; 2]; 2],
    ) -> Self::Sums;

    /// The sums as numbers.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn store(sums: Self::Sums) -> [i32; BLOCK_ROWS];
}

/// See [`crate::kernels::multiply`]. `TILE` inputs are taken together.
///
/// # Safety
/// The processor has the instruction set.
#[inline(always)]
pub(super) unsafe fn multiply<I: Isa, const TILE: usize>(
    rows: Rows<'_>,
    inputs: &Quantised,
    output: &mut [f32],
) {
    let per_block = rows.kind.lines(rows.columns);
    let scales = rows.scales.as_chunks::<BLOCK_ROWS>().0;
    for (block, (lines, scales)) in rows.lines.chunks_exact(per_block).zip(scales).enumerate() {
        let mut first = 0;
        while first < inputs.len() {
            let place = Place { rows, inputs, first, block, scales };
            // SAFETY: the caller's promise.
            first += unsafe {
                if first + TILE <= inputs.len() {
                    multiply_tile::<I, TILE>(place, lines, output)
                } else if first + 2 <= inputs.len() {
                    multiply_tile::<I, 2>(place, lines, output)
                } else {
                    multiply_tile::<I, 1>(place, lines, output)
                }
            };
        }
    }
}

/// What a tile is about.
#[derive(Clone, Copy)]
struct Place<'a> {
    rows: Rows<'a>,
    inputs: &'a Quantised,
    /// First input.
    first: usize,
    block: usize,
    scales: &'a [f32; BLOCK_ROWS],
}

/// A block of rows with `TILE` inputs; returns their number.
///
/// # Safety
/// The processor has the instruction set.
#[inline(always)]
unsafe fn multiply_tile<I: Isa, const TILE: usize>(
    place: Place<'_>,
    lines: &[Line],
    output: &mut [f32],
) -> usize {
    let Place { rows, inputs, first, block, scales } = place;
    // SAFETY: the caller's promise.
    let sums = unsafe {
        match rows.kind {
            WeightKind::Ternary => ternary::<I, TILE>(inputs, first, lines),
            WeightKind::Int8 => int8::<I, TILE>(inputs, first, lines),
        }
    };
    for (tile, sums) in sums.into_iter().enumerate() {
        let input = first + tile;
        let start = input * rows.scales.len() + block * BLOCK_ROWS;
        // SAFETY: the caller's promise.
        let sums = unsafe { I::store(sums) };
        let zero = rows.kind.zero() * inputs.sum(input);
        let factor = inputs.factor(input);
        let output = output[start..start + BLOCK_ROWS].iter_mut();
        for ((output, sum), scale) in output.zip(sums).zip(scales) {
            *output = (sum - zero) as f32 * (factor * scale);
        }
    }
    TILE
}

/// How many lines ahead a single input asks for: 2 KiB, which hides the latency of memory.
const PREFETCH: usize = 32;

/// # Safety
/// The processor has the instruction set.
#[inline(always)]
unsafe fn ternary<I: Isa, const TILE: usize>(
    inputs: &Quantised,
    first: usize,
    lines: &[Line],
) -> [I::Sums; TILE] {
    let vectors: [&[[[i8; 4]; 4]]; TILE] =
        core::array::from_fn(|tile| inputs.bytes(first + tile).as_chunks::<4>().0);
    // SAFETY: the caller's promise. Every vector has four groups of columns for each line:
    // both are as long as the matrix is wide.
    unsafe {
        let (none, zero) = I::zero();
        let mut sums = [zero; TILE];
        for (part, lines) in lines.chunks(PARTIAL_LINES).enumerate() {
            let mut partial = [none; TILE];
            for (index, line) in lines.iter().enumerate() {
                let fields = I::fields(I::load(line));
                if TILE == 1 {
                    I::prefetch((&raw const *line).wrapping_add(PREFETCH));
                }
                for tile in 0..TILE {
                    let groups = vectors[tile].get_unchecked(part * PARTIAL_LINES + index);
                    for field in 0..4 {
                        partial[tile] = I::ternary(partial[tile], fields[field], groups[field]);
                    }
                }
            }
            for tile in 0..TILE {
                sums[tile] = I::take_over(sums[tile], partial[tile]);
            }
        }
        sums
    }
}

/// # Safety
/// The processor has the instruction set.
#[inline(always)]
unsafe fn int8<I: Isa, const TILE: usize>(
    inputs: &Quantised,
    first: usize,
    lines: &[Line],
) -> [I::Sums; TILE] {
    let bytes: [&[[i8; 4]]; TILE] = core::array::from_fn(|tile| inputs.bytes(first + tile));
    let pairs: [&[[[i16; 2]; 2]]; TILE] = core::array::from_fn(|tile| inputs.pairs(first + tile));
    // SAFETY: the caller's promise. Every vector has a group of columns for each line: both are
    // as long as the matrix is wide.
    unsafe {
        let (_, zero) = I::zero();
        let mut sums = [zero; TILE];
        for (index, line) in lines.iter().enumerate() {
            let weights = I::widen(I::load(line));
            if TILE == 1 {
                I::prefetch((&raw const *line).wrapping_add(PREFETCH));
            }
            for tile in 0..TILE {
                let bytes = bytes[tile].get_unchecked(index);
                let pairs = pairs[tile].get_unchecked(index);
                sums[tile] = I::int8(sums[tile], weights, *bytes, *pairs);
            }
        }
        sums
    }
}

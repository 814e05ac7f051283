//! Vectors of small integers, the inputs of matrices.

use super::floats::ROUND;

/// Largest absolute value of a quantised input.
const LIMIT: f32 = 127.0;

/// Vectors as integers from -127 to 127, each with a factor that gives back what it was.
#[derive(Clone, Debug, Default)]
pub(crate) struct Quantised {
    /// Groups of four columns, vector after vector.
    bytes: Vec<[i8; 4]>,
    /// The same with 16 bits, columns 0, 2, 1, 3 of each group: the even ones meet the even
    /// bytes of a line.
    pairs: Vec<[[i16; 2]; 2]>,
    columns: usize,
    factors: Vec<f32>,
    /// Sum of each vector's integers.
    sums: Vec<i32>,
}

impl Quantised {
    /// Removes all vectors; those to come have so many columns, a multiple of four.
    pub(crate) fn clear(&mut self, columns: usize) {
        debug_assert!(columns.is_multiple_of(4));
        self.columns = columns;
        self.bytes.clear();
        self.pairs.clear();
        self.factors.clear();
        self.sums.clear();
    }

    /// Number of vectors.
    pub(crate) fn len(&self) -> usize {
        self.factors.len()
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    #[inline(always)]
    pub(super) fn bytes(&self, vector: usize) -> &[[i8; 4]] {
        let groups = self.columns / 4;
        &self.bytes[vector * groups..(vector + 1) * groups]
    }

    #[inline(always)]
    pub(super) fn pairs(&self, vector: usize) -> &[[[i16; 2]; 2]] {
        let groups = self.columns / 4;
        &self.pairs[vector * groups..(vector + 1) * groups]
    }

    #[inline(always)]
    pub(super) fn factor(&self, vector: usize) -> f32 {
        self.factors[vector]
    }

    #[inline(always)]
    pub(super) fn sum(&self, vector: usize) -> i32 {
        self.sums[vector]
    }

    /// A column of a vector, for the reference.
    #[cfg(test)]
    pub(crate) fn get(&self, vector: usize, column: usize) -> (i32, f32) {
        (self.bytes(vector)[column / 4][column % 4].into(), self.factor(vector))
    }
}

/// Appends a vector.
#[inline(always)]
pub(super) fn push(input: &[f32], output: &mut Quantised) {
    debug_assert_eq!(input.len(), output.columns);
    let largest = super::floats::largest(input);
    // A vector of zeros, and one that is not finite, have no sensible factor.
    let to_integers = if largest > 0.0 && largest < f32::INFINITY { LIMIT / largest } else { 0.0 };
    output.factors.push(largest / LIMIT);
    let start = output.bytes.len();
    output.bytes.resize(start + input.len() / 4, [0; 4]);
    let bytes = &mut output.bytes[start..];
    let mut sum = 0;
    for (byte, value) in bytes.as_flattened_mut().iter_mut().zip(input) {
        *byte = (value * to_integers + ROUND).to_bits() as i8;
        sum += i32::from(*byte);
    }
    output.sums.push(sum);
    output.pairs.resize(start + bytes.len(), [[0; 2]; 2]);
    for (pairs, group) in output.pairs[start..].iter_mut().zip(bytes) {
        let [a, b, c, d] = group.map(i16::from);
        *pairs = [[a, c], [b, d]];
    }
}

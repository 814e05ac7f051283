//! Matrices of small integers in the order in which kernels read them.
//!
//! Rows are taken in blocks of 16. A [`Line`] has 64 bytes: four for each of the 16 rows, so
//! that a vector of 16 sums takes one line after another, and sums need no exchange between
//! lanes. Weights are stored without a sign, and the sum of the inputs times [`WeightKind::zero`]
//! is taken off in the end.
//!
//! - Ternary: a line has 16 columns. Byte `4 * row + column % 4` has the columns
//!   `column % 4 + 4 * field` in its four fields of two bits, each 0, 1 or 2 for -1, 0 or 1.
//! - Int8: a line has 4 columns. Byte `4 * row + column` is the weight plus 128.

use kaiyo_memory::Zeroable;

/// Rows of a block.
pub(crate) const BLOCK_ROWS: usize = 16;
/// Columns of which every matrix has a multiple.
const COLUMN_GROUP: usize = 16;

/// Weights of 16 rows.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Line(pub(crate) [u8; 64]);

// SAFETY: plain numbers.
unsafe impl Zeroable for Line {}

/// How the weights of a matrix are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WeightKind {
    /// -1, 0 or 1 in two bits.
    Ternary,
    /// Eight bits.
    Int8,
}

impl WeightKind {
    /// The stored number that stands for 0.
    pub(crate) const fn zero(self) -> i32 {
        match self {
            Self::Ternary => 1,
            Self::Int8 => 128,
        }
    }

    /// Lines of a block of rows.
    pub(crate) const fn lines(self, columns: usize) -> usize {
        match self {
            Self::Ternary => columns / 16,
            Self::Int8 => columns / 4,
        }
    }

    /// Bytes of a row in a file.
    pub(crate) const fn row_bytes(self, columns: usize) -> usize {
        match self {
            Self::Ternary => columns / 4,
            Self::Int8 => columns,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Ternary => "ternary",
            Self::Int8 => "int8",
        }
    }
}

/// A matrix whose lines are a part of the model's.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    pub(crate) kind: WeightKind,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// Index of the first line.
    pub(crate) start: usize,
    /// A factor for each row.
    pub(crate) scales: Vec<f32>,
}

impl Matrix {
    /// Number of its lines.
    pub(crate) fn len(&self) -> usize {
        self.rows / BLOCK_ROWS * self.kind.lines(self.columns)
    }

    /// Its lines among those of the model.
    pub(crate) fn lines<'a>(&self, all: &'a [Line]) -> &'a [Line] {
        &all[self.start..self.start + self.len()]
    }
}

/// Puts the rows of a file into lines. Rows and columns are multiples of 16, and the lengths
/// fit; the error is a row with a weight that is 1 and -1 at once.
pub(crate) fn pack(
    kind: WeightKind,
    columns: usize,
    bytes: &[u8],
    lines: &mut [Line],
) -> Result<(), usize> {
    debug_assert!(columns.is_multiple_of(COLUMN_GROUP));
    let row_bytes = kind.row_bytes(columns);
    let blocks = bytes.chunks_exact(BLOCK_ROWS * row_bytes);
    for (block, (rows, lines)) in
        blocks.zip(lines.chunks_exact_mut(kind.lines(columns))).enumerate()
    {
        for (row, bytes) in rows.chunks_exact(row_bytes).enumerate() {
            match kind {
                WeightKind::Int8 => pack_int8(row, bytes, lines),
                WeightKind::Ternary => {
                    pack_ternary(row, bytes, lines).ok_or(block * BLOCK_ROWS + row)?;
                }
            }
        }
    }
    Ok(())
}

fn pack_int8(row: usize, bytes: &[u8], lines: &mut [Line]) {
    for (line, bytes) in lines.iter_mut().zip(bytes.as_chunks::<4>().0) {
        line.0.as_chunks_mut::<4>().0[row] = bytes.map(|byte| byte ^ 0x80);
    }
}

/// `None` if a weight is 1 and -1 at once.
fn pack_ternary(row: usize, bytes: &[u8], lines: &mut [Line]) -> Option<()> {
    /// -1 + 1 in every field, plus 1: the fields of a row of zeros.
    const ZEROS: u32 = 0x5555_5555;
    let (plus, minus) = bytes.split_at(bytes.len() / 2);
    let masks = plus.as_chunks::<2>().0.iter().zip(minus.as_chunks::<2>().0);
    let mut both = 0;
    for (line, (plus, minus)) in lines.iter_mut().zip(masks) {
        both |= (plus[0] & minus[0]) | (plus[1] & minus[1]);
        let fields = ZEROS.wrapping_add(spread(*plus)).wrapping_sub(spread(*minus));
        line.0.as_chunks_mut::<4>().0[row] = fields.to_le_bytes();
    }
    (both == 0).then_some(())
}

/// The bits of 16 columns at the lower bit of their fields.
fn spread(mask: [u8; 2]) -> u32 {
    static TABLE: [u32; 256] = spread_table();
    TABLE[usize::from(mask[0])] | TABLE[usize::from(mask[1])] << 4
}

/// Bit `i` of a byte is column `i`: byte `i % 4`, field `i / 4`.
const fn spread_table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut bit = 0;
        while bit < 8 {
            if mask >> bit & 1 != 0 {
                table[mask] |= 1 << (8 * (bit % 4) + 2 * (bit / 4));
            }
            bit += 1;
        }
        mask += 1;
    }
    table
}

/// Where a weight lies: for tests and the reference.
#[cfg(test)]
pub(crate) fn weight(
    kind: WeightKind,
    columns: usize,
    lines: &[Line],
    row: usize,
    column: usize,
) -> i32 {
    let block = &lines[row / BLOCK_ROWS * kind.lines(columns)..];
    let row = row % BLOCK_ROWS;
    let stored = match kind {
        WeightKind::Int8 => i32::from(block[column / 4].0[4 * row + column % 4]),
        WeightKind::Ternary => {
            let byte = block[column / 16].0[4 * row + column % 4];
            i32::from(byte >> (2 * (column % 16 / 4)) & 3)
        }
    };
    stored - kind.zero()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiyo_chess::Random;

    const ROWS: usize = 32;
    const COLUMNS: usize = 48;

    #[test]
    fn packed_weights_are_those_of_the_file() {
        let mut random = Random::new(1);
        for kind in [WeightKind::Ternary, WeightKind::Int8] {
            let mut weights = vec![0_i32; ROWS * COLUMNS];
            let mut bytes = vec![0_u8; ROWS * kind.row_bytes(COLUMNS)];
            for row in 0..ROWS {
                let bytes = &mut bytes[row * kind.row_bytes(COLUMNS)..];
                for column in 0..COLUMNS {
                    let weight = match kind {
                        WeightKind::Int8 => random.below(256) as i32 - 128,
                        WeightKind::Ternary => random.below(3) as i32 - 1,
                    };
                    weights[row * COLUMNS + column] = weight;
                    match (kind, weight) {
                        (WeightKind::Int8, weight) => bytes[column] = weight as i8 as u8,
                        (_, 0) => {}
                        (_, weight) => {
                            let mask = if weight > 0 { 0 } else { COLUMNS / 8 };
                            bytes[mask + column / 8] |= 1 << (column % 8);
                        }
                    }
                }
            }
            let mut lines = vec![Line([0; 64]); ROWS / BLOCK_ROWS * kind.lines(COLUMNS)];
            assert_eq!(pack(kind, COLUMNS, &bytes, &mut lines), Ok(()));
            for row in 0..ROWS {
                for column in 0..COLUMNS {
                    let expected = weights[row * COLUMNS + column];
                    assert_eq!(weight(kind, COLUMNS, &lines, row, column), expected);
                }
            }
        }
    }

    #[test]
    fn a_weight_of_both_signs_is_refused() {
        let kind = WeightKind::Ternary;
        let mut bytes = vec![0; ROWS * kind.row_bytes(COLUMNS)];
        let row = 21;
        bytes[row * kind.row_bytes(COLUMNS) + 5] = 4;
        let mut lines = vec![Line([0; 64]); ROWS / BLOCK_ROWS * kind.lines(COLUMNS)];
        assert_eq!(pack(kind, COLUMNS, &bytes, &mut lines), Ok(()));
        bytes[row * kind.row_bytes(COLUMNS) + COLUMNS / 8 + 5] = 6;
        assert_eq!(pack(kind, COLUMNS, &bytes, &mut lines), Err(row));
    }
}

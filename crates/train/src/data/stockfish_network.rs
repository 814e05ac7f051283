//! Evaluation by a network of Stockfish 15.1, as a teacher of our own.
//!
//! The file is as Stockfish's `export_net` writes it, described in
//! <https://official-stockfish.github.io/docs/nnue-pytorch-wiki/docs/nnue.html>: features HalfKAv2_hm, a
//! transformer of 1024 values for each side with eight piece-square sums beside them, and eight stacks of
//! small layers chosen by the number of men.

use anyhow::{Context, Result, ensure};
use kaiyo_chess::{Bitboard, Colour, File, Piece, PieceType, Position, Square};

/// Values of the transformer for each side.
const WIDTH: usize = 1024;
/// Inputs of the small layers: the products of the two halves, for both sides.
const INPUTS: usize = WIDTH;
/// Outputs of the first layer, of which the last one goes straight to the result.
const FIRST: usize = 16;
/// Outputs of the second layer, and its inputs with their padding.
const SECOND: usize = 32;
/// Stacks of layers, and piece-square sums.
const STACKS: usize = 8;
/// Features of one king bucket: ten kinds of men and both kings as one kind.
const FEATURES_PER_BUCKET: usize = 11 * 64;
const FEATURES: usize = 32 * FEATURES_PER_BUCKET;

const VERSION: u32 = 0x7af3_2f20;
/// Hash of the architecture in the file's head.
const ARCHITECTURE: u32 = 0x1c10_2ef2;

/// Fixed-point one of activations, and the shift of weights in the small layers.
const ONE: i32 = 127;
const WEIGHT_SHIFT: u32 = 6;
/// Outputs per unit of Stockfish's scores.
const OUTPUT_SCALE: i32 = 16;

/// The small layers for one range of men.
struct Stack {
    first_biases: [i32; FIRST],
    first_weights: Box<[[i16; INPUTS]; FIRST]>,
    second_biases: [i32; SECOND],
    second_weights: Box<[[i32; SECOND]; SECOND]>,
    last_bias: i32,
    last_weights: [i32; SECOND],
}

/// A network of Stockfish.
pub struct StockfishNetwork {
    biases: Box<[i16; WIDTH]>,
    weights: Vec<[i16; WIDTH]>,
    piece_square: Vec<[i32; STACKS]>,
    stacks: Vec<Stack>,
}

/// What the transformer makes of a position as one side sees it.
#[derive(Clone, Debug, PartialEq)]
struct Accumulator {
    values: Box<[i16; WIDTH]>,
    piece_square: [i32; STACKS],
}

/// A position with its accumulators, from which those of the positions after its moves come cheaply.
#[derive(Clone)]
pub struct Evaluated {
    position: Position,
    accumulators: [Accumulator; 2],
}

/// The two parts of an evaluation for the side to move, in units of 1 / [`OUTPUT_SCALE`].
#[derive(Clone, Copy, Debug, PartialEq)]
struct Parts {
    piece_square: i32,
    positional: i32,
}

impl StockfishNetwork {
    /// Reads a network.
    ///
    /// # Errors
    /// The data is of another architecture, or too short or long.
    pub fn read(data: &[u8]) -> Result<Self> {
        let mut data = Data(data);
        let version = data.u32()?;
        ensure!(version == VERSION, "version {version:#x}, expected {VERSION:#x}");
        let architecture = data.u32()?;
        ensure!(
            architecture == ARCHITECTURE,
            "architecture {architecture:#x}, expected {ARCHITECTURE:#x} of Stockfish 15.1"
        );
        let description = data.u32()?;
        data.take(description as usize)?;
        data.u32()?;
        let biases = data.i16s::<WIDTH>()?.into();
        let weights = (0..FEATURES).map(|_| data.i16s()).collect::<Result<_>>()?;
        let piece_square = (0..FEATURES).map(|_| data.i32s()).collect::<Result<_>>()?;
        let stacks = (0..STACKS).map(|_| Stack::read(&mut data)).collect::<Result<_>>()?;
        ensure!(data.0.is_empty(), "{} bytes too many", data.0.len());
        Ok(Self { biases, weights, piece_square, stacks })
    }

    /// Prepares a position.
    pub fn accumulate(&self, position: &Position) -> Evaluated {
        let accumulators = Colour::ALL.map(|side| self.refresh(position, side));
        Evaluated { position: *position, accumulators }
    }

    /// Stockfish's static score of the position for the side to move, in its internal units, without
    /// optimism and as if the half-move clock stood at zero.
    pub fn score(&self, evaluated: &Evaluated) -> i32 {
        let parts = self.parts(evaluated);
        let material = non_pawn_material(&evaluated.position);
        let delta = 24 - material / 9560;
        let weighted = (1024 - delta) * parts.piece_square + (1024 + delta) * parts.positional;
        let network = weighted / (1024 * OUTPUT_SCALE);
        network * (1064 + 106 * material / 5120) / 1024 * 195 / 211
    }

    fn refresh(&self, position: &Position, side: Colour) -> Accumulator {
        let mut accumulator =
            Accumulator { values: self.biases.clone(), piece_square: [0; STACKS] };
        self.change::<1>(&mut accumulator, position, side, position.occupied());
        accumulator
    }

    /// Adds (`SIGN` 1) or removes (-1) the men on some squares.
    fn change<const SIGN: i16>(
        &self,
        accumulator: &mut Accumulator,
        position: &Position,
        side: Colour,
        squares: Bitboard,
    ) {
        let king = position.king(side);
        for square in squares {
            let Some(piece) = position.piece_on(square) else { continue };
            let feature = feature(side, king, piece, square);
            for (value, &weight) in accumulator.values.iter_mut().zip(&self.weights[feature]) {
                *value = value.wrapping_add(SIGN * weight);
            }
            let sums = accumulator.piece_square.iter_mut();
            for (sum, &weight) in sums.zip(&self.piece_square[feature]) {
                *sum += i32::from(SIGN) * weight;
            }
        }
    }

    /// The position after a move of `parent`'s.
    pub fn advance(&self, parent: &Evaluated, position: &Position) -> Evaluated {
        let changed = changed_squares(&parent.position, position);
        let accumulators = Colour::ALL.map(|side| {
            if parent.position.king(side) != position.king(side) {
                return self.refresh(position, side);
            }
            let mut accumulator = parent.accumulators[side.index()].clone();
            self.change::<-1>(&mut accumulator, &parent.position, side, changed);
            self.change::<1>(&mut accumulator, position, side, changed);
            accumulator
        });
        Evaluated { position: *position, accumulators }
    }

    fn parts(&self, evaluated: &Evaluated) -> Parts {
        let position = &evaluated.position;
        let bucket = (position.occupied().len() as usize - 1) / 4;
        let us = position.side_to_move();
        let [own, other] = [us, us.opponent()].map(|side| &evaluated.accumulators[side.index()]);
        let mut inputs = [0; INPUTS];
        let (own_inputs, other_inputs) = inputs.split_at_mut(WIDTH / 2);
        multiply_halves(&own.values, own_inputs);
        multiply_halves(&other.values, other_inputs);
        Parts {
            piece_square: (own.piece_square[bucket] - other.piece_square[bucket]) / 2,
            positional: self.stacks[bucket].propagate(&inputs),
        }
    }
}

impl Stack {
    fn read(data: &mut Data<'_>) -> Result<Self> {
        data.u32()?;
        let first_biases = data.i32s()?;
        let mut first_weights = Box::new([[0; INPUTS]; FIRST]);
        for row in first_weights.iter_mut() {
            *row = data.i8s::<INPUTS>()?.map(i16::from);
        }
        let second_biases = data.i32s()?;
        let mut second_weights = Box::new([[0; SECOND]; SECOND]);
        for row in second_weights.iter_mut() {
            *row = data.i8s::<SECOND>()?.map(i32::from);
        }
        let [last_bias] = data.i32s()?;
        let last_weights = data.i8s::<SECOND>()?.map(i32::from);
        Ok(Self {
            first_biases,
            first_weights,
            second_biases,
            second_weights,
            last_bias,
            last_weights,
        })
    }

    fn propagate(&self, inputs: &[i16; INPUTS]) -> i32 {
        let mut first = self.first_biases;
        for (output, weights) in first.iter_mut().zip(self.first_weights.iter()) {
            let products = inputs.iter().zip(weights).map(|(&a, &b)| i32::from(a) * i32::from(b));
            *output += products.sum::<i32>();
        }
        // Squared and plain, without the output that skips the other layers.
        let mut hidden = [0; SECOND];
        for (index, &value) in first[..FIRST - 1].iter().enumerate() {
            let square = (i64::from(value) * i64::from(value)) >> (2 * WEIGHT_SHIFT + 7);
            hidden[index] = square.min(i64::from(ONE)) as i32;
            hidden[FIRST - 1 + index] = clip(value);
        }
        let mut output = self.last_bias;
        for (row, weights) in self.second_weights.iter().enumerate() {
            let products = hidden.iter().zip(weights).map(|(a, b)| a * b);
            let sum = self.second_biases[row] + products.sum::<i32>();
            output += clip(sum) * self.last_weights[row];
        }
        let skipping = i64::from(first[FIRST - 1]) * i64::from(600 * OUTPUT_SCALE);
        output + (skipping / i64::from(ONE << WEIGHT_SHIFT)) as i32
    }
}

/// The clipped activation of a small layer.
const fn clip(value: i32) -> i32 {
    let value = value >> WEIGHT_SHIFT;
    if value < 0 {
        0
    } else if value > ONE {
        ONE
    } else {
        value
    }
}

/// Products of the clipped first and second half.
fn multiply_halves(values: &[i16; WIDTH], products: &mut [i16]) {
    let (first, second) = values.split_at(WIDTH / 2);
    for ((product, &a), &b) in products.iter_mut().zip(first).zip(second) {
        *product = (a.clamp(0, ONE as i16) * b.clamp(0, ONE as i16)) >> 7;
    }
}

/// The feature of a man as `side` sees it, whose king stands on `king`. The board is turned so that the
/// king stands on the files e to h of the lower side.
fn feature(side: Colour, king: Square, piece: Piece, square: Square) -> usize {
    let orient = |square: Square| {
        let square = if side == Colour::White { square } else { square.flip_rank() };
        if king.file() <= File::D { square.flip_file() } else { square }
    };
    let king = orient(king);
    // Buckets count from the last rank downwards, on each from the h-file to the e-file.
    let bucket = (7 - king.rank() as usize) * 4 + (7 - king.file() as usize);
    let kind = match piece.piece_type() {
        PieceType::King => 10,
        other => 2 * other.index() + usize::from(piece.colour() != side),
    };
    bucket * FEATURES_PER_BUCKET + kind * 64 + orient(square).index()
}

/// Squares on which two positions differ.
fn changed_squares(a: &Position, b: &Position) -> Bitboard {
    let colours = Colour::ALL.into_iter().map(|colour| a.colour(colour).0 ^ b.colour(colour).0);
    let types = PieceType::ALL.into_iter().map(|man| a.piece_type(man).0 ^ b.piece_type(man).0);
    Bitboard(colours.chain(types).fold(0, |all, some| all | some))
}

/// Material of both sides without pawns, by Stockfish's values in the middle game.
fn non_pawn_material(position: &Position) -> i32 {
    const VALUES: [(PieceType, i32); 4] = [
        (PieceType::Knight, 781),
        (PieceType::Bishop, 825),
        (PieceType::Rook, 1276),
        (PieceType::Queen, 2538),
    ];
    VALUES.iter().map(|&(man, value)| value * position.piece_type(man).len() as i32).sum()
}

/// What is left to read of a file.
struct Data<'a>(&'a [u8]);

impl<'a> Data<'a> {
    fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(len).context("the file is cut off")?;
        self.0 = rest;
        Ok(bytes)
    }

    fn u32(&mut self) -> Result<u32> {
        let [value] = self.i32s()?;
        Ok(value.cast_unsigned())
    }

    /// `N` numbers of `SIZE` bytes each.
    fn numbers<T, const SIZE: usize, const N: usize>(
        &mut self,
        decode: fn([u8; SIZE]) -> T,
    ) -> Result<[T; N]> {
        let bytes = self.take(SIZE * N)?.as_chunks().0;
        Ok(core::array::from_fn(|index| decode(bytes[index])))
    }

    fn i32s<const N: usize>(&mut self) -> Result<[i32; N]> {
        self.numbers(i32::from_le_bytes)
    }

    fn i16s<const N: usize>(&mut self) -> Result<[i16; N]> {
        self.numbers(i16::from_le_bytes)
    }

    fn i8s<const N: usize>(&mut self) -> Result<[i8; N]> {
        self.numbers(i8::from_le_bytes)
    }
}

#[cfg(test)]
#[path = "stockfish_network_tests.rs"]
pub(super) mod tests;

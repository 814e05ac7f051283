//! Models from containers.

use super::matrix::{Line, Matrix, WeightKind, pack};
use super::{Config, ModelError};
use crate::container::{Container, Tensor, TensorType};
use crate::tokens::{BOARD_FEATURES, VOCABULARY};
use half::f16;
use kaiyo_memory::HugeSlice;
use memmap2::Mmap;
use std::fs::File;
use std::path::Path;

/// Larger weights would only come from damage, and could overflow to infinity.
const MAX_WEIGHT: f32 = 1e6;

/// A model, ready for use. Immutable; threads share it.
#[derive(Debug)]
pub struct Model {
    pub(crate) config: Config,
    /// The weights of all matrices, in the order they are used.
    pub(crate) lines: HugeSlice<Line>,
    pub(crate) tokens: Vec<f16>,
    /// Empty if the model does not look at the board.
    pub(crate) board: Vec<f16>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) output_norm: Vec<f32>,
    pub(crate) output: Matrix,
    pub(crate) value: Vec<f32>,
    pub(crate) value_bias: f32,
}

/// A block of the transformer.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) attention_norm: Vec<f32>,
    pub(crate) query: Matrix,
    pub(crate) key: Matrix,
    pub(crate) value: Matrix,
    pub(crate) attention_sub_norm: Option<Vec<f32>>,
    pub(crate) attention_output: Matrix,
    pub(crate) attention_scale: Vec<f32>,
    pub(crate) hidden_norm: Vec<f32>,
    pub(crate) gate: Matrix,
    pub(crate) up: Matrix,
    pub(crate) hidden_sub_norm: Option<Vec<f32>>,
    pub(crate) down: Matrix,
    pub(crate) hidden_scale: Vec<f32>,
}

impl Model {
    /// Reads a model from a file.
    ///
    /// # Errors
    /// [`ModelError`] when there is no file, or it is no model.
    pub fn open(path: &Path) -> Result<Self, ModelError> {
        let fault = |source| ModelError::File { path: path.to_owned(), source };
        let file = File::open(path).map_err(fault)?;
        if file.metadata().is_ok_and(|found| found.is_dir()) {
            return Err(fault(std::io::ErrorKind::IsADirectory.into()));
        }
        // SAFETY: the map is read while the model is made and dropped before this function
        // returns. Another program that changes the file meanwhile changes bytes that are
        // checked as they are copied; one that cuts it ends the program, as nothing can prevent.
        let map = unsafe { Mmap::map(&file) }.map_err(fault)?;
        Self::from_bytes(&map)
    }

    /// Reads a model from the bytes of a file.
    ///
    /// # Errors
    /// [`ModelError`] with what was expected and what was found.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        Self::from_container(&Container::read(bytes)?)
    }

    /// A model from its tensors.
    ///
    /// # Errors
    /// [`ModelError`] with what was expected and what was found.
    pub fn from_container(container: &Container<'_>) -> Result<Self, ModelError> {
        let config = Config::read(container)?;
        let Config { width, hidden, .. } = config;
        let (queries, keys) = (config.query_width(), config.key_width());
        let mut tensors = Tensors { container, packing: Vec::new(), lines: 0 };
        let mut blocks = Vec::new();
        for number in 0..config.blocks {
            let name = |part: &str| format!("blk.{number}.{part}");
            blocks.push(Block {
                attention_norm: tensors.floats(&name("attn_norm.weight"), width)?,
                query: tensors.matrix(&name("attn_q"), width, queries)?,
                key: tensors.matrix(&name("attn_k"), width, keys)?,
                value: tensors.matrix(&name("attn_v"), width, keys)?,
                attention_sub_norm: tensors
                    .optional_floats(&name("attn_sub_norm.weight"), queries)?,
                attention_output: tensors.matrix(&name("attn_output"), queries, width)?,
                attention_scale: tensors.floats(&name("attn_layer_scale.weight"), width)?,
                hidden_norm: tensors.floats(&name("ffn_norm.weight"), width)?,
                gate: tensors.matrix(&name("ffn_gate"), width, hidden)?,
                up: tensors.matrix(&name("ffn_up"), width, hidden)?,
                hidden_sub_norm: tensors.optional_floats(&name("ffn_sub_norm.weight"), hidden)?,
                down: tensors.matrix(&name("ffn_down"), hidden, width)?,
                hidden_scale: tensors.floats(&name("ffn_layer_scale.weight"), width)?,
            });
        }
        let board = "board_embd.weight";
        Ok(Self {
            config,
            tokens: tensors.halves("token_embd.weight", width, VOCABULARY)?,
            board: match container.tensors.contains_key(board) {
                true => tensors.halves(board, width, BOARD_FEATURES)?,
                false => Vec::new(),
            },
            blocks,
            output_norm: tensors.floats("output_norm.weight", width)?,
            output: tensors.matrix("output", width, VOCABULARY)?,
            value: tensors.floats("value.weight", width)?,
            value_bias: tensors.floats("value.bias", 1)?[0],
            lines: tensors.pack()?,
        })
    }

    /// Its sizes.
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// Whether it sees the board, so that it can be asked about positions without history.
    pub fn sees_board(&self) -> bool {
        !self.board.is_empty()
    }

    /// Bytes of the matrices in memory, all of which a new step reads.
    pub fn matrix_bytes(&self) -> usize {
        size_of_val(&*self.lines)
    }

    /// Number of weights, scales and norms included.
    pub fn parameters(&self) -> usize {
        let matrix = |matrix: &Matrix| matrix.rows * (matrix.columns + 1);
        let block = |block: &Block| {
            let Block { query, key, value, attention_output, gate, up, down, .. } = block;
            let matrices = [query, key, value, attention_output, gate, up, down];
            let norms = [&block.attention_sub_norm, &block.hidden_sub_norm];
            matrices.into_iter().map(matrix).sum::<usize>()
                + 4 * self.config.width
                + norms.into_iter().flatten().map(Vec::len).sum::<usize>()
        };
        self.tokens.len()
            + self.board.len()
            + self.blocks.iter().map(block).sum::<usize>()
            + matrix(&self.output)
            + 2 * self.config.width
            + 1
    }

    /// How attention, feed-forward part and policy head of the first block are stored.
    pub fn weight_kinds(&self) -> [&'static str; 3] {
        let block = &self.blocks[0];
        [&block.query, &block.gate, &self.output].map(|matrix| matrix.kind.name())
    }
}

/// The tensors of a container, and the matrices that are yet to be put into lines.
struct Tensors<'a> {
    container: &'a Container<'a>,
    packing: Vec<(String, Matrix, &'a [u8])>,
    lines: usize,
}

impl<'a> Tensors<'a> {
    fn get(&self, name: &str) -> Result<&'a Tensor<'a>, ModelError> {
        self.container.tensors.get(name).ok_or_else(|| ModelError::Missing(name.to_owned()))
    }

    /// The bytes of a tensor of this type and shape.
    fn bytes(&self, name: &str, kind: TensorType, shape: &[u64]) -> Result<&'a [u8], ModelError> {
        let tensor = self.get(name)?;
        if tensor.kind != kind || tensor.shape != shape {
            return Err(wrong(name, format!("{kind} {shape:?}"), tensor));
        }
        Ok(&tensor.bytes)
    }

    fn floats(&self, name: &str, len: usize) -> Result<Vec<f32>, ModelError> {
        let bytes = self.bytes(name, TensorType::F32, &[len as u64])?;
        let floats: Vec<f32> =
            bytes.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        check(name, floats.iter().copied())?;
        Ok(floats)
    }

    fn optional_floats(&self, name: &str, len: usize) -> Result<Option<Vec<f32>>, ModelError> {
        let is_there = self.container.tensors.contains_key(name);
        is_there.then(|| self.floats(name, len)).transpose()
    }

    fn halves(&self, name: &str, width: usize, rows: usize) -> Result<Vec<f16>, ModelError> {
        let bytes = self.bytes(name, TensorType::F16, &[width as u64, rows as u64])?;
        let halves: Vec<f16> =
            bytes.as_chunks::<2>().0.iter().map(|&bytes| f16::from_le_bytes(bytes)).collect();
        match halves.iter().find(|half| !half.is_finite()) {
            None => Ok(halves),
            Some(half) => Err(ModelError::Weight { name: name.to_owned(), value: half.to_f32() }),
        }
    }

    fn matrix(&mut self, name: &str, columns: usize, rows: usize) -> Result<Matrix, ModelError> {
        let scales = self.floats(&format!("{name}.scale"), rows)?;
        let name = format!("{name}.weight");
        let tensor = self.get(&name)?;
        let shape = |kind: WeightKind| [kind.row_bytes(columns) as u64, rows as u64];
        let kinds = [WeightKind::Ternary, WeightKind::Int8];
        let kind = kinds.into_iter().find(|&kind| tensor.shape == shape(kind));
        let (Some(kind), TensorType::I8) = (kind, tensor.kind) else {
            let [ternary, int8] = kinds.map(shape);
            return Err(wrong(&name, format!("I8 {ternary:?} or {int8:?}"), tensor));
        };
        let matrix = Matrix { kind, rows, columns, start: self.lines, scales };
        self.lines += matrix.len();
        self.packing.push((name, matrix.clone(), &tensor.bytes));
        Ok(matrix)
    }

    fn pack(self) -> Result<HugeSlice<Line>, ModelError> {
        let mut lines = HugeSlice::zeroed(self.lines);
        for (name, matrix, bytes) in self.packing {
            let lines = &mut lines[matrix.start..matrix.start + matrix.len()];
            pack(matrix.kind, matrix.columns, bytes, lines)
                .map_err(|row| ModelError::Ternary { name, row })?;
        }
        Ok(lines)
    }
}

fn wrong(name: &str, expected: String, tensor: &Tensor<'_>) -> ModelError {
    ModelError::Tensor {
        name: name.to_owned(),
        expected,
        found: tensor.kind,
        shape: tensor.shape.clone(),
    }
}

fn check(name: &str, mut values: impl Iterator<Item = f32>) -> Result<(), ModelError> {
    let is_wrong = |value: &f32| value.is_nan() || value.abs() > MAX_WEIGHT;
    match values.find(is_wrong) {
        None => Ok(()),
        Some(value) => Err(ModelError::Weight { name: name.to_owned(), value }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::{gguf, safetensors};
    use crate::model::synthetic::{self, Storage};
    use crate::session::Session;
    use crate::tokens::Conditions;
    use kaiyo_chess::Game;
    use kaiyo_fuzz::rounds;
    use proptest::prelude::*;
    use std::borrow::Cow;
    use std::sync::Arc;

    fn tiny() -> Container<'static> {
        synthetic::random(&synthetic::TINY, Storage::Mixed, 1)
    }

    fn message(change: impl FnOnce(&mut Container<'static>)) -> String {
        let mut container = tiny();
        change(&mut container);
        Model::from_container(&container).expect_err("a fault").to_string()
    }

    #[test]
    fn both_containers_give_the_same_model() {
        let container = tiny();
        let first = Model::from_bytes(&gguf::write(&container).expect("a container"));
        let second = Model::from_bytes(&safetensors::write(&container).expect("known types"));
        let (first, second) = (first.expect("a model"), second.expect("a model"));
        assert!(first.lines[..] == second.lines[..]);
        assert_eq!(first.tokens, second.tokens);
        assert_eq!(first.config, second.config);
        assert_eq!(first.weight_kinds(), ["int8", "ternary", "int8"]);
    }

    #[test]
    fn a_model_file_is_mapped() {
        let path = std::env::temp_dir().join(format!("kaiyo-policy-{}.gguf", std::process::id()));
        std::fs::write(&path, gguf::write(&tiny()).expect("a container")).expect("a file");
        let model = Model::open(&path);
        std::fs::remove_file(&path).expect("the file");
        assert_eq!(*model.expect("a model").config(), synthetic::TINY);
        let message = Model::open(&path).expect_err("no file").to_string();
        assert!(message.starts_with("cannot read ") && message.contains(".gguf"), "{message}");
    }

    #[test]
    fn faults_are_named() {
        let missing = message(|container| {
            container.tensors.remove("blk.1.ffn_up.weight");
        });
        assert_eq!(missing, "tensor \"blk.1.ffn_up.weight\" expected");
        let shape = message(|container| {
            container.tensors.get_mut("output.weight").expect("there").shape = vec![1, 4608];
        });
        assert_eq!(
            shape,
            "tensor \"output.weight\" expected as I8 [8, 4608] or [32, 4608], found I8 [1, 4608]"
        );
        let weight = message(|container| {
            let tensor = container.tensors.get_mut("value.bias").expect("there");
            tensor.bytes = Cow::Owned(f32::NAN.to_le_bytes().to_vec());
        });
        assert_eq!(weight, "finite weights expected in tensor \"value.bias\", found NaN");
        let signs = message(|container| {
            let tensor = container.tensors.get_mut("blk.0.ffn_up.weight").expect("there");
            tensor.bytes.to_mut().fill(0xff);
        });
        assert_eq!(
            signs,
            "one of two bits for each weight expected in row 0 of tensor \"blk.0.ffn_up.weight\""
        );
    }

    #[test]
    fn a_model_without_the_board_is_accepted() {
        let mut container = tiny();
        container.tensors.remove("board_embd.weight");
        let model = Model::from_container(&container).expect("a model");
        assert!(!model.sees_board());
    }

    #[test]
    fn any_damaged_model_is_refused_or_usable() {
        rounds(64, |config| {
            proptest!(config, |(changes in prop::collection::vec((0_usize..6000, any::<u8>()), 1..6))| {
                let mut bytes = gguf::write(&tiny()).expect("a container");
                // Metadata and the table of tensors lie in front.
                for (place, value) in changes {
                    bytes[place] = value;
                }
                if let Ok(model) = Model::from_bytes(&bytes) {
                    let mut session = Session::new(Arc::new(model));
                    // Weights may have become senseless, which it tells.
                    let _ = session.predict(&Game::default(), &Conditions::default());
                }
            })
        });
    }
}

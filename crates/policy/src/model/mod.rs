//! The model: sizes, weights, and how they lie in files and in memory.
//!
//! # Tensors of a file
//!
//! `d` is the width, `q` = heads x head size, `k` = key heads x head size, `h` the hidden size of
//! the feed-forward part, `N` the number of a block. The size whose elements are neighbours comes
//! first. Matrices are ternary or int8, as the type and shape of their tensor tell:
//!
//! - int8: `NAME.weight` of type I8 and shape `[inputs, outputs]`;
//! - ternary: `NAME.weight` of type I8 and shape `[inputs / 4, outputs]`. A row is two bit masks
//!   of `inputs` bits each, least significant bit first: where the weight is 1, then where it
//!   is -1.
//!
//! Both have `NAME.scale`, F32 `[outputs]`, which multiplies the integers of a row.
//!
//! | tensor | shape | |
//! |---|---|---|
//! | `token_embd.weight` | F16 `[d, 4608]` | tokens |
//! | `board_embd.weight` | F16 `[d, 781]` | the board; may be missing |
//! | `blk.N.attn_norm.weight` | F32 `[d]` | |
//! | `blk.N.attn_q`, `attn_k`, `attn_v` | matrices `[d, q]`, `[d, k]`, `[d, k]` | |
//! | `blk.N.attn_sub_norm.weight` | F32 `[q]` | norm before the output projection; may be missing |
//! | `blk.N.attn_output` | matrix `[q, d]` | |
//! | `blk.N.attn_layer_scale.weight` | F32 `[d]` | |
//! | `blk.N.ffn_norm.weight` | F32 `[d]` | |
//! | `blk.N.ffn_gate`, `ffn_up` | matrices `[d, h]` | |
//! | `blk.N.ffn_sub_norm.weight` | F32 `[h]` | norm before the last projection; may be missing |
//! | `blk.N.ffn_down` | matrix `[h, d]` | |
//! | `blk.N.ffn_layer_scale.weight` | F32 `[d]` | |
//! | `output_norm.weight` | F32 `[d]` | |
//! | `output` | matrix `[d, 4608]` | policy head |
//! | `value.weight`, `value.bias` | F32 `[d]`, F32 `[1]` | value head |
//!
//! # What is computed
//!
//! A step is embedded as the row of its token plus the rows of its board. Each block adds to it
//!
//! 1. `attn_layer_scale * attn_output(quantise(sub_norm(attention)))`, where attention is over
//!    queries, keys and values of `quantise(attn_norm(step))`, with rotary positions on queries
//!    and keys (pairs of elements half a head apart, frequencies `freq_base^(-2i / head size)`)
//!    and several query heads for one key head;
//! 2. `ffn_layer_scale * ffn_down(quantise(sub_norm(silu(gate) * up)))`, where gate and up are
//!    projections of `quantise(ffn_norm(step))`.
//!
//! A norm is `x / sqrt(mean(x^2) + epsilon) * weight` (Zhang and Sennrich 2019). `quantise`
//! multiplies a vector by `127 / max |x|` and rounds to the nearest integers, halves to even; the
//! factor is undone after the product, as in BitNet b1.58 (Ma et al. 2024). Products of integers
//! are exact. The policy is the head's output for `quantise(output_norm(step))`, and the value is
//! `tanh(value.weight * output_norm(step) + value.bias)`: the expected result for the side to
//! move, from -1 to 1.
//!
//! A step attends to itself, the control steps and the steps before it of a sliding window: with a
//! context of `c`, to those less than `c - 4` steps back. Control steps further back than the
//! context are seen as if the query were at position `c - 1`, the largest distance that a model
//! was trained with.

mod config;
mod error;
mod load;
mod matrix;
pub mod synthetic;

pub use config::{ARCHITECTURE, Config, TOKEN_TABLE};
pub use error::ModelError;
pub(crate) use load::Block;
pub use load::Model;
#[cfg(test)]
pub(crate) use matrix::weight;
pub(crate) use matrix::{BLOCK_ROWS, Line, Matrix, WeightKind};

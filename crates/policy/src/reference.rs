//! The model in plain arithmetic: no cache, no packing, no vector instructions. Everything fast
//! is compared with it.

use crate::container::{Container, Tensor};
use crate::model::Config;
use crate::tokens::{CONTROL_STEPS, Step};
use half::f16;

/// A matrix as integers and scales.
struct Matrix {
    columns: usize,
    weights: Vec<i8>,
    scales: Vec<f32>,
}

pub(crate) struct Reference<'a> {
    container: &'a Container<'a>,
    config: Config,
}

/// What the model says at the last step.
pub(crate) struct Output {
    pub(crate) logits: Vec<f32>,
    pub(crate) value: f32,
}

impl<'a> Reference<'a> {
    pub(crate) fn new(container: &'a Container<'a>) -> Self {
        Self { container, config: Config::read(container).expect("a model") }
    }

    fn tensor(&self, name: &str) -> Option<&Tensor<'_>> {
        self.container.tensors.get(name)
    }

    fn floats(&self, name: &str) -> Option<Vec<f32>> {
        let bytes = &self.tensor(name)?.bytes;
        Some(bytes.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect())
    }

    fn weights(&self, name: &str) -> Vec<f32> {
        self.floats(&format!("{name}.weight")).expect(name)
    }

    fn halves(&self, name: &str) -> Option<Vec<f32>> {
        let bytes = &self.tensor(name)?.bytes;
        let half = |&bytes: &[u8; 2]| f16::from_le_bytes(bytes).to_f32();
        Some(bytes.as_chunks::<2>().0.iter().map(half).collect())
    }

    fn matrix(&self, name: &str, columns: usize) -> Matrix {
        let tensor = self.tensor(&format!("{name}.weight")).expect(name);
        let scales = self.floats(&format!("{name}.scale")).expect(name);
        let weights = if tensor.shape[0] == columns as u64 {
            tensor.bytes.iter().map(|&byte| byte as i8).collect()
        } else {
            let ternary = |row: &[u8]| {
                let (plus, minus) = row.split_at(columns / 8);
                let bit = |mask: &[u8], column: usize| (mask[column / 8] >> (column % 8) & 1) as i8;
                (0..columns)
                    .map(|column| bit(plus, column) - bit(minus, column))
                    .collect::<Vec<i8>>()
            };
            tensor.bytes.chunks_exact(columns / 4).flat_map(ternary).collect()
        };
        Matrix { columns, weights, scales }
    }

    /// The output at the last of these steps.
    pub(crate) fn evaluate(&self, steps: &[Step]) -> Output {
        let config = &self.config;
        let mut states: Vec<Vec<f32>> = steps.iter().map(|step| self.embed(step)).collect();
        for block in 0..config.blocks {
            let name = |part: &str| format!("blk.{block}.{part}");
            let attended = self.attention(&states, &name);
            let output = self.matrix(&name("attn_output"), config.query_width());
            let scale = self.weights(&name("attn_layer_scale"));
            for (state, attended) in states.iter_mut().zip(&attended) {
                let input = self.sub_norm(attended, &name("attn_sub_norm"));
                add(state, &output.product(&input), &scale);
            }
            let norm = self.weights(&name("ffn_norm"));
            let gate = self.matrix(&name("ffn_gate"), config.width);
            let up = self.matrix(&name("ffn_up"), config.width);
            let down = self.matrix(&name("ffn_down"), config.hidden);
            let scale = self.weights(&name("ffn_layer_scale"));
            for state in &mut states {
                let input = self.norm(state, &norm);
                let (gate, up) = (gate.product(&input), up.product(&input));
                let silu = |x: f32| x / (1.0 + (-x).exp());
                let hidden: Vec<f32> =
                    gate.iter().zip(&up).map(|(&gate, up)| silu(gate) * up).collect();
                let hidden = self.sub_norm(&hidden, &name("ffn_sub_norm"));
                add(state, &down.product(&hidden), &scale);
            }
        }
        let last = states.last().expect("a step");
        let last = self.norm(last, &self.weights("output_norm"));
        let value: f32 = last.iter().zip(self.weights("value")).map(|(x, w)| x * w).sum();
        let bias = self.floats("value.bias").expect("a bias")[0];
        let logits = self.matrix("output", config.width).product(&last);
        Output { logits, value: (value + bias).tanh() }
    }

    fn embed(&self, step: &Step) -> Vec<f32> {
        let width = self.config.width;
        let row = |table: &[f32], row: usize| table[row * width..(row + 1) * width].to_vec();
        let tokens = self.halves("token_embd.weight").expect("tokens");
        let mut state = row(&tokens, step.token.index());
        if let (Some(table), Some(board)) = (self.halves("board_embd.weight"), &step.board) {
            for &feature in board.rows() {
                let addend = row(&table, feature.into());
                state.iter_mut().zip(addend).for_each(|(sum, addend)| *sum += addend);
            }
        }
        state
    }

    fn norm(&self, input: &[f32], weight: &[f32]) -> Vec<f32> {
        let mean = input.iter().map(|x| x * x).sum::<f32>() / input.len() as f32;
        let root = (mean + self.config.epsilon).sqrt();
        input.iter().zip(weight).map(|(x, weight)| x / root * weight).collect()
    }

    fn sub_norm(&self, input: &[f32], name: &str) -> Vec<f32> {
        match self.floats(&format!("{name}.weight")) {
            Some(weight) => self.norm(input, &weight),
            None => input.to_vec(),
        }
    }

    fn attention(&self, states: &[Vec<f32>], name: &impl Fn(&str) -> String) -> Vec<Vec<f32>> {
        let config = &self.config;
        let norm = self.weights(&name("attn_norm"));
        let inputs: Vec<Vec<f32>> = states.iter().map(|state| self.norm(state, &norm)).collect();
        let project = |part: &str| {
            let matrix = self.matrix(&name(part), config.width);
            inputs.iter().map(|input| matrix.product(input)).collect::<Vec<_>>()
        };
        let (queries, keys, values) = (project("attn_q"), project("attn_k"), project("attn_v"));
        let size = config.head_size;
        let mut outputs = Vec::new();
        for (at, queries) in queries.iter().enumerate() {
            let mut output = Vec::new();
            for head in 0..config.heads {
                let shared = head / (config.heads / config.key_heads);
                let query = &queries[head * size..(head + 1) * size];
                let visible =
                    (0..=at).filter(|&from| from < CONTROL_STEPS || at - from < config.window());
                let scored = visible.map(|from| {
                    let key = &keys[from][shared * size..(shared + 1) * size];
                    // A control step is never further away than in training.
                    let seen_from = match from < CONTROL_STEPS {
                        true => at.min(config.context - 1),
                        false => at,
                    };
                    let query = self.turned(query, seen_from);
                    let key = self.turned(key, from);
                    let score: f32 = query.iter().zip(&key).map(|(a, b)| a * b).sum();
                    (from, (score / (size as f32).sqrt()).exp())
                });
                let scored: Vec<(usize, f32)> = scored.collect();
                let total: f32 = scored.iter().map(|(_, weight)| weight).sum();
                let value = |from: usize, element: usize| values[from][shared * size + element];
                output.extend((0..size).map(|element| {
                    let weighted =
                        scored.iter().map(|&(from, weight)| weight * value(from, element));
                    weighted.sum::<f32>() / total
                }));
            }
            outputs.push(output);
        }
        outputs
    }

    /// A head turned to a position.
    fn turned(&self, head: &[f32], position: usize) -> Vec<f32> {
        let half = head.len() / 2;
        let mut turned = vec![0.0; head.len()];
        for pair in 0..half {
            let base = f64::from(self.config.rope_base);
            let angle = position as f64 * base.powf(-2.0 * pair as f64 / head.len() as f64);
            let (sine, cosine) = (angle.sin() as f32, angle.cos() as f32);
            turned[pair] = head[pair] * cosine - head[pair + half] * sine;
            turned[pair + half] = head[pair + half] * cosine + head[pair] * sine;
        }
        turned
    }
}

fn add(state: &mut [f32], addend: &[f32], scale: &[f32]) {
    for ((sum, addend), scale) in state.iter_mut().zip(addend).zip(scale) {
        *sum += addend * scale;
    }
}

impl Matrix {
    fn product(&self, input: &[f32]) -> Vec<f32> {
        let largest = input.iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
        let integers: Vec<f32> = match largest > 0.0 {
            true => input.iter().map(|x| (x * (127.0 / largest)).round_ties_even()).collect(),
            false => vec![0.0; input.len()],
        };
        let rows = self.weights.chunks_exact(self.columns).zip(&self.scales);
        rows.map(|(row, scale)| {
            let sum: f32 = row.iter().zip(&integers).map(|(&w, x)| f32::from(w) * x).sum();
            sum * (largest / 127.0) * scale
        })
        .collect()
    }
}

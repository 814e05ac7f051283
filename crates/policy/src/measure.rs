//! How fast a model is here, beside what memory allows.
//!
//! All times are the least of several rounds: on a machine with other work they are the nearest
//! to what a quiet one would show.

use crate::kernels::{self, Quantised, Rows};
use crate::model::{Block, Line, Matrix, Model, WeightKind};
use crate::session::Session;
use crate::tokens::{Conditions, Step, Token, steps};
use kaiyo_chess::{Game, Random};
use kaiyo_simd::Backend;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Steps of the long sequence that is measured.
pub const PREFILL_STEPS: usize = 128;
/// Steps before the new one that is measured.
pub const HISTORY_STEPS: usize = 30;

/// Time of something that reads weights.
#[derive(Clone, Copy, Debug)]
pub struct Speed {
    /// The least time of a round.
    pub time: Duration,
    /// Bytes of weights it reads.
    pub bytes: usize,
}

impl Speed {
    /// Gigabytes (10^9 bytes) per second.
    pub fn gigabytes_per_second(&self) -> f64 {
        self.bytes as f64 / self.time.as_secs_f64() / 1e9
    }
}

/// The products of all matrices of a kind with one vector.
#[derive(Clone, Copy, Debug)]
pub struct KernelSpeed {
    /// `ternary` or `int8`.
    pub kernel: &'static str,
    /// The instructions it uses.
    pub backend: Backend,
    /// One pass over the matrices.
    pub speed: Speed,
}

/// Times of a model.
#[derive(Clone, Copy, Debug)]
pub struct ModelSpeed {
    /// One new step after [`HISTORY_STEPS`], with the logits of 35 moves and the value.
    pub step: Duration,
    /// The same with the logits of all tokens.
    pub step_with_all_logits: Duration,
    /// [`HISTORY_STEPS`] and one new step without anything cached.
    pub recomputed: Duration,
    /// [`PREFILL_STEPS`] steps without anything cached.
    pub prefill: Duration,
    /// The mean of the same without the time in which other programs ran, where the system
    /// tells.
    pub prefill_processor: Option<Duration>,
}

/// Reads this many bytes of memory from end to end.
pub fn read_bandwidth(bytes: usize, rounds: usize) -> Speed {
    /// Independent sums, as many as hide the latency of an operation.
    const PARTS: usize = 4;
    let mut memory = kaiyo_memory::HugeSlice::<Line>::zeroed(bytes / size_of::<Line>());
    // Pages that were never written are all the same one.
    memory.iter_mut().for_each(|line| line.0[0] = 1);
    let time = least(rounds, || {
        let mut sums = [[0_u8; size_of::<Line>()]; PARTS];
        for lines in memory.as_chunks::<PARTS>().0 {
            for (sums, line) in sums.iter_mut().zip(lines) {
                for (sum, byte) in sums.iter_mut().zip(&line.0) {
                    *sum ^= byte;
                }
            }
        }
        black_box(sums);
    });
    Speed { time, bytes: bytes / 64 * 64 }
}

/// Every kernel on every backend, one vector with all matrices of the model in turn.
pub fn kernels(model: &Model, rounds: usize) -> Vec<KernelSpeed> {
    let mut speeds = Vec::new();
    for kind in [WeightKind::Ternary, WeightKind::Int8] {
        let matrices: Vec<&Matrix> = model
            .blocks
            .iter()
            .flat_map(|block| {
                let Block { query, key, value, attention_output, gate, up, down, .. } = block;
                [query, key, value, attention_output, gate, up, down]
            })
            .chain([&model.output])
            .filter(|matrix| matrix.kind == kind)
            .collect();
        for backend in Backend::available().filter(|_| !matrices.is_empty()) {
            let inputs: Vec<Quantised> = matrices
                .iter()
                .map(|matrix| {
                    let mut input = Quantised::default();
                    input.clear(matrix.columns);
                    let values: Vec<f32> =
                        (0..matrix.columns).map(|column| (column % 255) as f32 - 127.0).collect();
                    kernels::quantise(backend, &values, &mut input);
                    input
                })
                .collect();
            let mut output =
                vec![0.0; matrices.iter().map(|matrix| matrix.rows).max().unwrap_or(0)];
            let time = least(rounds, || {
                for (matrix, input) in matrices.iter().zip(&inputs) {
                    let Matrix { kind, columns, ref scales, .. } = **matrix;
                    let lines = matrix.lines(&model.lines);
                    let rows = Rows { kind, columns, lines, scales };
                    kernels::multiply(backend, rows, input, &mut output[..matrix.rows]);
                }
                black_box(&output);
            });
            let bytes = 64 * matrices.iter().map(|matrix| matrix.len()).sum::<usize>();
            let speed = Speed { time, bytes };
            speeds.push(KernelSpeed { kernel: kind.name(), backend, speed });
        }
    }
    speeds
}

/// A model at work on a game of random moves.
pub fn model(model: &Arc<Model>, backend: Backend, rounds: usize) -> ModelSpeed {
    let steps = game_steps();
    let moves: Vec<Token> = (0..35).filter_map(|index| Token::from_index(index * 101)).collect();
    let mut session = Session::with_backend(model.clone(), backend);
    // A sequence that is already known computes its last step.
    let history = &steps[..HISTORY_STEPS + 1];
    session.evaluate(history);
    let step = least(rounds, || {
        let output = session.evaluate(history);
        black_box((output.logits_of(&moves), output.value()));
    });
    let step_with_all_logits = least(rounds, || {
        let output = session.evaluate(history);
        black_box((output.logits(), output.value()));
    });
    let few = rounds.div_ceil(4);
    let mut anew = |steps: &[Step]| {
        least(few, || {
            session.clear();
            let output = session.evaluate(steps);
            black_box((output.logits_of(&moves), output.value()));
        })
    };
    let recomputed = anew(history);
    let before = processor_time();
    let prefill = anew(&steps[..PREFILL_STEPS]);
    let spent = processor_time().zip(before).map(|(after, before)| after.saturating_sub(before));
    let prefill_processor = spent.map(|spent| spent / few as u32);
    ModelSpeed { step, step_with_all_logits, recomputed, prefill, prefill_processor }
}

/// [`PREFILL_STEPS`] steps.
fn game_steps() -> Vec<Step> {
    let mut random = Random::new(1);
    loop {
        let mut game = Game::default();
        while game.moves().len() < PREFILL_STEPS {
            let moves = game.position().legal_moves();
            if moves.is_empty() || game.play(moves[random.below(moves.len())]).is_err() {
                break;
            }
        }
        let mut steps = steps(&game, &Conditions::default());
        if steps.len() >= PREFILL_STEPS {
            steps.truncate(PREFILL_STEPS);
            return steps;
        }
    }
}

/// How long this thread has run, to some milliseconds.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

fn least(rounds: usize, mut round: impl FnMut()) -> Duration {
    let time = |_| {
        let start = Instant::now();
        round();
        start.elapsed()
    };
    (0..rounds.max(1)).map(time).min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::synthetic::{self, Storage};

    #[test]
    fn all_kernels_are_measured() {
        let tiny = Arc::new(Model::random(&synthetic::TINY, Storage::Mixed, 1));
        let speeds = kernels(&tiny, 1);
        assert_eq!(speeds.len(), 2 * Backend::available().count());
        let bytes = |kernel| {
            speeds.iter().find(|speed| speed.kernel == kernel).map_or(0, |speed| speed.speed.bytes)
        };
        assert_eq!(bytes("ternary") + bytes("int8"), tiny.matrix_bytes());
        let speed = model(&tiny, Backend::best(), 1);
        assert!(speed.step > Duration::ZERO && speed.prefill > Duration::ZERO);
    }
}

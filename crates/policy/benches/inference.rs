//! Speed of the kernels and of a full-size model, beside the speed of memory.
//!
//! `cargo bench -p kaiyo-policy`. Weights are random. Every time is the least of some rounds.

use kaiyo_policy::measure::{self, HISTORY_STEPS, PREFILL_STEPS};
use kaiyo_policy::model::synthetic::{FULL, Storage};
use kaiyo_policy::{Backend, Model};
use std::sync::Arc;
use std::time::Duration;

const ROUNDS: usize = 40;

fn main() {
    for (name, storage) in
        [("int8 attention and head", Storage::Mixed), ("ternary", Storage::Ternary)]
    {
        let model = Arc::new(Model::random(&FULL, storage, 1));
        let megabytes = model.matrix_bytes() as f64 / 1e6;
        println!("full size, {name}: {} parameters, {megabytes:.1} MB", model.parameters());
        for speed in measure::kernels(&model, ROUNDS) {
            println!(
                "  {:8} {:13} {:>9.0} ns {:>6.1} GB/s",
                speed.kernel,
                speed.backend.name(),
                speed.speed.time.as_secs_f64() * 1e9,
                speed.speed.gigabytes_per_second()
            );
        }
        for backend in Backend::available().skip((Backend::available().count() - 1).min(1)) {
            let speed = measure::model(&model, backend, ROUNDS);
            let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
            println!("  {}:", backend.name());
            println!("    a new step          {:>8.3} ms", milliseconds(speed.step));
            println!(
                "    with all logits     {:>8.3} ms",
                milliseconds(speed.step_with_all_logits)
            );
            println!(
                "    {HISTORY_STEPS} steps and it     {:>8.3} ms, {:.1} times as long",
                milliseconds(speed.recomputed),
                speed.recomputed.as_secs_f64() / speed.step.as_secs_f64()
            );
            println!("    {PREFILL_STEPS} steps           {:>8.3} ms", milliseconds(speed.prefill));
            if let Some(time) = speed.prefill_processor {
                println!("      processor time    {:>8.3} ms", milliseconds(time));
            }
        }
        // In the same minute as the above.
        for bytes in [model.matrix_bytes(), 256 << 20] {
            let speed = measure::read_bandwidth(bytes, ROUNDS);
            println!(
                "  memory: {:>5.1} MB read in {:.3} ms, {:.1} GB/s",
                bytes as f64 / 1e6,
                speed.time.as_secs_f64() * 1e3,
                speed.gigabytes_per_second()
            );
        }
    }
}

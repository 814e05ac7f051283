//! A fixed amount of work, whose node count identifies what the engine does and whose speed
//! tells how fast it is.

mod positions;
mod speed;

pub use speed::SpeedTest;

use kaiyo_chess::{Game, Position, quote};
use kaiyo_search::{
    Backend, BestMove, Engine, EngineError, Iteration, Limits, MAX_HASH_MIB, MAX_PLY, MAX_THREADS,
    SearchListener,
};
use positions::POSITIONS;
use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// How often a running search looks whether it is to be given up.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// How `bench` searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchSettings {
    /// Iterations per position.
    pub depth: u32,
    /// Search threads. The node count is the same every time with one thread only.
    pub threads: usize,
    /// Size of the hash table in MiB.
    pub hash_mib: usize,
    /// Evaluate by classical terms.
    pub classical: bool,
    /// Evaluate the network with these vector instructions instead of the best ones.
    pub backend: Option<Backend>,
}

impl BenchSettings {
    /// The settings whose node count identifies a version.
    pub const STANDARD: Self =
        Self { depth: 12, threads: 1, hash_mib: 16, classical: false, backend: None };

    /// Reads depth, threads and hash size, each optional.
    ///
    /// # Errors
    /// A message that names the argument that makes no sense.
    pub fn parse<'a>(mut arguments: impl Iterator<Item = &'a str>) -> Result<Self, String> {
        let mut number =
            |name, standard, max| count(arguments.next(), ("bench", name), standard, max);
        let depth = number("depth", Self::STANDARD.depth as usize, MAX_PLY)? as u32;
        let threads = number("threads", Self::STANDARD.threads, MAX_THREADS)?;
        let hash_mib = number("hash", Self::STANDARD.hash_mib, MAX_HASH_MIB)?;
        Ok(Self { depth, threads, hash_mib, ..Self::STANDARD })
    }
}

/// A number from 1 to `max` of the `(command, argument)` named, or the standard one.
fn count(
    text: Option<&str>,
    (command, argument): (&str, &str),
    standard: usize,
    max: usize,
) -> Result<usize, String> {
    let Some(text) = text else { return Ok(standard) };
    let number = text.parse().ok().filter(|number| (1..=max).contains(number));
    number.ok_or_else(|| {
        format!("{command}: {argument} must be from 1 to {max}, found {}", quote(text))
    })
}

/// The outcome of `bench`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchResult {
    /// Nodes visited, which identify the version.
    pub nodes: u64,
    elapsed: Duration,
}

impl fmt::Display for BenchResult {
    /// The line that testing frameworks look for.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let per_second = self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9);
        write!(f, "{} nodes {} nps", self.nodes, per_second as u64)
    }
}

/// Tells the waiting thread when the search has ended.
struct Notifier(Sender<()>);

impl SearchListener for Notifier {
    fn iteration(&mut self, _lines: &[Iteration]) {}

    fn best_move(&mut self, _report: &BestMove) {
        // The receiver waits for this, unless it is about to give up anyway.
        let _ = self.0.send(());
    }
}

/// Searches all positions, one after the other, with an engine that knows nothing yet.
///
/// Returns `None` if `stop` was set before the end.
///
/// # Errors
/// When this machine cannot provide the threads or the hash table.
pub fn run(
    settings: BenchSettings,
    stop: &AtomicBool,
    mut progress: impl FnMut(&str),
) -> Result<Option<BenchResult>, EngineError> {
    let mut engine = Engine::new(settings.hash_mib)?;
    engine.set_threads(settings.threads)?;
    engine.set_use_network(!settings.classical);
    if let Some(backend) = settings.backend {
        engine.set_backend(backend);
    }
    Ok(search_all(&mut engine, &Limits::depth(settings.depth), stop, |number, nodes, fen| {
        progress(&format!("{number:2}/{} {nodes:10} nodes  {fen}", POSITIONS.len()));
    }))
}

/// Searches all positions within the same limits, and reports number, nodes and FEN of each. Returns `None`
/// if `stop` was set before the end.
fn search_all(
    engine: &mut Engine,
    limits: &Limits,
    stop: &AtomicBool,
    mut report: impl FnMut(usize, u64, &str),
) -> Option<BenchResult> {
    let mut total = BenchResult { nodes: 0, elapsed: Duration::ZERO };
    for (number, fen) in (1..).zip(POSITIONS) {
        let position = Position::from_fen(fen).expect("the bench positions are legal");
        engine.set_game(Game::new(position));
        let start = Instant::now();
        if !search(engine, limits.clone(), stop) {
            return None;
        }
        total.elapsed += start.elapsed();
        total.nodes += engine.nodes();
        report(number, engine.nodes(), fen);
    }
    Some(total)
}

/// Runs the bench on every backend of this processor, slowest first, and shows the outcomes.
///
/// # Errors
/// The node counts differ, or [`run`] fails.
pub fn compare_backends(
    settings: BenchSettings,
    mut show: impl FnMut(&str),
) -> Result<(), Box<dyn Error>> {
    let never = AtomicBool::new(false);
    let mut counts = Vec::new();
    for backend in Backend::available() {
        let settings = BenchSettings { backend: Some(backend), ..settings };
        if let Some(result) = run(settings, &never, |_| ())? {
            show(&format!("{:12} {result}", backend.name()));
            counts.push(result.nodes);
        }
    }
    if counts.windows(2).any(|pair| pair[0] != pair[1]) {
        return Err("the node counts of the backends differ".into());
    }
    Ok(())
}

/// Searches the engine's game within limits; false if stopped before.
fn search(engine: &mut Engine, limits: Limits, stop: &AtomicBool) -> bool {
    let (sender, ended) = mpsc::channel();
    engine.go(limits, Box::new(Notifier(sender)));
    while ended.recv_timeout(STOP_INTERVAL) == Err(RecvTimeoutError::Timeout) {
        if stop.load(Ordering::Relaxed) {
            engine.stop();
        }
    }
    engine.wait();
    !stop.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn positions_are_legal_and_distinct() {
        let fens: HashSet<String> =
            POSITIONS.iter().map(|fen| Position::from_fen(fen).expect(fen).to_string()).collect();
        assert_eq!(fens.len(), POSITIONS.len());
    }

    #[test]
    fn arguments_are_optional_and_checked() {
        let parse = |text: &'static str| BenchSettings::parse(text.split_whitespace());
        assert_eq!(parse(""), Ok(BenchSettings::STANDARD));
        assert_eq!(
            parse("5 2 32"),
            Ok(BenchSettings { depth: 5, threads: 2, hash_mib: 32, ..BenchSettings::STANDARD })
        );
        for bad in ["0", "x", "-1", "5 0", "5 1 0", "99999999999999999999"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn all_backends_search_the_same_tree() {
        let mut lines = Vec::new();
        let settings = BenchSettings { depth: 5, ..BenchSettings::STANDARD };
        compare_backends(settings, |line| lines.push(line.to_owned())).unwrap();
        assert!(!lines.is_empty() && lines[0].starts_with("scalar"), "{lines:?}");
    }

    #[test]
    fn the_result_is_one_line() {
        let result = BenchResult { nodes: 1000, elapsed: Duration::from_millis(500) };
        assert_eq!(result.to_string(), "1000 nodes 2000 nps");
    }
}

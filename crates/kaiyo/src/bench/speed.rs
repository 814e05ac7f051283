//! The speed of the engine as it is used: with all threads, a large table, and clocks.

use super::positions::POSITIONS;
use super::{BenchResult, count, search_all};
use kaiyo_search::{Engine, EngineError, Limits, MAX_HASH_MIB, MAX_THREADS};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

/// How long all searches take together, where nobody says.
const SECONDS: usize = 60;
const MAX_SECONDS: usize = 86_400;
/// Of the hash table for each thread, where nobody says.
const HASH_MIB_PER_THREAD: usize = 128;

/// How the speed is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpeedTest {
    threads: usize,
    hash_mib: usize,
    seconds: usize,
}

impl SpeedTest {
    /// Reads threads, hash size in MiB and seconds, each optional. Without them it takes all processors
    /// of this machine, 128 MiB for each, and a minute.
    ///
    /// # Errors
    /// A message that names the argument that makes no sense.
    pub fn parse<'a>(mut arguments: impl Iterator<Item = &'a str>) -> Result<Self, String> {
        let mut number =
            |name, standard, max| count(arguments.next(), ("speedtest", name), standard, max);
        let processors = thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
        let threads = number("threads", processors, MAX_THREADS)?;
        let table = (threads * HASH_MIB_PER_THREAD).min(MAX_HASH_MIB);
        let hash_mib = number("hash", table, MAX_HASH_MIB)?;
        let seconds = number("seconds", SECONDS, MAX_SECONDS)?;
        Ok(Self { threads, hash_mib, seconds })
    }

    /// Searches the positions of `bench`, each for the same time. Returns `None` if `stop` was set
    /// before the end.
    ///
    /// # Errors
    /// When this machine cannot provide the threads or the hash table.
    pub fn run(
        self,
        stop: &AtomicBool,
        mut progress: impl FnMut(&str),
    ) -> Result<Option<BenchResult>, EngineError> {
        let mut engine = Engine::new(self.hash_mib)?;
        engine.set_threads(self.threads)?;
        progress(&format!(
            "{} threads, {} MiB, {} seconds",
            self.threads, self.hash_mib, self.seconds
        ));
        let whole = Duration::from_secs(self.seconds as u64);
        let share = whole / POSITIONS.len() as u32;
        let limits = Limits { move_time: Some(share), ..Limits::default() };
        Ok(search_all(&mut engine, &limits, stop, |_, _, _| ()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_test_counts_what_all_threads_do() {
        let test = SpeedTest::parse("2 16 1".split(' ')).unwrap();
        assert_eq!(test, SpeedTest { threads: 2, hash_mib: 16, seconds: 1 });
        let mut lines = Vec::new();
        let result = test.run(&AtomicBool::new(false), |line| lines.push(line.to_owned()));
        let result = result.unwrap().unwrap();
        assert_eq!(lines, ["2 threads, 16 MiB, 1 seconds"]);
        assert!(result.nodes > 10_000, "{result}");
        assert!(result.elapsed < Duration::from_secs(10), "{result}");
    }
}

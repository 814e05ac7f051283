//! Signals between the client of a running search and its threads.

use std::sync::atomic::{
    AtomicBool, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Stop and ponder signals of one search. Every search has its own, so that a late signal
/// cannot reach the next one.
pub(crate) struct Control {
    started: Instant,
    /// Whether the threads have to end.
    stop: AtomicBool,
    /// Whether the client asked for the end.
    released: AtomicBool,
    /// Whether the opponent's clock is still running.
    pondering: AtomicBool,
    /// When the own clock began to run, in microseconds from the start of the search.
    clock_started: AtomicU64,
    /// Guards the waits for a change of the flags above.
    lock: Mutex<()>,
    changed: Condvar,
}

impl Control {
    /// Of a search that the client asked for at `started`.
    pub fn new(pondering: bool, started: Instant) -> Self {
        Self {
            started,
            stop: AtomicBool::new(false),
            released: AtomicBool::new(false),
            pondering: AtomicBool::new(pondering),
            clock_started: AtomicU64::new(0),
            lock: Mutex::new(()),
            changed: Condvar::new(),
        }
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time since the own clock began to run; none while pondering.
    pub fn clock_elapsed(&self) -> Option<Duration> {
        if self.is_pondering() {
            return None;
        }
        let clock_started = Duration::from_micros(self.clock_started.load(Relaxed));
        Some(self.elapsed().saturating_sub(clock_started))
    }

    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Ends the search at the client's wish: it may report now.
    pub fn stop(&self) {
        let _guard = self.guard();
        self.released.store(true, Relaxed);
        self.stop.store(true, Relaxed);
        self.changed.notify_all();
    }

    /// Ends the search because a limit is reached. An infinite or pondering one still waits for
    /// the client before it reports.
    pub fn end(&self) {
        self.stop.store(true, Relaxed);
    }

    pub fn is_pondering(&self) -> bool {
        // Who sees that pondering is over also sees when that was.
        self.pondering.load(Acquire)
    }

    /// The expected move was played, as the client has `told`: the own clock runs from then. Nothing happens without
    /// pondering.
    pub fn ponderhit(&self, told: Instant) {
        let _guard = self.guard();
        if !self.is_pondering() {
            return;
        }
        let clock_started = told.saturating_duration_since(self.started);
        self.clock_started.store(clock_started.as_micros() as u64, Relaxed);
        self.pondering.store(false, Release);
        self.changed.notify_all();
    }

    /// Waits until the search may report: an infinite one when it is stopped, a pondering one
    /// when it is stopped or the expected move was played.
    pub fn wait_until_reportable(&self, infinite: bool) {
        let mut guard = self.guard();
        while !self.released.load(Relaxed) && (infinite || self.is_pondering()) {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn guard(&self) -> MutexGuard<'_, ()> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

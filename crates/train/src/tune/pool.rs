//! The processes that play.

use super::protocol::{Order, Outcome, Setup};
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};

/// The hidden command of this program that plays.
const WORKER_COMMAND: &str = "tune-worker";

/// Something to react to.
pub enum Event {
    /// A worker has written a line.
    Line { worker: usize, line: String },
    /// A worker writes no more.
    Ended { worker: usize },
    /// The user wants the run to end.
    Interrupted,
}

struct Worker {
    process: Child,
    input: ChildStdin,
}

/// Processes that play games.
pub struct Pool {
    workers: Vec<Worker>,
    events: Receiver<Event>,
}

impl Pool {
    /// Starts so many processes, and gives a sender for interruptions.
    ///
    /// # Errors
    /// A process cannot be started.
    pub fn new(jobs: usize, setup: &Setup) -> Result<(Self, Sender<Event>)> {
        let (sender, events) = channel();
        let mut pool = Self { workers: Vec::new(), events };
        for worker in 0..jobs {
            let process = start(worker, sender.clone()).context("cannot start a worker")?;
            pool.workers.push(process);
            pool.send(worker, &serde_json::to_string(setup)?)?;
        }
        Ok((pool, sender))
    }

    /// Plays games and returns how they ended, in any order. `None` if the user interrupted.
    ///
    /// # Errors
    /// A worker failed.
    pub fn play(&mut self, orders: &[Order]) -> Result<Option<Vec<Outcome>>> {
        let mut orders_left = orders.iter();
        let mut outcomes = Vec::with_capacity(orders.len());
        for (worker, order) in (0..self.workers.len()).zip(orders_left.by_ref()) {
            self.send(worker, &serde_json::to_string(order)?)?;
        }
        while outcomes.len() < orders.len() {
            match self.events.recv().context("all workers are gone")? {
                Event::Interrupted => return Ok(None),
                Event::Ended { worker } => return self.fault(worker),
                Event::Line { worker, line } => {
                    let outcome = serde_json::from_str(&line);
                    outcomes.push(outcome.with_context(|| format!("worker {worker}: '{line}'"))?);
                    if let Some(order) = orders_left.next() {
                        self.send(worker, &serde_json::to_string(order)?)?;
                    }
                }
            }
        }
        Ok(Some(outcomes))
    }

    fn send(&mut self, worker: usize, message: &str) -> Result<()> {
        let input = &mut self.workers[worker].input;
        if writeln!(input, "{message}").and_then(|()| input.flush()).is_err() {
            return self.fault(worker);
        }
        Ok(())
    }

    /// The error that a worker has come to its end. What was wrong it has said on standard error.
    fn fault<T>(&mut self, worker: usize) -> Result<T> {
        let process = &mut self.workers[worker].process;
        let _ = process.kill();
        bail!("worker {worker} has ended early: {}", process.wait()?);
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for worker in &mut self.workers {
            let _ = worker.process.kill();
            let _ = worker.process.wait();
        }
    }
}

/// Starts a process whose lines go to `events`.
fn start(worker: usize, events: Sender<Event>) -> Result<Worker> {
    let mut process = Command::new(std::env::current_exe()?)
        .arg(WORKER_COMMAND)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let input = process.stdin.take().context("no standard input")?;
    let output = process.stdout.take().context("no standard output")?;
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if events.send(Event::Line { worker, line }).is_err() {
                return;
            }
        }
        let _ = events.send(Event::Ended { worker });
    });
    Ok(Worker { process, input })
}

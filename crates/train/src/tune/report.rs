//! What a run tells: its progress, its log and its result.

use super::parameter::Parameter;
use super::state::State;
use anyhow::{Context, Result, ensure};
use core::fmt::Write as _;
use core::time::Duration;
use kaiyo_files::replace_file;
use kaiyo_progress::{FormattedDuration, ProgressBar};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// Parameters that the progress names.
const NAMED: usize = 3;

/// The start and the present of each parameter.
fn changes(state: &State) -> impl Iterator<Item = (&Parameter, &Parameter)> {
    state.plan.parameters.iter().zip(&state.parameters)
}

/// The parameters whose nearest whole numbers have changed, a line each, and all parameters in
/// OpenBench's form.
pub fn result(state: &State) -> String {
    let mut text = String::new();
    for (start, now) in changes(state) {
        let (old, new) = (start.value.round(), now.value.round());
        if old != new {
            let _ = writeln!(text, "{} {old} -> {new}", now.name);
        }
    }
    if text.is_empty() {
        text.push_str("no parameter has moved\n");
    }
    text.push('\n');
    for parameter in &state.parameters {
        let _ = writeln!(text, "{parameter}");
    }
    text
}

/// The parameters that are furthest from their start, in steps.
fn furthest(state: &State) -> String {
    let steps =
        |(start, now): &(&Parameter, &Parameter)| ((now.value - start.value) / now.end_step).abs();
    let mut changes: Vec<_> = changes(state).collect();
    changes.sort_by(|a, b| steps(b).total_cmp(&steps(a)));
    let name = |(start, now): &(&Parameter, &Parameter)| {
        format!("{} {} -> {:.1}", now.name, start.value, now.value)
    };
    changes.iter().take(NAMED).map(name).collect::<Vec<_>>().join(", ")
}

/// Shows how far a run is.
pub struct Progress {
    bar: ProgressBar,
    begin: Instant,
    pairs_before: u64,
}

impl Progress {
    /// The progress of a run that begins or goes on here.
    pub fn new(state: &State) -> Self {
        let total = state.plan.iterations * state.plan.batch as u64;
        let bar = kaiyo_progress::bar(Some(total), "{bar:20}", "{msg}");
        bar.set_position(state.pairs());
        Self { bar, begin: Instant::now(), pairs_before: state.pairs() }
    }

    /// Shows a state.
    pub fn show(&self, state: &State) {
        let (pairs, total) = (state.pairs(), state.plan.iterations * state.plan.batch as u64);
        let speed =
            (pairs - self.pairs_before) as f64 / self.begin.elapsed().as_secs_f64().max(1e-9);
        let left = Duration::try_from_secs_f64((total - pairs) as f64 / speed.max(1e-9));
        let line = format!(
            "{pairs}/{total} pairs, {speed:.2} pairs/s, {} left; {}",
            FormattedDuration(left.unwrap_or_default()),
            furthest(state)
        );
        self.bar.set_position(pairs);
        self.bar.set_message(line);
    }

    /// Leaves the last state in the terminal.
    pub fn end(&self) {
        self.bar.abandon();
    }
}

/// The line of a state in the log.
fn log_line(state: &State) -> String {
    let mut line = format!("{},{}", state.iteration, state.pairs());
    for parameter in &state.parameters {
        let _ = write!(line, ",{:.3}", parameter.value);
    }
    line
}

/// Begins the log of a run, or cuts off what it holds from after the state.
///
/// # Errors
/// The file cannot be written.
pub fn begin_log(path: &Path, state: &State) -> Result<()> {
    let mut text = String::from("iteration,pairs");
    for parameter in &state.parameters {
        let _ = write!(text, ",{}", parameter.name);
    }
    text.push('\n');
    let old = fs::read_to_string(path).unwrap_or_default();
    let iteration = |line: &str| line.split(',').next()?.parse::<u64>().ok();
    if state.iteration == 0 {
        let is_new = old.lines().skip(1).all(|line| iteration(line) == Some(0));
        let is_log = old.is_empty() || old.starts_with("iteration,pairs");
        ensure!(is_new && is_log, "{} is of another run, or no log", path.display());
        text.push_str(&log_line(state));
        text.push('\n');
    } else {
        let header = old.lines().next();
        ensure!(
            header.is_none_or(|header| header == text.trim_end()),
            "{} is the log of other parameters",
            path.display()
        );
        for line in old.lines().skip(1) {
            if iteration(line).is_some_and(|iteration| iteration <= state.iteration) {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    replace_file(path, |output| Ok(output.write_all(text.as_bytes())?))
}

/// Appends a state to the log.
///
/// # Errors
/// The file cannot be written.
pub fn log(path: &Path, state: &State) -> Result<()> {
    let file = OpenOptions::new().append(true).open(path);
    let write = file.and_then(|mut file| writeln!(file, "{}", log_line(state)));
    write.with_context(|| format!("cannot write {}", path.display()))
}

//! Tunes constants of the search by SPSA: the engine plays itself at a fixed number of nodes, with
//! values a little higher and a little lower.
//!
//! The games of an iteration depend on the options, the seed, its number and the values before it, so
//! that neither an interruption nor the number of processes changes where a run goes.

mod parameter;
mod pool;
mod protocol;
mod report;
mod spsa;
mod state;
mod worker;

pub use worker::work;

use crate::datagen::{EvaluationOptions, GameOptions, Player, read_books, search_identity};
use crate::random::{checksum, sequence};
use anyhow::{Context, Result, ensure};
use kaiyo_chess::Position;
use kaiyo_files::with_ending;
use pool::{Event, Pool};
use protocol::{Order, Outcome, Setup};
use report::Progress;
use spsa::{Direction, Schedule};
use state::{Plan, State};
use std::path::PathBuf;

/// Options of the tuner.
#[derive(clap::Args)]
pub struct Options {
    /// Keep the state of the run in this file, and go on from there if it exists.
    #[arg(long)]
    state: PathBuf,
    /// Begin games with positions from these files, a FEN or EPD in each line, or the games of a PGN.
    #[arg(long, required = true)]
    book: Vec<PathBuf>,
    /// Pairs of games to play, each from one position with both colours.
    #[arg(long)]
    pairs: u64,
    /// Pairs between two changes of the values.
    #[arg(long, default_value_t = 8)]
    batch: usize,
    /// Nodes of a move.
    #[arg(long, default_value_t = 5000)]
    nodes: u64,
    /// Tune the parameters in this file, in OpenBench's form: name, int, value, min, max, C_end, R_end.
    /// Without it all constants of the search but those of time, from the values they have.
    #[arg(long)]
    parameters: Option<PathBuf>,
    /// Tune only those of these names.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Processes that play.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Hash table of each side in MiB.
    #[arg(long, default_value_t = 16)]
    hash: usize,
    #[command(flatten)]
    evaluation: EvaluationOptions,
    /// Number from which all random ones come.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the history of the values into this file; without it into one of the state's name with .csv at its
    /// end.
    #[arg(long)]
    log: Option<PathBuf>,
    /// Iterations between two lines of that history.
    #[arg(long, default_value_t = 10)]
    log_interval: u64,
    #[command(flatten)]
    game: GameOptions,
}

/// Options of the command that prints a state.
#[derive(clap::Args)]
pub struct ShowOptions {
    /// The file with the state of a run.
    state: PathBuf,
}

/// Prints a state.
pub fn show(options: &ShowOptions) -> Result<()> {
    let state = State::load(&options.state)?;
    let (pairs, total) = (state.pairs(), state.plan.iterations * state.plan.batch as u64);
    say!("{pairs} of {total} pairs\n\n{}", report::result(&state).trim_end());
    Ok(())
}

impl Options {
    fn plan(&self, book: &[Position]) -> Result<Plan> {
        let mut player = Player::new(1, &self.evaluation)?;
        let search = search_identity(&mut player, book)?;
        let book = checksum(book);
        Ok(Plan {
            nodes: self.nodes,
            hash: self.hash,
            network: player.network_checksum().map(|checksum| format!("{checksum:08x}")),
            search: format!("{search:08x}"),
            book: format!("{book:016x}"),
            game: self.game.clone(),
            seed: self.seed,
            iterations: self.pairs.div_ceil(self.batch as u64),
            batch: self.batch,
            parameters: parameter::select(self.parameters.as_deref(), &self.only)?,
        })
    }

    fn setup(&self, plan: &Plan) -> Setup {
        Setup {
            parameters: plan.parameters.iter().map(|parameter| parameter.name.clone()).collect(),
            nodes: plan.nodes,
            hash: plan.hash,
            evaluation: self.evaluation.clone(),
            game: plan.game.clone(),
        }
    }
}

/// Tunes until all pairs are played or the user interrupts, and prints the result.
pub fn run(options: &Options) -> Result<()> {
    for (name, number) in [
        ("pairs", options.pairs),
        ("batch", options.batch as u64),
        ("nodes", options.nodes),
        ("jobs", options.jobs as u64),
        ("log-interval", options.log_interval),
    ] {
        ensure!(number > 0, "--{name} must be positive");
    }
    let log = options.log.clone().unwrap_or_else(|| with_ending(&options.state, ".csv"));
    ensure!(log != options.state, "the state and the log cannot be one file, {}", log.display());
    let book = read_books(&options.book)?;
    let mut state = State::resume(&options.state, options.plan(&book)?)?;
    report::begin_log(&log, &state)?;
    let (mut pool, events) = Pool::new(options.jobs, &options.setup(&state.plan))?;
    ctrlc::set_handler(move || drop(events.send(Event::Interrupted)))
        .context("cannot wait for interrupts")?;
    let progress = Progress::new(&state);
    while !state.is_finished() {
        if !iterate(&mut state, &book, |orders| pool.play(orders))? {
            break;
        }
        // What is in the log but not in the state is cut off when the run goes on.
        if state.iteration.is_multiple_of(options.log_interval) || state.is_finished() {
            report::log(&log, &state)?;
        }
        state.save(&options.state)?;
        progress.show(&state);
    }
    progress.end();
    state.save(&options.state)?;
    say!("{}", report::result(&state).trim_end());
    Ok(())
}

/// One iteration. Returns false, and leaves the state as it was, if it was interrupted.
fn iterate(
    state: &mut State,
    book: &[Position],
    play: impl FnOnce(&[Order]) -> Result<Option<Vec<Outcome>>>,
) -> Result<bool> {
    let State { plan, iteration, record, parameters, .. } = state;
    let schedule = Schedule::new(plan.iterations);
    let mut random = sequence(plan.seed, *iteration);
    let direction = Direction::draw(parameters.len(), &mut random);
    let mut orders = Vec::with_capacity(2 * plan.batch);
    for _ in 0..plan.batch {
        let start = book[random.below(book.len())].to_string();
        let values = spsa::sides(parameters, &direction, &schedule, *iteration, &mut random);
        for white in [0, 1] {
            orders.push(Order { start: start.clone(), values: values.clone(), white });
        }
    }
    let Some(outcomes) = play(&orders)? else { return Ok(false) };
    let mut balance = 0;
    for outcome in outcomes {
        balance += i64::from(outcome.points);
        match outcome.points {
            1.. => record.wins += 1,
            0 => record.draws += 1,
            _ => record.losses += 1,
        }
    }
    spsa::update(parameters, &direction, &schedule, *iteration, balance);
    *iteration += 1;
    Ok(true)
}

#[cfg(test)]
mod tests;

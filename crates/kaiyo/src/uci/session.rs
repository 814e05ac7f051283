//! A conversation with a client.

use super::book::{self, BookChoice};
use super::command::Command;
use super::go::GoRequest;
use super::launch::launch;
use super::options::{self, OPTIONS};
use super::output::Output;
use super::parts::Parts;
use super::position::PositionRequest;
use super::reporter::Reporter;
use super::{Event, Finished, PATIENCE_AT_END};
use crate::bench::{self, BenchSettings, SpeedTest};
use crate::cli::MISUSE;
use crate::genfens::GenFens;
use crate::paths::expect_file_to_write;
use crate::standard_error::tell;
use crate::{about, board, perft};
use kaiyo_chess::{Game, quote};
use kaiyo_files::replace_file;
use kaiyo_search::{BestMove, EngineError, Iteration, Limits, Score, ScoreBound, SearchListener};
use std::collections::VecDeque;
use std::error::Error;
use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// Stack of the threads of perft and other long work, in bytes.
const TASK_STACK_SIZE: usize = 8 << 20;

/// What runs besides the main loop.
enum Activity {
    Idle,
    Search {
        /// It ends when it is stopped, and not before.
        open_ended: bool,
        /// So it will be after `ponderhit`.
        open_ended_after_ponderhit: bool,
    },
    /// A book answers the move that the opponent is expected to make, once it is made.
    HeldBookMove(Box<(BookChoice, Reporter)>),
    /// Perft, bench and other work, which ends early when the flag is set.
    Task(Arc<AtomicBool>),
}

/// Whether to go on after a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Continue,
    Quit,
    XBoard,
}

/// How well the commands of a session went.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Success,
    /// Something could not be done.
    Failure,
    /// A command made no sense.
    Misuse,
}

/// How a session ended.
pub enum End {
    /// The client has quit or gone away.
    Quit,
    /// The client speaks another protocol.
    XBoard(Box<Parts>),
}

/// The engine and the state of the conversation.
pub struct Session {
    parts: Parts,
    activity: Activity,
    /// Commands that wait for the search to end.
    waiting: VecDeque<Command>,
    /// When the command came that is dealt with, or its turn.
    received: Instant,
    /// What runs was asked to end.
    is_stopping: bool,
    debug: bool,
    input_ended: bool,
    /// The worst of all commands so far.
    outcome: Outcome,
}

impl Session {
    /// A session with all options at their defaults.
    ///
    /// # Errors
    /// When this machine cannot provide what the defaults need.
    pub fn new(output: Output, events: Sender<Event>) -> Result<Self, EngineError> {
        Ok(Self {
            parts: Parts::new(output, events)?,
            activity: Activity::Idle,
            waiting: VecDeque::new(),
            received: Instant::now(),
            is_stopping: false,
            debug: false,
            input_ended: false,
            outcome: Outcome::Success,
        })
    }

    /// Handles events until the client quits or goes away, or wants another protocol.
    pub fn serve(mut self, events: &Receiver<Event>) -> End {
        for event in events {
            let flow = match event {
                Event::Line(line, received) => self.receive(&line, received),
                Event::EndOfInput => self.end_of_input(),
                Event::Interrupted => Flow::Quit,
                Event::Finished(finished) => self.finish(finished),
                Event::Found(..) => Flow::Continue,
            };
            match flow {
                Flow::Continue => {}
                Flow::Quit => break,
                Flow::XBoard => return End::XBoard(Box::new(self.parts)),
            }
        }
        self.end(events);
        End::Quit
    }

    /// Executes `lines`, and waits for the end of every search that has one. The exit code is 1 if
    /// something could not be done, and 2 if a command makes no sense.
    pub fn execute(mut self, lines: &[String], events: &Receiver<Event>) -> ExitCode {
        let mut flow = Flow::Continue;
        for line in lines {
            flow = self.receive(line, Instant::now());
            if flow == Flow::Continue {
                flow = self.settle(events);
            }
            if flow != Flow::Continue {
                break;
            }
        }
        // What waits for a search without an end would never have its turn.
        while flow == Flow::Continue && !self.waiting.is_empty() {
            self.stop();
            flow = self.settle(events);
        }
        let outcome = self.outcome;
        self.end(events);
        match outcome {
            Outcome::Success => ExitCode::SUCCESS,
            Outcome::Failure => ExitCode::FAILURE,
            Outcome::Misuse => ExitCode::from(MISUSE),
        }
    }

    /// Waits for the end of what runs, if it has one.
    fn settle(&mut self, events: &Receiver<Event>) -> Flow {
        while self.is_busy() && (self.is_stopping || !self.is_open_ended()) {
            let flow = match events.recv() {
                Ok(Event::Finished(finished)) => self.finish(finished),
                _ => Flow::Quit,
            };
            if flow != Flow::Continue {
                return flow;
            }
        }
        Flow::Continue
    }

    /// Stops what runs, lets it say its last line, and ends the session.
    fn end(mut self, events: &Receiver<Event>) {
        let deadline = Instant::now() + PATIENCE_AT_END;
        self.waiting.clear();
        self.stop();
        while self.is_busy() {
            let left = deadline.saturating_duration_since(Instant::now());
            match events.recv_timeout(left) {
                Ok(Event::Finished(finished)) => {
                    self.finish(finished);
                }
                Ok(_) => {}
                // Dropping the engine would wait for the search.
                Err(_) => std::process::exit(0),
            }
        }
    }

    const fn is_busy(&self) -> bool {
        !matches!(self.activity, Activity::Idle)
    }

    const fn is_open_ended(&self) -> bool {
        matches!(
            self.activity,
            Activity::Search { open_ended: true, .. } | Activity::HeldBookMove(_)
        )
    }

    fn receive(&mut self, line: &str, received: Instant) -> Flow {
        self.received = received;
        self.parts.output.log_input(line);
        Command::parse(line).map_or(Flow::Continue, |command| self.handle(command))
    }

    /// Without input nobody wants a search any more. But `echo go perft 6 | kaiyo` is meant to be
    /// counted to the end, and in a file of commands each one that others follow gets its answer.
    fn end_of_input(&mut self) -> Flow {
        self.input_ended = true;
        self.flow_without_input()
    }

    fn flow_without_input(&mut self) -> Flow {
        if !self.input_ended {
            return Flow::Continue;
        }
        let work_is_waiting = self.waiting.iter().any(Command::has_an_answer);
        if work_is_waiting && self.is_open_ended() {
            self.stop();
        }
        let task_runs = matches!(self.activity, Activity::Task(_));
        if task_runs || work_is_waiting { Flow::Continue } else { Flow::Quit }
    }

    fn search_is_waiting(&self) -> bool {
        self.waiting.iter().any(|command| matches!(command, Command::Go(_)))
    }

    /// Executes a command now, or lets it wait for the end of the search.
    fn handle(&mut self, command: Command) -> Flow {
        let search_is_waiting = self.search_is_waiting();
        match command {
            Command::Quit => return Flow::Quit,
            Command::XBoard if !self.is_busy() => return Flow::XBoard,
            Command::XBoard => self.parts.output.info("xboard: not during a search"),
            // The end is near, and what waits for it may take long.
            Command::IsReady if self.is_stopping && !self.waiting.is_empty() => {
                self.waiting.push_back(command);
            }
            Command::IsReady if self.is_busy() => self.parts.output.line("readyok"),
            Command::Stop => {
                self.stop();
                if search_is_waiting {
                    self.waiting.push_back(command);
                }
            }
            Command::PonderHit if search_is_waiting => self.waiting.push_back(command),
            Command::PonderHit => self.ponderhit(),
            Command::Uci | Command::Debug(_) | Command::Register | Command::Invalid(_) => {
                self.execute_now(command);
            }
            _ if !self.is_busy() => self.execute_now(command),
            _ if command.only_looks() && self.waiting.is_empty() => self.execute_now(command),
            _ => {
                if command.supersedes_search() && self.is_open_ended() {
                    // It would never end, and the client waits for what comes after it.
                    self.stop();
                }
                if self.debug {
                    self.parts.output.info("the command waits for the end of the search");
                }
                self.waiting.push_back(command);
            }
        }
        Flow::Continue
    }

    /// Takes note that the search has ended, and executes what waited for that.
    fn finish(&mut self, finished: Finished) -> Flow {
        self.activity = Activity::Idle;
        self.is_stopping = false;
        self.received = Instant::now();
        if let Some(line) = finished.last_line {
            self.parts.output.line(line);
        }
        if finished.failed {
            self.outcome = self.outcome.max(Outcome::Failure);
        }
        // One of them may start a search; the others then wait again, in their order.
        for command in std::mem::take(&mut self.waiting) {
            let flow = self.handle(command);
            if flow != Flow::Continue {
                return flow;
            }
        }
        self.flow_without_input()
    }

    fn execute_now(&mut self, command: Command) {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => {
                self.parts.engine.prepare();
                if self.parts.settings.needs_policy() {
                    self.parts.policy.prepare();
                }
                self.parts.output.line("readyok");
            }
            Command::NewGame => {
                self.parts.engine.new_game();
                self.parts.policy.new_game();
            }
            Command::Position(request) => self.set_position(&request),
            Command::Go(request) => self.go(&request),
            Command::SetOption(request) => match options::set_option(&mut self.parts, &request) {
                Ok(None) => {}
                Ok(Some(message)) => self.parts.output.info(message),
                Err(message) => self.complain(Outcome::Failure, message),
            },
            Command::Debug(on) => self.debug = on,
            Command::Display => {
                let style = self.parts.settings.fen_style();
                self.parts.output.line(board::describe(self.parts.engine.game(), style));
            }
            Command::Eval => {
                let position = self.parts.engine.game().position();
                self.parts.output.line(self.parts.engine.explain_evaluation(position).trim_end());
            }
            Command::Flip => {
                let flipped = board::flip(self.parts.engine.game().position());
                self.parts.engine.set_game(Game::new(flipped));
            }
            Command::Bench(settings) => self.bench(settings),
            Command::SpeedTest(settings) => self.speed_test(settings),
            Command::ExportNetwork(path) => self.export_network(path),
            Command::Policy(players) => {
                let lines = self.parts.policy.compare(self.parts.engine.game(), &players);
                lines.iter().for_each(|line| self.parts.output.line(line));
            }
            Command::GenFens(request) => self.generate_openings(request),
            Command::Help => self.parts.output.line(about::HELP),
            Command::Compiler => self.parts.output.line(about::compiler()),
            Command::License => self.parts.output.line(about::LICENSE),
            Command::Invalid(fault) => self.complain(Outcome::Misuse, fault),
            Command::Stop
            | Command::PonderHit
            | Command::Register
            | Command::XBoard
            | Command::Quit => {}
        }
    }

    /// Tells what is wrong with a command.
    fn complain(&mut self, outcome: Outcome, message: impl Display) {
        self.parts.output.info(message);
        self.outcome = self.outcome.max(outcome);
    }

    fn introduce(&self) {
        self.parts.output.line(format_args!("id name {}", about::NAME));
        self.parts.output.line(format_args!("id author {}", about::AUTHOR));
        for option in OPTIONS {
            self.parts.output.line(option);
        }
        #[cfg(feature = "tune")]
        for line in super::tuning::option_lines() {
            self.parts.output.line(line);
        }
        self.parts.output.line("uciok");
    }

    fn set_position(&mut self, request: &PositionRequest) {
        let set_up = request.set_up(self.parts.settings.chess960);
        if let Some(fault) = set_up.fault {
            self.complain(Outcome::Misuse, fault);
        }
        if let Some(game) = set_up.game {
            self.parts.engine.set_game(game);
        }
    }

    fn go(&mut self, request: &GoRequest) {
        match request.perft_depth() {
            None => {}
            Some(Ok(depth)) => return self.perft(depth),
            Some(Err(fault)) => return self.complain(Outcome::Misuse, fault),
        }
        let game = self.parts.engine.game().clone();
        let (limits, faults) = request.limits(game.position());
        // A clock has run since the client sent this; other times are meant for the search alone.
        let has_clock = limits.clock[game.position().side_to_move().index()].is_some();
        let received = if has_clock { self.received } else { Instant::now() };
        let limits = Limits { received: Some(received), ..limits };
        for fault in faults {
            self.complain(Outcome::Misuse, fault);
        }
        self.parts.engine.set_contempt(self.parts.settings.contempt_in_use());
        self.activity = Activity::Search {
            open_ended: limits.infinite || limits.ponder,
            open_ended_after_ponderhit: limits.infinite,
        };
        let ponders = limits.ponder;
        self.parts.policy.see_clock(&limits, game.position().side_to_move());
        let from_book = book::may_answer(&self.parts.settings, request, &limits)
            .then(|| self.parts.books.choose(self.parts.settings.book, &game))
            .flatten();
        let reporter = Reporter::new(
            self.parts.output.clone(),
            self.parts.events.clone(),
            self.parts.settings.clone(),
            game,
        );
        match from_book {
            Some(choice) if ponders => {
                self.activity = Activity::HeldBookMove(Box::new((choice, reporter)));
            }
            Some(choice) => self.play_from_book(&choice, reporter),
            None => {
                let Parts { engine, policy, settings, .. } = &mut self.parts;
                launch(engine, policy, settings, limits, reporter);
            }
        }
    }

    /// Answers as a search would. Clients want a score before a best move, and nobody has
    /// searched for one: the game is taken to be even.
    fn play_from_book(&self, choice: &BookChoice, mut reporter: Reporter) {
        self.parts.output.info(&choice.message);
        reporter.iteration(&[Iteration {
            depth: 1,
            selective_depth: 1,
            multi_pv: 1,
            score: Score::DRAW,
            bound: ScoreBound::Exact,
            nodes: 0,
            elapsed: Duration::ZERO,
            hashfull: 0,
            tablebase_hits: 0,
            line: [Some(choice.mv), choice.reply].into_iter().flatten().collect(),
        }]);
        reporter.best_move(&BestMove { best: Some(choice.mv), ponder: choice.reply });
    }

    fn stop(&mut self) {
        self.is_stopping = self.is_busy();
        match &self.activity {
            Activity::Idle => {}
            Activity::Search { .. } => self.parts.engine.stop(),
            Activity::HeldBookMove(_) => self.release_book_move(),
            Activity::Task(stop) => stop.store(true, Ordering::Relaxed),
        }
    }

    fn ponderhit(&mut self) {
        match &mut self.activity {
            Activity::Search { open_ended, open_ended_after_ponderhit } => {
                *open_ended = *open_ended_after_ponderhit;
                self.parts.engine.ponderhit_at(self.received);
            }
            Activity::HeldBookMove(_) => self.release_book_move(),
            Activity::Idle | Activity::Task(_) => {}
        }
    }

    /// Plays the book's move that was held back.
    fn release_book_move(&mut self) {
        let ending = Activity::Search { open_ended: false, open_ended_after_ponderhit: false };
        if let Activity::HeldBookMove(held) = std::mem::replace(&mut self.activity, ending) {
            let (choice, reporter) = *held;
            self.play_from_book(&choice, reporter);
        }
    }

    fn perft(&mut self, depth: u32) {
        let position = *self.parts.engine.game().position();
        let notation = self.parts.settings.castling_notation();
        let output = self.parts.output.clone();
        self.start_task("perft", move |stop| {
            let report = |line: &str| output.line(line);
            let counted = perft::divide(&position, depth, notation, stop, report);
            let shown = counted.map(|counted| format!("\nNodes searched: {}", counted.nodes));
            Ok(Some(shown_or_stopped("perft", shown)))
        });
    }

    fn bench(&mut self, settings: BenchSettings) {
        self.start_task("bench", move |stop| {
            let result = bench::run(settings, stop, |line| tell(format_args!("{line}")))?;
            Ok(Some(shown_or_stopped("bench", result)))
        });
    }

    fn speed_test(&mut self, settings: SpeedTest) {
        self.start_task("speedtest", move |stop| {
            let result = settings.run(stop, |line| tell(format_args!("{line}")))?;
            Ok(Some(shown_or_stopped("speedtest", result)))
        });
    }

    fn export_network(&mut self, path: Option<PathBuf>) {
        let engine = &self.parts.engine;
        let (Some(file), Some(checksum)) = (engine.network_file(), engine.network_checksum())
        else {
            return self.complain(Outcome::Failure, "export_net: no network is in use");
        };
        let path = path.unwrap_or_else(|| format!("kaiyo-{checksum:08x}.nnue").into());
        let name = path.to_string_lossy();
        let name = quote(&name);
        if let Err(fault) = expect_file_to_write(&path) {
            return self.complain(Outcome::Failure, format_args!("export_net: {fault}"));
        }
        match replace_file(&path, |output| Ok(output.write_all(&file)?)) {
            Ok(()) => self.parts.output.info(format_args!("export_net: network is in {name}")),
            Err(error) => self.complain(Outcome::Failure, format_args!("export_net: {error:#}")),
        }
    }

    fn generate_openings(&mut self, request: GenFens) {
        let output = self.parts.output.clone();
        self.start_task("genfens", move |stop| {
            let show = |fen: &str| output.info(format_args!("genfens {fen}"));
            request.run(stop, show)?;
            Ok(None)
        });
    }

    /// Runs `work` on a thread of its own. It returns its last line of output, if it
    /// has one.
    fn start_task(
        &mut self,
        name: &'static str,
        work: impl FnOnce(&AtomicBool) -> Result<Option<String>, Box<dyn Error>> + Send + 'static,
    ) {
        let stop = Arc::new(AtomicBool::new(false));
        let (task_stop, events) = (Arc::clone(&stop), self.parts.events.clone());
        let run = move || {
            let result = work(&task_stop);
            let failed = result.is_err();
            let last_line =
                result.unwrap_or_else(|error| Some(format!("info string {name}: {error}")));
            // Nobody listens any more when the program is about to end.
            let _ = events.send(Event::Finished(Finished { last_line, failed }));
        };
        let thread = thread::Builder::new().name(name.to_owned()).stack_size(TASK_STACK_SIZE);
        match thread.spawn(run) {
            Ok(_) => self.activity = Activity::Task(stop),
            Err(error) => {
                let message = format!("{name}: cannot start a thread: {error}");
                self.complain(Outcome::Failure, message);
            }
        }
    }
}

/// The last line of long work: its result, or that it was stopped.
fn shown_or_stopped(name: &str, result: Option<impl Display>) -> String {
    result.map_or_else(|| format!("info string {name} stopped"), |result| result.to_string())
}

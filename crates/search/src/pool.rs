//! Persistent search threads.

use crate::history::Histories;
use crate::numa::Placement;
use crate::report::{BestMove, SearchListener};
use crate::search::{SearchContext, ThreadMemory, ThreadResult, Worker};
use kaiyo_nnue::Accumulators;
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Stack of a search thread, in bytes: a path of [`crate::MAX_PLY`] nodes with their move lists.
const STACK_SIZE: usize = 16 << 20;

/// What a search takes on each thread besides what the thread keeps, in bytes and with room to
/// spare: its stack of plies, its lines, the network's cache.
const SEARCH_MEMORY: usize = 1 << 20;
/// Threads that start side by side.
const STARTING_AT_ONCE: usize = 8;
/// What must be free before another thread starts, in bytes: its stack, and what all of those that
/// are starting may take, with room to spare. A thread that finds no memory for what the standard
/// library sets up in it would end the program.
const START_MEMORY: usize = STACK_SIZE + STARTING_AT_ONCE * (8 << 20);

/// How long the results of helpers are waited for at most where a clock runs: several of their looks at the
/// signal to stop, so that a thread comes too late only if others have its processor.
const HELPER_PATIENCE: Duration = Duration::from_millis(2);

/// Memory that was had and is given back when it is dropped.
type Reserve = Vec<u8>;

/// What a thread sends when it has started: a reserve of [`SEARCH_MEMORY`], or nothing if there
/// was not enough memory.
type Ready = Option<Reserve>;

/// What a thread is asked to do.
enum Job {
    /// Take part in a search. The thread that gets the listener leads it and reports.
    Search { context: Arc<SearchContext>, lead: Option<Lead> },
    /// Forget what was learnt.
    NewGame,
}

struct Lead {
    listener: Box<dyn SearchListener>,
    busy: Arc<Busy>,
}

/// Whether a search is running, and a way to wait for its end.
#[derive(Default)]
struct Busy {
    running: Mutex<bool>,
    ended: Condvar,
}

impl Busy {
    fn set(&self, running: bool) {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = running;
        self.ended.notify_all();
    }

    fn get(&self) -> bool {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        while *running {
            running = self.ended.wait(running).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

struct Thread {
    jobs: Option<Sender<Job>>,
    handle: Option<JoinHandle<()>>,
}

impl Thread {
    /// Starts a thread. It sends its reserve when it is `ready`, or ends for lack of memory.
    fn spawn(id: usize, placement: &Arc<Placement>, ready: Sender<Ready>) -> io::Result<Self> {
        drop(reserve(START_MEMORY)?);
        let (jobs, inbox) = channel();
        let placement = Arc::clone(placement);
        let handle = std::thread::Builder::new()
            .name(format!("search-{id}"))
            .stack_size(STACK_SIZE)
            .spawn(move || {
                // First, so that memory comes from near by.
                placement.bind(id);
                let memory = thread_memory();
                let _ = ready.send(memory.as_ref().and_then(|_| reserve(SEARCH_MEMORY).ok()));
                drop(ready);
                if let Some(memory) = memory {
                    serve(id, memory, &inbox);
                }
            })?;
        Ok(Self { jobs: Some(jobs), handle: Some(handle) })
    }

    fn send(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // A thread only ends when its inbox is closed, so that this cannot fail.
            let _ = jobs.send(job);
        }
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(handle) = self.handle.take() {
            let _ = handle.join();
        }
    }
}

/// The search threads of an engine. They live as long as the pool and keep their histories.
pub(crate) struct ThreadPool {
    threads: Vec<Thread>,
    placement: Arc<Placement>,
    busy: Arc<Busy>,
}

impl ThreadPool {
    /// Starts `count` threads, each in its place.
    ///
    /// # Errors
    /// The system has no room for so many, or too little memory for what they keep.
    pub fn new(count: usize, placement: Placement) -> io::Result<Self> {
        let placement = Arc::new(placement);
        let (ready, all_ready) = channel();
        let next_ready = || all_ready.recv().ok().flatten().ok_or(io::ErrorKind::OutOfMemory);
        let mut threads = Vec::new();
        // Kept until all threads have started, so that the last of them leaves enough to search.
        let mut reserves = Vec::new();
        for id in 0..count {
            if id >= STARTING_AT_ONCE {
                reserves.push(next_ready()?);
            }
            threads.push(Thread::spawn(id, &placement, ready.clone())?);
        }
        drop(ready);
        while reserves.len() < count {
            reserves.push(next_ready()?);
        }
        Ok(Self { threads, placement, busy: Arc::default() })
    }

    /// Where the threads are.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    pub fn len(&self) -> usize {
        self.threads.len()
    }

    /// Starts a search, for which no other may be running.
    pub fn search(&self, context: &Arc<SearchContext>, listener: Box<dyn SearchListener>) {
        self.busy.set(true);
        let mut lead = Some(Lead { listener, busy: Arc::clone(&self.busy) });
        for thread in self.threads.iter().take(context.counters.len()) {
            thread.send(Job::Search { context: Arc::clone(context), lead: lead.take() });
        }
    }

    /// Lets all threads forget what they learnt.
    pub fn new_game(&self) {
        for thread in &self.threads {
            thread.send(Job::NewGame);
        }
    }

    pub fn is_searching(&self) -> bool {
        self.busy.get()
    }

    pub fn wait(&self) {
        self.busy.wait();
    }
}

/// What a thread keeps, as long as there is memory for it.
fn thread_memory() -> Option<ThreadMemory> {
    Some(ThreadMemory { histories: Histories::try_new()?, accumulators: Accumulators::try_new()? })
}

/// So many bytes, if there are so many.
fn reserve(bytes: usize) -> io::Result<Reserve> {
    let mut reserve = Reserve::new();
    reserve.try_reserve_exact(bytes).map_err(|_| io::ErrorKind::OutOfMemory)?;
    Ok(reserve)
}

/// The life of a thread.
fn serve(id: usize, mut memory: ThreadMemory, inbox: &Receiver<Job>) {
    for job in inbox {
        match job {
            Job::NewGame => memory.histories.clear(),
            Job::Search { context, lead: None } => {
                let result = Worker::new(&context, &mut memory, id).run(None);
                context.add_result(result);
            }
            Job::Search { context, lead: Some(mut lead) } => {
                let best = lead_search(&context, &mut memory, lead.listener.as_mut());
                for fault in context.tablebases.take_faults() {
                    lead.listener.fault(&fault);
                }
                lead.listener.best_move(&best);
                drop(context);
                lead.busy.set(false);
            }
        }
    }
}

/// Searches as the leading thread, collects the results of the others and picks the best.
fn lead_search(
    context: &SearchContext,
    memory: &mut ThreadMemory,
    listener: &mut dyn SearchListener,
) -> BestMove {
    let mut worker = Worker::new(context, memory, 0);
    let own = worker.run(Some(listener));
    let reported = worker.has_reported();
    let listener = worker.into_listener();

    context.control.end();
    let helpers = context.counters.len() - 1;
    let mut results = vec![own];
    // On the clock of a game, a thread that waits for a processor is not waited for.
    let patience = context.budget().soft.map(|_| HELPER_PATIENCE);
    results.extend(context.take_results(helpers, patience));

    // Who asks for a depth, for several lines or for a mate gets what was reported of them.
    let mated = results[0].root_moves.first().is_some_and(|best| best.score.is_mate());
    let decided = context.limits.depth.is_some()
        || context.multi_pv > 1
        || context.limits.mate.is_some() && mated;
    let candidates = if decided { &results[..1] } else { &results[..] };
    let Some(winner) = ThreadResult::vote(candidates) else {
        if let Some(listener) = listener {
            context.report_end_of_game(listener);
        }
        context.control.wait_until_reportable(context.limits.infinite);
        return BestMove { best: None, ponder: None };
    };
    let first = &results[0];
    let unchanged = std::ptr::eq(winner, first) && reported;
    if !unchanged && let Some(listener) = listener {
        context.report_lines(listener, &winner.root_moves, winner.depth.max(1));
    }
    context.control.wait_until_reportable(context.limits.infinite);
    let best = winner.root_moves[0].mv;
    let in_line = winner.root_moves[0].line.get(1).copied();
    let ponder = in_line.or_else(|| context.expected_reply(best));
    BestMove { best: Some(best), ponder }
}

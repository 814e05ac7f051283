//! The facade of the engine.

use crate::control::Control;
use crate::evaluation::{self, Evaluator};
use crate::limits::Limits;
use crate::numa::{NumaPolicy, Placement};
use crate::pool::ThreadPool;
use crate::report::SearchListener;
use crate::search::{SearchContext, SearchRequest};
use crate::table::TranspositionTable;
use crate::tablebases;
use crate::tablebases::{LoadedTablebases, TablebaseCount, TablebaseOptions, TablebaseProbe};
use crate::time::{NodesTime, TimeBudget};
use kaiyo_chess::{Game, Move, Position, quote};
use kaiyo_nnue::{Backend, Network, NetworkError};
use kaiyo_tablebases::Tablebases;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The largest transposition table, in MiB.
pub const MAX_HASH_MIB: usize = 1 << 25;
/// The most search threads.
pub const MAX_THREADS: usize = 1024;
/// The most lines a search reports, more than any position has moves. Clients of Lc0 ask for so many.
pub const MAX_MULTI_PV: usize = 500;

/// Tablebases may take this part of the time for a move to rank the moves of the root by distance, and as much again
/// to rank them by result.
const RANKING_SHARE: u32 = 4;
/// ... and no longer than this, since an analysis shows nothing before.
const LONGEST_RANKING: Duration = Duration::from_secs(3);

/// Why the engine could not do what it was asked. It goes on with its earlier settings.
#[derive(Debug)]
pub enum EngineError {
    /// The memory for a transposition table of this many MiB could not be had.
    OutOfMemory(usize),
    /// This many threads could not be started, for lack of memory or another reason.
    Threads(usize, std::io::Error),
    /// A network file could not be read.
    NetworkFile(PathBuf, std::io::Error),
    /// A file is not a network of this engine.
    Network(PathBuf, NetworkError),
    /// The program was built with a damaged network.
    EmbeddedNetwork(NetworkError),
    /// No tablebase could be had; this says what is wrong.
    Tablebases(String),
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfMemory(mib) => write!(f, "cannot allocate {mib} MiB for the hash table"),
            Self::Threads(count, error) => write!(f, "cannot start {count} threads: {error}"),
            Self::NetworkFile(path, error) => {
                write!(f, "cannot read the network {}: {error}", quote(&path.to_string_lossy()))
            }
            Self::EmbeddedNetwork(error) => write!(f, "the network in the program: {error}"),
            Self::Tablebases(faults) => f.write_str(faults),
            Self::Network(path, error) => {
                let path = path.to_string_lossy();
                write!(f, "{} is no network of this engine: {error}", quote(&path))
            }
        }
    }
}

impl std::error::Error for EngineError {}

fn embedded_network() -> Result<Arc<Network>, EngineError> {
    evaluation::embedded_network().map_err(EngineError::EmbeddedNetwork)
}

/// The bytes of a file; of one that is too long for a network, those that show it.
fn read_network(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(kaiyo_nnue::file::MAX_LEN as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Probabilities of root moves from elsewhere than the search.
#[derive(Clone, Debug, Default)]
pub struct Priors {
    /// Moves with their probabilities.
    pub of_moves: Vec<(Move, f32)>,
    /// Likely moves are looked at first, until the search knows more.
    pub order_moves: bool,
}

/// Positions that a search visited.
#[derive(Clone, Copy, Default)]
struct SpentNodes {
    in_all: u64,
    /// None if it pondered to the end.
    on_clock: Option<u64>,
}

/// A chess engine: a game, options, a transposition table and search threads.
///
/// Methods that take `&mut self` wait for a running search to end first; they do not end it.
pub struct Engine {
    game: Game,
    table: Arc<TranspositionTable>,
    /// Whether the table has been used or cleared: the system finds memory for it only then.
    table_is_ready: bool,
    pool: ThreadPool,
    numa_policy: NumaPolicy,
    /// The running search, or the last one.
    context: Option<Arc<SearchContext>>,
    /// Of the last search, once its context is gone.
    spent: SpentNodes,
    multi_pv: usize,
    move_overhead: Duration,
    ponder: bool,
    contempt: i32,
    nodes_time: NodesTime,
    /// The network in use when networks are.
    network: Option<Arc<Network>>,
    use_network: bool,
    tablebases: Arc<Tablebases>,
    tablebase_options: TablebaseOptions,
}

impl Engine {
    /// An engine with one thread and a table of `hash_mib` MiB, at the start position.
    ///
    /// # Errors
    /// [`EngineError`] when the memory or the thread cannot be had.
    pub fn new(hash_mib: usize) -> Result<Self, EngineError> {
        Ok(Self {
            game: Game::default(),
            table: new_table(hash_mib)?,
            table_is_ready: false,
            pool: new_pool(1, NumaPolicy::default())?,
            numa_policy: NumaPolicy::default(),
            context: None,
            spent: SpentNodes::default(),
            multi_pv: 1,
            move_overhead: Duration::ZERO,
            ponder: false,
            contempt: 0,
            nodes_time: NodesTime::default(),
            network: Some(embedded_network()?),
            use_network: true,
            tablebases: Arc::default(),
            tablebase_options: TablebaseOptions::default(),
        })
    }

    /// Resizes the transposition table, which loses its content.
    ///
    /// # Errors
    /// [`EngineError::OutOfMemory`]; the old table stays in use.
    pub fn set_hash(&mut self, mib: usize) -> Result<(), EngineError> {
        self.wait();
        self.table = new_table(mib.clamp(1, MAX_HASH_MIB))?;
        self.table_is_ready = false;
        self.release_context();
        Ok(())
    }

    /// Sets the number of search threads. What they learnt is forgotten.
    ///
    /// # Errors
    /// [`EngineError::Threads`]; the old threads stay in use.
    pub fn set_threads(&mut self, count: usize) -> Result<(), EngineError> {
        self.wait();
        let count = count.clamp(1, MAX_THREADS);
        if count != self.pool.len() {
            self.pool = new_pool(count, self.numa_policy)?;
        }
        Ok(())
    }

    /// Sets where search threads run. If that moves them, what they learnt is forgotten.
    ///
    /// # Errors
    /// [`EngineError::Threads`]; the old threads stay in use.
    pub fn set_numa_policy(&mut self, policy: NumaPolicy) -> Result<(), EngineError> {
        self.wait();
        let count = self.pool.len();
        if Placement::new(policy, count) != *self.pool.placement() {
            self.pool = new_pool(count, policy)?;
        }
        self.numa_policy = policy;
        Ok(())
    }

    /// Sets the number of best lines to report.
    pub fn set_multi_pv(&mut self, lines: usize) {
        self.wait();
        self.multi_pv = lines.clamp(1, MAX_MULTI_PV);
    }

    /// Sets the time that is lost between a move and the clock, per move.
    pub fn set_move_overhead(&mut self, overhead: Duration) {
        self.wait();
        self.move_overhead = overhead;
    }

    /// Tells whether the client ponders, so that more time may be used.
    pub fn set_ponder(&mut self, ponder: bool) {
        self.wait();
        self.ponder = ponder;
    }

    /// Sets by how many centipawns a draw is worse than equal for the side to move in the
    /// position to search. Searches without end, which analyse, take no notice of it.
    pub fn set_contempt(&mut self, centipawns: i32) {
        self.wait();
        self.contempt = centipawns;
    }

    /// Measures time by nodes, so many for a millisecond, on a clock that is the client's at the
    /// start of a game and runs by nodes from then on. 0 for the time of the world.
    pub fn set_nodes_per_millisecond(&mut self, nodes: u64) {
        self.wait();
        self.nodes_time = NodesTime::new(nodes);
    }

    /// Takes the network in this file, or without a file the one in the program.
    ///
    /// # Errors
    /// [`EngineError::NetworkFile`] and [`EngineError::Network`]; nothing has changed then.
    pub fn load_network(&mut self, path: Option<&Path>) -> Result<(), EngineError> {
        let network = match path {
            None => Some(embedded_network()?),
            Some(path) => {
                let bytes = read_network(path)
                    .map_err(|error| EngineError::NetworkFile(path.to_owned(), error))?;
                let network = Network::from_bytes(&bytes)
                    .map_err(|error| EngineError::Network(path.to_owned(), error))?;
                Some(Arc::new(network))
            }
        };
        self.wait();
        let before = self.network_checksum();
        self.network = network;
        self.release_context();
        self.forget_evaluations_of(before);
        Ok(())
    }

    /// The network in use as a file holds it, if there is one.
    pub fn network_file(&self) -> Option<Vec<u8>> {
        self.network.as_ref().map(|network| kaiyo_nnue::file::to_bytes(network.weights()))
    }

    /// Evaluates by the network, or by classical terms.
    pub fn set_use_network(&mut self, use_network: bool) {
        self.wait();
        let before = self.network_checksum();
        self.use_network = use_network;
        self.forget_evaluations_of(before);
    }

    /// Evaluates networks with other vector instructions than the best ones. Scores stay the
    /// same. Lasts until another network is loaded.
    pub fn set_backend(&mut self, backend: Backend) {
        self.wait();
        if let Some(network) = &self.network {
            self.network = Some(Arc::new(Network::clone(network).with_backend(backend)));
        }
    }

    /// Takes the Syzygy tables in these folders, which stand between separators of the system's search
    /// paths, and no others, and counts them.
    ///
    /// # Errors
    /// [`EngineError::Tablebases`] if there is no table in them; nothing has changed then.
    pub fn load_tablebases(&mut self, folders: &str) -> Result<LoadedTablebases, EngineError> {
        self.wait();
        let (tables, faults) = tablebases::load(folders);
        let count = TablebaseCount::of(&tables);
        if count.is_empty()
            && let Some(faults) = faults
        {
            return Err(EngineError::Tablebases(faults));
        }
        self.tablebases = Arc::new(tables);
        self.release_context();
        self.clear_hash();
        Ok(LoadedTablebases { count, faults })
    }

    /// Sets how tablebases are used.
    pub fn set_tablebase_options(&mut self, options: TablebaseOptions) {
        self.wait();
        if options != self.tablebase_options {
            self.tablebase_options = options;
            self.clear_hash();
        }
    }

    /// How tablebases are used.
    pub const fn tablebase_options(&self) -> TablebaseOptions {
        self.tablebase_options
    }

    /// The checksum of the network that evaluates, if one does.
    pub fn network_checksum(&self) -> Option<u32> {
        let network = self.network.as_deref().filter(|_| self.use_network);
        network.map(Network::checksum)
    }

    /// Forgets everything if it comes from another evaluation.
    fn forget_evaluations_of(&mut self, network_checksum: Option<u32>) {
        if self.network_checksum() != network_checksum {
            self.new_game();
        }
    }

    /// Lets go of the last search, which holds on to a table, a network and tablebases.
    fn release_context(&mut self) {
        if let Some(context) = self.context.take() {
            self.spent = SpentNodes { in_all: context.nodes(), on_clock: context.nodes_on_clock() };
        }
    }

    fn evaluator(&self) -> Evaluator {
        match &self.network {
            Some(network) if self.use_network => Evaluator::Neural(Arc::clone(network)),
            _ => Evaluator::Classical,
        }
    }

    /// Forgets the transposition table.
    pub fn clear_hash(&mut self) {
        self.wait();
        self.table.clear(self.pool.len());
        self.table_is_ready = true;
    }

    /// Has the system find memory for a new table now, so that the first search does not have to wait for it.
    pub fn prepare(&mut self) {
        if !self.table_is_ready {
            self.clear_hash();
        }
    }

    /// Forgets everything learnt in earlier games.
    pub fn new_game(&mut self) {
        self.clear_hash();
        self.pool.new_game();
        self.nodes_time.new_game();
    }

    /// Sets the game whose last position is to be searched.
    pub fn set_game(&mut self, game: Game) {
        self.wait();
        self.game = game;
    }

    /// The game whose last position is to be searched.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Starts a search and returns at once.
    pub fn go(&mut self, limits: Limits, listener: Box<dyn SearchListener>) {
        self.go_with_priors(limits, &Priors::default(), listener);
    }

    /// The same, with probabilities of root moves from elsewhere, which statistics show.
    pub fn go_with_priors(
        &mut self,
        mut limits: Limits,
        priors: &Priors,
        listener: Box<dyn SearchListener>,
    ) {
        self.wait();
        self.release_context();
        let side = self.game.position().side_to_move();
        self.nodes_time.replace_clock(&mut limits, side, self.spent.on_clock);
        let contempt = if limits.infinite { 0 } else { self.contempt };
        let tables = if limits.handicapped { &Arc::default() } else { &self.tablebases };
        let tablebases = TablebaseProbe::new(tables, self.tablebase_options);
        // The nodes of a weaker player are those of one thread: others would make it stronger.
        let threads = if limits.handicapped { 1 } else { self.pool.len() };
        self.table.new_search();
        self.table_is_ready = true;
        let started = limits.received.unwrap_or_else(Instant::now);
        let context = Arc::new(SearchContext::new(SearchRequest {
            control: Arc::new(Control::new(limits.ponder, started)),
            table: Arc::clone(&self.table),
            evaluator: self.evaluator(),
            game: self.game.clone(),
            priors: priors.clone(),
            tablebases,
            ranking_time: self.ranking_time(&limits),
            budget: self.time_budget(&limits),
            nodes_per_millisecond: self.nodes_time.nodes_per_millisecond(),
            contempt,
            multi_pv: limits.lines.unwrap_or(self.multi_pv),
            threads,
            limits,
        }));
        self.pool.search(&context, listener);
        self.context = Some(context);
    }

    /// How long tablebases may take for the distances of the root's moves; as long as they like where nodes are the
    /// clock.
    fn ranking_time(&self, limits: &Limits) -> Option<Duration> {
        let time = self.time_for_move(limits).map(|time| time / RANKING_SHARE);
        let runs_by_nodes = self.nodes_time.nodes_per_millisecond().is_some();
        (!runs_by_nodes).then(|| time.map_or(LONGEST_RANKING, |time| time.min(LONGEST_RANKING)))
    }

    /// How long the search of a move with these limits is meant to take in real time, as far as the clock says.
    /// Where nodes are the clock, it says nothing, so that games do not depend on the machine.
    pub fn time_for_move(&self, limits: &Limits) -> Option<Duration> {
        if self.nodes_time.nodes_per_millisecond().is_some() {
            return None;
        }
        let budget = self.time_budget(limits);
        budget.soft.or(budget.hard)
    }

    /// The time for a move under these limits.
    fn time_budget(&self, limits: &Limits) -> TimeBudget {
        let root = self.game.position();
        TimeBudget::new(
            limits,
            root.side_to_move(),
            root.game_ply(),
            self.move_overhead,
            self.ponder,
        )
    }

    /// Asks a running search to end. It will still report its best move.
    pub fn stop(&self) {
        if let Some(context) = &self.context {
            context.control.stop();
        }
    }

    /// Tells a pondering search that the expected move was played: the clock runs from now.
    pub fn ponderhit(&self) {
        self.ponderhit_at(Instant::now());
    }

    /// The same for a client that told it a while ago.
    pub fn ponderhit_at(&self, told: Instant) {
        if let Some(context) = &self.context {
            context.ponderhit(None, told);
        }
    }

    /// The same for a client that has told the clocks since the search began: the limits of time
    /// of `limits` stand in place of the earlier ones. A clock of nodes goes on by itself.
    pub fn ponderhit_with(&self, limits: &Limits, told: Instant) {
        if let Some(context) = &self.context {
            let runs_by_nodes = self.nodes_time.nodes_per_millisecond().is_some();
            let budget = (!runs_by_nodes).then(|| self.time_budget(limits));
            context.ponderhit(budget, told);
        }
    }

    /// Whether a search is running.
    pub fn is_searching(&self) -> bool {
        self.pool.is_searching()
    }

    /// Waits until no search is running.
    pub fn wait(&self) {
        self.pool.wait();
    }

    /// Positions visited by the running search or the last one.
    pub fn nodes(&self) -> u64 {
        self.context.as_ref().map_or(self.spent.in_all, |context| context.nodes())
    }

    /// The static evaluation of a position in words and numbers, for people.
    pub fn explain_evaluation(&self, position: &Position) -> String {
        self.evaluator().explain(position)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
        self.wait();
    }
}

fn new_pool(threads: usize, policy: NumaPolicy) -> Result<ThreadPool, EngineError> {
    let placement = Placement::new(policy, threads);
    ThreadPool::new(threads, placement).map_err(|error| EngineError::Threads(threads, error))
}

fn new_table(mib: usize) -> Result<Arc<TranspositionTable>, EngineError> {
    let table = TranspositionTable::new(mib).ok_or(EngineError::OutOfMemory(mib))?;
    Ok(Arc::new(table))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{BestMove, Iteration};
    use kaiyo_chess::Position;

    /// A client that listens to nothing.
    struct Nobody;

    impl SearchListener for Nobody {
        fn iteration(&mut self, _: &[Iteration]) {}

        fn best_move(&mut self, _: &BestMove) {}
    }

    #[test]
    fn likely_moves_come_first_if_that_is_wanted() {
        let root = Position::start();
        let rare = root.parse_uci_move("h2h4").unwrap();
        let mut engine = Engine::new(1).unwrap();
        let mut first = |order_moves| {
            let priors = Priors { of_moves: vec![(rare, 0.9)], order_moves };
            engine.set_game(Game::new(root));
            engine.go_with_priors(Limits::depth(1), &priors, Box::new(Nobody));
            engine.wait();
            let moves = &engine.context.as_ref().unwrap().prepared().moves;
            assert!(moves.iter().all(|known| known.prior == (known.mv == rare).then_some(0.9)));
            moves[0].mv
        };
        assert_eq!(first(true), rare);
        assert_ne!(first(false), rare);
    }

    /// A search of some moves does not know what the position is worth.
    #[test]
    fn the_value_of_some_moves_is_not_stored_for_the_position() {
        let fen = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
        let root = Position::from_fen(fen).unwrap();
        let mut engine = Engine::new(1).unwrap();
        engine.set_game(Game::new(root));
        let worst = vec![root.parse_uci_move("h5h7").unwrap()];
        for (search_moves, is_stored) in [(worst, false), (Vec::new(), true)] {
            engine.search(Limits { search_moves, ..Limits::depth(6) });
            let key = engine.context.as_ref().unwrap().table_key(&root);
            assert_eq!(engine.table.probe(key, 0).is_some(), is_stored);
        }
    }
}

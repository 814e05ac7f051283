//! The engine: search, evaluation, transposition table, time management and threads.
//!
//! [`Engine`] is the one door to all of it. It never prints: reports go to a [`SearchListener`].

mod chances;
mod control;
mod correction;
mod depth;
mod engine;
pub mod evaluation;
mod history;
mod limits;
mod numa;
mod parameters;
mod picker;
mod pool;
mod report;
mod score;
mod search;
mod see;
mod table;
mod tablebases;
mod time;
#[cfg(feature = "tune")]
pub mod tuning;
mod waiting;

pub use chances::{Chances, ChancesModel, logistic};
pub use engine::{Engine, EngineError, MAX_HASH_MIB, MAX_MULTI_PV, MAX_THREADS, Priors};
pub use kaiyo_nnue::Backend;
pub use limits::Limits;
pub use numa::NumaPolicy;
pub use report::{BestMove, CurrentMove, Iteration, MoveStatistics, ScoreBound, SearchListener};
pub use score::{MAX_PLY, Score, ScoreKind};
pub use see::see_at_least;
pub use tablebases::{LoadedTablebases, TablebaseCount, TablebaseOptions};
pub use waiting::Found;

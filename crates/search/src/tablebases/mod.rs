//! How the search uses tablebases (<https://www.chessprogramming.org/Syzygy_Bases>).

mod load;
mod rank;

pub(crate) use load::load;
pub use load::{LoadedTablebases, TablebaseCount};
pub(crate) use rank::Rank;

use crate::depth::Depth;
use crate::score::Score;
use kaiyo_chess::{Game, Move, Position};
use kaiyo_tablebases::{MAX_MEN, Tablebases, Wdl};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How tablebases are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TablebaseOptions {
    /// The least depth, in plies, at which positions with the most men allowed are looked up. Those
    /// with fewer men always are.
    pub probe_depth: u32,
    /// Positions with more men are not looked up; 0 for none at all.
    pub probe_limit: u32,
    /// Whether wins and losses that the fifty-move rule prevents are draws.
    pub fifty_move_rule: bool,
}

impl Default for TablebaseOptions {
    fn default() -> Self {
        Self { probe_depth: 1, probe_limit: MAX_MEN as u32, fifty_move_rule: true }
    }
}

/// Lookups of one search.
#[derive(Debug)]
pub(crate) struct TablebaseProbe {
    tables: Arc<Tablebases>,
    options: TablebaseOptions,
    /// The most men of positions that nodes look up.
    men: u32,
}

impl TablebaseProbe {
    /// Lookups in these tables.
    pub fn new(tables: &Arc<Tablebases>, options: TablebaseOptions) -> Self {
        let men = options.probe_limit.min(tables.most_men() as u32);
        Self { tables: Arc::clone(tables), options, men }
    }

    /// What was found wrong with tables.
    pub fn take_faults(&self) -> Vec<String> {
        self.tables.take_faults()
    }

    /// The score of a node after a capture or pawn move, if the tables know it.
    pub fn score_at(&self, position: &Position, ply: usize, depth: Depth) -> Option<Score> {
        let shallow = depth.plies() < self.options.probe_depth as i32;
        if position.halfmove_clock() != 0 || shallow && position.occupied().len() == self.men {
            return None;
        }
        let wdl = self.tables.probe_wdl(position)?;
        Some(score(wdl.under(self.options.fifty_move_rule), ply))
    }

    /// What the tables say about the legal moves of the position a game has come to, if they know all
    /// of them.
    ///
    /// If they know distances, the search need not look further: every move of the best rank is as
    /// good as any, and without tables it finds mates. Without distances, it has to find the way.
    ///
    /// Distances have to be known within `time`, and else results within as much again, or before
    /// the search is stopped.
    pub fn rank_root_moves(
        &self,
        game: &Game,
        moves: &[Move],
        time: Option<Duration>,
        is_stopped: impl Fn() -> bool,
    ) -> RootRanking {
        let root = game.position();
        if root.occupied().len() > self.men || root.castling_rooks().any() || moves.is_empty() {
            return RootRanking { ranks: None, men: self.men };
        }
        let start = Instant::now();
        let is_over =
            |parts: u32| is_stopped() || time.is_some_and(|time| start.elapsed() >= parts * time);
        let (tables, rule) = (&self.tables, self.options.fifty_move_rule);
        if let Some(ranks) = rank::by_distance(tables, game, moves, rule, || is_over(1)) {
            return RootRanking { ranks: Some(ranks), men: 0 };
        }
        let ranks = rank::by_result(tables, game, moves, rule, || is_over(2));
        let is_settled = match &ranks {
            Some(ranks) => ranks.iter().all(|rank| rank.order <= 0),
            // Nodes would wait for the same disk.
            None => is_over(2),
        };
        RootRanking { ranks, men: if is_settled { 0 } else { self.men } }
    }
}

/// What tablebases say about the moves of a root.
pub(crate) struct RootRanking {
    /// A rank for each move, if the tables know all of them.
    pub ranks: Option<Vec<Rank>>,
    /// The most men of positions that nodes are to look up.
    pub men: u32,
}

/// The score of a result `ply` plies from the root, cursed wins and blessed losses being draws.
const fn score(wdl: Wdl, ply: usize) -> Score {
    match wdl {
        Wdl::Win => Score::tablebase_win(ply),
        Wdl::Loss => Score::tablebase_loss(ply),
        Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => Score::DRAW,
    }
}

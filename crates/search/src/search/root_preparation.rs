//! What is found out about the root before its search.

use super::SearchContext;
use super::root_move::RootMove;
use kaiyo_chess::Move;

/// The moves of the root, and how nodes below it may use tablebases.
pub(crate) struct PreparedRoot {
    /// The moves to search, those first that tablebases find best; empty if the game is over.
    pub moves: Vec<RootMove>,
    /// The most men of positions that nodes look up.
    pub tablebase_men: u32,
}

impl PreparedRoot {
    /// Whether there is one move to play, as far as tablebases can tell.
    pub fn has_one_candidate(&self) -> bool {
        self.moves.iter().filter(|mv| mv.has_rank_of(&self.moves[0])).count() == 1
    }
}

impl SearchContext {
    /// The root as it was before the search. The first thread that asks finds it out, and others wait for it: on
    /// slow disks tablebases take their time, which is not to be that of the client.
    pub fn prepared(&self) -> &PreparedRoot {
        self.prepared.get_or_init(|| self.prepare())
    }

    /// The legal moves, as far as the limits allow them, in the order of tablebases and priors.
    fn prepare(&self) -> PreparedRoot {
        let wanted = &self.limits.search_moves;
        let is_wanted = |mv: &Move| wanted.is_empty() || wanted.contains(mv);
        let moves: Vec<Move> = self.root.legal_moves().iter().copied().filter(is_wanted).collect();
        let is_stopped = || self.control.is_stopped();
        let ranking =
            self.tablebases.rank_root_moves(&self.game, &moves, self.ranking_time, is_stopped);
        let rank = |index: usize| ranking.ranks.as_ref()?.get(index).copied();
        let prior = |mv: Move| self.priors.of_moves.iter().find(|prior| prior.0 == mv);
        let root_move = |(index, &mv): (usize, &Move)| {
            RootMove::new(mv, rank(index), prior(mv).map(|prior| prior.1))
        };
        let mut moves: Vec<RootMove> = moves.iter().enumerate().map(root_move).collect();
        if self.priors.order_moves {
            let likelihood = |root_move: &RootMove| root_move.prior.unwrap_or_default();
            moves.sort_by(|a, b| likelihood(b).total_cmp(&likelihood(a)));
        }
        moves.sort_by_key(RootMove::sort_key);
        PreparedRoot { moves, tablebase_men: ranking.men }
    }
}

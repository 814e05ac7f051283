//! One node of the search: the numbers that its steps pass on.

use crate::depth::Depth;
use crate::score::Score;
use crate::table::TableEntry;
use kaiyo_chess::Move;

/// The numbers of a node that its steps pass on.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub ply: usize,
    pub depth: Depth,
    /// Unscaled static evaluation, as the table stores it.
    pub raw: Score,
    pub static_eval: Score,
    /// Centipawns by which histories corrected the static evaluation.
    pub correction: i32,
    /// The static evaluation, improved by the table's score where its bound allows.
    pub estimate: Score,
    pub in_check: bool,
    pub improving: bool,
    pub cut_node: bool,
    pub table_pv: bool,
    pub key: u64,
    pub entry: Option<TableEntry>,
    pub hash_move: Option<Move>,
}

/// One move of a node, as the pruning and reduction rules see it.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub mv: Move,
    /// Its rank among the moves of the node, from 1.
    pub number: i32,
    /// Whether it is neither a capture nor a queen promotion.
    pub quiet: bool,
    /// How it fared in earlier nodes.
    pub history: i32,
    /// Late move reduction by rank and depth alone, in 1/1024 plies.
    pub base_reduction: i32,
}

//! The search of one thread: iterative deepening over alpha-beta with quiescence at the leaves.

mod alpha_beta;
mod context;
mod deepening;
mod extensions;
mod learning;
mod line;
mod margins;
mod mate_line;
mod move_pruning;
mod move_search;
mod node;
mod node_pruning;
mod quiescence;
mod repetition;
mod root_move;
mod root_preparation;
mod sharing;
mod singular;
mod stack;
mod table_look_up;
mod time_check;

pub(crate) use context::{SearchContext, SearchRequest, ThreadResult};
use root_move::RootMove;

use crate::history::{Histories, PieceTo, QuietMade};
use crate::report::SearchListener;
use crate::score::{MAX_PLY, Score};
use kaiyo_chess::{FIFTY_MOVES, Move, Piece, PieceType, Position};
use kaiyo_memory::HugeBox;
use kaiyo_nnue::Accumulators;
use line::LineTable;
use margins::Logarithms;
use stack::Stack;
use std::time::Duration;
use time_check::IterationEnd;

/// How long a search runs before it reports the moves it looks at.
const CURRENT_MOVE_DELAY: Duration = Duration::from_secs(1);

/// What is known about a node at compile time.
pub(crate) trait NodeKind {
    /// Whether the node is searched with an open window.
    const PV: bool;
    /// Whether the node is the root.
    const ROOT: bool;
}

/// The root of the search.
struct Root;
/// A node with an open window.
struct Pv;
/// A node with a null window.
struct NonPv;

impl NodeKind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}
impl NodeKind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}
impl NodeKind for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What a thread keeps from one search to the next.
pub(crate) struct ThreadMemory {
    pub histories: HugeBox<Histories>,
    pub accumulators: Accumulators,
}

/// The state of one thread during one search.
pub(crate) struct Worker<'a> {
    context: &'a SearchContext,
    histories: &'a mut Histories,
    /// Follow the line being searched, if a network evaluates.
    accumulators: &'a mut Accumulators,
    /// Thread number; thread 0 watches the limits and reports.
    id: usize,
    stack: Stack,
    lines: LineTable,
    logarithms: &'static Logarithms,
    /// Keys of all positions before the current one, game and search path.
    keys: Vec<u64>,
    root_moves: Vec<RootMove>,
    /// Positions with more men are not looked up in tablebases; zero without tablebases.
    tablebase_men: u32,
    /// Centipawns that a draw is worse than equal for the side to move at the root.
    contempt: i32,
    /// A mate is searched for that hides from pruning: nothing is pruned, and little reduced.
    full_width: bool,
    /// Sets the table's entries of this kind of search apart.
    key_salt: u64,
    /// Moves put off because another thread is at them, with their numbers: those of all nodes of the path.
    deferred: Vec<(Move, i32)>,
    /// Index of the root move from which on this pass of a multi-PV search looks.
    pv_index: usize,
    root_depth: i32,
    /// The deepest iteration finished.
    completed_depth: i32,
    selective_depth: usize,
    /// No null moves above this ply while one is being verified.
    null_move_min_ply: usize,
    nodes: u64,
    tablebase_hits: u64,
    /// Node count at which limits are looked at again.
    next_check: u64,
    stopped: bool,
    /// Another thread has finished this iteration.
    overtaken: bool,
    /// Of the last iteration, which decides when the opponent moves whether the search goes on.
    iteration_end: Option<IterationEnd>,
    /// Lower bound of the current aspiration window.
    window_alpha: Score,
    listener: Option<&'a mut dyn SearchListener>,
    /// Whether the last report was a finished iteration rather than a bound.
    last_report_is_exact: bool,
    /// When the next current move may be reported.
    next_current_move: Duration,
}

/// A path may be extended up to so many times the depth of the iteration.
const EXTENDED_LENGTH: usize = 2;

impl<'a> Worker<'a> {
    pub fn new(context: &'a SearchContext, memory: &'a mut ThreadMemory, id: usize) -> Self {
        let ThreadMemory { histories, accumulators } = memory;
        accumulators.reset(&context.root);
        let of_game = context.game.keys();
        let mut keys = Vec::with_capacity(of_game.len() + MAX_PLY + 2);
        keys.extend_from_slice(of_game);
        let prepared = context.prepared();
        Self {
            context,
            histories,
            accumulators,
            id,
            stack: Stack::new(),
            lines: LineTable::new(),
            logarithms: &margins::LOGARITHMS,
            keys,
            root_moves: prepared.moves.clone(),
            tablebase_men: prepared.tablebase_men,
            contempt: context.contempt,
            full_width: false,
            key_salt: context.key_salt(),
            deferred: Vec::new(),
            pv_index: 0,
            root_depth: 0,
            completed_depth: 0,
            selective_depth: 0,
            null_move_min_ply: 0,
            nodes: 0,
            tablebase_hits: 0,
            next_check: 0,
            stopped: false,
            overtaken: false,
            iteration_end: None,
            window_alpha: -Score::INFINITE,
            listener: None,
            last_report_is_exact: false,
            next_current_move: CURRENT_MOVE_DELAY,
        }
    }

    /// The key under which this search stores a position.
    #[inline(always)]
    fn table_key(&self, position: &Position) -> u64 {
        table_key(position) ^ self.key_salt
    }

    /// Goes on in full width. Its results are kept apart from those that pruning may have falsified.
    fn search_in_full_width(&mut self) {
        self.full_width = true;
        self.key_salt ^= FULL_WIDTH_SALT;
    }

    /// The static evaluation before the fifty-move clock is taken into account.
    #[inline]
    fn raw_evaluation(&mut self, position: &Position) -> Score {
        self.context.evaluator.evaluate(self.accumulators, position)
    }

    /// The score of a node for which the stack has no room.
    #[cold]
    fn evaluation_at_the_end(&mut self, position: &Position, ply: usize) -> Score {
        let raw = self.raw_evaluation(position);
        if position.in_check() { Score::DRAW } else { self.adjust_evaluation(raw, position, ply) }
    }

    /// The evaluation drawn towards zero as the fifty-move clock runs, and corrected by what
    /// searches of similar positions found.
    #[inline(always)]
    fn adjust_evaluation(&self, raw: Score, position: &Position, ply: usize) -> Score {
        corrected(raw, position, self.correction(position, ply))
    }

    /// Centipawns by which searches of similar positions found the evaluation to err.
    #[inline(always)]
    fn correction(&self, position: &Position, ply: usize) -> i32 {
        self.histories.corrections.centipawns(position, &self.stack.recent_moves(ply))
    }

    /// Whether a path of this length may still be extended: without a limit, sequences of forcing
    /// moves would never end.
    #[inline(always)]
    const fn may_extend(&self, ply: usize) -> bool {
        ply < EXTENDED_LENGTH * self.root_depth as usize
    }

    /// Steps down to the position after `mv`.
    #[inline(always)]
    fn make(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        let moved = position.piece_on(mv.from()).map(Piece::piece_type);
        let resets_clock = mv.is_capture() || moved == Some(PieceType::Pawn);
        let clock = if resets_clock { 0 } else { position.halfmove_clock().saturating_add(1) };
        self.context.table.prefetch(mix_clock(position.key_after(mv), clock) ^ self.key_salt);
        let since_null = self.stack.at(ply).plies_since_null;
        let frame = self.stack.at_mut(ply);
        frame.mv = Some(mv);
        frame.quiet = QuietMade::new(position, mv);
        frame.reduction = 0;
        frame.moved = PieceTo::of_move(position, mv);
        self.stack.at_mut(ply + 1).plies_since_null = since_null.saturating_add(1);
        self.keys.push(position.key());
        if self.context.evaluator.needs_accumulators() {
            self.accumulators.push(position, mv);
        }
        let mut next = *position;
        next.make_in_place(mv);
        next
    }

    /// Steps down to the position after passing the turn.
    fn make_null(&mut self, position: &Position, ply: usize) -> Position {
        let frame = self.stack.at_mut(ply);
        frame.mv = None;
        frame.quiet = None;
        frame.reduction = 0;
        frame.moved = PieceTo::NONE;
        self.stack.at_mut(ply + 1).plies_since_null = 0;
        self.keys.push(position.key());
        if self.context.evaluator.needs_accumulators() {
            self.accumulators.push_null();
        }
        let next = position.make_null();
        self.context.table.prefetch(self.table_key(&next));
        next
    }

    /// Steps back up after [`Self::make`] or [`Self::make_null`].
    #[inline(always)]
    fn unmake(&mut self) {
        self.keys.pop();
        if self.context.evaluator.needs_accumulators() {
            self.accumulators.pop();
        }
    }
}

/// The fifty-move clock at which an evaluation would be drawn to zero: at the end of it half is left.
const CLOCK_UNIT: i32 = 200;

/// The evaluation drawn towards zero as the fifty-move clock runs, and corrected.
#[inline(always)]
fn corrected(raw: Score, position: &Position, correction: i32) -> Score {
    let clock = i32::from(position.halfmove_clock().min(FIFTY_MOVES));
    Score::centipawns(raw.value() * (CLOCK_UNIT - clock) / CLOCK_UNIT + correction)
}

/// Sets the entries of full-width searches for mates apart.
const FULL_WIDTH_SALT: u64 = 0x6a09_e667_f3bc_c908;

/// The key under which a position is stored, but for what sets kinds of searches apart.
#[inline(always)]
fn table_key(position: &Position) -> u64 {
    mix_clock(position.key(), position.halfmove_clock())
}

/// High fifty-move clocks change what a position is worth, so they select other entries: in steps of
/// eight half-moves, and each its own where the draw is near.
#[inline(always)]
fn mix_clock(key: u64, clock: u16) -> u64 {
    const FIRST_CLOCK_THAT_MATTERS: u16 = 24;
    const FIRST_EXACT_CLOCK: u16 = 80;
    let class = match clock {
        ..FIRST_CLOCK_THAT_MATTERS => return key,
        FIRST_CLOCK_THAT_MATTERS..FIRST_EXACT_CLOCK => clock / 8,
        _ => clock,
    };
    key ^ u64::from(class).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

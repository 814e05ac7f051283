//! How threads divide the work of an iteration.
//!
//! A move that another thread is searching at the same node is put off until the others are done, when
//! the hash table knows its result (Tom Kerrigan's simplification of
//! <https://www.chessprogramming.org/ABDADA>). The first thread that finishes an iteration finishes it for
//! all: the others go on from its result.

use super::RootMove;
use super::Worker;
use super::node::Node;
use crate::depth::Depth;
use crate::parameters::sharing_min_depth;
use kaiyo_chess::Move;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Groups of marks, one cache line each: far more than there are nodes on the paths of all threads.
const GROUPS: usize = 4096;
const MARKS_PER_GROUP: usize = 8;

/// One move at one node, as the threads tell each other: never zero but by chance, which only loses a mark.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark(u64);

#[repr(align(64))]
struct Group([AtomicU64; MARKS_PER_GROUP]);

/// The moves that threads are searching. Lost marks and stale ones cost a little time, nothing else.
pub(crate) struct MovesInProgress(Box<[Group]>);

impl MovesInProgress {
    /// For that many threads, of which a single one has nobody to tell.
    pub fn new(threads: usize) -> Self {
        let groups = if threads > 1 { GROUPS } else { 0 };
        Self((0..groups).map(|_| Group([const { AtomicU64::new(0) }; MARKS_PER_GROUP])).collect())
    }

    fn is_shared(&self) -> bool {
        !self.0.is_empty()
    }

    fn group(&self, mark: Mark) -> &[AtomicU64; MARKS_PER_GROUP] {
        &self.0[mark.0 as usize % GROUPS].0
    }

    fn contains(&self, mark: Mark) -> bool {
        self.group(mark).iter().any(|slot| slot.load(Relaxed) == mark.0)
    }

    fn insert(&self, mark: Mark) {
        let group = self.group(mark);
        let free = group.iter().find(|slot| slot.load(Relaxed) == 0);
        free.unwrap_or(&group[0]).store(mark.0, Relaxed);
    }

    fn remove(&self, mark: Mark) {
        if let Some(slot) = self.group(mark).iter().find(|slot| slot.load(Relaxed) == mark.0) {
            slot.store(0, Relaxed);
        }
    }
}

/// The deepest iteration that any thread has finished.
#[derive(Default)]
pub(crate) struct FinishedIterations {
    shared: bool,
    depth: AtomicI32,
    root_moves: Mutex<Vec<RootMove>>,
}

impl FinishedIterations {
    /// Whether threads go on from each other's iterations. Those of a search for a mate may begin anew.
    pub fn new(shared: bool) -> Self {
        Self { shared, ..Self::default() }
    }

    /// The depth of the deepest one.
    pub fn depth(&self) -> i32 {
        self.depth.load(Relaxed)
    }

    /// Hands in a finished iteration, unless another thread was sooner.
    pub fn add(&self, depth: i32, root_moves: &[RootMove]) {
        if !self.shared {
            return;
        }
        let mut known = self.root_moves.lock().unwrap_or_else(PoisonError::into_inner);
        if depth > self.depth() {
            known.clear();
            known.extend_from_slice(root_moves);
            self.depth.store(depth, Relaxed);
        }
    }

    /// The deepest one and its root moves.
    pub fn get(&self) -> (i32, Vec<RootMove>) {
        let known = self.root_moves.lock().unwrap_or_else(PoisonError::into_inner);
        (self.depth(), known.clone())
    }
}

impl Worker<'_> {
    /// The mark of the `number`th move at a node, if threads tell each other of it. All search the first
    /// move, without whose result there is no bound for the rest; and at a cut node every move is likely
    /// to make the next one needless.
    #[inline(always)]
    pub(super) fn mark(
        &self,
        node: &Node,
        mv: Move,
        number: i32,
        excluded: Option<Move>,
    ) -> Option<Mark> {
        let shared = number > 1
            && !node.cut_node
            && node.depth >= Depth::new(sharing_min_depth())
            && self.context.in_progress.is_shared();
        shared.then(|| {
            let code = |mv: Move| u64::from(mv.bits()) + 1;
            let moves = code(mv) | excluded.map_or(0, code) << 20;
            Mark((node.key ^ moves.wrapping_mul(0x9e37_79b9_7f4a_7c15)).rotate_left(20))
        })
    }

    /// Goes on from the deepest iteration that another thread has finished, and returns its depth.
    pub(super) fn take_over_iteration(&mut self) -> i32 {
        let (depth, mut root_moves) = self.context.iterations.get();
        for root_move in &mut root_moves {
            let own = self.root_moves.iter().find(|own| own.mv == root_move.mv);
            root_move.nodes = own.map_or(0, |own| own.nodes);
        }
        self.root_moves = root_moves;
        self.overtaken = false;
        self.stopped = false;
        depth
    }

    #[inline(always)]
    pub(super) fn is_in_progress(&self, mark: Option<Mark>) -> bool {
        mark.is_some_and(|mark| self.context.in_progress.contains(mark))
    }

    #[inline(always)]
    pub(super) fn begin_move(&self, mark: Option<Mark>) {
        if let Some(mark) = mark {
            self.context.in_progress.insert(mark);
        }
    }

    #[inline(always)]
    pub(super) fn end_move(&self, mark: Option<Mark>) {
        if let Some(mark) = mark {
            self.context.in_progress.remove(mark);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stay_until_they_are_taken_back() {
        let moves = MovesInProgress::new(2);
        let marks = [1, 1 + GROUPS as u64, 7].map(Mark);
        marks.iter().for_each(|&mark| moves.insert(mark));
        assert!(marks.iter().all(|&mark| moves.contains(mark)));
        moves.remove(marks[0]);
        assert_eq!(marks.map(|mark| moves.contains(mark)), [false, true, true]);
        moves.remove(marks[0]);
        assert!(moves.contains(marks[1]), "only the mark itself is taken back");
    }

    #[test]
    fn a_full_group_keeps_the_last_mark() {
        let moves = MovesInProgress::new(2);
        let marks = (1..=20).map(|number| Mark(number * GROUPS as u64));
        for mark in marks {
            moves.insert(mark);
            assert!(moves.contains(mark));
        }
    }

    #[test]
    fn the_soonest_thread_finishes_an_iteration_for_all() {
        let position = kaiyo_chess::Position::start();
        let moves: Vec<_> = position.legal_moves().iter().copied().collect();
        let result = |index: usize| [RootMove::new(moves[index], None, None)];
        let iterations = FinishedIterations::new(true);
        iterations.add(3, &result(0));
        iterations.add(3, &result(1));
        iterations.add(2, &result(2));
        let (depth, root_moves) = iterations.get();
        assert_eq!((depth, root_moves[0].mv), (3, moves[0]));
        iterations.add(4, &result(3));
        assert_eq!(iterations.get().1[0].mv, moves[3]);

        let apart = FinishedIterations::new(false);
        apart.add(3, &result(0));
        assert_eq!(apart.depth(), 0);
    }
}

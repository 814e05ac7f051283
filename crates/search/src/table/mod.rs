//! The transposition table: a lock-free hash table of searched positions.
//!
//! Threads read and write it without locks. An entry is a word of data and sixteen bits of the key, XORed
//! with those of the data, so that an entry torn by two writers matches a key no more often than one of
//! another position does (Hyatt and Mann, "A lock-less transposition table", 2002). With a full table that
//! is one probe in ten thousand: whoever uses an entry must bear that, and not play its move unseen.

mod entry;

pub(crate) use entry::{Bound, TableEntry};

use crate::depth::Depth;
use crate::score::Score;
use entry::Packed;
use kaiyo_chess::Move;
use kaiyo_memory::{HugeSlice, Zeroable};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64, Ordering::Relaxed};

/// Entries that share a cache line.
const ENTRIES_PER_CLUSTER: usize = 6;
/// Stack of the threads that clear the table, in bytes.
const CLEARING_STACK_SIZE: usize = 64 << 10;
/// Clusters looked at to estimate the use of the table.
const HASHFULL_SAMPLE: usize = 250;
/// Plies of depth that one generation of age outweighs when an entry is replaced.
const AGE_WEIGHT: i32 = 4;
/// A new bound of the same position replaces a deeper one of at most this many plies more.
const SAME_POSITION_DEPTH_MARGIN: i32 = 4;

/// One cache line of entries. `checks` are the low bits of the position keys XOR [`Packed::fold`].
#[repr(align(64))]
pub(crate) struct Cluster {
    data: [AtomicU64; ENTRIES_PER_CLUSTER],
    checks: [AtomicU16; ENTRIES_PER_CLUSTER],
}

impl Cluster {
    /// The entry of a slot, and the low bits of its position's key.
    #[inline(always)]
    fn load(&self, slot: usize) -> (u16, Packed) {
        let packed = Packed(self.data[slot].load(Relaxed));
        (self.checks[slot].load(Relaxed) ^ packed.fold(), packed)
    }

    #[inline(always)]
    fn store(&self, slot: usize, key: u64, packed: Packed) {
        self.data[slot].store(packed.0, Relaxed);
        self.checks[slot].store(key as u16 ^ packed.fold(), Relaxed);
    }

    fn clear(&self) {
        for slot in 0..ENTRIES_PER_CLUSTER {
            self.data[slot].store(0, Relaxed);
            self.checks[slot].store(0, Relaxed);
        }
    }
}

// SAFETY: nothing but atomic integers.
unsafe impl Zeroable for Cluster {}

/// What a search stores about a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewEntry {
    pub depth: Depth,
    pub score: Score,
    pub static_eval: Score,
    pub bound: Bound,
    pub mv: Option<Move>,
    /// Whether the node is or was part of a principal variation.
    pub pv: bool,
    pub ply: usize,
}

/// A hash table from position keys to search results.
pub(crate) struct TranspositionTable {
    clusters: HugeSlice<Cluster>,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// A table of about `mib` MiB, or `None` if there is no memory for it.
    pub fn new(mib: usize) -> Option<Self> {
        Self::with_clusters(mib.checked_mul(1 << 20)? / size_of::<Cluster>())
    }

    fn with_clusters(count: usize) -> Option<Self> {
        Some(Self { clusters: HugeSlice::try_zeroed(count.max(1))?, generation: AtomicU8::new(0) })
    }

    /// Forgets everything, with `threads` threads at work.
    pub fn clear(&self, threads: usize) {
        let clusters = &*self.clusters;
        let chunk = clusters.len().div_ceil(threads.max(1));
        std::thread::scope(|scope| {
            for part in clusters.chunks(chunk) {
                let clear = move || part.iter().for_each(Cluster::clear);
                // Where the system has no thread left, this one does the work.
                let thread = std::thread::Builder::new().stack_size(CLEARING_STACK_SIZE);
                if thread.spawn_scoped(scope, clear).is_err() {
                    clear();
                }
            }
        });
        self.generation.store(0, Relaxed);
    }

    /// Marks the start of a search, so that entries of earlier ones are replaced first.
    pub fn new_search(&self) {
        let next = (self.generation.load(Relaxed) + 1) & Packed::GENERATION_MASK;
        self.generation.store(next, Relaxed);
    }

    /// Reads the cluster of a key into the cache.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let cluster: *const Cluster = self.cluster(key);
            // SAFETY: the pointer comes from a reference, and prefetching has no other effect.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(cluster.cast()) };
        }
        #[cfg(target_arch = "aarch64")]
        {
            let cluster: *const Cluster = self.cluster(key);
            // SAFETY: the pointer comes from a reference, and prefetching has no other effect.
            unsafe {
                core::arch::asm!("prfm pldl1keep, [{0}]", in(reg) cluster,
                    options(readonly, nostack, preserves_flags));
            };
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let _ = key;
    }

    /// What is stored about the position with this key, seen from `ply` plies below the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<TableEntry> {
        let cluster = self.cluster(key);
        for slot in 0..ENTRIES_PER_CLUSTER {
            let (stored_key, packed) = cluster.load(slot);
            if stored_key == key as u16
                && let Some(entry) = packed.unpack(ply)
            {
                return Some(entry);
            }
        }
        None
    }

    /// Stores a result, over an entry of the same position or over the least valuable one.
    pub fn store(&self, key: u64, new: NewEntry) {
        let generation = self.generation.load(Relaxed);
        let cluster = self.cluster(key);
        let mut target = 0;
        let mut lowest = i32::MAX;
        let mut mv = new.mv;
        for slot in 0..ENTRIES_PER_CLUSTER {
            let (stored_key, packed) = cluster.load(slot);
            if packed.is_empty() || stored_key == key as u16 {
                target = slot;
                if !packed.is_empty() {
                    let current = packed.generation() == generation;
                    let deeper = packed.depth() > new.depth + SAME_POSITION_DEPTH_MARGIN;
                    if current && deeper && new.bound != Bound::Exact {
                        return;
                    }
                    // A known move beats none.
                    mv = mv.or(packed.mv());
                }
                break;
            }
            let age = i32::from(packed.age(generation));
            let value = packed.depth().plies() - AGE_WEIGHT * age;
            if value < lowest {
                lowest = value;
                target = slot;
            }
        }
        cluster.store(target, key, Packed::pack(&NewEntry { mv, ..new }, generation));
    }

    /// Per mille of the slots written in the current search.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Relaxed);
        let clusters = &*self.clusters;
        let sample = &clusters[..HASHFULL_SAMPLE.min(clusters.len())];
        let used = sample
            .iter()
            .flat_map(|cluster| (0..ENTRIES_PER_CLUSTER).map(|slot| cluster.load(slot).1))
            .filter(|packed| !packed.is_empty() && packed.generation() == generation)
            .count();
        (used * 1000 / (sample.len() * ENTRIES_PER_CLUSTER)) as u32
    }

    /// The cluster of a key: its high bits scaled to the number of clusters
    /// (<https://lemire.me/blog/2016/06/27/a-fast-alternative-to-the-modulo-reduction/>).
    #[inline(always)]
    fn cluster(&self, key: u64) -> &Cluster {
        let clusters = &*self.clusters;
        let index = ((u128::from(key) * clusters.len() as u128) >> 64) as usize;
        // SAFETY: key / 2^64 < 1, so the index is below the length.
        unsafe { clusters.get_unchecked(index) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiyo_chess::{MoveFlag, Square};

    /// Twice as many as find room.
    const KEYS_PER_CLUSTER: u64 = 2 * ENTRIES_PER_CLUSTER as u64;

    fn entry(depth: i32, bound: Bound) -> NewEntry {
        NewEntry {
            depth: Depth::new(depth),
            score: Score::centipawns(-37),
            static_eval: Score::centipawns(12),
            bound,
            mv: Some(Move::new(Square::E2, Square::E4, MoveFlag::DoublePush)),
            pv: true,
            ply: 3,
        }
    }

    /// Miri, which interprets, takes long for many clusters.
    fn small_table() -> TranspositionTable {
        TranspositionTable::with_clusters(if cfg!(miri) { 64 } else { 1 << 14 }).unwrap()
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = small_table();
        assert!(table.probe(77, 3).is_none());
        table.store(77, entry(9, Bound::Lower));
        let found = table.probe(77, 3).unwrap();
        assert_eq!(found.depth, Depth::new(9));
        assert_eq!(found.score, Score::centipawns(-37));
        assert_eq!(found.static_eval, Some(Score::centipawns(12)));
        assert_eq!(found.bound, Bound::Lower);
        assert!(found.pv);
        assert_eq!(found.mv, entry(9, Bound::Lower).mv);
        table.clear(2);
        assert!(table.probe(77, 3).is_none());
    }

    #[test]
    fn mate_scores_follow_the_ply() {
        let table = small_table();
        let mate = NewEntry { score: Score::mate_in(10), ply: 4, ..entry(5, Bound::Exact) };
        table.store(1, mate);
        assert_eq!(table.probe(1, 4).unwrap().score, Score::mate_in(10));
        assert_eq!(table.probe(1, 2).unwrap().score, Score::mate_in(8));
    }

    #[test]
    fn a_result_without_a_move_keeps_the_old_move() {
        let table = small_table();
        table.store(5, entry(4, Bound::Lower));
        table.store(5, NewEntry { mv: None, ..entry(6, Bound::Upper) });
        let found = table.probe(5, 3).unwrap();
        assert_eq!(found.depth, Depth::new(6));
        assert_eq!(found.mv, entry(4, Bound::Lower).mv);
    }

    #[test]
    fn a_much_shallower_bound_does_not_replace_a_deep_one() {
        let table = small_table();
        table.store(5, entry(20, Bound::Lower));
        table.store(5, entry(3, Bound::Upper));
        assert_eq!(table.probe(5, 3).unwrap().depth, Depth::new(20));
        table.new_search();
        table.store(5, entry(3, Bound::Upper));
        assert_eq!(table.probe(5, 3).unwrap().depth, Depth::new(3));
    }

    #[test]
    fn old_and_shallow_entries_go_first() {
        let table = small_table();
        // Small keys share cluster 0.
        for (key, depth) in [(1, 8), (2, 3), (3, 9), (4, 7), (5, 8), (6, 4)] {
            table.store(key, entry(depth, Bound::Lower));
        }
        table.store(7, entry(1, Bound::Lower));
        assert!(table.probe(2, 0).is_none(), "the shallowest entry is replaced");
        for key in [1, 3, 4, 5, 6, 7] {
            assert!(table.probe(key, 0).is_some());
        }
    }

    #[test]
    fn torn_entries_match_no_key() {
        let table = small_table();
        table.store(9, entry(4, Bound::Exact));
        table.clusters[0].data[0].fetch_xor(1 << 40, Relaxed);
        assert!(table.probe(9, 0).is_none());
    }

    #[test]
    fn threads_that_write_at_once_leave_nothing_false() {
        let table = small_table();
        // Few clusters and keys, so that the threads are always in each other's way, and entries that
        // tell their key.
        let clusters: u64 = if cfg!(miri) { 1 } else { 4 };
        let keys: Vec<u64> = (0..clusters * KEYS_PER_CLUSTER)
            .map(|number| {
                let low = (number / clusters + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48;
                (number % clusters) << 62 | low
            })
            .collect();
        let new_entry = |key: u64| NewEntry {
            score: Score::centipawns((key % 9973) as i32 - 5000),
            depth: Depth::new((key % 60) as i32 + 1),
            ply: 0,
            ..entry(1, Bound::Exact)
        };
        // One half written entry in 65,536 passes for a whole one. With these keys none does.
        let generation = table.generation.load(Relaxed);
        let fold = |key: u64| Packed::pack(&new_entry(key), generation).fold();
        for cluster in 0..clusters {
            let keys: Vec<u64> = keys.iter().copied().filter(|key| key >> 62 == cluster).collect();
            for (&check, &data) in keys.iter().flat_map(|a| keys.iter().map(move |b| (a, b))) {
                let passes_for = check as u16 ^ fold(check) ^ fold(data);
                assert!(keys.iter().all(|&key| key == data || key as u16 != passes_for));
            }
        }
        let rounds = if cfg!(miri) { 300 } else { 200_000 };
        std::thread::scope(|scope| {
            for thread in 0..4_u64 {
                let (table, keys) = (&table, &keys);
                scope.spawn(move || {
                    let mut number = thread;
                    for _ in 0..rounds {
                        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        let key = keys[(number >> 33) as usize % keys.len()];
                        let new = new_entry(key);
                        let expected = (new.score, new.depth);
                        table.store(key, new);
                        if let Some(found) = table.probe(key, 0) {
                            assert_eq!((found.score, found.depth), expected);
                        }
                    }
                });
            }
        });
    }

    #[test]
    fn hashfull_counts_the_current_search() {
        let table = small_table();
        let clusters = table.clusters.len() as u64;
        for index in 0..clusters {
            let key = index * (u64::MAX / clusters) + u64::MAX / clusters / 2;
            table.store(key, entry(2, Bound::Lower));
        }
        assert_eq!(table.hashfull(), 166, "one slot of six in every cluster");
        table.new_search();
        assert_eq!(table.hashfull(), 0);
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri ends where memory is refused")]
    fn impossible_sizes_are_refused() {
        assert!(TranspositionTable::new(usize::MAX).is_none());
        assert!(TranspositionTable::new(1 << 40).is_none());
    }
}

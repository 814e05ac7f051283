//! Batches, and the order in which they pass.
//!
//! A batch is sorted by the number of men, which also sorts it by output bucket, and cut into
//! groups of [`GROUP`] positions of one bucket, the last group of a bucket filled up with empty
//! positions. A group passes the dense layers together.

use super::record::{Features, Record};
use crate::random::sequence;
use kaiyo_nnue::features::{
    BUCKET_FEATURES, FEATURES, KING_BUCKETS, MAX_ACTIVE, OUTPUT_BUCKETS, output_bucket,
};

/// Positions that pass the dense layers together.
pub const GROUP: usize = 16;
/// Neighbours in memory that stay together when the order of an epoch is drawn.
const BLOCK: usize = 64;

/// What one side sees of all slots of a batch, sorted by its king bucket: the rows of one bucket
/// in one tile nearly fit the first-level cache.
///
/// All features are below [`FEATURES`], which the transformer relies on.
#[derive(Default)]
pub struct SideView {
    features: Vec<[u16; MAX_ACTIVE]>,
    men: Vec<u8>,
    slots: Vec<u32>,
}

impl SideView {
    /// Sorts by king bucket, and within it by slot.
    fn fill(&mut self, features: &[Features], side: usize, men: &[u8]) {
        let active = |slot: usize| &features[slot][side][..usize::from(men[slot])];
        let bucket = |slot: usize| {
            active(slot).first().map_or(0, |&feature| usize::from(feature) / BUCKET_FEATURES)
        };
        let mut places = [0; KING_BUCKETS + 1];
        for slot in 0..men.len() {
            assert!(active(slot).iter().all(|&feature| usize::from(feature) < FEATURES));
            places[bucket(slot) + 1] += 1;
        }
        for bucket in 0..KING_BUCKETS {
            places[bucket + 1] += places[bucket];
        }
        self.features.resize(men.len(), [0; MAX_ACTIVE]);
        self.men.resize(men.len(), 0);
        self.slots.resize(men.len(), 0);
        for (slot, features) in features.iter().enumerate() {
            let place = &mut places[bucket(slot)];
            self.features[*place] = features[side];
            self.men[*place] = men[slot];
            self.slots[*place] = slot as u32;
            *place += 1;
        }
    }

    /// All slots with their features.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = (usize, &[u16])> {
        let lists = self.features.iter().zip(&self.men);
        let lists = lists.map(|(list, &men)| &list[..usize::from(men)]);
        self.slots.iter().map(|&slot| slot as usize).zip(lists)
    }

    /// The slot at a place of [`Self::iter`].
    #[inline(always)]
    pub fn slot(&self, place: usize) -> Option<usize> {
        self.slots.get(place).map(|&slot| slot as usize)
    }
}

/// Positions ready for a step. A slot is a place for a position or an empty one.
#[derive(Default)]
pub struct Batch {
    /// What the side to move sees, and what the other one.
    pub sides: [SideView; 2],
    /// Features of each slot, before they are sorted.
    features: Vec<Features>,
    /// Men of each slot; none in an empty one.
    pub men: Vec<u8>,
    /// Expected score of each slot.
    pub targets: Vec<f32>,
    /// Output bucket of each group.
    pub buckets: Vec<u8>,
    /// Which of the records each slot holds; [`Batch::EMPTY`] in an empty one.
    pub places: Vec<u32>,
    /// Number of positions.
    pub positions: usize,
}

impl Batch {
    /// The place of empty slots.
    pub const EMPTY: u32 = u32::MAX;

    /// Fills the batch with records. `target` gives the expected score of a record.
    pub fn fill<'a>(
        &mut self,
        records: impl Iterator<Item = &'a Record> + Clone,
        target: impl Fn(&Record) -> f32,
    ) {
        let mut counts = [0_usize; MAX_ACTIVE + 1];
        for record in records.clone() {
            counts[men(record)] += 1;
        }
        self.positions = counts.iter().sum();
        self.buckets.clear();
        // Where the next record with so many men goes.
        let mut slots = [0; MAX_ACTIVE + 1];
        let mut slot: usize = 0;
        for bucket in 0..OUTPUT_BUCKETS {
            for men in (0..=MAX_ACTIVE).filter(|&men| output_bucket(men as u32) == bucket) {
                slots[men] = slot;
                slot += counts[men];
            }
            slot = slot.next_multiple_of(GROUP);
            self.buckets.resize(slot / GROUP, bucket as u8);
        }
        self.features.resize(slot, [[0; MAX_ACTIVE]; 2]);
        self.men.clear();
        self.men.resize(slot, 0);
        self.targets.clear();
        self.targets.resize(slot, 0.5);
        self.places.clear();
        self.places.resize(slot, Self::EMPTY);
        for (place, record) in records.enumerate() {
            let men = men(record);
            let slot = slots[men];
            slots[men] += 1;
            record.features(&mut self.features[slot]);
            self.men[slot] = men as u8;
            self.targets[slot] = target(record);
            self.places[slot] = place as u32;
        }
        for (side, view) in self.sides.iter_mut().enumerate() {
            view.fill(&self.features, side, &self.men);
        }
    }

    /// Number of slots, empty ones included.
    pub const fn slots(&self) -> usize {
        self.men.len()
    }

    /// Number of groups.
    pub const fn groups(&self) -> usize {
        self.buckets.len()
    }
}

fn men(record: &Record) -> usize {
    (record.men() as usize).min(MAX_ACTIVE)
}

/// The order of the records in one epoch: blocks of neighbours in a random order, beginning at a
/// random record, so that blocks are cut differently each time. The records themselves were
/// shuffled once.
pub struct EpochOrder {
    blocks: Vec<u32>,
    block: usize,
    offset: usize,
    records: usize,
}

impl EpochOrder {
    /// The order of this epoch.
    pub fn new(records: usize, seed: u64, epoch: u64) -> Self {
        let mut random = sequence(seed, epoch + 1);
        let block = if records >= BLOCK * BLOCK { BLOCK } else { 1 };
        let mut blocks: Vec<u32> = (0..(records / block) as u32).collect();
        random.shuffle(&mut blocks);
        let offset = if records == 0 { 0 } else { random.below(records) };
        Self { blocks, block, offset, records }
    }

    /// The record at a place of the order; places that do not exist wrap around.
    #[inline]
    pub fn get(&self, place: usize) -> usize {
        let block = self.blocks[place / self.block % self.blocks.len()] as usize;
        (block * self.block + place % self.block + self.offset) % self.records
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viriformat::GameResult;
    use kaiyo_chess::Position;

    fn records() -> Vec<Record> {
        let mut random = sequence(1, 1);
        let mut records = Vec::new();
        let mut position = Position::start();
        for score in 0..400 {
            let moves = position.legal_moves();
            if moves.is_empty() || position.occupied().len() < 4 {
                position = Position::start();
                continue;
            }
            position = position.make(moves[random.below(moves.len())]);
            records.push(Record::new(&position, score, Some(GameResult::Draw)));
        }
        records
    }

    #[test]
    fn each_record_has_a_slot_in_a_group_of_its_bucket() {
        let records = records();
        let mut batch = Batch::default();
        // A second time over a used batch.
        batch.fill(records.iter().take(50), |_| 0.0);
        batch.fill(records.iter(), |record| record.men() as f32);
        assert_eq!(batch.positions, records.len());
        assert_eq!(batch.slots(), batch.groups() * GROUP);
        let mut seen = vec![false; records.len()];
        for slot in 0..batch.slots() {
            let place = batch.places[slot];
            if place == Batch::EMPTY {
                assert_eq!(batch.men[slot], 0);
                continue;
            }
            let record = &records[place as usize];
            assert!(!core::mem::replace(&mut seen[place as usize], true));
            assert_eq!(u32::from(batch.men[slot]), record.men());
            assert_eq!(batch.targets[slot], record.men() as f32);
            assert_eq!(usize::from(batch.buckets[slot / GROUP]), output_bucket(record.men()));
        }
        assert!(seen.into_iter().all(|seen| seen));
        assert!(batch.buckets.is_sorted());
    }

    #[test]
    fn an_epoch_shows_each_record_once() {
        for records in [1, 100, BLOCK * 100] {
            let order = EpochOrder::new(records, 3, 1);
            let mut seen = vec![0; records];
            (0..records).for_each(|place| seen[order.get(place)] += 1);
            assert!(seen.iter().all(|&count| count == 1), "{records} records");
        }
        let [one, two] = [0, 1].map(|epoch| EpochOrder::new(1000, 3, epoch));
        assert!((0..1000).filter(|&place| one.get(place) == two.get(place)).count() < 20);
    }
}

//! Keys and values of the steps that new ones attend to.

use crate::kernels::LANES;
use crate::model::Config;
use crate::tokens::CONTROL_STEPS;

/// Keys and values in slots: the control steps have the first ones, all other steps take turns
/// in the rest, which is longer than the window by a chunk.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    /// By block of the model, key head, block of [`LANES`] slots, element, slot of the block.
    keys: Vec<f32>,
    /// By block of the model, key head, slot, element.
    values: Vec<f32>,
    slots: usize,
    head_size: usize,
    key_heads: usize,
    window: usize,
    /// Positions below it, control steps apart, have lost their slot to later ones.
    oldest: usize,
}

impl Cache {
    pub(super) fn new(config: &Config) -> Self {
        let slots = config.cache_slots();
        let len = config.blocks * config.key_width() * slots;
        Self {
            keys: vec![0.0; len],
            values: vec![0.0; len],
            slots,
            head_size: config.head_size,
            key_heads: config.key_heads,
            window: config.window(),
            oldest: CONTROL_STEPS,
        }
    }

    /// Forgets all steps. What is left in the slots is masked until it is written again.
    pub(super) fn clear(&mut self) {
        self.oldest = CONTROL_STEPS;
    }

    /// Whether all that a step at this position attends to is there, if it was computed.
    pub(super) fn can_go_on_at(&self, position: usize) -> bool {
        self.first_visible(position) >= self.oldest
    }

    /// The earliest position, control steps apart, that a step attends to.
    fn first_visible(&self, position: usize) -> usize {
        (position + 1).saturating_sub(self.window).max(CONTROL_STEPS)
    }

    fn slot(&self, position: usize) -> usize {
        if position < CONTROL_STEPS {
            return position;
        }
        CONTROL_STEPS + (position - CONTROL_STEPS) % (self.slots - CONTROL_STEPS)
    }

    /// Takes slots for positions up to before `end`.
    pub(super) fn reserve(&mut self, end: usize) {
        let turning = self.slots - CONTROL_STEPS;
        self.oldest = self.oldest.max(end.saturating_sub(turning));
    }

    /// 0 for the slots that a step at this position attends to and minus infinity for others,
    /// for whole blocks of slots.
    pub(super) fn mask(&self, position: usize, mask: &mut Vec<f32>) {
        let used = (position + 1).min(self.slots).next_multiple_of(LANES);
        mask.clear();
        mask.resize(used, f32::NEG_INFINITY);
        mask[..CONTROL_STEPS.min(position + 1)].fill(0.0);
        for visible in self.first_visible(position)..=position {
            mask[self.slot(visible)] = 0.0;
        }
    }

    /// Stores the keys and values of all heads for a block of the model.
    pub(super) fn store(&mut self, block: usize, position: usize, keys: &[f32], values: &[f32]) {
        let slot = self.slot(position);
        let head_size = self.head_size;
        let heads = keys.chunks_exact(head_size).zip(values.chunks_exact(head_size));
        for (head, (key, value)) in heads.enumerate() {
            let start = self.start(block, head);
            let value_at = start + slot * head_size;
            self.values[value_at..value_at + head_size].copy_from_slice(value);
            let key_at = start + slot / LANES * LANES * head_size + slot % LANES;
            for (element, &value) in key.iter().enumerate() {
                self.keys[key_at + element * LANES] = value;
            }
        }
    }

    /// Keys and values of a head, of all slots.
    pub(super) fn head(&self, block: usize, head: usize) -> (&[f32], &[f32]) {
        let start = self.start(block, head);
        let range = start..start + self.slots * self.head_size;
        (&self.keys[range.clone()], &self.values[range])
    }

    fn start(&self, block: usize, head: usize) -> usize {
        (block * self.key_heads + head) * self.slots * self.head_size
    }
}

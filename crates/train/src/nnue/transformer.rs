//! The feature transformer: sums of rows forwards, rows of sums backwards, a tile at a time.

use super::adam::Adam;
use super::batch::{Batch, GROUP};
use super::lanes::{LANES, Lanes, kernels, prefetch};
use super::parameters::{Floats, TILES};
use core::marker::PhantomData;
use kaiyo_nnue::features::{BUCKET_FEATURES, FEATURES};

/// Rows of sums in a group of positions, `[side][tile][position]`. The gradients of the sums
/// take their place on the way back.
pub const GROUP_ROWS: usize = 2 * TILES * GROUP;
/// Largest weight of the transformer. 32 men and a bias of this size fit in 16 bits at 510 to 1,
/// and the limit leaves room for rounding.
pub const TRANSFORMER_LIMIT: f32 = 1.9;

/// Slots between a row of sums that is asked for and the one in use.
const AHEAD: usize = 16;

/// Sums of all slots of a batch, into which threads write different tiles.
pub struct SharedSums<'a> {
    rows: *mut Floats,
    len: usize,
    lifetime: PhantomData<&'a mut [Floats]>,
}

// SAFETY: the pointer is only used by `forward`, whose caller promises that no two threads have
// the same tile.
unsafe impl Sync for SharedSums<'_> {}

impl<'a> SharedSums<'a> {
    /// Shares the sums.
    pub const fn new(sums: &'a mut [Floats]) -> Self {
        Self { rows: sums.as_mut_ptr(), len: sums.len(), lifetime: PhantomData }
    }

    /// Computes the sums of one side in one tile, for all slots of the batch.
    ///
    /// # Safety
    /// No other thread works at the same tile of the same side.
    pub unsafe fn forward(
        &self,
        simd: super::lanes::Simd,
        weights: &[Floats],
        bias: &Floats,
        batch: &Batch,
        [side, tile]: [usize; 2],
    ) {
        assert!(batch.groups() * GROUP_ROWS <= self.len && side < 2 && tile < TILES);
        forward_tile(simd, self, weights, bias, batch, [side, tile]);
    }
}

/// Where the row of a slot lies among the sums.
#[inline(always)]
const fn row_of(slot: usize, side: usize, tile: usize) -> usize {
    (slot / GROUP * 2 + side) * TILES * GROUP + tile * GROUP + slot % GROUP
}

kernels! {
    /// See [`SharedSums::forward`], which alone may call it: it writes where that has looked.
    forward_tile => generic_forward(
        sums: &SharedSums<'_>,
        weights: &[Floats],
        bias: &Floats,
        batch: &Batch,
        place: [usize; 2],
    )
}

#[inline(always)]
unsafe fn generic_forward<V: Lanes, const P: usize>(
    sums: &SharedSums<'_>,
    weights: &[Floats],
    bias: &Floats,
    batch: &Batch,
    [side, tile]: [usize; 2],
) {
    let weights = &weights[..FEATURES];
    for (slot, features) in batch.sides[side].iter() {
        // SAFETY: the caller has the instructions; `SharedSums::forward` has checked that all
        // groups have their rows, and no other thread has those of this side and tile. The
        // features of a `SideView` are below `FEATURES`.
        unsafe {
            // Two sums, since one would wait for itself.
            let mut even = V::load(&bias.0);
            let mut odd = V::splat(0.0);
            let (pairs, rest) = features.as_chunks::<2>();
            for &[one, other] in pairs {
                even = even.add(V::load(&weights.get_unchecked(usize::from(one)).0));
                odd = odd.add(V::load(&weights.get_unchecked(usize::from(other)).0));
            }
            for &feature in rest {
                even = even.add(V::load(&weights[usize::from(feature)].0));
            }
            let row = sums.rows.add(row_of(slot, side, tile));
            even.add(odd).store(&mut (*row).0);
        }
    }
}

kernels! {
    /// Adds the gradients of one side's sums in one tile to the gradients of the rows that made
    /// them, and of the bias.
    pub backward_tile => generic_backward(
        gradient: &mut [Floats],
        bias: &mut Floats,
        batch: &Batch,
        sums: &[Floats],
        place: [usize; 2],
    )
}

#[inline(always)]
unsafe fn generic_backward<V: Lanes, const P: usize>(
    gradient: &mut [Floats],
    bias: &mut Floats,
    batch: &Batch,
    sums: &[Floats],
    [side, tile]: [usize; 2],
) {
    let gradient = &mut gradient[..FEATURES];
    // SAFETY: the caller has the instructions, and the features of a `SideView` are below
    // `FEATURES`.
    unsafe {
        let mut total = V::load(&bias.0);
        let view = &batch.sides[side];
        for (place, (slot, features)) in view.iter().enumerate() {
            if let Some(slot) = view.slot(place + AHEAD) {
                prefetch(&sums[row_of(slot, side, tile)]);
            }
            let sum = V::load(&sums[row_of(slot, side, tile)].0);
            for &feature in features {
                let row = &mut gradient.get_unchecked_mut(usize::from(feature)).0;
                V::load(row).add(sum).store(row);
            }
            // An empty slot has no gradient.
            total = total.add(sum);
        }
        total.store(&mut bias.0);
    }
}

/// What one tile of the transformer has: weights with their moments.
pub struct Tile<'a> {
    /// Weights, `[feature]`.
    pub weights: &'a mut [Floats],
    /// First moments of the weights.
    pub first: &'a mut [Floats],
    /// First moments of the factoriser, `[feature without bucket]`.
    pub factoriser_first: &'a mut [Floats],
    /// Second moments of the factoriser, which serve the weights of the buckets too.
    pub second: &'a mut [Floats],
}

kernels! {
    /// A step of the optimiser for one tile; clears the gradient.
    ///
    /// Each weight is thought of as the sum of one that all king buckets share (the factoriser)
    /// and one of its bucket. Both get their own step, but only the sum is kept: as learning rate
    /// and decay are the same for both, the steps simply add up.
    ///
    /// The bucket's step is divided by the root of the factoriser's second moment. By its own,
    /// the weights of a bucket that is rarely seen would take steps as large as those of common
    /// ones, and learn their few positions by heart.
    pub step_tile => generic_step_tile(adam: &Adam, tile: &mut Tile<'_>, gradient: &mut [Floats])
}

#[inline(always)]
unsafe fn generic_step_tile<V: Lanes, const P: usize>(
    adam: &Adam,
    tile: &mut Tile<'_>,
    gradient: &mut [Floats],
) {
    let mut shared = [Floats::ZERO; BUCKET_FEATURES];
    for bucket in gradient.chunks_exact(BUCKET_FEATURES) {
        for (shared, gradient) in shared.iter_mut().zip(bucket) {
            // SAFETY: the caller has the instructions.
            unsafe { V::load(&shared.0).add(V::load(&gradient.0)).store(&mut shared.0) };
        }
    }
    let moments = tile.factoriser_first.iter_mut().zip(&mut *tile.second);
    for (shared, (first, second)) in shared.iter_mut().zip(moments) {
        // SAFETY: as above.
        unsafe { adam.delta(V::load(&shared.0), first, second).store(&mut shared.0) };
    }
    let rows = tile.weights.iter_mut().zip(gradient).zip(&mut *tile.first);
    let shared = shared.iter().zip(&*tile.second).cycle();
    for (((weight, gradient), first), (shared, second)) in rows.zip(shared) {
        // SAFETY: as above.
        unsafe {
            let variance = V::load(&second.0);
            let delta: V = adam.delta_with(V::load(&gradient.0), first, variance);
            adam.apply(weight, delta.add(V::load(&shared.0)), TRANSFORMER_LIMIT);
        }
        *gradient = Floats::ZERO;
    }
}

const _: () = assert!(LANES == GROUP);

//! Memory for the rows of the feature transformer.

use crate::network::HalfRow;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;
use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};

/// Alignment that lets the system use huge pages. Rows are read in no order, and a table of
/// 8 MiB in small pages is more than the processor's address translation remembers.
const HUGE_PAGE: usize = 2 << 20;

/// A list of rows in huge pages, where the system has them.
pub struct Rows {
    start: NonNull<HalfRow>,
    len: usize,
}

// SAFETY: the memory is owned and holds plain numbers.
unsafe impl Send for Rows {}
// SAFETY: as above; changes need a unique reference.
unsafe impl Sync for Rows {}

impl Rows {
    /// So many rows of zeros.
    pub fn zero(len: usize) -> Self {
        let layout = Self::layout(len);
        // SAFETY: the layout has a size above zero.
        let start = unsafe { alloc_zeroed(layout) };
        let Some(start) = NonNull::new(start) else { handle_alloc_error(layout) };
        advise_huge_pages(start, layout.size());
        Self { start: start.cast(), len }
    }

    /// Room for one row at least: no allocation may be empty.
    fn layout(len: usize) -> Layout {
        let bytes = len.max(1).saturating_mul(size_of::<HalfRow>());
        // A size beyond what can be addressed is one that cannot be allocated either.
        Layout::from_size_align(bytes, HUGE_PAGE)
            .unwrap_or_else(|_| handle_alloc_error(Layout::new::<HalfRow>()))
    }
}

impl Deref for Rows {
    type Target = [HalfRow];

    #[inline(always)]
    fn deref(&self) -> &[HalfRow] {
        // SAFETY: `start` points to `len` rows that live as long as `self`; zeros are valid rows.
        unsafe { core::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl DerefMut for Rows {
    fn deref_mut(&mut self) -> &mut [HalfRow] {
        // SAFETY: as in `deref`, and the reference to `self` is unique.
        unsafe { core::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        // SAFETY: allocated in `zero` with this very layout.
        unsafe { dealloc(self.start.as_ptr().cast(), Self::layout(self.len)) };
    }
}

impl From<&[HalfRow]> for Rows {
    fn from(rows: &[HalfRow]) -> Self {
        let mut copy = Self::zero(rows.len());
        copy.copy_from_slice(rows);
        copy
    }
}

impl Clone for Rows {
    fn clone(&self) -> Self {
        Self::from(&**self)
    }
}

impl PartialEq for Rows {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl core::fmt::Debug for Rows {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} rows", self.len)
    }
}

#[cfg(target_os = "linux")]
fn advise_huge_pages(start: NonNull<u8>, bytes: usize) {
    // SAFETY: the range was just allocated; the advice changes no content. Failure is harmless.
    unsafe { libc::madvise(start.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_start: NonNull<u8>, _bytes: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_zero_then_what_is_written() {
        for len in [0, 1, 3000] {
            let mut rows = Rows::zero(len);
            assert!(rows.len() == len && rows.iter().all(|row| *row == HalfRow::ZERO));
            rows.iter_mut().enumerate().for_each(|(index, row)| row.0[7] = index as i16);
            let copy = rows.clone();
            assert_eq!(copy, rows);
            drop(rows);
            assert!(copy.iter().enumerate().all(|(index, row)| row.0[7] == index as i16));
        }
    }

    #[test]
    fn rows_are_aligned_for_huge_pages() {
        assert_eq!(Rows::zero(5).as_ptr().addr() % HUGE_PAGE, 0);
    }
}

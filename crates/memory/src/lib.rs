//! Large arrays and values in huge pages, where the system has them.
//!
//! A table that is read in no order and lies in small pages is more than the processor's address
//! translation remembers; huge pages spare most of its misses.

use core::fmt;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;
use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};

/// Alignment that lets the system use huge pages. Miri has none, and takes long for large arrays.
const HUGE_PAGE: usize = if cfg!(miri) { 4 << 10 } else { 2 << 20 };
/// Alignment up to which the allocator hands out zeros that the system provides. With a larger
/// one it writes the zeros itself, and so touches all pages.
const ZEROED_ALIGNMENT: usize = 16;

/// What all-zero memory is a valid value of, and what needs nothing at its end.
///
/// # Safety
/// Both must hold: zeros are a valid value, and the type has no `Drop`.
pub unsafe trait Zeroable {}

/// An array that begins as zeros. Its pages are only touched when they are used.
pub struct HugeSlice<T: Zeroable> {
    /// What was allocated.
    allocation: NonNull<u8>,
    /// The first huge page in it.
    start: NonNull<T>,
    len: usize,
}

// SAFETY: the memory is owned, as that of a `Box`.
unsafe impl<T: Zeroable + Send> Send for HugeSlice<T> {}
// SAFETY: as above; shared references give shared references to the elements.
unsafe impl<T: Zeroable + Sync> Sync for HugeSlice<T> {}

impl<T: Zeroable> HugeSlice<T> {
    /// So many zeros, or `None` if there is no memory for them.
    pub fn try_zeroed(len: usize) -> Option<Self> {
        let layout = Self::layout(len)?;
        // SAFETY: the layout has a size above zero.
        let allocation = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let offset =
            allocation.as_ptr().addr().next_multiple_of(HUGE_PAGE) - allocation.as_ptr().addr();
        // SAFETY: the layout has a huge page more than the elements take.
        let start = unsafe { allocation.add(offset) };
        advise_huge_pages(start, layout.size() - HUGE_PAGE);
        Some(Self { allocation, start: start.cast(), len })
    }

    /// So many zeros. Without memory for them the program ends, as with a `Vec`.
    pub fn zeroed(len: usize) -> Self {
        Self::try_zeroed(len).unwrap_or_else(|| {
            // A size beyond what can be addressed has no layout of its own.
            handle_alloc_error(Self::layout(len).unwrap_or(Layout::new::<T>()))
        })
    }

    /// Room for one element at least, as no allocation may be empty, in whole huge pages: the
    /// system gives none to a part of one. One page more, so that the first can be aligned.
    fn layout(len: usize) -> Option<Layout> {
        const { assert!(size_of::<T>() > 0 && align_of::<T>() <= HUGE_PAGE) };
        let elements = Layout::array::<T>(len.max(1)).ok()?.align_to(HUGE_PAGE).ok()?;
        let size = elements.pad_to_align().size().checked_add(HUGE_PAGE)?;
        Layout::from_size_align(size, ZEROED_ALIGNMENT).ok()
    }
}

impl<T: Zeroable> Deref for HugeSlice<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `start` points to `len` elements, for which zeros are a valid value, and they
        // live as long as `self`.
        unsafe { core::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T: Zeroable> DerefMut for HugeSlice<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and the reference to `self` is unique.
        unsafe { core::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<T: Zeroable> Drop for HugeSlice<T> {
    fn drop(&mut self) {
        if let Some(layout) = Self::layout(self.len) {
            // SAFETY: allocated in `try_zeroed` with this very layout.
            unsafe { dealloc(self.allocation.as_ptr(), layout) };
        }
    }
}

impl<T: Zeroable + Copy> Clone for HugeSlice<T> {
    fn clone(&self) -> Self {
        let mut copy = Self::zeroed(self.len);
        copy.copy_from_slice(self);
        copy
    }
}

impl<T: Zeroable + PartialEq> PartialEq for HugeSlice<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Zeroable> fmt::Debug for HugeSlice<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} elements", self.len)
    }
}

/// A value that begins as zeros.
pub struct HugeBox<T: Zeroable>(HugeSlice<T>);

impl<T: Zeroable> HugeBox<T> {
    /// The value that all-zero memory is, or `None` if there is no memory for it.
    pub fn try_zeroed() -> Option<Self> {
        HugeSlice::try_zeroed(1).map(Self)
    }

    /// The value that all-zero memory is. Without memory for it the program ends, as with a `Box`.
    pub fn zeroed() -> Self {
        Self(HugeSlice::zeroed(1))
    }

    /// Becomes zeros again, in the same memory.
    pub fn clear(&mut self) {
        // SAFETY: the slice has one element, for which zeros are a valid value and which has no
        // `Drop`; the reference to `self` is unique.
        unsafe { self.0.start.as_ptr().write_bytes(0, 1) };
    }
}

impl<T: Zeroable> Deref for HugeBox<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the slice has one element, for which zeros are a valid value.
        unsafe { self.0.start.as_ref() }
    }
}

impl<T: Zeroable> DerefMut for HugeBox<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as in `deref`, and the reference to `self` is unique.
        unsafe { self.0.start.as_mut() }
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
fn advise_huge_pages(start: NonNull<u8>, bytes: usize) {
    // SAFETY: the range was just allocated; the advice changes no content. Failure is harmless.
    unsafe { libc::madvise(start.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE) };
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn advise_huge_pages(_start: NonNull<u8>, _bytes: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq)]
    #[repr(C, align(64))]
    struct Row([i16; 512]);

    // SAFETY: plain numbers.
    unsafe impl Zeroable for Row {}

    const ZERO: Row = Row([0; 512]);

    #[test]
    fn rows_are_zero_then_what_is_written() {
        for len in [0, 1, if cfg!(miri) { 30 } else { 3000 }] {
            let mut rows = HugeSlice::<Row>::zeroed(len);
            assert!(rows.len() == len && rows.iter().all(|row| *row == ZERO));
            rows.iter_mut().enumerate().for_each(|(index, row)| row.0[7] = index as i16);
            let copy = rows.clone();
            assert_eq!(copy, rows);
            drop(rows);
            assert!(copy.iter().enumerate().all(|(index, row)| row.0[7] == index as i16));
        }
    }

    #[test]
    fn a_value_is_zero_then_what_is_written() {
        let mut value = HugeBox::<Row>::zeroed();
        assert_eq!(*value, ZERO);
        let row: &mut Row = &mut value;
        row.0[511] = 7;
        let mut expected = ZERO;
        expected.0[511] = 7;
        assert_eq!(*value, expected);
        value.clear();
        assert_eq!(*value, ZERO);
    }

    #[test]
    fn rows_are_aligned_for_huge_pages() {
        assert_eq!(HugeSlice::<Row>::zeroed(5).as_ptr().addr() % HUGE_PAGE, 0);
    }

    #[test]
    #[cfg(all(target_os = "linux", not(miri)))]
    fn pages_are_touched_when_they_are_used() {
        let resident = || {
            let status = std::fs::read_to_string("/proc/self/status").unwrap();
            let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
            line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() << 10
        };
        let before = resident();
        let mut rows = HugeSlice::<Row>::zeroed(256 << 10);
        assert!(resident() < before + (64 << 20));
        rows.iter_mut().for_each(|row| row.0[0] = 1);
        assert!(resident() > before + (200 << 20));
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri ends where memory is refused")]
    fn what_cannot_be_addressed_cannot_be_had() {
        assert!(HugeSlice::<Row>::try_zeroed(usize::MAX).is_none());
        assert!(HugeSlice::<Row>::try_zeroed(1 << 50).is_none());
    }
}

//! Memory for the transposition table.

use super::Cluster;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

/// Alignment that lets the system back the table with huge pages, which spare the processor
/// most of its address translation misses.
const HUGE_PAGE: usize = 2 << 20;

/// A zeroed array of clusters.
pub(super) struct ClusterMemory {
    start: NonNull<Cluster>,
    len: usize,
}

// SAFETY: the memory is owned, and clusters consist of atomics only.
unsafe impl Send for ClusterMemory {}
// SAFETY: as above; all access goes through shared references to atomics.
unsafe impl Sync for ClusterMemory {}

impl ClusterMemory {
    /// Allocates `len` clusters, at least one. Zeroed pages are only touched when used.
    pub fn zeroed(len: usize) -> Option<Self> {
        let len = len.max(1);
        let layout = Self::layout(len)?;
        // SAFETY: the layout has a size above zero.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        advise_huge_pages(start, layout.size());
        Some(Self { start: start.cast(), len })
    }

    fn layout(len: usize) -> Option<Layout> {
        Layout::array::<Cluster>(len).ok()?.align_to(HUGE_PAGE).ok()
    }

    #[inline(always)]
    pub fn as_slice(&self) -> &[Cluster] {
        // SAFETY: `start` points to `len` clusters, for which all-zero bytes are a valid value,
        // and they live as long as `self`.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl Drop for ClusterMemory {
    fn drop(&mut self) {
        if let Some(layout) = Self::layout(self.len) {
            // SAFETY: allocated in `zeroed` with this very layout.
            unsafe { dealloc(self.start.as_ptr().cast(), layout) };
        }
    }
}

#[cfg(target_os = "linux")]
fn advise_huge_pages(start: NonNull<u8>, bytes: usize) {
    // SAFETY: the range was just allocated; the advice changes no content. Failure is harmless.
    unsafe { libc::madvise(start.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_start: NonNull<u8>, _bytes: usize) {}

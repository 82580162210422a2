//! Memory reserve, which lets a run end with a checkpoint when the system provides no more memory.

#![allow(unsafe_code, reason = "a global allocator is unsafe to implement")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// Layout of the reserve: 64 MiB, enough for a picture and a checkpoint of most worlds. The system
/// provides memory only when it is written, so an unused reserve costs nothing.
const RESERVE: Layout = match Layout::from_size_align(64 << 20, 16) {
    Ok(layout) => layout,
    Err(_) => panic!(),
};

/// Address of the reserve; null if it was released or does not exist.
static RESERVE_ADDRESS: AtomicPtr<u8> = AtomicPtr::new(null_mut());
/// Size of the first allocation that needed the reserve (bytes); 0 if there was none.
static FAILED_BYTES: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: ReservingAllocator = ReservingAllocator;

/// System allocator that releases the reserve and tries again when an allocation fails.
struct ReservingAllocator;

// SAFETY: all blocks come from the system allocator and are returned to it with their layouts.
unsafe impl GlobalAlloc for ReservingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller meets the requirements of the system allocator.
        allocate_or_retry(layout.size(), || unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as in `alloc`.
        allocate_or_retry(layout.size(), || unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as in `alloc`. After a failure the block is still valid.
        allocate_or_retry(size, || unsafe { System.realloc(block, layout, size) })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as in `alloc`.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Calls `allocate` to allocate `size` bytes. If this fails and `size` is at most the size of the
/// reserve, releases the reserve and calls `allocate` again.
fn allocate_or_retry(size: usize, allocate: impl Fn() -> *mut u8) -> *mut u8 {
    let block = allocate();
    if !block.is_null() || size > RESERVE.size() {
        return block;
    }
    let _ = FAILED_BYTES.compare_exchange(0, size, Ordering::Relaxed, Ordering::Relaxed);
    let reserve = RESERVE_ADDRESS.swap(null_mut(), Ordering::AcqRel);
    if !reserve.is_null() {
        // SAFETY: the system allocator has returned this address for this layout.
        unsafe { System.dealloc(reserve, RESERVE) };
    }
    allocate()
}

/// Allocates the reserve. Call this once, at the start of the program.
pub(crate) fn allocate_reserve() {
    // SAFETY: the size is not 0.
    RESERVE_ADDRESS.store(unsafe { System.alloc(RESERVE) }, Ordering::Release);
}

/// Returns the size of the first allocation that needed the reserve (bytes); `None` if there was
/// none. Little memory is left after such an allocation, so a run must end.
pub(crate) fn failed_allocation_bytes() -> Option<usize> {
    Some(FAILED_BYTES.load(Ordering::Relaxed)).filter(|size| *size > 0)
}

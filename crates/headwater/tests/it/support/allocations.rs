//! Global allocator that counts the memory allocations of each thread.
#![allow(unsafe_code, reason = "a global allocator that counts can only be written with unsafe")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Number of allocations of the current thread. Other tests run in parallel on other threads.
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

struct CountingAllocator;

#[global_allocator]
static MEMORY: CountingAllocator = CountingAllocator;

fn count_allocation() {
    // A thread that ends may allocate after its counter has been destroyed.
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: all methods delegate to the system allocator; the counter does not affect it.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count_allocation();
        // SAFETY: the caller upholds the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds the contract, and the pointer came from `System`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count_allocation();
        // SAFETY: the caller upholds the contract, and the pointer came from `System`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

pub(crate) fn count_allocations(work: impl FnOnce()) -> u64 {
    let before = COUNT.get();
    work();
    COUNT.get() - before
}

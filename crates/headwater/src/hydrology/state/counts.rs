//! Visit counts of cells, which all threads can increment concurrently.

use super::grid::Grid;
use crate::parallel;
use std::sync::atomic::{AtomicU32, Ordering};

#[derive(Clone, Copy)]
pub(in crate::hydrology) struct VisitCounts<'a> {
    counts: &'a [AtomicU32],
    /// Whether only one thread uses the counts, so that plain loads and stores suffice.
    single_threaded: bool,
}

impl<'a> VisitCounts<'a> {
    /// Creates counts of 0 for all cells of a grid. Reuses the memory of `list`.
    pub(in crate::hydrology) fn zeroed(list: &'a mut Vec<AtomicU32>, grid: Grid) -> Self {
        list.resize_with(grid.cell_count(), AtomicU32::default);
        parallel::for_each_row(list, grid.nx, |_, row| {
            row.iter_mut().for_each(|count| *count.get_mut() = 0);
        });
        Self::new(list)
    }

    pub(in crate::hydrology) fn new(list: &'a [AtomicU32]) -> Self {
        Self { counts: list, single_threaded: is_single_threaded() }
    }

    pub(in crate::hydrology) fn increment(self, cell: u32) {
        let count = &self.counts[cell as usize];
        if self.single_threaded {
            count.store(count.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        } else {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(in crate::hydrology) fn get(self, cell: u32) -> u32 {
        self.counts[cell as usize].load(Ordering::Relaxed)
    }

    pub(in crate::hydrology) fn clear(self, cell: u32) {
        self.counts[cell as usize].store(0, Ordering::Relaxed);
    }
}

pub(in crate::hydrology) fn is_single_threaded() -> bool {
    parallel::num_threads() == 1
}

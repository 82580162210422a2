//! How often drops come through cells, counted by all that walk at once.

use super::grid::Grid;
use crate::parallel;
use std::sync::atomic::{AtomicU32, Ordering};

#[derive(Clone, Copy)]
pub(super) struct Counts<'a> {
    of: &'a [AtomicU32],
    /// Whether one thread does all: it needs none of the instructions that keep others out.
    alone: bool,
}

impl<'a> Counts<'a> {
    /// 0 for every cell, in a list that lends its memory.
    pub(super) fn cleared(list: &'a mut Vec<AtomicU32>, grid: Grid) -> Self {
        list.resize_with(grid.cells(), AtomicU32::default);
        parallel::for_each_row(list, grid.nx, |_, row| {
            row.iter_mut().for_each(|count| *count.get_mut() = 0);
        });
        Self::of(list)
    }

    pub(super) fn of(list: &'a [AtomicU32]) -> Self {
        Self { of: list, alone: is_alone() }
    }

    pub(super) fn add(self, cell: u32) {
        let count = &self.of[cell as usize];
        if self.alone {
            count.store(count.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        } else {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(super) fn get(self, cell: u32) -> u32 {
        self.of[cell as usize].load(Ordering::Relaxed)
    }

    pub(super) fn clear(self, cell: u32) {
        self.of[cell as usize].store(0, Ordering::Relaxed);
    }
}

pub(super) fn is_alone() -> bool {
    parallel::num_threads() == 1
}

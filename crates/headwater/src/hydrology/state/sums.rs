//! Sums over the leaves or nodes of a tree, which all threads can update concurrently. The sums are
//! integers, so the result does not depend on the order of the updates.

use super::counts::is_single_threaded;
use crate::parallel;
use crate::scratch::{PooledVec, ScratchPool};
use std::sync::atomic::{AtomicI64, Ordering};

const ITEMS_PER_TASK: usize = 8192;

pub(in crate::hydrology) struct AtomicSums<'s> {
    sums: PooledVec<'s, AtomicI64>,
    single_threaded: bool,
}

impl<'s> AtomicSums<'s> {
    pub(in crate::hydrology) fn new(count: usize, scratch: &'s ScratchPool) -> Self {
        let mut sums = scratch.take_vec();
        sums.resize_with(count, AtomicI64::default);
        Self { sums, single_threaded: is_single_threaded() }
    }

    pub(in crate::hydrology) fn add(&self, i: u32, value: i64) -> i64 {
        let sum = &self.sums[i as usize];
        if self.single_threaded {
            let before = sum.load(Ordering::Relaxed);
            sum.store(before + value, Ordering::Relaxed);
            before
        } else {
            sum.fetch_add(value, Ordering::Relaxed)
        }
    }

    /// Adds the values of `count` items to the sums. For each item, `value` returns the index of a
    /// sum and the number to add, or `None` to add nothing. The method is fast if consecutive items
    /// add to the same sum.
    pub(in crate::hydrology) fn add_all(
        &self,
        count: usize,
        value: impl Fn(usize) -> Option<(u32, i64)> + Sync + Send,
    ) {
        parallel::for_each_index(count.div_ceil(ITEMS_PER_TASK), |task| {
            let (mut at, mut sum) = (0, 0);
            let items = task * ITEMS_PER_TASK..((task + 1) * ITEMS_PER_TASK).min(count);
            for (i, value) in items.filter_map(&value) {
                if i != at {
                    self.add_nonzero(at, sum);
                    (at, sum) = (i, 0);
                }
                sum += value;
            }
            self.add_nonzero(at, sum);
        });
    }

    fn add_nonzero(&self, i: u32, value: i64) {
        if value != 0 {
            self.add(i, value);
        }
    }

    pub(in crate::hydrology) fn take(&mut self, i: u32) -> i64 {
        std::mem::take(self.sums[i as usize].get_mut())
    }

    pub(in crate::hydrology) fn iter(&mut self) -> impl Iterator<Item = i64> {
        self.sums.iter_mut().map(|sum| *sum.get_mut())
    }
}

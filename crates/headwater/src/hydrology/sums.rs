//! Sums by leaf or node that all threads add to at once: whole numbers, so the order does not matter.

use super::counts::is_alone;
use crate::parallel;
use crate::scratch::{PooledVec, ScratchPool};
use std::sync::atomic::{AtomicI64, Ordering};

const TASK: usize = 8192;

pub(super) struct Sums<'s> {
    of: PooledVec<'s, AtomicI64>,
    alone: bool,
}

impl<'s> Sums<'s> {
    pub(super) fn new(count: usize, scratch: &'s ScratchPool) -> Self {
        let mut of = scratch.vec();
        of.resize_with(count, AtomicI64::default);
        Self { of, alone: is_alone() }
    }

    pub(super) fn add(&self, i: u32, value: i64) -> i64 {
        let sum = &self.of[i as usize];
        if self.alone {
            let before = sum.load(Ordering::Relaxed);
            sum.store(before + value, Ordering::Relaxed);
            before
        } else {
            sum.fetch_add(value, Ordering::Relaxed)
        }
    }

    /// Adds values to sums, each thing to its own; `None` for nothing. Things of one sum should be
    /// neighbours.
    pub(super) fn add_all(
        &self,
        count: usize,
        value: impl Fn(usize) -> Option<(u32, i64)> + Sync + Send,
    ) {
        parallel::for_each_index(count.div_ceil(TASK), |task| {
            let (mut at, mut sum) = (0, 0);
            let things = task * TASK..((task + 1) * TASK).min(count);
            for (i, value) in things.filter_map(&value) {
                if i != at {
                    self.add_some(at, sum);
                    (at, sum) = (i, 0);
                }
                sum += value;
            }
            self.add_some(at, sum);
        });
    }

    fn add_some(&self, i: u32, value: i64) {
        if value != 0 {
            self.add(i, value);
        }
    }

    pub(super) fn take(&mut self, i: u32) -> i64 {
        std::mem::take(self.of[i as usize].get_mut())
    }

    pub(super) fn iter(&mut self) -> impl Iterator<Item = i64> {
        self.of.iter_mut().map(|sum| *sum.get_mut())
    }
}

//! Division of loops into tasks that run on the threads of the current Rayon pool.
//!
//! Only [`join_threads`] calls Rayon, and it takes closures behind references. The scheduling code
//! of Rayon is therefore compiled only once, not once for each loop.

use super::share::LoopTimer;
use std::ops::Range;
use std::slice::ChunksMut;

/// Data of a loop's iterations. Implementations can divide the data between two tasks.
pub(super) trait Divide: Sized + Send {
    /// Separates the data of the first `n` iterations from the rest.
    #[cfg_attr(not(feature = "parallel"), allow(dead_code, reason = "loops are not divided"))]
    fn divide_at(self, n: usize) -> [Self; 2];
}

impl Divide for Range<usize> {
    fn divide_at(self, n: usize) -> [Self; 2] {
        let middle = self.start + n;
        [self.start..middle, middle..self.end]
    }
}

impl<T: Send> Divide for &mut [T] {
    fn divide_at(self, n: usize) -> [Self; 2] {
        self.split_at_mut(n).into()
    }
}

impl<A: Divide, B: Divide> Divide for (A, B) {
    fn divide_at(self, n: usize) -> [Self; 2] {
        let ([front_a, rest_a], [front_b, rest_b]) = (self.0.divide_at(n), self.1.divide_at(n));
        [(front_a, front_b), (rest_a, rest_b)]
    }
}

/// Rows of `width` values. The last one may be shorter.
pub(super) struct Rows<'a, T> {
    pub(super) values: &'a mut [T],
    pub(super) width: usize,
}

impl<T: Send> Divide for Rows<'_, T> {
    fn divide_at(self, n: usize) -> [Self; 2] {
        let width = self.width;
        self.values.divide_at(n * width).map(|values| Self { values, width })
    }
}

impl<'a, T> IntoIterator for Rows<'a, T> {
    type Item = &'a mut [T];
    type IntoIter = ChunksMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.values.chunks_mut(self.width)
    }
}

/// Splits a loop of `len` iterations into tasks of at least `min_len` iterations, and calls `work`
/// for each task in parallel.
pub(super) fn for_each_task<T: Divide>(
    whole: T,
    len: usize,
    min_len: usize,
    work: &(impl Fn(T) + Sync),
) {
    let min_len = min_len.max(1);
    let _timer = LoopTimer::start(len / min_len);
    #[cfg(feature = "parallel")]
    {
        let threads = rayon::current_num_threads();
        let splitter = TaskSplitter { splits: if threads > 1 { threads } else { 0 }, min_len };
        splitter.run(whole, len, false, work);
    }
    #[cfg(not(feature = "parallel"))]
    work(whole);
}

/// Rule that decides whether a task is split, as in Rayon's parallel iterators: a loop starts with
/// one task per thread, and a task that another thread has stolen is split again.
#[cfg(feature = "parallel")]
#[derive(Clone, Copy)]
struct TaskSplitter {
    splits: usize,
    min_len: usize,
}

#[cfg(feature = "parallel")]
impl TaskSplitter {
    /// Executes a task of `len` iterations. `migrated` is true if another thread has stolen the
    /// task.
    fn run<T: Divide>(mut self, task: T, len: usize, migrated: bool, work: &(impl Fn(T) + Sync)) {
        if !self.try_split(len, migrated) {
            return work(task);
        }
        let half = len / 2;
        let [front, rest] = task.divide_at(half);
        let (mut front, mut rest) = (Some(front), Some(rest));
        join_threads(
            &mut |migrated| {
                if let Some(front) = front.take() {
                    self.run(front, half, migrated, work);
                }
            },
            &mut |migrated| {
                if let Some(rest) = rest.take() {
                    self.run(rest, len - half, migrated, work);
                }
            },
        );
    }

    fn try_split(&mut self, len: usize, migrated: bool) -> bool {
        if len / 2 < self.min_len || !migrated && self.splits == 0 {
            return false;
        }
        self.splits /= 2;
        if migrated {
            self.splits = self.splits.max(rayon::current_num_threads());
        }
        true
    }
}

/// Calls two closures on the threads of the pool. The argument of each closure is true if another
/// thread has stolen it.
#[inline(never)]
pub(super) fn join_threads(a: &mut (dyn FnMut(bool) + Send), b: &mut (dyn FnMut(bool) + Send)) {
    #[cfg(feature = "parallel")]
    rayon::join_context(|context| a(context.migrated()), |context| b(context.migrated()));
    #[cfg(not(feature = "parallel"))]
    {
        a(false);
        b(false);
    }
}

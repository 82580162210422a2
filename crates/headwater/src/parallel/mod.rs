//! Loops over rows, on rayon's current thread pool with the feature `parallel`. Rows are
//! independent, so the outcome is the same for any number of threads. [`ParallelFraction`] measures what
//! threads can share.

mod share;

use crate::scratch::{PooledVec, ScratchPool};
#[cfg(feature = "parallel")]
use rayon::prelude::*;
pub use share::ParallelFraction;
use share::shared;
use std::sync::{Mutex, PoisonError};

/// Values that one task should at least work on, so that handing it out is not the larger part.
const TASK: usize = 8192;

/// Cells from which on a step is worth going over to the pool for.
#[cfg(feature = "parallel")]
const WORTH: usize = 4 * TASK;

/// Does some work over so many cells on a thread of the pool, so that other callers wait once and
/// not in every loop.
pub(crate) fn within<T: Send>(cells: usize, work: impl FnOnce() -> T + Send) -> T {
    #[cfg(feature = "parallel")]
    if cells >= WORTH
        && rayon::current_thread_index().is_none()
        && rayon::current_num_threads() > 1
        && !share::is_measured()
    {
        return rayon::scope(|_| work());
    }
    let _ = cells;
    work()
}

pub(crate) fn for_each_row<T: Send>(
    data: &mut [T],
    width: usize,
    work: impl Fn(usize, &mut [T]) + Sync,
) {
    shared(data.len() / width / TASK.div_ceil(width), || {
        #[cfg(feature = "parallel")]
        data.par_chunks_exact_mut(width)
            .with_min_len(TASK.div_ceil(width))
            .enumerate()
            .for_each(|(y, row)| work(y, row));
        #[cfg(not(feature = "parallel"))]
        data.chunks_exact_mut(width).enumerate().for_each(|(y, row)| work(y, row));
    });
}

/// Calls `work(y, row_a, row_b)` for the rows of two arrays that have as many rows.
pub(crate) fn for_each_row_pair<A: Send, B: Send>(
    a: &mut [A],
    width_a: usize,
    b: &mut [B],
    width_b: usize,
    work: impl Fn(usize, &mut [A], &mut [B]) + Sync,
) {
    shared(a.len() / width_a / TASK.div_ceil(width_a), || {
        #[cfg(feature = "parallel")]
        a.par_chunks_exact_mut(width_a)
            .zip(b.par_chunks_exact_mut(width_b))
            .with_min_len(TASK.div_ceil(width_a))
            .enumerate()
            .for_each(|(y, (a, b))| work(y, a, b));
        #[cfg(not(feature = "parallel"))]
        a.chunks_exact_mut(width_a)
            .zip(b.chunks_exact_mut(width_b))
            .enumerate()
            .for_each(|(y, (a, b))| work(y, a, b));
    });
}

/// How many threads the loops run on; for who measures what [could be shared](ParallelFraction::of), as many as have something to share.
pub(crate) fn threads() -> usize {
    if share::is_measured() {
        return 2;
    }
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

pub(crate) fn join(a: impl FnOnce() + Send, b: impl FnOnce() + Send) {
    shared(2, || {
        // A pool of one thread is no help to who is on none of its own.
        #[cfg(feature = "parallel")]
        if rayon::current_num_threads() > 1 {
            rayon::join(a, b);
        } else {
            a();
            b();
        }
        #[cfg(not(feature = "parallel"))]
        {
            a();
            b();
        }
    });
}

/// Calls `work` for each of the `count` parts of a whole. `split` takes so many of them off its front.
pub(crate) fn for_each_part<T: Send>(
    whole: T,
    count: usize,
    split: &(impl Fn(T, usize) -> [T; 2] + Sync),
    work: &(impl Fn(T) + Sync),
) {
    match count {
        0 => {}
        1 => work(whole),
        _ => {
            let half = count / 2;
            let [front, rest] = split(whole, half);
            let rest = || for_each_part(rest, count - half, split, work);
            join(|| for_each_part(front, half, split, work), rest);
        }
    }
}

/// Calls `work(i, item)` for every item of a list; a task has `least` of them or more.
pub(crate) fn for_each_item<T: Send>(
    items: &mut [T],
    least: usize,
    work: impl Fn(usize, &mut T) + Sync + Send,
) {
    shared(items.len() / least.max(1), || {
        #[cfg(feature = "parallel")]
        items.par_iter_mut().with_min_len(least).enumerate().for_each(|(i, item)| work(i, item));
        #[cfg(not(feature = "parallel"))]
        items.iter_mut().enumerate().for_each(|(i, item)| work(i, item));
    });
}

/// Calls `work(i, part, item)` for every part of so many values and the item that goes with it, each a task.
pub(crate) fn for_each_pair<A: Send, B: Send>(
    values: &mut [A],
    width: usize,
    items: &mut [B],
    work: impl Fn(usize, &mut [A], &mut B) + Sync + Send,
) {
    shared(values.len().div_ceil(width), || {
        #[cfg(feature = "parallel")]
        values
            .par_chunks_mut(width)
            .zip(items)
            .enumerate()
            .for_each(|(i, (part, item))| work(i, part, item));
        #[cfg(not(feature = "parallel"))]
        values
            .chunks_mut(width)
            .zip(items)
            .enumerate()
            .for_each(|(i, (part, item))| work(i, part, item));
    });
}

/// Items that are worth a task of their own together.
const FEW: usize = 64;

pub(crate) fn map<A: Sync, B: Send>(items: &[A], work: impl Fn(&A) -> B + Sync + Send) -> Vec<B> {
    shared(items.len() / FEW, || {
        #[cfg(feature = "parallel")]
        return items.par_iter().with_min_len(FEW).map(work).collect();
        #[cfg(not(feature = "parallel"))]
        items.iter().map(work).collect()
    })
}

/// The results of `work(y, row_a, row_b)` for the rows of two arrays of one width, in their order.
pub(crate) fn for_rows_of_two<'s, A: Send, B: Send>(
    scratch: &'s ScratchPool,
    a: &mut [A],
    b: &mut [B],
    width: usize,
    work: impl Fn(usize, &mut [A], &mut [B]) -> f64 + Sync,
) -> PooledVec<'s, f64> {
    let mut sums = scratch.filled(a.len() / width, 0.0);
    shared(sums.len() / TASK.div_ceil(width), || {
        #[cfg(feature = "parallel")]
        sums.par_iter_mut()
            .zip(a.par_chunks_exact_mut(width))
            .zip(b.par_chunks_exact_mut(width))
            .with_min_len(TASK.div_ceil(width))
            .enumerate()
            .for_each(|(y, ((sum, a), b))| *sum = work(y, a, b));
        #[cfg(not(feature = "parallel"))]
        sums.iter_mut()
            .zip(a.chunks_exact_mut(width))
            .zip(b.chunks_exact_mut(width))
            .enumerate()
            .for_each(|(y, ((sum, a), b))| *sum = work(y, a, b));
    });
    sums
}

/// Collects `work(y, buffer)` for every row; `buffer` is room for `width` values, in any state.
pub(crate) fn per_row<T: Send + Default + Clone + 'static>(
    scratch: &ScratchPool,
    rows: usize,
    width: usize,
    work: impl Fn(usize, &mut [f32]) -> T + Sync,
) -> PooledVec<'_, T> {
    let mut found = scratch.filled(rows, T::default());
    let room = || scratch.filled(width, 0.0);
    shared(rows / TASK.div_ceil(width), || {
        #[cfg(feature = "parallel")]
        found
            .par_iter_mut()
            .with_min_len(TASK.div_ceil(width))
            .enumerate()
            .for_each_init(room, |buffer, (y, found)| *found = work(y, buffer));
        #[cfg(not(feature = "parallel"))]
        {
            let mut buffer = room();
            found.iter_mut().enumerate().for_each(|(y, found)| *found = work(y, &mut buffer));
        }
    });
    found
}

/// Puts together what `work(y, found)` adds for every row of `width` values, in an order that may be another every time.
pub(crate) fn gather_rows<T: Send + 'static>(
    scratch: &ScratchPool,
    rows: usize,
    width: usize,
    work: impl Fn(usize, &mut Vec<T>) + Sync,
) -> PooledVec<'_, T> {
    let band = TASK.div_ceil(width);
    let all = Mutex::new(scratch.vec());
    for_each_index(rows.div_ceil(band), |i| {
        let mut found = scratch.vec();
        (i * band..((i + 1) * band).min(rows)).for_each(|y| work(y, &mut found));
        all.lock().unwrap_or_else(PoisonError::into_inner).append(&mut found);
    });
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `work` for every number below `count`, each a task.
pub(crate) fn for_each_index(count: usize, work: impl Fn(usize) + Sync + Send) {
    shared(count, || {
        #[cfg(feature = "parallel")]
        (0..count).into_par_iter().for_each(work);
        #[cfg(not(feature = "parallel"))]
        (0..count).for_each(work);
    });
}

const SORTED: usize = 2048;

/// Sorts values of which no two are equal, or equal ones alike.
pub(crate) fn sort<T: Ord + Send>(values: &mut [T]) {
    shared(values.len() / SORTED, || {
        #[cfg(feature = "parallel")]
        values.par_sort_unstable();
        #[cfg(not(feature = "parallel"))]
        values.sort_unstable();
    });
}

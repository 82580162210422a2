//! Parallel loops over rows and items. They run on the current Rayon thread pool if the feature
//! `parallel` is enabled, and on the calling thread otherwise. Iterations are independent, so the
//! results do not depend on the number of threads. [`ParallelFraction`] measures the time spent in
//! these loops.

mod share;
mod tasks;

use crate::scratch::{PooledVec, ScratchPool};
use share::LoopTimer;
pub use share::ParallelFraction;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use tasks::{Rows, for_each_task, join_threads};

/// Smallest number of values per task. The limit keeps the cost of scheduling small compared with
/// the work.
const VALUES_PER_TASK: usize = 8192;

/// Smallest number of cells for which a whole step runs on a thread of the Rayon pool.
#[cfg(feature = "parallel")]
const MIN_POOL_CELLS: usize = 4 * VALUES_PER_TASK;

/// Calls `work` on a thread of the Rayon pool if `cells`, the number of cells to process, is large
/// enough. A caller outside the pool then synchronises with the pool only once, instead of once per
/// loop.
pub(crate) fn run_in_pool<T: Send>(cells: usize, work: impl FnOnce() -> T + Send) -> T {
    #[cfg(feature = "parallel")]
    if cells >= MIN_POOL_CELLS
        && rayon::current_thread_index().is_none()
        && rayon::current_num_threads() > 1
        && !share::is_measuring()
    {
        return rayon::scope(|_| work());
    }
    let _ = cells;
    work()
}

/// Calls `work(y, row)` for each row of an array in parallel. `width` is the number of values per
/// row.
pub(crate) fn for_each_row<T: Send>(
    data: &mut [T],
    width: usize,
    work: impl Fn(usize, &mut [T]) + Sync,
) {
    let rows = data.len() / width;
    let whole = (0..rows, Rows { values: data, width });
    for_each_task(whole, rows, VALUES_PER_TASK.div_ceil(width), &|(range, rows)| {
        range.zip(rows).for_each(|(y, row)| work(y, row));
    });
}

/// Splits an array into bands of at least `min_rows` rows, and calls `work(rows, band)` for each of
/// them in parallel. `width` is the number of values per row.
pub(crate) fn for_each_band<T: Send>(
    data: &mut [T],
    width: usize,
    min_rows: usize,
    work: impl Fn(Range<usize>, &mut [T]) + Sync,
) {
    let rows = data.len() / width;
    let whole = (0..rows, Rows { values: data, width });
    for_each_task(whole, rows, min_rows, &|(range, rows)| work(range, rows.values));
}

/// Calls `work(y, row_a, row_b)` in parallel for each pair of corresponding rows in two arrays with
/// the same number of rows.
pub(crate) fn for_each_row_pair<A: Send, B: Send>(
    a: &mut [A],
    width_a: usize,
    b: &mut [B],
    width_b: usize,
    work: impl Fn(usize, &mut [A], &mut [B]) + Sync,
) {
    let rows = (a.len() / width_a).min(b.len() / width_b);
    let rows_per_task = VALUES_PER_TASK.div_ceil(width_a);
    let (a, b) = (Rows { values: a, width: width_a }, Rows { values: b, width: width_b });
    for_each_task((0..rows, (a, b)), rows, rows_per_task, &|(range, (a, b))| {
        range.zip(a.into_iter().zip(b)).for_each(|(y, (a, b))| work(y, a, b));
    });
}

/// Returns the number of threads that execute the parallel loops. During a
/// [measurement](ParallelFraction::measure), returns 2, because loops are split into tasks only if
/// there are several threads.
pub(crate) fn num_threads() -> usize {
    if share::is_measuring() { 2 } else { num_pool_threads() }
}

fn num_pool_threads() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// Calls two closures. They run in parallel if the pool has several threads.
pub(crate) fn join(a: impl FnOnce() + Send, b: impl FnOnce() + Send) {
    let _timer = LoopTimer::start(2);
    let (mut a, mut b) = (Some(a), Some(b));
    let a = &mut |_| a.take().into_iter().for_each(|a| a());
    let b = &mut |_| b.take().into_iter().for_each(|b| b());
    // Moving work to a pool of one thread would only add latency.
    if num_pool_threads() > 1 {
        join_threads(a, b);
    } else {
        a(false);
        b(false);
    }
}

/// Splits `data` recursively into `count` parts and calls `work` for each part in parallel.
/// `split(data, n)` returns the first `n` parts and the remaining parts.
pub(crate) fn for_each_part<T: Send>(
    data: T,
    count: usize,
    split: &(impl Fn(T, usize) -> [T; 2] + Sync),
    work: &(impl Fn(T) + Sync),
) {
    match count {
        0 => {}
        1 => work(data),
        _ => {
            let half = count / 2;
            let [front, rest] = split(data, half);
            let rest = || for_each_part(rest, count - half, split, work);
            join(|| for_each_part(front, half, split, work), rest);
        }
    }
}

/// Calls `work(i, item)` for each item of a slice in parallel. Each task processes at least
/// `min_len` items.
pub(crate) fn for_each_item<T: Send>(
    items: &mut [T],
    min_len: usize,
    work: impl Fn(usize, &mut T) + Sync + Send,
) {
    let len = items.len();
    for_each_task((0..len, items), len, min_len, &|(range, items)| {
        range.zip(items).for_each(|(i, item)| work(i, item));
    });
}

/// Splits `values` into chunks of `width` values, and pairs each chunk with the item of the same
/// index in `items`. Calls `work(i, chunk, item)` in parallel for each pair. Each call is a
/// separate task.
pub(crate) fn for_each_chunk_with_item<A: Send, B: Send>(
    values: &mut [A],
    width: usize,
    items: &mut [B],
    work: impl Fn(usize, &mut [A], &mut B) + Sync + Send,
) {
    let len = values.len().div_ceil(width).min(items.len());
    let whole = (0..len, (Rows { values, width }, items));
    for_each_task(whole, len, 1, &|(range, (chunks, items))| {
        range
            .zip(chunks.into_iter().zip(items))
            .for_each(|(i, (chunk, item))| work(i, chunk, item));
    });
}

/// Smallest number of items that a task processes in [`map`].
const ITEMS_PER_TASK: usize = 64;

/// Calls `work(item)` for every item in parallel. Returns the results in the order of the items.
pub(crate) fn map<A: Sync, B: Send>(items: &[A], work: impl Fn(&A) -> B + Sync + Send) -> Vec<B> {
    let mut results: Vec<Option<B>> = items.iter().map(|_| None).collect();
    for_each_item(&mut results, ITEMS_PER_TASK, |i, result| *result = Some(work(&items[i])));
    results.into_iter().flatten().collect()
}

/// Calls `work(y, row_a, row_b)` in parallel for each pair of corresponding rows in two arrays with
/// rows of the same width. Returns the results in the order of the rows.
pub(crate) fn map_row_pairs<'s, A: Send, B: Send>(
    scratch: &'s ScratchPool,
    a: &mut [A],
    b: &mut [B],
    width: usize,
    work: impl Fn(usize, &mut [A], &mut [B]) -> f64 + Sync,
) -> PooledVec<'s, f64> {
    let rows = a.len() / width;
    let mut sums = scratch.take_filled(rows, 0.0);
    let pairs = (Rows { values: a, width }, Rows { values: b, width });
    let whole = (0..rows, (&mut sums[..], pairs));
    for_each_task(whole, rows, VALUES_PER_TASK.div_ceil(width), &|(range, (sums, (a, b)))| {
        let rows = range.zip(a.into_iter().zip(b));
        sums.iter_mut().zip(rows).for_each(|(sum, (y, (a, b)))| *sum = work(y, a, b));
    });
    sums
}

/// Calls `work(y, buffer)` for every row in parallel. Returns the results in the order of the rows.
/// `buffer` is scratch memory of `width` values, whose initial contents are unspecified.
pub(crate) fn map_rows<T: Send + Default + Clone + 'static>(
    scratch: &ScratchPool,
    rows: usize,
    width: usize,
    work: impl Fn(usize, &mut [f32]) -> T + Sync,
) -> PooledVec<'_, T> {
    let mut results = scratch.take_filled(rows, T::default());
    let whole = (0..rows, &mut results[..]);
    for_each_task(whole, rows, VALUES_PER_TASK.div_ceil(width), &|(range, results)| {
        let mut buffer = scratch.take_filled(width, 0.0);
        range.zip(results).for_each(|(y, result)| *result = work(y, &mut buffer));
    });
    results
}

/// Calls `work(y, list)` in parallel for every row index `y` below `rows`. Returns all values that
/// `work` appended to `list`, in an unspecified order. `width`, the number of cells per row,
/// determines the number of rows per task.
pub(crate) fn collect_rows<T: Send + 'static>(
    scratch: &ScratchPool,
    rows: usize,
    width: usize,
    work: impl Fn(usize, &mut Vec<T>) + Sync,
) -> PooledVec<'_, T> {
    let rows_per_task = VALUES_PER_TASK.div_ceil(width);
    let all = Mutex::new(scratch.take_vec());
    for_each_index(rows.div_ceil(rows_per_task), |i| {
        let mut list = scratch.take_vec();
        (i * rows_per_task..((i + 1) * rows_per_task).min(rows)).for_each(|y| work(y, &mut list));
        all.lock().unwrap_or_else(PoisonError::into_inner).append(&mut list);
    });
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `work(i)` in parallel for every index from 0 to `count − 1`. Each call is a separate task.
pub(crate) fn for_each_index(count: usize, work: impl Fn(usize) + Sync + Send) {
    for_each_task(0..count, count, 1, &|range| range.for_each(&work));
}

/// Smallest number of values per sorting task.
const VALUES_PER_SORT_TASK: usize = 2048;

/// Sorts values in parallel. Elements that compare equal must be identical, because their order is
/// unspecified.
pub(crate) fn sort<T: Ord + Send>(values: &mut [T]) {
    let _timer = LoopTimer::start(values.len() / VALUES_PER_SORT_TASK);
    #[cfg(feature = "parallel")]
    rayon::slice::ParallelSliceMut::par_sort_unstable(values);
    #[cfg(not(feature = "parallel"))]
    values.sort_unstable();
}

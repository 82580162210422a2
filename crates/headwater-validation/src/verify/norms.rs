//! Error norms of fields, and comparisons of runs with different numbers of threads.

use super::FROZEN;
use crate::pool::create_pool;
use anyhow::Result;
use headwater::Field;

/// Returns the maximum absolute value of a field.
pub(super) fn max_abs(field: &Field<f32>) -> f64 {
    field.as_slice().iter().fold(0.0, |max, &value| f64::from(value.abs()).max(max))
}

/// Returns the maximum absolute difference between two fields.
pub(super) fn max_difference(a: &Field<f32>, b: &Field<f32>) -> f64 {
    let pairs = a.as_slice().iter().zip(b.as_slice());
    pairs.map(|(a, b)| f64::from((a - b).abs())).fold(0.0, f64::max)
}

/// Returns the maximum of several errors; returns NaN if one of them is NaN.
pub(super) fn max_of_errors(errors: impl IntoIterator<Item = Result<f64>>) -> Result<f64> {
    errors.into_iter().try_fold(0.0, |max, error| Ok(max_error(max, error?)))
}

/// Returns the maximum of two errors. If one of them is NaN, returns NaN, which fails every limit.
pub(super) fn max_error(first: f64, second: f64) -> f64 {
    if first >= second || first.is_nan() { first } else { second }
}

/// Returns the number of thread counts in `threads` for which the check `is_correct` returns false.
pub(super) fn failing_thread_counts<const N: usize>(
    threads: [usize; N],
    is_correct: impl Fn() -> Result<bool> + Sync,
) -> Result<f64> {
    let mut wrong = 0;
    for threads in threads {
        wrong += u32::from(!create_pool(threads)?.install(&is_correct)?);
    }
    Ok(wrong.into())
}

/// Returns the number of runs, among those on 2 and 8 threads, that differ from the run on one
/// thread. `run` returns the hash of the final state, or `None` if nothing has moved.
pub(super) fn count_runs_unlike_one_thread(
    run: impl Fn() -> Result<Option<u64>> + Sync,
) -> Result<f64> {
    match create_pool(1)?.install(&run)? {
        None => Ok(FROZEN),
        one => failing_thread_counts([2, 8], || Ok(run()? == one)),
    }
}

//! What is measured of fields and of states, whatever they are of.

use super::FROZEN;
use crate::pool::pool;
use anyhow::Result;
use headwater::Field;

/// The greatest value, up or down.
pub(super) fn greatest(field: &Field<f32>) -> f64 {
    field.as_slice().iter().fold(0.0, |most, &value| f64::from(value.abs()).max(most))
}

/// How far two fields are apart where they are farthest.
pub(super) fn apart(a: &Field<f32>, b: &Field<f32>) -> f64 {
    let pairs = a.as_slice().iter().zip(b.as_slice());
    pairs.map(|(a, b)| f64::from((a - b).abs())).fold(0.0, f64::max)
}

/// The greatest of some errors, each of which takes a run; NaN if one is.
pub(super) fn worst(errors: impl IntoIterator<Item = Result<f64>>) -> Result<f64> {
    errors.into_iter().try_fold(0.0, |most, error| Ok(worse(most, error?)))
}

/// The greater of two errors; NaN if one is, which keeps no limit.
pub(super) fn worse(one: f64, other: f64) -> f64 {
    if one >= other || one.is_nan() { one } else { other }
}

/// Of some counts of threads, how many do not do as they should.
pub(super) fn wrong_on<const N: usize>(
    threads: [usize; N],
    right: impl Fn() -> Result<bool> + Sync,
) -> Result<f64> {
    let mut wrong = 0;
    for threads in threads {
        wrong += u32::from(!pool(threads)?.install(&right)?);
    }
    Ok(wrong.into())
}

/// How many runs on 2 and 8 threads end unlike that on one. A run gives the hash of what it comes to, or nothing if
/// nothing has moved.
pub(super) fn unlike_one_thread(run: impl Fn() -> Result<Option<u64>> + Sync) -> Result<f64> {
    match pool(1)?.install(&run)? {
        None => Ok(FROZEN),
        one => wrong_on([2, 8], || Ok(run()? == one)),
    }
}

//! Number of fixed time steps up to a given time.

/// Tolerance for reaching a stop, as a fraction of the time step. It absorbs rounding errors in
/// sums of time steps.
pub(crate) const STOP_TOLERANCE: f64 = 1e-6;

/// Returns the number of steps of length `step` (s) to do after the first `done` steps so that the
/// last one ends by the time `stop` (s). The result is at most `most`.
pub(crate) fn steps_to(done: u64, step: f64, stop: f64, most: u64) -> u64 {
    let fits = |more: &u64| (done + more) as f64 * step + step * (1.0 - STOP_TOLERANCE) <= stop;
    (0..most).take_while(fits).count() as u64
}

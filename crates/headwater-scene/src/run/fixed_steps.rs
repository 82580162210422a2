//! Number of steps of constant length up to a stop.

/// Tolerance for stops as a fraction of a step, because sums of time steps are rounded.
pub(crate) const STOP_TOLERANCE: f64 = 1e-6;

/// Returns how many further steps of length `step` (s), at most `most`, end by the time `stop` (s)
/// after `done` steps.
pub(crate) fn steps_to(done: u64, step: f64, stop: f64, most: u64) -> u64 {
    let fits = |more: &u64| (done + more) as f64 * step + step * (1.0 - STOP_TOLERANCE) <= stop;
    (0..most).take_while(fits).count() as u64
}

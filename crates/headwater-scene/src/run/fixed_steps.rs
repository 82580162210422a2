//! Computation of the number of fixed-length steps that fit before a given time.

/// Tolerance for reaching a scheduled time, as a fraction of the time step. This tolerance absorbs
/// the rounding errors of summed time steps.
pub(crate) const STOP_TOLERANCE: f64 = 1e-6;

/// Returns how many more steps of length `step` (s) a world that has taken `steps_taken` steps can
/// take without passing the time `stop` (s). The result is at most `max_steps`.
pub(crate) fn fixed_steps_until(steps_taken: u64, step: f64, stop: f64, max_steps: u64) -> u64 {
    let fits =
        |more: &u64| (steps_taken + more) as f64 * step + step * (1.0 - STOP_TOLERANCE) <= stop;
    (0..max_steps).take_while(fits).count() as u64
}

//! Steps of one length, on the way to a stop.

/// A step that ends this part of itself after a stop still ends at it: times add up with rounding.
pub(crate) const STOP_TOLERANCE: f64 = 1e-6;

/// How many more steps of `step` seconds end by the time `stop` (s) when so many are `done`, at most `most`.
pub(crate) fn steps_to(done: u64, step: f64, stop: f64, most: u64) -> u64 {
    let fits = |more: &u64| (done + more) as f64 * step + step * (1.0 - STOP_TOLERANCE) <= stop;
    (0..most).take_while(fits).count() as u64
}

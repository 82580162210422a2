//! Construction of wave worlds for the test cases.

use anyhow::Result;
use headwater::Square;
use headwater::waves::{Params, Waves};

/// Default time step (s), with cells of 1 m.
pub(super) const STEP: f64 = 0.1;

/// Creates a wave world of `nx × ny` cells of 1 m.
pub(super) fn create_world(nx: usize, ny: usize, params: Params) -> Result<Waves> {
    Ok(Waves::new(Square::new(nx, ny, 1.0, 1.0)?, params)?)
}

/// Returns parameters with the given `q = c²t²/d²` and `μt` (damping rate times time step), for
/// cells of 1 m.
pub(super) fn create_params(q: f64, mu_t: f64) -> Params {
    let (speed, damping) = (q.sqrt() / STEP, mu_t / STEP);
    Params { speed, damping, step: STEP, ..Params::default() }
}

//! Exact solutions of the shallow-water equations as pure functions of position and time in `f64`.
//! They do not use the models that are verified with them.
//!
//! Sources: SWASHES (Delestre, Lucas, Ksinant, Darboux, Laguerre, Vo, James & Cordier 2013,
//! "SWASHES: a compilation of shallow water analytic solutions"), and the papers named in each
//! file.

mod bump;
mod dam_break;
mod film;
mod macdonald;
mod thacker;

pub(super) use bump::{Bump, Regime};
pub(super) use dam_break::DamBreak;
pub(super) use film::Film;
pub(super) use macdonald::{LENGTH, MacDonald};
pub(super) use thacker::{PlanarOscillation, RadialOscillation, SWASHES_BOWL};

/// Gravitational acceleration (m/s²), as in the model's default parameters.
pub(super) const GRAVITY: f64 = 9.81;

/// Exact solution of the shallow-water equations over a bed.
pub(super) trait ExactSolution: Send + Sync {
    /// Returns the bed height (m) at a position (m); 0 by default.
    fn bed(&self, _: [f64; 2]) -> f64 {
        0.0
    }

    /// Returns the depth (m) at a position (m) and a time (s).
    fn depth(&self, at: [f64; 2], time: f64) -> f64;
}

/// Returns the critical depth (m) for a unit discharge (m²/s): `(q²/g)^(1/3)`.
fn critical_depth(q: f64) -> f64 {
    (q * q / GRAVITY).cbrt()
}

/// Returns the specific energy (m), which is the head above the bed: `h + q²/(2·g·h²)`.
fn specific_energy(q: f64, h: f64) -> f64 {
    h + q * q / (2.0 * GRAVITY * h * h)
}

/// Returns, by bisection, the root of a function that is negative at `low`, positive at `high` and
/// increasing between them.
pub(super) fn bisect(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    // Each halving gains one bit; an `f64` has 53.
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if f(middle) < 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

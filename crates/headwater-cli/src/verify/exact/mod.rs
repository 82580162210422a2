//! Solutions of the shallow-water equations that are known exactly, as pure functions of place and
//! time in f64. They know nothing of the model: its worlds are built and measured elsewhere.
//!
//! Sources: SWASHES (Delestre, Lucas, Ksinant, Darboux, Laguerre, Vo, James & Cordier 2013, "a
//! compilation of shallow water analytic solutions"), and the papers that each file names.

mod bump;
mod dam_break;
mod film;
mod macdonald;
mod thacker;

pub(super) use bump::{Bump, Regime};
pub(super) use dam_break::DamBreak;
pub(super) use film::Film;
pub(super) use macdonald::{LENGTH, MacDonald};
pub(super) use thacker::{Planar, Radial, SWASHES_BOWL};

/// Gravity (m/s²), as in the model's default parameters.
pub(super) const GRAVITY: f64 = 9.81;

/// A flow over a bed of which everything is known.
pub(super) trait Exact: Send + Sync {
    /// Height of the ground (m) at a place (m); level, if nothing else is said.
    fn bed(&self, _: [f64; 2]) -> f64 {
        0.0
    }

    /// Depth of the water (m) at a place (m) and a time (s).
    fn depth(&self, at: [f64; 2], time: f64) -> f64;
}

/// Critical depth (m) of a unit discharge (m²/s): `(q²/g)^(1/3)`.
fn critical_depth(q: f64) -> f64 {
    (q * q / GRAVITY).cbrt()
}

/// Specific energy (m), the head above the bed: `h + q²/(2·g·h²)`.
fn specific_energy(q: f64, h: f64) -> f64 {
    h + q * q / (2.0 * GRAVITY * h * h)
}

/// The root of a function that rises from below zero at `low` to above zero at `high`.
pub(super) fn bisect(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    // Each halving wins a bit; an f64 has 53.
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if f(middle) < 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

//! How many hexagons the fastest wave crosses in a second.

use crate::flow::shallow::{Water, larger};
use multiversion::multiversion;

/// Part of the way to the next cell that a wave may go in a step. Unlimited, the scheme is stable
/// up to 0.74 at least, in any direction (squares: 0.5, by Fourier analysis).
pub(in crate::flow::shallow) const COURANT: f64 = 0.6;

#[derive(Clone, Copy)]
pub(in crate::flow::shallow) struct Crossing {
    pub(in crate::flow::shallow) gravity: f32,
    pub(in crate::flow::shallow) per_length: f32,
    pub(in crate::flow::shallow) film: f32,
}

#[multiversion(targets = "simd")]
pub(in crate::flow::shallow) fn rates_of_row(
    crossing: Crossing,
    h: &[f32],
    q: [&[f32]; 2],
    rates: &mut [f32],
) {
    let n = rates.len();
    let (h, hu, hv) = (&h[..n], &q[0][..n], &q[1][..n]);
    for i in 0..n {
        rates[i] = rate(crossing, h[i], hu[i], hv[i]);
    }
}

/// A cell's, along the axis on which it is the greatest.
#[inline(always)]
fn rate(Crossing { gravity, per_length, film }: Crossing, h: f32, hu: f32, hv: f32) -> f32 {
    let c = (gravity * larger(h, film)).sqrt();
    let Water { u, v, .. } = Water::new(0.0, h, hu, hv);
    let fastest = larger(u.abs(), 0.5 * u.abs() + super::DOWN * v.abs());
    (fastest + c) * per_length
}

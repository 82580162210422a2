//! Rates at which shallow-water waves cross hexagons, in cells per second.

use crate::flow::schemes::shallow::{Water, fast_max};
use multiversion::multiversion;

/// Courant number: the fraction of the cell distance that a wave may travel in a step. By Fourier
/// analysis, the scheme without slope limiter is stable up to at least 0.74 in any direction
/// (squares: 0.5).
pub(in crate::flow::schemes::shallow) const COURANT: f64 = 0.6;

#[derive(Clone, Copy)]
pub(in crate::flow::schemes::shallow) struct HexWaveParams {
    pub(in crate::flow::schemes::shallow) gravity: f32,
    pub(in crate::flow::schemes::shallow) per_length: f32,
    pub(in crate::flow::schemes::shallow) film: f32,
}

#[multiversion(targets = "simd")]
pub(in crate::flow::schemes::shallow) fn compute_row_wave_rates(
    rates_of: HexWaveParams,
    h: &[f32],
    q: [&[f32]; 2],
    rates: &mut [f32],
) {
    let n = rates.len();
    let (h, hu, hv) = (&h[..n], &q[0][..n], &q[1][..n]);
    for i in 0..n {
        rates[i] = hex_wave_rate(rates_of, h[i], hu[i], hv[i]);
    }
}

/// Returns the largest rate (cells/s) at which waves cross a cell along any of the three axes.
#[inline(always)]
fn hex_wave_rate(
    HexWaveParams { gravity, per_length, film }: HexWaveParams,
    h: f32,
    hu: f32,
    hv: f32,
) -> f32 {
    let c = (gravity * fast_max(h, film)).sqrt();
    let Water { u, v, .. } = Water::new(0.0, h, hu, hv);
    let fastest = fast_max(u.abs(), 0.5 * u.abs() + super::SLANT_SOUTH * v.abs());
    (fastest + c) * per_length
}

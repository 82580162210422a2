//! Vectorised row loops for hexagons. The loops correspond to the loops for squares in
//! [`crate::flow::schemes::shallow::loops`].

use super::buffers::FaceMomentumSlices;
use super::{FaceMomentum, half_step, momentum_change};
use crate::flow::schemes::shallow::Coefficients;
use crate::flow::schemes::shallow::buffers::{SlopeSlices, WaterSlices};
use multiversion::multiversion;

/// Computes the state of a row of cells half a time step later (stage 2 of the scheme). `slopes`
/// contains the half-slopes along the three axes: the changes from the centre of a cell to its
/// face. Their velocity components are parallel and perpendicular to the respective axis.
#[expect(clippy::too_many_arguments, reason = "separate outputs, see above")]
#[multiversion(targets = "simd")]
pub(super) fn compute_half_steps(
    here: &WaterSlices,
    slopes: &[SlopeSlices; 3],
    drag: &[f32],
    c: &Coefficients,
    h: &mut [f32],
    per_h: &mut [f32],
    u: &mut [f32],
    v: &mut [f32],
) {
    let n = h.len();
    let [east, southeast, southwest] = slopes;
    let (east, southeast, southwest) =
        (east.truncate(n), southeast.truncate(n), southwest.truncate(n));
    let (here, drag) = (here.truncate(n), &drag[..n]);
    let (per_h, u, v) = (&mut per_h[..n], &mut u[..n], &mut v[..n]);
    let c = *c;
    for i in 0..n {
        let slopes = [east.at(i), southeast.at(i), southwest.at(i)];
        let half = half_step(here.at(i), slopes, drag[i], &c);
        (h[i], per_h[i], u[i], v[i]) = (half.h, half.per_h, half.u, half.v);
    }
}

/// Computes the momentum changes of a row of cells (stage 6 of the scheme). Reads the fluxes
/// through the two faces of each cell on each axis, and the slopes of the water surface.
#[multiversion(targets = "simd")]
pub(super) fn compute_momentum_changes(
    h: &[f32],
    slopes: [&[f32]; 3],
    faces: &[[FaceMomentumSlices; 2]; 3],
    c: &Coefficients,
    change_x: &mut [f32],
    change_y: &mut [f32],
) {
    let n = change_x.len();
    let change_y = &mut change_y[..n];
    let h = &h[..n];
    // Sliced one by one, because the compiler cannot derive the lengths through `map`.
    let (w0, w1, w2) = (&slopes[0][..n], &slopes[1][..n], &slopes[2][..n]);
    let [[a, b], [p, q], [r, s]] = faces;
    let (a_across, a_along) = (&a.across[..n], &a.along[..n]);
    let (b_across, b_along) = (&b.across[..n], &b.along[..n]);
    let (p_across, p_along) = (&p.across[..n], &p.along[..n]);
    let (q_across, q_along) = (&q.across[..n], &q.along[..n]);
    let (r_across, r_along) = (&r.across[..n], &r.along[..n]);
    let (s_across, s_along) = (&s.across[..n], &s.along[..n]);
    let c = *c;
    for i in 0..n {
        let acting =
            |across: &[f32], along: &[f32]| FaceMomentum { across: across[i], along: along[i] };
        let faces = [
            [acting(a_across, a_along), acting(b_across, b_along)],
            [acting(p_across, p_along), acting(q_across, q_along)],
            [acting(r_across, r_along), acting(s_across, s_along)],
        ];
        [change_x[i], change_y[i]] = momentum_change(faces, h[i], [w0[i], w1[i], w2[i]], &c);
    }
}

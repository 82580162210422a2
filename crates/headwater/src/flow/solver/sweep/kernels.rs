//! Row loops for stages 4 and 5 of a time step, compiled for several instruction sets. All slices
//! passed to a function have equal lengths, and outputs are separate arguments, so that the loops
//! vectorise.

use crate::flow::schemes::transport;
use multiversion::multiversion;

/// Computes the outflow scale of each cell in a row of squares: the factor (0 to 1) that limits the
/// outflow of the cell to its water (stage 4 of a time step). Returns true if any scale is below 1.
#[multiversion(targets = "simd")]
pub(super) fn compute_outflow_scales(
    scale: &mut [f32],
    h: &[f32],
    faces: [[&[f32]; 2]; 2],
    to_depth: f32,
) -> bool {
    let n = scale.len();
    let h = &h[..n];
    let [[west, east], [north, south]] = faces;
    let (west, east, north, south) = (&west[..n], &east[..n], &north[..n], &south[..n]);
    let mut any = 0_u32;
    for i in 0..n {
        let pairs = [[west[i], east[i]], [north[i], south[i]]];
        scale[i] = transport::outflow_scale(h[i], pairs, to_depth);
        any |= u32::from(scale[i] < 1.0);
    }
    any > 0
}

#[multiversion(targets = "simd")]
pub(super) fn compute_outflow_scales_hex(
    scale: &mut [f32],
    h: &[f32],
    faces: [[&[f32]; 2]; 3],
    to_depth: f32,
) -> bool {
    let n = scale.len();
    let h = &h[..n];
    let [[west, east], [north, south], [up, down]] = faces;
    let (west, east, north, south) = (&west[..n], &east[..n], &north[..n], &south[..n]);
    let (up, down) = (&up[..n], &down[..n]);
    let mut any = 0_u32;
    for i in 0..n {
        let pairs = [[west[i], east[i]], [north[i], south[i]], [up[i], down[i]]];
        scale[i] = transport::outflow_scale(h[i], pairs, to_depth);
        any |= u32::from(scale[i] < 1.0);
    }
    any > 0
}

/// Multiplies the discharge through each face in `q` by the outflow scale of its upstream cell
/// (stage 4 of a time step). `scale` contains the outflow scales of the cells before and after each
/// face.
#[multiversion(targets = "simd")]
pub(super) fn scale_discharges(q: &mut [f32], scale: [&[f32]; 2]) {
    let n = q.len();
    let (before, after) = (&scale[0][..n], &scale[1][..n]);
    for i in 0..n {
        q[i] = transport::scaled_discharge(q[i], [before[i], after[i]]);
    }
}

/// Outflow scales in and around a row of cells: the factors that limit the outflow of each cell to
/// its water. `along` contains the scales of the western neighbours, of the cells themselves and of
/// the eastern neighbours; `south` contains those of the southern neighbours.
#[derive(Clone, Copy)]
pub(super) struct RowScales<'a> {
    pub(super) along: [&'a [f32]; 3],
    pub(super) south: &'a [f32],
}

/// Scales the discharges through the x-faces and the southern faces of a row of squares by the
/// outflow scales (stage 4 of a time step). Then updates the depths of the row (stage 5). The
/// discharges through the northern faces must be scaled already. `x` has one element more than the
/// row has cells.
#[multiversion(targets = "simd")]
pub(super) fn scale_and_update_depths(
    h: &mut [f32],
    remainder: &mut [f32],
    x: &mut [f32],
    south: &mut [f32],
    north: &[f32],
    scales: RowScales,
    to_depth: f32,
) {
    let RowScales { along: [west, own, east], south: below } = scales;
    let n = h.len();
    let (remainder, x) = (&mut remainder[..n], &mut x[..n + 1]);
    let (west, own, east, below) = (&west[..n], &own[..n], &east[..n], &below[..n]);
    let (north, south) = (&north[..n], &mut south[..n]);
    for i in 0..n {
        let from = transport::scaled_discharge(x[i], [west[i], own[i]]);
        let to = transport::scaled_discharge(x[i + 1], [own[i], east[i]]);
        let down = transport::scaled_discharge(south[i], [own[i], below[i]]);
        (x[i], south[i]) = (from, down);
        let pairs = [[from, to], [north[i], down]];
        [h[i], remainder[i]] = transport::update_depth([h[i], remainder[i]], pairs, to_depth);
    }
    x[n] = transport::scaled_discharge(x[n], [own[n - 1], east[n - 1]]);
}

/// Scales the discharges through the x-faces and the southern faces of a row of hexagons by the
/// outflow scales (stage 4 of a time step). Then updates the depths of the row (stage 5).
/// `north_slanted` and `south_slanted` contain the discharges through the z-faces north and south
/// of the cells. `scale_slanted` contains the outflow scales of the cells beyond the southern
/// z-faces.
#[expect(clippy::too_many_arguments, reason = "separate outputs, see above")]
#[multiversion(targets = "simd")]
pub(super) fn scale_and_update_depths_hex(
    h: &mut [f32],
    remainder: &mut [f32],
    x: &mut [f32],
    south: &mut [f32],
    south_slanted: &mut [f32],
    [north, north_slanted]: [&[f32]; 2],
    scales: RowScales,
    scale_slanted: &[f32],
    to_depth: f32,
) {
    let RowScales { along: [west, own, east], south: below } = scales;
    let n = h.len();
    let (remainder, x) = (&mut remainder[..n], &mut x[..n + 1]);
    let (west, own, east, below) = (&west[..n], &own[..n], &east[..n], &below[..n]);
    let (north, south) = (&north[..n], &mut south[..n]);
    let (north_slanted, south_slanted, beyond) =
        (&north_slanted[..n], &mut south_slanted[..n], &scale_slanted[..n]);
    for i in 0..n {
        let from = transport::scaled_discharge(x[i], [west[i], own[i]]);
        let to = transport::scaled_discharge(x[i + 1], [own[i], east[i]]);
        let down = transport::scaled_discharge(south[i], [own[i], below[i]]);
        let away = transport::scaled_discharge(south_slanted[i], [own[i], beyond[i]]);
        (x[i], south[i], south_slanted[i]) = (from, down, away);
        let pairs = [[from, to], [north[i], down], [north_slanted[i], away]];
        [h[i], remainder[i]] = transport::update_depth([h[i], remainder[i]], pairs, to_depth);
    }
    x[n] = transport::scaled_discharge(x[n], [own[n - 1], east[n - 1]]);
}

/// Updates the depths of a row of squares in which no outflow needs scaling (stage 5 of a time
/// step).
#[multiversion(targets = "simd")]
pub(super) fn update_depths(
    h: &mut [f32],
    remainder: &mut [f32],
    x: &[f32],
    [north, south]: [&[f32]; 2],
    to_depth: f32,
) {
    let n = h.len();
    let (remainder, west, east) = (&mut remainder[..n], &x[..n], &x[1..n + 1]);
    let (north, south) = (&north[..n], &south[..n]);
    for i in 0..n {
        let pairs = [[west[i], east[i]], [north[i], south[i]]];
        [h[i], remainder[i]] = transport::update_depth([h[i], remainder[i]], pairs, to_depth);
    }
}

#[multiversion(targets = "simd")]
pub(super) fn update_depths_hex(
    h: &mut [f32],
    remainder: &mut [f32],
    x: &[f32],
    [north, south]: [&[f32]; 2],
    [up, down]: [&[f32]; 2],
    to_depth: f32,
) {
    let n = h.len();
    let (remainder, west, east) = (&mut remainder[..n], &x[..n], &x[1..n + 1]);
    let (north, south, up, down) = (&north[..n], &south[..n], &up[..n], &down[..n]);
    for i in 0..n {
        let pairs = [[west[i], east[i]], [north[i], south[i]], [up[i], down[i]]];
        [h[i], remainder[i]] = transport::update_depth([h[i], remainder[i]], pairs, to_depth);
    }
}

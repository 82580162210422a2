//! Fused row loop of stages 2 to 4 of a time step with pipes. One loop accelerates the faces of a
//! row and computes the outflow scales of the cells above them, without intermediate stores. An
//! outflow scale is the factor (0 to 1) that limits the outflow of a cell to its water.

use super::accelerate_discharge;
use crate::flow::schemes::transport;
use multiversion::multiversion;

#[derive(Clone, Copy)]
pub(super) struct BedAndDepthRow<'a> {
    pub(super) bed: &'a [f32],
    pub(super) depth: &'a [f32],
}

#[derive(Clone, Copy)]
pub(super) struct FusedCoefficients {
    /// Factor by which friction reduces a discharge in a step (dimensionless).
    pub(super) decay: f32,
    /// Increase in a discharge in one step per metre of surface difference (m²/s): index 0 for
    /// x-faces, index 1 for all other faces.
    pub(super) push: [f32; 2],
    /// Factor that converts a discharge to a change in depth (s/m²).
    pub(super) to_depth: f32,
}

/// Performs stages 2 to 4 of a time step for a row of squares. It accelerates the x-faces of the
/// row `row` and the y-faces between the rows `row_above` and `row`. Then it computes the outflow
/// scales of the cells in `row_above`, the factors that limit their outflow to their water. Returns
/// true if any scale is below 1.
///
/// `x_above` contains the discharges through the x-faces of `row_above`, one more than there are
/// cells. `x` contains those through the eastern faces of the cells in `row`. `north` and `south`
/// contain those through the y-faces of the cells in `row_above`. `row` may extend one cell further
/// east than `row_above`, so that one loop covers all eastern faces; the discharge through the last
/// eastern face does not change.
#[expect(clippy::too_many_arguments, reason = "separate outputs, see above")]
#[multiversion(targets = "simd")]
pub(super) fn accelerate_and_limit_squares(
    scale: &mut [f32],
    x: &mut [f32],
    south: &mut [f32],
    north: &[f32],
    x_above: &[f32],
    row_above: BedAndDepthRow,
    row: BedAndDepthRow,
    c: FusedCoefficients,
) -> bool {
    let n = scale.len();
    let m = n.min(row.bed.len() - 1);
    let FusedCoefficients { decay, push: [push_x, push_y], to_depth } = c;
    let (west, east, north, south) =
        (&x_above[..n], &x_above[1..n + 1], &north[..n], &mut south[..n]);
    let (za, ha, z, h) =
        (&row_above.bed[..n], &row_above.depth[..n], &row.bed[..n], &row.depth[..n]);
    let (ze, he, x) = (&row.bed[1..m + 1], &row.depth[1..m + 1], &mut x[..n]);
    let beyond = x[n - 1];
    let mut any = 0_u32;
    for i in 0..m {
        let cell = [z[i], h[i]];
        x[i] = accelerate_discharge(x[i], decay, push_x, cell, [ze[i], he[i]]);
        let q = accelerate_discharge(south[i], decay, push_y, [za[i], ha[i]], cell);
        south[i] = q;
        let pairs = [[west[i], east[i]], [north[i], q]];
        scale[i] = transport::outflow_scale(ha[i], pairs, to_depth);
        any |= u32::from(scale[i] < 1.0);
    }
    x[n - 1] = beyond;
    // Handles the last cell of a run that has no eastern neighbour.
    for i in m..n {
        let q = accelerate_discharge(south[i], decay, push_y, [za[i], ha[i]], [z[i], h[i]]);
        south[i] = q;
        let pairs = [[west[i], east[i]], [north[i], q]];
        scale[i] = transport::outflow_scale(ha[i], pairs, to_depth);
        any |= u32::from(scale[i] < 1.0);
    }
    any > 0
}

/// Performs stages 2 to 4 of a time step for a row of hexagons. It accelerates the x-faces of the
/// row `row` and the slanted faces between the rows `row_above` and `row`. Then it computes the
/// outflow scales of the cells in `row_above`, the factors that limit their outflow to their water.
/// Returns true if any scale is below 1.
///
/// `x` contains the discharges through the x-faces between the cells in `row`. `north_slanted` and
/// `south_slanted` contain those through the z-faces north and south of the cells in `row_above`.
/// The faces in `south_slanted` lead to the southwest if `offset` is 0, and to the southeast
/// otherwise. At one end of the row, this face leads to no cell.
#[expect(clippy::too_many_arguments, reason = "separate outputs, see above")]
#[multiversion(targets = "simd")]
pub(super) fn accelerate_and_limit_hexagons(
    scale: &mut [f32],
    x: &mut [f32],
    south: &mut [f32],
    south_slanted: &mut [f32],
    [north, north_slanted]: [&[f32]; 2],
    x_above: &[f32],
    [row_above, row]: [BedAndDepthRow; 2],
    offset: usize,
    c: FusedCoefficients,
) -> bool {
    let n = scale.len();
    let m = n - 1;
    let FusedCoefficients { decay, push: [push_x, push], to_depth } = c;
    // Of two adjacent cells in this row, one shares a y-face with the cell above, and the other a
    // z-face.
    let (first, alone) = if offset == 0 { (1, 0) } else { (0, m) };
    let own = first..first + m;
    let beside = 1 - first..1 - first + m;
    let (west, east) = (&x_above[own.clone()], &x_above[first + 1..first + 1 + m]);
    let (za, ha) = (&row_above.bed[own.clone()], &row_above.depth[own.clone()]);
    let (z, h) = (&row.bed[own.clone()], &row.depth[own.clone()]);
    let (zs, hs) = (&row.bed[beside.clone()], &row.depth[beside]);
    let (zw, hw, ze, he) = (&row.bed[..m], &row.depth[..m], &row.bed[1..n], &row.depth[1..n]);
    let x = &mut x[..m];
    let (straight, north_of, north_slanted_of) =
        (&mut south[own.clone()], &north[own.clone()], &north_slanted[own.clone()]);
    let (aslant, part) = (&mut south_slanted[own.clone()], &mut scale[own]);
    let mut any = 0_u32;
    for i in 0..m {
        x[i] = accelerate_discharge(x[i], decay, push_x, [zw[i], hw[i]], [ze[i], he[i]]);
        let q = accelerate_discharge(straight[i], decay, push, [za[i], ha[i]], [z[i], h[i]]);
        let r = accelerate_discharge(aslant[i], decay, push, [za[i], ha[i]], [zs[i], hs[i]]);
        (straight[i], aslant[i]) = (q, r);
        let pairs = [[west[i], east[i]], [north_of[i], q], [north_slanted_of[i], r]];
        part[i] = transport::outflow_scale(ha[i], pairs, to_depth);
        any |= u32::from(part[i] < 1.0);
    }
    let i = alone;
    let cells = [[row_above.bed[i], row_above.depth[i]], [row.bed[i], row.depth[i]]];
    south[i] = accelerate_discharge(south[i], decay, push, cells[0], cells[1]);
    let pairs =
        [[x_above[i], x_above[i + 1]], [north[i], south[i]], [north_slanted[i], south_slanted[i]]];
    scale[i] = transport::outflow_scale(row_above.depth[i], pairs, to_depth);
    any > 0 || scale[i] < 1.0
}

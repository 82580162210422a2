//! Advection of heights by a current: the transport through each face, and the resulting heights.

use super::advection::{AdvectionField, wrap_index};
use crate::field::Field;
use crate::parallel;
use crate::waves::solver::rule::WaveCoefficients;

impl AdvectionField {
    pub(super) fn compute_transport_plain(
        &self,
        height: &Field<f32>,
        transport: &mut Field<f32>,
        rule: &WaveCoefficients,
        along_x: bool,
    ) {
        let axis = usize::from(!along_x);
        for y in 0..transport.ny() {
            for x in 0..transport.nx() {
                let cells = [-2, -1, 0, 1].map(|k| self.shifted_height(height, x, y, k, along_x));
                let (courant, curvature_weight) =
                    (self.normal[axis][(x, y)], self.curvature_weight[axis][(x, y)]);
                transport[(x, y)] =
                    rule.quantize(face_transport(courant, curvature_weight, cells, self.highest));
            }
        }
    }

    /// Returns the height of the cell that is `offset` cells to the east of (`x`, `y`) if `along_x`
    /// is true, or `offset` cells to the south otherwise. Returns 0 off the grid.
    fn shifted_height(
        &self,
        z: &Field<f32>,
        x: usize,
        y: usize,
        offset: isize,
        along_x: bool,
    ) -> f32 {
        let (x, y) = if along_x {
            (wrap_index(x as isize + offset, z.nx(), self.periodic[0]), Some(y))
        } else {
            (Some(x), wrap_index(y as isize + offset, z.ny(), self.periodic[1]))
        };
        match (x, y) {
            (Some(x), Some(y)) => z[(x, y)],
            _ => 0.0,
        }
    }

    /// Computes the same transports as [`compute_transport_plain`](Self::compute_transport_plain),
    /// but row by row. `level` is a row of zeros, which is used as the heights beyond edges of
    /// fixed height.
    pub(super) fn compute_transport_by_rows(
        &self,
        height: &Field<f32>,
        level: &[f32],
        transport: &mut Field<f32>,
        rule: &WaveCoefficients,
        along_x: bool,
    ) {
        let (nx, ny) = (height.nx(), height.ny());
        let rule = *rule;
        let width = transport.nx();
        if along_x {
            let (courants, bends) = (&self.normal[0], &self.curvature_weight[0]);
            parallel::for_each_row(transport.as_mut_slice(), width, |y, transport| {
                let (courant, curvature_weight, z) = (courants.row(y), bends.row(y), height.row(y));
                let at_end = |x: usize| {
                    let cells = [-2, -1, 0, 1].map(|k| self.shifted_height(height, x, y, k, true));
                    rule.quantize(face_transport(
                        courant[x],
                        curvature_weight[x],
                        cells,
                        self.highest,
                    ))
                };
                if nx < 4 {
                    (0..width).for_each(|x| transport[x] = at_end(x));
                    return;
                }
                let n = nx - 3;
                let (a, b, c, d) = (&z[..n], &z[1..n + 1], &z[2..n + 2], &z[3..n + 3]);
                let (courants, bends) = (&courant[2..n + 2], &curvature_weight[2..n + 2]);
                let inner = &mut transport[2..n + 2];
                for i in 0..n {
                    let cells = [a[i], b[i], c[i], d[i]];
                    inner[i] =
                        rule.quantize(face_transport(courants[i], bends[i], cells, self.highest));
                }
                for x in [0, 1, nx - 1, nx] {
                    transport[x] = at_end(x);
                }
            });
        } else {
            let (courants, bends) = (&self.normal[1], &self.curvature_weight[1]);
            let row =
                |y: isize| wrap_index(y, ny, self.periodic[1]).map_or(level, |y| height.row(y));
            parallel::for_each_row(transport.as_mut_slice(), nx, |y, transport| {
                let at = y as isize;
                let [a, b, c, d] = [at - 2, at - 1, at, at + 1].map(|y| &row(y)[..nx]);
                let (courant, curvature_weight) = (&courants.row(y)[..nx], &bends.row(y)[..nx]);
                let transport = &mut transport[..nx];
                for i in 0..nx {
                    let cells = [a[i], b[i], c[i], d[i]];
                    transport[i] = rule.quantize(face_transport(
                        courant[i],
                        curvature_weight[i],
                        cells,
                        self.highest,
                    ));
                }
            });
        }
    }
}

/// Returns the transport through a face by the current, positive toward the east or the south: the
/// height that it removes from the cell on one side and adds to the cell on the other (m). `[a, b,
/// c, d]` are the heights of the two nearest cells on each side of the face. The transport is 0 if
/// it would increase the magnitude of a height that already exceeds `highest` (m).
#[inline(always)]
pub(super) fn face_transport(
    courant: f32,
    curvature_weight: f32,
    [a, b, c, d]: [f32; 4],
    highest: f32,
) -> f32 {
    let forth = courant > 0.0;
    let (up, down) = if forth { (b, c) } else { (c, b) };
    let above = if forth { a } else { d };
    let rise = down - up;
    let middle = 0.5 * (up + down) - 0.5 * courant.abs() * rise;
    let over = middle - curvature_weight * (rise - (up - above));
    let heaps = (down.abs() > highest) & (over * down > 0.0);
    let digs = (up.abs() > highest) & (over * up < 0.0);
    if heaps | digs { 0.0 } else { courant * over }
}

pub(super) fn apply_transport_plain(
    height: &mut Field<f32>,
    rise: &mut Field<f32>,
    transport: &Field<f32>,
    along_x: bool,
) {
    add_transport_plain(height, transport, along_x);
    add_transport_plain(rise, transport, along_x);
}

fn add_transport_plain(height: &mut Field<f32>, transport: &Field<f32>, along_x: bool) {
    let (dx, dy) = if along_x { (1, 0) } else { (0, 1) };
    for y in 0..height.ny() {
        for x in 0..height.nx() {
            height[(x, y)] += transport[(x, y)] - transport[(x + dx, y + dy)];
        }
    }
}

pub(super) fn apply_transport_by_rows(
    height: &mut Field<f32>,
    rise: &mut Field<f32>,
    transport: &Field<f32>,
    along_x: bool,
) {
    let nx = height.nx();
    let (height, rise) = (height.as_mut_slice(), rise.as_mut_slice());
    parallel::for_each_row_pair(height, nx, rise, nx, |y, height, rise| {
        let (before, after) = if along_x {
            (&transport.row(y)[..nx], &transport.row(y)[1..nx + 1])
        } else {
            (&transport.row(y)[..nx], &transport.row(y + 1)[..nx])
        };
        for (i, (height, rise)) in height.iter_mut().zip(rise).enumerate() {
            let inflow = before[i] - after[i];
            *height += inflow;
            *rise += inflow;
        }
    });
}

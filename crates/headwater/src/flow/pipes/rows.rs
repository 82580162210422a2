//! Stages 1 to 3 of the pipes row by row, rows spread over threads.

use super::{Coefficients, accelerate, drag, set_boundary};
use crate::flow::state::State;
use crate::flow::step::Step;
use crate::parallel::for_each_row_pair;

/// Sets the discharge over every face.
pub(in crate::flow) fn drive(state: &mut State, step: &Step) {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    let c = Coefficients::new(step);
    set_boundary(state, step, &c);
    let State { bed, depth, discharge_x, discharge_y, closed, .. } = state;
    // 2 and 3. Accelerate every inner face, then viscosity.
    let above_south = &mut discharge_y.as_mut_slice()[..nx * ny];
    for_each_row_pair(discharge_x.as_mut_slice(), nx + 1, above_south, nx, |y, qx, qy| {
        let here = Water { bed: bed.row(y), depth: depth.row(y) };
        drive_x(&mut qx[1..nx], here, &c);
        closed.shut_x(&mut qx[1..nx], y);
        if y > 0 {
            let above = Water { bed: bed.row(y - 1), depth: depth.row(y - 1) };
            drive_y(qy, above, here, &c);
            closed.shut_y(qy, y);
        }
    });
}

/// Bed and depth of one row.
#[derive(Clone, Copy)]
struct Water<'a> {
    bed: &'a [f32],
    depth: &'a [f32],
}

/// Stages 2 and 3 on the inner x-faces of a row.
fn drive_x(q: &mut [f32], row: Water, c: &Coefficients) {
    let n = q.len();
    let west = Water { bed: &row.bed[..n], depth: &row.depth[..n] };
    let east = Water { bed: &row.bed[1..=n], depth: &row.depth[1..=n] };
    drive_faces(q, west, east, c.push_x, c);
}

/// Stages 2 and 3 on the y-faces between two rows.
fn drive_y(q: &mut [f32], above: Water, below: Water, c: &Coefficients) {
    drive_faces(q, above, below, c.push_y, c);
}

fn drive_faces(q: &mut [f32], before: Water, after: Water, push: f32, c: &Coefficients) {
    let n = q.len();
    let (zb, hb) = (&before.bed[..n], &before.depth[..n]);
    let (za, ha) = (&after.bed[..n], &after.depth[..n]);
    for i in 0..n {
        q[i] = accelerate(q[i], c.keep, push, zb[i] + hb[i], za[i] + ha[i]);
    }
    if let Some(coefficient) = c.drag {
        for i in 0..n {
            let upstream = if q[i] > 0.0 { hb[i] } else { ha[i] };
            q[i] = drag(q[i], upstream, coefficient);
        }
    }
}

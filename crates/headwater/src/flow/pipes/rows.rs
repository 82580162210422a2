//! Stages 1 to 3 of the pipes row by row, rows spread over threads.

use super::{Coefficients, accelerate, drag, set_boundary};
use crate::flow::context::Step;
use crate::flow::state::State;
use crate::lattice::{Way, parted};
use crate::parallel::{for_each_row, for_each_row_pair};

/// Sets the discharge over every face.
pub(in crate::flow) fn drive(state: &mut State, step: &Step) {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    let c = Coefficients::new(step);
    set_boundary(state, step, &c);
    let State { bed, depth, discharge_x, discharge_y, discharge_z, closed, .. } = state;
    let water = |y: usize| Water { bed: bed.row(y), depth: depth.row(y) };
    // 2 and 3. Accelerate every inner face, then viscosity.
    let above_south = &mut discharge_y.as_mut_slice()[..nx * ny];
    for_each_row_pair(discharge_x.as_mut_slice(), nx + 1, above_south, nx, |y, qx, qy| {
        let here = water(y);
        let west = Water { bed: &here.bed[..nx - 1], depth: &here.depth[..nx - 1] };
        let east = Water { bed: &here.bed[1..], depth: &here.depth[1..] };
        drive_faces(&mut qx[1..nx], west, east, c.push_x, &c);
        closed.shut(&mut qx[1..nx], Way::X, y);
        if y > 0 {
            drive_faces(qy, water(y - 1), here, c.push_y, &c);
            closed.shut(qy, Way::Y, y);
        }
    });
    if let Some(discharge_z) = discharge_z {
        for_each_row(discharge_z.as_mut_slice(), nx + 1, |y, qz| {
            if y == 0 || y == ny {
                return;
            }
            let [above, below] = parted(Way::Z, y).map(|cells| Water {
                bed: cells.of(bed, 1..nx, y),
                depth: cells.of(depth, 1..nx, y),
            });
            drive_faces(&mut qz[1..nx], above, below, c.push_y, &c);
            closed.shut(&mut qz[1..nx], Way::Z, y);
        });
    }
}

/// Bed and depth of a row of cells.
#[derive(Clone, Copy)]
struct Water<'a> {
    bed: &'a [f32],
    depth: &'a [f32],
}

/// Stages 2 and 3 on a row of faces.
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

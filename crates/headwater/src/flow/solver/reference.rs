//! Reference loops of stages 4 and 5 of a time step, the outflow limiter and the new depths. Tests
//! compare the optimised path with these loops, and benchmarks use them as the baseline.

use crate::field::Field;
use crate::flow::context::StepContext;
use crate::flow::schemes::transport;
use crate::flow::state::State;
use crate::flow::state::workspace::Workspace;
use crate::lattice::Hex;

/// Performs stages 4 and 5 of a time step: limits the outflow of each cell to its volume, then
/// converts the discharges to new depths.
pub(in crate::flow) fn limit_and_update_depths(
    state: &mut State,
    workspace: &mut Workspace,
    step: &StepContext,
) {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    let to_depth = step.depth_per_discharge();
    let (scales, next) = workspace.scale_and_depth_buffers(&state.depth);

    // Stage 4, outflow limiter: first the scale of each cell, then each face by its upstream cell.
    for y in 0..ny {
        for x in 0..nx {
            let h = state.depth[(x, y)];
            let pairs = face_discharges(state, x, y);
            scales[y * nx + x] = match slanted_face_discharges(state, x, y) {
                None => transport::outflow_scale(h, pairs, to_depth),
                Some(z) => transport::outflow_scale(h, [pairs[0], pairs[1], z], to_depth),
            };
        }
    }
    let periodic = step.edges.periodic;
    let scale_at = |x: usize, y: usize| if x < nx && y < ny { scales[y * nx + x] } else { 1.0 };
    let scale = |q: &mut f32, before: (usize, usize), after: (usize, usize)| {
        if *q > 0.0 {
            *q *= scale_at(before.0, before.1);
        } else if *q < 0.0 {
            *q *= scale_at(after.0, after.1);
        }
    };
    for y in 0..ny {
        for x in usize::from(periodic.x)..=nx - usize::from(periodic.x) {
            scale(&mut state.discharge_x[(x, y)], (x.wrapping_sub(1), y), (x, y));
        }
    }
    let rows = usize::from(periodic.y)..=ny - usize::from(periodic.y);
    for y in rows.clone() {
        for x in 0..nx {
            scale(&mut state.discharge_y[(x, y)], (x, y.wrapping_sub(1)), (x, y));
        }
    }
    if let Some(discharge_z) = &mut state.discharge_z {
        for y in rows {
            // In inner rows, the faces at both ends are periodic or closed. In the northernmost and
            // southernmost rows of faces, they are boundary faces.
            let end = usize::from(periodic.x && y > 0 && y < ny);
            for x in end..=nx - end {
                let [above, below] = Hex::z_face_cells(x, y);
                scale(&mut discharge_z[(x, y)], above, below);
            }
        }
    }
    scale_periodic_faces(state, scales, step);

    for y in 0..ny {
        for x in 0..nx {
            let held = [state.depth[(x, y)], state.remainder[(x, y)]];
            let pairs = face_discharges(state, x, y);
            let [depth, remainder] = match slanted_face_discharges(state, x, y) {
                None => transport::update_depth(held, pairs, to_depth),
                Some(z) => transport::update_depth(held, [pairs[0], pairs[1], z], to_depth),
            };
            (next[(x, y)], state.remainder[(x, y)]) = (depth, remainder);
        }
    }
    std::mem::swap(&mut state.depth, next);
}

/// Multiplies the discharge through each periodic face by the outflow scale of its upstream cell,
/// as stage 4 of a time step does for all other faces. An outflow scale is the factor (0 to 1) that
/// limits the outflow of a cell to its water.
fn scale_periodic_faces(state: &mut State, scales: &[f32], step: &StepContext) {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    let periodic = step.edges.periodic;
    for &axis in step.lattice.face_axes() {
        for places in periodic.periodic_faces(axis, nx, ny) {
            let [before, after] = periodic.adjacent_cells(axis, places[0], nx, ny);
            let q = state.discharge(axis)[places[0]];
            let (x, y) = if q > 0.0 { before } else { after };
            for place in places {
                state.discharge_mut(axis)[place] = q * scales[y * nx + x];
            }
        }
    }
}

fn face_discharges(state: &State, x: usize, y: usize) -> [[f32; 2]; 2] {
    let (qx, qy) = (&state.discharge_x, &state.discharge_y);
    [[qx[(x, y)], qx[(x + 1, y)]], [qy[(x, y)], qy[(x, y + 1)]]]
}

fn slanted_face_discharges(state: &State, x: usize, y: usize) -> Option<[f32; 2]> {
    let over = |qz: &Field<f32>| {
        let column = x + Hex::z_face_column(y);
        [qz[(column, y)], qz[(column, y + 1)]]
    };
    state.discharge_z.as_ref().map(over)
}

//! Reference loops of stages 1 to 3 of a time step with the local inertial equations.

use super::{
    Coefficients, FaceInput, accelerate_periodic_faces, drag_factor, face_discharge,
    set_boundary_discharges, transverse_sum,
};
use crate::flow::context::StepContext;
use crate::flow::state::State;
use crate::flow::state::workspace::Workspace;
use crate::lattice::{FaceAxis, FaceOffset, adjacent_cells, first_inner_row};

pub(in crate::flow) fn accelerate_faces(
    state: &mut State,
    workspace: &mut Workspace,
    step: &StepContext,
) {
    let lattice = step.lattice;
    let c = Coefficients::new(step);

    set_boundary_discharges(state, step, &c);
    let mut subgrid_faces = std::mem::take(&mut workspace.subgrid_faces);
    subgrid_faces.compute_discharges(state, step, &c);

    // Stages 2 and 3. Faces read the old discharges of their neighbours, so new ones go to a second
    // buffer.
    let next = workspace.discharge_buffers(state);
    next.x.clone_from(&state.discharge_x);
    next.y.clone_from(&state.discharge_y);
    let mut families = vec![(FaceAxis::X, &mut next.x), (FaceAxis::Y, &mut next.y)];
    if let (Some(next), Some(q)) = (&mut next.z, &state.discharge_z) {
        next.clone_from(q);
        families.push((FaceAxis::Z, next));
    }
    let discharge = |(axis, offset): FaceOffset, x: usize, y: usize| {
        let q = match axis {
            FaceAxis::X => Some(&state.discharge_x),
            FaceAxis::Y => Some(&state.discharge_y),
            FaceAxis::Z => state.discharge_z.as_ref(),
        };
        q.map_or(0.0, |q| q[offset.apply_to(x, y)])
    };
    for (axis, next) in families {
        for y in first_inner_row(axis)..lattice.ny() {
            let stencil = lattice.face_stencil(axis, y);
            for x in lattice.inner_columns(axis) {
                let [before, after] = adjacent_cells(axis, y).map(|cell| cell.apply_to(x, y));
                let cell = |at: (usize, usize)| [state.bed[at], state.depth[at]];
                let closed = |at: (usize, usize)| state.closed.contains(at.0, at.1);
                let n = |at: (usize, usize)| step.roughness.at(at.0, at.1);
                let q = |face: FaceOffset| discharge(face, x, y);
                let face = FaceInput {
                    q: next[(x, y)],
                    neighbours: stencil.normal_neighbours.map(q),
                    transverse_sum: transverse_sum(
                        stencil.first_pair.map(q),
                        stencil.second_pair.map(q),
                        stencil.sign,
                    ),
                    before: cell(before),
                    after: cell(after),
                    rough: drag_factor(c.gravity, n(before), n(after)),
                };
                let shut = closed(before) || closed(after);
                next[(x, y)] = if shut { 0.0 } else { face_discharge(face, c.for_axis(axis), &c) };
            }
        }
    }
    accelerate_periodic_faces(state, next, step, &c);
    subgrid_faces.write_discharges(next);
    state.swap_discharges(next);
    workspace.subgrid_faces = subgrid_faces;
}

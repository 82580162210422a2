//! Stages 1 to 3 of the local inertial equations as plain loops.

use super::{Coefficients, Face, across, drive as drive_face, drive_seams, rough, set_boundary};
use crate::flow::context::Step;
use crate::flow::state::State;
use crate::flow::workspace::Workspace;
use crate::lattice::{FaceAxis, FaceOffset, adjacent_cells, first_inner_row};

pub(in crate::flow) fn drive(state: &mut State, workspace: &mut Workspace, step: &Step) {
    let lattice = step.lattice;
    let c = Coefficients::new(step);

    set_boundary(state, step, &c);
    let mut by_themselves = std::mem::take(&mut workspace.parted);
    by_themselves.drive(state, step, &c);

    // 2 and 3. Faces read their neighbours' old discharges, so new ones go elsewhere.
    let next = workspace.discharges(state);
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
        q.map_or(0.0, |q| q[offset.from(x, y)])
    };
    for (axis, next) in families {
        for y in first_inner_row(axis)..lattice.ny() {
            let stencil = lattice.face_stencil(axis, y);
            for x in lattice.inner_columns(axis) {
                let [before, after] = adjacent_cells(axis, y).map(|cell| cell.from(x, y));
                let cell = |at: (usize, usize)| [state.bed[at], state.depth[at]];
                let closed = |at: (usize, usize)| state.closed.contains(at.0, at.1);
                let n = |at: (usize, usize)| step.roughness.at(at.0, at.1);
                let q = |face: FaceOffset| discharge(face, x, y);
                let face = Face {
                    q: next[(x, y)],
                    along: stencil.along.map(q),
                    across: across(stencil.first.map(q), stencil.second.map(q), stencil.sign),
                    before: cell(before),
                    after: cell(after),
                    rough: rough(c.gravity, n(before), n(after)),
                };
                let shut = closed(before) || closed(after);
                next[(x, y)] = if shut { 0.0 } else { drive_face(face, c.of(axis), &c) };
            }
        }
    }
    drive_seams(state, next, step, &c);
    by_themselves.put(next);
    state.swap_discharges(next);
    workspace.parted = by_themselves;
}

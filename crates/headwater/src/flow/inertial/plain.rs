//! Reference loops of stages 1 to 3 of the local inertial equations.

use super::{Coefficients, Face, across, drive as drive_face, drive_seams, rough, set_boundary};
use crate::flow::context::Step;
use crate::flow::state::State;
use crate::flow::workspace::Workspace;
use crate::lattice::{Near, Way, first_row, parted};

pub(in crate::flow) fn drive(state: &mut State, workspace: &mut Workspace, step: &Step) {
    let lattice = step.lattice;
    let c = Coefficients::new(step);

    set_boundary(state, step, &c);
    let mut by_themselves = std::mem::take(&mut workspace.parted);
    by_themselves.drive(state, step, &c);

    // Stages 2 and 3. Faces read the old discharges of their neighbours, so new ones go to a second
    // buffer.
    let next = workspace.discharges(state);
    next.x.clone_from(&state.discharge_x);
    next.y.clone_from(&state.discharge_y);
    let mut families = vec![(Way::X, &mut next.x), (Way::Y, &mut next.y)];
    if let (Some(next), Some(q)) = (&mut next.z, &state.discharge_z) {
        next.clone_from(q);
        families.push((Way::Z, next));
    }
    let discharge = |(way, offset): Near, x: usize, y: usize| {
        let q = match way {
            Way::X => Some(&state.discharge_x),
            Way::Y => Some(&state.discharge_y),
            Way::Z => state.discharge_z.as_ref(),
        };
        q.map_or(0.0, |q| q[offset.from(x, y)])
    };
    for (way, next) in families {
        for y in first_row(way)..lattice.ny() {
            let around = lattice.around(way, y);
            for x in lattice.inner_columns(way) {
                let [before, after] = parted(way, y).map(|cell| cell.from(x, y));
                let cell = |at: (usize, usize)| [state.bed[at], state.depth[at]];
                let closed = |at: (usize, usize)| state.closed.contains(at.0, at.1);
                let n = |at: (usize, usize)| step.roughness.at(at.0, at.1);
                let q = |face: Near| discharge(face, x, y);
                let face = Face {
                    q: next[(x, y)],
                    along: around.along.map(q),
                    across: across(around.first.map(q), around.second.map(q), around.sign),
                    before: cell(before),
                    after: cell(after),
                    rough: rough(c.gravity, n(before), n(after)),
                };
                let shut = closed(before) || closed(after);
                next[(x, y)] = if shut { 0.0 } else { drive_face(face, c.of(way), &c) };
            }
        }
    }
    drive_seams(state, next, step, &c);
    by_themselves.put(next);
    state.swap_discharges(next);
    workspace.parted = by_themselves;
}

//! Stages 1 to 3 of the local inertial equations as plain loops.

use super::{Coefficients, Face, drive as drive_face, rough, set_boundary};
use crate::flow::state::{Roughness, Scratch, State};
use crate::flow::step::Step;

/// Sets the discharge over every face.
pub(in crate::flow) fn drive(state: &mut State, scratch: &mut Scratch, step: &Step) {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    let c = Coefficients::new(step);

    // 1. Boundary.
    set_boundary(state, step, &c);

    // 2 and 3. Accelerate every inner face against friction and viscosity. A face looks at its
    // neighbours as they were, so the new discharges go elsewhere.
    let cell = |x: usize, y: usize| [state.bed[(x, y)], state.depth[(x, y)]];
    let closed = |x: usize, y: usize| state.closed.contains(x, y);
    let n = |x: usize, y: usize| match step.roughness {
        Roughness::Uniform(n) => n,
        Roughness::Map(map) => map[(x, y)],
    };
    let (qx, qy) = (&state.discharge_x, &state.discharge_y);
    let [next_x, next_y] = scratch.discharges(state);
    for y in 0..ny {
        for x in 1..nx {
            let face = Face {
                q: qx[(x, y)],
                along: [qx[(x - 1, y)], qx[(x + 1, y)]],
                across: [[qy[(x - 1, y)], qy[(x - 1, y + 1)]], [qy[(x, y)], qy[(x, y + 1)]]],
                before: cell(x - 1, y),
                after: cell(x, y),
                rough: rough(c.gravity, n(x - 1, y), n(x, y)),
            };
            let shut = closed(x - 1, y) || closed(x, y);
            next_x[(x, y)] = if shut { 0.0 } else { drive_face(face, c.x, &c) };
        }
    }
    for y in 1..ny {
        for x in 0..nx {
            let face = Face {
                q: qy[(x, y)],
                along: [qy[(x, y - 1)], qy[(x, y + 1)]],
                across: [[qx[(x, y - 1)], qx[(x + 1, y - 1)]], [qx[(x, y)], qx[(x + 1, y)]]],
                before: cell(x, y - 1),
                after: cell(x, y),
                rough: rough(c.gravity, n(x, y - 1), n(x, y)),
            };
            let shut = closed(x, y - 1) || closed(x, y);
            next_y[(x, y)] = if shut { 0.0 } else { drive_face(face, c.y, &c) };
        }
    }
    for y in 0..ny {
        for x in [0, nx] {
            next_x[(x, y)] = qx[(x, y)];
        }
    }
    for y in [0, ny] {
        for x in 0..nx {
            next_y[(x, y)] = qy[(x, y)];
        }
    }
    std::mem::swap(&mut state.discharge_x, next_x);
    std::mem::swap(&mut state.discharge_y, next_y);
}

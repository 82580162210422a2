//! Reference loops of the shallow-water equations, cell by cell and face by face: the oracle of
//! [`super::rows`].

use super::stages::World;
use super::{Coefficients, Moved, ground};
use crate::field::Field;
use crate::flow::context::Step;
use crate::flow::state::State;
use crate::flow::workspace::Workspace;

/// Stages 1 to 6: sets the discharge over every face, and the momentum changes.
pub(in crate::flow) fn drive(state: &mut State, workspace: &mut Workspace, step: &Step) {
    let State { bed, depth, discharge_x, discharge_y, closed, momentum, subgrid, .. } = state;
    let Some(q) = momentum else { return };
    let (nx, ny) = (bed.nx(), bed.ny());
    let c = Coefficients::new(step);
    let world = World { bed, depth, closed, q, step, c, subgrid: subgrid.as_deref() };

    // Stages 1 and 2: half-slopes and the half-step.
    let water = Field::from_fn(nx, ny, |x, y| world.parts((x, y)));
    let cells = Field::from_fn(nx, ny, |x, y| world.cell((x, y), &|at| water[at]));

    // Stages 3 to 5: reconstructed sides and fluxes.
    let faces_x = Field::from_fn(nx + 1, ny, |x, y| world.face_x((x, y), &|at| cells[at]));
    let faces_y = Field::from_fn(nx, ny + 1, |x, y| world.face_y((x, y), &|at| cells[at]));
    for y in 0..ny {
        for x in 0..=nx {
            discharge_x[(x, y)] = world.discharge_x((x, y), faces_x[(x, y)]);
        }
    }
    for y in 0..=ny {
        for x in 0..nx {
            discharge_y[(x, y)] = world.discharge_y((x, y), faces_y[(x, y)]);
        }
    }

    // Stage 6: momentum changes.
    let pushes = workspace.pushes(nx * ny);
    for y in 0..ny {
        for x in 0..nx {
            let (west, east) = (faces_x[(x, y)], faces_x[(x + 1, y)]);
            let (north, south) = (faces_y[(x, y)], faces_y[(x, y + 1)]);
            let push = world.push_of((x, y), &cells[(x, y)], [west, east, north, south]);
            [pushes[0][y * nx + x], pushes[1][y * nx + x]] = push;
        }
    }
}

/// Stage 7: computes the new momentum after the depths.
pub(in crate::flow) fn update_momentum(state: &mut State, workspace: &mut Workspace, step: &Step) {
    let State { depth, closed, momentum, .. } = state;
    let Some(q) = momentum else { return };
    let (nx, ny) = (depth.nx(), depth.ny());
    let c = Coefficients::new(step);
    let Workspace { fed, depth: Some(before), pushes, .. } = workspace else { return };
    for y in 0..ny {
        for x in 0..nx {
            let (at, i) = ((x, y), y * nx + x);
            let moved = Moved {
                before: before[at],
                now: depth[at],
                fed: fed[i],
                q: [q.x[at], q.y[at]],
                push: [pushes[0][i], pushes[1][i]],
            };
            let drag = ground::drag(depth[at], step.roughness.at(x, y), c.g_dt);
            let new = super::momentum(moved, drag, &c);
            let [qx, qy] = if closed.contains(x, y) { [0.0, 0.0] } else { new };
            (q.x[at], q.y[at]) = (qx, qy);
        }
    }
}

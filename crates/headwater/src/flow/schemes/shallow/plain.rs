//! Reference loops of the shallow-water scheme, cell by cell and face by face. Tests compare the
//! row-parallel loops ([`super::rows`]) with them.

use super::stages::StageInput;
use super::{Coefficients, MomentumInput, friction};
use crate::field::Field;
use crate::flow::context::StepContext;
use crate::flow::state::State;
use crate::flow::state::workspace::Workspace;

/// Performs stages 1 to 6 of the shallow-water scheme: sets the discharge through every face and
/// the momentum change of every cell.
pub(in crate::flow) fn compute_fluxes(
    state: &mut State,
    workspace: &mut Workspace,
    step: &StepContext,
) {
    let State { bed, depth, discharge_x, discharge_y, closed, momentum, subgrid, .. } = state;
    let Some(q) = momentum else { return };
    let (nx, ny) = (bed.nx(), bed.ny());
    let c = Coefficients::new(step);
    let input = StageInput { bed, depth, closed, q, step, c, subgrid: subgrid.as_deref() };

    // Stages 1 and 2: half-slopes and the half-step.
    let water = Field::from_fn(nx, ny, |x, y| input.cell_parts((x, y)));
    let cells = Field::from_fn(nx, ny, |x, y| input.compute_cell((x, y), &|at| water[at]));

    // Stages 3 to 5: reconstructed sides and fluxes.
    let faces_x = Field::from_fn(nx + 1, ny, |x, y| input.flux_x((x, y), &|at| cells[at]));
    let faces_y = Field::from_fn(nx, ny + 1, |x, y| input.flux_y((x, y), &|at| cells[at]));
    for y in 0..ny {
        for x in 0..=nx {
            discharge_x[(x, y)] = input.discharge_x((x, y), faces_x[(x, y)]);
        }
    }
    for y in 0..=ny {
        for x in 0..nx {
            discharge_y[(x, y)] = input.discharge_y((x, y), faces_y[(x, y)]);
        }
    }

    // Stage 6: momentum changes.
    let momentum_changes = workspace.momentum_change_buffers(nx * ny);
    for y in 0..ny {
        for x in 0..nx {
            let (west, east) = (faces_x[(x, y)], faces_x[(x + 1, y)]);
            let (north, south) = (faces_y[(x, y)], faces_y[(x, y + 1)]);
            let push = input.momentum_change((x, y), &cells[(x, y)], [west, east, north, south]);
            [momentum_changes[0][y * nx + x], momentum_changes[1][y * nx + x]] = push;
        }
    }
}

/// Computes the new momentum of every cell, after the depths have been updated (stage 7 of the
/// scheme).
pub(in crate::flow) fn update_momentum(
    state: &mut State,
    workspace: &mut Workspace,
    step: &StepContext,
) {
    let State { depth, closed, momentum, .. } = state;
    let Some(q) = momentum else { return };
    let (nx, ny) = (depth.nx(), depth.ny());
    let c = Coefficients::new(step);
    let Workspace { scale, depth: Some(before), momentum_changes, .. } = workspace else { return };
    for y in 0..ny {
        for x in 0..nx {
            let (at, i) = ((x, y), y * nx + x);
            let moved = MomentumInput {
                before: before[at],
                now: depth[at],
                scale: scale[i],
                q: [q.x[at], q.y[at]],
                push: [momentum_changes[0][i], momentum_changes[1][i]],
            };
            let drag = friction::drag_coefficient(depth[at], step.roughness.at(x, y), c.g_dt);
            let new = super::updated_momentum(moved, drag, &c);
            let [qx, qy] = if closed.contains(x, y) { [0.0, 0.0] } else { new };
            (q.x[at], q.y[at]) = (qx, qy);
        }
    }
}

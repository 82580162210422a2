//! Stages 1 to 3 of the pipes as plain loops.

use super::{Coefficients, accelerate, drag, set_boundary};
use crate::flow::context::Step;
use crate::flow::state::State;

/// Sets the discharge over every face.
pub(in crate::flow) fn drive(state: &mut State, step: &Step) {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    let c = Coefficients::new(step);

    // 1. Boundary.
    set_boundary(state, step, &c);

    // 2. Accelerate every inner face.
    for y in 0..ny {
        for x in 1..nx {
            let q = &mut state.discharge_x[(x, y)];
            let before = state.bed[(x - 1, y)] + state.depth[(x - 1, y)];
            let after = state.bed[(x, y)] + state.depth[(x, y)];
            *q = accelerate(*q, c.keep, c.push_x, before, after);
            if state.closed.contains(x - 1, y) || state.closed.contains(x, y) {
                *q = 0.0;
            }
        }
    }
    for y in 1..ny {
        for x in 0..nx {
            let q = &mut state.discharge_y[(x, y)];
            let before = state.bed[(x, y - 1)] + state.depth[(x, y - 1)];
            let after = state.bed[(x, y)] + state.depth[(x, y)];
            *q = accelerate(*q, c.keep, c.push_y, before, after);
            if state.closed.contains(x, y - 1) || state.closed.contains(x, y) {
                *q = 0.0;
            }
        }
    }

    // 3. Viscosity.
    if let Some(coefficient) = c.drag {
        for y in 0..ny {
            for x in 1..nx {
                let q = &mut state.discharge_x[(x, y)];
                let upstream = if *q > 0.0 { x - 1 } else { x };
                *q = drag(*q, state.depth[(upstream, y)], coefficient);
            }
        }
        for y in 1..ny {
            for x in 0..nx {
                let q = &mut state.discharge_y[(x, y)];
                let upstream = if *q > 0.0 { y - 1 } else { y };
                *q = drag(*q, state.depth[(x, upstream)], coefficient);
            }
        }
    }
}

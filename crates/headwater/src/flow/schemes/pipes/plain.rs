//! Reference loops of stages 1 to 3 of a time step with pipes.

use super::{Coefficients, face_discharge, set_boundary_discharges};
use crate::flow::context::StepContext;
use crate::flow::state::State;
use crate::lattice::{FaceAxis, Hex};

pub(in crate::flow) fn accelerate_faces(state: &mut State, step: &StepContext) {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    let c = Coefficients::new(step);

    set_boundary_discharges(state, step, &c);

    // Stages 2 and 3: accelerate every inner face, then apply viscosity.
    let State { bed, depth, discharge_x, discharge_y, discharge_z, closed, .. } = state;
    let ground = (&*bed, &*depth, &*closed);
    for y in 0..ny {
        for x in 1..nx {
            let q = &mut discharge_x[(x, y)];
            *q = face_discharge(*q, FaceAxis::X, [(x - 1, y), (x, y)], ground, &c);
        }
    }
    for y in 1..ny {
        for x in 0..nx {
            let q = &mut discharge_y[(x, y)];
            *q = face_discharge(*q, FaceAxis::Y, [(x, y - 1), (x, y)], ground, &c);
        }
    }
    if let Some(discharge_z) = discharge_z {
        for y in 1..ny {
            for x in 1..nx {
                let q = &mut discharge_z[(x, y)];
                *q = face_discharge(*q, FaceAxis::Z, Hex::z_face_cells(x, y), ground, &c);
            }
        }
    }
}

//! The physics model [`Physics::Pipes`](crate::flow::Physics::Pipes): virtual pipes. This module
//! contains the formulas of stages 1 to 3, which the reference loops ([`plain`]) and the optimised
//! path ([`sweep`]) share.
//!
//! Sources: O'Brien & Hodgins 1995; Mei, Decaudin & Hu 2007; Šťava et al. 2008.

mod fused;
pub(in crate::flow) mod plain;
pub(crate) mod sweep;

use super::surface::surface_drop;
use crate::field::Field;
use crate::flow::boundary::faces::{BoundaryFace, set_boundary_faces};
use crate::flow::context::StepContext;
use crate::flow::params::Params;
use crate::flow::state::{ClosedCells, State};
use crate::lattice::{Edge, FaceAxis, Lattice};

/// Coefficients of a time step with virtual pipes. All cells use the same coefficients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// Factor `(1 − friction)^dt` by which the parameter `friction` reduces a discharge in a step.
    pub decay: f32,
    /// Increase in the discharge through an x-face per metre of surface difference, `g·dt·A/dx`
    /// (m²/s), with the pipe cross-section `A`.
    pub push_x: f32,
    /// Increase in the discharge through a y-face per metre of surface difference, `g·dt·A/dy`
    /// (m²/s). On hexagons it equals `push_x` and also applies to z-faces.
    pub push_y: f32,
    /// `3·dt·ν` (m²), the coefficient of viscous drag; `None` without viscosity.
    pub drag: Option<f32>,
}

impl Coefficients {
    fn new(step: &StepContext) -> Self {
        Self::for_step(step.params, step.lattice, step.dt)
    }

    pub(in crate::flow) fn for_step(params: &Params, lattice: &Lattice, dt: f64) -> Self {
        let push = params.gravity * dt * params.pipe_area;
        Self {
            // libm gives the same bits on every platform.
            decay: libm::pow(1.0 - params.friction, dt) as f32,
            push_x: (push / lattice.dx()) as f32,
            push_y: (push / if lattice.is_hex() { lattice.dx() } else { lattice.dy() }) as f32,
            // A value that underflows counts as no viscosity.
            drag: Some((3.0 * dt * params.viscosity) as f32).filter(|&drag| drag > 0.0),
        }
    }
}

/// Returns the longest step (s) at which waves remain bounded.
///
/// The shortest wave has the angular frequency `ω² = 4·g·A/(dx·dy)·(1/dx + 1/dy)`; on hexagons with
/// the cell distance `d` it is `ω² = 9·g·A/(d·area)`. With `k = (1 − friction)^dt`, the wave
/// remains bounded while `ω²·dt² ≤ 2·(1 + k)`. Viscosity and the outflow limiter add to the margin.
pub(crate) fn stable_dt(params: &Params, lattice: &Lattice) -> f64 {
    let per_length = match lattice {
        Lattice::Square(square) => 4.0 * (1.0 / square.dx() + 1.0 / square.dy()),
        Lattice::Hex(hex) => 9.0 / hex.spacing(),
    };
    let stiffness = params.gravity * params.pipe_area / lattice.cell_area() * per_length;
    let omega = stiffness.sqrt();
    // The frictionless step is longer, so its `k` is smaller and the bound is conservative.
    let decay = libm::pow(1.0 - params.friction, 2.0 / omega);
    SAFETY * (2.0 * (1.0 + decay)).sqrt() / omega
}

/// Fraction of the stability limit that a step may use. At the limit itself, the shortest wave
/// neither grows nor decays.
const SAFETY: f64 = 0.95;

/// Returns the discharge through a face after it has been accelerated by the difference between the
/// water surfaces (stage 2 of a time step). `before` and `after` each contain the bed elevation and
/// the water depth (m) of a cell.
#[inline(always)]
fn accelerate_discharge(q: f32, decay: f32, push: f32, before: [f32; 2], after: [f32; 2]) -> f32 {
    q * decay + push * surface_drop(before, after)
}

/// Returns the discharge through a face after viscous drag on the bed (stage 3 of a time step).
/// `upstream` is the depth (m) of the cell that the water leaves, and `drag` the coefficient
/// `3·dt·ν` (m²).
#[inline(always)]
fn apply_viscous_drag(q: f32, upstream: f32, drag: f32) -> f32 {
    let h2 = upstream * upstream;
    q * (h2 / (h2 + drag))
}

#[inline(always)]
fn face_discharge(
    q: f32,
    axis: FaceAxis,
    [before, after]: [(usize, usize); 2],
    (bed, depth, closed): (&Field<f32>, &Field<f32>, &ClosedCells),
    c: &Coefficients,
) -> f32 {
    if closed.contains(before.0, before.1) || closed.contains(after.0, after.1) {
        return 0.0;
    }
    let cell = |at: (usize, usize)| [bed[at], depth[at]];
    let push = if axis == FaceAxis::X { c.push_x } else { c.push_y };
    let q = accelerate_discharge(q, c.decay, push, cell(before), cell(after));
    match c.drag {
        Some(coefficient) => {
            apply_viscous_drag(q, depth[if q > 0.0 { before } else { after }], coefficient)
        }
        None => q,
    }
}

/// Sets the discharge through every boundary face (stage 1 of a time step). Periodic faces are
/// accelerated like inner faces.
fn set_boundary_discharges(state: &mut State, step: &StepContext, coefficients: &Coefficients) {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    let periodic = step.edges.periodic;
    for &axis in step.lattice.face_axes() {
        for places in periodic.periodic_faces(axis, nx, ny) {
            let cells = periodic.adjacent_cells(axis, places[0], nx, ny);
            let q = state.discharge(axis)[places[0]];
            let q = face_discharge(
                q,
                axis,
                cells,
                (&state.bed, &state.depth, &state.closed),
                coefficients,
            );
            for place in places {
                state.discharge_mut(axis)[place] = q;
            }
        }
    }
    set_boundary_faces(state, step, celerity_fn(step), boundary_discharge_fn(coefficients));
}

/// Returns a function that computes the wave speed at an edge (m/s), `√(g·A/w)` with the pipe
/// cross-section `A` and the face width `w`. The speed does not depend on the depth.
fn celerity_fn(step: &StepContext) -> impl Fn(f32, Edge) -> f32 {
    move |_, edge| {
        let width = step.lattice.face_width(edge.has_x_faces());
        (step.params.gravity * step.params.pipe_area / width).sqrt() as f32
    }
}

/// Returns a function that computes the discharge through a boundary face outside which a water
/// level is prescribed (m³/s, positive into the grid).
fn boundary_discharge_fn(coefficients: &Coefficients) -> impl Fn(BoundaryFace) -> f32 {
    move |outer| {
        let push = if outer.edge.has_x_faces() { coefficients.push_x } else { coefficients.push_y };
        // The bed is assumed level outside.
        let outside = [outer.bed, (outer.level - outer.bed).max(0.0)];
        accelerate_discharge(
            outer.inflow,
            coefficients.decay,
            push,
            outside,
            [outer.bed, outer.depth],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn viscosity_stops_thin_layers_and_lets_deep_ones_pass() {
        assert_eq!(apply_viscous_drag(1.0, 0.0, 0.3), 0.0);
        assert!(apply_viscous_drag(1.0, 0.01, 0.3) < 1e-3);
        assert!(apply_viscous_drag(1.0, 100.0, 0.3) > 0.999);
    }
}

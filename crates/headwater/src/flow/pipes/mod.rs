//! [`Physics::Pipes`](super::Physics::Pipes): formulas of stages 1 to 3, shared by the plain loops
//! ([`plain`]) and the sweep ([`sweep`]).
//!
//! Sources: O'Brien & Hodgins 1995; Mei, Decaudin & Hu 2007; Šťava et al. 2008.

mod fused;
pub(super) mod plain;
pub(crate) mod sweep;

use super::boundary_faces::{BoundaryFace, set_outermost_faces};
use super::context::Step;
use super::params::Params;
use super::state::{Closed, State};
use super::surface::fall;
use crate::field::Field;
use crate::lattice::{Edge, FaceAxis, Lattice};

/// What stays the same over a whole step, worked out once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// The part of a discharge that friction leaves, `(1 − friction)^dt`.
    pub keep: f32,
    /// `g·dt·A/dx` (m²/s): discharge gained per metre of surface difference across an x-face.
    pub push_x: f32,
    /// `g·dt·A/dy`, likewise across a y-face; on hexagons all faces are alike.
    pub push_y: f32,
    /// `3·dt·ν` (m²), or `None` for a liquid without viscosity.
    pub drag: Option<f32>,
}

impl Coefficients {
    fn new(step: &Step) -> Self {
        Self::of_step(step.params, step.lattice, step.dt)
    }

    pub(super) fn of_step(params: &Params, lattice: &Lattice, dt: f64) -> Self {
        let push = params.gravity * dt * params.pipe_area;
        Self {
            // libm, not the platform's pow: the same bits everywhere.
            keep: libm::pow(1.0 - params.friction, dt) as f32,
            push_x: (push / lattice.dx()) as f32,
            push_y: (push / if lattice.is_hex() { lattice.dx() } else { lattice.dy() }) as f32,
            // One too small for a number is none.
            drag: Some((3.0 * dt * params.viscosity) as f32).filter(|&drag| drag > 0.0),
        }
    }
}

/// The longest step (s) for which the pipes' waves stay bounded.
///
/// The shortest wave has `ω² = 4·g·A/(dx·dy)·(1/dx + 1/dy)`, on hexagons `d` apart `ω² =
/// 9·g·A/(d·area)`. With `k = (1 − friction)^dt` it stays bounded while `ω²·dt² ≤ 2·(1 + k)`;
/// viscosity and outflow scaling leave more room.
pub(crate) fn stable_dt(params: &Params, lattice: &Lattice) -> f64 {
    let per_length = match lattice {
        Lattice::Square(square) => 4.0 * (1.0 / square.dx() + 1.0 / square.dy()),
        Lattice::Hex(hex) => 9.0 / hex.spacing(),
    };
    let stiffness = params.gravity * params.pipe_area / lattice.cell_area() * per_length;
    let omega = stiffness.sqrt();
    // The step without friction is longer, so its k is too small, on the safe side.
    let keep = libm::pow(1.0 - params.friction, 2.0 / omega);
    SAFETY * (2.0 * (1.0 + keep)).sqrt() / omega
}

/// At the limit itself the shortest wave neither grows nor fades; this keeps it on the safe side.
const SAFETY: f64 = 0.95;

/// Stage 2, a face: gravity drives water from the higher surface to the lower. `before` and `after` are bed and depth.
#[inline(always)]
fn accelerate(q: f32, keep: f32, push: f32, before: [f32; 2], after: [f32; 2]) -> f32 {
    q * keep + push * fall(before, after)
}

/// Stage 3, a face: viscous drag over the bed. `upstream` is the depth of the cell that the
/// discharge leaves.
#[inline(always)]
fn drag(q: f32, upstream: f32, drag: f32) -> f32 {
    let h2 = upstream * upstream;
    q * (h2 / (h2 + drag))
}

#[inline(always)]
fn drive_face(
    q: f32,
    axis: FaceAxis,
    [before, after]: [(usize, usize); 2],
    (bed, depth, closed): (&Field<f32>, &Field<f32>, &Closed),
    c: &Coefficients,
) -> f32 {
    if closed.contains(before.0, before.1) || closed.contains(after.0, after.1) {
        return 0.0;
    }
    let cell = |at: (usize, usize)| [bed[at], depth[at]];
    let push = if axis == FaceAxis::X { c.push_x } else { c.push_y };
    let q = accelerate(q, c.keep, push, cell(before), cell(after));
    match c.drag {
        Some(coefficient) => drag(q, depth[if q > 0.0 { before } else { after }], coefficient),
        None => q,
    }
}

/// Stage 1: sets every outermost face, and drives those on the seams of joined edges as inner ones.
fn set_boundary(state: &mut State, step: &Step, c: &Coefficients) {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    let joined = step.edges.joined;
    for &axis in step.lattice.face_axes() {
        for places in joined.seams(axis, nx, ny) {
            let cells = joined.adjacent_cells(axis, places[0], nx, ny);
            let q = state.discharge(axis)[places[0]];
            let q = drive_face(q, axis, cells, (&state.bed, &state.depth, &state.closed), c);
            for place in places {
                state.discharge_mut(axis)[place] = q;
            }
        }
    }
    set_outermost_faces(state, step, celerity(step), drive_boundary_face(c));
}

/// How fast waves run behind an edge, `√(g·A/w)` (m/s), at any depth.
fn celerity(step: &Step) -> impl Fn(f32, Edge) -> f32 {
    move |_, edge| {
        let width = step.lattice.face_width(edge.is_x());
        (step.params.gravity * step.params.pipe_area / width).sqrt() as f32
    }
}

/// What a level outside brings about over a boundary face (m³/s, into the grid).
fn drive_boundary_face(c: &Coefficients) -> impl Fn(BoundaryFace) -> f32 {
    move |outer| {
        let push = if outer.edge.is_x() { c.push_x } else { c.push_y };
        // Outside the ground goes on level.
        let outside = [outer.bed, (outer.level - outer.bed).max(0.0)];
        accelerate(outer.into, c.keep, push, outside, [outer.bed, outer.depth])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn viscosity_stops_thin_layers_and_lets_deep_ones_pass() {
        assert_eq!(drag(1.0, 0.0, 0.3), 0.0);
        assert!(drag(1.0, 0.01, 0.3) < 1e-3);
        assert!(drag(1.0, 100.0, 0.3) > 0.999);
    }
}

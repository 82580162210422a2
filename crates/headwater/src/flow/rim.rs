//! Stage 1 of the levels with pipes: the outermost faces. Shallow water meets its edges in its own way.

use super::context::{Outside, Step, boundary_face};
use super::state::State;
use crate::lattice::Edge;

/// A boundary face with water at a level outside, as stage 1 of a level with pipes meets it.
pub(super) struct Rim {
    pub(super) edge: Edge,
    /// The cell inside.
    pub(super) cell: (usize, usize),
    /// Height of its ground (m).
    pub(super) bed: f32,
    /// Depth of its water (m).
    pub(super) depth: f32,
    /// Height of the water's surface outside (m).
    pub(super) level: f32,
    /// The face's discharge so far (m³/s), into the grid.
    pub(super) into: f32,
}

/// Stage 1 of a level with pipes: sets every outermost face. `drive` says what discharge (m³/s, into
/// the grid) a level outside brings about.
pub(super) fn set_outermost_faces(state: &mut State, step: &Step, drive: impl Fn(Rim) -> f32) {
    let lattice = step.lattice;
    let weir = weir(step.params.gravity);
    for edge in Edge::ALL {
        let width = lattice.edge_face(edge) as f32;
        for (i, outside) in step.edges.along(edge).iter().enumerate() {
            let cell = lattice.edge_cell(edge, i);
            let closed = state.closed.contains(cell.0, cell.1);
            let (bed, depth) = (state.bed[cell], state.depth[cell]);
            let (q, inward) = boundary_face(state, edge, i);
            *q = match *outside {
                _ if closed => 0.0,
                Outside::Wall => 0.0,
                Outside::Given(unit) => inward * (unit * width),
                Outside::Nothing => -inward * (weir * depth * depth.sqrt() * width),
                Outside::Level(level) => {
                    let into = drive(Rim { edge, cell, bed, depth, level, into: *q * inward });
                    // A dry outside takes water and gives none.
                    inward * if level > bed { into } else { into.min(0.0) }
                }
            };
        }
    }
}

/// `(2/3)^(3/2)·√g` (m^½/s): times `h^(3/2)`, the unit discharge of water `h` deep over a broad-crested
/// weir.
fn weir(gravity: f64) -> f32 {
    (2.0_f64 / 3.0 * (2.0_f64 / 3.0).sqrt() * gravity.sqrt()) as f32
}

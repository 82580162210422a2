//! Stage 1 of the levels with pipes: the outermost faces. Shallow water meets its edges in its own way.

use super::context::Step;
use super::outside::Outside;
use super::state::State;
use super::surface::fall;
use crate::lattice::Edge;

/// A boundary face with water at a level outside, as stage 1 of a level with pipes meets it.
pub(super) struct BoundaryFace {
    pub(super) edge: Edge,
    pub(super) cell: (usize, usize),
    pub(super) bed: f32,
    pub(super) depth: f32,
    pub(super) level: f32,
    /// The face's discharge so far (m³/s), into the grid, of so much of it as an inner face is wide.
    pub(super) into: f32,
}

/// Stage 1 of pipes: sets every outermost face that is not joined. `drive` gives the discharge
/// (m³/s, into the grid) that a level outside causes over a face of inner width, `celerity` the
/// wave speed in still water of a depth (m) behind an edge.
pub(super) fn set_outermost_faces(
    state: &mut State,
    step: &Step,
    celerity: impl Fn(f32, Edge) -> f32,
    drive: impl Fn(BoundaryFace) -> f32,
) {
    for edge in Edge::ALL {
        for (i, outside) in step.edges.along(edge).iter().enumerate() {
            // Most are walls.
            match outside {
                Outside::Wall => {
                    state.set_boundary_into(edge, i, 0.0);
                    continue;
                }
                Outside::Joined => continue,
                _ => {}
            }
            let cell = step.lattice.edge_cell(edge, i);
            let whole = Here {
                bed: state.bed[cell],
                depth: state.depth[cell],
                closed: state.closed.contains(cell.0, cell.1),
                into: state.boundary_into(edge, i),
            };
            let over = |here: Here| outermost_face(step, edge, i, here, &celerity, &drive);
            let into = match parts(state, edge, cell, whole) {
                None => over(whole),
                Some(parts) => parts.into_iter().map(|(part, here)| Some(part * over(here)?)).sum(),
            };
            if let Some(into) = into {
                state.set_boundary_into(edge, i, into);
            }
        }
    }
}

/// What is at a boundary face of a cell of two parts: over each, with the part of the face that it is. Each has had its share of the discharge.
fn parts(state: &State, edge: Edge, cell: (usize, usize), whole: Here) -> Option<[(f32, Here); 2]> {
    let subgrid = state.subgrid.as_ref()?;
    let ground = subgrid.at(cell)?;
    let side = match edge {
        Edge::West => 0,
        Edge::East => 1,
        Edge::North => 2,
        Edge::South => 3,
    };
    let low = subgrid.open(cell)[side];
    let depth = ground.depth(whole.depth);
    let depths = [depth, ground.over(depth)];
    let wet = low * depths[0] + (1.0 - low) * depths[1];
    let share = |depth: f32| whole.into.map(|q| if wet > 0.0 { q * (depth / wet) } else { 0.0 });
    let bed = whole.bed + ground.low;
    let here = |bed: f32, depth: f32| Here { bed, depth, into: share(depth), ..whole };
    Some([(low, here(bed, depths[0])), (1.0 - low, here(bed + ground.rise, depths[1]))])
}

#[derive(Clone, Copy)]
pub(super) struct Here {
    pub(super) bed: f32,
    pub(super) depth: f32,
    pub(super) closed: bool,
    /// The face's discharge (m³/s), into the grid; to the north and south of hexagons in two halves.
    pub(super) into: [f32; 2],
}

/// Stage 1, boundary face `i` of an edge: its new discharge (m³/s, into the grid), or `None` if the
/// edge is joined; see [`set_outermost_faces`].
pub(super) fn outermost_face(
    step: &Step,
    edge: Edge,
    i: usize,
    Here { bed, depth, closed, into }: Here,
    celerity: impl Fn(f32, Edge) -> f32,
    drive: impl Fn(BoundaryFace) -> f32,
) -> Option<f32> {
    let (lattice, outside) = (step.lattice, step.edges.along(edge)[i]);
    match outside {
        Outside::Joined => return None,
        Outside::Wall => return Some(0.0),
        _ if closed => return Some(0.0),
        _ => {}
    }
    let width = lattice.edge_face_width(edge, i) as f32;
    let cell = lattice.edge_cell(edge, i);
    Some(match outside {
        Outside::Joined | Outside::Wall => 0.0,
        Outside::Given(unit) | Outside::Stream { discharge: unit, .. } => unit * width,
        Outside::Nothing => -(weir(step.params.gravity) * depth * depth.sqrt() * width),
        Outside::Waves { level, rise } => {
            let still = level - bed;
            let c = if still > 0.0 { celerity(still, edge) } else { 0.0 };
            // A hexagon at a corner has so much to the outside that it would overshoot.
            let eager = c * wave_width(step, cell) * step.to_depth();
            let share = if eager > EAGER { EAGER / eager } else { 1.0 };
            // Compared as surfaces, whose rounding moves nothing.
            share * c * width * (2.0 * rise - fall([bed, depth], [level, 0.0]))
        }
        Outside::Level(level) => {
            let wider = width / lattice.face_width(edge.is_x()) as f32;
            let into = (into[0] + into[1]) / wider;
            let into = wider * drive(BoundaryFace { edge, cell, bed, depth, level, into });
            // A dry outside takes water and gives none.
            if level > bed { into } else { into.min(0.0) }
        }
    })
}

/// Part of a cell's excess of water that waves take in a step: 4/3 at a corner of squares; 2 is
/// unstable.
const EAGER: f32 = 4.0 / 3.0;

/// The width of all faces (m) over which waves leave a cell.
fn wave_width(step: &Step, cell: (usize, usize)) -> f32 {
    let mut width = 0.0;
    for edge in Edge::ALL {
        let i = if edge.is_x() { cell.1 } else { cell.0 };
        let waves = matches!(step.edges.along(edge)[i], Outside::Waves { .. });
        if waves && step.lattice.edge_cell(edge, i) == cell {
            width += step.lattice.edge_face_width(edge, i) as f32;
        }
    }
    width
}

/// `(2/3)^(3/2)·√g` (m^½/s): times `h^(3/2)`, the unit discharge over a broad-crested weir.
pub(super) fn weir(gravity: f64) -> f32 {
    (2.0_f64 / 3.0 * (2.0_f64 / 3.0).sqrt() * gravity.sqrt()) as f32
}

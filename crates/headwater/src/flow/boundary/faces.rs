//! Discharges through boundary faces (stage 1 of a time step) with the pipe model and with the
//! local inertial equations. The shallow-water model has its own boundary fluxes.

use super::state::BoundaryState;
use crate::flow::context::StepContext;
use crate::flow::schemes::surface::surface_drop;
use crate::flow::state::State;
use crate::lattice::Edge;

/// A boundary face with a prescribed water level outside, and the cell inside. Stage 1 of a time
/// step computes the discharge through the face from this input.
pub(in crate::flow) struct BoundaryFace {
    pub(in crate::flow) edge: Edge,
    pub(in crate::flow) cell: (usize, usize),
    pub(in crate::flow) bed: f32,
    pub(in crate::flow) depth: f32,
    pub(in crate::flow) level: f32,
    /// Discharge through the face before the step (m³/s, positive into the grid), converted to a
    /// face as wide as an inner face.
    pub(in crate::flow) inflow: f32,
}

/// Sets the discharge through every boundary face that is not periodic (stage 1 of a time step).
///
/// `accelerate` returns the new discharge (m³/s, positive into the grid) through a face with a
/// prescribed water level outside, for a face as wide as an inner face. `celerity` returns the wave
/// speed (m/s) at an edge for a still-water depth (m).
pub(in crate::flow) fn set_boundary_faces(
    state: &mut State,
    step: &StepContext,
    celerity: impl Fn(f32, Edge) -> f32,
    accelerate: impl Fn(BoundaryFace) -> f32,
) {
    for edge in Edge::ALL {
        for (i, outside) in step.edges.edge_faces(edge).iter().enumerate() {
            // Most faces are walls: handle them first.
            match outside {
                BoundaryState::Wall => {
                    state.set_boundary_inflow(edge, i, 0.0);
                    continue;
                }
                BoundaryState::Periodic => continue,
                _ => {}
            }
            let cell = step.lattice.edge_cell(edge, i);
            let whole = BoundaryCell {
                bed: state.bed[cell],
                depth: state.depth[cell],
                closed: state.closed.contains(cell.0, cell.1),
                inflow: state.boundary_inflow(edge, i),
            };
            let over = |here: BoundaryCell| {
                boundary_face_discharge(step, edge, i, here, &celerity, &accelerate)
            };
            let inflow = match split_by_subgrid(state, edge, cell, whole) {
                None => over(whole),
                Some(parts) => parts.into_iter().map(|(part, here)| Some(part * over(here)?)).sum(),
            };
            if let Some(inflow) = inflow {
                state.set_boundary_inflow(edge, i, inflow);
            }
        }
    }
}

/// Splits a boundary face if the subgrid divides the adjacent cell into a low and a high part of
/// its ground. Returns, for the low and then the high part, the fraction of the face width and the
/// data of the cell. Returns `None` if there is no such division.
fn split_by_subgrid(
    state: &State,
    edge: Edge,
    cell: (usize, usize),
    boundary_cell: BoundaryCell,
) -> Option<[(f32, BoundaryCell); 2]> {
    let subgrid = state.subgrid.as_ref()?;
    let ground = subgrid.at(cell)?;
    let side = match edge {
        Edge::West => 0,
        Edge::East => 1,
        Edge::North => 2,
        Edge::South => 3,
    };
    let low = subgrid.open_fractions(cell)[side];
    let depth = ground.depth_over_low(boundary_cell.depth);
    let depths = [depth, ground.depth_over_high(depth)];
    let wet = low * depths[0] + (1.0 - low) * depths[1];
    let share =
        |depth: f32| boundary_cell.inflow.map(|q| if wet > 0.0 { q * (depth / wet) } else { 0.0 });
    let bed = boundary_cell.bed + ground.low;
    let here =
        |bed: f32, depth: f32| BoundaryCell { bed, depth, inflow: share(depth), ..boundary_cell };
    Some([(low, here(bed, depths[0])), (1.0 - low, here(bed + ground.rise, depths[1]))])
}

#[derive(Clone, Copy)]
pub(in crate::flow) struct BoundaryCell {
    pub(in crate::flow) bed: f32,
    pub(in crate::flow) depth: f32,
    pub(in crate::flow) closed: bool,
    /// Discharges through the two halves of the boundary face before the step (m³/s, positive into
    /// the grid). Only north and south faces of hexagons have two halves; otherwise the second
    /// value is 0.
    pub(in crate::flow) inflow: [f32; 2],
}

/// Returns the new discharge through boundary face `i` of an edge (m³/s, positive into the grid),
/// or `None` if the edge is periodic. [`set_boundary_faces`] calls this function for each face and
/// describes the two closures.
pub(in crate::flow) fn boundary_face_discharge(
    step: &StepContext,
    edge: Edge,
    i: usize,
    BoundaryCell { bed, depth, closed, inflow }: BoundaryCell,
    celerity: impl Fn(f32, Edge) -> f32,
    accelerate: impl Fn(BoundaryFace) -> f32,
) -> Option<f32> {
    let (lattice, outside) = (step.lattice, step.edges.edge_faces(edge)[i]);
    match outside {
        BoundaryState::Periodic => return None,
        BoundaryState::Wall => return Some(0.0),
        _ if closed => return Some(0.0),
        _ => {}
    }
    let width = lattice.edge_face_width(edge, i) as f32;
    let cell = lattice.edge_cell(edge, i);
    Some(match outside {
        BoundaryState::Periodic | BoundaryState::Wall => 0.0,
        BoundaryState::Discharge(unit) | BoundaryState::Stream { discharge: unit, .. } => {
            unit * width
        }
        BoundaryState::FreeOutflow => {
            -(weir_coefficient(step.params.gravity) * depth * depth.sqrt() * width)
        }
        BoundaryState::Waves { level, wave_elevation } => {
            let still = level - bed;
            let c = if still > 0.0 { celerity(still, edge) } else { 0.0 };
            // A corner hexagon has so much boundary width that it would overshoot.
            let outflow = c * wave_face_width(step, cell) * step.depth_per_discharge();
            let share = if outflow > MAX_WAVE_OUTFLOW { MAX_WAVE_OUTFLOW / outflow } else { 1.0 };
            // The difference of surfaces is exact for water at rest.
            share * c * width * (2.0 * wave_elevation - surface_drop([bed, depth], [level, 0.0]))
        }
        BoundaryState::Level(level) => {
            let wider = width / lattice.face_width(edge.has_x_faces()) as f32;
            let inflow = (inflow[0] + inflow[1]) / wider;
            let inflow = wider * accelerate(BoundaryFace { edge, cell, bed, depth, level, inflow });
            // A dry exterior accepts water but supplies none.
            if level > bed { inflow } else { inflow.min(0.0) }
        }
    })
}

/// Upper limit on the fraction of a cell's deviation from the still-water level that may leave
/// through wave boundaries in one step. The fraction is wave speed × boundary width × `dt` / cell
/// area. It reaches 4/3 in the corner cells of a square grid. A fraction of 2 would be unstable.
const MAX_WAVE_OUTFLOW: f32 = 4.0 / 3.0;

/// Returns the total width (m) of the faces of a cell that have a wave boundary condition.
fn wave_face_width(step: &StepContext, cell: (usize, usize)) -> f32 {
    let mut width = 0.0;
    for edge in Edge::ALL {
        let i = if edge.has_x_faces() { cell.1 } else { cell.0 };
        let waves = matches!(step.edges.edge_faces(edge)[i], BoundaryState::Waves { .. });
        if waves && step.lattice.edge_cell(edge, i) == cell {
            width += step.lattice.edge_face_width(edge, i) as f32;
        }
    }
    width
}

/// Returns the coefficient `(2/3)^(3/2)·√g` (m^½/s) of a broad-crested weir. Multiplied by
/// `h^(3/2)`, it gives the unit discharge (m²/s) for an upstream depth `h` (m).
pub(in crate::flow) fn weir_coefficient(gravity: f64) -> f32 {
    (2.0_f64 / 3.0 * (2.0_f64 / 3.0).sqrt() * gravity.sqrt()) as f32
}

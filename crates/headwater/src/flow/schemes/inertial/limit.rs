//! Longest stable time step of the local inertial equations.

use crate::flow::boundary::state::{BoundaryState, EdgeStates};
use crate::flow::context::StepLimit;
use crate::flow::params::Params;
use crate::flow::schemes::transport;
use crate::flow::solver::sweep::Tiles;
use crate::flow::state::State;
use crate::lattice::{Edge, Hex, Lattice};
use crate::scratch::ScratchPool;
use multiversion::multiversion;
use std::ops::Range;

/// Safety factor applied to the stability limit for waves on a flat surface.
const SAFETY: f64 = 0.9;

/// Smallest depth (m) that is assumed when the longest step is computed, so that the step is finite
/// in a dry world.
const MIN_ASSUMED_DEPTH: f64 = 1e-3;

/// Largest fraction of its water that a cell may lose in a step. With a fraction above about 0.3,
/// films on steep ground form clumps (observed on slopes of 0.1 and 0.3 with Manning's n = 0.03).
pub(in crate::flow) const MAX_LOSS_FRACTION: f64 = 0.25;

/// Fraction of the largest depth in the grid below which a cell is exempt from the limit on water
/// loss. Without this exemption, wet fronts and puddles would determine the step.
const SHALLOW_FRACTION: f64 = 0.1;

/// Smallest factor by which the limit on water loss may shorten the step that waves allow. The
/// outflow limiter handles faster losses.
pub(in crate::flow) const MIN_WAVE_FRACTION: f64 = 0.1;

/// Largest depth of water beyond the edges of the grid, and fastest rise of the water level due to
/// inflows, both at one time. They may require a shorter step than the water on the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ExteriorExtremes {
    /// Largest water depth (m) outside the grid that a boundary condition prescribes.
    pub depth: f64,
    /// Upper bound on the rate (m/s) at which springs, rain and prescribed boundary discharges
    /// raise the water surface of a cell.
    pub rise_rate: f64,
}

/// Largest depth, and largest ratio of outflow to depth, among the cells of the grid. Both limit
/// the length of a time step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InteriorExtremes {
    /// Largest depth (m) of any cell.
    pub max_depth: f64,
    /// Largest ratio of outflow (m³/s) to depth (m) in any cell. Divided by the cell area, this
    /// ratio is the fraction of the water in the cell that flows out per second. Shallow cells are
    /// exempt.
    pub max_loss_rate: f64,
}

/// Returns the longest stable step and the cell that limits it: the deepest cell, or the cell that
/// loses its water fastest. `rise` is the rate (m/s) at which springs and rain raise the surface
/// before the flow is computed.
pub(in crate::flow) fn step_limit(
    state: &State,
    lattice: &Lattice,
    params: &Params,
    edges: &EdgeStates,
    rise: f64,
    tiles: &Tiles,
    scratch: &ScratchPool,
) -> StepLimit {
    let exterior = exterior_extremes(state, lattice, params, edges, rise);
    let (interior, [deepest, emptied]) = interior_extremes(state, tiles, exterior, scratch);
    let wave_dt = wave_limited_dt(interior.max_depth, exterior, lattice, params);
    let allowed = loss_limited_dt(interior.max_loss_rate, wave_dt, lattice);
    if allowed < wave_dt {
        StepLimit { dt: allowed, cell: Some(emptied) }
    } else {
        StepLimit { dt: wave_dt, cell: (interior.max_depth > 0.0).then_some(deepest) }
    }
}

pub(crate) fn loss_limited_dt(loss: f64, wave_dt: f64, lattice: &Lattice) -> f64 {
    (MAX_LOSS_FRACTION * lattice.cell_area() / loss).max(MIN_WAVE_FRACTION * wave_dt)
}

/// Returns the largest water depth outside the grid, and the fastest rise of the water surface
/// caused by springs, rain and boundary inflows. `rise` is the contribution of springs and rain to
/// this rise (m/s).
pub(in crate::flow) fn exterior_extremes(
    state: &State,
    lattice: &Lattice,
    params: &Params,
    edges: &EdgeStates,
    rise: f64,
) -> ExteriorExtremes {
    let (outside, max_discharges) =
        boundary_extremes(state, lattice, edges, params.gravity, &|_, _| true);
    ExteriorExtremes { depth: outside, rise_rate: rise + inflow_rise_rate(max_discharges, lattice) }
}

/// Returns an upper bound on the rate (m/s) at which boundary discharges raise the water surface of
/// a cell. `max_discharges` contains the largest discharge per face for each edge (m³/s).
pub(crate) fn inflow_rise_rate(max_discharges: [f64; 4], lattice: &Lattice) -> f64 {
    max_discharges.into_iter().fold(0.0, |rise, discharge| rise + discharge / lattice.cell_area())
}

/// Returns the largest depth and the largest ratio of outflow to depth among the cells of the grid.
/// Also returns the column and row of the two cells that have these values, in the same order.
pub(in crate::flow) fn interior_extremes(
    state: &State,
    tiles: &Tiles,
    exterior: ExteriorExtremes,
    scratch: &ScratchPool,
) -> (InteriorExtremes, [(usize, usize); 2]) {
    let (inside, deepest) = max_depth(state, tiles, scratch);
    let (max_loss_rate, emptied) = max_loss(state, tiles, inside.max(exterior.depth), scratch);
    (InteriorExtremes { max_depth: inside, max_loss_rate }, [deepest, emptied])
}

/// Returns the largest depth (m) of any cell, and the column and row of that cell.
pub(crate) fn max_depth(
    state: &State,
    tiles: &Tiles,
    scratch: &ScratchPool,
) -> (f64, (usize, usize)) {
    let depths = |y: usize, columns: Range<usize>, row: &mut [f32]| {
        row.copy_from_slice(&state.depth.row(y)[columns]);
    };
    let deepest = tiles.max_over_cells(scratch, &state.depth, |depth| depth, depths);
    let (inside, cell) = max_subgrid_depth(state, deepest);
    (inside.into(), cell)
}

/// Returns the largest ratio of outflow to depth (m²/s) in any cell, and the column and row of that
/// cell. `max_depth` is the largest depth on the grid (m). Cells that are shallow compared with it
/// are exempt.
pub(crate) fn max_loss(
    state: &State,
    tiles: &Tiles,
    max_depth: f64,
    scratch: &ScratchPool,
) -> (f64, (usize, usize)) {
    let shallow = (SHALLOW_FRACTION * max_depth.max(MIN_ASSUMED_DEPTH)) as f32;
    let losses = |y: usize, columns: Range<usize>, row: &mut [f32]| {
        compute_loss_rates(row, state, shallow, y, columns);
    };
    // Sleeping tiles lose no water.
    let (loss, emptied) = tiles.max_over_cells(scratch, &state.depth, |_| 0.0, losses);
    (loss.into(), emptied)
}

/// Returns a depth (m) that limits the step, with the column and row of its cell: the given depth,
/// or the largest depth over the low part of a subgrid cell if that is larger. A subgrid splits a
/// cell into a low and a high part. If the low ground at a face is wider than the low part of its
/// cell, the depth of this cell is multiplied by the ratio of the two widths.
fn max_subgrid_depth(state: &State, deepest: (f32, (usize, usize))) -> (f32, (usize, usize)) {
    let Some(subgrid) = &state.subgrid else { return deepest };
    subgrid.cells().fold(deepest, |deepest, at| {
        let Some(ground) = subgrid.at(at) else { return deepest };
        let held = state.depth[at];
        let widest = subgrid.open_fractions(at).into_iter().fold(ground.low_fraction, f32::max);
        let wider =
            if ground.wet_fraction(held) < 1.0 { widest / ground.low_fraction } else { 1.0 };
        let depth = ground.depth_over_low(held) * wider;
        if depth > deepest.0 { (depth, at) } else { deepest }
    })
}

/// Returns the longest step (s) at which waves remain bounded, if `max_depth` is the largest depth
/// in the grid (m).
pub(crate) fn wave_limited_dt(
    max_depth: f64,
    exterior: ExteriorExtremes,
    lattice: &Lattice,
    params: &Params,
) -> f64 {
    let depth = max_depth.max(exterior.depth).max(MIN_ASSUMED_DEPTH);
    let mut dt = stable_dt(depth, lattice, params);
    // Deeper water shortens the step, and less water arrives in a shorter step, so this fixed-point
    // iteration alternates and converges.
    for _ in 0..if exterior.rise_rate > 0.0 { 3 } else { 0 } {
        dt = stable_dt(depth + exterior.rise_rate * dt, lattice, params);
    }
    dt
}

pub(in crate::flow) fn dry_stable_dt(lattice: &Lattice, params: &Params) -> f64 {
    stable_dt(MIN_ASSUMED_DEPTH, lattice, params)
}

/// Computes the ratio of outflow to depth (m²/s) of each cell in a range of columns of row `y`. The
/// ratio is set to 0 in cells shallower than `shallow` (m).
fn compute_loss_rates(
    row: &mut [f32],
    state: &State,
    shallow: f32,
    y: usize,
    columns: Range<usize>,
) {
    let x = &state.discharge_x.row(y)[columns.start..=columns.end];
    let ys = [y, y + 1].map(|y| &state.discharge_y.row(y)[columns.clone()]);
    let h = &state.depth.row(y)[columns.clone()];
    let Some(discharge_z) = &state.discharge_z else {
        return compute_losses_square(x, ys, h, shallow, row);
    };
    let slanted = columns.start + Hex::z_face_column(y)..columns.end + Hex::z_face_column(y);
    let zs = [y, y + 1].map(|y| &discharge_z.row(y)[slanted.clone()]);
    compute_losses_hex(x, ys, zs, h, shallow, row);
}

#[inline(always)]
fn cell_loss_rate(out: f32, h: f32, shallow: f32) -> f32 {
    if h >= shallow { out / h } else { 0.0 }
}

#[multiversion(targets = "simd")]
fn compute_losses_square(
    x: &[f32],
    [north, south]: [&[f32]; 2],
    h: &[f32],
    shallow: f32,
    row: &mut [f32],
) {
    let n = row.len();
    let (west, east, h) = (&x[..n], &x[1..=n], &h[..n]);
    let (north, south) = (&north[..n], &south[..n]);
    for i in 0..n {
        let pairs = [[west[i], east[i]], [north[i], south[i]]];
        row[i] = cell_loss_rate(transport::total_outflow(pairs), h[i], shallow);
    }
}

#[multiversion(targets = "simd")]
fn compute_losses_hex(
    x: &[f32],
    [north, south]: [&[f32]; 2],
    [up, down]: [&[f32]; 2],
    h: &[f32],
    shallow: f32,
    row: &mut [f32],
) {
    let n = row.len();
    let (west, east, h) = (&x[..n], &x[1..=n], &h[..n]);
    let (north, south) = (&north[..n], &south[..n]);
    let (up, down) = (&up[..n], &down[..n]);
    for i in 0..n {
        let pairs = [[west[i], east[i]], [north[i], south[i]], [up[i], down[i]]];
        row[i] = cell_loss_rate(transport::total_outflow(pairs), h[i], shallow);
    }
}

/// Returns the longest step (s) at which waves on water of a given depth (m) remain bounded.
///
/// The shortest wave has the angular frequency `ω² = 4·g·h·(1/dx² + 1/dy²)`; on hexagons with the
/// cell distance `d` it is `ω² = 6·g·h/d²`. Friction and the filter scale the discharge by
/// `k = (1 − friction)^dt·(2θ − 1)`. The wave remains bounded while `ω²·dt² ≤ 2·(1 + k)`. Manning's
/// friction and viscosity add to the margin.
fn stable_dt(depth: f64, lattice: &Lattice, params: &Params) -> f64 {
    let omega = (params.gravity * depth * lattice.max_squared_wavenumber()).sqrt();
    // The frictionless step is longer, so its `k` is smaller and the bound is conservative.
    let kept = libm::pow(1.0 - params.friction, 2.0 / omega) * (2.0 * params.theta - 1.0);
    SAFETY * (2.0 * (1.0 + kept)).sqrt() / omega
}

/// Returns the largest water depth (m) outside the grid, and the largest prescribed discharge per
/// face (m³/s) on each edge. Only faces for which `includes_face(edge, face)` is true are included.
pub(crate) fn boundary_extremes(
    state: &State,
    lattice: &Lattice,
    edges: &EdgeStates,
    gravity: f64,
    includes_face: &dyn Fn(Edge, usize) -> bool,
) -> (f64, [f64; 4]) {
    let mut depth = 0.0_f64;
    let max_discharges = Edge::ALL.map(|edge| {
        let mut max_discharge = 0.0_f64;
        let faces = edges.edge_faces(edge).iter().enumerate();
        for (i, outside) in faces.filter(|(i, _)| includes_face(edge, *i)) {
            match *outside {
                BoundaryState::Level(level) => {
                    let bed = state.bed[lattice.edge_cell(edge, i)];
                    depth = depth.max(f64::from(level - bed));
                }
                BoundaryState::Discharge(unit) | BoundaryState::Stream { discharge: unit, .. } => {
                    max_discharge =
                        max_discharge.max(f64::from(unit) * lattice.edge_face_width(edge, i));
                }
                BoundaryState::Waves { level, wave_elevation } => {
                    let bed = state.bed[lattice.edge_cell(edge, i)];
                    let highest = f64::from(level - bed) + 2.0 * f64::from(wave_elevation.abs());
                    if level > bed {
                        depth = depth.max(highest);
                        let unit =
                            2.0 * f64::from(wave_elevation.abs()) * (gravity * highest).sqrt();
                        max_discharge = max_discharge.max(unit * lattice.edge_face_width(edge, i));
                    }
                }
                BoundaryState::Wall | BoundaryState::FreeOutflow | BoundaryState::Periodic => {}
            }
        }
        max_discharge
    });
    (depth, max_discharges)
}

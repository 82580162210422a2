//! Longest stable step of the shallow-water scheme. A wave may cross less than half a cell per step
//! along each axis.

use super::boundary_flux::is_supercritical;
use super::hexagons::limit as hexagons;
use super::subgrid_flux::{CellParts, wave_rate_factors};
use super::{Water, fast_max};
use crate::flow::boundary::state::{BoundaryState, EdgeStates};
use crate::flow::context::StepLimit;
use crate::flow::solver::sweep::Tiles;
use crate::flow::state::{Momentum, State};
use crate::flow::subgrid::Subgrid;
use crate::lattice::{Edge, Lattice};
use crate::scratch::ScratchPool;
use multiversion::multiversion;
use std::ops::Range;

/// Courant number along each axis. The scheme is stable if the sum over both axes is below 1.
const COURANT: f64 = 0.45;

/// Depth (m) of a water film that is assumed in a dry world, so that its waves limit the step. Rain
/// adds less than this depth in a step.
const FILM_DEPTH: f32 = 1e-3;

/// Returns the longest stable step and the cell that limits it. `rise` is the rate (m/s) at which
/// springs and rain raise the surface.
pub(in crate::flow) fn step_limit(
    state: &State,
    lattice: &Lattice,
    gravity: f64,
    edges: &EdgeStates,
    rise: f64,
    tiles: &Tiles,
    scratch: &ScratchPool,
) -> StepLimit {
    let (rate, cell) =
        max_wave_rate(state, lattice, gravity, (edges, &|_, _| true), tiles, scratch);
    StepLimit { dt: stable_dt(rate, lattice, gravity, rise), cell: Some(cell) }
}

/// A function that selects boundary faces by edge and face index.
pub(crate) type FaceFilter<'a> = &'a dyn Fn(Edge, usize) -> bool;

/// Returns the largest rate (cells/s) at which waves cross a cell, and the column and row of that
/// cell.
pub(crate) fn max_wave_rate(
    state: &State,
    lattice: &Lattice,
    gravity: f64,
    (edges, counts): (&EdgeStates, FaceFilter),
    tiles: &Tiles,
    scratch: &ScratchPool,
) -> (f32, (usize, usize)) {
    let waves = WaveParams {
        gravity: gravity as f32,
        per_dx: (1.0 / lattice.dx()) as f32,
        per_dy: (1.0 / cell_distances(lattice)[1]) as f32,
    };
    let crossing = hexagons::HexWaveParams {
        gravity: waves.gravity,
        per_length: waves.per_dx,
        film: FILM_DEPTH,
    };
    let (mut rate, mut cell) = match &state.momentum {
        Some(q) => {
            let rates = |y: usize, columns: Range<usize>, rates: &mut [f32]| {
                let q = [&q.x, &q.y].map(|q| &q.row(y)[columns.clone()]);
                let depths = &state.depth.row(y)[columns];
                match lattice {
                    Lattice::Square(_) => compute_row_wave_rates(&waves, depths, q, rates),
                    Lattice::Hex(_) => hexagons::compute_row_wave_rates(crossing, depths, q, rates),
                }
            };
            tiles.max_over_cells(
                scratch,
                &state.depth,
                |depth| waves.cell_wave_rate(depth, 0.0, 0.0),
                rates,
            )
        }
        None => (0.0, (0, 0)),
    };
    if let (Some(q), Some(subgrid)) = (&state.momentum, &state.subgrid) {
        for at in subgrid.cells() {
            let found = waves.subgrid_wave_rate(state, subgrid, q, at);
            if found > rate {
                (rate, cell) = (found, at);
            }
        }
    }
    for edge in Edge::ALL {
        let faces = edges.edge_faces(edge).iter().enumerate();
        for (i, &outside) in faces.filter(|(i, _)| counts(edge, *i)) {
            let at = lattice.edge_cell(edge, i);
            let inflow_rate = waves.inflow_rate(outside, edge, state.bed[at], state.depth[at]);
            if inflow_rate > rate {
                (rate, cell) = (inflow_rate, at);
            }
        }
    }
    (rate, cell)
}

pub(crate) fn stable_dt(rate: f32, lattice: &Lattice, gravity: f64, rise: f64) -> f64 {
    let courant = courant_number(lattice);
    let speed = f64::from(rate) / courant;
    let [dx, dy] = cell_distances(lattice);
    let across = dx.min(dy) * courant;
    solve_dt(speed, gravity * rise / (across * across))
}

pub(in crate::flow) fn dry_stable_dt(lattice: &Lattice, gravity: f64) -> f64 {
    let celerity = (gravity * f64::from(FILM_DEPTH)).sqrt();
    let [dx, dy] = cell_distances(lattice);
    courant_number(lattice) * dx.min(dy) / celerity
}

fn cell_distances(lattice: &Lattice) -> [f64; 2] {
    match lattice {
        Lattice::Square(square) => [square.dx(), square.dy()],
        Lattice::Hex(hex) => [hex.spacing(); 2],
    }
}

fn courant_number(lattice: &Lattice) -> f64 {
    if lattice.is_hex() { hexagons::COURANT } else { COURANT }
}

/// Returns the longest step (s) for waves that cross `rate` cells per second, if the square of this
/// rate grows by `growth` per second (1/s³). The result is the largest `dt` with `(rate² +
/// growth·dt)·dt² ≤ 1`.
fn solve_dt(rate: f64, growth: f64) -> f64 {
    let fits = |dt: f64| (rate * rate + growth * dt) * dt * dt <= 1.0;
    let (mut low, mut high) = (0.0, 1.0 / rate);
    if growth <= 0.0 {
        return high;
    }
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if fits(middle) { low = middle } else { high = middle }
    }
    low
}

struct WaveParams {
    gravity: f32,
    per_dx: f32,
    per_dy: f32,
}

impl WaveParams {
    #[inline(always)]
    fn cell_wave_rate(&self, h: f32, hu: f32, hv: f32) -> f32 {
        let c = (self.gravity * fast_max(h, FILM_DEPTH)).sqrt();
        let Water { u, v, .. } = Water::new(0.0, h, hu, hv);
        fast_max((u.abs() + c) * self.per_dx, (v.abs() + c) * self.per_dy)
    }

    /// Returns the rate (cells/s) at which waves cross a subgrid cell, which a bank splits into a
    /// low and a high part. Waves are faster than in a cell without a bank: the water over the low
    /// part is deeper, and the faces through which it enters may be wider than the low part.
    fn subgrid_wave_rate(
        &self,
        state: &State,
        subgrid: &Subgrid,
        q: &Momentum,
        at: (usize, usize),
    ) -> f32 {
        let ground = subgrid.at(at);
        let Water { h, u, v, .. } =
            CellParts::new(0.0, state.depth[at], [q.x[at], q.y[at]], ground).low;
        let c = (self.gravity * fast_max(h, FILM_DEPTH)).sqrt();
        let wider =
            ground.map_or([1.0; 2], |ground| wave_rate_factors(ground, subgrid.open_fractions(at)));
        let [x, y] = [(u.abs() + c) * wider[0], (v.abs() + c) * wider[1]];
        fast_max(x * self.per_dx, y * self.per_dy)
    }

    fn inflow_rate(&self, outside: BoundaryState, edge: Edge, bed: f32, depth: f32) -> f32 {
        let (u, h) = match outside {
            BoundaryState::Discharge(q) if q > 0.0 => {
                let h = fast_max(libm::cbrtf(q * q / self.gravity), depth);
                (q / h, h)
            }
            BoundaryState::Stream { discharge: q, level, .. } if q > 0.0 => {
                let known = level.map_or(0.0, |level| level - bed);
                let h = fast_max(libm::cbrtf(q * q / self.gravity), depth);
                if is_supercritical(q, known, self.gravity) {
                    (q / known, fast_max(known, depth))
                } else {
                    (q / h, h)
                }
            }
            BoundaryState::Level(level) => (0.0, fast_max(level - bed, 0.0)),
            BoundaryState::Waves { level, wave_elevation } if level > bed => {
                let h = fast_max(level - bed, depth) + 2.0 * wave_elevation.abs();
                (2.0 * wave_elevation.abs() * (self.gravity / (level - bed)).sqrt(), h)
            }
            _ => (0.0, 0.0),
        };
        let per = match edge {
            Edge::West | Edge::East => self.per_dx,
            Edge::North | Edge::South => self.per_dy,
        };
        (u + (self.gravity * h).sqrt()) * per
    }
}

#[multiversion(targets = "simd")]
fn compute_row_wave_rates(waves: &WaveParams, h: &[f32], q: [&[f32]; 2], rates: &mut [f32]) {
    let n = rates.len();
    let (h, hu, hv) = (&h[..n], &q[0][..n], &q[1][..n]);
    for i in 0..n {
        rates[i] = waves.cell_wave_rate(h[i], hu[i], hv[i]);
    }
}

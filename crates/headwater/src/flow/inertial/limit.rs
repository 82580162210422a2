//! How long a step of the local inertial equations may be.

use crate::flow::context::Limit;
use crate::flow::outside::{Edges, Outside};
use crate::flow::params::Params;
use crate::flow::state::State;
use crate::flow::sweep::Tiles;
use crate::flow::transport;
use crate::lattice::{Edge, Hex, Lattice};
use crate::scratch::ScratchPool;
use multiversion::multiversion;
use std::ops::Range;

/// The part of the longest step for which waves on a flat surface stay bounded that is taken.
const SAFETY: f64 = 0.9;

/// The least depth (m) that a step is made for, so that a dry world has one too.
const THIN: f64 = 1e-3;

/// Part of its water that a cell may lose in a step. Films on steep ground clump above about 0.3
/// (measured on slopes of 0.1 and 0.3 with n = 0.03).
pub(in crate::flow) const LOSS: f64 = 0.25;

/// Cells shallower than this part of the greatest depth may lose more, or fronts and puddles would
/// set the step.
const SHALLOW: f64 = 0.1;

/// The part of the step for waves that losses leave in any case. Stage 4 guards what runs still faster.
pub(in crate::flow) const LEAST: f64 = 0.1;

/// What stands outside and what comes at one moment: it asks for shorter steps than the water inside alone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Surge {
    /// The greatest depth that stands outside an edge (m).
    pub outside: f64,
    /// The fastest that springs, rain and given discharges over edges can lift a surface (m/s).
    pub rise: f64,
}

/// What the water inside asks of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Demand {
    /// The greatest depth (m).
    pub deepest: f64,
    /// The greatest part of its depth that a cell that is not shallow loses in a second, times its
    /// area (m²/s).
    pub loss: f64,
}

/// The longest step from here, and the cell that sets it: the deepest, or one that a fast stream
/// empties. Springs and rain lift surfaces first, at most by `rise` (m/s), which counts.
pub(in crate::flow) fn limit(
    state: &State,
    lattice: &Lattice,
    params: &Params,
    edges: &Edges,
    rise: f64,
    tiles: &Tiles,
    scratch: &ScratchPool,
) -> Limit {
    let surge = surge(state, lattice, params, edges, rise);
    let (demand, [deepest, emptied]) = demand(state, tiles, surge, scratch);
    let waves = wave_dt(demand.deepest, surge, lattice, params);
    let allowed = loss_dt(demand.loss, waves, lattice);
    if allowed < waves {
        Limit { dt: allowed, cell: Some(emptied) }
    } else {
        Limit { dt: waves, cell: (demand.deepest > 0.0).then_some(deepest) }
    }
}

pub(crate) fn loss_dt(loss: f64, waves: f64, lattice: &Lattice) -> f64 {
    (LOSS * lattice.cell_area() / loss).max(LEAST * waves)
}

/// What stands outside and what comes; `rise` is that of springs and rain (m/s).
pub(in crate::flow) fn surge(
    state: &State,
    lattice: &Lattice,
    params: &Params,
    edges: &Edges,
    rise: f64,
) -> Surge {
    let (outside, given) = beyond(state, lattice, edges, params.gravity, &|_, _| true);
    Surge { outside, rise: rise + rise_of(given, lattice) }
}

/// The fastest rise (m/s) that discharges given over the edges can cause in a cell; they are the greatest over a face of each edge (m³/s).
pub(crate) fn rise_of(given: [f64; 4], lattice: &Lattice) -> f64 {
    given.into_iter().fold(0.0, |rise, given| rise + given / lattice.cell_area())
}

/// What the water inside asks of a step, and the cells that do: the deepest, and the one that loses most.
pub(in crate::flow) fn demand(
    state: &State,
    tiles: &Tiles,
    surge: Surge,
    scratch: &ScratchPool,
) -> (Demand, [(usize, usize); 2]) {
    let (inside, deepest) = deepest(state, tiles, scratch);
    let (loss, emptied) = loss_of(state, tiles, inside.max(surge.outside), scratch);
    (Demand { deepest: inside, loss }, [deepest, emptied])
}

pub(crate) fn deepest(
    state: &State,
    tiles: &Tiles,
    scratch: &ScratchPool,
) -> (f64, (usize, usize)) {
    let depths = |y: usize, columns: Range<usize>, row: &mut [f32]| {
        row.copy_from_slice(&state.depth.row(y)[columns]);
    };
    let deepest = tiles.greatest(scratch, &state.depth, |depth| depth, depths);
    let (inside, cell) = deepest_part(state, deepest);
    (inside.into(), cell)
}

/// The greatest part of its depth that a cell loses in a second, times its area (m²/s), and the
/// cell; without cells that are shallow beside a depth (m).
pub(crate) fn loss_of(
    state: &State,
    tiles: &Tiles,
    deepest: f64,
    scratch: &ScratchPool,
) -> (f64, (usize, usize)) {
    let shallow = (SHALLOW * deepest.max(THIN)) as f32;
    let losses = |y: usize, columns: Range<usize>, row: &mut [f32]| {
        losses(row, state, shallow, y, columns);
    };
    // Where all is at rest, nothing leaves.
    let (loss, emptied) = tiles.greatest(scratch, &state.depth, |_| 0.0, losses);
    (loss.into(), emptied)
}

/// The greatest depth and its cell, with cells of two parts, whose low water is deeper than what
/// they hold.
fn deepest_part(state: &State, deepest: (f32, (usize, usize))) -> (f32, (usize, usize)) {
    let Some(subgrid) = &state.subgrid else { return deepest };
    subgrid.cells().fold(deepest, |deepest, at| {
        let Some(ground) = subgrid.at(at) else { return deepest };
        let held = state.depth[at];
        let widest = subgrid.open(at).into_iter().fold(ground.part, f32::max);
        let wider = if ground.wet(held) < 1.0 { widest / ground.part } else { 1.0 };
        let depth = ground.depth(held) * wider;
        if depth > deepest.0 { (depth, at) } else { deepest }
    })
}

/// The longest step (s) that waves allow on water that is `inside` m deep.
pub(crate) fn wave_dt(inside: f64, surge: Surge, lattice: &Lattice, params: &Params) -> f64 {
    let depth = inside.max(surge.outside).max(THIN);
    let mut dt = stable_dt(depth, lattice, params);
    // Deeper water allows a shorter step, in which less arrives: estimates alternate and converge.
    for _ in 0..if surge.rise > 0.0 { 3 } else { 0 } {
        dt = stable_dt(depth + surge.rise * dt, lattice, params);
    }
    dt
}

pub(in crate::flow) fn longest(lattice: &Lattice, params: &Params) -> f64 {
    stable_dt(THIN, lattice, params)
}

/// What leaves each cell in some columns of row `y`, over its depth (m²/s); 0 where it is shallow.
fn losses(row: &mut [f32], state: &State, shallow: f32, y: usize, columns: Range<usize>) {
    let x = &state.discharge_x.row(y)[columns.start..=columns.end];
    let ys = [y, y + 1].map(|y| &state.discharge_y.row(y)[columns.clone()]);
    let h = &state.depth.row(y)[columns.clone()];
    let Some(discharge_z) = &state.discharge_z else {
        return losses_square(x, ys, h, shallow, row);
    };
    let slanted = columns.start + Hex::z_offset(y)..columns.end + Hex::z_offset(y);
    let zs = [y, y + 1].map(|y| &discharge_z.row(y)[slanted.clone()]);
    losses_hex(x, ys, zs, h, shallow, row);
}

#[inline(always)]
fn loss(out: f32, h: f32, shallow: f32) -> f32 {
    if h >= shallow { out / h } else { 0.0 }
}

#[multiversion(targets = "simd")]
fn losses_square(x: &[f32], [north, south]: [&[f32]; 2], h: &[f32], shallow: f32, row: &mut [f32]) {
    let n = row.len();
    let (west, east, h) = (&x[..n], &x[1..=n], &h[..n]);
    let (north, south) = (&north[..n], &south[..n]);
    for i in 0..n {
        let pairs = [[west[i], east[i]], [north[i], south[i]]];
        row[i] = loss(transport::outflow(pairs), h[i], shallow);
    }
}

#[multiversion(targets = "simd")]
fn losses_hex(
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
        row[i] = loss(transport::outflow(pairs), h[i], shallow);
    }
}

/// The longest step (s) for waves on water of this depth.
///
/// The shortest wave has `ω² = 4·g·h·(1/dx² + 1/dy²)`, on hexagons `d` apart `ω² = 6·g·h/d²`;
/// friction and the filter leave `k = (1 − friction)^dt·(2θ − 1)` of its discharge. It stays
/// bounded while `ω²·dt² ≤ 2·(1 + k)`; Manning's friction and viscosity leave more room.
fn stable_dt(depth: f64, lattice: &Lattice, params: &Params) -> f64 {
    let omega = (params.gravity * depth * lattice.max_squared_wavenumber()).sqrt();
    // The step without friction is longer, so its k is too small, on the safe side.
    let kept = libm::pow(1.0 - params.friction, 2.0 / omega) * (2.0 * params.theta - 1.0);
    SAFETY * (2.0 * (1.0 + kept)).sqrt() / omega
}

/// The greatest depth (m) that stands outside an edge, and the greatest discharge (m³/s) that is given over a face of each edge, of
/// faces that count.
pub(crate) fn beyond(
    state: &State,
    lattice: &Lattice,
    edges: &Edges,
    gravity: f64,
    counts: &dyn Fn(Edge, usize) -> bool,
) -> (f64, [f64; 4]) {
    let mut depth = 0.0_f64;
    let given = Edge::ALL.map(|edge| {
        let mut given = 0.0_f64;
        let faces = edges.along(edge).iter().enumerate();
        for (i, outside) in faces.filter(|(i, _)| counts(edge, *i)) {
            match *outside {
                Outside::Level(level) => {
                    let bed = state.bed[lattice.edge_cell(edge, i)];
                    depth = depth.max(f64::from(level - bed));
                }
                Outside::Given(unit) | Outside::Stream { discharge: unit, .. } => {
                    given = given.max(f64::from(unit) * lattice.edge_face_width(edge, i));
                }
                Outside::Waves { level, rise } => {
                    let bed = state.bed[lattice.edge_cell(edge, i)];
                    let highest = f64::from(level - bed) + 2.0 * f64::from(rise.abs());
                    if level > bed {
                        depth = depth.max(highest);
                        let unit = 2.0 * f64::from(rise.abs()) * (gravity * highest).sqrt();
                        given = given.max(unit * lattice.edge_face_width(edge, i));
                    }
                }
                Outside::Wall | Outside::Nothing | Outside::Joined => {}
            }
        }
        given
    });
    (depth, given)
}

//! The longest stable step: within it no wave crosses half a cell, in either direction.

use super::edge::shoots;
use super::hexagons::limit as hexagons;
use super::parts::{Parts, quicker};
use super::{Water, larger};
use crate::flow::context::Limit;
use crate::flow::outside::{Edges, Outside};
use crate::flow::state::{Momentum, State};
use crate::flow::subgrid::Subgrid;
use crate::flow::sweep::Tiles;
use crate::lattice::{Edge, Lattice};
use crate::scratch::ScratchPool;
use multiversion::multiversion;
use std::ops::Range;

/// Part of a cell that a wave may cross in a step; stable below 1 over both directions.
const COURANT: f64 = 0.45;

/// Waves on a film this thin (m) set the step in a dry world: what rain brings in it is no deeper.
const FILM: f32 = 1e-3;

/// The longest stable step, and the cell that sets it. `rise` is how fast water may come from above (m/s).
pub(in crate::flow) fn limit(
    state: &State,
    lattice: &Lattice,
    gravity: f64,
    edges: &Edges,
    rise: f64,
    tiles: &Tiles,
    scratch: &ScratchPool,
) -> Limit {
    let (rate, cell) = rate(state, lattice, gravity, (edges, &|_, _| true), tiles, scratch);
    Limit { dt: longest(rate, lattice, gravity, rise), cell: Some(cell) }
}

/// Which faces of the edges count: an edge, and the number of a face.
pub(crate) type Counts<'a> = &'a dyn Fn(Edge, usize) -> bool;

/// How many cells the fastest wave crosses in a second, and from which cell.
pub(crate) fn rate(
    state: &State,
    lattice: &Lattice,
    gravity: f64,
    (edges, counts): (&Edges, Counts),
    tiles: &Tiles,
    scratch: &ScratchPool,
) -> (f32, (usize, usize)) {
    let waves = Waves {
        gravity: gravity as f32,
        per_dx: (1.0 / lattice.dx()) as f32,
        per_dy: (1.0 / apart(lattice)[1]) as f32,
    };
    let crossing =
        hexagons::Crossing { gravity: waves.gravity, per_length: waves.per_dx, film: FILM };
    let (mut rate, mut cell) = match &state.momentum {
        Some(q) => {
            let rates = |y: usize, columns: Range<usize>, rates: &mut [f32]| {
                let q = [&q.x, &q.y].map(|q| &q.row(y)[columns.clone()]);
                let depths = &state.depth.row(y)[columns];
                match lattice {
                    Lattice::Square(_) => rates_of_row(&waves, depths, q, rates),
                    Lattice::Hex(_) => hexagons::rates_of_row(crossing, depths, q, rates),
                }
            };
            tiles.greatest(scratch, &state.depth, |depth| waves.rate(depth, 0.0, 0.0), rates)
        }
        None => (0.0, (0, 0)),
    };
    if let (Some(q), Some(subgrid)) = (&state.momentum, &state.subgrid) {
        for at in subgrid.cells() {
            let found = waves.of_parts(state, subgrid, q, at);
            if found > rate {
                (rate, cell) = (found, at);
            }
        }
    }
    for edge in Edge::ALL {
        let faces = edges.along(edge).iter().enumerate();
        for (i, &outside) in faces.filter(|(i, _)| counts(edge, *i)) {
            let at = lattice.edge_cell(edge, i);
            let entering = waves.entering(outside, edge, state.bed[at], state.depth[at]);
            if entering > rate {
                (rate, cell) = (entering, at);
            }
        }
    }
    (rate, cell)
}

pub(crate) fn longest(rate: f32, lattice: &Lattice, gravity: f64, rise: f64) -> f64 {
    let courant = courant(lattice);
    let speed = f64::from(rate) / courant;
    let [dx, dy] = apart(lattice);
    let across = dx.min(dy) * courant;
    until_quick(speed, gravity * rise / (across * across))
}

pub(in crate::flow) fn longest_of_all(lattice: &Lattice, gravity: f64) -> f64 {
    let celerity = (gravity * f64::from(FILM)).sqrt();
    let [dx, dy] = apart(lattice);
    courant(lattice) * dx.min(dy) / celerity
}

fn apart(lattice: &Lattice) -> [f64; 2] {
    match lattice {
        Lattice::Square(square) => [square.dx(), square.dy()],
        Lattice::Hex(hex) => [hex.spacing(); 2],
    }
}

fn courant(lattice: &Lattice) -> f64 {
    if lattice.is_hex() { hexagons::COURANT } else { COURANT }
}

/// The longest step for waves that cross a cell `speed` times a second, squared number growing by
/// `quicker` a second: the largest with `(speed² + quicker·dt)·dt² ≤ 1`.
fn until_quick(speed: f64, quicker: f64) -> f64 {
    let fits = |dt: f64| (speed * speed + quicker * dt) * dt * dt <= 1.0;
    let (mut low, mut high) = (0.0, 1.0 / speed);
    if quicker <= 0.0 {
        return high;
    }
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if fits(middle) { low = middle } else { high = middle }
    }
    low
}

struct Waves {
    gravity: f32,
    per_dx: f32,
    per_dy: f32,
}

impl Waves {
    #[inline(always)]
    fn rate(&self, h: f32, hu: f32, hv: f32) -> f32 {
        let c = (self.gravity * larger(h, FILM)).sqrt();
        let Water { u, v, .. } = Water::new(0.0, h, hu, hv);
        larger((u.abs() + c) * self.per_dx, (v.abs() + c) * self.per_dy)
    }

    /// The rate of a cell of two parts: its water is deeper over the low one, and may come in over more than it has.
    fn of_parts(&self, state: &State, subgrid: &Subgrid, q: &Momentum, at: (usize, usize)) -> f32 {
        let ground = subgrid.at(at);
        let Water { h, u, v, .. } =
            Parts::new(0.0, state.depth[at], [q.x[at], q.y[at]], ground).low;
        let c = (self.gravity * larger(h, FILM)).sqrt();
        let wider = ground.map_or([1.0; 2], |ground| quicker(ground, subgrid.open(at)));
        let [x, y] = [(u.abs() + c) * wider[0], (v.abs() + c) * wider[1]];
        larger(x * self.per_dx, y * self.per_dy)
    }

    fn entering(&self, outside: Outside, edge: Edge, bed: f32, depth: f32) -> f32 {
        let (u, h) = match outside {
            Outside::Given(q) if q > 0.0 => {
                let h = larger(libm::cbrtf(q * q / self.gravity), depth);
                (q / h, h)
            }
            Outside::Stream { discharge: q, level, .. } if q > 0.0 => {
                let known = level.map_or(0.0, |level| level - bed);
                let h = larger(libm::cbrtf(q * q / self.gravity), depth);
                if shoots(q, known, self.gravity) {
                    (q / known, larger(known, depth))
                } else {
                    (q / h, h)
                }
            }
            Outside::Level(level) => (0.0, larger(level - bed, 0.0)),
            Outside::Waves { level, rise } if level > bed => {
                let h = larger(level - bed, depth) + 2.0 * rise.abs();
                (2.0 * rise.abs() * (self.gravity / (level - bed)).sqrt(), h)
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
fn rates_of_row(waves: &Waves, h: &[f32], q: [&[f32]; 2], rates: &mut [f32]) {
    let n = rates.len();
    let (h, hu, hv) = (&h[..n], &q[0][..n], &q[1][..n]);
    for i in 0..n {
        rates[i] = waves.rate(h[i], hu[i], hv[i]);
    }
}

//! The longest stable step: within it no wave crosses half a cell, in either direction.

use super::{Water, larger};
use crate::field::Field;
use crate::flow::context::Limit;
use crate::flow::outside::{Edges, Outside};
use crate::flow::state::{Momentum, State};
use crate::lattice::{Edge, Lattice};
use crate::parallel::per_row;

/// The part of a cell that a wave may cross in a step. The scheme is stable while the parts of both
/// directions together stay below 1.
const COURANT: f64 = 0.45;

/// Waves on a film this thin (m) set the step in a dry world: what rain brings in it is no deeper.
const FILM: f32 = 1e-3;

/// Values compared side by side, so that the compiler vectorises it.
const LANES: usize = 16;

/// The longest stable step, and the cell that sets it. `rise` is how fast water may come from above (m/s).
pub(in crate::flow) fn limit(
    state: &State,
    lattice: &Lattice,
    gravity: f64,
    edges: &Edges,
    rise: f64,
) -> Limit {
    let (rate, cell) = rate(state, lattice, gravity, edges);
    Limit { dt: longest(rate, lattice, gravity, rise), cell: Some(cell) }
}

/// How many cells the fastest wave crosses in a second, and from which cell.
pub(in crate::flow) fn rate(
    state: &State,
    lattice: &Lattice,
    gravity: f64,
    edges: &Edges,
) -> (f32, (usize, usize)) {
    let waves = Waves {
        gravity: gravity as f32,
        per_dx: (1.0 / lattice.dx()) as f32,
        per_dy: (1.0 / lattice.dy()) as f32,
    };
    let fastest = state.momentum.as_ref().and_then(|q| waves.fastest(&state.depth, q));
    let (mut rate, mut cell) = fastest.unwrap_or((0.0, (0, 0)));
    for edge in Edge::ALL {
        for (i, &outside) in edges.along(edge).iter().enumerate() {
            let at = lattice.edge_cell(edge, i);
            let entering = waves.entering(outside, edge, state.bed[at], state.depth[at]);
            if entering > rate {
                (rate, cell) = (entering, at);
            }
        }
    }
    (rate, cell)
}

/// The longest step while waves cross `rate` cells a second and surfaces rise by `rise` m/s.
pub(in crate::flow) fn longest(rate: f32, lattice: &Lattice, gravity: f64, rise: f64) -> f64 {
    let speed = f64::from(rate) / COURANT;
    let across = lattice.dx().min(lattice.dy()) * COURANT;
    until_quick(speed, gravity * rise / (across * across))
}

/// The longest step in which waves that cross a cell `speed` times a second do not outrun it, while the
/// square of that number grows by `quicker` a second: the largest with `(speed² + quicker·dt)·dt² ≤ 1`.
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

/// How many cells waves cross in a second.
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

    /// The largest rate and its cell, the first of equals.
    fn fastest(&self, depth: &Field<f32>, q: &Momentum) -> Option<(f32, (usize, usize))> {
        let largest = per_row(depth.ny(), depth.nx(), |y, _| {
            self.fastest_of_row(depth.row(y), q.x.row(y), q.y.row(y))
        });
        let mut best: Option<(f32, usize)> = None;
        for (y, rate) in largest.into_iter().enumerate() {
            if best.is_none_or(|(most, _)| rate > most) {
                best = Some((rate, y));
            }
        }
        let (most, y) = best?;
        let rate = |x: &usize| self.rate(depth[(*x, y)], q.x[(*x, y)], q.y[(*x, y)]);
        let x = (0..depth.nx()).find(|x| rate(x) >= most)?;
        Some((most, (x, y)))
    }

    fn fastest_of_row(&self, h: &[f32], hu: &[f32], hv: &[f32]) -> f32 {
        let mut most = [0.0_f32; LANES];
        let (h, rest_h) = h.as_chunks::<LANES>();
        let (hu, rest_hu) = hu.as_chunks::<LANES>();
        let (hv, rest_hv) = hv.as_chunks::<LANES>();
        for ((h, hu), hv) in h.iter().zip(hu).zip(hv) {
            for i in 0..LANES {
                most[i] = larger(self.rate(h[i], hu[i], hv[i]), most[i]);
            }
        }
        let rest = rest_h.iter().zip(rest_hu).zip(rest_hv);
        let rest = rest.map(|((h, hu), hv)| self.rate(*h, *hu, *hv));
        most.into_iter().chain(rest).fold(0.0, larger)
    }

    /// The rate of what may come in over an edge.
    fn entering(&self, outside: Outside, edge: Edge, bed: f32, depth: f32) -> f32 {
        let (u, h) = match outside {
            Outside::Given(q) if q > 0.0 => {
                let h = larger(libm::cbrtf(q * q / self.gravity), depth);
                (q / h, h)
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

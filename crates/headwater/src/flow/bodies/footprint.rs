//! Footprint of a floating body on the grid. It consists of the cells under the body, with smooth
//! weights, and a ring of cells around the body. The ring is used to compute the surrounding water
//! level.

use super::body::{Body, Shape};
use crate::flow::state::State;
use crate::lattice::Lattice;
use crate::region::Point;

/// Half the width (in cells) of the rim of a footprint. Across the rim, the weights of the cells
/// decrease from 1 to 0. This smooths the motion of bodies over the grid.
const RIM_HALF_WIDTH: f64 = 1.0;

/// Width (in cells) of the ring of cells around a body. The surrounding water level is computed
/// from these cells.
const RING_WIDTH: f64 = 1.5;

#[derive(Clone, Debug, Default)]
pub(super) struct Footprint {
    /// Open cells under the body, in row order.
    pub(super) cells: Vec<CoveredCell>,
    /// Open cells in the ring around the body. The body covers no part of these cells.
    ring: Vec<(usize, usize)>,
    pub(super) bed: f64,
    /// Mean slope of the bed under the body (m/m, eastward and southward components).
    pub(super) slope: [f64; 2],
}

#[derive(Clone, Copy, Debug)]
pub(super) struct CoveredCell {
    pub(super) cell: (usize, usize),
    /// Fraction of the cell that the body covers, with smooth edges. The sum over all cells,
    /// multiplied by the cell area, equals the area of the body.
    pub(super) weight: f64,
    /// Position of the cell's centre relative to the centre of the body (m).
    pub(super) arm: [f64; 2],
    /// Original bed elevation of the cell (m), without the rise that represents the weight of
    /// floating bodies.
    bed: f32,
}

impl Footprint {
    pub(super) fn new(body: &Body, state: &State, lattice: &Lattice) -> Self {
        let mut under = Self::default();
        under.compute(body, state, lattice);
        under
    }

    /// Replaces the contents of this footprint with the footprint of `body`. Reuses the existing
    /// allocations.
    pub(super) fn compute(&mut self, body: &Body, state: &State, lattice: &Lattice) {
        self.clear();
        let Self { cells, ring, .. } = self;
        let cell = lattice.dx().max(lattice.dy());
        let (inner, outer) = (-RIM_HALF_WIDTH * cell, RIM_HALF_WIDTH * cell);
        let shape = SignedDistance::new(body);
        let (mut total, mut bed) = (0.0, f64::NEG_INFINITY);
        for_each_cell_near(
            body.position,
            shape.reach + outer + RING_WIDTH * cell,
            lattice,
            |at, arm| {
                let outside = shape.signed_distance(arm);
                let closed = state.closed.contains(at.0, at.1);
                if outside < outer {
                    let weight = smoothstep((outer - outside) / (outer - inner));
                    // The weight over closed cells is not redistributed, so a building bears its
                    // share of the body.
                    total += weight;
                    if !closed {
                        cells.push(CoveredCell { cell: at, weight, arm, bed: state.bed[at] });
                        if outside <= 0.0 {
                            bed = bed.max(f64::from(state.bed[at]));
                        }
                    }
                } else if outside < outer + RING_WIDTH * cell && !closed {
                    ring.push(at);
                }
            },
        );
        if bed == f64::NEG_INFINITY {
            // The body is smaller than a cell: use the bed at its centre.
            bed = f64::from(lattice.sample(&state.bed, body.position));
        }
        let reach = shape.reach + outer;
        for_each_cell_center_off_grid(body.position, reach, lattice, |arm| {
            // The part of the body beyond the grid does not load any cell.
            let outside = shape.signed_distance(arm);
            if outside < outer {
                total += smoothstep((outer - outside) / (outer - inner));
            }
        });
        let scale = body.area() / (total.max(f64::MIN_POSITIVE) * lattice.cell_area());
        cells.iter_mut().for_each(|under| under.weight *= scale);
        (self.bed, self.slope) = (bed, mean_bed_slope(cells, state, lattice));
    }

    pub(super) fn clear(&mut self) {
        self.cells.clear();
        self.ring.clear();
        (self.bed, self.slope) = (0.0, [0.0; 2]);
    }

    /// Returns the water level (m) around the body, or `None` if no cell is wet. The level is the
    /// higher of two mean surface elevations: that of the ring around the body, and that of the
    /// cells under the body.
    pub(super) fn water_level(&self, state: &State, dry: f32) -> Option<f64> {
        let wet = |cell: &(usize, usize)| state.depth[*cell] > dry;
        let around = self.ring.iter().filter(|cell| wet(cell));
        let around = mean_height(around.map(|&(x, y)| f64::from(state.surface(x, y))));
        let under = self.cells.iter().filter(|under| wet(&under.cell));
        let under = under.map(|under| f64::from(under.bed + state.depth[under.cell]));
        // The body depresses the surface under it, which is therefore never above the level.
        let under = mean_height(under);
        match (around, under) {
            (Some(around), Some(under)) => Some(around.max(under)),
            (around, under) => around.or(under),
        }
    }
}

fn mean_height(heights: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let count = heights.clone().count();
    (count > 0).then(|| heights.sum::<f64>() / count as f64)
}

fn mean_bed_slope(cells: &[CoveredCell], state: &State, lattice: &Lattice) -> [f64; 2] {
    let (mut slope, mut total) = ([0.0; 2], 0.0);
    for under in cells {
        let here = lattice.gradient(under.cell, |(x, y)| {
            (!state.closed.contains(x, y)).then(|| f64::from(state.bed[(x, y)]))
        });
        slope = [0, 1].map(|i| slope[i] + under.weight * here[i]);
        total += under.weight;
    }
    if total > 0.0 { slope.map(|part| part / total) } else { [0.0; 2] }
}

/// Calls `visit(cell, arm)` for every cell whose centre is within `reach` (m) of a given point,
/// measured separately along each axis. `arm` is the vector from the point to the centre of the
/// cell (m).
pub(super) fn for_each_cell_near(
    [px, py]: Point,
    reach: f64,
    lattice: &Lattice,
    mut visit: impl FnMut((usize, usize), [f64; 2]),
) {
    let range = |middle: f64, size: f64, n: usize| {
        let low = ((middle - reach) / size - 2.0).clamp(0.0, n as f64) as usize;
        let high = ((middle + reach) / size + 2.0).clamp(0.0, n as f64) as usize;
        low..high
    };
    for y in range(py, lattice.dy(), lattice.ny()) {
        for x in range(px, lattice.dx(), lattice.nx()) {
            let [cx, cy] = lattice.center(x, y);
            let arm = [cx - px, cy - py];
            if arm[0].abs() <= reach && arm[1].abs() <= reach {
                visit((x, y), arm);
            }
        }
    }
}

/// Calls `visit(arm)` for the centres of cells that the lattice would have outside the grid, within
/// `reach` (m) of a given point along each axis. `arm` is the vector from the point to the centre
/// (m).
fn for_each_cell_center_off_grid(
    [px, py]: Point,
    reach: f64,
    lattice: &Lattice,
    mut visit: impl FnMut([f64; 2]),
) {
    let inside = |middle: f64, size: f64| middle - reach > 0.0 && middle + reach < size;
    if inside(px, lattice.width()) && inside(py, lattice.height()) {
        return;
    }
    let (dx, dy) = (lattice.dx(), lattice.dy());
    let range = |middle: f64, size: f64| {
        ((middle - reach) / size - 2.0) as isize..((middle + reach) / size + 2.0) as isize
    };
    for y in range(py, dy) {
        for x in range(px, dx) {
            let on_grid = |i: isize, n: usize| usize::try_from(i).is_ok_and(|i| i < n);
            if on_grid(x, lattice.nx()) && on_grid(y, lattice.ny()) {
                continue;
            }
            // The pattern of rows has period 2.
            let [cx, cy] = lattice.center(0, y.rem_euclid(2) as usize);
            let arm = [cx + x as f64 * dx - px, cy + (y - y.rem_euclid(2)) as f64 * dy - py];
            if arm[0].abs() <= reach && arm[1].abs() <= reach {
                visit(arm);
            }
        }
    }
}

fn smoothstep(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

struct SignedDistance {
    axis: [f64; 2],
    /// Half the length and half the width of a rectangular body (m); 0 for a disc.
    half_size: [f64; 2],
    radius: f64,
    reach: f64,
}

impl SignedDistance {
    fn new(body: &Body) -> Self {
        match body.shape {
            Shape::Disc { radius } => {
                Self { axis: [1.0, 0.0], half_size: [0.0; 2], radius, reach: radius }
            }
            Shape::Rect { length, width } => {
                let half_size = [0.5 * length, 0.5 * width];
                let reach = (half_size[0] * half_size[0] + half_size[1] * half_size[1]).sqrt();
                Self { axis: body.heading_direction(), half_size, radius: 0.0, reach }
            }
        }
    }

    /// Returns the signed distance (m) from the outline of the body to a point. The distance is
    /// negative inside the body. `arm` is the position of the point relative to the centre of the
    /// body (m).
    fn signed_distance(&self, arm: [f64; 2]) -> f64 {
        let [c, s] = self.axis;
        let beyond = [
            (arm[0] * c + arm[1] * s).abs() - self.half_size[0],
            (arm[1] * c - arm[0] * s).abs() - self.half_size[1],
        ];
        let out = beyond.map(|b| b.max(0.0));
        let outside = (out[0] * out[0] + out[1] * out[1]).sqrt();
        outside + beyond[0].max(beyond[1]).min(0.0) - self.radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Field;
    use crate::lattice::{Hex, Square};

    fn sloping_ground(lattice: &Lattice, depth: f32) -> State {
        let (nx, ny) = (lattice.nx(), lattice.ny());
        let bed = Field::from_fn(nx, ny, |x, _| 0.1 * x as f32);
        State::new(lattice, bed, Field::new(nx, ny, depth))
    }

    #[test]
    fn footprint_weights_sum_to_the_body_area_and_are_centred() {
        let lattices: [Lattice; 2] =
            [Square::new(41, 30, 1.0, 1.5).unwrap().into(), Hex::new(41, 40, 1.0).unwrap().into()];
        for lattice in lattices {
            let state = sloping_ground(&lattice, 1.0);
            for (x, y) in [(20.0, 15.0), (20.3, 15.9), (18.77, 14.2)] {
                for body in [
                    Body::disc([x, y], 0.1, 1.0, 1.0),
                    Body::disc([x, y], 4.0, 1.0, 1.0),
                    Body::rect([x, y], [9.0, 2.0], 0.7, 1.0, 1.0),
                ] {
                    let under = Footprint::new(&body, &state, &lattice);
                    let sum: f64 = under.cells.iter().map(|under| under.weight).sum();
                    assert!((sum * lattice.cell_area() / body.area() - 1.0).abs() < 1e-12);
                    let off = |i: usize| {
                        let moment = under.cells.iter().map(|under| under.weight * under.arm[i]);
                        (moment.sum::<f64>() / sum).abs()
                    };
                    assert!(under.cells.len() > 2 && off(0) < 0.2 && off(1) < 0.2, "{body:?}");
                }
            }
        }
    }

    #[test]
    fn the_level_is_taken_from_the_surrounding_water() {
        let lattice = Lattice::from(Square::new(30, 30, 1.0, 1.0).unwrap());
        let body = Body::disc([15.0, 15.0], 3.0, 1.0, 1.0);
        let mut state = sloping_ground(&lattice, 0.0);
        assert_eq!(Footprint::new(&body, &state, &lattice).water_level(&state, 1e-3), None);
        state = sloping_ground(&lattice, 1.0);
        // Depressed under the body, level around it.
        state.depth = Field::from_fn(30, 30, |x, y| {
            let [dx, dy] = [x, y].map(|i| i as f32 - 14.5);
            let level = if dx * dx + dy * dy < 16.0 { 4.0 } else { 5.0 };
            level - state.bed[(x, y)]
        });
        let level = Footprint::new(&body, &state, &lattice).water_level(&state, 1e-3).unwrap();
        assert!((level - 5.0).abs() < 1e-5, "{level}");
    }
}

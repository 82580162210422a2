//! The stages of a step for a row, by the loops of [`super::loops`]. Cells at the edge of the grid and beside
//! closed cells go through the formulas one by one.

use super::buffers::{CellRow, FaceRow, SlopeRow, WaterRow, Waters};
use super::loops::{RoughRow, fluxes, half_drags, half_steps, slope, surface_and_velocity};
use super::{Coefficients, Water, between, edge, half_slopes, half_step};
use crate::field::Field;
use crate::flow::context::Step;
use crate::flow::state::{Closed, Momentum};
use crate::lattice::Edge;

/// What a step starts from.
pub(super) struct World<'a> {
    pub(super) bed: &'a Field<f32>,
    pub(super) depth: &'a Field<f32>,
    pub(super) closed: &'a Closed,
    pub(super) q: &'a Momentum,
    pub(super) step: &'a Step<'a>,
    pub(super) c: Coefficients,
}

impl WaterRow {
    /// Fills in row `y` of the world; the ones beyond the edges too.
    pub(super) fn fill(&mut self, world: &World, y: isize) {
        let (nx, ny) = (world.bed.nx(), world.bed.ny());
        let joined = world.step.edges.joined;
        let y = if joined.y { y.rem_euclid(ny as isize) } else { y };
        let Ok(y) = usize::try_from(y) else {
            return self.fill_beyond(world, Edge::North, [0, 1.min(ny - 1)]);
        };
        if y >= ny {
            return self.fill_beyond(world, Edge::South, [ny - 1, ny.max(2) - 2]);
        }
        let inside = 1..=nx;
        self.z[inside.clone()].copy_from_slice(world.bed.row(y));
        self.h[inside.clone()].copy_from_slice(world.depth.row(y));
        let (w, u, v) = (&mut self.w[1..=nx], &mut self.u[1..=nx], &mut self.v[1..=nx]);
        let bed_and_depth = [world.bed.row(y), world.depth.row(y)];
        surface_and_velocity(bed_and_depth, [world.q.x.row(y), world.q.y.row(y)], w, u, v);
        let ends = [(Edge::West, 0, 1, 2.min(nx)), (Edge::East, nx + 1, nx, nx.max(2) - 1)];
        for (edge, beyond, here, inner) in ends {
            let outside = world.step.edges.along(edge)[y];
            let water = if joined.x {
                self.at(nx + 1 - here)
            } else {
                edge::beyond(outside, self.at(here), self.z[inner])
            };
            self.set(beyond, water);
        }
    }

    /// Fills in what lies beyond an edge; `rows` are the row at the edge and the next one.
    fn fill_beyond(&mut self, world: &World, edge: Edge, rows: [usize; 2]) {
        for (x, &outside) in world.step.edges.along(edge).iter().enumerate() {
            let (at, inner) = ((x, rows[0]), (x, rows[1]));
            let here = Water::new(world.bed[at], world.depth[at], world.q.x[at], world.q.y[at]);
            self.set(x + 1, edge::beyond(outside, here.turned(), world.bed[inner]).turned());
        }
    }
}

impl SlopeRow {
    /// 1. Half-slopes.
    fn fill(&mut self, before: Waters, here: Waters, after: Waters) {
        slope(before, here, after, &mut self.h, &mut self.w, &mut self.u, &mut self.v);
    }
}

impl CellRow {
    /// 1 and 2. Half-slopes and the half-step of row `y`, whose water lies between that of its
    /// neighbours.
    pub(super) fn work_out(&mut self, world: &World, water: &[WaterRow; 3], y: usize) {
        let (nx, c) = (world.bed.nx(), &world.c);
        let here = water[1].part(1, nx);
        self.x.fill(water[1].part(0, nx), here, water[1].part(2, nx));
        let (north, south) = (water[0].part(1, nx), water[2].part(1, nx));
        self.y.fill(north.turned(), here.turned(), south.turned());
        let roughness = RoughRow::of(world.step.roughness, y, 0..nx);
        half_drags(here, c.g_dt, roughness, &mut self.drag);
        let Self { drag, h, per_h, u, v, x, y: slopes_y } = self;
        let slopes = [x.part(0, nx), slopes_y.part(0, nx)];
        half_steps(here, slopes, drag, c, h, per_h, u, v);
        self.work_out_by_walls(world, water, y);
    }

    /// The same, once more, for cells beside closed ones.
    fn work_out_by_walls(&mut self, world: &World, water: &[WaterRow; 3], y: usize) {
        let World { closed, .. } = world;
        let (nx, ny) = (world.bed.nx(), world.bed.ny());
        let joined = world.step.edges.joined;
        let shut = |x: usize, y: usize| {
            let (x, y) = joined.wrap((x, y), nx, ny);
            closed.cells().get(x, y) == Some(&true)
        };
        let rows = [y.wrapping_sub(1), y, y + 1].map(|y| joined.wrap((0, y), nx, ny).1);
        if !rows.into_iter().any(|y| y < ny && closed.row_has_any(y)) {
            return;
        }
        for x in 0..nx {
            let walls = [
                shut(x.wrapping_sub(1), y),
                shut(x + 1, y),
                shut(x, y.wrapping_sub(1)),
                shut(x, y + 1),
            ];
            if !walls.contains(&true) {
                continue;
            }
            let here = water[1].at(x + 1);
            let turned = here.turned();
            let beside = |wall: bool, here: Water, water: Water| {
                if wall { here.mirrored() } else { water }
            };
            let slopes_x = half_slopes(
                beside(walls[0], here, water[1].at(x)),
                here,
                beside(walls[1], here, water[1].at(x + 2)),
            );
            let slopes_y = half_slopes(
                beside(walls[2], turned, water[0].at(x + 1).turned()),
                turned,
                beside(walls[3], turned, water[2].at(x + 1).turned()),
            );
            let half = half_step(here, slopes_x, slopes_y.turned(), self.drag[x], &world.c);
            (self.h[x], self.per_h[x]) = (half.h, half.per_h);
            (self.u[x], self.v[x]) = (half.u, half.v);
            self.x.set(x, slopes_x);
            self.y.set(x, slopes_y);
        }
    }
}

impl FaceRow {
    /// 3 to 5. What crosses the x-faces of row `y`.
    pub(super) fn cross_x(
        &mut self,
        world: &World,
        y: usize,
        cells: &CellRow,
        discharge: &mut [f32],
    ) {
        let World { bed, closed, step, c, .. } = world;
        let (nx, z) = (bed.nx(), bed.row(y));
        let inner = 1..nx;
        fluxes(
            [cells.sides_x(z, 0, nx - 1), cells.sides_x(z, 1, nx - 1)],
            [c.gravity, c.width_x],
            &mut discharge[inner.clone()],
            &mut self.before[inner.clone()],
            &mut self.after[inner.clone()],
            &mut self.along[inner],
        );
        let all = cells.sides_x(z, 0, nx);
        if step.edges.joined.x {
            let shut = (closed.contains(nx - 1, y), closed.contains(0, y));
            let flux = between(all.at(nx - 1, 1.0), all.at(0, -1.0), shut, c.gravity);
            let volume = if shut.0 || shut.1 { 0.0 } else { flux.volume };
            for x in [0, nx] {
                discharge[x] = volume * c.width_x;
                self.set(x, flux);
            }
        } else {
            let outside = step.edges.along(Edge::West)[y];
            let west = edge::outward(outside, all.at(0, -1.0).mirrored(), c.gravity).mirrored();
            let outside = step.edges.along(Edge::East)[y];
            let east = edge::outward(outside, all.at(nx - 1, 1.0), c.gravity);
            for (x, cell, flux) in [(0, 0, west), (nx, nx - 1, east)] {
                let volume = if closed.contains(cell, y) { 0.0 } else { flux.volume };
                discharge[x] = volume * c.width_x;
                self.set(x, flux);
            }
        }
        if closed.row_has_any(y) {
            for (x, discharge) in discharge.iter_mut().enumerate().take(nx).skip(1) {
                let shut = (closed.contains(x - 1, y), closed.contains(x, y));
                if shut.0 || shut.1 {
                    self.set(x, between(all.at(x - 1, 1.0), all.at(x, -1.0), shut, c.gravity));
                    *discharge = 0.0;
                }
            }
        }
    }

    /// 3 to 5. What crosses the y-faces north of row `y`, between the two rows of `cells`.
    pub(super) fn cross_y(
        &mut self,
        world: &World,
        y: usize,
        cells: [&CellRow; 2],
        discharge: &mut [f32],
    ) {
        let World { bed, closed, step, c, .. } = world;
        let ny = bed.ny();
        let seam = step.edges.joined.y && (y == 0 || y == ny);
        if (y == 0 || y == ny) && !seam {
            let north = y == 0;
            let (edge, cells, row) =
                if north { (Edge::North, cells[1], 0) } else { (Edge::South, cells[0], ny - 1) };
            let sides = cells.sides_y(bed.row(row));
            for (x, &outside) in step.edges.along(edge).iter().enumerate() {
                let flux = if north {
                    edge::outward(outside, sides.at(x, -1.0).mirrored(), c.gravity).mirrored()
                } else {
                    edge::outward(outside, sides.at(x, 1.0), c.gravity)
                };
                let volume = if closed.contains(x, row) { 0.0 } else { flux.volume };
                discharge[x] = volume * c.width_y;
                self.set(x, flux);
            }
            return;
        }
        let (north, south) = if seam { (ny - 1, 0) } else { (y - 1, y) };
        let sides = [cells[0].sides_y(bed.row(north)), cells[1].sides_y(bed.row(south))];
        let Self { before, after, along } = self;
        fluxes(sides, [c.gravity, c.width_y], discharge, before, after, along);
        if closed.row_has_any(north) || closed.row_has_any(south) {
            for (x, discharge) in discharge.iter_mut().enumerate() {
                let shut = (closed.contains(x, north), closed.contains(x, south));
                if shut.0 || shut.1 {
                    let [above, below] = sides;
                    self.set(x, between(above.at(x, 1.0), below.at(x, -1.0), shut, c.gravity));
                    *discharge = 0.0;
                }
            }
        }
    }
}

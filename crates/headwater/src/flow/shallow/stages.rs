//! The stages of a step for a row, by the loops of [`super::loops`]. Cells at the edge of the grid go through the formulas
//! one by one; rows with closed cells have loops that look at them.

use super::buffers::{CellRow, FaceRow, Sides, SlopeRow, WaterRow, Waters};
use super::loops::{
    RoughRow, fluxes, fluxes_by_walls, half_drags, half_steps, slope, slope_by_walls,
    surface_and_velocity,
};
use super::{Coefficients, Water, between, edge};
use crate::field::Field;
use crate::flow::context::Step;
use crate::flow::state::{Closed, Momentum};
use crate::flow::subgrid::Subgrid;
use crate::lattice::Edge;
use std::ops::Range;

/// What a step starts from.
pub(super) struct World<'a> {
    pub(super) bed: &'a Field<f32>,
    pub(super) depth: &'a Field<f32>,
    pub(super) closed: &'a Closed,
    pub(super) q: &'a Momentum,
    pub(super) step: &'a Step<'a>,
    pub(super) c: Coefficients,
    /// Which cells have two parts. The rows take all ground to be alike; [`super::banks`] goes over what is not.
    pub(super) subgrid: Option<&'a Subgrid>,
}

impl WaterRow {
    /// Fills in row `y` of the world; the ones beyond the edges too.
    pub(super) fn fill(&mut self, world: &World, y: isize) {
        let (nx, ny) = (world.bed.nx(), world.bed.ny());
        let joined = world.step.edges.joined;
        let y = if joined.y { y.rem_euclid(ny as isize) } else { y };
        let row = usize::try_from(y).ok().filter(|&y| y < ny);
        self.note_closed(world.closed, row, joined.x);
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
    /// 1. Half-slopes; `closed` says which of the cells before and after are closed, `None` that none is.
    fn fill(
        &mut self,
        rows: [Waters; 3],
        closed: [Option<&[bool]>; 2],
        open: &[bool],
        gravity: f32,
    ) {
        let Self { h, w, u, v } = self;
        match closed {
            [None, None] => slope(rows, gravity, h, w, u, v),
            closed => {
                let closed = closed.map(|row| row.unwrap_or(open));
                slope_by_walls(rows, closed, gravity, h, w, u, v);
            }
        }
    }
}

impl CellRow {
    /// 1 and 2. Half-slopes and the half-step of row `y`, whose water lies between that of its
    /// neighbours.
    pub(super) fn work_out(&mut self, world: &World, water: &[WaterRow; 3], y: usize) {
        let (nx, c) = (world.bed.nx(), &world.c);
        let Self { drag, h, per_h, u, v, x, y: slopes_y, open } = self;
        let [west, here, east] = [0, 1, 2].map(|start| water[1].part(start, nx));
        let closed = [0, 2].map(|start| water[1].closed_part(start, nx));
        x.fill([west, here, east], closed, open, c.gravity);
        let [north, south] = [0, 2].map(|i| &water[i]);
        let rows = [north.part(1, nx), here, south.part(1, nx)].map(Waters::turned);
        let closed = [north, south].map(|row| row.closed_part(1, nx));
        slopes_y.fill(rows, closed, open, c.gravity);
        let roughness = RoughRow::of(world.step.roughness, y, 0..nx);
        half_drags(here, c.g_dt, roughness, drag);
        let slopes = [x.part(0, nx), slopes_y.part(0, nx)];
        half_steps(here, slopes, drag, c, h, per_h, u, v);
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
        let sides = [cells.sides_x(z, 0, nx - 1), cells.sides_x(z, 1, nx - 1)];
        let walls = closed.row_has_any(y).then(|| closed.cells().row(y));
        let walls = walls.map(|row| [&row[..nx - 1], &row[1..]]);
        self.fill(1..nx, sides, walls, [c.gravity, c.width_x], &mut discharge[1..nx]);
        let all = cells.sides_x(z, 0, nx);
        if step.edges.joined.x {
            let shut = [nx - 1, 0].map(|x| closed.contains(x, y));
            let flux = between(all.at(nx - 1, 1.0), all.at(0, -1.0), shut, c.gravity);
            for x in [0, nx] {
                discharge[x] = flux.volume * c.width_x;
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
    }

    /// 3 to 5. What crosses the faces of some `columns` between `sides`, whose cells are closed where `walls` say so.
    fn fill(
        &mut self,
        columns: Range<usize>,
        sides: [Sides; 2],
        walls: Option<[&[bool]; 2]>,
        factors: [f32; 2],
        discharge: &mut [f32],
    ) {
        let Self { before, after, along } = self;
        let [before, after, along] = [before, after, along].map(|row| &mut row[columns.clone()]);
        match walls {
            None => fluxes(sides, factors, discharge, before, after, along),
            Some(walls) => fluxes_by_walls(sides, walls, factors, discharge, before, after, along),
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
        let any = [north, south].into_iter().any(|y| closed.row_has_any(y));
        let walls = any.then(|| [north, south].map(|y| closed.cells().row(y)));
        self.fill(0..bed.nx(), sides, walls, [c.gravity, c.width_y], discharge);
    }
}

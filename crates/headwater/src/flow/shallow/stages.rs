//! Stages of a step for a row, by the loops of [`super::loops`]; edge cells are handled one by one.

use super::buffers::{CellRow, FaceRow, Sides, SlopeRow, WaterRow, Waters};
use super::loops::{Along, RoughRow, Straight, half_drags, half_steps, surface_and_velocity};
use super::{Coefficients, Flux, Side, Water, between, edge};
use crate::field::Field;
use crate::flow::context::Step;
use crate::flow::state::{Closed, Momentum};
use crate::flow::subgrid::Subgrid;
use crate::flow::sweep::Run;
use crate::lattice::Edge;
use std::ops::Range;

/// Inputs of the stages in a step.
pub(super) struct World<'a> {
    pub(super) bed: &'a Field<f32>,
    pub(super) depth: &'a Field<f32>,
    pub(super) closed: &'a Closed,
    pub(super) q: &'a Momentum,
    pub(super) step: &'a Step<'a>,
    pub(super) c: Coefficients,
    /// Subgrid, if any. The rows treat all cells as uniform; [`super::banks`] recomputes the
    /// others.
    pub(super) subgrid: Option<&'a Subgrid>,
}

impl WaterRow {
    /// Fills some `columns` of row `y`, including the ghost cells beyond the edges that they reach.
    pub(super) fn fill(&mut self, world: &World, y: isize, columns: Range<usize>) {
        let ny = world.bed.ny();
        let joined = world.step.edges.joined;
        let y = if joined.y { y.rem_euclid(ny as isize) } else { y };
        let row = usize::try_from(y).ok().filter(|&y| y < ny);
        self.note_closed(world.closed, row, joined.x);
        let Ok(y) = usize::try_from(y) else {
            return self.fill_beyond(world, Edge::North, [0, 1.min(ny - 1)], columns);
        };
        if y >= ny {
            return self.fill_beyond(world, Edge::South, [ny - 1, ny.max(2) - 2], columns);
        }
        self.fill_inside(world, y, &columns);
        self.fill_ends(world, y, &columns);
    }

    /// Fills the ghost cells at those ends of row `y` that `columns` reach.
    pub(super) fn fill_ends(&mut self, world: &World, y: usize, columns: &Range<usize>) {
        let (nx, joined) = (world.bed.nx(), world.step.edges.joined);
        let at_edge = [columns.start == 0, columns.end == nx];
        let ends = [(Edge::West, 0, 1, 2.min(nx)), (Edge::East, nx + 1, nx, nx.max(2) - 1)];
        for ((edge, beyond, here, inner), _) in ends.into_iter().zip(at_edge).filter(|end| end.1) {
            let outside = world.step.edges.along(edge)[y];
            let water = if joined.x {
                self.at(nx + 1 - here)
            } else {
                edge::beyond(outside, self.at(here), self.z[inner])
            };
            self.set(beyond, water);
        }
    }

    /// Fills some `columns` of row `y` on the grid.
    pub(super) fn fill_inside(&mut self, world: &World, y: usize, columns: &Range<usize>) {
        let inside = columns.start + 1..columns.end + 1;
        let Self { z, h, w, u, v, .. } = self;
        let [z, h, w, u, v] = [z, h, w, u, v].map(|row| &mut row[inside.clone()]);
        let bed_and_depth = [world.bed, world.depth].map(|field| &field.row(y)[columns.clone()]);
        let q = [&world.q.x, &world.q.y].map(|field| &field.row(y)[columns.clone()]);
        z.copy_from_slice(bed_and_depth[0]);
        h.copy_from_slice(bed_and_depth[1]);
        surface_and_velocity(bed_and_depth, q, w, u, v);
    }

    /// Fills a row of ghost cells beyond an edge; `rows` are the row at the edge and the next one.
    fn fill_beyond(&mut self, world: &World, edge: Edge, rows: [usize; 2], columns: Range<usize>) {
        for (x, &outside) in columns.clone().zip(&world.step.edges.along(edge)[columns]) {
            let (at, inner) = ((x, rows[0]), (x, rows[1]));
            let here = Water::new(world.bed[at], world.depth[at], world.q.x[at], world.q.y[at]);
            self.set(x + 1, edge::beyond(outside, here.turned(), world.bed[inner]).turned());
        }
    }
}

impl SlopeRow {
    /// Stage 1: computes half-slopes of some `columns`; `closed` has the closed flags of the cells
    /// before and after, `None` if none is closed.
    pub(super) fn fill(
        &mut self,
        axis: impl Along,
        columns: Range<usize>,
        rows: &[Waters; 3],
        closed: [Option<&[bool]>; 2],
        open: &[bool],
        gravity: f32,
    ) {
        let any = closed.iter().any(Option::is_some);
        let closed = any.then(|| closed.map(|row| row.unwrap_or(&open[columns.clone()])));
        axis.slopes(rows, closed, gravity, self.part_mut(&columns));
    }
}

impl CellRow {
    /// Stages 1 and 2: computes half-slopes and half-step of some `columns` of row `y` from the
    /// water of three rows.
    pub(super) fn work_out(
        &mut self,
        world: &World,
        water: &[WaterRow; 3],
        y: usize,
        columns: Range<usize>,
    ) {
        let (start, n, c) = (columns.start, columns.len(), &world.c);
        let Self { drag, h, per_h, u, v, slopes: [x, slopes_y, _], open } = self;
        let [west, here, east] = [0, 1, 2].map(|by| water[1].part(start + by, n));
        let closed = [0, 2].map(|by| water[1].closed_part(start + by, n));
        x.fill(Straight, columns.clone(), &[west, here, east], closed, open, c.gravity);
        let [north, _, south] = water;
        let [above, below] = [north, south].map(|row| row.part(start + 1, n).turned());
        let closed = [north, south].map(|row| row.closed_part(start + 1, n));
        let rows = [above, here.turned(), below];
        slopes_y.fill(Straight, columns.clone(), &rows, closed, open, c.gravity);
        let roughness = RoughRow::of(world.step.roughness, y, columns.clone());
        let slopes = [x.part(start, n), slopes_y.part(start, n)];
        let [drag, h, per_h, u, v] = [drag, h, per_h, u, v].map(|row| &mut row[columns.clone()]);
        half_drags(&here, c.g_dt, roughness, drag);
        half_steps(&here, &slopes, drag, c, h, per_h, u, v);
    }
}

impl FaceRow {
    /// Stages 3 to 5: computes the fluxes over the x-faces around a run's cells in row `y`.
    /// `at_edge` returns side and relative width at faces on the western or eastern edge.
    pub(super) fn cross_x(
        &mut self,
        world: &World,
        (y, run): (usize, Run),
        cells: &CellRow,
        discharge: &mut [f32],
        at_edge: impl Fn(&Sides, Edge, usize) -> (Side, f32),
    ) {
        let World { bed, closed, step, c, .. } = world;
        let (nx, z) = (bed.nx(), bed.row(y));
        // Faces between cells, including those at the ends of the run.
        let faces = run.from.max(1)..(run.to + 1).min(nx);
        let before = faces.start - 1..faces.end - 1;
        let sides = [&before, &faces].map(|columns| cells.sides(z, 0, columns.clone()));
        let walls = closed.row_has_any(y).then(|| closed.cells().row(y));
        let walls = walls.map(|row| [&row[before], &row[faces.clone()]]);
        let factors = [c.gravity, c.width_x];
        self.fill(Straight, faces.clone(), &sides, walls, factors, &mut discharge[faces]);
        let all = cells.sides(z, 0, 0..nx);
        if step.edges.joined.x && run.is_whole(nx) {
            let shut = [nx - 1, 0].map(|x| closed.contains(x, y));
            let flux =
                between(all.at(nx - 1, Straight, 1.0), all.at(0, Straight, -1.0), shut, c.gravity);
            for x in [0, nx] {
                discharge[x] = flux.volume * c.width_x;
                self.set(x, flux);
            }
            return;
        }
        let is_reached = [run.from == 0, run.to == nx];
        let ends = [(Edge::West, 0, 0), (Edge::East, nx, nx - 1)];
        for ((edge, x, cell), _) in ends.into_iter().zip(is_reached).filter(|end| end.1) {
            let (side, wide) = at_edge(&all, edge, cell);
            let outside = step.edges.along(edge)[y];
            let flux = match edge {
                Edge::West => edge::outward(outside, side.mirrored(), c.gravity).mirrored(),
                _ => edge::outward(outside, side, c.gravity),
            };
            let volume = if closed.contains(cell, y) { 0.0 } else { flux.volume };
            let flux = Flux { volume, ..flux }.widened(wide);
            discharge[x] = flux.volume * c.width_x;
            self.set(x, flux);
        }
    }

    /// Stages 3 to 5: computes the fluxes over some `columns` of faces between `sides`; `walls` are
    /// the closed flags of their cells.
    pub(super) fn fill(
        &mut self,
        axis: impl Along,
        columns: Range<usize>,
        sides: &[Sides; 2],
        walls: Option<[&[bool]; 2]>,
        factors: [f32; 2],
        discharge: &mut [f32],
    ) {
        let Self { before, after, along } = self;
        let crossed = [before, after, along].map(|row| &mut row[columns.clone()]);
        axis.fluxes(sides, walls, factors, discharge, crossed);
    }

    /// Stages 3 to 5: computes the fluxes over the y-faces of some columns north of row `y`,
    /// between the two rows of `cells`.
    pub(super) fn cross_y(
        &mut self,
        world: &World,
        y: usize,
        cells: [&CellRow; 2],
        columns: Range<usize>,
        discharge: &mut [f32],
    ) {
        let World { bed, closed, step, c, .. } = world;
        let ny = bed.ny();
        let seam = step.edges.joined.y && (y == 0 || y == ny);
        if (y == 0 || y == ny) && !seam {
            let north = y == 0;
            let (edge, cells, row) =
                if north { (Edge::North, cells[1], 0) } else { (Edge::South, cells[0], ny - 1) };
            let sides = cells.sides(bed.row(row), 1, 0..bed.nx()).turned();
            for (x, &outside) in columns.clone().zip(&step.edges.along(edge)[columns]) {
                let flux = if north {
                    edge::outward(outside, sides.at(x, Straight, -1.0).mirrored(), c.gravity)
                        .mirrored()
                } else {
                    edge::outward(outside, sides.at(x, Straight, 1.0), c.gravity)
                };
                let volume = if closed.contains(x, row) { 0.0 } else { flux.volume };
                discharge[x] = volume * c.width_y;
                self.set(x, flux);
            }
            return;
        }
        let (north, south) = if seam { (ny - 1, 0) } else { (y - 1, y) };
        let rows = [north, south];
        let sides = [0, 1].map(|i| cells[i].sides(bed.row(rows[i]), 1, columns.clone()).turned());
        let any = rows.into_iter().any(|y| closed.row_has_any(y));
        let walls = any.then(|| rows.map(|y| &closed.cells().row(y)[columns.clone()]));
        let discharge = &mut discharge[columns.clone()];
        self.fill(Straight, columns, &sides, walls, [c.gravity, c.width_y], discharge);
    }
}

//! Stages of the shallow-water scheme for a row of squares, performed by the vectorised loops of
//! [`super::loops`]. Cells at the edges of the grid are handled one by one.

use super::buffers::{FluxRow, HalfStepRow, ReconstructionInput, SlopeRow, WaterRow, WaterSlices};
use super::loops::{
    AxisStages, RoughnessRow, RowAxis, compute_half_step_drags, compute_half_steps,
    compute_surface_and_velocity,
};
use super::{Coefficients, FaceState, Flux, Water, boundary_flux, inner_flux};
use crate::field::Field;
use crate::flow::context::StepContext;
use crate::flow::solver::sweep::ColumnRun;
use crate::flow::state::{ClosedCells, Momentum};
use crate::flow::subgrid::Subgrid;
use crate::lattice::Edge;
use std::ops::Range;

/// Inputs that all stages of the shallow-water scheme share.
pub(super) struct StageInput<'a> {
    pub(super) bed: &'a Field<f32>,
    pub(super) depth: &'a Field<f32>,
    pub(super) closed: &'a ClosedCells,
    pub(super) q: &'a Momentum,
    pub(super) step: &'a StepContext<'a>,
    pub(super) c: Coefficients,
    /// Subgrid, or `None` if no cell is split into a low and a high part. The row loops treat every
    /// cell as not split; [`super::subgrid_cells`] then recomputes the cells near split cells.
    pub(super) subgrid: Option<&'a Subgrid>,
}

impl WaterRow {
    /// Fills the cells in `columns` with the water of row `y`. If the columns reach an edge of the
    /// grid, also fills the ghost cells beyond that edge.
    pub(super) fn fill_water_row(&mut self, input: &StageInput, y: isize, columns: Range<usize>) {
        let ny = input.bed.ny();
        let periodic = input.step.edges.periodic;
        let y = if periodic.y { y.rem_euclid(ny as isize) } else { y };
        let row = usize::try_from(y).ok().filter(|&y| y < ny);
        self.set_closed_row(input.closed, row, periodic.x);
        let Ok(y) = usize::try_from(y) else {
            return self.fill_ghost_row(input, Edge::North, [0, 1.min(ny - 1)], columns);
        };
        if y >= ny {
            return self.fill_ghost_row(input, Edge::South, [ny - 1, ny.max(2) - 2], columns);
        }
        self.fill_cells_on_grid(input, y, &columns);
        self.fill_ghost_cells_at_row_ends(input, y, &columns);
    }

    /// Fills the ghost cells beyond the western and the eastern end of row `y`, if `columns` reach
    /// these ends.
    pub(super) fn fill_ghost_cells_at_row_ends(
        &mut self,
        input: &StageInput,
        y: usize,
        columns: &Range<usize>,
    ) {
        let (nx, periodic) = (input.bed.nx(), input.step.edges.periodic);
        let at_edge = [columns.start == 0, columns.end == nx];
        let ends = [(Edge::West, 0, 1, 2.min(nx)), (Edge::East, nx + 1, nx, nx.max(2) - 1)];
        for ((edge, beyond, here, inner), _) in ends.into_iter().zip(at_edge).filter(|end| end.1) {
            let outside = input.step.edges.edge_faces(edge)[y];
            let water = if periodic.x {
                self.at(nx + 1 - here)
            } else {
                boundary_flux::ghost_cell(outside, self.at(here), self.z[inner])
            };
            self.set(beyond, water);
        }
    }

    /// Fills the cells in `columns` with the water of row `y`, which must be on the grid.
    pub(super) fn fill_cells_on_grid(
        &mut self,
        input: &StageInput,
        y: usize,
        columns: &Range<usize>,
    ) {
        let inside = columns.start + 1..columns.end + 1;
        let Self { z, h, w, u, v, .. } = self;
        let [z, h, w, u, v] = [z, h, w, u, v].map(|row| &mut row[inside.clone()]);
        let bed_and_depth = [input.bed, input.depth].map(|field| &field.row(y)[columns.clone()]);
        let q = [&input.q.x, &input.q.y].map(|field| &field.row(y)[columns.clone()]);
        z.copy_from_slice(bed_and_depth[0]);
        h.copy_from_slice(bed_and_depth[1]);
        compute_surface_and_velocity(bed_and_depth, q, w, u, v);
    }

    /// Fills the ghost cells beyond the northern or southern edge for the given `columns`. `rows`
    /// contains the index of the row at the edge, and that of the next row inside the grid.
    fn fill_ghost_row(
        &mut self,
        input: &StageInput,
        edge: Edge,
        rows: [usize; 2],
        columns: Range<usize>,
    ) {
        for (x, &outside) in columns.clone().zip(&input.step.edges.edge_faces(edge)[columns]) {
            let (at, inner) = ((x, rows[0]), (x, rows[1]));
            let here = Water::new(input.bed[at], input.depth[at], input.q.x[at], input.q.y[at]);
            self.set(
                x + 1,
                boundary_flux::ghost_cell(outside, here.transposed(), input.bed[inner])
                    .transposed(),
            );
        }
    }
}

impl SlopeRow {
    /// Computes the half-slopes of the cells in `columns` along an axis: the changes from the
    /// centre of each cell to the next face (stage 1 of the scheme). `closed` contains the
    /// closed-cell flags of the neighbours before each cell, and those of the neighbours after it.
    /// An element is `None` if none of these neighbours is closed.
    pub(super) fn compute_slopes(
        &mut self,
        axis: impl AxisStages,
        columns: Range<usize>,
        rows: &[WaterSlices; 3],
        closed: [Option<&[bool]>; 2],
        open: &[bool],
        gravity: f32,
    ) {
        let any = closed.iter().any(Option::is_some);
        let closed = any.then(|| closed.map(|row| row.unwrap_or(&open[columns.clone()])));
        axis.compute_slopes(rows, closed, gravity, self.window_mut(&columns));
    }
}

impl HalfStepRow {
    /// Computes the half-slopes (changes from the cell centre to a face) and the state half a time
    /// step later for the cells in `columns` of row `y` (stages 1 and 2 of the scheme). Reads the
    /// water in that row and in the rows to the north and south.
    pub(super) fn compute_half_step(
        &mut self,
        input: &StageInput,
        water: &[WaterRow; 3],
        y: usize,
        columns: Range<usize>,
    ) {
        let (start, n, c) = (columns.start, columns.len(), &input.c);
        let Self { drag, h, per_h, u, v, slopes: [x, slopes_y, _], open } = self;
        let [west, here, east] = [0, 1, 2].map(|by| water[1].window(start + by, n));
        let closed = [0, 2].map(|by| water[1].closed_flags(start + by, n));
        x.compute_slopes(RowAxis, columns.clone(), &[west, here, east], closed, open, c.gravity);
        let [north, _, south] = water;
        let [above, below] = [north, south].map(|row| row.window(start + 1, n).transposed());
        let closed = [north, south].map(|row| row.closed_flags(start + 1, n));
        let rows = [above, here.transposed(), below];
        slopes_y.compute_slopes(RowAxis, columns.clone(), &rows, closed, open, c.gravity);
        let roughness = RoughnessRow::from_roughness(input.step.roughness, y, columns.clone());
        let slopes = [x.window(start, n), slopes_y.window(start, n)];
        let [drag, h, per_h, u, v] = [drag, h, per_h, u, v].map(|row| &mut row[columns.clone()]);
        compute_half_step_drags(&here, c.g_dt, roughness, drag);
        compute_half_steps(&here, &slopes, drag, c, h, per_h, u, v);
    }
}

impl FluxRow {
    /// Computes the fluxes through the x-faces of row `y` in the range of columns `run` (stages 3
    /// to 5 of the scheme). For a face on the western or eastern edge of the grid, `at_edge`
    /// returns two values: the state of the adjacent cell reconstructed at the face, and the width
    /// of the face relative to an inner face.
    pub(super) fn compute_x_fluxes(
        &mut self,
        input: &StageInput,
        (y, run): (usize, ColumnRun),
        cells: &HalfStepRow,
        discharge: &mut [f32],
        at_edge: impl Fn(&ReconstructionInput, Edge, usize) -> (FaceState, f32),
    ) {
        let StageInput { bed, closed, step, c, .. } = input;
        let (nx, z) = (bed.nx(), bed.row(y));
        // Faces between cells, including those at the ends of the run.
        let faces = run.from.max(1)..(run.to + 1).min(nx);
        let before = faces.start - 1..faces.end - 1;
        let sides = [&before, &faces].map(|columns| cells.sides(z, 0, columns.clone()));
        let walls = closed.row_has_closed(y).then(|| closed.cells().row(y));
        let walls = walls.map(|row| [&row[before], &row[faces.clone()]]);
        let factors = [c.gravity, c.width_x];
        self.compute_fluxes(RowAxis, faces.clone(), &sides, walls, factors, &mut discharge[faces]);
        let all = cells.sides(z, 0, 0..nx);
        if step.edges.periodic.x && run.is_full_row(nx) {
            let shut = [nx - 1, 0].map(|x| closed.contains(x, y));
            let flux =
                inner_flux(all.at(nx - 1, RowAxis, 1.0), all.at(0, RowAxis, -1.0), shut, c.gravity);
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
            let outside = step.edges.edge_faces(edge)[y];
            let flux = match edge {
                Edge::West => {
                    boundary_flux::boundary_flux(outside, side.mirrored(), c.gravity).mirrored()
                }
                _ => boundary_flux::boundary_flux(outside, side, c.gravity),
            };
            let volume = if closed.contains(cell, y) { 0.0 } else { flux.volume };
            let flux = Flux { volume, ..flux }.scaled(wide);
            discharge[x] = flux.volume * c.width_x;
            self.set(x, flux);
        }
    }

    /// Computes the fluxes through the faces in `columns` between the reconstructed states in
    /// `sides` (stages 3 to 5 of the scheme). `walls` contains the closed-cell flags on both sides,
    /// or `None` if no cell is closed.
    pub(super) fn compute_fluxes(
        &mut self,
        axis: impl AxisStages,
        columns: Range<usize>,
        sides: &[ReconstructionInput; 2],
        walls: Option<[&[bool]; 2]>,
        factors: [f32; 2],
        discharge: &mut [f32],
    ) {
        let Self { before, after, along } = self;
        let crossed = [before, after, along].map(|row| &mut row[columns.clone()]);
        axis.compute_fluxes(sides, walls, factors, discharge, crossed);
    }

    /// Computes the fluxes through the y-faces north of row `y` in a range of columns (stages 3 to
    /// 5 of the scheme). `cells` contains the states half a time step later in the rows north and
    /// south of these faces.
    pub(super) fn compute_y_fluxes(
        &mut self,
        input: &StageInput,
        y: usize,
        cells: [&HalfStepRow; 2],
        columns: Range<usize>,
        discharge: &mut [f32],
    ) {
        let StageInput { bed, closed, step, c, .. } = input;
        let ny = bed.ny();
        let seam = step.edges.periodic.y && (y == 0 || y == ny);
        if (y == 0 || y == ny) && !seam {
            let north = y == 0;
            let (edge, cells, row) =
                if north { (Edge::North, cells[1], 0) } else { (Edge::South, cells[0], ny - 1) };
            let sides = cells.sides(bed.row(row), 1, 0..bed.nx()).transposed();
            for (x, &outside) in columns.clone().zip(&step.edges.edge_faces(edge)[columns]) {
                let flux = if north {
                    boundary_flux::boundary_flux(
                        outside,
                        sides.at(x, RowAxis, -1.0).mirrored(),
                        c.gravity,
                    )
                    .mirrored()
                } else {
                    boundary_flux::boundary_flux(outside, sides.at(x, RowAxis, 1.0), c.gravity)
                };
                let volume = if closed.contains(x, row) { 0.0 } else { flux.volume };
                discharge[x] = volume * c.width_y;
                self.set(x, flux);
            }
            return;
        }
        let (north, south) = if seam { (ny - 1, 0) } else { (y - 1, y) };
        let rows = [north, south];
        let sides =
            [0, 1].map(|i| cells[i].sides(bed.row(rows[i]), 1, columns.clone()).transposed());
        let any = rows.into_iter().any(|y| closed.row_has_closed(y));
        let walls = any.then(|| rows.map(|y| &closed.cells().row(y)[columns.clone()]));
        let discharge = &mut discharge[columns.clone()];
        self.compute_fluxes(RowAxis, columns, &sides, walls, [c.gravity, c.width_y], discharge);
    }
}

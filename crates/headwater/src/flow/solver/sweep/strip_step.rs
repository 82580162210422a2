//! One time step of a strip of rows, performed row by row from north to south. Each stage runs one
//! or two rows behind the previous stage. Several steps may follow one another down the same strip.

use super::flux_scheme::FluxScheme;
use super::kernels::{self, RowScales};
use super::row_buffers::{RowBuffers, ScaleRow, parity};
use super::rows::{ColumnRun, RowStrip};
use crate::lattice::{Edge, Hex};
use std::ops::Range;

pub(super) struct StripStep<'a, D> {
    pub(super) scheme: &'a D,
    pub(super) to_depth: f32,
    /// Rows that this step updates: those of the strip, and those neighbouring rows that later
    /// steps of the pass read.
    pub(super) rows: Range<isize>,
    pub(super) own: Range<isize>,
    pub(super) buffers: &'a mut RowBuffers,
}

impl<D: FluxScheme> StripStep<'_, D> {
    /// Advances the step to row `front`. Computes the discharges through the faces of that row
    /// (stages 1 to 3 of a time step). Computes the outflow scales of the row above, the factors
    /// that limit the outflow of cells to their water (stage 4). Then scales the discharges and
    /// updates the depths of the second row above (stages 4 and 5).
    pub(super) fn advance(&mut self, strip: &mut RowStrip, front: isize, run: ColumnRun) {
        let (from, to) = (self.rows.start, self.rows.end);
        if !(from - 1..=to + 1).contains(&front) {
            return;
        }
        if front == from - 1 {
            self.scheme.prepare(self.buffers, strip, front, run);
        }
        let y = front - 1;
        let feeds = (from - 1..=to).contains(&y) && strip.ground.contains_row(y);
        if !(feeds && front <= to && self.accelerate_and_limit(strip, front, run)) {
            self.scheme.accelerate_faces(self.buffers, strip, front, run, front <= to);
            if feeds {
                self.limit_outflow(strip, y, run);
            }
        }
        if feeds {
            let periodic = strip.ground.periodic[0] && run.is_full_row(strip.ground.nx());
            self.buffers.scales[parity(y)].set_ghosts(periodic);
        }
        if y == from {
            self.scale_northern_faces(strip, y, run);
        }
        if (from..to).contains(&(y - 1)) {
            self.update_row(strip, y - 1, run);
        }
    }

    /// Computes the discharges through the faces of row `front` and the outflow scales of the row
    /// above in one loop, if the scheme has such a loop. Returns false otherwise.
    fn accelerate_and_limit(&mut self, strip: &mut RowStrip, front: isize, run: ColumnRun) -> bool {
        let scale = self.buffers.scales[parity(front - 1)].cells_mut(run.cells());
        let done = self.scheme.accelerate_and_limit(scale, strip, front, run, self.to_depth);
        if let Some(needs_scaling) = done {
            self.buffers.needs_scaling[parity(front - 1)] = needs_scaling;
        }
        done.is_some()
    }

    fn limit_outflow(&mut self, strip: &RowStrip, y: isize, run: ColumnRun) {
        let cells = run.cells();
        let scale = self.buffers.scales[parity(y)].cells_mut(cells.clone());
        let h = &strip.depth.row(y)[cells.clone()];
        let (x, north, south) = (strip.x.row(y), strip.y.row(y), strip.y.row(y + 1));
        let along = [&x[cells.clone()], &x[run.from + 1..=run.to]];
        let across = [&north[cells.clone()], &south[cells.clone()]];
        self.buffers.needs_scaling[parity(y)] = match &strip.z {
            None => kernels::compute_outflow_scales(scale, h, [along, across], self.to_depth),
            Some(z) => {
                let slanted = z_face_columns(strip, y, run);
                let aslant = [y, y + 1].map(|y| &z.row(y)[slanted.clone()]);
                kernels::compute_outflow_scales_hex(
                    scale,
                    h,
                    [along, across, aslant],
                    self.to_depth,
                )
            }
        };
    }

    /// Scales the discharges through the northern faces of row `y`, the first row that the step
    /// updates, by the outflow scales. The northern faces of every other row are scaled together
    /// with the row above it.
    fn scale_northern_faces(&mut self, strip: &mut RowStrip, y: isize, run: ColumnRun) {
        let ground = strip.ground;
        let scale = [y - 1, y]
            .map(|y| row_scales(&self.buffers.scales, &self.buffers.unit_scales, strip, y));
        let cells = run.cells();
        kernels::scale_discharges(
            &mut strip.y.row_mut(y)[cells.clone()],
            scale.map(|scale| scale.cells(cells.clone())),
        );
        if let Some(z) = &mut strip.z {
            let (offset, shift) = z_face_offsets(ground.grid_row(y));
            let faces = cells.start + offset..cells.end + offset;
            let q = z.row_mut(y);
            let (inner, nx) = (ground.contains_row(y - 1), ground.nx());
            let before = if inner { shift } else { 0 };
            kernels::scale_discharges(
                &mut q[faces],
                [scale[0].shifted(cells.clone(), before), scale[1].cells(cells)],
            );
            if inner && ground.periodic[0] && run.is_full_row(nx) {
                copy_periodic_face(q, offset);
            }
        }
        if !ground.contains_row(y - 1) && y == self.own.start {
            self.store_crossings(Edge::North, strip, y, run);
        }
    }

    fn update_row(&mut self, strip: &mut RowStrip, y: isize, run: ColumnRun) {
        let ground = strip.ground;
        let (nx, cells) = (ground.nx(), run.cells());
        let RowBuffers { scales: both, needs_scaling, crossed, unit_scales, before, .. } =
            &mut *self.buffers;
        let any_scaled =
            needs_scaling[parity(y)] || ground.contains_row(y + 1) && needs_scaling[parity(y + 1)];
        let scale = &both[parity(y)];
        let below = row_scales(both, unit_scales, strip, y + 1);
        let with_momentum = D::UPDATES_MOMENTUM && self.own.contains(&y);
        let RowStrip { depth, remainder, x, y: across, z, .. } = &mut *strip;
        let x = &mut x.row_mut(y)[run.from..=run.to];
        let depth = &mut depth.row_mut(y)[cells.clone()];
        if with_momentum {
            before[cells.clone()].copy_from_slice(depth);
        }
        let remainder = &mut remainder.row_mut(y)[cells.clone()];
        let scales = RowScales {
            along: [-1, 0, 1].map(|by| scale.shifted(cells.clone(), by)),
            south: below.cells(cells.clone()),
        };
        let [north, south] = across.two_rows_mut(y).map(|row| &mut row[cells.clone()]);
        let to_depth = self.to_depth;
        match z {
            None if !any_scaled => {
                kernels::update_depths(depth, remainder, x, [north, south], to_depth);
            }
            None => kernels::scale_and_update_depths(
                depth, remainder, x, south, north, scales, to_depth,
            ),
            Some(z) => {
                let (offset, shift) = z_face_offsets(ground.grid_row(y));
                let faces = cells.start + offset..cells.end + offset;
                let [above, under] = z.two_rows_mut(y);
                let beyond = if ground.contains_row(y + 1) { shift } else { 0 };
                let scale_slanted = below.shifted(cells.clone(), beyond);
                let (up, down) = (&above[faces.clone()], &mut under[faces]);
                if !any_scaled {
                    let across = [&*north, &*south];
                    kernels::update_depths_hex(depth, remainder, x, across, [up, down], to_depth);
                } else {
                    kernels::scale_and_update_depths_hex(
                        depth,
                        remainder,
                        x,
                        south,
                        down,
                        [north, up],
                        scales,
                        scale_slanted,
                        to_depth,
                    );
                    if ground.periodic[0] && run.is_full_row(nx) && ground.contains_row(y + 1) {
                        copy_periodic_face(under, offset);
                    }
                }
            }
        }
        if !ground.periodic[0] && self.own.contains(&y) {
            let row = (y - self.own.start) as usize;
            if run.from == 0 {
                crossed.0[0][row] = [x[0] * self.to_depth, 0.0];
            }
            if run.to == nx {
                crossed.0[1][row] = [-x[run.to - run.from] * self.to_depth, 0.0];
            }
        }
        if !ground.contains_row(y + 1) && y + 1 == self.own.end {
            self.store_crossings(Edge::South, strip, y + 1, run);
        }
        if with_momentum {
            let RowBuffers { scales, before, .. } = &*self.buffers;
            self.scheme.update_momentum(strip, y as usize, run, [before, scales[parity(y)].row()]);
        }
    }

    /// Stores the water that crossed the northern or southern edge of the grid in this step. `y` is
    /// the row of the faces on that edge.
    fn store_crossings(&mut self, edge: Edge, strip: &RowStrip, y: isize, run: ColumnRun) {
        let north = edge == Edge::North;
        let offset = if north { 0 } else { Hex::z_face_column(strip.ground.ny() - 1) };
        let into = if north { self.to_depth } else { -self.to_depth };
        let slanted = strip.z.as_ref().map(|z| z.row(y));
        let straight = strip.y.row(y);
        for x in run.cells() {
            let half = slanted.map_or(0.0, |z| z[x + offset]);
            self.buffers.crossed.0[edge as usize][x] = [into * straight[x], into * half];
        }
    }
}

/// Returns the outflow scales of row `y`, or scales of 1 if the row lies beyond the edge of the
/// grid.
fn row_scales<'a>(
    rows: &'a [ScaleRow; 2],
    unit_scales: &'a ScaleRow,
    strip: &RowStrip,
    y: isize,
) -> &'a ScaleRow {
    if strip.ground.contains_row(y) { &rows[parity(y)] } else { unit_scales }
}

/// Returns two numbers for the z-faces north of a row of hexagons: the index of the face of the
/// cell in column 0, and the column offset (−1 or 1) from a cell to the neighbour beyond its face.
fn z_face_offsets(row: usize) -> (usize, isize) {
    let offset = Hex::z_face_column(row);
    (offset, if offset == 0 { -1 } else { 1 })
}

/// Copies the scaled discharge through the periodic z-face of a row to the other end of the row,
/// where this face is stored a second time.
fn copy_periodic_face(q: &mut [f32], offset: usize) {
    let last = q.len() - 1;
    let (from, to) = if offset == 0 { (0, last) } else { (last, 0) };
    q[to] = q[from];
}

fn z_face_columns(strip: &RowStrip, y: isize, run: ColumnRun) -> Range<usize> {
    let offset = Hex::z_face_column(strip.ground.grid_row(y));
    run.from + offset..run.to + offset
}

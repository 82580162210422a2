//! Stages 1 to 3 of a time step with pipes, performed row by row in the optimised path.

use super::fused::{self, BedAndDepthRow, FusedCoefficients};
use super::{
    Coefficients, accelerate_discharge, apply_viscous_drag, boundary_discharge_fn, celerity_fn,
};
use crate::flow::boundary::faces::{BoundaryCell, boundary_face_discharge};
use crate::flow::context::StepContext;
use crate::flow::schemes::surface::surface_drop;
use crate::flow::solver::sweep::{
    ColumnRun, FluxScheme, MIN_DROP, RowBuffers, RowStrip, is_signed_zero,
};
use crate::lattice::{Edge, FaceAxis, Hex, adjacent_cells};
use multiversion::multiversion;

pub(crate) struct PipesScheme<'a> {
    step: &'a StepContext<'a>,
    c: Coefficients,
}

impl<'a> PipesScheme<'a> {
    pub(in crate::flow) fn new(step: &'a StepContext<'a>) -> Self {
        Self { step, c: Coefficients::new(step) }
    }
}

impl FluxScheme for PipesScheme<'_> {
    const DISCHARGE_REACH: usize = 0;

    fn accelerate_faces(
        &self,
        _: &mut RowBuffers,
        strip: &mut RowStrip,
        y: isize,
        run: ColumnRun,
        include_x_faces: bool,
    ) {
        let [above, below] = [y - 1, y].map(|y| strip.ground.contains_row(y));
        if below && include_x_faces {
            self.accelerate_x_faces(strip, y, run);
        }
        match (above, below) {
            (true, true) => self.accelerate_y_and_z_faces(strip, y, run),
            (false, true) => self.set_edge_faces(strip, Edge::North, y, run),
            (true, false) => self.set_edge_faces(strip, Edge::South, y, run),
            (false, false) => {}
        }
    }

    fn accelerate_and_limit(
        &self,
        scale: &mut [f32],
        strip: &mut RowStrip,
        y: isize,
        run: ColumnRun,
        to_depth: f32,
    ) -> Option<bool> {
        let ground = strip.ground;
        let plain = [y - 1, y]
            .iter()
            .all(|&y| ground.contains_row(y) && !ground.closed.row_has_closed(ground.grid_row(y)));
        if !plain || self.c.drag.is_some() || run.to < run.from + 2 {
            return None;
        }
        // The fused loop also reads the periodic faces of the cells at both ends.
        self.accelerate_periodic_z_face(strip, y, run);
        let needs_scaling = self.accelerate_and_limit_inner(scale, strip, y, run, to_depth);
        self.accelerate_x_faces_at_row_ends(strip, y, run);
        Some(needs_scaling)
    }

    #[inline(always)]
    fn is_at_rest(q: f32, before: [f32; 2], after: [f32; 2]) -> bool {
        let drop = surface_drop(before, after);
        let upstream = if drop > 0.0 { before[1] } else { after[1] };
        // The outflow of a dry cell is scaled to zero.
        let dry = (upstream == 0.0) & (drop.abs() > MIN_DROP);
        is_signed_zero(q, drop) & ((drop == 0.0) | dry)
    }
}

impl PipesScheme<'_> {
    fn accelerate_x_faces(&self, strip: &mut RowStrip, y: isize, run: ColumnRun) {
        let RowStrip { ground, depth, x: q, .. } = strip;
        let (bed, depth, q) = (ground.bed_row(y), depth.row(y), q.row_mut(y));
        let inner = run.inner_faces(FaceAxis::X);
        if !inner.is_empty() {
            let before = run.from..run.to - 1;
            let cells =
                [before, inner.clone()].map(|columns| [&bed[columns.clone()], &depth[columns]]);
            self.accelerate_faces_of_row(&mut q[inner.clone()], cells, self.c.push_x);
            ground.clear_closed_faces(&mut q[inner.clone()], FaceAxis::X, inner, y);
        }
        self.accelerate_x_faces_at_row_ends(strip, y, run);
    }

    fn accelerate_x_faces_at_row_ends(&self, strip: &mut RowStrip, y: isize, run: ColumnRun) {
        let RowStrip { ground, depth, x: q, .. } = strip;
        let (nx, bed, depth, q) = (ground.nx(), ground.bed_row(y), depth.row(y), q.row_mut(y));
        let (row, last) = (ground.grid_row(y), nx - 1);
        if ground.periodic[0] {
            if run.is_full_row(nx) {
                let cell = |x: usize| (bed[x], depth[x], ground.closed.contains(x, row));
                q[0] = self.accelerate_periodic_face(q[0], [cell(last), cell(0)], self.c.push_x);
                q[nx] = q[0];
            }
            return;
        }
        let here = |x: usize, inflow: f32| BoundaryCell {
            bed: bed[x],
            depth: depth[x],
            closed: ground.closed.contains(x, row),
            inflow: [inflow, 0.0],
        };
        if run.from == 0 {
            q[0] = self.compute_boundary_face(Edge::West, row, here(0, q[0])).unwrap_or(q[0]);
        }
        if run.to == nx {
            q[nx] = self
                .compute_boundary_face(Edge::East, row, here(last, -q[nx]))
                .map_or(q[nx], |into| -into);
        }
    }

    fn accelerate_y_and_z_faces(&self, strip: &mut RowStrip, y: isize, run: ColumnRun) {
        let RowStrip { ground, depth, y: q, z, .. } = strip;
        let cells = run.cells();
        let rows = [y - 1, y].map(|y| (ground.bed_row(y), depth.row(y)));
        let q = &mut q.row_mut(y)[cells.clone()];
        let parts = rows.map(|(bed, depth)| [&bed[cells.clone()], &depth[cells.clone()]]);
        self.accelerate_faces_of_row(q, parts, self.c.push_y);
        ground.clear_closed_faces(q, FaceAxis::Y, cells, y);
        let Some(q) = z.as_mut().map(|z| z.row_mut(y)) else { return };
        let adjacent = adjacent_cells(FaceAxis::Z, ground.grid_row(y));
        let inner = run.inner_faces(FaceAxis::Z);
        if !inner.is_empty() {
            let [(bed_a, h_a), (bed_b, h_b)] = rows;
            let [a, b] = adjacent.map(|cell| cell.shift_columns(&inner));
            let parts = [[&bed_a[a.clone()], &h_a[a]], [&bed_b[b.clone()], &h_b[b]]];
            self.accelerate_faces_of_row(&mut q[inner.clone()], parts, self.c.push_y);
            ground.clear_closed_faces(&mut q[inner.clone()], FaceAxis::Z, inner, y);
        }
        self.accelerate_periodic_z_face(strip, y, run);
    }

    fn accelerate_periodic_z_face(&self, strip: &mut RowStrip, y: isize, run: ColumnRun) {
        let RowStrip { ground, depth, z, .. } = strip;
        let nx = ground.nx();
        let Some(q) = z.as_mut().map(|z| z.row_mut(y)) else { return };
        if !(ground.periodic[0] && run.is_full_row(nx)) {
            return;
        }
        let adjacent = adjacent_cells(FaceAxis::Z, ground.grid_row(y));
        let cell = |i: usize| {
            let (x, y) = (adjacent[i].wrapped_column(nx), y - 1 + i as isize);
            let closed = ground.closed.contains(x, ground.grid_row(y));
            (ground.bed_row(y)[x], depth.row(y)[x], closed)
        };
        q[0] = self.accelerate_periodic_face(q[0], [cell(0), cell(1)], self.c.push_y);
        q[nx] = q[0];
    }

    /// Performs stages 2 to 4 of a time step in one loop, for the inner faces of row `y` and the
    /// cells of the row above. Returns true if the outflow of any cell must be scaled.
    fn accelerate_and_limit_inner(
        &self,
        scale: &mut [f32],
        strip: &mut RowStrip,
        y: isize,
        run: ColumnRun,
        to_depth: f32,
    ) -> bool {
        let RowStrip { ground, depth, x, y: across, z, .. } = strip;
        let cells = run.cells();
        let c = FusedCoefficients {
            decay: self.c.decay,
            push: [self.c.push_x, self.c.push_y],
            to_depth,
        };
        let [beds, depths] =
            [[y - 1, y].map(|y| ground.bed_rows_from(y)), [y - 1, y].map(|y| depth.row_from(y))];
        // Includes the cell after the run, or the next stored one.
        let more = (run.to + 1).min(beds[1].len()).min(depths[1].len());
        let above =
            BedAndDepthRow { bed: &beds[0][cells.clone()], depth: &depths[0][cells.clone()] };
        let here =
            BedAndDepthRow { bed: &beds[1][run.from..more], depth: &depths[1][run.from..more] };
        let [x_above, x_here] = x.two_rows_mut(y - 1);
        let (x_above, x_here) = (&x_above[run.from..=run.to], &mut x_here[run.from + 1..=run.to]);
        let [north, south] = across.two_rows_mut(y - 1).map(|row| &mut row[cells.clone()]);
        match z {
            None => fused::accelerate_and_limit_squares(
                scale, x_here, south, north, x_above, above, here, c,
            ),
            Some(z) => {
                let offset = Hex::z_face_column(ground.grid_row(y - 1));
                let [up, down] =
                    z.two_rows_mut(y - 1).map(|row| &mut row[run.from + offset..run.to + offset]);
                let cells = [above, here];
                fused::accelerate_and_limit_hexagons(
                    scale,
                    x_here,
                    south,
                    down,
                    [north, up],
                    x_above,
                    cells,
                    offset,
                    c,
                )
            }
        }
    }

    fn accelerate_faces_of_row(&self, q: &mut [f32], cells: [[&[f32]; 2]; 2], push: f32) {
        accelerate_discharge_row(q, cells, self.c.decay, push);
        if let Some(coefficient) = self.c.drag {
            apply_viscous_drag_row(q, cells.map(|[_, depth]| depth), coefficient);
        }
    }

    /// Returns the discharge through a periodic face after acceleration and viscous drag. `cells`
    /// contains the bed height (m), the depth (m) and the closed-cell flag of the cells before and
    /// after the face.
    fn accelerate_periodic_face(&self, q: f32, cells: [(f32, f32, bool); 2], push: f32) -> f32 {
        let [(bed_a, h_a, shut_a), (bed_b, h_b, shut_b)] = cells;
        if shut_a || shut_b {
            return 0.0;
        }
        let mut q = [q];
        self.accelerate_faces_of_row(&mut q, [[&[bed_a], &[h_a]], [&[bed_b], &[h_b]]], push);
        q[0]
    }

    /// Sets the discharges through the faces on the northern or southern edge (stage 1 of a time
    /// step). `y` is the row of these faces.
    fn set_edge_faces(&self, strip: &mut RowStrip, edge: Edge, y: isize, run: ColumnRun) {
        let RowStrip { ground, depth, y: q, z, .. } = strip;
        let (row, sign) = if edge == Edge::North { (y, 1.0) } else { (y - 1, -1.0) };
        let (bed, depth, q) = (ground.bed_row(row), depth.row(row), q.row_mut(y));
        let mut slanted = z.as_mut().map(|z| z.row_mut(y));
        let offset = if edge == Edge::North { 0 } else { Hex::z_face_column(row as usize) };
        for x in run.cells() {
            let half = slanted.as_ref().map_or(0.0, |z| z[x + offset]);
            let here = BoundaryCell {
                bed: bed[x],
                depth: depth[x],
                closed: ground.closed.contains(x, row as usize),
                inflow: [sign * q[x], sign * half],
            };
            let Some(into) = self.compute_boundary_face(edge, x, here) else { continue };
            let halves = if slanted.is_some() { 0.5 } else { 1.0 };
            q[x] = sign * (halves * into);
            if let Some(z) = &mut slanted {
                z[x + offset] = sign * (halves * into);
            }
        }
    }

    fn compute_boundary_face(&self, edge: Edge, i: usize, here: BoundaryCell) -> Option<f32> {
        boundary_face_discharge(
            self.step,
            edge,
            i,
            here,
            celerity_fn(self.step),
            boundary_discharge_fn(&self.c),
        )
    }
}

#[multiversion(targets = "simd")]
fn accelerate_discharge_row(q: &mut [f32], cells: [[&[f32]; 2]; 2], decay: f32, push: f32) {
    let n = q.len();
    let [[zb, hb], [za, ha]] = cells;
    let (zb, hb, za, ha) = (&zb[..n], &hb[..n], &za[..n], &ha[..n]);
    for i in 0..n {
        q[i] = accelerate_discharge(q[i], decay, push, [zb[i], hb[i]], [za[i], ha[i]]);
    }
}

/// Applies viscous drag to the discharges `q` through a row of faces (stage 3 of a time step).
/// `depths` contains two rows of water depths (m): those of the cells before the faces, and those
/// of the cells after them.
#[multiversion(targets = "simd")]
fn apply_viscous_drag_row(q: &mut [f32], depths: [&[f32]; 2], coefficient: f32) {
    let n = q.len();
    let (hb, ha) = (&depths[0][..n], &depths[1][..n]);
    for i in 0..n {
        let upstream = if q[i] > 0.0 { hb[i] } else { ha[i] };
        q[i] = apply_viscous_drag(q[i], upstream, coefficient);
    }
}

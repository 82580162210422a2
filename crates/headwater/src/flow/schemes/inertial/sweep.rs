//! Stages 1 to 3 of a time step with the local inertial equations, performed row by row in the
//! optimised path.

use super::subgrid_faces::SubgridFaces;
use super::{
    AxisCoefficients, Coefficients, FaceInput, MIN_FACE_DEPTH, drag_factor, face_depth,
    face_discharge, periodic_face_column, set_boundary_discharges, transverse_sum,
};
use crate::flow::context::Roughness;
use crate::flow::context::StepContext;
use crate::flow::schemes::surface::{surface_drop, surface_height};
use crate::flow::solver::sweep::{
    ColumnRun, FluxScheme, MIN_DROP, PreviousDischarges, RowBuffers, RowStrip, is_signed_zero,
};
use crate::flow::state::State;
use crate::lattice::{FaceAxis, FaceOffset, Offset, adjacent_cells};
use crate::scratch::{PooledVec, ScratchPool};
use multiversion::multiversion;

pub(crate) struct InertialScheme<'a> {
    step: &'a StepContext<'a>,
    c: Coefficients,
    /// A row filled with the uniform roughness (s/m^⅓), so that the same loop serves a uniform
    /// roughness and a roughness map.
    uniform_roughness: PooledVec<'a, f32>,
    /// Faces of subgrid cells, with new discharges that have been computed in advance.
    subgrid_faces: &'a SubgridFaces,
}

impl<'a> InertialScheme<'a> {
    /// Creates the scheme for a time step. Also sets the discharges through boundary faces (stage
    /// 1), because the computation of inner faces reads them.
    pub(in crate::flow) fn new(
        state: &mut State,
        subgrid_faces: &'a mut SubgridFaces,
        step: &'a StepContext<'a>,
        scratch: &'a ScratchPool,
    ) -> Self {
        let c = Coefficients::new(step);
        set_boundary_discharges(state, step, &c);
        subgrid_faces.compute_discharges(state, step, &c);
        let uniform_roughness = match step.roughness {
            Roughness::Uniform(n) => scratch.take_filled(state.bed.nx(), n),
            Roughness::Map(_) => scratch.take_vec(),
        };
        Self { step, c, uniform_roughness, subgrid_faces }
    }
}

impl FluxScheme for InertialScheme<'_> {
    // The new discharge through a face depends on the discharges through its nearest neighbours.
    const DISCHARGE_REACH: usize = 1;

    fn prepare(&self, buffers: &mut RowBuffers, strip: &RowStrip, y: isize, run: ColumnRun) {
        buffers.old.copy_row(strip, y - 1, run);
        buffers.old.copy_row(strip, y, run);
    }

    fn accelerate_faces(
        &self,
        buffers: &mut RowBuffers,
        strip: &mut RowStrip,
        y: isize,
        run: ColumnRun,
        include_x_faces: bool,
    ) {
        buffers.old.copy_row(strip, y + 1, run);
        let [above, below] = [y - 1, y].map(|y| strip.ground.contains_row(y));
        if below && include_x_faces {
            self.accelerate_axis(&buffers.old, strip, FaceAxis::X, y, run);
        }
        if above && below {
            self.accelerate_axis(&buffers.old, strip, FaceAxis::Y, y, run);
            if strip.ground.is_hex {
                self.accelerate_axis(&buffers.old, strip, FaceAxis::Z, y, run);
            }
        }
    }

    #[inline(always)]
    fn is_at_rest(q: f32, before: [f32; 2], after: [f32; 2]) -> bool {
        let drop = surface_drop(before, after);
        let depth = face_depth(before[0], after[0], surface_height(before), surface_height(after));
        let shut = (depth <= MIN_FACE_DEPTH) & (drop.abs() > MIN_DROP);
        is_signed_zero(q, drop) & ((drop == 0.0) | shut)
    }
}

impl InertialScheme<'_> {
    fn accelerate_axis(
        &self,
        old: &PreviousDischarges,
        strip: &mut RowStrip,
        axis: FaceAxis,
        y: isize,
        run: ColumnRun,
    ) {
        let ground = strip.ground;
        let columns = run.inner_faces(axis);
        let stencil = self.step.lattice.face_stencil(axis, ground.grid_row(y));
        let [before, after] = adjacent_cells(axis, ground.grid_row(y));
        if !columns.is_empty() {
            let discharges = |(axis, offset): FaceOffset| {
                &old.row(axis, offset.shift_row(y))[offset.shift_columns(&columns)]
            };
            let cells = |offset: Offset| {
                let (row, columns) = (offset.shift_row(y), offset.shift_columns(&columns));
                CellRow {
                    bed: &ground.bed_row(row)[columns.clone()],
                    depth: &strip.depth.row(row)[columns.clone()],
                    roughness: match self.step.roughness {
                        Roughness::Uniform(_) => &self.uniform_roughness[..columns.len()],
                        Roughness::Map(map) => &map.row(ground.grid_row(row))[columns],
                    },
                }
            };
            let faces = FaceRow {
                q: &old.row(axis, y)[columns.clone()],
                neighbours: stencil.normal_neighbours.map(discharges),
                first: stencil.first_pair.map(discharges),
                second: stencil.second_pair.map(discharges),
                sign: stencil.sign,
                before: cells(before),
                after: cells(after),
            };
            let rows = match (axis, &mut strip.z) {
                (FaceAxis::X, _) => &mut strip.x,
                (FaceAxis::Z, Some(z)) => z,
                (FaceAxis::Y | FaceAxis::Z, _) => &mut strip.y,
            };
            let next = &mut rows.row_mut(y)[columns.clone()];
            face_discharges(next, &faces, self.c.for_axis(axis), &self.c);
            ground.clear_closed_faces(next, axis, columns, y);
        }
        let nx = ground.nx();
        if axis != FaceAxis::Y && ground.periodic[0] && run.is_full_row(nx) {
            let q = self.accelerate_periodic_face(old, strip, axis, y);
            let rows = match &mut strip.z {
                Some(z) if axis == FaceAxis::Z => z,
                _ => &mut strip.x,
            };
            let next = rows.row_mut(y);
            (next[0], next[nx]) = (q, q);
        }
        if axis != FaceAxis::Z {
            self.copy_subgrid_faces(strip, axis, y, run);
        }
    }

    /// Copies the new discharges through faces of subgrid cells into row `y` of `strip` (the grid
    /// rows that a task processes). Only faces in the range of columns `run` are copied.
    fn copy_subgrid_faces(&self, strip: &mut RowStrip, axis: FaceAxis, y: isize, run: ColumnRun) {
        let ground = strip.ground;
        let nx = ground.nx();
        let (columns, whole) = (run.inner_faces(axis), run.is_full_row(nx));
        let rows = if axis == FaceAxis::X { &mut strip.x } else { &mut strip.y };
        for (x, q) in self.subgrid_faces.row_discharges(axis, ground.grid_row(y)) {
            if columns.contains(&x) {
                rows.row_mut(y)[x] = q;
            } else if axis == FaceAxis::X && x == 0 && whole {
                let next = rows.row_mut(y);
                (next[0], next[nx]) = (q, q);
            }
        }
    }

    /// Returns the new discharge through the periodic west-east face of row `y` after acceleration
    /// and friction.
    fn accelerate_periodic_face(
        &self,
        old: &PreviousDischarges,
        strip: &RowStrip,
        axis: FaceAxis,
        y: isize,
    ) -> f32 {
        let ground = strip.ground;
        let nx = ground.nx();
        let stencil = self.step.lattice.face_stencil(axis, ground.grid_row(y));
        let discharge = |(axis, offset): FaceOffset| {
            let (x, row) = (offset.wrapped_column(nx), offset.shift_row(y));
            let (at, grid) = ((x, row.max(0) as usize), (nx, ground.ny()));
            old.row(axis, row)[periodic_face_column(axis, at, grid, ground.periodic[1])]
        };
        let cells = adjacent_cells(axis, ground.grid_row(y))
            .map(|cell| (cell.wrapped_column(nx), cell.shift_row(y)));
        let cell = |(x, row)| [ground.bed_row(row)[x], strip.depth.row(row)[x]];
        let closed = |(x, row)| ground.closed.contains(x, ground.grid_row(row));
        let n = |(x, row)| self.step.roughness.at(x, ground.grid_row(row));
        let [before, after] = cells;
        if closed(before) || closed(after) {
            return 0.0;
        }
        let face = FaceInput {
            q: old.row(axis, y)[0],
            neighbours: stencil.normal_neighbours.map(discharge),
            transverse_sum: transverse_sum(
                stencil.first_pair.map(discharge),
                stencil.second_pair.map(discharge),
                stencil.sign,
            ),
            before: cell(before),
            after: cell(after),
            rough: drag_factor(self.c.gravity, n(before), n(after)),
        };
        face_discharge(face, self.c.for_axis(axis), &self.c)
    }
}

struct FaceRow<'a> {
    q: &'a [f32],
    neighbours: [&'a [f32]; 2],
    first: [&'a [f32]; 2],
    second: [&'a [f32]; 2],
    sign: f32,
    before: CellRow<'a>,
    after: CellRow<'a>,
}

struct CellRow<'a> {
    bed: &'a [f32],
    depth: &'a [f32],
    roughness: &'a [f32],
}

/// Computes the new discharges through a row of faces after acceleration and friction. They are
/// written to `next`, which is a separate argument so that the loop vectorises.
#[multiversion(targets = "simd")]
fn face_discharges(
    next: &mut [f32],
    faces: &FaceRow,
    axis: AxisCoefficients,
    coefficients: &Coefficients,
) {
    let n = next.len();
    let coefficients = *coefficients;
    let q = &faces.q[..n];
    // Sliced one by one, because the compiler cannot derive the lengths through `map`.
    let (behind, ahead) = (&faces.neighbours[0][..n], &faces.neighbours[1][..n]);
    let (first_a, first_b) = (&faces.first[0][..n], &faces.first[1][..n]);
    let (second_a, second_b) = (&faces.second[0][..n], &faces.second[1][..n]);
    let sign = faces.sign;
    let (zb, hb) = (&faces.before.bed[..n], &faces.before.depth[..n]);
    let (za, ha) = (&faces.after.bed[..n], &faces.after.depth[..n]);
    let (nb, na) = (&faces.before.roughness[..n], &faces.after.roughness[..n]);
    for i in 0..n {
        let face = FaceInput {
            q: q[i],
            neighbours: [behind[i], ahead[i]],
            transverse_sum: transverse_sum(
                [first_a[i], first_b[i]],
                [second_a[i], second_b[i]],
                sign,
            ),
            before: [zb[i], hb[i]],
            after: [za[i], ha[i]],
            rough: drag_factor(coefficients.gravity, nb[i], na[i]),
        };
        next[i] = face_discharge(face, axis, &coefficients);
    }
}

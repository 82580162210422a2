//! Second phase of a pass over several steps (see `super::pass`). It computes the steps that are
//! still missing in the rows on both sides of each boundary between row blocks, which is called a
//! seam.

use super::row::{BoundaryFlux, PassContext};
use crate::field::Field;
use crate::parallel::{for_each_part, join};

/// Rows on one side of the boundary between two row blocks, in which steps are still missing.
struct SeamSide<'a> {
    y0: usize,
    height: &'a mut [f32],
    flux_x: &'a mut [f32],
    /// Fluxes through the y-faces between these rows, and through the y-faces on the outer side of
    /// these rows, away from the boundary.
    faces: &'a mut [f32],
}

/// Boundary between two row blocks. It includes the rows on both sides in which steps are still
/// missing.
struct Seam<'a> {
    upper: SeamSide<'a>,
    lower: SeamSide<'a>,
    /// Row of y-faces that forms the boundary.
    y: usize,
    faces: &'a mut [f32],
    /// Row 0 of the y-faces, which duplicates the faces of the boundary. `None` unless the boundary
    /// lies on a periodic edge.
    copy: Option<&'a mut [f32]>,
}

struct RowCursor<'a> {
    values: &'a mut [f32],
    width: usize,
    at: usize,
}

impl<'a> RowCursor<'a> {
    fn new(field: &'a mut Field<f32>) -> Self {
        let width = field.nx();
        Self { values: field.as_mut_slice(), width, at: 0 }
    }

    fn split_at_row(self, at: usize) -> [Self; 2] {
        let (before, after) = self.values.split_at_mut((at - self.at) * self.width);
        [Self { values: before, ..self }, Self { values: after, width: self.width, at }]
    }

    fn take_rows(&mut self, from: usize, rows: usize) -> &'a mut [f32] {
        let values = std::mem::take(&mut self.values);
        let (_, values) = values.split_at_mut((from - self.at) * self.width);
        let (taken, values) = values.split_at_mut(rows * self.width);
        (self.values, self.at) = (values, from + rows);
        taken
    }
}

struct Seams<'a> {
    ys: &'a [usize],
    /// Number of rows with missing steps on each side of a boundary between row blocks.
    missing_rows: usize,
    height: RowCursor<'a>,
    flux_x: RowCursor<'a>,
    flux_y: RowCursor<'a>,
    boundary_fluxes: &'a mut [BoundaryFlux],
}

impl<'a> Seams<'a> {
    fn split_at_seam(self, count: usize) -> [Self; 2] {
        let at = self.ys[count] - self.missing_rows;
        self.split_at_row(count, at)
    }

    fn split_at_row(self, count: usize, at: usize) -> [Self; 2] {
        let Self { ys, missing_rows, height, flux_x, flux_y, boundary_fluxes } = self;
        let (ys, next_ys) = ys.split_at(count);
        let (boundary_fluxes, next_fluxes) = boundary_fluxes.split_at_mut(count);
        let [height, next_height] = height.split_at_row(at);
        let [flux_x, next_flux_x] = flux_x.split_at_row(at);
        let [flux_y, next_flux_y] = flux_y.split_at_row(at);
        let next = Self {
            ys: next_ys,
            missing_rows,
            height: next_height,
            flux_x: next_flux_x,
            flux_y: next_flux_y,
            boundary_fluxes: next_fluxes,
        };
        [Self { ys, missing_rows, height, flux_x, flux_y, boundary_fluxes }, next]
    }

    /// Splits off the rows on one side of a boundary between row blocks, starting at row `y0`.
    /// Returns them together with the y-faces `faces`.
    fn take_seam_side(&mut self, y0: usize, faces: &'a mut [f32]) -> SeamSide<'a> {
        let missing_rows = self.missing_rows;
        SeamSide {
            y0,
            height: self.height.take_rows(y0, missing_rows),
            flux_x: self.flux_x.take_rows(y0, missing_rows),
            faces,
        }
    }

    /// Splits off the rows to the north of a boundary between row blocks, and row `y` of the
    /// y-faces, which forms this boundary.
    fn take_upper(&mut self, y: usize) -> (SeamSide<'a>, &'a mut [f32]) {
        let faces = self.flux_y.take_rows(y - self.missing_rows, self.missing_rows);
        (self.take_seam_side(y - self.missing_rows, faces), self.flux_y.take_rows(y, 1))
    }

    fn take_lower(&mut self, y: usize) -> SeamSide<'a> {
        let faces = self.flux_y.take_rows(y + 1, self.missing_rows);
        self.take_seam_side(y, faces)
    }
}

/// Computes the missing steps at the boundaries between row blocks. Steps are missing in
/// `missing_rows` rows on each side of a boundary. `boundary_rows` holds the row of y-faces at each
/// boundary. If `is_periodic` is true, the northern and southern edges form one more boundary,
/// which comes last. Adds the flux through edges of fixed height to `boundary_fluxes`, which has
/// one entry per boundary.
pub(in crate::waves) fn compute_missing_steps(
    [height, flux_x, flux_y]: [&mut Field<f32>; 3],
    boundary_rows: &[usize],
    is_periodic: bool,
    missing_rows: usize,
    context: &PassContext,
    boundary_fluxes: &mut [BoundaryFlux],
) {
    let ny = height.ny();
    let [height, flux_x, flux_y] = [height, flux_x, flux_y].map(RowCursor::new);
    let mut seams =
        Seams { ys: boundary_rows, missing_rows, height, flux_x, flux_y, boundary_fluxes };
    let fill_inner = |seams: Seams| {
        for_each_part(seams, boundary_rows.len(), &Seams::split_at_seam, &|mut seam: Seams| {
            let y = seam.ys[0];
            let (upper, faces) = seam.take_upper(y);
            let lower = seam.take_lower(y);
            Seam { upper, lower, y, faces, copy: None }
                .compute_missing_steps(context, &mut seam.boundary_fluxes[0]);
        });
    };
    if !is_periodic {
        return fill_inner(seams);
    }
    let copy = seams.flux_y.take_rows(0, 1);
    let lower = seams.take_lower(0);
    let [seams, mut rest] = seams.split_at_row(boundary_rows.len(), ny - missing_rows);
    let (upper, faces) = rest.take_upper(ny);
    let around = Seam { upper, lower, y: ny, faces, copy: Some(copy) };
    join(
        || fill_inner(seams),
        || around.compute_missing_steps(context, &mut rest.boundary_fluxes[0]),
    );
}

impl Seam<'_> {
    /// Computes the missing steps at this boundary. Step `l` of the pass is missing in `l` rows on
    /// each side. Adds the flux through edges of fixed height to `boundary_fluxes`.
    fn compute_missing_steps(mut self, context: &PassContext, boundary_fluxes: &mut BoundaryFlux) {
        let missing_rows = self.upper.height.len() / context.nx;
        for (l, flux) in boundary_fluxes.iter_mut().enumerate().take(missing_rows + 1).skip(1) {
            *flux += self.compute_step_at_seam(context, l, missing_rows);
        }
    }

    fn compute_step_at_seam(
        &mut self,
        context: &PassContext,
        pass_step: usize,
        missing_rows: usize,
    ) -> f64 {
        let nx = context.nx;
        let Self { upper, lower, y, faces, copy } = self;
        let north = &upper.height[(missing_rows - 1) * nx..];
        context.update_y_fluxes(faces, north, &lower.height[..nx], *y);
        if let Some(copy) = copy {
            context.update_y_fluxes(copy, north, &lower.height[..nx], 0);
        }
        let mut inflow = 0.0;
        for i in missing_rows - pass_step..missing_rows {
            let y = upper.y0 + i;
            let (height, after) = upper.height[i * nx..].split_at_mut(nx);
            let (above, below) = upper.faces.split_at_mut((i + 1) * nx);
            let north = &above[i * nx..];
            let flux_x = &mut upper.flux_x[i * (nx + 1)..][..nx + 1];
            inflow += if i + 1 < missing_rows {
                context.step_row(
                    pass_step,
                    y,
                    north,
                    &after[..nx],
                    flux_x,
                    &mut below[..nx],
                    height,
                )
            } else {
                context.step_row_between_faces(pass_step, y, north, faces, flux_x, height)
            };
        }
        for i in 0..pass_step {
            let y = lower.y0 + i;
            let (height, after) = lower.height[i * nx..].split_at_mut(nx);
            let (above, below) = lower.faces.split_at_mut(i * nx);
            let seam = copy.as_deref().unwrap_or(faces);
            let north = if i == 0 { seam } else { &above[(i - 1) * nx..] };
            let flux_x = &mut lower.flux_x[i * (nx + 1)..][..nx + 1];
            inflow += if i + 1 < pass_step {
                context.step_row(
                    pass_step,
                    y,
                    north,
                    &after[..nx],
                    flux_x,
                    &mut below[..nx],
                    height,
                )
            } else {
                context.step_row_between_faces(pass_step, y, north, &below[..nx], flux_x, height)
            };
        }
        inflow
    }
}

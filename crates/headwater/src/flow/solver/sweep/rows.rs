//! Strips: ranges of rows that one task steps in place, with copies of the neighbouring rows.

use crate::field::Field;
use crate::flow::context::StepContext;
use crate::flow::state::{ClosedCells, State};
use crate::lattice::{FaceAxis, adjacent_cells};
use std::ops::Range;

/// Rows of one array in a strip: the rows of the strip itself, and copies of some neighbouring rows
/// above and below.
pub(in crate::flow) struct StripRows<'a> {
    width: usize,
    /// Grid index of the first row of the strip itself. The copied rows above it have smaller
    /// indices.
    first: isize,
    /// Number of copied rows above the strip, and number of rows in the strip itself.
    counts: [isize; 2],
    own: &'a mut [f32],
    above: &'a mut [f32],
    below: &'a mut [f32],
}

impl<'a> StripRows<'a> {
    pub(super) fn new(
        width: usize,
        first: usize,
        own: &'a mut [f32],
        Halo { above, below }: &'a mut Halo,
    ) -> Self {
        // Stored, because it is needed a dozen times per row and avoids a division.
        let counts = [above.len(), own.len()].map(|all| (all / width) as isize);
        Self { width, first: first as isize, counts, own, above, below }
    }

    /// Returns row `y`. Negative indices continue across a periodic edge: −1 is the row above row
    /// 0.
    pub(in crate::flow) fn row(&self, y: isize) -> &[f32] {
        let (part, start) = match self.locate_row(y) {
            (RowLocation::Above, start) => (&*self.above, start),
            (RowLocation::Own, start) => (&*self.own, start),
            (RowLocation::Below, start) => (&*self.below, start),
        };
        &part[start..start + self.width]
    }

    /// Returns row `y` and all rows stored contiguously after it.
    pub(in crate::flow) fn row_from(&self, y: isize) -> &[f32] {
        match self.locate_row(y) {
            (RowLocation::Above, start) => &self.above[start..],
            (RowLocation::Own, start) => &self.own[start..],
            (RowLocation::Below, start) => &self.below[start..],
        }
    }

    pub(in crate::flow) fn row_mut(&mut self, y: isize) -> &mut [f32] {
        let (part, start) = match self.locate_row(y) {
            (RowLocation::Above, start) => (&mut *self.above, start),
            (RowLocation::Own, start) => (&mut *self.own, start),
            (RowLocation::Below, start) => (&mut *self.below, start),
        };
        &mut part[start..start + self.width]
    }

    pub(in crate::flow) fn two_rows_mut(&mut self, y: isize) -> [&mut [f32]; 2] {
        let width = self.width;
        let [(first, start), (second, next)] = [y, y + 1].map(|y| self.locate_row(y));
        let Self { own, above, below, .. } = self;
        let (upper, lower): (&mut [f32], &mut [f32]) = match (first, second) {
            (RowLocation::Above, RowLocation::Above) => above[start..].split_at_mut(width),
            (RowLocation::Own, RowLocation::Own) => own[start..].split_at_mut(width),
            (RowLocation::Below, RowLocation::Below) => below[start..].split_at_mut(width),
            (RowLocation::Above, RowLocation::Own) => (&mut above[start..], &mut own[next..]),
            (RowLocation::Above, _) => (&mut above[start..], &mut below[next..]),
            (_, _) => (&mut own[start..], &mut below[next..]),
        };
        [&mut upper[..width], &mut lower[..width]]
    }

    fn locate_row(&self, y: isize) -> (RowLocation, usize) {
        let [above, own] = self.counts;
        let (part, from_start) = match y - self.first {
            before if before < 0 => (RowLocation::Above, before + above),
            within if within < own => (RowLocation::Own, within),
            after => (RowLocation::Below, after - own),
        };
        (part, from_start as usize * self.width)
    }
}

#[derive(Clone, Copy)]
enum RowLocation {
    Above,
    Own,
    Below,
}

/// Copies of the rows of one array above and below a strip of rows.
#[derive(Clone, Debug, Default)]
pub(in crate::flow) struct Halo {
    above: Vec<f32>,
    below: Vec<f32>,
}

impl Halo {
    /// Copies rows of a field. Only the columns of `runs` are copied; the other columns of the
    /// copies do not change.
    pub(super) fn fill(
        &mut self,
        field: &Field<f32>,
        [above, below]: [Range<isize>; 2],
        grid_row: impl Fn(isize) -> usize,
        runs: &[ColumnRun],
    ) {
        let width = field.nx();
        for (rows, copies) in [(above, &mut self.above), (below, &mut self.below)] {
            copies.resize(rows.len() * width, 0.0);
            for (y, copy) in rows.zip(copies.chunks_exact_mut(width)) {
                let row = field.row(grid_row(y));
                for run in runs {
                    // Includes the faces beyond the last cell, and the faces on which their
                    // discharges depend.
                    let columns = run.from.saturating_sub(2)..(run.to + 3).min(width);
                    copy[columns.clone()].copy_from_slice(&row[columns]);
                }
            }
        }
    }
}

/// A half-open range of columns, `from..to`, that a step updates in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ColumnRun {
    pub(in crate::flow) from: usize,
    pub(in crate::flow) to: usize,
}

impl ColumnRun {
    pub(in crate::flow) fn inner_faces(self, axis: FaceAxis) -> Range<usize> {
        match axis {
            FaceAxis::X | FaceAxis::Z => self.from + 1..self.to,
            FaceAxis::Y => self.from..self.to,
        }
    }

    pub(in crate::flow) fn cells(self) -> Range<usize> {
        self.from..self.to
    }

    /// Returns this range of columns, extended by `margin` columns on each side but limited to a
    /// row of `nx` columns.
    pub(in crate::flow) fn extended(self, margin: usize, nx: usize) -> Range<usize> {
        self.from.saturating_sub(margin)..(self.to + margin).min(nx)
    }

    pub(in crate::flow) fn is_full_row(self, nx: usize) -> bool {
        self.from == 0 && self.to == nx
    }
}

#[derive(Clone, Copy)]
pub(in crate::flow) struct Terrain<'a> {
    pub(in crate::flow) bed: &'a Field<f32>,
    pub(in crate::flow) closed: &'a ClosedCells,
    pub(in crate::flow) is_hex: bool,
    pub(in crate::flow) periodic: [bool; 2],
}

impl<'a> Terrain<'a> {
    pub(super) fn from_state(state: &'a State, step: &StepContext) -> Self {
        let periodic = step.edges.periodic;
        Self {
            bed: &state.bed,
            closed: &state.closed,
            is_hex: step.lattice.is_hex(),
            periodic: [periodic.x, periodic.y],
        }
    }

    pub(in crate::flow) fn nx(&self) -> usize {
        self.bed.nx()
    }

    pub(in crate::flow) fn ny(&self) -> usize {
        self.bed.ny()
    }

    /// Returns whether row `y` exists on the grid, directly or as the continuation of the grid
    /// beyond a periodic edge.
    pub(in crate::flow) fn contains_row(&self, y: isize) -> bool {
        self.periodic[1] || (0..self.ny() as isize).contains(&y)
    }

    /// Returns the grid index of row `y`, which may lie beyond a periodic edge.
    pub(in crate::flow) fn grid_row(&self, y: isize) -> usize {
        if self.periodic[1] { y.rem_euclid(self.ny() as isize) as usize } else { y as usize }
    }

    pub(in crate::flow) fn bed_row(&self, y: isize) -> &'a [f32] {
        self.bed.row(self.grid_row(y))
    }

    /// Returns the bed elevations (m) of row `y` and of all rows stored after it.
    pub(in crate::flow) fn bed_rows_from(&self, y: isize) -> &'a [f32] {
        &self.bed.as_slice()[self.grid_row(y) * self.nx()..]
    }

    /// Sets the discharges through the faces of closed cells to 0. `q` contains the discharges
    /// through the inner faces in `columns` of row `y`.
    pub(in crate::flow) fn clear_closed_faces(
        &self,
        q: &mut [f32],
        axis: FaceAxis,
        columns: Range<usize>,
        y: isize,
    ) {
        let rows = if axis == FaceAxis::X { [y, y] } else { [y - 1, y] }.map(|y| self.grid_row(y));
        if !rows.into_iter().any(|y| self.closed.row_has_closed(y)) {
            return;
        }
        let closed = |y: usize| self.closed.cells().row(y);
        let [before, after] =
            adjacent_cells(axis, rows[1]).map(|cell| cell.shift_columns(&columns));
        let (before, after) = (&closed(rows[0])[before], &closed(rows[1])[after]);
        for ((q, before), after) in q.iter_mut().zip(before).zip(after) {
            *q = if before | after { 0.0 } else { *q };
        }
    }
}

pub(in crate::flow) struct MomentumRows<'a> {
    pub(super) first: usize,
    pub(super) width: usize,
    pub(super) parts: [&'a mut [f32]; 2],
}

impl MomentumRows<'_> {
    /// Returns the eastward and the southward momentum of the cells in row `y` (m²/s). Both slices
    /// are empty with physics models that do not use momentum.
    pub(in crate::flow) fn row_components_mut(&mut self, y: usize) -> [&mut [f32]; 2] {
        let start = (y - self.first) * self.width;
        self.parts
            .each_mut()
            .map(|part| part.get_mut(start..start + self.width).unwrap_or_default())
    }
}

pub(crate) struct RowStrip<'a> {
    pub(in crate::flow) ground: Terrain<'a>,
    pub(in crate::flow) depth: StripRows<'a>,
    pub(super) remainder: StripRows<'a>,
    pub(in crate::flow) x: StripRows<'a>,
    pub(in crate::flow) y: StripRows<'a>,
    pub(in crate::flow) z: Option<StripRows<'a>>,
    pub(in crate::flow) momentum: MomentumRows<'a>,
}

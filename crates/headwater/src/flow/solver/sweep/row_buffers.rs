//! Buffers for the rows that were stepped most recently.

use super::rows::{ColumnRun, RowStrip};
use crate::lattice::FaceAxis;
use std::ops::Range;

/// Buffers of one time step for the rows that this step has visited most recently. Each pair of
/// buffers has one for rows with an even index and one for rows with an odd index.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowBuffers {
    /// Outflow scales of the cells in the last two rows: the factors (0 to 1) that limit the
    /// outflow of a cell to its water.
    pub(super) scales: [ScaleRow; 2],
    pub(super) needs_scaling: [bool; 2],
    /// Row of outflow scales that are all 1, used for rows beyond the edge of the grid.
    pub(super) unit_scales: ScaleRow,
    pub(in crate::flow) old: PreviousDischarges,
    pub(super) before: Vec<f32>,
    pub(super) crossed: EdgeCrossings,
}

/// Outflow scales of the cells in a row, with one ghost value beyond each end of the row. An
/// outflow scale is the factor (0 to 1) that limits the outflow of a cell to its water.
#[derive(Clone, Debug, Default)]
pub(in crate::flow) struct ScaleRow(Vec<f32>);

impl ScaleRow {
    fn filled_with_ones(nx: usize) -> Self {
        Self(vec![1.0; nx + 2])
    }

    pub(super) fn cells(&self, columns: Range<usize>) -> &[f32] {
        self.shifted(columns, 0)
    }

    pub(super) fn cells_mut(&mut self, columns: Range<usize>) -> &mut [f32] {
        &mut self.0[columns.start + 1..columns.end + 1]
    }

    /// Returns the outflow scales of the cells that lie `column_offset` columns (−1 to 1) to the
    /// east of the cells in `columns`.
    pub(super) fn shifted(&self, columns: Range<usize>, column_offset: isize) -> &[f32] {
        let start = (columns.start as isize + 1 + column_offset) as usize;
        &self.0[start..start + columns.len()]
    }

    pub(super) fn row(&self) -> &[f32] {
        &self.0[1..self.0.len() - 1]
    }

    /// Sets the ghost values. In a periodic row, they are the values from the other end of the row,
    /// otherwise 1.
    pub(super) fn set_ghosts(&mut self, periodic: bool) {
        let nx = self.0.len() - 2;
        let ends = if periodic { [self.0[nx], self.0[1]] } else { [1.0; 2] };
        (self.0[0], self.0[nx + 1]) = (ends[0], ends[1]);
    }
}

/// Water that crossed each boundary face of a strip in a step, as a depth in the adjacent cell (m,
/// positive into the grid). The edges are in the order west, east, north, south. The two values per
/// face belong to its two halves. Only northern and southern faces of hexagons have two halves; for
/// all other faces, the second value is 0.
#[derive(Clone, Debug, Default)]
pub(super) struct EdgeCrossings(pub(super) [Vec<[f32; 2]>; 4]);

/// Discharges before the step through the x-, y- and z-faces of three consecutive rows. Physics
/// models need them if the new discharge through a face depends on the old discharges through
/// neighbouring faces.
#[derive(Clone, Debug, Default)]
pub(in crate::flow) struct PreviousDischarges([[Vec<f32>; 3]; 3]);

impl PreviousDischarges {
    /// Copies the discharges through the faces of row `y` in the columns of `run`. Does nothing if
    /// the row does not exist.
    pub(in crate::flow) fn copy_row(&mut self, strip: &RowStrip, y: isize, run: ColumnRun) {
        let [x, across, aslant] = &mut self.0;
        let here = strip.ground.contains_row(y);
        let faces = here || strip.ground.contains_row(y - 1);
        let families = [
            (x, Some(&strip.x), here),
            (across, Some(&strip.y), faces),
            (aslant, strip.z.as_ref(), faces),
        ];
        for (rows, family, there) in families {
            if let (Some(family), true) = (family, there) {
                let row = family.row(y);
                // Includes the faces that the outermost ones read.
                let columns = run.from.saturating_sub(1)..(run.to + 2).min(row.len());
                let buffers = &mut rows[y.rem_euclid(3) as usize];
                buffers.resize(row.len(), 0.0);
                buffers[columns.clone()].copy_from_slice(&row[columns]);
            }
        }
    }

    pub(in crate::flow) fn row(&self, axis: FaceAxis, y: isize) -> &[f32] {
        &self.0[axis as usize][y.rem_euclid(3) as usize]
    }
}

impl RowBuffers {
    /// Resizes the buffers for rows of `nx` cells and for a strip of `rows` rows.
    pub(super) fn resize(&mut self, nx: usize, rows: usize) {
        if self.before.len() != nx {
            self.unit_scales = ScaleRow::filled_with_ones(nx);
            self.scales = [ScaleRow::filled_with_ones(nx), ScaleRow::filled_with_ones(nx)];
            self.before.resize(nx, 0.0);
        }
        let [west, east, north, south] = &mut self.crossed.0;
        for (crossed, n) in [(west, rows), (east, rows), (north, nx), (south, nx)] {
            crossed.clear();
            crossed.resize(n, [0.0; 2]);
        }
    }
}

pub(super) fn parity(y: isize) -> usize {
    y.rem_euclid(2) as usize
}

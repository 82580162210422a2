//! What a step keeps of the last rows it has been over.

use super::rows::{Run, Strip};
use crate::lattice::FaceAxis;
use std::ops::Range;

/// What a step keeps of the last rows it has been over: of each two, by whether its number is even.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    /// Stage 4's part of a cell's outgoing discharges that its water can feed.
    pub(super) fed: [Fed; 2],
    pub(super) overdrawn: [bool; 2],
    /// That of what stands beyond the edge of the grid: all.
    pub(super) feeding_all: Fed,
    pub(in crate::flow) old: Old,
    pub(super) before: Vec<f32>,
    pub(super) crossed: Crossed,
}

#[derive(Clone, Debug, Default)]
pub(in crate::flow) struct Fed(Vec<f32>);

impl Fed {
    fn all(nx: usize) -> Self {
        Self(vec![1.0; nx + 2])
    }

    pub(super) fn cells(&self, columns: Range<usize>) -> &[f32] {
        self.shifted(columns, 0)
    }

    pub(super) fn cells_mut(&mut self, columns: Range<usize>) -> &mut [f32] {
        &mut self.0[columns.start + 1..columns.end + 1]
    }

    /// Those of cells so many columns further to the east, one at most to either side.
    pub(super) fn shifted(&self, columns: Range<usize>, by: isize) -> &[f32] {
        let start = (columns.start as isize + 1 + by) as usize;
        &self.0[start..start + columns.len()]
    }

    pub(super) fn row(&self) -> &[f32] {
        &self.0[1..self.0.len() - 1]
    }

    /// Puts at the ends what lies beyond them: the other end of a row that is joined, or what feeds all.
    pub(super) fn close(&mut self, joined: bool) {
        let nx = self.0.len() - 2;
        let ends = if joined { [self.0[nx], self.0[1]] } else { [1.0; 2] };
        (self.0[0], self.0[nx + 1]) = (ends[0], ends[1]);
    }
}

/// Depth (m, into the grid) that crossed each boundary face of a strip in a step: west, east,
/// north, south; in two halves to the north and south of hexagons.
#[derive(Clone, Debug, Default)]
pub(super) struct Crossed(pub(super) [Vec<[f32; 2]>; 4]);

/// Discharges as they were before the step, of the last three rows: for levels whose faces read others.
#[derive(Clone, Debug, Default)]
pub(in crate::flow) struct Old([[Vec<f32>; 3]; 3]);

impl Old {
    /// Keeps row `y`, as far as there is one.
    pub(in crate::flow) fn keep(&mut self, strip: &Strip, y: isize, run: Run) {
        let [x, across, aslant] = &mut self.0;
        let here = strip.ground.has(y);
        let faces = here || strip.ground.has(y - 1);
        let families = [
            (x, Some(&strip.x), here),
            (across, Some(&strip.y), faces),
            (aslant, strip.z.as_ref(), faces),
        ];
        for (rows, family, there) in families {
            if let (Some(family), true) = (family, there) {
                let row = family.row(y);
                // With the faces that the outermost ones read.
                let columns = run.from.saturating_sub(1)..(run.to + 2).min(row.len());
                let kept = &mut rows[y.rem_euclid(3) as usize];
                kept.resize(row.len(), 0.0);
                kept[columns.clone()].copy_from_slice(&row[columns]);
            }
        }
    }

    pub(in crate::flow) fn row(&self, axis: FaceAxis, y: isize) -> &[f32] {
        &self.0[axis as usize][y.rem_euclid(3) as usize]
    }
}

impl Kept {
    /// Buffers for rows of `nx` cells, and for what crosses the edges beside `rows` rows.
    pub(super) fn fit(&mut self, nx: usize, rows: usize) {
        if self.before.len() != nx {
            self.feeding_all = Fed::all(nx);
            self.fed = [Fed::all(nx), Fed::all(nx)];
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

//! [`CellMask`]: bit mask over the cells of a range of rows.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Mask with one bit for each cell of a range of rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct CellMask {
    pub(super) nx: usize,
    pub(super) rows: Range<usize>,
    words: Vec<u64>,
}

impl CellMask {
    pub(super) fn new(nx: usize, rows: Range<usize>) -> Self {
        let words = vec![0; (nx * rows.len()).div_ceil(64)];
        Self { nx, rows, words }
    }

    /// Returns a copy of the mask restricted to `rows`. Returns `None` if no bit is set in these
    /// rows.
    pub(super) fn subset(&self, rows: Range<usize>) -> Option<Self> {
        let mut subset = Self::new(self.nx, rows);
        subset.union_with(self);
        subset.words.iter().any(|word| *word != 0).then_some(subset)
    }

    /// Sets each bit that is set in `other`, in the rows that both masks cover. Other bits stay
    /// unchanged.
    pub(super) fn union_with(&mut self, other: &Self) {
        let rows = self.rows.start.max(other.rows.start)..self.rows.end.min(other.rows.end);
        for y in rows {
            (0..self.nx).filter(|&x| other.get(x, y)).for_each(|x| self.set(x, y, true));
        }
    }

    pub(super) fn get(&self, x: usize, y: usize) -> bool {
        let i = (y - self.rows.start) * self.nx + x;
        self.words[i / 64] >> (i % 64) & 1 == 1
    }

    pub(super) fn set(&mut self, x: usize, y: usize, value: bool) {
        let i = (y - self.rows.start) * self.nx + x;
        let bit = 1 << (i % 64);
        if value { self.words[i / 64] |= bit } else { self.words[i / 64] &= !bit }
    }

    /// Iterates over the cells in `rows` whose bits are set, as `(column, row)`.
    pub(super) fn iter_set_cells(
        &self,
        rows: Range<usize>,
    ) -> impl Iterator<Item = (usize, usize)> + '_ {
        let rows = self.rows.start.max(rows.start)..self.rows.end.min(rows.end);
        let all = rows.flat_map(|y| (0..self.nx).map(move |x| (x, y)));
        all.filter(|&(x, y)| self.get(x, y))
    }
}

//! A height raster finer than the grid, with access to the samples of each cell.

use crate::field::Field;
use std::ops::Range;

pub(super) struct Raster<'a> {
    pub(super) fine: &'a Field<f32>,
    pub(super) samples: usize,
    pub(super) nx: usize,
    pub(super) ny: usize,
}

impl Raster<'_> {
    pub(super) fn cell_heights(&self, x: usize, y: usize) -> impl Iterator<Item = f32> {
        let rows = y * self.samples..(y + 1) * self.samples;
        let columns = x * self.samples..(x + 1) * self.samples;
        rows.flat_map(move |row| self.fine.row(row)[columns.clone()].iter().copied())
    }

    pub(super) fn mean_height(&self, x: usize, y: usize) -> f32 {
        let sum: f64 = self.cell_heights(x, y).map(f64::from).sum();
        (sum / (self.samples * self.samples) as f64) as f32
    }

    pub(super) fn neighbourhood_samples(&self, (x, y): (usize, usize)) -> [Range<usize>; 2] {
        let k = self.samples;
        let range = |i: usize, n: usize| i.max(1) * k - k..((i + 2) * k).min(n * k);
        [range(x, self.nx), range(y, self.ny)]
    }

    pub(super) fn samples_above(&self, cell: (usize, usize), bound: f32) -> Vec<(usize, usize)> {
        let [columns, rows] = self.neighbourhood_samples(cell);
        let all = rows.flat_map(|row| columns.clone().map(move |column| (column, row)));
        all.filter(|cell| self.fine[*cell] >= bound).collect()
    }
}

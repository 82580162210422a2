//! Rasters at another number of cells: bilinear where there are to be more, averages over area where
//! fewer, each axis on its own.
//!
//! Cells without data have no say in a height. The average is weighted by area, so that shrinking
//! keeps the volume above 0 m.

use super::Raster;
use headwater::Field;

impl Raster {
    /// The same ground in `nx × ny` cells, at least one by one; the cells' size follows.
    ///
    /// A new cell is the weighted mean of the cells it draws on, those without data left out. It is
    /// without data if more than half of its weight is. `info` still describes the file.
    #[must_use]
    pub fn resample(&self, nx: usize, ny: usize) -> Self {
        let (columns, rows) =
            (Axis::new(self.heights.nx(), nx.max(1)), Axis::new(self.heights.ny(), ny.max(1)));
        let mut heights = Field::new(columns.len(), rows.len(), 0.0);
        let mut no_data = Field::new(columns.len(), rows.len(), false);
        for y in 0..rows.len() {
            for x in 0..columns.len() {
                let mean = self.mean(columns.weights(x), rows.weights(y));
                heights[(x, y)] = mean.unwrap_or(0.0) as f32;
                no_data[(x, y)] = mean.is_none();
            }
        }
        let stretch = [columns.stretch, rows.stretch];
        Self {
            heights,
            no_data,
            cell: self.cell.map(|[dx, dy]| [dx * stretch[0], dy * stretch[1]]),
            info: self.info.clone(),
            notices: self.notices.clone(),
        }
    }

    /// The weighted mean height, or `None` if more than half of the weight is without data.
    fn mean(&self, columns: &[(usize, f64)], rows: &[(usize, f64)]) -> Option<f64> {
        let (mut sum, mut known, mut whole) = (0.0, 0.0, 0.0);
        for &(y, row_weight) in rows {
            for &(x, column_weight) in columns {
                let weight = row_weight * column_weight;
                whole += weight;
                if !self.no_data[(x, y)] {
                    known += weight;
                    sum += weight * f64::from(self.heights[(x, y)]);
                }
            }
        }
        // A rounding error must not decide about a cell that is half without data.
        let enough = known > 0.0 && known >= whole * (0.5 - 1e-9);
        enough.then(|| sum / known)
    }
}

/// For every new cell along an axis, the old cells it draws on and their weights.
struct Axis {
    weights: Vec<(usize, f64)>,
    /// Where the weights of each new cell begin, and the end.
    starts: Vec<usize>,
    /// Old cells per new cell.
    stretch: f64,
}

impl Axis {
    fn new(old: usize, new: usize) -> Self {
        let stretch = old as f64 / new as f64;
        let mut axis = Self { weights: Vec::new(), starts: vec![0], stretch };
        for index in 0..new {
            if new < old {
                axis.cover(old, index as f64 * stretch, (index + 1) as f64 * stretch);
            } else {
                axis.interpolate(old, (index as f64 + 0.5) * stretch - 0.5);
            }
            axis.starts.push(axis.weights.len());
        }
        axis
    }

    /// The old cells between two positions, by the length that is covered.
    fn cover(&mut self, old: usize, from: f64, to: f64) {
        for cell in from as usize..(to.ceil() as usize).min(old) {
            let covered = to.min((cell + 1) as f64) - from.max(cell as f64);
            self.weights.push((cell, covered));
        }
    }

    /// The two old cells whose centres are on either side of a position, or the one at the rim.
    fn interpolate(&mut self, old: usize, position: f64) {
        let inside = position.clamp(0.0, (old - 1) as f64);
        let before = inside as usize;
        let fraction = inside - before as f64;
        self.weights.push((before, 1.0 - fraction));
        if fraction > 0.0 {
            self.weights.push((before + 1, fraction));
        }
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn weights(&self, index: usize) -> &[(usize, f64)] {
        &self.weights[self.starts[index]..self.starts[index + 1]]
    }
}

//! Resampling of rasters: bilinear interpolation to finer cells and area-weighted averages to
//! coarser cells. The method is chosen separately for each axis. A hexagonal cell is represented by
//! a rectangle. Its width is the spacing of the hexagons, and its height is the distance between
//! rows. These rectangles tile the plane like bricks.
//!
//! Cells without data are excluded. Averages are weighted by area, so coarsening conserves the
//! volume above 0 m.

use super::Raster;
use super::window::RasterWindow;
use headwater::{Field, Lattice};
use std::ops::Range;

/// Method of resampling a raster to cells that are finer than the raster's cells along an axis.
/// Coarser cells always get averages over their area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinerCells {
    /// Linear interpolation between the centres of the raster's cells. Suitable for smooth
    /// quantities.
    Interpolate,
    /// Values of the raster's cells that overlap the new cell, weighted by area. Suitable for class
    /// numbers and for quantities whose sum over an area must not change.
    Overlap,
}

impl Raster {
    /// Resamples the raster to `nx × ny` cells (at least 1 × 1) that cover the same area.
    ///
    /// The height of a new cell is the weighted mean of its source cells with data. A new cell has
    /// no data if source cells without data have more than half of the weight. The field `info` is
    /// unchanged and still describes the original file.
    #[must_use]
    pub fn resample(&self, nx: usize, ny: usize) -> Self {
        let own = [self.heights.nx(), self.heights.ny()];
        let resampling = Resampling::between_grids(own, [nx, ny]);
        let (heights, no_data) = resampling.apply(&self.all_rows(), 0..resampling.rows.len());
        let stretch = [own[0] as f64 / nx.max(1) as f64, own[1] as f64 / ny.max(1) as f64];
        Self {
            heights,
            no_data,
            cell: self.cell.map(|[dx, dy]| [dx * stretch[0], dy * stretch[1]]),
            info: self.info.clone(),
            notices: self.notices.clone(),
        }
    }

    /// Returns the rectangle that covers the whole raster.
    pub fn full_window(&self) -> RasterWindow {
        RasterWindow::full([self.heights.nx(), self.heights.ny()])
    }

    /// Resamples a rectangle of the raster to the given rows of a lattice. Returns the values and
    /// the no-data mask, in this order. `reduce` computes each new value from its source cells:
    /// [`mean`] for quantities, [`majority`] for class numbers. `finer` selects the source cells if
    /// the new cells are finer than those of the raster.
    pub fn resample_rows(
        &self,
        part: RasterWindow,
        (reduce, finer): (CellReduction, FinerCells),
        lattice: &Lattice,
        rows: Range<usize>,
    ) -> (Field<f32>, Field<bool>) {
        let own = [self.heights.nx(), self.heights.ny()];
        Resampling::from_window_with(own, part, lattice, finer).apply_with(
            reduce,
            &self.all_rows(),
            rows,
        )
    }

    /// Returns a view of all rows of the raster.
    pub fn all_rows(&self) -> RasterRows<'_> {
        RasterRows { heights: &self.heights, no_data: &self.no_data, first_row: 0 }
    }
}

/// Mapping from the cells of a raster to the cells of a grid, with the weights of the source cells.
#[derive(Debug)]
pub struct Resampling {
    /// Weights of the source columns for the cells in even rows and in odd rows, in this order. The
    /// two differ only on hexagonal grids, whose odd rows are shifted.
    columns: [AxisWeights; 2],
    rows: AxisWeights,
}

impl Resampling {
    /// Creates the mapping from a grid of `source_counts` columns and rows to a grid of
    /// `target_counts` columns and rows over the same area. Both grids have rectangular cells.
    pub fn between_grids(source_counts: [usize; 2], target_counts: [usize; 2]) -> Self {
        let [columns, rows] = [0, 1].map(|axis| {
            let (source_count, target_count) = (source_counts[axis], target_counts[axis].max(1));
            let stretch = source_count as f64 / target_count as f64;
            let finer = FinerCells::Interpolate;
            AxisWeights::new(source_count, target_count, stretch, [0.0; 2], finer)
        });
        Self { columns: [columns.clone(), columns], rows }
    }

    /// Creates the mapping from a part of a raster to a lattice. `source_counts` is the number of
    /// columns and rows of the raster, and `part` is the rectangle in it that the lattice covers.
    pub fn from_window_to_lattice(
        source_counts: [usize; 2],
        part: RasterWindow,
        lattice: &Lattice,
    ) -> Self {
        Self::from_window_with(source_counts, part, lattice, FinerCells::Interpolate)
    }

    fn from_window_with(
        source_counts: [usize; 2],
        part: RasterWindow,
        lattice: &Lattice,
        finer: FinerCells,
    ) -> Self {
        let RasterWindow { start: [left, top], size: [width, height] } = part;
        let (nx, ny) = (lattice.nx(), lattice.ny());
        // Odd rows of hexagons are shifted half a cell to the east.
        let row_shift = if lattice.is_hex() { 0.5 } else { 0.0 };
        let stretch = width / (nx as f64 + row_shift);
        let columns = [0.0, row_shift]
            .map(|shift| AxisWeights::new(source_counts[0], nx, stretch, [left, shift], finer));
        let rows = AxisWeights::new(source_counts[1], ny, height / ny as f64, [top, 0.0], finer);
        Self { columns, rows }
    }

    /// Returns the range of raster rows from which the given rows of the grid are computed.
    #[cfg(not(target_family = "wasm"))]
    pub fn source_rows(&self, rows: Range<usize>) -> Range<usize> {
        let all = rows.flat_map(|row| self.rows.weights(row)).map(|(y, _)| *y);
        let ends = all.fold([usize::MAX, 0], |[low, high], y| [low.min(y), high.max(y + 1)]);
        ends[0].min(ends[1])..ends[1]
    }

    /// Computes the heights (m) and the no-data mask of the given rows of the grid from the raster
    /// rows in `source`.
    pub fn apply(&self, source: &RasterRows<'_>, rows: Range<usize>) -> (Field<f32>, Field<bool>) {
        self.apply_with(mean, source, rows)
    }

    fn apply_with(
        &self,
        reduce: CellReduction,
        source: &RasterRows<'_>,
        rows: Range<usize>,
    ) -> (Field<f32>, Field<bool>) {
        let nx = self.columns[0].len();
        let mut heights = Field::new(nx, rows.len(), 0.0);
        let mut no_data = Field::new(nx, rows.len(), false);
        for (row, y) in rows.enumerate() {
            for x in 0..nx {
                let mean = reduce(source, self.columns[y % 2].weights(x), self.rows.weights(y));
                heights[(x, row)] = mean.unwrap_or(0.0) as f32;
                no_data[(x, row)] = mean.is_none();
            }
        }
        (heights, no_data)
    }
}

/// Consecutive rows of a raster.
pub struct RasterRows<'a> {
    /// Heights (m); 0 in cells without data.
    pub heights: &'a Field<f32>,
    /// Mask of the cells without data.
    pub no_data: &'a Field<bool>,
    /// Index, in the raster, of the first row.
    pub first_row: usize,
}

/// Returns the weighted mean of the source cells with data, or `None` if source cells without data
/// have more than half of the weight. `columns` and `rows` contain the indices of the source
/// columns and rows, each with its weight.
pub fn mean(
    source: &RasterRows<'_>,
    columns: &[(usize, f64)],
    rows: &[(usize, f64)],
) -> Option<f64> {
    let (mut sum, mut known, mut whole) = (0.0, 0.0, 0.0);
    for &(y, row_weight) in rows {
        let y = y - source.first_row;
        for &(x, column_weight) in columns {
            let weight = row_weight * column_weight;
            whole += weight;
            if !source.no_data[(x, y)] {
                known += weight;
                sum += weight * f64::from(source.heights[(x, y)]);
            }
        }
    }
    // Tolerance, so that the result for cells that are exactly half without data does not depend on
    // rounding errors.
    let enough = known > 0.0 && known >= whole * (0.5 - 1e-9);
    enough.then(|| sum / known)
}

/// Returns the value with the largest total weight, or `None` if source cells without data have
/// more than half of the weight. In a tie, the lowest of the values is returned. `columns` and
/// `rows` contain the indices of the source columns and rows, each with its weight.
pub fn majority(
    source: &RasterRows<'_>,
    columns: &[(usize, f64)],
    rows: &[(usize, f64)],
) -> Option<f64> {
    let (mut all, mut known, mut whole) = (Vec::<(f32, f64)>::new(), 0.0, 0.0);
    for &(y, row_weight) in rows {
        let y = y - source.first_row;
        for &(x, column_weight) in columns {
            let (weight, value) = (row_weight * column_weight, source.heights[(x, y)]);
            whole += weight;
            if source.no_data[(x, y)] {
                continue;
            }
            known += weight;
            match all.iter_mut().find(|(other, _)| *other == value) {
                Some((_, sum)) => *sum += weight,
                None => all.push((value, weight)),
            }
        }
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Sums that differ only by rounding are ties.
    let heaviest = all.into_iter().reduce(|a, b| if b.1 > a.1 * (1.0 + 1e-9) { b } else { a })?;
    (known >= whole * (0.5 - 1e-9)).then_some(heaviest.0.into())
}

/// Function that computes the value of a new cell from its source cells. The arguments are the
/// raster rows, the source columns, and the source rows; columns and rows are pairs of index and
/// weight. Returns `None` if the new cell has no data.
pub(crate) type CellReduction =
    fn(&RasterRows<'_>, &[(usize, f64)], &[(usize, f64)]) -> Option<f64>;

/// Source cells of all new cells along one axis, with their weights.
#[derive(Clone, Debug)]
struct AxisWeights {
    weights: Vec<(usize, f64)>,
    /// For each new cell, the index of its first element in `weights`. The last element is the
    /// length of `weights`.
    starts: Vec<usize>,
}

impl AxisWeights {
    /// Creates the weights for resampling along an axis. `source_count` and `target_count` are the
    /// numbers of old and new cells, and `stretch` is the number of old cells per new cell. The
    /// area to resample begins at the position `start` (in old cells), and the first new cell lies
    /// `shift` new cells after this position.
    fn new(
        source_count: usize,
        target_count: usize,
        stretch: f64,
        [start, shift]: [f64; 2],
        finer: FinerCells,
    ) -> Self {
        let mut axis = Self { weights: Vec::new(), starts: vec![0] };
        for index in 0..target_count {
            let from = index as f64 + shift;
            if stretch > 1.0 || finer == FinerCells::Overlap {
                axis.add_overlap(
                    source_count,
                    start + from * stretch,
                    start + (from + 1.0) * stretch,
                );
            } else {
                axis.interpolate(source_count, start + ((from + 0.5) * stretch - 0.5));
            }
            axis.starts.push(axis.weights.len());
        }
        axis
    }

    /// Adds the old cells between the positions `start` and `end` (in old cells). The weight of
    /// each cell is the length of its overlap with this interval. If both positions lie beyond the
    /// same edge of the raster, adds the cell at that edge.
    fn add_overlap(&mut self, source_count: usize, start: f64, end: f64) {
        if end <= 0.0 || start >= source_count as f64 {
            self.weights.push((if end <= 0.0 { 0 } else { source_count - 1 }, 1.0));
            return;
        }
        for cell in start as usize..(end.ceil() as usize).min(source_count) {
            let covered = end.min((cell + 1) as f64) - start.max(cell as f64);
            self.weights.push((cell, covered));
        }
    }

    /// Adds the two old cells on either side of a position, with the weights of linear
    /// interpolation. At an edge of the raster, adds only one cell.
    fn interpolate(&mut self, source_count: usize, position: f64) {
        let inside = position.clamp(0.0, (source_count - 1) as f64);
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

//! Rasters at another number of cells: bilinear where there are to be more, averages over area where
//! fewer, each axis on its own. Hexagons draw on the rectangle as wide as their spacing and as high as
//! their rows are apart, like a brick in a wall: bricks leave no gaps and do not overlap.
//!
//! Cells without data have no say in a height. The average is weighted by area, so that shrinking
//! keeps the volume above 0 m.

use super::Raster;
use headwater::{Field, Lattice};
use std::ops::Range;

/// A rectangle of a raster, in columns and rows from its north-west corner; it may reach a little beyond.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Part {
    /// Its north-west corner.
    pub(crate) start: [f64; 2],
    /// Its width and height.
    pub(crate) size: [f64; 2],
}

impl Raster {
    /// The same ground in `nx × ny` cells, at least one by one; the cells' size follows.
    ///
    /// A new cell is the weighted mean of the cells it draws on, those without data left out. It is
    /// without data if more than half of its weight is. `info` still describes the file.
    #[must_use]
    pub fn resample(&self, nx: usize, ny: usize) -> Self {
        let own = [self.heights.nx(), self.heights.ny()];
        let resampling = Resampling::to(own, [nx, ny]);
        let (heights, no_data) = resampling.draw(&self.cells(), 0..resampling.rows.len());
        let stretch = [own[0] as f64 / nx.max(1) as f64, own[1] as f64 / ny.max(1) as f64];
        Self {
            heights,
            no_data,
            cell: self.cell.map(|[dx, dy]| [dx * stretch[0], dy * stretch[1]]),
            info: self.info.clone(),
            notices: self.notices.clone(),
        }
    }

    pub(crate) fn whole(&self) -> Part {
        Part::whole([self.heights.nx(), self.heights.ny()])
    }

    /// Values in some rows of a lattice over which a part of the raster is stretched, and which cells have no data; `draw` is [`mean`]
    /// as in [`Raster::resample`], or [`commonest`] for numbers that stand for something, of which there is no mean.
    pub(crate) fn on_rows(
        &self,
        part: Part,
        draw: Draw,
        lattice: &Lattice,
        rows: Range<usize>,
    ) -> (Field<f32>, Field<bool>) {
        let own = [self.heights.nx(), self.heights.ny()];
        Resampling::on(own, part, lattice).draw_by(draw, &self.cells(), rows)
    }

    pub(crate) fn cells(&self) -> Cells<'_> {
        Cells { heights: &self.heights, no_data: &self.no_data, first: 0 }
    }
}

impl Part {
    /// All of a raster of so many columns and rows.
    pub(crate) fn whole(size: [usize; 2]) -> Self {
        Self { start: [0.0; 2], size: size.map(|cells| cells as f64) }
    }
}

/// Which cells of a raster the cells of a grid draw on.
#[derive(Debug)]
pub(crate) struct Resampling {
    /// Of even rows and of odd ones.
    columns: [Axis; 2],
    rows: Axis,
}

impl Resampling {
    /// Of a raster of so many columns and rows to another number of them, at least one by one.
    pub(crate) fn to(old: [usize; 2], new: [usize; 2]) -> Self {
        let [columns, rows] = [0, 1].map(|axis| {
            let new = new[axis].max(1);
            Axis::new(old[axis], new, old[axis] as f64 / new as f64, [0.0; 2])
        });
        Self { columns: [columns.clone(), columns], rows }
    }

    /// Of a part of such a raster that is stretched over a lattice.
    pub(crate) fn on(old: [usize; 2], part: Part, lattice: &Lattice) -> Self {
        let Part { start: [left, top], size: [width, height] } = part;
        let (nx, ny) = (lattice.nx(), lattice.ny());
        // Every other row of hexagons lies half a cell farther east.
        let aside = if lattice.is_hex() { 0.5 } else { 0.0 };
        let stretch = width / (nx as f64 + aside);
        let columns = [0.0, aside].map(|shift| Axis::new(old[0], nx, stretch, [left, shift]));
        Self { columns, rows: Axis::new(old[1], ny, height / ny as f64, [top, 0.0]) }
    }

    /// The rows of the raster on which some rows of the grid draw.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn needs(&self, rows: Range<usize>) -> Range<usize> {
        let all = rows.flat_map(|row| self.rows.weights(row)).map(|(y, _)| *y);
        let ends = all.fold([usize::MAX, 0], |[low, high], y| [low.min(y), high.max(y + 1)]);
        ends[0].min(ends[1])..ends[1]
    }

    /// Heights in some rows of the grid, and which cells are without data.
    pub(crate) fn draw(&self, from: &Cells<'_>, rows: Range<usize>) -> (Field<f32>, Field<bool>) {
        self.draw_by(mean, from, rows)
    }

    fn draw_by(
        &self,
        draw: Draw,
        from: &Cells<'_>,
        rows: Range<usize>,
    ) -> (Field<f32>, Field<bool>) {
        let nx = self.columns[0].len();
        let mut heights = Field::new(nx, rows.len(), 0.0);
        let mut no_data = Field::new(nx, rows.len(), false);
        for (row, y) in rows.enumerate() {
            for x in 0..nx {
                let mean = draw(from, self.columns[y % 2].weights(x), self.rows.weights(y));
                heights[(x, row)] = mean.unwrap_or(0.0) as f32;
                no_data[(x, row)] = mean.is_none();
            }
        }
        (heights, no_data)
    }
}

/// The cells of a raster from one of its rows on.
pub(crate) struct Cells<'a> {
    /// Heights (m), 0 where there are no data.
    pub(crate) heights: &'a Field<f32>,
    pub(crate) no_data: &'a Field<bool>,
    /// The row of the raster that is the first here.
    pub(crate) first: usize,
}

/// The weighted mean height, or `None` if more than half of the weight is without data.
pub(crate) fn mean(
    from: &Cells<'_>,
    columns: &[(usize, f64)],
    rows: &[(usize, f64)],
) -> Option<f64> {
    let (mut sum, mut known, mut whole) = (0.0, 0.0, 0.0);
    for &(y, row_weight) in rows {
        let y = y - from.first;
        for &(x, column_weight) in columns {
            let weight = row_weight * column_weight;
            whole += weight;
            if !from.no_data[(x, y)] {
                known += weight;
                sum += weight * f64::from(from.heights[(x, y)]);
            }
        }
    }
    // A rounding error must not decide about a cell that is half without data.
    let enough = known > 0.0 && known >= whole * (0.5 - 1e-9);
    enough.then(|| sum / known)
}

/// The value with the most weight, the lowest of those that come out even, or `None` if more than half of the weight is without data.
pub(crate) fn commonest(
    from: &Cells<'_>,
    columns: &[(usize, f64)],
    rows: &[(usize, f64)],
) -> Option<f64> {
    let (mut all, mut known, mut whole) = (Vec::<(f32, f64)>::new(), 0.0, 0.0);
    for &(y, row_weight) in rows {
        let y = y - from.first;
        for &(x, column_weight) in columns {
            let (weight, value) = (row_weight * column_weight, from.heights[(x, y)]);
            whole += weight;
            if from.no_data[(x, y)] {
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
    // Sums of weights that are even but for rounding are even.
    let most = all.into_iter().reduce(|a, b| if b.1 > a.1 * (1.0 + 1e-9) { b } else { a })?;
    (known >= whole * (0.5 - 1e-9)).then_some(most.0.into())
}

/// What a new cell is made of by the weights of columns and rows of old ones, or `None` without data.
pub(crate) type Draw = fn(&Cells<'_>, &[(usize, f64)], &[(usize, f64)]) -> Option<f64>;

/// For every new cell along an axis, the old cells it draws on and their weights.
#[derive(Clone, Debug)]
struct Axis {
    weights: Vec<(usize, f64)>,
    /// Where the weights of each new cell begin, and the end.
    starts: Vec<usize>,
}

impl Axis {
    /// `stretch` is old cells per new cell; the new cells begin `shift` of theirs after the place `start` among the old ones.
    fn new(old: usize, new: usize, stretch: f64, [start, shift]: [f64; 2]) -> Self {
        let mut axis = Self { weights: Vec::new(), starts: vec![0] };
        for index in 0..new {
            let from = index as f64 + shift;
            if stretch > 1.0 {
                axis.cover(old, start + from * stretch, start + (from + 1.0) * stretch);
            } else {
                axis.interpolate(old, start + ((from + 0.5) * stretch - 0.5));
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

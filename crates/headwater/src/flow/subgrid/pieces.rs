//! Selection of the low part of a split cell. If a thin wall separates several pieces of low
//! ground, the low part is only one of these pieces.
//!
//! A cell has a single water surface, so a levee inside a cell would leak if the low ground on both
//! sides belonged to the low part. The other pieces are added to adjacent low parts of neighbouring
//! cells, up to the capacity of these cells. Samples that touch only at corners are not connected.

use super::raster::Raster;
use crate::field::Field;

type SampleIndex = (usize, usize);

/// Smallest mean depth, as a fraction of that of the deepest piece, at which another piece of low
/// ground counts as equally deep. Depths are measured below the elevation that separates low ground
/// from high ground.
const EQUAL_DEPTH_FRACTION: f64 = 0.9;

pub(super) struct LowPieces<'a> {
    raster: &'a Raster<'a>,
    /// Elevation (m) below which ground counts as low, for each split cell; `None` for uniform
    /// cells.
    bounds: Field<Option<f32>>,
    /// Whether each sample belongs to the low part of its cell.
    selected: Field<bool>,
}

impl<'a> LowPieces<'a> {
    pub(super) fn new(raster: &'a Raster<'a>) -> Self {
        Self {
            raster,
            bounds: Field::new(raster.nx, raster.ny, None),
            selected: Field::new(raster.fine.nx(), raster.fine.ny(), false),
        }
    }

    pub(super) fn bounds(&self) -> &Field<Option<f32>> {
        &self.bounds
    }

    /// Returns the piece of a cell's ground below `bound` (m) that becomes the low part of the
    /// cell. The result is the deepest piece or, if several pieces are about equally deep, the
    /// largest of these.
    pub(super) fn main_piece(&self, cell: SampleIndex, bound: f32) -> Vec<SampleIndex> {
        let depth = |piece: &Vec<SampleIndex>| {
            let below =
                piece.iter().map(|cell| f64::from(bound) - f64::from(self.raster.fine[*cell]));
            below.sum::<f64>() / piece.len() as f64
        };
        let pieces = self.connected_pieces(cell, |sample| self.raster.fine[sample] < bound);
        let deepest = pieces.iter().map(depth).fold(0.0, f64::max);
        let deep =
            pieces.into_iter().filter(|piece| depth(piece) >= EQUAL_DEPTH_FRACTION * deepest);
        // Among equally large pieces, the first one is chosen.
        let larger =
            |a: Vec<SampleIndex>, b: Vec<SampleIndex>| if b.len() > a.len() { b } else { a };
        deep.reduce(larger).unwrap_or_default()
    }

    /// Returns the pieces of low ground in a cell: the connected components of its samples for
    /// which `is_low` returns true.
    fn connected_pieces(
        &self,
        (x, y): SampleIndex,
        is_low: impl Fn(SampleIndex) -> bool,
    ) -> Vec<Vec<SampleIndex>> {
        let k = self.raster.samples;
        let (columns, rows) = (x * k..(x + 1) * k, y * k..(y + 1) * k);
        let mut unvisited =
            Field::from_fn(k, k, |i, j| is_low((columns.start + i, rows.start + j)));
        let mut pieces = Vec::new();
        for start in (0..k * k).map(|i| (i % k, i / k)) {
            if unvisited[start] {
                unvisited[start] = false;
                let piece = flood_fill(vec![start], &mut unvisited);
                let sample = |(i, j): SampleIndex| (columns.start + i, rows.start + j);
                pieces.push(piece.into_iter().map(sample).collect());
            }
        }
        pieces
    }

    /// Extends a piece of the cell `at` to connected ground below `bound` (m) in the neighbouring
    /// cells. Returns the samples of the extended piece.
    pub(super) fn extend_to_neighbours(
        &self,
        at: SampleIndex,
        bound: f32,
        piece: &[SampleIndex],
    ) -> Vec<SampleIndex> {
        let [columns, rows] = self.raster.neighbourhood_samples(at);
        let from = |(x, y): SampleIndex| (x - columns.start, y - rows.start);
        let sample = |(i, j): SampleIndex| (columns.start + i, rows.start + j);
        let mut unvisited = Field::from_fn(columns.len(), rows.len(), |i, j| {
            self.raster.fine[sample((i, j))] < bound
        });
        let start: Vec<SampleIndex> = piece.iter().map(|&at| from(at)).collect();
        start.iter().for_each(|&at| unvisited[at] = false);
        flood_fill(start, &mut unvisited).into_iter().map(sample).collect()
    }

    /// Makes `piece` the low part of `cell`. `bound` is the height (m) below which the ground of
    /// this cell is low.
    pub(super) fn select_piece(&mut self, cell: SampleIndex, bound: f32, piece: &[SampleIndex]) {
        self.bounds[cell] = Some(bound);
        piece.iter().for_each(|&sample| self.selected[sample] = true);
    }

    fn cell_of_sample(&self, (x, y): SampleIndex) -> SampleIndex {
        (x / self.raster.samples, y / self.raster.samples)
    }

    /// Returns whether a sample near a face belongs to the low part of its cell. `cells` are the
    /// two cells at the face. In a uniform cell, a sample is low if it is below the elevation that
    /// separates low from high ground in the other cell. If both cells are uniform, all samples are
    /// low.
    pub(super) fn is_low(&self, sample: SampleIndex, cells: [SampleIndex; 2]) -> bool {
        let own = self.bounds[self.cell_of_sample(sample)];
        match (own, cells.iter().find_map(|cell| self.bounds[*cell])) {
            (Some(_), _) => self.selected[sample],
            (None, Some(bound)) => self.raster.fine[sample] < bound,
            (None, None) => true,
        }
    }

    pub(super) fn has_low_ground(
        &self,
        cell: SampleIndex,
        cells: [SampleIndex; 2],
        bed: &Field<f32>,
    ) -> bool {
        let bound = cells.iter().find_map(|cell| self.bounds[*cell]);
        self.bounds[cell].is_some() || bound.is_none_or(|bound| bed[cell] < bound)
    }

    /// Assigns each piece of low ground that belongs to no low part to the low parts that it
    /// touches in neighbouring cells, up to the capacity of those cells. Increases the low
    /// fractions of those cells in `low_fraction`.
    pub(super) fn assign_unused_pieces(&self, low_fraction: &mut Field<f32>) {
        let Raster { fine, samples: k, nx, ny } = *self.raster;
        let whole = (k * k) as f32;
        for cell in (0..nx * ny).map(|i| (i % nx, i / nx)) {
            let Some(bound) = self.bounds[cell] else { continue };
            for piece in
                self.connected_pieces(cell, |sample| fine[sample] < bound && !self.selected[sample])
            {
                let mut beside: Vec<(SampleIndex, usize)> = Vec::new();
                let next =
                    piece.iter().flat_map(|&at| adjacent_samples(at, [fine.nx(), fine.ny()]));
                for at in next.filter(|&at| self.cell_of_sample(at) != cell && self.selected[at]) {
                    let cell = self.cell_of_sample(at);
                    match beside.iter_mut().find(|(known, _)| *known == cell) {
                        Some((_, touches)) => *touches += 1,
                        None => beside.push((cell, 1)),
                    }
                }
                beside.sort_by_key(|&((x, y), touches)| (std::cmp::Reverse(touches), y, x));
                let mut left = piece.len() as f32 / whole;
                for (cell, _) in beside {
                    let given = left.min(1.0 - 1.0 / whole - low_fraction[cell]).max(0.0);
                    low_fraction[cell] += given;
                    left -= given;
                }
            }
        }
    }
}

/// Returns the fraction of low samples in a strip along a face. The strip contains `k` samples
/// along the face and `half_width` samples on each side of it; `is_low(along, across)` returns
/// whether a sample is low. `both_have_low_ground` is true if both cells have low ground. In this
/// case, the result is 0 if a wall separates their low ground everywhere along the face.
pub(super) fn low_fraction_of_strip(
    [k, half_width]: [usize; 2],
    both_have_low_ground: bool,
    is_low: impl Fn(usize, usize) -> bool,
) -> f32 {
    let is_connected = |along: usize| is_low(along, half_width - 1) && is_low(along, half_width);
    if both_have_low_ground && !(0..k).any(is_connected) {
        return 0.0;
    }
    let samples = (0..2 * half_width).flat_map(|across| (0..k).map(move |along| (along, across)));
    samples.filter(|&(along, across)| is_low(along, across)).count() as f32
        / (2 * k * half_width) as f32
}

/// Adds to a piece all samples marked in `unvisited` that are connected to it, and clears their
/// marks.
fn flood_fill(mut piece: Vec<SampleIndex>, unvisited: &mut Field<bool>) -> Vec<SampleIndex> {
    let mut done = 0;
    while done < piece.len() {
        for next in adjacent_samples(piece[done], [unvisited.nx(), unvisited.ny()]) {
            if unvisited[next] {
                unvisited[next] = false;
                piece.push(next);
            }
        }
        done += 1;
    }
    piece
}

/// Returns the samples that share a side with a given sample, within a raster of `nx` columns and
/// `ny` rows.
fn adjacent_samples(
    (x, y): SampleIndex,
    [nx, ny]: [usize; 2],
) -> impl Iterator<Item = SampleIndex> {
    let all = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
    all.into_iter().filter(move |&(x, y)| x < nx && y < ny)
}

//! Subgrid topography: a bank narrower than a cell splits the cell, and each of its faces, into a
//! low and a high part.
//!
//! A cell has one surface and one velocity for the water of both parts. Depth and bed in
//! [`State`](super::State) are means over the area of a cell. The water balance is therefore
//! unaffected, and only surfaces depend on the parts. Compare Neal, Schumann & Bates 2012 (channels
//! below flood plains), Sanders, Schubert & Gallegos 2008 (porosity of cells and faces), and the
//! tables of Casulli 2009 and Leijnse et al. 2021.

mod edit;
mod fit;
mod heights;
mod pieces;
mod raster;
mod slivers;

use crate::field::Field;
use crate::lattice::Lattice;
use serde::{Deserialize, Serialize};

/// Subgrid topography of a square grid. Contains the fraction of each cell and each face that is
/// low, and the heights of the low and the high part of each cell relative to the mean bed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Subgrid {
    /// Fraction of each cell's area that belongs to the low part, `nx × ny`: between 0 and 1 for a
    /// split cell, 1 for a uniform cell.
    pub(super) low_fraction: Field<f32>,
    /// Height of the low part relative to the mean bed of the cell (m), at most 0, `nx × ny`.
    pub(super) low: Field<f32>,
    /// Height of the high part above the low part (m), `nx × ny`.
    pub(super) rise: Field<f32>,
    /// Fraction of the width of each x-face that has low ground on both sides, 0 to 1, `(nx + 1) ×
    /// ny`.
    pub(super) open_x: Field<f32>,
    pub(super) open_y: Field<f32>,
    /// Direction from low to high ground across the bank in each cell (east, south), `nx × ny`. The
    /// direction is averaged over the neighbouring cells, because otherwise a bank oblique to the
    /// grid would obstruct the flow along it.
    pub(super) facing: Field<[f32; 2]>,
    cells: Vec<(u32, u32)>,
}

/// Subgrid parameters of a cell that is split into a low and a high part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SubgridCell {
    pub(super) low_fraction: f32,
    pub(super) low: f32,
    pub(super) rise: f32,
}

impl SubgridCell {
    /// Returns the depth over the low part of the cell (m), given `mean_depth`, the mean depth of
    /// the cell (m).
    #[inline(always)]
    pub(super) fn depth_over_low(self, mean_depth: f32) -> f32 {
        let brim = self.low_fraction * self.rise;
        if mean_depth <= brim {
            mean_depth / self.low_fraction
        } else {
            mean_depth + (1.0 - self.low_fraction) * self.rise
        }
    }

    /// Returns the mean depth of the cell (m), given the depth over its low part (m).
    #[inline(always)]
    pub(super) fn mean_depth(self, depth: f32) -> f32 {
        if depth <= self.rise {
            self.low_fraction * depth
        } else {
            depth - (1.0 - self.low_fraction) * self.rise
        }
    }

    /// Returns the wet fraction of the cell's area (dimensionless). `mean_depth` is the mean depth
    /// of the cell (m). In a dry cell, the result is the area fraction of the low part.
    pub(super) fn wet_fraction(self, mean_depth: f32) -> f32 {
        if mean_depth <= self.low_fraction * self.rise { self.low_fraction } else { 1.0 }
    }

    /// Returns the depth over the high part of the cell (m), given the depth over the low part (m).
    #[inline(always)]
    pub(super) fn depth_over_high(self, depth: f32) -> f32 {
        let over = depth - self.rise;
        if over > 0.0 { over } else { 0.0 }
    }

    /// Returns the factor by which Manning's roughness of the cell is multiplied, given its mean
    /// depth `mean_depth` (m). With this factor, the cell has the same conveyance as both parts
    /// together at the same slope.
    pub(super) fn roughness_factor(self, mean_depth: f32) -> f32 {
        let depth = self.depth_over_low(mean_depth);
        let conveyance = self.low_fraction * conveyance(depth)
            + (1.0 - self.low_fraction) * conveyance(self.depth_over_high(depth));
        if conveyance > 0.0 { self::conveyance(mean_depth) / conveyance } else { 1.0 }
    }
}

/// Returns `h^(5/3)`, which is proportional to the conveyance of a depth `h` by Manning's law. The
/// power is computed by libm, so that the bits are the same on every platform.
pub(super) fn conveyance(h: f32) -> f32 {
    let root = libm::cbrtf(h);
    h * (root * root)
}

impl Subgrid {
    /// Returns the subgrid parameters of a cell, or `None` if the cell is uniform.
    #[inline(always)]
    pub(super) fn at(&self, cell: (usize, usize)) -> Option<SubgridCell> {
        let low_fraction = self.low_fraction[cell];
        (low_fraction < 1.0).then(|| SubgridCell {
            low_fraction,
            low: self.low[cell],
            rise: self.rise[cell],
        })
    }

    /// Returns the difference between the low fractions of opposite faces: west minus east, and
    /// north minus south. The bank within the cell exerts the pressure that corresponds to this
    /// difference.
    fn low_fraction_differences(open: [f32; 4]) -> [f32; 2] {
        [open[0] - open[1], open[2] - open[3]]
    }

    /// Returns, for the western, eastern, northern and southern face of a cell, the fraction of the
    /// width that has low ground on both sides.
    #[inline(always)]
    pub(super) fn open_fractions(&self, (x, y): (usize, usize)) -> [f32; 4] {
        let (across, along) = (&self.open_x, &self.open_y);
        [across[(x, y)], across[(x + 1, y)], along[(x, y)], along[(x, y + 1)]]
    }

    /// Returns the fraction of the width of an x-face that has low ground on both sides. If
    /// `is_periodic` is true, the grid is periodic along x, and the first and the last face of a
    /// row are the same face.
    #[inline(always)]
    pub(super) fn open_fraction_x(&self, (x, y): (usize, usize), is_periodic: bool) -> f32 {
        let nx = self.low_fraction.nx();
        if is_periodic && x.is_multiple_of(nx) {
            self.open_x[(0, y)].min(self.open_x[(nx, y)])
        } else {
            self.open_x[(x, y)]
        }
    }

    /// Returns the fraction of the width of a y-face that has low ground on both sides. If
    /// `is_periodic` is true, the grid is periodic along y, and the first and the last face of a
    /// column are the same face.
    #[inline(always)]
    pub(super) fn open_fraction_y(&self, (x, y): (usize, usize), is_periodic: bool) -> f32 {
        let ny = self.low_fraction.ny();
        if is_periodic && y.is_multiple_of(ny) {
            self.open_y[(x, 0)].min(self.open_y[(x, ny)])
        } else {
            self.open_y[(x, y)]
        }
    }

    /// Returns the cells that are split into a low and a high part, as column and row, row by row.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = (usize, usize)> {
        self.cells.iter().map(|&(x, y)| (x as usize, y as usize))
    }

    /// Returns the fraction of a cell's area that is low ground; 1 for a uniform cell.
    ///
    /// # Panics
    /// Panics if the cell is off the grid.
    pub fn low_fraction(&self, x: usize, y: usize) -> f32 {
        self.low_fraction[(x, y)]
    }

    /// Returns whether water at a `level` (m) can flow between two adjacent cells: through an
    /// opening between their low parts, or over the high ground of both. `beds` contains the mean
    /// bed elevations of the cells (m).
    ///
    /// # Panics
    /// Panics if a cell is off the grid, or the cells do not share a face.
    pub fn connects(&self, cells: [(usize, usize); 2], beds: [f32; 2], level: f32) -> bool {
        let [(x0, y0), (x1, y1)] = cells;
        let face = (x0.max(x1), y0.max(y1));
        let open = match (x0.abs_diff(x1), y0.abs_diff(y1)) {
            (1, 0) => self.open_x[face],
            (0, 1) => self.open_y[face],
            _ => panic!("cells that share no face"),
        };
        let [low, high] = [false, true].map(|high| {
            let ground = |i: usize| match self.at(cells[i]) {
                None => beds[i],
                Some(of) => beds[i] + of.low + if high { of.rise } else { 0.0 },
            };
            ground(0).max(ground(1))
        });
        level > if open > 0.0 { low } else { high }
    }

    /// Returns the mean water depth (m) of a cell whose water surface is at `level` (m). `bed` is
    /// the mean bed elevation of the cell (m).
    ///
    /// # Panics
    /// Panics if the cell is off the grid.
    pub fn depth_at_level(&self, x: usize, y: usize, bed: f32, level: f32) -> f32 {
        match self.at((x, y)) {
            None => (level - bed).max(0.0),
            Some(ground) => ground.mean_depth((level - (bed + ground.low)).max(0.0)),
        }
    }

    pub(super) fn fits(&self, lattice: &Lattice) -> bool {
        let (nx, ny) = (lattice.nx(), lattice.ny());
        let shape = |field: &Field<f32>, nx, ny| field.nx() == nx && field.ny() == ny;
        let within = |field: &Field<f32>, from: f32, to: f32| {
            field.as_slice().iter().all(|&value| (from..=to).contains(&value))
        };
        let listed = |low_fraction: &Field<f32>| self.cells == find_split_cells(low_fraction);
        !lattice.is_hex()
            && [&self.low_fraction, &self.low, &self.rise]
                .into_iter()
                .all(|field| shape(field, nx, ny))
            && shape(&self.open_x, nx + 1, ny)
            && shape(&self.open_y, nx, ny + 1)
            && within(&self.low_fraction, MIN_LOW_FRACTION, 1.0)
            && within(&self.low, -1e6, 1e6)
            && within(&self.rise, 0.0, 1e6)
            && within(&self.open_x, 0.0, 1.0)
            && within(&self.open_y, 0.0, 1.0)
            && is_valid_facing(&self.facing, nx, ny)
            && listed(&self.low_fraction)
    }
}

fn is_valid_facing(facing: &Field<[f32; 2]>, nx: usize, ny: usize) -> bool {
    let known = |facing: &[f32; 2]| facing.iter().all(|part| part.abs() <= 9.0);
    facing.nx() == nx && facing.ny() == ny && facing.as_slice().iter().all(known)
}

/// Smallest fraction of the area of a split cell that its low part may have.
const MIN_LOW_FRACTION: f32 = 1.0 / 64.0;

/// Smallest height difference (m) between the low and the high part of a split cell.
const MIN_BANK_HEIGHT: f32 = 0.01;

fn find_split_cells(low_fraction: &Field<f32>) -> Vec<(u32, u32)> {
    let rows = low_fraction.rows().enumerate();
    let of_row = |(y, row): (usize, &[f32])| {
        let columns = (0_u32..).zip(row.to_vec());
        columns
            .filter(|(_, low_fraction)| *low_fraction < 1.0)
            .map(move |(x, _)| (x, y as u32))
            .collect::<Vec<_>>()
    };
    rows.flat_map(of_row).collect()
}

//! Derivation of a subgrid from a height raster finer than the grid.
//!
//! A cell is split into a low and a high part if its sorted heights have a gap wider than half of
//! their range. Such a gap indicates a bank or a wall. A slope has no such gap, because it contains
//! all heights between its lowest and highest point. If a wall divides the low ground of a cell
//! into pieces ([`super::pieces`]), only one piece becomes the low part, so that thin walls do not
//! leak.

use super::heights::{height_at_center, widest_gap_center};
use super::pieces::{LowPieces, low_fraction_of_strip};
use super::raster::Raster;
use super::slivers::enlarge_small_low_parts;
use super::{MIN_BANK_HEIGHT, Subgrid, find_split_cells};
use crate::error::InputError;
use crate::field::Field;
use crate::flow::check::is_valid_height;
use crate::lattice::Lattice;

/// Allowed numbers of raster samples per cell side. Fewer samples could not distinguish a slope
/// from a bank.
const SAMPLES: std::ops::RangeInclusive<usize> = 4..=64;

impl Subgrid {
    /// Computes the subgrid, and the mean bed height of each cell (m), from a finer height raster.
    /// The raster has `k·nx × k·ny` samples, with `k` from 4 to 64 and row 0 at the northern edge.
    /// A cell is split if the widest gap between its sorted heights is more than half of their
    /// range. If a thin levee divides the low ground of a cell, only one side becomes the low part,
    /// so that the levee does not leak. The deeper side is used, or the larger side if both are
    /// equally deep.
    ///
    /// # Errors
    /// Returns [`InputError`] if the lattice is hexagonal, the raster has another shape, or a
    /// height is not between −10⁶ and 10⁶ m.
    pub fn from_raster(
        lattice: impl Into<Lattice>,
        fine: &Field<f32>,
    ) -> Result<(Field<f32>, Self), InputError> {
        let lattice = lattice.into();
        let (nx, ny) = (lattice.nx(), lattice.ny());
        if lattice.is_hex() {
            return Err(InputError::new("the lattice of a sub-grid", "hexagons", "squares"));
        }
        let samples = fine.nx() / nx;
        let fits = samples * nx == fine.nx() && samples * ny == fine.ny();
        if !(fits && SAMPLES.contains(&samples)) {
            let found = format!("{} × {}", fine.nx(), fine.ny());
            let allowed = format!("k·{nx} × k·{ny}, with k from 4 to 64");
            return Err(InputError::new("the shape of a sub-grid's raster", found, allowed));
        }
        check_heights(fine)?;
        Ok(Raster { fine, samples, nx, ny }.fit_subgrid())
    }
}

fn check_heights(fine: &Field<f32>) -> Result<(), InputError> {
    let wrong = fine.as_slice().iter().find(|z| !is_valid_height(**z));
    let found = wrong.map_or(0.0, |z| f64::from(*z));
    InputError::check("a height of a sub-grid", found, wrong.is_none(), "-1e6 to 1e6 m")
}

impl Subgrid {
    /// Returns the direction from low to high ground across the bank in a cell, as a vector (east,
    /// south) of any length. The vector is summed over the cell and those neighbours that are
    /// connected to the cell by low ground.
    pub(super) fn bank_direction(&self, cell: (usize, usize)) -> [f32; 2] {
        let around = self.connected_cells(cell, 1).into_iter().chain([cell]);
        around.filter(|cell| self.low_fraction[*cell] < 1.0).fold([0.0; 2], |sum, cell| {
            let [x, y] = Self::low_fraction_differences(self.open_fractions(cell));
            [sum[0] + x, sum[1] + y]
        })
    }

    /// Returns the cells that are at most `max_distance` columns and rows from a cell and connected
    /// to it by low ground through open faces. The nearest cells come first.
    pub(super) fn connected_cells(
        &self,
        (x, y): (usize, usize),
        max_distance: usize,
    ) -> Vec<(usize, usize)> {
        let (nx, ny) = (self.low_fraction.nx(), self.low_fraction.ny());
        let mut found = vec![(x, y)];
        let mut done = 0;
        while done < found.len() {
            let (i, j) = found[done];
            let beside = [(i.wrapping_sub(1), j), (i + 1, j), (i, j.wrapping_sub(1)), (i, j + 1)];
            for (next, open) in beside.into_iter().zip(self.open_fractions((i, j))) {
                let is_near = next.0 < nx
                    && next.1 < ny
                    && next.0.abs_diff(x).max(next.1.abs_diff(y)) <= max_distance;
                if is_near && open > 0.0 && !found.contains(&next) {
                    found.push(next);
                }
            }
            done += 1;
        }
        found.remove(0);
        found.sort_by_key(|&(i, j)| (i.abs_diff(x).pow(2) + j.abs_diff(y).pow(2), j, i));
        found
    }
}

impl Raster<'_> {
    fn fit_subgrid(&self) -> (Field<f32>, Subgrid) {
        let (nx, ny) = (self.nx, self.ny);
        let bed = Field::from_fn(nx, ny, |x, y| self.mean_height(x, y));
        // Ground below the gap is low. A cell without a gap has no high part.
        let gaps = Field::from_fn(nx, ny, |x, y| widest_gap_center(self.cell_heights(x, y)));
        let mut pieces = LowPieces::new(self);
        let mut low_fraction = Field::new(nx, ny, 1.0);
        let (mut low, mut rise) = (Field::new(nx, ny, 0.0), Field::new(nx, ny, 0.0));
        for y in 0..ny {
            for x in 0..nx {
                let at = (x, y);
                let Some(bound) = gaps[at] else { continue };
                let piece = pieces.main_piece(at, bound);
                let lower =
                    height_at_center(self, at, &pieces.extend_to_neighbours(at, bound, &piece));
                let higher = height_at_center(self, at, &self.samples_above(at, bound));
                if higher - lower >= MIN_BANK_HEIGHT && lower < bed[at] {
                    low_fraction[at] = piece.len() as f32 / (self.samples * self.samples) as f32;
                    (low[at], rise[at]) = (lower - bed[at], higher - lower);
                    pieces.select_piece(at, bound, &piece);
                }
            }
        }
        let open = |face: usize, count: usize, cells: [(usize, usize); 2], turned: bool| {
            let (k, near) = (self.samples, self.strip_half_width());
            // At an edge of the grid, the strip lies entirely inside.
            let middle = (face * k).clamp(near, count * k - near);
            let from = k * if turned { cells[0].0 } else { cells[0].1 };
            let both_have = cells.iter().all(|&cell| pieces.has_low_ground(cell, cells, &bed));
            low_fraction_of_strip([k, near], both_have, |along, across| {
                let (along, across) = (from + along, middle - near + across);
                let sample = if turned { (along, across) } else { (across, along) };
                pieces.is_low(sample, cells)
            })
        };
        let open_x = Field::from_fn(nx + 1, ny, |x, y| {
            open(x, nx, [(x.max(1) - 1, y), (x.min(nx - 1), y)], false)
        });
        let open_y = Field::from_fn(nx, ny + 1, |x, y| {
            open(y, ny, [(x, y.max(1) - 1), (x, y.min(ny - 1))], true)
        });
        pieces.assign_unused_pieces(&mut low_fraction);
        let cells = Vec::new();
        let facing = Field::new(nx, ny, [0.0; 2]);
        let mut subgrid = Subgrid { low_fraction, low, rise, open_x, open_y, facing, cells };
        enlarge_small_low_parts(&mut subgrid, pieces.bounds(), &bed);
        subgrid.cells = find_split_cells(&subgrid.low_fraction);
        subgrid.facing = Field::from_fn(nx, ny, |x, y| subgrid.bank_direction((x, y)));
        (bed, subgrid)
    }

    /// Returns half the width, in rows of samples, of the strip along a face in which the fraction
    /// of low ground is measured. A single row on each side of the face would not resolve the
    /// fraction finely enough.
    fn strip_half_width(&self) -> usize {
        self.samples / 4
    }
}

//! Sub-grid ground from a raster finer than the grid.
//!
//! A cell has two parts where the heights in it leave a gap wider than half of their range: that is a bank or a wall, while slopes and
//! hills have all heights between their lowest and their highest.

use super::{LEAST, Subgrid, parted};
use crate::error::InputError;
use crate::field::Field;
use crate::flow::check::is_height;
use crate::lattice::Lattice;
use std::ops::Range;

/// Samples along a side of a cell. With fewer, a slope could not be told from a bank.
const SAMPLES: std::ops::RangeInclusive<usize> = 4..=64;

/// The part of the range of a cell's heights that a gap must be wider than.
const GAP: f32 = 0.5;

/// The lowest bank (m).
const LOWEST: f32 = 0.01;

impl Subgrid {
    /// What a raster finer than the grid makes of a grid: the mean bed of each cell (m), and its parts. `fine` has as many samples to a side of a cell in both
    /// directions, row 0 in the north: `k·nx × k·ny`, with `k` from 4 to 64. Which heights are low and which are high, each cell finds by itself: where the
    /// widest gap between its sorted heights is more than half of their range.
    ///
    /// # Errors
    /// [`InputError`] if the lattice is hexagonal, the raster has another shape, or a height is not from −10⁶ to 10⁶ m.
    pub fn from_finer(
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
        Ok(Raster { fine, samples, nx, ny }.fit())
    }
}

fn check_heights(fine: &Field<f32>) -> Result<(), InputError> {
    let wrong = fine.as_slice().iter().find(|z| !is_height(**z));
    let found = wrong.map_or(0.0, |z| f64::from(*z));
    InputError::check("a height of a sub-grid", found, wrong.is_none(), "-1e6 to 1e6 m")
}

impl Subgrid {
    /// Which way the bank in and beside a cell faces.
    fn faces(&self, x: usize, y: usize) -> [f32; 2] {
        let rows = y.max(1) - 1..(y + 2).min(self.part.ny());
        let columns = x.max(1) - 1..(x + 2).min(self.part.nx());
        let around = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
        around.filter(|at| self.part[*at] < 1.0).fold([0.0; 2], |sum, at| {
            let [x, y] = Self::closed_by(self.open(at));
            [sum[0] + x, sum[1] + y]
        })
    }
}

/// A raster with so many samples to a side of a cell.
struct Raster<'a> {
    fine: &'a Field<f32>,
    samples: usize,
    nx: usize,
    ny: usize,
}

impl Raster<'_> {
    fn fit(&self) -> (Field<f32>, Subgrid) {
        let (nx, ny) = (self.nx, self.ny);
        let bed = Field::from_fn(nx, ny, |x, y| self.mean(x, y));
        // What is lower is low; of cells without a gap nothing is high.
        let gaps = Field::from_fn(nx, ny, |x, y| self.gap(x, y));
        let mut part = Field::new(nx, ny, 1.0);
        let (mut low, mut rise) = (Field::new(nx, ny, 0.0), Field::new(nx, ny, 0.0));
        let mut bounds = Field::new(nx, ny, None);
        for y in 0..ny {
            for x in 0..nx {
                let at = (x, y);
                let Some(bound) = gaps[at] else { continue };
                let [lower, higher] = [false, true].map(|high| self.height(x, y, bound, high));
                let below = lower - bed[at];
                if higher - lower >= LOWEST && below < 0.0 {
                    let is_low = self.cell(x, y).filter(|z| *z < bound).count();
                    part[at] = is_low as f32 / (self.samples * self.samples) as f32;
                    (low[at], rise[at]) = (below, higher - lower);
                    bounds[at] = Some(bound);
                }
            }
        }
        let open_x = Field::from_fn(nx + 1, ny, |x, y| {
            let cells = [(x.max(1) - 1, y), (x.min(nx - 1), y)];
            let k = self.samples;
            let face = (x * k).clamp(self.near(), nx * k - self.near());
            let columns = face - self.near()..face + self.near();
            self.open(&bounds, cells, columns, y * k..(y + 1) * k)
        });
        let open_y = Field::from_fn(nx, ny + 1, |x, y| {
            let cells = [(x, y.max(1) - 1), (x, y.min(ny - 1))];
            let k = self.samples;
            let face = (y * k).clamp(self.near(), ny * k - self.near());
            let rows = face - self.near()..face + self.near();
            self.open(&bounds, cells, x * k..(x + 1) * k, rows)
        });
        self.fill_slivers(&mut part, &mut rise, &bounds, &bed);
        let cells = parted(&part);
        let facing = Field::new(nx, ny, [0.0; 2]);
        let mut subgrid = Subgrid { part, low, rise, open_x, open_y, facing, cells };
        subgrid.facing = Field::from_fn(nx, ny, |x, y| subgrid.faces(x, y));
        (bed, subgrid)
    }

    /// The heights in a cell.
    fn cell(&self, x: usize, y: usize) -> impl Iterator<Item = f32> {
        let rows = y * self.samples..(y + 1) * self.samples;
        let columns = x * self.samples..(x + 1) * self.samples;
        rows.flat_map(move |row| self.fine.row(row)[columns.clone()].iter().copied())
    }

    fn mean(&self, x: usize, y: usize) -> f32 {
        let sum: f64 = self.cell(x, y).map(f64::from).sum();
        (sum / (self.samples * self.samples) as f64) as f32
    }

    /// The middle of the widest gap between the heights of a cell, if it is wide.
    fn gap(&self, x: usize, y: usize) -> Option<f32> {
        let mut heights: Vec<f32> = self.cell(x, y).collect();
        heights.sort_by(f32::total_cmp);
        let range = heights[heights.len() - 1] - heights[0];
        let wide = |pair: &[f32]| pair[1] - pair[0];
        let widest = heights.windows(2).max_by(|a, b| wide(a).total_cmp(&wide(b)))?;
        let is_bank = wide(widest) > GAP * range && wide(widest) >= LOWEST;
        is_bank.then(|| widest[0] + 0.5 * wide(widest))
    }

    /// The height (m) of the low or the high ground at the middle of a cell: a plane through what is low, or high, in and around it, for a part of a
    /// cell may lie to one side, and on a slope its mean with it.
    fn height(&self, x: usize, y: usize, bound: f32, high: bool) -> f32 {
        let k = self.samples;
        let rows = y.max(1) * k - k..((y + 2) * k).min(self.ny * k);
        let columns = x.max(1) * k - k..((x + 2) * k).min(self.nx * k);
        let middle = [x, y].map(|i| (i as f64 + 0.5) * k as f64 - 0.5);
        let ground = || {
            rows.clone().flat_map(|row| {
                let columns = columns.clone();
                columns.map(move |column| (column, row)).filter_map(|at| {
                    let z = self.fine[at];
                    let away = [at.0 as f64 - middle[0], at.1 as f64 - middle[1]];
                    ((z >= bound) == high).then_some((away, f64::from(z)))
                })
            })
        };
        let (mut count, mut mean, mut centre) = (0.0, 0.0, [0.0; 2]);
        for (away, z) in ground() {
            (count, mean) = (count + 1.0, mean + z);
            centre = [centre[0] + away[0], centre[1] + away[1]];
        }
        (mean, centre) = (mean / count, centre.map(|sum| sum / count));
        let (mut squares, mut with) = ([0.0; 3], [0.0; 2]);
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for (away, z) in ground() {
            let [a, b] = [away[0] - centre[0], away[1] - centre[1]];
            squares = [squares[0] + a * a, squares[1] + a * b, squares[2] + b * b];
            with = [with[0] + a * (z - mean), with[1] + b * (z - mean)];
            (least, most) = (least.min(z), most.max(z));
        }
        let [xx, xy, yy] = squares;
        let spread = xx * yy - xy * xy;
        // A line of samples has no plane.
        if spread <= 1e-3 * (xx + yy) * (xx + yy) {
            return mean as f32;
        }
        let slope =
            [(yy * with[0] - xy * with[1]) / spread, (xx * with[1] - xy * with[0]) / spread];
        (mean - slope[0] * centre[0] - slope[1] * centre[1]).clamp(least, most) as f32
    }

    /// How many samples on each side of a face are looked at: one would tell a face's part from as few as lie along it.
    fn near(&self) -> usize {
        self.samples / 4
    }

    /// The part of what lies about a face that is low. Beside a cell without a high part, the other cell says what is low.
    fn open(
        &self,
        bounds: &Field<Option<f32>>,
        cells: [(usize, usize); 2],
        columns: Range<usize>,
        rows: Range<usize>,
    ) -> f32 {
        let own = cells.map(|cell| bounds[cell]);
        let [Some(before), Some(after)] = [own[0].or(own[1]), own[1].or(own[0])] else {
            return 1.0;
        };
        let (k, all) = (self.samples, columns.len() * rows.len());
        let is_low = |(column, row): &(usize, usize)| {
            let bound = if (column / k, row / k) == cells[0] { before } else { after };
            self.fine[(*column, *row)] < bound
        };
        let samples = rows.flat_map(|row| columns.clone().map(move |column| (column, row)));
        samples.filter(is_low).count() as f32 / all as f32
    }

    /// Gives low parts smaller than [`LEAST`] what they lack of the low ground near them that has more. Water would pass through slivers so
    /// fast that it would set everybody's step.
    fn fill_slivers(
        &self,
        part: &mut Field<f32>,
        rise: &mut Field<f32>,
        bounds: &Field<Option<f32>>,
        bed: &Field<f32>,
    ) {
        let (nx, ny) = (self.nx, self.ny);
        for y in 0..ny {
            for x in 0..nx {
                let Some(bound) = bounds[(x, y)] else { continue };
                let mut lacks = LEAST - part[(x, y)];
                if lacks <= 0.0 {
                    continue;
                }
                part[(x, y)] = LEAST;
                let rows = y.max(2) - 2..(y + 3).min(ny);
                let columns = x.max(2) - 2..(x + 3).min(nx);
                let mut near: Vec<(usize, usize)> =
                    rows.flat_map(|y| columns.clone().map(move |x| (x, y))).collect();
                near.sort_by_key(|at| at.0.abs_diff(x).pow(2) + at.1.abs_diff(y).pow(2));
                for giver in near {
                    let is_low = bounds[giver].is_some() || bed[giver] < bound;
                    let spare = part[giver] - LEAST;
                    if lacks > 0.0 && is_low && spare > 0.0 {
                        part[giver] -= spare.min(lacks);
                        lacks -= spare.min(lacks);
                        if bounds[giver].is_none() {
                            rise[giver] = rise[(x, y)];
                        }
                    }
                }
            }
        }
    }
}

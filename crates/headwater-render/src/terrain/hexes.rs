//! Pictures of hexagonal lattices. The fields are resampled to a finer square grid, from which the
//! painter draws. If the style requests it, the finished picture is divided into hexagons.
//!
//! Depth is not simply interpolated, because that would draw water up the slope beside a lake. On
//! the dry side of a shore the water surface is extended below the ground, which gives a negative
//! depth. The shore is where the depth is zero (`shore.rs` does the same on square grids).

use super::hex_resampling::{HexResampler, mean};
use crate::Picture;
use crate::view::View;
use crate::water::shore::{BANK_RATIO, FLATTEST_BANK, STEEPEST_BANK};
use headwater::{Field, Hex, Lattice};
use headwater_io::parallel::*;

/// Signed depth that is assigned to dry ground at the edge of an advancing flood, as a fraction of
/// the depth in the wet neighbouring cells. Such ground lies below the water surface of these
/// cells.
const FRONT_DEPTH: f32 = -0.2;

/// Resampler of a view's fields from the cells of a hexagonal lattice to a finer grid of squares.
#[derive(Clone, Debug)]
pub(crate) struct ViewResampler {
    squares: HexResampler,
}

/// Fields of a view after resampling to a square grid.
pub(crate) struct SquareFields {
    lattice: Lattice,
    bed: Field<f32>,
    depth: Field<f32>,
    closed: Option<Field<bool>>,
    no_data: Field<bool>,
    velocity: Option<(Field<f32>, Field<f32>)>,
}

impl ViewResampler {
    /// Creates the resampler for a picture that is `width` pixels wide. Returns `None` if the
    /// lattice is not hexagonal.
    pub(crate) fn new(lattice: &Lattice, width: usize) -> Option<Self> {
        // Two squares per hexagon width, unless hexagons are finer than pixels.
        let nx = if lattice.nx() <= width { 2 * lattice.nx() + 1 } else { lattice.nx() };
        let ny = (nx as f64 * lattice.height() / lattice.width()).round() as usize;
        Some(Self { squares: HexResampler::new(lattice, nx, ny.max(1))? })
    }

    pub(crate) fn squares_per_hexagon(&self) -> usize {
        (self.squares.target_lattice().cell_count() / self.lattice().cell_count()).max(1)
    }

    pub(crate) fn lattice(&self) -> Lattice {
        self.squares.source_lattice().into()
    }

    /// Resamples the fields of a view to the square grid. Water shallower than `wet` (m) counts as
    /// dry.
    pub(crate) fn resample(&self, view: &View<'_>, wet: f32) -> SquareFields {
        let water = HexagonWater::new(view, self.squares.source_lattice(), wet);
        let known = |i: usize| !water.lacks_data.as_slice()[i];
        let open = |i: usize| !water.blocked[i];
        let mut bed = self.squares.resample_linear(&water.bed, known, f32::NAN);
        self.extrapolate_edges(&mut bed);
        let mut depth = self.squares.map(|taps| {
            if !open(taps[0].0) {
                return 0.0;
            }
            let body = mean(taps, open, |i| water.signed_depth[i]);
            let film = mean(taps, open, |i| water.film[i]);
            body.max(film).max(0.0)
        });
        self.extrapolate_edges(&mut depth);
        let moving = |i: usize| open(i) && water.depth[i] > 0.0;
        let along = |field: &Field<f32>| {
            self.squares.map(|taps| {
                let any = taps.iter().any(|&(i, weight)| weight > 0.0 && moving(i));
                let value = |i| field.as_slice().get(i).copied().unwrap_or(0.0);
                if any { mean(taps, moving, value) } else { 0.0 }
            })
        };
        SquareFields {
            lattice: self.squares.target_lattice().into(),
            bed,
            depth,
            closed: view.closed.map(|_| self.squares.resample_nearest(&water.closed)),
            no_data: self.squares.resample_nearest(&water.lacks_data),
            velocity: view.velocity.map(|(east, south)| (along(east), along(south))),
        }
    }
}

impl ViewResampler {
    /// Fills the jagged west and east edges of the lattice with the values of the nearest full
    /// column, because the edges would otherwise show in the shading.
    fn extrapolate_edges(&self, field: &mut Field<f32>) {
        let (nx, spacing) = (field.nx(), self.squares.source_lattice().spacing());
        let rim = (spacing / self.squares.target_lattice().dx()).round() as usize;
        if nx < 2 * rim + 2 {
            return;
        }
        for y in 0..field.ny() {
            let row = field.row_mut(y);
            for i in (0..rim).rev() {
                row[i] = row[i + 1];
                row[nx - 1 - i] = row[nx - 2 - i];
            }
        }
    }
}

impl SquareFields {
    /// Returns a copy of the view `original` in which the lattice and the fields are replaced by
    /// the resampled ones.
    pub(crate) fn view<'a>(&'a self, original: &View<'a>) -> View<'a> {
        View {
            lattice: self.lattice,
            bed: &self.bed,
            depth: &self.depth,
            closed: self.closed.as_ref(),
            no_data: Some(&self.no_data),
            velocity: self.velocity.as_ref().map(|(east, south)| (east, south)),
            ..*original
        }
    }
}

/// Ground and water of a view in each hexagon, with NaN values replaced.
struct HexagonWater {
    bed: Field<f32>,
    closed: Field<bool>,
    /// Whether each cell lacks data.
    lacks_data: Field<bool>,
    /// Whether each cell is closed to water or lacks data.
    blocked: Vec<bool>,
    depth: Vec<f32>,
    /// Signed depth (m) of each cell, negative on dry banks.
    signed_depth: Vec<f32>,
    /// Depth (m) from which the opacity of thin water films is computed. In a cell next to a bank,
    /// it is at most the mean water depth on the bank. A film on the bank therefore continues under
    /// the deeper water instead of ending abruptly.
    film: Vec<f32>,
}

impl HexagonWater {
    fn new(view: &View<'_>, hex: Hex, wet: f32) -> Self {
        let (nx, ny) = (hex.nx(), hex.ny());
        let set = |mask: Option<&Field<bool>>, x, y| {
            mask.is_some_and(|mask| mask.get(x, y).copied().unwrap_or(false))
        };
        let number = |field: &Field<f32>, x, y| field.get(x, y).copied().unwrap_or(f32::NAN);
        let bed = Field::from_fn(nx, ny, |x, y| number(view.bed, x, y));
        let lacks_data =
            Field::from_fn(nx, ny, |x, y| !bed[(x, y)].is_finite() || set(view.no_data, x, y));
        let closed = Field::from_fn(nx, ny, |x, y| set(view.closed, x, y));
        let blocked: Vec<bool> =
            (0..nx * ny).map(|i| lacks_data.as_slice()[i] || closed.as_slice()[i]).collect();
        let depth: Vec<f32> = (0..nx * ny)
            .map(|i| {
                let depth = number(view.depth, i % nx, i / nx);
                if depth.is_finite() && !blocked[i] { depth.max(0.0) } else { 0.0 }
            })
            .collect();
        let mut water = Self {
            bed,
            closed,
            lacks_data,
            blocked,
            signed_depth: depth.clone(),
            film: depth.clone(),
            depth,
        };
        water.find_banks(&hex.into(), wet);
        water
    }

    fn find_banks(&mut self, lattice: &Lattice, wet: f32) {
        let nx = lattice.nx();
        let mut bank = vec![false; self.depth.len()];
        let around = |i: usize| lattice.neighbours(i % nx, i / nx).map(move |(x, y)| y * nx + x);
        for i in (0..self.depth.len()).filter(|&i| !self.blocked[i]) {
            let (depth, bed) = (self.depth[i], self.bed.as_slice());
            let min_depth = (BANK_RATIO * depth).max(wet);
            let (mut surface, mut neighbour_depth, mut count) = (0.0, 0.0, 0.0);
            for j in around(i).filter(|&j| self.depth[j] > min_depth) {
                surface += bed[j] + self.depth[j];
                neighbour_depth += self.depth[j];
                count += 1.0;
            }
            if count == 0.0 {
                continue;
            }
            let (surface_height, neighbour_depth) =
                (surface / count - bed[i], neighbour_depth / count);
            if surface_height <= depth || depth <= wet {
                let [low, high] =
                    [STEEPEST_BANK, FLATTEST_BANK].map(|share| share * neighbour_depth);
                self.signed_depth[i] = if surface_height > 0.0 {
                    FRONT_DEPTH * neighbour_depth
                } else {
                    surface_height.clamp(low, high)
                };
                bank[i] = true;
            }
        }
        // Films continue under the water beside their bank.
        for i in (0..self.depth.len()).filter(|&i| !bank[i]) {
            let banks = || around(i).filter(|&j| bank[j]);
            let count = banks().count();
            if count > 0 {
                let mean = banks().map(|j| self.depth[j]).sum::<f32>() / count as f32;
                self.film[i] = self.depth[i].min(mean);
            }
        }
    }
}

/// Radius (as a fraction of the cell width) of the central part of a hexagon. The mean colour of
/// this part fills the hexagon.
const CORE_RADIUS: f64 = 0.35;
/// Minimum cell width (pixels) at which hexagons are outlined.
const MIN_OUTLINED_WIDTH: f64 = 6.0;
/// Brightness of a hexagon's outline as a fraction of the brightness of its interior.
const OUTLINE_BRIGHTNESS: f32 = 0.9;

/// Lookup table of the hexagons that each pixel of a picture shows.
#[derive(Clone, Debug)]
pub(crate) struct HexTiling {
    lattice: Lattice,
    width: usize,
    height: usize,
    /// Indices of the hexagons at four sample points in each pixel.
    cells: Vec<[u32; 4]>,
}

impl HexTiling {
    pub(crate) fn new(lattice: Lattice, width: usize, height: usize) -> Self {
        let nx = lattice.nx();
        let at = |u: f64, v: f64| {
            let place = [u / width as f64 * lattice.width(), v / height as f64 * lattice.height()];
            lattice.cell_at(place).map_or(0, |(x, y)| (y * nx + x) as u32)
        };
        let mut cells = vec![[0; 4]; width * height];
        cells.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, cells) in row.iter_mut().enumerate() {
                let (u, v) = (x as f64, y as f64);
                *cells = [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)]
                    .map(|(dx, dy)| at(u + dx, v + dy));
            }
        });
        Self { lattice, width, height, cells }
    }

    /// Fills each hexagon of the picture with the mean colour of its central part.
    pub(crate) fn fill_hexagons(&self, picture: &mut Picture) {
        let mut sums = vec![[0u32; 4]; self.lattice.cell_count()];
        for (i, cells) in self.cells.iter().enumerate() {
            let (x, y) = (i % self.width, i / self.width);
            if let Some(cell) = self.core_cell(x, y, cells[0]) {
                let [r, g, b] = picture[(x, y)].map(u32::from);
                let sum = &mut sums[cell];
                *sum = [sum[0] + r, sum[1] + g, sum[2] + b, sum[3] + 1];
            }
        }
        let outlined =
            self.width as f64 / self.lattice.width() * self.lattice.dx() >= MIN_OUTLINED_WIDTH;
        for (pixel, cells) in picture.as_mut_slice().iter_mut().zip(&self.cells) {
            let own = pixel.map(f32::from);
            let mut color = [0.0f32; 3];
            for &cell in cells {
                let [r, g, b, count] = sums[cell as usize];
                for (part, (sum, own)) in color.iter_mut().zip([r, g, b].into_iter().zip(own)) {
                    // A hexagon smaller than a pixel may have no pixel of its own.
                    *part += 0.25 * if count > 0 { sum as f32 / count as f32 } else { own };
                }
            }
            let edge = outlined && cells.iter().any(|&cell| cell != cells[0]);
            let light = if edge { OUTLINE_BRIGHTNESS } else { 1.0 };
            *pixel = color.map(|part| (light * part).round() as u8);
        }
    }

    /// Returns `cell` as an index if the centre of the pixel `(x, y)` is near the centre of that
    /// cell, else `None`.
    fn core_cell(&self, x: usize, y: usize, cell: u32) -> Option<usize> {
        let cell = cell as usize;
        let [east, south] = self.lattice.center(cell % self.lattice.nx(), cell / self.lattice.nx());
        let metres = [
            (x as f64 + 0.5) / self.width as f64 * self.lattice.width() - east,
            (y as f64 + 0.5) / self.height as f64 * self.lattice.height() - south,
        ];
        let reach = CORE_RADIUS * self.lattice.dx();
        (metres[0] * metres[0] + metres[1] * metres[1] < reach * reach).then_some(cell)
    }
}

//! Per-cell data for the motion of drops. It is computed once per batch, so that each step of a
//! drop reads a single record.

use super::drop_dynamics::DropDynamics;
use crate::hydrology::state::grid::Grid;
use crate::parallel;
use multiversion::multiversion;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(32))]
pub(in crate::hydrology) struct CachedCell {
    pub(in crate::hydrology) height: f32,
    /// Acceleration of a drop per step (east, south), due to the slope and to the stream.
    pub(in crate::hydrology) acceleration: [f32; 2],
    /// Strength of the stream in the cell, from 0 (no stream) to 1.
    pub(in crate::hydrology) strength: f32,
    pub(in crate::hydrology) label: u32,
    /// Square root of the upstream area (cells), to which the channel width is proportional.
    pub(in crate::hydrology) width: f32,
    /// Fraction of the erosion that remains under the plant cover, from 0 to 1.
    pub(in crate::hydrology) erodible_fraction: f32,
}

#[derive(Clone, Copy)]
pub(in crate::hydrology) struct CacheInputs<'a> {
    pub(in crate::hydrology) grid: Grid,
    pub(in crate::hydrology) size: f32,
    pub(in crate::hydrology) dynamics: DropDynamics,
    /// Acceleration along streams: the value of
    /// [`Params::momentum`](crate::hydrology::Params::momentum).
    pub(in crate::hydrology) momentum: f32,
    pub(in crate::hydrology) attraction: f32,
    pub(in crate::hydrology) roots: f32,
    /// Ground elevation of each cell (m).
    pub(in crate::hydrology) heights: &'a [f32],
    /// Upstream area of each cell (cells).
    pub(in crate::hydrology) area: &'a [f32],
    /// Mean direction of the drops in each cell (east, south), multiplied by the upstream area
    /// (cells).
    pub(in crate::hydrology) momenta: &'a [[f32; 2]],
    pub(in crate::hydrology) cover: &'a [f32],
    pub(in crate::hydrology) label: &'a [u32],
}

/// Upstream area at which the attraction by a stream is half of its maximum, as a multiple of the
/// parameter `stream`.
const ATTRACTION_SCALE: f32 = 3.0;
/// Number of cells of a row that are processed in one pass.
const CELLS_PER_PASS: usize = 64;

impl CacheInputs<'_> {
    pub(in crate::hydrology) fn fill_cache(&self, cell_cache: &mut Vec<CachedCell>) {
        let Grid { nx, ny } = self.grid;
        cell_cache.resize(nx * ny, CachedCell::default());
        parallel::for_each_row(cell_cache, nx, |y, row| {
            let of_row = |y: usize| &self.heights[y * nx..][..nx];
            let area_of = |y: usize| &self.area[y * nx..][..nx];
            let row_indices = [y.saturating_sub(1), y, (y + 1).min(ny - 1)];
            let (rows, areas) = (row_indices.map(of_row), row_indices.map(area_of));
            for (k, cell_cache) in row.chunks_mut(CELLS_PER_PASS).enumerate() {
                let mut slope_fields = [[0.0; CELLS_PER_PASS]; 2];
                compute_slopes(
                    &padded_rows(rows, k * CELLS_PER_PASS),
                    1.0 / (8.0 * self.size),
                    &mut slope_fields,
                );
                let mut gradients = [[0.0; CELLS_PER_PASS]; 2];
                compute_strength_gradients(
                    padded_rows(areas, k * CELLS_PER_PASS),
                    ATTRACTION_SCALE * self.dynamics.half_area,
                    &mut gradients,
                );
                write_records(
                    self,
                    y * nx + k * CELLS_PER_PASS,
                    [&slope_fields, &gradients],
                    cell_cache,
                );
            }
        });
    }
}

/// Copies [`CELLS_PER_PASS`] values of each of three rows, starting at column `first`, with one
/// padding cell on each side. Padding beyond the edge of the map repeats the edge cell.
fn padded_rows(rows: [&[f32]; 3], first: usize) -> [[f32; CELLS_PER_PASS + 2]; 3] {
    let mut padded = [[0.0; CELLS_PER_PASS + 2]; 3];
    for (row, padded) in rows.iter().zip(&mut padded) {
        let n = (row.len() - first).min(CELLS_PER_PASS + 1);
        padded[1..=n].copy_from_slice(&row[first..first + n]);
        padded[0] = row[first.saturating_sub(1)];
        if n <= CELLS_PER_PASS {
            padded[n + 1] = padded[n];
        }
    }
    padded
}

/// Computes the gradient of the stream strength at each cell of a row, from `areas`, the upstream
/// areas (in cells) of three rows. The first component is the strength of the eastern neighbour
/// minus that of the western, and the second is the strength of the southern neighbour minus that
/// of the northern. The strength is ½ at an area of `half_area`.
#[multiversion(targets = "simd")]
fn compute_strength_gradients(
    mut areas: [[f32; CELLS_PER_PASS + 2]; 3],
    half_area: f32,
    gradients: &mut [[f32; CELLS_PER_PASS]; 2],
) {
    for row in &mut areas {
        row.iter_mut().for_each(|area| *area /= *area + half_area);
    }
    let [north, own, south] = &areas;
    let [east, down] = gradients;
    for i in 0..CELLS_PER_PASS {
        east[i] = own[i + 2] - own[i];
        down[i] = south[i + 1] - north[i + 1];
    }
}

/// Computes the downward slope at each cell, as the mean over the eight triangles around the cell
/// (m per m). The components are positive if the ground falls toward the east and toward the south.
#[multiversion(targets = "simd")]
fn compute_slopes(
    rows: &[[f32; CELLS_PER_PASS + 2]; 3],
    scale: f32,
    slope_fields: &mut [[f32; CELLS_PER_PASS]; 2],
) {
    let [north, own, south] = rows;
    let [east, down] = slope_fields;
    for i in 0..CELLS_PER_PASS {
        let (w, e) = (i, i + 2);
        let corners = [north[w], north[e], south[w], south[e]];
        let to_east = corners[0] + corners[2] - corners[1] - corners[3];
        let to_south = corners[0] + corners[1] - corners[2] - corners[3];
        let (side_x, side_y) = (own[w] - own[e], north[i + 1] - south[i + 1]);
        east[i] = (to_east + 2.0 * side_x) * scale;
        down[i] = (to_south + 2.0 * side_y) * scale;
    }
}

#[multiversion(targets = "simd")]
fn write_records(
    inputs: &CacheInputs,
    first: usize,
    [slope_fields, gradients]: [&[[f32; CELLS_PER_PASS]; 2]; 2],
    cell_cache: &mut [CachedCell],
) {
    let CacheInputs { dynamics, momentum, attraction, roots, .. } = *inputs;
    let n = cell_cache.len().min(CELLS_PER_PASS);
    let (heights, area) = (&inputs.heights[first..][..n], &inputs.area[first..][..n]);
    let (momenta, cover) = (&inputs.momenta[first..][..n], &inputs.cover[first..][..n]);
    let label = &inputs.label[first..][..n];
    let [mut east, mut south] = [[0.0; CELLS_PER_PASS]; 2];
    let [mut strength, mut width, mut bare] = [[0.0; CELLS_PER_PASS]; 3];
    for i in 0..n {
        let [fx, fy] = [slope_fields[0][i], slope_fields[1][i]];
        strength[i] = area[i] / (area[i] + dynamics.half_area);
        let length = (1.0 + fx * fx + fy * fy).sqrt();
        let momentum_gain = momentum * strength[i] / area[i].max(1.0);
        let [mx, my] = momenta[i];
        east[i] = dynamics.dt * (fx / length + momentum_gain * mx + attraction * gradients[0][i]);
        south[i] = dynamics.dt * (fy / length + momentum_gain * my + attraction * gradients[1][i]);
        width[i] = area[i].max(1.0).sqrt();
        bare[i] = 1.0 - roots * cover[i].min(1.0);
    }
    for (i, record) in cell_cache.iter_mut().enumerate() {
        *record = CachedCell {
            height: heights[i],
            acceleration: [east[i], south[i]],
            strength: strength[i],
            label: label[i],
            width: width[i],
            erodible_fraction: bare[i],
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hydrology::params::Params;
    use crate::hydrology::state::land::Land;
    use crate::hydrology::world::Hydrology;
    use crate::{Field, Square};

    /// Computes the record of a single cell directly from the maps, as a reference for the row-wise
    /// code.
    fn compute_record_directly(inputs: &CacheInputs, (x, y): (usize, usize)) -> CachedCell {
        let (grid, z) = (inputs.grid, inputs.heights);
        let cell = y * grid.nx + x;
        let at = |(x, y): (usize, usize)| z[y * grid.nx + x];
        let [nw, ne, sw, se] = grid.square_corners(x, y);
        let [north, south] = [(x, nw.1), (x, sw.1)].map(at);
        let [west, east] = [(nw.0, y), (ne.0, y)].map(at);
        let [nw, ne, sw, se] = [nw, ne, sw, se].map(at);
        let scale = 1.0 / (8.0 * inputs.size);
        let fx = (nw + sw - ne - se + 2.0 * (west - east)) * scale;
        let fy = (nw + ne - sw - se + 2.0 * (north - south)) * scale;
        let (area, dynamics) = (inputs.area[cell], inputs.dynamics);
        let strength = area / (area + dynamics.half_area);
        let length = (1.0 + fx * fx + fy * fy).sqrt();
        let momentum_gain = inputs.momentum * strength / area.max(1.0);
        let [mx, my] = inputs.momenta[cell];
        let stream = |(x, y): (usize, usize)| {
            let area = inputs.area[y * grid.nx + x];
            area / (area + ATTRACTION_SCALE * dynamics.half_area)
        };
        let [nw, ne, sw, _] = grid.square_corners(x, y);
        let east = stream((ne.0, y)) - stream((nw.0, y));
        let south = stream((x, sw.1)) - stream((x, nw.1));
        CachedCell {
            height: z[cell],
            acceleration: [
                dynamics.dt * (fx / length + momentum_gain * mx + inputs.attraction * east),
                dynamics.dt * (fy / length + momentum_gain * my + inputs.attraction * south),
            ],
            strength,
            label: inputs.label[cell],
            width: area.max(1.0).sqrt(),
            erodible_fraction: 1.0 - inputs.roots * inputs.cover[cell].min(1.0),
        }
    }

    #[test]
    fn records_match_direct_computation() {
        for (nx, ny) in [
            (3, 3),
            (CELLS_PER_PASS - 1, 4),
            (CELLS_PER_PASS, 3),
            (CELLS_PER_PASS + 1, 3),
            (2 * CELLS_PER_PASS + 9, 5),
        ] {
            let bed = Field::from_fn(nx, ny, |x, y| ((x * x * 31 + y * 17) % 101) as f32 * 0.07);
            let lattice = Square::new(nx, ny, 2.0, 2.0).expect("square cells");
            let mut world = Hydrology::new(lattice, Params::default(), &bed).expect("a bed");
            world.rain(200);
            let Land { area, momentum, params, .. } = &world.land;
            let inputs = CacheInputs {
                grid: world.land.grid(),
                size: 2.0,
                dynamics: DropDynamics::from_land(&world.land),
                momentum: params.momentum as f32,
                attraction: params.attraction as f32,
                roots: params.roots as f32,
                heights: world.heights.as_slice(),
                area,
                momenta: momentum,
                cover: world.cover.as_slice(),
                label: &world.waters.hierarchy.label,
            };
            let mut cell_cache = Vec::new();
            inputs.fill_cache(&mut cell_cache);
            for (cell, record) in cell_cache.iter().enumerate() {
                assert_eq!(
                    *record,
                    compute_record_directly(&inputs, inputs.grid.column_and_row(cell)),
                    "{cell} of {nx} × {ny}"
                );
            }
        }
    }
}

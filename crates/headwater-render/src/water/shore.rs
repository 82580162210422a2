//! Appearance of the water in each cell, prepared for interpolation to pixels: signed depth,
//! opacity on a logarithmic scale, and light on the surface. The zero contour of the signed depth
//! is the shore.
//!
//! On the dry side of a shore the lake surface is extended below the ground, which gives a negative
//! depth. Depth and ground use the same linear interpolation, so the zero contour is where the lake
//! surface meets the interpolated ground. Colours are in `liquid.rs`.

use crate::color::light::Sun;
use crate::color::smoothstep;
use crate::terrain::grid::{Ground, WaterFields};
use headwater_io::parallel::*;
use std::borrow::Cow;

/// Minimum ratio of depths between neighbouring cells at which the shallower cell counts as the
/// bank of the deeper one.
pub const BANK_RATIO: f32 = 10.0;
/// Lower limit of the signed depth on a bank, as a fraction of the depth in the adjacent wet cell.
/// A signed depth is negative where the ground is above the water surface. The limit keeps the
/// drawn shore out of the wet cell, so that rivers one cell wide stay connected, even diagonally.
pub const STEEPEST_BANK: f32 = -0.7;
/// Upper limit of the signed depth on a bank, as a fraction of the depth in the adjacent wet cell.
/// A signed depth is negative where the ground is above the water surface. The limit ensures that
/// the interpolated depth changes sign between the wet cell and the bank.
pub const FLATTEST_BANK: f32 = -0.03;
/// Minimum depth at which a water film is drawn, as a fraction of the depth that is drawn in the
/// deepest colour.
const FILM_SHARE: f32 = 2e-4;
/// Minimum ratio of the water depth to the drop of the bed across a cell at which water is drawn
/// with full opacity.
const FULL_DEPTH_RATIO: f32 = 0.05;
/// Ratio of the water depth to the drop of the bed across a cell. Water below this ratio is drawn
/// as a faint film, like moisture on a hillside.
const FILM_DEPTH_RATIO: f32 = 0.0015;
const GRAVITY: f32 = 9.81;

/// Depth and speed scales, fixed by a painter's first view.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WaterScale {
    /// Minimum depth of water that is drawn (m).
    pub(crate) min_depth: f32,
    /// Depth that is drawn in the deepest colour (m).
    pub(crate) max_depth: f32,
    /// Speed at which particles have the longest streaks and lava the hottest colour (m/s).
    pub(crate) max_speed: f32,
}

impl WaterScale {
    /// Returns the opacity for a depth (m), from 0 for thin films to 1 at the depth of the deepest
    /// colour. The scale is logarithmic, so that rivulets are visible in a picture that also shows
    /// a sea.
    pub(crate) fn logarithmic_opacity(&self, depth: f32) -> f32 {
        // The film limit grows with the deep depth: a film of a centimetre is negligible beside
        // deep water but not beside puddles.
        let film = self.min_depth.max(FILM_SHARE * self.max_depth);
        if depth <= film {
            return 0.0;
        }
        ((depth / film).ln() / (self.max_depth / film).ln()).min(1.0)
    }
}

/// Appearance of the water in one cell, before neighbouring cells are taken into account.
#[derive(Clone, Copy, Debug, Default)]
struct CellWater {
    signed: f32,
    body: f32,
    film: f32,
    sheen: f32,
    speed_scale: f32,
    white: f32,
    bank: bool,
    /// Whether the water surface is flat compared with the ground below.
    is_level: bool,
    /// Mean depth (m) of the neighbouring cells that are much deeper, if the cell is a bank;
    /// otherwise 0.
    bank_depth: f32,
    /// Whether the cell is an obstacle or has no data.
    is_hidden: bool,
}

/// Appearance of the water in all cells.
#[derive(Clone, Debug)]
pub(crate) struct WaterLayers {
    pub(crate) samples: Vec<WaterSample>,
}

/// Appearance of the water at a point, as eight numbers:
/// - depth (m), negative on dry banks;
/// - opacity (0 to 1) of the water body, extended over its banks;
/// - opacity (0 to 1) of thin water films on the banks;
/// - brightness of the surface minus that of still water, positive in highlights;
/// - square root of the ratio of the flow speed to the highest speed of the colour scale;
/// - amount of white water (foam), from 0 to 1, above 0 where the flow is supercritical;
/// - fraction of the eight neighbouring cells that hold level water of the same water body;
/// - 0, as padding to a vector of eight.
pub(crate) type WaterSample = [f32; 8];

impl WaterLayers {
    pub(crate) fn new(ground: &Ground, flow: &WaterFields, scale: &WaterScale, sun: &Sun) -> Self {
        let nx = ground.nx;
        let deepest = max_depth_around(ground, &flow.depth);
        let analysis = WaterAnalysis { ground, flow, scale, sun, deepest: &deepest };
        let mut cells = vec![CellWater::default(); flow.depth.len()];
        cells.par_chunks_mut(nx).enumerate().for_each(|(y, row)| {
            for (x, cell) in row.iter_mut().enumerate() {
                *cell = analysis.analyse_cell(x, y);
            }
        });
        let mut samples = vec![WaterSample::default(); cells.len()];
        samples.par_chunks_mut(nx).enumerate().for_each(|(y, row)| {
            for (x, samples) in row.iter_mut().enumerate() {
                *samples = analysis.compute_sample(&cells, x, y);
            }
        });
        Self { samples }
    }
}

struct WaterAnalysis<'a> {
    ground: &'a Ground,
    flow: &'a WaterFields,
    scale: &'a WaterScale,
    sun: &'a Sun,
    deepest: &'a [f32],
}

/// Returns, for each cell, the largest visible depth (m) in the cell and its eight neighbours.
fn max_depth_around(ground: &Ground, depth: &[f32]) -> Vec<f32> {
    let (nx, ny) = (ground.nx, ground.ny);
    let visible =
        |i: usize| if ground.is_closed(i) || ground.lacks_data(i) { 0.0 } else { depth[i] };
    let visible: Cow<'_, [f32]> = if ground.closed.is_empty() && ground.lacks_data.is_empty() {
        depth.into()
    } else {
        (0..depth.len()).map(visible).collect()
    };
    let mut deepest = vec![0.0; depth.len()];
    deepest.par_chunks_mut(nx).enumerate().for_each_init(Vec::new, |column_max, (y, row)| {
        let [north, here, south] =
            [y.saturating_sub(1), y, (y + 1).min(ny - 1)].map(|y| &visible[y * nx..(y + 1) * nx]);
        column_max.clear();
        let pairs = north.iter().zip(here).zip(south);
        column_max.extend(
            pairs.map(|((&north, &here), &south): ((&f32, &f32), &f32)| north.max(here).max(south)),
        );
        row.copy_from_slice(column_max);
        for (deepest, &east) in row.iter_mut().zip(&column_max[1..]) {
            *deepest = deepest.max(east);
        }
        for (deepest, &west) in row[1..].iter_mut().zip(&*column_max) {
            *deepest = deepest.max(west);
        }
    });
    deepest
}

/// Mean water properties of the neighbours of a cell whose water is much deeper than the cell's:
/// surface elevation (m), depth (m) and opacity.
struct DeeperNeighbours {
    surface: f32,
    depth: f32,
    body: f32,
}

impl WaterAnalysis<'_> {
    fn analyse_cell(&self, x: usize, y: usize) -> CellWater {
        let i = y * self.ground.nx + x;
        let depth = self.flow.depth[i];
        let body = self.scale.logarithmic_opacity(depth) * self.visibility(x, y, depth);
        let is_hidden = self.ground.is_closed(i) || self.ground.lacks_data(i);
        let beside = self.deeper_neighbours(x, y, if is_hidden { 0.0 } else { depth * BANK_RATIO });
        let wet = depth > self.scale.min_depth;
        let mut cell =
            CellWater { signed: depth, body, film: body, is_hidden, ..CellWater::default() };
        match beside {
            // Water is extended behind walls, which are drawn over it.
            Some(beside) if is_hidden => {
                cell = CellWater { signed: beside.depth, body: beside.body, ..cell };
            }
            Some(beside) => {
                let over = beside.surface - self.ground.bed[i];
                if over <= depth || !wet {
                    let (low, high) = (STEEPEST_BANK * beside.depth, FLATTEST_BANK * beside.depth);
                    // Dry ground below the neighbours' surface is the edge of an advancing front.
                    let signed = if over > 0.0 { 0.3 * low } else { over.clamp(low, high) };
                    let (body, beside) = (beside.body, beside.depth);
                    cell = CellWater { signed, body, bank: true, bank_depth: beside, ..cell };
                }
            }
            None if !wet => cell.signed = -0.5 * self.scale.min_depth,
            None => {}
        }
        if wet && !is_hidden && !cell.bank {
            // Films keep the shading of the ground that they cover.
            cell.is_level = self.is_level(x, y);
            cell.sheen = self.sheen(x, y) * smoothstep(0.2, 0.5, body);
            if let Some((east, south)) = &self.flow.velocity {
                let speed = (east[i] * east[i] + south[i] * south[i]).sqrt();
                cell.speed_scale = (speed / self.scale.max_speed).sqrt().min(1.0);
                let froude = speed / (GRAVITY * depth).sqrt();
                cell.white = smoothstep(1.0, 2.4, froude) * smoothstep(0.3, 0.6, body);
            }
        }
        cell
    }

    /// Returns the factor by which the opacity of the water in the cell `(x, y)` is multiplied. It
    /// rises from 0.25 for thin films on slopes to 1 for water that is deep compared with the drop
    /// of the bed across the cell.
    fn visibility(&self, x: usize, y: usize, depth: f32) -> f32 {
        let here = self.ground.bed[y * self.ground.nx + x];
        // Use the smaller drop of both sides, so that cliffs and dams nearby do not count.
        let drop = |before: Option<usize>, after: Option<usize>| {
            let to = |j: usize| (self.ground.bed[j] - here).abs();
            before.map_or(f32::INFINITY, to).min(after.map_or(f32::INFINITY, to))
        };
        let [west, east, north, south] = self.ground.neighbours(x, y);
        let (east, south) = (drop(west, east), drop(north, south));
        let drop = if east.is_finite() && south.is_finite() {
            (east * east + south * south).sqrt()
        } else {
            0.0
        };
        if depth >= FULL_DEPTH_RATIO * drop {
            return 1.0;
        }
        0.25 + 0.75 * smoothstep(FILM_DEPTH_RATIO.ln(), FULL_DEPTH_RATIO.ln(), (depth / drop).ln())
    }

    fn deeper_neighbours(&self, x: usize, y: usize, deeper_than: f32) -> Option<DeeperNeighbours> {
        let (nx, ny) = (self.ground.nx, self.ground.ny);
        let min_depth = deeper_than.max(self.scale.min_depth);
        if self.deepest[y * nx + x] <= min_depth {
            return None;
        }
        let (mut sum, mut weights) = ([0.0f32; 2], 0.0f32);
        for v in y.saturating_sub(1)..=(y + 1).min(ny - 1) {
            for u in x.saturating_sub(1)..=(x + 1).min(nx - 1) {
                let j = v * nx + u;
                let depth = self.flow.depth[j];
                if depth > min_depth && !self.ground.is_closed(j) && !self.ground.lacks_data(j) {
                    let weight = if u == x || v == y { 1.0 } else { 0.5 };
                    sum[0] += weight * (self.ground.bed[j] + depth);
                    sum[1] += weight * depth;
                    weights += weight;
                }
            }
        }
        (weights > 0.0).then(|| {
            let [surface, depth] = sum.map(|sum| sum / weights);
            DeeperNeighbours { surface, depth, body: self.scale.logarithmic_opacity(depth) }
        })
    }

    /// Computes the final water sample of the cell `(x, y)` from the cells around it. Neighbours
    /// affect the signed depth, the film opacity and the fraction of wet neighbours.
    fn compute_sample(&self, cells: &[CellWater], x: usize, y: usize) -> WaterSample {
        let (nx, ny) = (self.ground.nx, self.ground.ny);
        let here = &cells[y * nx + x];
        let (mut films, mut banks, mut wet, mut behind) = (0.0f32, 0u32, 0u32, 0.0f32);
        let mut lake = here.bank_depth;
        for v in y.saturating_sub(1)..=(y + 1).min(ny - 1) {
            for u in x.saturating_sub(1)..=(x + 1).min(nx - 1) {
                let there = &cells[v * nx + u];
                if there.bank {
                    films += there.film;
                    banks += 1;
                    lake = lake.max(there.bank_depth);
                } else if there.is_hidden {
                    behind = behind.max(there.signed);
                }
                let same = there.is_level && there.signed * BANK_RATIO > here.bank_depth;
                wet += u32::from(same && (u, v) != (x, y));
            }
        }
        // Keep the water behind a wall from leaking to its dry side.
        let walled = here.signed * BANK_RATIO < behind;
        let signed = if walled { here.signed.min(-behind) } else { here.signed };
        // Films continue under the water beside their bank, so that a lake does not show through on
        // the dry side of its shore.
        let kept = here.bank || banks == 0;
        let film = if kept { here.film } else { here.film.min(films / banks as f32) };
        // Films that end at the bank of deeper water have no shore of their own, nor does water
        // that runs down a slope.
        let outside = !here.is_level || here.signed * BANK_RATIO <= lake;
        let wet_neighbour_fraction = if outside && !here.bank { 0.0 } else { wet as f32 / 8.0 };
        [
            signed,
            here.body,
            film,
            here.sheen,
            here.speed_scale,
            here.white,
            wet_neighbour_fraction,
            0.0,
        ]
    }

    /// Returns true if the water surface in the cell `(x, y)` is level, as in lakes and broad
    /// rivers. The surface is level if it varies between neighbouring cells less than the ground,
    /// or little compared with the depth.
    fn is_level(&self, x: usize, y: usize) -> bool {
        let (i, bed, depth) = (y * self.ground.nx + x, &self.ground.bed, &self.flow.depth);
        let around = self.ground.neighbours(x, y);
        let (mut surface, mut ground) = (0.0f32, 0.0f32);
        // Films on the banks do not count.
        let min_depth = self.scale.min_depth.max(depth[i] / BANK_RATIO);
        for j in around.into_iter().flatten().filter(|&j| depth[j] > min_depth) {
            surface += (bed[j] - bed[i] + depth[j] - depth[i]).abs();
            ground += (bed[j] - bed[i]).abs();
        }
        surface <= 0.35 * ground + 0.2 * depth[i]
    }

    /// Returns the brightness of the sloping water surface in sunlight minus that of still water.
    fn sheen(&self, x: usize, y: usize) -> f32 {
        // Waves are flatter than land, so they need more exaggeration.
        const WAVE_EXAGGERATION: f32 = 5.0;
        let [dx, dy] = self.ground.cell;
        let i = y * self.ground.nx + x;
        let surface = |j: usize| {
            let wet = self.flow.depth[j] > self.scale.min_depth && !self.ground.is_closed(j);
            wet.then(|| self.ground.bed[j] + self.flow.depth[j])
        };
        let rise = |before: Option<usize>, after: Option<usize>, step: f32| {
            let here = self.ground.bed[i] + self.flow.depth[i];
            match (before.and_then(surface), after.and_then(surface)) {
                (Some(before), Some(after)) => (after - before) / (2.0 * step),
                (Some(before), None) => 0.5 * (here - before) / step,
                (None, Some(after)) => 0.5 * (after - here) / step,
                (None, None) => 0.0,
            }
        };
        let [west, east, north, south] = self.ground.neighbours(x, y);
        let (east, south) = (rise(west, east, dx), rise(north, south, dy));
        let factor = WAVE_EXAGGERATION * self.sun.exaggeration.min(4.0);
        let (gx, gy) = (east * factor, south * factor);
        let flat = (1.0 + gx * gx + gy * gy).sqrt();
        let [l, m, n] = self.sun.direction;
        let lambert = (n - gx * l - gy * m) / flat - n;
        // Half vector between the sun and a viewer above.
        let half = (l * l + m * m + (n + 1.0) * (n + 1.0)).sqrt();
        let facing = ((n + 1.0 - gx * l - gy * m) / (flat * half)).max(0.0);
        let level = (n + 1.0) / half;
        let glint = facing.powi(40) - level.powi(40);
        (0.55 * lambert + 0.5 * glint).clamp(-0.35, 0.6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALE: WaterScale = WaterScale { min_depth: 1e-3, max_depth: 4.0, max_speed: 3.0 };

    fn water_layers(bed: &[f32], depth: &[f32], closed: &[bool]) -> WaterLayers {
        let (nx, bed, closed) = (bed.len(), bed.to_vec(), closed.to_vec());
        let ground = Ground { nx, ny: 1, cell: [1.0, 1.0], bed, closed, ..Ground::default() };
        let flow = WaterFields { depth: depth.to_vec(), velocity: None };
        WaterLayers::new(&ground, &flow, &SCALE, &Sun::new(315.0, 45.0, 1.0))
    }

    #[test]
    fn the_signed_depth_is_the_surface_above_the_bed_on_gentle_banks() {
        let lake = water_layers(&[0.0, 0.5, 1.0, 1.5, 2.0], &[1.2, 0.7, 0.2, 0.0, 0.0], &[]);
        assert!((lake.samples[2][0] - 0.2).abs() < 1e-6);
        // 1.2 − 1.5 would be −0.3; the limit is −0.7 of the depth beside it.
        assert!((lake.samples[3][0] + 0.14).abs() < 1e-6, "{:?}", lake.samples);
        assert!(lake.samples[4][0] < 0.0 && lake.samples[4][1] == 0.0);
    }

    #[test]
    fn a_film_beside_a_lake_does_not_blur_the_shore() {
        let lake = water_layers(&[0.0, 0.0, 1.0, 1.5], &[0.9, 0.9, 0.003, 0.003], &[]);
        assert!(lake.samples[2][0] < 0.0);
        assert!(lake.samples[2][2] > 0.0 && lake.samples[1][2] == lake.samples[2][2]);
        assert!(lake.samples[3][0] > 0.0 && lake.samples[3][1] < 0.2);
    }

    #[test]
    fn a_thin_wall_holds_the_water_back() {
        let closed = [false, false, true, false, false];
        let dam = water_layers(&[0.0; 5], &[2.0, 2.0, 0.0, 0.0, 0.0], &closed);
        let signed: Vec<f32> = dam.samples.iter().map(|samples| samples[0]).collect();
        assert_eq!(signed[..4], [2.0, 2.0, 2.0, -2.0]);
    }

    #[test]
    fn opacity_grows_with_the_logarithm() {
        assert_eq!(SCALE.logarithmic_opacity(0.001), 0.0);
        assert_eq!(SCALE.logarithmic_opacity(4.0), 1.0);
        let (film, rivulet) = (SCALE.logarithmic_opacity(0.003), SCALE.logarithmic_opacity(0.03));
        assert!(film > 0.05 && rivulet > film + 0.2 && rivulet < 0.6);
    }
}

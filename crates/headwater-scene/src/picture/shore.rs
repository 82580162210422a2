//! What the water looks like on the cells, ready to be interpolated to pixels: signed depths whose
//! zero line is the shore, opacity on a logarithmic scale, light on the surface.
//!
//! Shores: on the dry side of a lake the lake's surface is carried on and lies below the ground;
//! the difference is a negative depth. Depth and ground go through the same linear interpolation,
//! so the zero line of the signed depth is where the lake's surface meets the fine ground.
//! Nothing here knows colours (`liquid.rs`) or the model's physics.

use super::color::smoothstep;
use super::grid::{Flow, Ground};
use super::light::Sun;
use crate::parallel::*;
use std::borrow::Cow;

/// A cell this many times shallower than its neighbours is the bank beside their water.
pub const BANK_RATIO: f32 = 10.0;
/// Steep banks count at most this share of the water's depth, so that the shore does not move into
/// the wet cell and one-cell rivers stay whole (also where they run diagonally).
pub const STEEPEST_BANK: f32 = -0.7;
/// And at least this share, so that there is a shore at all.
pub const FLATTEST_BANK: f32 = -0.03;
/// Films this much shallower than the deep depth are not seen.
const FILM_SHARE: f32 = 2e-4;
/// Depths as shares of the ground's drop across a cell: from this on water is drawn in full, ...
const STANDING: f32 = 0.05;
/// ... and below this like a wet hillside.
const RUNNING: f32 = 0.0015;
const GRAVITY: f32 = 9.81;

/// The depths and speeds that a picture's first view fixes.
#[derive(Clone, Copy, Debug)]
pub(super) struct WaterScale {
    /// Nothing is drawn below this depth (m).
    pub(super) wet: f32,
    /// Depth of the deepest colour (m).
    pub(super) deep: f32,
    /// Speed of the longest arrows and the hottest lava (m/s).
    pub(super) fast: f32,
}

impl WaterScale {
    /// From 0 in films to 1 at the deep depth, by the logarithm: rivulets show beside seas.
    pub(super) fn body(&self, depth: f32) -> f32 {
        // Beside deep water a film of a centimetre is nothing; beside puddles it is much.
        let film = self.wet.max(FILM_SHARE * self.deep);
        if depth <= film {
            return 0.0;
        }
        ((depth / film).ln() / (self.deep / film).ln()).min(1.0)
    }
}

/// One value of everything for one cell.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    signed: f32,
    body: f32,
    film: f32,
    sheen: f32,
    quick: f32,
    white: f32,
    bank: bool,
    /// Whether the surface is level beside the ground under it.
    level: bool,
    /// Depth (m) of the water beside a bank.
    beside: f32,
    /// Behind which nothing is seen: an obstacle or a cell without data.
    hidden: bool,
}

/// What the water looks like on all cells.
#[derive(Clone, Debug)]
pub(super) struct WaterLayers {
    pub(super) shades: Vec<Shades>,
}

/// What the water looks like at a place:
/// - depth (m), negative on dry banks;
/// - opacity from 0 to 1 of the water body, carried on over its banks;
/// - opacity of what lies on the banks themselves;
/// - brightness of the surface: 0 is that of still water, highlights are positive;
/// - speed as a share of the fast one, by the square root;
/// - white water, from 0 to 1: where the flow is faster than waves can run;
/// - share of the eight cells around that hold level water of the same body;
/// - 0: vectors have eight places.
pub(super) type Shades = [f32; 8];

impl WaterLayers {
    pub(super) fn new(ground: &Ground, flow: &Flow, scale: &WaterScale, sun: &Sun) -> Self {
        let nx = ground.nx;
        let deepest = deepest(ground, &flow.depth);
        let cells = Cells { ground, flow, scale, sun, deepest: &deepest };
        let mut sheet = vec![Cell::default(); flow.depth.len()];
        sheet.par_chunks_mut(nx).enumerate().for_each(|(y, row)| {
            for (x, cell) in row.iter_mut().enumerate() {
                *cell = cells.cell(x, y);
            }
        });
        let mut shades = vec![Shades::default(); sheet.len()];
        shades.par_chunks_mut(nx).enumerate().for_each(|(y, row)| {
            for (x, shades) in row.iter_mut().enumerate() {
                *shades = cells.beside_each(&sheet, x, y);
            }
        });
        Self { shades }
    }
}

struct Cells<'a> {
    ground: &'a Ground,
    flow: &'a Flow,
    scale: &'a WaterScale,
    sun: &'a Sun,
    deepest: &'a [f32],
}

/// The greatest depth of each cell and the eight around it, of those that can be looked into.
fn deepest(ground: &Ground, depth: &[f32]) -> Vec<f32> {
    let (nx, ny) = (ground.nx, ground.ny);
    let seen = |i: usize| if ground.is_closed(i) || ground.is_void(i) { 0.0 } else { depth[i] };
    let seen: Cow<'_, [f32]> = if ground.closed.is_empty() && ground.void.is_empty() {
        depth.into()
    } else {
        (0..depth.len()).map(seen).collect()
    };
    let mut deepest = vec![0.0; depth.len()];
    deepest.par_chunks_mut(nx).enumerate().for_each_init(Vec::new, |tall, (y, row)| {
        let [north, here, south] =
            [y.saturating_sub(1), y, (y + 1).min(ny - 1)].map(|y| &seen[y * nx..(y + 1) * nx]);
        tall.clear();
        let pairs = north.iter().zip(here).zip(south);
        tall.extend(
            pairs.map(|((&north, &here), &south): ((&f32, &f32), &f32)| north.max(here).max(south)),
        );
        row.copy_from_slice(tall);
        for (deepest, &east) in row.iter_mut().zip(&tall[1..]) {
            *deepest = deepest.max(east);
        }
        for (deepest, &west) in row[1..].iter_mut().zip(&*tall) {
            *deepest = deepest.max(west);
        }
    });
    deepest
}

/// Means over the neighbours that hold clearly more water.
struct ExtendedKeys {
    surface: f32,
    depth: f32,
    body: f32,
}

impl Cells<'_> {
    fn cell(&self, x: usize, y: usize) -> Cell {
        let i = y * self.ground.nx + x;
        let depth = self.flow.depth[i];
        let body = self.scale.body(depth) * self.standing(x, y, depth);
        let hidden = self.ground.is_closed(i) || self.ground.is_void(i);
        let beside = self.beside(x, y, if hidden { 0.0 } else { depth * BANK_RATIO });
        let wet = depth > self.scale.wet;
        let mut cell = Cell { signed: depth, body, film: body, hidden, ..Cell::default() };
        match beside {
            // Water goes on behind walls, which are drawn over it.
            Some(beside) if hidden => {
                cell = Cell { signed: beside.depth, body: beside.body, ..cell };
            }
            Some(beside) => {
                let over = beside.surface - self.ground.bed[i];
                if over <= depth || !wet {
                    let (low, high) = (STEEPEST_BANK * beside.depth, FLATTEST_BANK * beside.depth);
                    // Dry ground below the neighbours' surface lies before an advancing front.
                    let signed = if over > 0.0 { 0.3 * low } else { over.clamp(low, high) };
                    let (body, beside) = (beside.body, beside.depth);
                    cell = Cell { signed, body, bank: true, beside, ..cell };
                }
            }
            None if !wet => cell.signed = -0.5 * self.scale.wet,
            None => {}
        }
        if wet && !hidden && !cell.bank {
            // A film shines like the ground that it covers, which is lit already.
            cell.level = self.is_level(x, y);
            cell.sheen = self.sheen(x, y) * smoothstep(0.2, 0.5, body);
            if let Some((east, south)) = &self.flow.velocity {
                let speed = (east[i] * east[i] + south[i] * south[i]).sqrt();
                cell.quick = (speed / self.scale.fast).sqrt().min(1.0);
                let froude = speed / (GRAVITY * depth).sqrt();
                cell.white = smoothstep(1.0, 2.4, froude) * smoothstep(0.3, 0.6, body);
            }
        }
        cell
    }

    /// From a small share for films on slopes to 1 for water that is deep beside the drop of the
    /// ground across its own cell: the first is a wet hillside, the second a brook or a pool.
    fn standing(&self, x: usize, y: usize, depth: f32) -> f32 {
        let here = self.ground.bed[y * self.ground.nx + x];
        // The smaller of the drops to both sides, so that cliffs and dams nearby do not count.
        let drop = |before: Option<usize>, after: Option<usize>| {
            let to = |j: usize| (self.ground.bed[j] - here).abs();
            before.map_or(f32::INFINITY, to).min(after.map_or(f32::INFINITY, to))
        };
        let [west, east, north, south] = self.ground.sides(x, y);
        let (east, south) = (drop(west, east), drop(north, south));
        let drop = if east.is_finite() && south.is_finite() {
            (east * east + south * south).sqrt()
        } else {
            0.0
        };
        if depth >= STANDING * drop {
            return 1.0;
        }
        0.25 + 0.75 * smoothstep(RUNNING.ln(), STANDING.ln(), (depth / drop).ln())
    }

    fn beside(&self, x: usize, y: usize, deeper_than: f32) -> Option<ExtendedKeys> {
        let (nx, ny) = (self.ground.nx, self.ground.ny);
        let least = deeper_than.max(self.scale.wet);
        if self.deepest[y * nx + x] <= least {
            return None;
        }
        let (mut sum, mut weights) = ([0.0f32; 2], 0.0f32);
        for v in y.saturating_sub(1)..=(y + 1).min(ny - 1) {
            for u in x.saturating_sub(1)..=(x + 1).min(nx - 1) {
                let j = v * nx + u;
                let depth = self.flow.depth[j];
                if depth > least && !self.ground.is_closed(j) && !self.ground.is_void(j) {
                    let weight = if u == x || v == y { 1.0 } else { 0.5 };
                    sum[0] += weight * (self.ground.bed[j] + depth);
                    sum[1] += weight * depth;
                    weights += weight;
                }
            }
        }
        (weights > 0.0).then(|| {
            let [surface, depth] = sum.map(|sum| sum / weights);
            ExtendedKeys { surface, depth, body: self.scale.body(depth) }
        })
    }

    /// What depends on the neighbours' looks: the final signed depth, film and openness.
    fn beside_each(&self, sheet: &[Cell], x: usize, y: usize) -> Shades {
        let (nx, ny) = (self.ground.nx, self.ground.ny);
        let here = &sheet[y * nx + x];
        let (mut films, mut banks, mut wet, mut behind) = (0.0f32, 0u32, 0u32, 0.0f32);
        let mut lake = here.beside;
        for v in y.saturating_sub(1)..=(y + 1).min(ny - 1) {
            for u in x.saturating_sub(1)..=(x + 1).min(nx - 1) {
                let there = &sheet[v * nx + u];
                if there.bank {
                    films += there.film;
                    banks += 1;
                    lake = lake.max(there.beside);
                } else if there.hidden {
                    behind = behind.max(there.signed);
                }
                let same = there.level && there.signed * BANK_RATIO > here.beside;
                wet += u32::from(same && (u, v) != (x, y));
            }
        }
        // The water behind a wall must not leak through to its dry side.
        let walled = here.signed * BANK_RATIO < behind;
        let signed = if walled { here.signed.min(-behind) } else { here.signed };
        // Films go on under the water beside their bank, so that a lake does not shine
        // through to the dry side of its shore.
        let kept = here.bank || banks == 0;
        let film = if kept { here.film } else { here.film.min(films / banks as f32) };
        // A film that ends at the bank of deeper water has no shore of its own, and
        // neither has what runs down a slope.
        let outside = !here.level || here.signed * BANK_RATIO <= lake;
        let open = if outside && !here.bank { 0.0 } else { wet as f32 / 8.0 };
        [signed, here.body, film, here.sheen, here.quick, here.white, open, 0.0]
    }

    /// Lakes and broad rivers are level: their surface changes less from cell to cell than the
    /// ground does, or than they are deep.
    fn is_level(&self, x: usize, y: usize) -> bool {
        let (i, bed, depth) = (y * self.ground.nx + x, &self.ground.bed, &self.flow.depth);
        let around = self.ground.sides(x, y);
        let (mut surface, mut ground) = (0.0f32, 0.0f32);
        // Films on the banks beside it say nothing of a lake.
        let least = self.scale.wet.max(depth[i] / BANK_RATIO);
        for j in around.into_iter().flatten().filter(|&j| depth[j] > least) {
            surface += (bed[j] - bed[i] + depth[j] - depth[i]).abs();
            ground += (bed[j] - bed[i]).abs();
        }
        surface <= 0.35 * ground + 0.2 * depth[i]
    }

    /// Light from the sun on the slope of the surface, relative to still water.
    fn sheen(&self, x: usize, y: usize) -> f32 {
        // Waves are flatter than land: they need more exaggeration to be seen.
        const STEEPER: f32 = 5.0;
        let [dx, dy] = self.ground.cell;
        let i = y * self.ground.nx + x;
        let surface = |j: usize| {
            let wet = self.flow.depth[j] > self.scale.wet && !self.ground.is_closed(j);
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
        let [west, east, north, south] = self.ground.sides(x, y);
        let (east, south) = (rise(west, east, dx), rise(north, south, dy));
        let factor = STEEPER * self.sun.exaggeration.min(4.0);
        let (gx, gy) = (east * factor, south * factor);
        let flat = (1.0 + gx * gx + gy * gy).sqrt();
        let [l, m, n] = self.sun.towards;
        let lambert = (n - gx * l - gy * m) / flat - n;
        // Halfway between the sun and the eye above.
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

    const SCALE: WaterScale = WaterScale { wet: 1e-3, deep: 4.0, fast: 3.0 };

    fn sheet(bed: &[f32], depth: &[f32], closed: &[bool]) -> WaterLayers {
        let (nx, bed, closed) = (bed.len(), bed.to_vec(), closed.to_vec());
        let ground = Ground { nx, ny: 1, cell: [1.0, 1.0], bed, closed, ..Ground::default() };
        let flow = Flow { depth: depth.to_vec(), velocity: None };
        WaterLayers::new(&ground, &flow, &SCALE, &Sun::new(315.0, 45.0, 1.0))
    }

    #[test]
    fn the_signed_depth_is_the_surface_above_the_bed_on_gentle_banks() {
        let lake = sheet(&[0.0, 0.5, 1.0, 1.5, 2.0], &[1.2, 0.7, 0.2, 0.0, 0.0], &[]);
        assert!((lake.shades[2][0] - 0.2).abs() < 1e-6);
        // 1.2 − 1.5 would be −0.3; it is kept above −0.7 of the depth beside it.
        assert!((lake.shades[3][0] + 0.14).abs() < 1e-6, "{:?}", lake.shades);
        assert!(lake.shades[4][0] < 0.0 && lake.shades[4][1] == 0.0);
    }

    #[test]
    fn a_film_beside_a_lake_does_not_blur_the_shore() {
        let lake = sheet(&[0.0, 0.0, 1.0, 1.5], &[0.9, 0.9, 0.003, 0.003], &[]);
        assert!(lake.shades[2][0] < 0.0);
        assert!(lake.shades[2][2] > 0.0 && lake.shades[1][2] == lake.shades[2][2]);
        assert!(lake.shades[3][0] > 0.0 && lake.shades[3][1] < 0.2);
    }

    #[test]
    fn a_thin_wall_holds_the_water_back() {
        let closed = [false, false, true, false, false];
        let dam = sheet(&[0.0; 5], &[2.0, 2.0, 0.0, 0.0, 0.0], &closed);
        let signed: Vec<f32> = dam.shades.iter().map(|shades| shades[0]).collect();
        assert_eq!(signed[..4], [2.0, 2.0, 2.0, -2.0]);
    }

    #[test]
    fn opacity_grows_with_the_logarithm() {
        assert_eq!(SCALE.body(0.001), 0.0);
        assert_eq!(SCALE.body(4.0), 1.0);
        let (film, rivulet) = (SCALE.body(0.003), SCALE.body(0.03));
        assert!(film > 0.05 && rivulet > film + 0.2 && rivulet < 0.6);
    }
}

//! Plants: germination, growth, spread of seeds, protection of the soil, and death.
//!
//! A cell holds at most one plant. As in N. McDonald, "Procedural hydrology" (2020), a plant covers
//! its own cell and, less densely, its eight neighbours, and nothing grows in lakes or strong
//! streams. Each empty cell draws the positions from which its seeds come, so cells can be
//! processed independently.

use crate::hydrology::state::grid::Grid;
use crate::hydrology::state::random::{
    DRAWS, RandomRound, STREAMS, fill_draws, scale_below, to_uniform,
};
use crate::parallel;
use crate::parameter::{Range, parameters};
use multiversion::multiversion;
use serde::{Deserialize, Serialize};

parameters! {
    /// Habitat and growth of one kind of plant.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Niche {
        /// Smallest soil moisture at which the plant grows. Moisture is 0 on a ridge, ½ where the
        /// upstream area equals the parameter `stream`, and 1 beside a lake.
        driest: f64 = 0.0; Live, "driest", "1",
            |all| Range::new(0.0, all.wettest).depends_on("wettest"), [0.0, 1.0];
        /// Largest soil moisture at which the plant grows, on the scale of `driest`.
        wettest: f64 = 1.0; Live, "wettest", "1", |_| Range::new(0.0, 1.0), [0.0, 1.0];
        /// Steepest slope of the ground on which the plant grows.
        steepest: f64 = 1.0; Live, "steepest", "m per m", |_| Range::new(0.0, 10.0), [0.0, 2.0];
        /// Smallest relative height at which the plant grows. The relative height is 0 at sea
        /// level (without a sea, at the lowest point of the map) and 1 at the highest point.
        lowest: f64 = 0.0; Live, "lowest", "1",
            |all| Range::new(0.0, all.highest).depends_on("highest"), [0.0, 1.0];
        /// Largest relative height at which the plant grows, on the scale of `lowest`.
        highest: f64 = 1.0; Live, "highest", "1", |_| Range::new(0.0, 1.0), [0.0, 1.0];
        /// Growth rate: the difference between the size of a plant and its full size decreases at
        /// this rate per unit depth of rain.
        growth: f64 = 4.0; Live, "growth", "per drop per cell", |_| Range::new(0.0, 100.0), [0.0, 20.0];
        /// Largest age that a plant can reach, measured as depth of rain.
        lifetime: f64 = 4.0; Live, "lifetime", "drops per cell", |_| Range::new(0.01, 1e6), [0.1, 20.0];
        /// Mean number of seeds that reach a cell per unit depth of rain.
        seeds: f64 = 20.0; Live, "seeds", "per drop per cell", |_| Range::new(0.0, 1000.0), [0.0, 100.0];
    }
    and {
        /// Name of this kind of plant.
        name: String = "plant".into();
    }
}

impl Niche {
    /// Returns the default kinds of plants: willows beside water, beeches on slopes, and pines at
    /// high altitude.
    pub fn default_niches() -> Vec<Niche> {
        let willow = Niche {
            name: "willow".into(),
            driest: 0.08,
            steepest: 0.5,
            highest: 0.6,
            growth: 8.0,
            lifetime: 2.0,
            ..Niche::default()
        };
        let beech = Niche {
            name: "beech".into(),
            driest: 0.005,
            wettest: 0.3,
            steepest: 0.7,
            highest: 0.6,
            ..Niche::default()
        };
        let pine = Niche {
            name: "pine".into(),
            wettest: 0.15,
            steepest: 1.0,
            lowest: 0.35,
            highest: 0.85,
            growth: 2.5,
            lifetime: 8.0,
            ..Niche::default()
        };
        vec![willow, beech, pine]
    }
}

/// Plant in a cell. An empty cell has a plant of kind 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plant {
    /// Kind of plant: 0 for an empty cell, 1 for the first entry of
    /// [`Params::plants`](crate::hydrology::Params::plants), and so on.
    pub kind: u8,
    /// Size of the plant relative to full size (in units of 1/65535).
    pub size: u16,
    /// Age of the plant, measured as depth of rain (in units of 1/65536 of one drop per cell).
    pub age: u32,
}

impl Plant {
    /// Smallest size at which a plant produces seeds: a third of the full size.
    const ADULT: u16 = u16::MAX / 3;

    fn relative_size(self) -> f32 {
        f32::from(self.size) / f32::from(u16::MAX)
    }
}

/// Largest distance between a seed and its parent plant, in multiples of the length unit of the
/// land (the parameter `unit`). The value is that of McDonald 2020.
pub(in crate::hydrology) const SEED_RANGE: f64 = 4.0;
/// Fraction of seeds that arrive without a parent, so that an extinct kind can return.
const STRAY_SEED_FRACTION: f32 = 0.002;
/// Largest strength of a stream (0 to 1) in which plants survive.
const MAX_STREAM_STRENGTH: f32 = 0.5;
/// Ratio of a bank's moisture to the strength of the adjacent stream.
const BANK_MOISTURE_FACTOR: f32 = 0.5;
/// Plant cover that a full-size plant adds to its own cell, to each edge neighbour and to each
/// corner neighbour, as in McDonald 2020.
const COVER: [f32; 3] = [1.0, 0.6, 0.4];
/// Number of cells of a row that are processed in one pass.
const CELLS_PER_PASS: usize = 128;

pub(in crate::hydrology) struct GrowthMaps<'a, Lake> {
    pub(in crate::hydrology) grid: Grid,
    /// Index, in the whole map, of the first cell that these maps contain. Random numbers are drawn
    /// by cell index, so that processing parts of a map gives the same result as processing the
    /// whole map.
    pub(in crate::hydrology) first: u64,
    /// Ground elevation of each cell (m).
    pub(in crate::hydrology) bed: &'a [f32],
    /// Side of a cell (m).
    pub(in crate::hydrology) size: f32,
    pub(in crate::hydrology) seed_range: usize,
    /// Ground elevation (m) that corresponds to a relative height of 0.
    pub(in crate::hydrology) base: f32,
    /// Reciprocal of the difference between the highest elevation on the map and `base` (1/m).
    pub(in crate::hydrology) scale: f32,
    /// Upstream area of each cell (cells).
    pub(in crate::hydrology) area: &'a [f32],
    /// Upstream area at which the strength of a stream is ½ (cells).
    pub(in crate::hydrology) half_area: f32,
    /// Callback that returns whether a lake or the sea covers the cell with the given number.
    pub(in crate::hydrology) is_water: Lake,
    pub(in crate::hydrology) round: RandomRound,
    pub(in crate::hydrology) rain: f32,
}

impl<Lake: Fn(usize) -> bool + Sync> GrowthMaps<'_, Lake> {
    fn stream_strength(&self, cell: usize) -> f32 {
        let area = self.area[cell];
        area / (area + self.half_area)
    }

    fn is_wet(&self, cell: usize) -> bool {
        self.stream_strength(cell) > MAX_STREAM_STRENGTH || (self.is_water)(cell)
    }

    fn is_suitable(&self, cell: usize, niche: &Niche) -> bool {
        let (x, y) = self.grid.column_and_row(cell);
        let height = (self.bed[cell] - self.base) * self.scale;
        if !(niche.lowest as f32..=niche.highest as f32).contains(&height) {
            return false;
        }
        let slope = |offset, opposite| {
            let a = self.grid.neighbour((x, y), offset).unwrap_or(cell);
            let b = self.grid.neighbour((x, y), opposite).unwrap_or(cell);
            (self.bed[a] - self.bed[b]) / (2.0 * self.size)
        };
        let (east, south) = (slope((1, 0), (-1, 0)), slope((0, 1), (0, -1)));
        if east * east + south * south > (niche.steepest * niche.steepest) as f32 {
            return false;
        }
        let shore = self.grid.neighbours(cell).any(|i| (self.is_water)(i));
        let strongest =
            self.grid.neighbours(cell).map(|i| self.stream_strength(i)).fold(0.0, f32::max);
        let water = if shore {
            1.0
        } else {
            self.stream_strength(cell).max(BANK_MOISTURE_FACTOR * strongest)
        };
        (niche.driest as f32..=niche.wettest as f32).contains(&water)
    }

    fn grow_plant(&self, cell: usize, plant: Plant, niche: &Niche, draws: [u64; DRAWS]) -> Plant {
        if self.is_wet(cell) {
            return Plant::default();
        }
        // Death can come at any time, but no later than at the maximum age.
        let end = self.rain / niche.lifetime as f32;
        let age = plant.age.saturating_add((self.rain * 65536.0) as u32);
        let stays = f64::from(age) < niche.lifetime * 65536.0 && to_uniform(draws[0]) > end;
        // Plants on unsuitable sites die twenty times as fast.
        if !stays || to_uniform(draws[1]) <= 20.0 * end && !self.is_suitable(cell, niche) {
            return Plant::default();
        }
        let missing = f32::from(u16::MAX - plant.size);
        let grow_plant = (missing * (niche.growth as f32 * self.rain).min(1.0)) as u16;
        Plant { kind: plant.kind, size: plant.size + grow_plant, age }
    }

    fn germinate(&self, forest: ForestState, (x, y): (usize, usize), draws: [u64; DRAWS]) -> Plant {
        let cell = y * self.grid.nx + x;
        // For a seed without a parent, the second number selects the kind. For other seeds, the
        // second and third numbers select the position of the parent.
        let (kind, rest) = if to_uniform(draws[0]) < STRAY_SEED_FRACTION {
            (scale_below(draws[1], forest.niches.len()) + 1, [draws[2], draws[3]])
        } else {
            let offset = |draw| {
                scale_below(draw, 2 * self.seed_range + 1) as isize - self.seed_range as isize
            };
            let to_parent = (offset(draws[1]), offset(draws[2]));
            let from = self
                .grid
                .neighbour((x, y), to_parent)
                .map(|i| forest.plants[i])
                .unwrap_or_default();
            let bears = from.size >= Plant::ADULT;
            (if bears { usize::from(from.kind) } else { 0 }, [draws[3], draws[4]])
        };
        // Test the germination probability first, because it is cheap and usually fails.
        let comes = (to_uniform(rest[0]) < forest.seeds[usize::from(kind as u8)])
            & (to_uniform(rest[1]) > forest.cover[cell]);
        let niche = kind.checked_sub(1).filter(|_| comes).and_then(|k| forest.niches.get(k));
        match niche {
            Some(niche) if !self.is_wet(cell) && self.is_suitable(cell, niche) => {
                Plant { kind: kind as u8, size: 0, age: 0 }
            }
            _ => Plant::default(),
        }
    }

    fn grow_row(&self, forest: ForestState, y: usize, row: &mut [Plant]) {
        let first = y * self.grid.nx;
        let mut draws = [[0; STREAMS]; DRAWS];
        for (k, plants) in row.chunks_mut(STREAMS).enumerate() {
            let start = k * STREAMS;
            fill_draws(self.round, self.first + (first + start) as u64, &mut draws);
            for (i, next) in plants.iter_mut().enumerate() {
                let (x, draws) = (start + i, std::array::from_fn(|k| draws[k][i]));
                let plant = forest.plants[first + x];
                let niche =
                    usize::from(plant.kind).checked_sub(1).and_then(|k| forest.niches.get(k));
                *next = match niche {
                    Some(niche) => self.grow_plant(first + x, plant, niche, draws),
                    None => self.germinate(forest, (x, y), draws),
                };
            }
        }
    }
}

#[derive(Clone, Copy)]
struct ForestState<'a> {
    plants: &'a [Plant],
    cover: &'a [f32],
    niches: &'a [Niche],
    /// For each kind of plant, the probability that one of its seeds reaches a given cell in this
    /// round; 0 for unused kinds.
    seeds: &'a [f32; 256],
}

/// Simulates one round of germination, growth and death. The caller must have updated the plant
/// cover with [`compute_cover`]. `scratch` is temporary memory, whose contents do not matter.
pub(in crate::hydrology) fn grow_plants(
    maps: &GrowthMaps<impl Fn(usize) -> bool + Sync>,
    plants: &mut Vec<Plant>,
    cover: &[f32],
    scratch: &mut Vec<Plant>,
    niches: &[Niche],
) {
    if niches.is_empty() {
        return;
    }
    let grid = maps.grid;
    scratch.resize(plants.len(), Plant::default());
    let mut seeds = [0.0; 256];
    for (seeds, niche) in seeds[1..].iter_mut().zip(niches) {
        *seeds = niche.seeds as f32 * maps.rain;
    }
    let forest = ForestState { plants, cover, niches, seeds: &seeds };
    parallel::for_each_row(scratch, grid.nx, |y, row| maps.grow_row(forest, y, row));
    std::mem::swap(plants, scratch);
}

pub(in crate::hydrology) fn compute_cover(grid: Grid, plants: &[Plant], cover: &mut [f32]) {
    parallel::for_each_row(cover, grid.nx, |y, row| {
        let of_row = |y: usize| &plants[y * grid.nx..][..grid.nx];
        let rows = [
            if y > 0 { of_row(y - 1) } else { &[] },
            of_row(y),
            if y + 1 < grid.ny { of_row(y + 1) } else { &[] },
        ];
        for (k, cover) in row.chunks_mut(CELLS_PER_PASS).enumerate() {
            compute_cover_row(rows, k * CELLS_PER_PASS, cover);
        }
    });
}

/// Computes the plant cover of consecutive cells of a row, starting at column `first`. `rows` holds
/// the plants of the row to the north, of the row itself and of the row to the south. A row off the
/// map is empty.
#[multiversion(targets = "simd")]
fn compute_cover_row(rows: [&[Plant]; 3], first: usize, cover: &mut [f32]) {
    // Sizes with one padding cell on each side. No plants grow off the map.
    let mut sizes = [[0.0_f32; CELLS_PER_PASS + 2]; 3];
    let skipped = usize::from(first == 0);
    for (row, sizes) in rows.iter().zip(&mut sizes) {
        if let Some(plants) = row.get((first + skipped).saturating_sub(1)..) {
            for (size, plant) in sizes[skipped..].iter_mut().zip(plants) {
                *size = plant.relative_size();
            }
        }
    }
    let [north, own, south] = &sizes;
    let [own_part, side, corner] = COVER;
    for (i, cover) in cover.iter_mut().enumerate() {
        // The neighbours are listed clockwise from the east.
        let neighbour_cover = side * own[i + 2]
            + corner * south[i + 2]
            + side * south[i + 1]
            + corner * south[i]
            + side * own[i]
            + corner * north[i]
            + side * north[i + 1]
            + corner * north[i + 2];
        *cover = own_part * own[i + 1] + neighbour_cover;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hydrology::state::grid::DIRECTIONS;

    fn cover_at(grid: Grid, plants: &[Plant], (x, y): (usize, usize)) -> f32 {
        let neighbour_cover = DIRECTIONS.iter().enumerate().filter_map(|(k, &offset)| {
            grid.neighbour((x, y), offset).map(|i| COVER[1 + k % 2] * plants[i].relative_size())
        });
        COVER[0] * plants[y * grid.nx + x].relative_size() + neighbour_cover.sum::<f32>()
    }

    #[test]
    fn row_cover_matches_cell_cover() {
        for (nx, ny) in [
            (3, 3),
            (CELLS_PER_PASS - 1, 4),
            (CELLS_PER_PASS, 3),
            (CELLS_PER_PASS + 1, 5),
            (2 * CELLS_PER_PASS + 7, 3),
        ] {
            let grid = Grid { nx, ny };
            let size = |i: usize| if i % 3 == 1 { 0 } else { (i * i * 7919 + 13 * i) as u16 };
            let plants: Vec<Plant> =
                (0..nx * ny).map(|i| Plant { kind: 1, size: size(i), age: 0 }).collect();
            let mut cover = vec![-1.0; nx * ny];
            compute_cover(grid, &plants, &mut cover);
            for (i, cover) in cover.iter().enumerate() {
                let plain = cover_at(grid, &plants, grid.column_and_row(i));
                assert_eq!(cover.to_bits(), plain.to_bits(), "{i} of {nx} × {ny}");
            }
        }
    }
}

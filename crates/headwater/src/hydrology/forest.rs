//! Plants: they come up where it suits them, grow, seed, hold the soil, and die.
//!
//! A cell bears one plant at most. As in the article, a plant lends cover to its own cell and less
//! to the eight around, and nothing grows in lakes or strong streams. Seeds are looked for from
//! each empty cell, so that all cells are independent.
//! can be looked at at once.

use super::grid::Grid;
use super::random::{DRAWS, Round, STREAMS, below, draw, part};
use crate::parallel;
use crate::parameter::{Range, parameters};
use multiversion::multiversion;
use serde::{Deserialize, Serialize};

parameters! {
    /// Where a kind of plant grows, and how.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Niche {
        /// The least water it needs: 0 on a ridge, ½ where [`Params::stream`](super::Params::stream) cells drain to, 1 beside
        /// a lake.
        driest: f64 = 0.0; Live, "driest", "1",
            |all| Range::new(0.0, all.wettest).depends_on("wettest"), [0.0, 1.0];
        /// The most water it stands.
        wettest: f64 = 1.0; Live, "wettest", "1", |_| Range::new(0.0, 1.0), [0.0, 1.0];
        /// The steepest slope it stands on.
        steepest: f64 = 1.0; Live, "steepest", "m per m", |_| Range::new(0.0, 10.0), [0.0, 2.0];
        /// The lowest it grows, 0 being the lowest point of the map, or the sea, and 1 the highest.
        lowest: f64 = 0.0; Live, "lowest", "1",
            |all| Range::new(0.0, all.highest).depends_on("highest"), [0.0, 1.0];
        /// The highest it grows.
        highest: f64 = 1.0; Live, "highest", "1", |_| Range::new(0.0, 1.0), [0.0, 1.0];
        /// How fast it grows: the part of what is missing to its full size that it gains for each depth of rain.
        growth: f64 = 4.0; Live, "growth", "per drop per cell", |_| Range::new(0.0, 100.0), [0.0, 20.0];
        /// How long it lives at most.
        lifetime: f64 = 4.0; Live, "lifetime", "drops per cell", |_| Range::new(0.01, 1e6), [0.1, 20.0];
        /// How many of its seeds reach a cell for each depth of rain.
        seeds: f64 = 20.0; Live, "seeds", "per drop per cell", |_| Range::new(0.0, 1000.0), [0.0, 100.0];
    }
    and {
        /// Its name.
        name: String = "plant".into();
    }
}

impl Niche {
    /// Willows along the water, beeches on the slopes, pines on the heights.
    pub fn three() -> Vec<Niche> {
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

/// A plant, or none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plant {
    /// Which of [`Params::plants`](super::Params::plants) it is, from 1; 0 for none.
    pub kind: u8,
    /// Its size, in 65535ths of the full one.
    pub size: u16,
    /// Its age, in 65536ths of a depth of rain.
    pub age: u32,
}

impl Plant {
    /// Size that bears seeds: a third.
    const ADULT: u16 = u16::MAX / 3;

    fn part(self) -> f32 {
        f32::from(self.size) / f32::from(u16::MAX)
    }
}

/// How far seeds fly (units), as the article's.
pub(super) const FLIGHT: f64 = 4.0;
/// The part of seeds that comes from nowhere, so that a kind can come back.
const STRAY: f32 = 0.002;
/// Strength of a stream above which no plant stands in it.
const STRONG: f32 = 0.5;
/// How much of a stream's water its banks have.
const BANK: f32 = 0.5;
/// Cover that a plant lends to its own cell, those at its sides and those at its corners (the article's).
const COVER: [f32; 3] = [1.0, 0.6, 0.4];
/// Cells of a row that cover is found for at once.
const SPAN: usize = 128;

pub(super) struct Site<'a, Lake> {
    pub(super) grid: Grid,
    /// The number on the map of the first cell: what random numbers go by.
    pub(super) first: u64,
    /// Heights, of the size of a cell (m).
    pub(super) bed: &'a [f32],
    pub(super) size: f32,
    pub(super) flight: usize,
    /// The height that counts as lowest, and 1 over the span to the highest.
    pub(super) base: f32,
    pub(super) scale: f32,
    /// Cells that drain to each cell, and to a stream half as strong as streams get.
    pub(super) area: &'a [f32],
    pub(super) half: f32,
    /// Whether a lake or the sea stands over a cell.
    pub(super) lake: Lake,
    pub(super) round: Round,
    pub(super) rain: f32,
}

impl<Lake: Fn(usize) -> bool + Sync> Site<'_, Lake> {
    fn stream(&self, cell: usize) -> f32 {
        let area = self.area[cell];
        area / (area + self.half)
    }

    fn is_wet(&self, cell: usize) -> bool {
        self.stream(cell) > STRONG || (self.lake)(cell)
    }

    fn suits(&self, cell: usize, niche: &Niche) -> bool {
        let (x, y) = self.grid.at(cell);
        let height = (self.bed[cell] - self.base) * self.scale;
        if !(niche.lowest as f32..=niche.highest as f32).contains(&height) {
            return false;
        }
        let along = |way, opposite| {
            let a = self.grid.beside((x, y), way).unwrap_or(cell);
            let b = self.grid.beside((x, y), opposite).unwrap_or(cell);
            (self.bed[a] - self.bed[b]) / (2.0 * self.size)
        };
        let (east, south) = (along((1, 0), (-1, 0)), along((0, 1), (0, -1)));
        if east * east + south * south > (niche.steepest * niche.steepest) as f32 {
            return false;
        }
        let shore = self.grid.neighbours(cell).any(|i| (self.lake)(i));
        let beside = self.grid.neighbours(cell).map(|i| self.stream(i)).fold(0.0, f32::max);
        let water = if shore { 1.0 } else { self.stream(cell).max(BANK * beside) };
        (niche.driest as f32..=niche.wettest as f32).contains(&water)
    }

    fn grown(&self, cell: usize, plant: Plant, niche: &Niche, draws: [u64; DRAWS]) -> Plant {
        if self.is_wet(cell) {
            return Plant::default();
        }
        // The end comes any time, but no later than the lifetime.
        let end = self.rain / niche.lifetime as f32;
        let age = plant.age.saturating_add((self.rain * 65536.0) as u32);
        let stays = f64::from(age) < niche.lifetime * 65536.0 && part(draws[0]) > end;
        // Where a place has come to suit it no longer, it dies twenty times as soon.
        if !stays || part(draws[1]) <= 20.0 * end && !self.suits(cell, niche) {
            return Plant::default();
        }
        let left = f32::from(u16::MAX - plant.size);
        let grown = (left * (niche.growth as f32 * self.rain).min(1.0)) as u16;
        Plant { kind: plant.kind, size: plant.size + grown, age }
    }

    fn sprout(&self, now: Now, (x, y): (usize, usize), draws: [u64; DRAWS]) -> Plant {
        let cell = y * self.grid.nx + x;
        // Of stray seeds the second number says the kind, of others that and the third where they come from.
        let (kind, rest) = if part(draws[0]) < STRAY {
            (below(draws[1], now.niches.len()) + 1, [draws[2], draws[3]])
        } else {
            let offset = |draw| below(draw, 2 * self.flight + 1) as isize - self.flight as isize;
            let way = (offset(draws[1]), offset(draws[2]));
            let from = self.grid.beside((x, y), way).map(|i| now.plants[i]).unwrap_or_default();
            let bears = from.size >= Plant::ADULT;
            (if bears { usize::from(from.kind) } else { 0 }, [draws[3], draws[4]])
        };
        // Whether one comes is soonest known, and mostly it does not.
        let comes = (part(rest[0]) < now.seeds[usize::from(kind as u8)])
            & (part(rest[1]) > now.cover[cell]);
        let niche = kind.checked_sub(1).filter(|_| comes).and_then(|k| now.niches.get(k));
        match niche {
            Some(niche) if !self.is_wet(cell) && self.suits(cell, niche) => {
                Plant { kind: kind as u8, size: 0, age: 0 }
            }
            _ => Plant::default(),
        }
    }

    fn next(&self, now: Now, y: usize, row: &mut [Plant]) {
        let first = y * self.grid.nx;
        let mut draws = [[0; STREAMS]; DRAWS];
        for (k, plants) in row.chunks_mut(STREAMS).enumerate() {
            let start = k * STREAMS;
            draw(self.round, self.first + (first + start) as u64, &mut draws);
            for (i, next) in plants.iter_mut().enumerate() {
                let (x, draws) = (start + i, std::array::from_fn(|k| draws[k][i]));
                let plant = now.plants[first + x];
                let niche = usize::from(plant.kind).checked_sub(1).and_then(|k| now.niches.get(k));
                *next = match niche {
                    Some(niche) => self.grown(first + x, plant, niche, draws),
                    None => self.sprout(now, (x, y), draws),
                };
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Now<'a> {
    plants: &'a [Plant],
    cover: &'a [f32],
    niches: &'a [Niche],
    /// By kind, how likely one of its seeds reaches a cell; 0 for none.
    seeds: &'a [f32; 256],
}

/// One round: plants come up, grow and die. Their cover has yet to be [found](shade_all). `after` lends its memory.
pub(super) fn grow(
    site: &Site<impl Fn(usize) -> bool + Sync>,
    plants: &mut Vec<Plant>,
    cover: &[f32],
    after: &mut Vec<Plant>,
    niches: &[Niche],
) {
    if niches.is_empty() {
        return;
    }
    let grid = site.grid;
    after.resize(plants.len(), Plant::default());
    let mut seeds = [0.0; 256];
    for (seeds, niche) in seeds[1..].iter_mut().zip(niches) {
        *seeds = niche.seeds as f32 * site.rain;
    }
    let now = Now { plants, cover, niches, seeds: &seeds };
    parallel::for_each_row(after, grid.nx, |y, row| site.next(now, y, row));
    std::mem::swap(plants, after);
}

pub(super) fn shade_all(grid: Grid, plants: &[Plant], cover: &mut [f32]) {
    parallel::for_each_row(cover, grid.nx, |y, row| {
        let of_row = |y: usize| &plants[y * grid.nx..][..grid.nx];
        let rows = [
            if y > 0 { of_row(y - 1) } else { &[] },
            of_row(y),
            if y + 1 < grid.ny { of_row(y + 1) } else { &[] },
        ];
        for (k, cover) in row.chunks_mut(SPAN).enumerate() {
            shade(rows, k * SPAN, cover);
        }
    });
}

/// The cover over cells of a row, from one on, by three rows of plants; off the map rows are empty.
#[multiversion(targets = "simd")]
fn shade(rows: [&[Plant]; 3], first: usize, cover: &mut [f32]) {
    // Sizes, with one more cell to each side; no plants off the map.
    let mut sizes = [[0.0_f32; SPAN + 2]; 3];
    let skipped = usize::from(first == 0);
    for (row, sizes) in rows.iter().zip(&mut sizes) {
        if let Some(plants) = row.get((first + skipped).saturating_sub(1)..) {
            for (size, plant) in sizes[skipped..].iter_mut().zip(plants) {
                *size = plant.part();
            }
        }
    }
    let [north, own, south] = &sizes;
    let [own_part, side, corner] = COVER;
    for (i, cover) in cover.iter_mut().enumerate() {
        // Clockwise from the east.
        let lent = side * own[i + 2]
            + corner * south[i + 2]
            + side * south[i + 1]
            + corner * south[i]
            + side * own[i]
            + corner * north[i]
            + side * north[i + 1]
            + corner * north[i + 2];
        *cover = own_part * own[i + 1] + lent;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hydrology::grid::DIRECTIONS;

    fn cover_of(grid: Grid, plants: &[Plant], (x, y): (usize, usize)) -> f32 {
        let lent = DIRECTIONS.iter().enumerate().filter_map(|(k, &way)| {
            grid.beside((x, y), way).map(|i| COVER[1 + k % 2] * plants[i].part())
        });
        COVER[0] * plants[y * grid.nx + x].part() + lent.sum::<f32>()
    }

    #[test]
    fn rows_are_shaded_as_cells_are() {
        for (nx, ny) in [(3, 3), (SPAN - 1, 4), (SPAN, 3), (SPAN + 1, 5), (2 * SPAN + 7, 3)] {
            let grid = Grid { nx, ny };
            let size = |i: usize| if i % 3 == 1 { 0 } else { (i * i * 7919 + 13 * i) as u16 };
            let plants: Vec<Plant> =
                (0..nx * ny).map(|i| Plant { kind: 1, size: size(i), age: 0 }).collect();
            let mut cover = vec![-1.0; nx * ny];
            shade_all(grid, &plants, &mut cover);
            for (i, cover) in cover.iter().enumerate() {
                let plain = cover_of(grid, &plants, grid.at(i));
                assert_eq!(cover.to_bits(), plain.to_bits(), "{i} of {nx} × {ny}");
            }
        }
    }
}

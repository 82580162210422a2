//! The saddles between the basins of a bed, and out of the map.

use super::grid::DIRECTIONS;
use super::terrain::Terrain;
use crate::parallel;
use crate::scratch::{PooledVec, ScratchPool};
use multiversion::multiversion;
use std::ops::Range;

pub(super) const OFF: u32 = u32::MAX;
pub(super) const SEA: u32 = u32::MAX - 1;

/// Two neighbours in different basins, `a` of the lower number; `b` is [`OFF`] or [`SEA`] off the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Saddle {
    pub(super) height: i64,
    /// The lower of the two: of two ways down from one cell, water takes the steeper.
    pub(super) low: i64,
    pub(super) a: u32,
    pub(super) b: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Joint {
    pub(super) saddle: Saddle,
    pub(super) basins: [u32; 2],
}

impl Joint {
    pub(super) fn of(saddle: Saddle, label: &[u32]) -> Self {
        let beyond = if saddle.b < SEA { label[saddle.b as usize] } else { OFF };
        Self { saddle, basins: [label[saddle.a as usize], beyond] }
    }
}

/// Of the eight neighbours, those at a cell's sides, and those of higher numbers.
const SIDES: u8 = 0b0101_0101;
const FIRST: u8 = 0b0000_1111;

const SPAN: usize = 64;

/// The saddles of basins, from the lowest: for each two basins that touch, the lowest between them, and some of the others.
pub(super) fn find<'s>(
    terrain: Terrain,
    label: &[u32],
    scratch: &'s ScratchPool,
) -> PooledVec<'s, Saddle> {
    find_in(terrain, label, 0..terrain.grid.ny, scratch)
}

/// The same for saddles down from cells of some rows, which reads one row more on each side.
pub(super) fn find_in<'s>(
    terrain: Terrain,
    label: &[u32],
    rows: Range<usize>,
    scratch: &'s ScratchPool,
) -> PooledVec<'s, Saddle> {
    let grid = terrain.grid;
    let mut saddles = parallel::collect_rows(scratch, rows.len(), grid.nx, |i, found| {
        let y = rows.start + i;
        let mut edge = |x: usize| {
            around((x, y), terrain, label, found);
            way_out((x, y), terrain, found);
        };
        edge(0);
        if y == 0 || y + 1 == grid.ny {
            (1..grid.nx - 1).for_each(&mut edge);
        }
        edge(grid.nx - 1);
        if y == 0 || y + 1 == grid.ny {
            return;
        }
        let rows = [y - 1, y, y + 1].map(|y| y * grid.nx..(y + 1) * grid.nx);
        let labels = rows.clone().map(|row| &label[row]);
        let heights = rows.map(|row| &terrain.bed[row]);
        for first in (1..grid.nx - 1).step_by(SPAN) {
            let mut ways = [0; SPAN];
            let ways = &mut ways[..SPAN.min(grid.nx - 1 - first)];
            let labels = labels.map(|row| &row[first - 1..]);
            if !differ(labels, ways.len()) {
                continue;
            }
            ways_down(labels, heights.map(|row| &row[first - 1..]), ways);
            for (i, &down) in ways.iter().enumerate().filter(|&(_, &down)| down != 0) {
                let ring = ring((first + i, y), terrain, label);
                steepest((first + i, y), terrain, &ring, down, found);
            }
        }
    });
    parallel::sort(&mut saddles);
    saddles
}

/// Whether the neighbours of `n` cells of a row are of several basins. The rows begin with the western neighbours of the first.
#[multiversion(targets = "simd")]
fn differ(labels: [&[u32]; 3], n: usize) -> bool {
    let one = labels[1][0];
    let mut other = 0;
    for row in labels {
        for label in &row[..n + 2] {
            other |= label ^ one;
        }
    }
    other != 0
}

/// Says of cells which of their [saddles down](saddles_down) count. The rows begin as in [`differ`].
#[multiversion(targets = "simd")]
fn ways_down(labels: [&[u32]; 3], heights: [&[i64]; 3], ways: &mut [u8]) {
    let n = ways.len();
    let (own, z) = (&labels[1][1..][..n], &heights[1][1..][..n]);
    let at =
        |row: usize, column: usize| (&labels[row][column..][..n], &heights[row][column..][..n]);
    // Clockwise from the east.
    let around = [at(1, 2), at(2, 2), at(2, 1), at(2, 0), at(1, 0), at(0, 0), at(0, 1), at(0, 2)];
    for i in 0..n {
        // As wide as heights are, so that a vector of these is one of those.
        let (mut down, mut through) = (0_u64, 0_u64);
        let mut k = 0;
        while k < around.len() {
            let (beside, below) = (around[k].0[i], around[k].1[i]);
            let other = u64::from(beside != own[i]);
            let lower = u64::from(below < z[i]);
            // Of two cells as high, the pair is that of the lower number.
            let is_first = FIRST >> k & 1 != 0;
            let leads_down = if is_first { u64::from(below <= z[i]) } else { lower };
            down |= (other & leads_down) << k;
            through |= (lower & (1 - other)) << k;
            k += 1;
        }
        ways[i] = saddles_down(down as u8, through as u8);
    }
}

fn way_out((x, y): (usize, usize), terrain: Terrain, found: &mut Vec<Saddle>) {
    let a = y * terrain.grid.nx + x;
    if let Some((height, sea)) = terrain.way_out(a) {
        let b = if sea { SEA } else { OFF };
        found.push(Saddle { height, low: i64::MIN, a: a as u32, b });
    }
}

/// Height and basin of each neighbour of a cell, clockwise from the east.
type Ring = [(i64, u32); 8];

fn ring((x, y): (usize, usize), terrain: Terrain, label: &[u32]) -> Ring {
    let Terrain { grid, bed, .. } = terrain;
    let a = y * grid.nx + x;
    // What is off the map is of the same basin, and no way down.
    let mut ring = [(i64::MAX, label[a]); 8];
    let nx = grid.nx as isize;
    let ways = DIRECTIONS.map(|(dx, dy)| dy * nx + dx);
    if grid.is_inside(x, y) {
        for (beside, way) in ring.iter_mut().zip(ways) {
            let cell = a.wrapping_add_signed(way);
            *beside = (bed[cell], label[cell]);
        }
    } else {
        for (beside, &way) in ring.iter_mut().zip(&DIRECTIONS) {
            if let Some(cell) = grid.beside((x, y), way) {
                *beside = (bed[cell], label[cell]);
            }
        }
    }
    ring
}

/// Which saddles from a cell down to its neighbours count, a bit for each, clockwise from the east:
/// those to neighbours of `down` without a lower one between the same basins next to them.
/// `through` are lower cells of its own basin.
#[inline]
fn saddles_down(down: u8, through: u8) -> u8 {
    // There is as low a way from a lower cell of this basin that touches both.
    let beside = through.rotate_left(1) | through.rotate_right(1);
    let across = through.rotate_left(2) | through.rotate_right(2);
    down & !(beside | across & SIDES)
}

/// The saddles from a cell down to its neighbours, but for those of which a lower one between the same basins is next to them.
fn around((x, y): (usize, usize), terrain: Terrain, label: &[u32], found: &mut Vec<Saddle>) {
    let a = y * terrain.grid.nx + x;
    let (own, z) = (label[a], terrain.bed[a]);
    let ring = ring((x, y), terrain, label);
    let bits =
        |is: &dyn Fn(usize) -> bool| (0..8).fold(0_u8, |bits, k| bits | u8::from(is(k)) << k);
    let others = bits(&|k| ring[k].1 != own);
    let lower = bits(&|k| ring[k].0 < z);
    let level = bits(&|k| ring[k].0 == z);
    // A pair once: from the higher cell, of two as high from that of the lower number.
    let down = saddles_down(others & (lower | level & FIRST), lower & !others);
    steepest((x, y), terrain, &ring, down, found);
}

/// Of the saddles from a cell down to some of the neighbours in its ring, the steepest to each basin.
fn steepest(
    (x, y): (usize, usize),
    terrain: Terrain,
    ring: &Ring,
    mut down: u8,
    found: &mut Vec<Saddle>,
) {
    let Terrain { grid, bed, .. } = terrain;
    let a = y * grid.nx + x;
    let z = bed[a];
    while down != 0 {
        let k = down.trailing_zeros() as usize;
        down &= down - 1;
        let (height, basin) = ring[k];
        // There is a steeper way to that basin from here.
        if ring.iter().any(|&(other, label)| label == basin && other < height) {
            continue;
        }
        let (dx, dy) = DIRECTIONS[k];
        let b = a.wrapping_add_signed(dy * grid.nx as isize + dx);
        let (a, b) = (a.min(b) as u32, a.max(b) as u32);
        found.push(Saddle { height: z, low: height, a, b });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hydrology::basins::Basins;
    use crate::hydrology::grid::Grid;
    use crate::hydrology::params::{EdgeKind, Edges};
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// For each two basins, the first of all pairs of neighbours in them.
    fn firsts(saddles: impl Iterator<Item = Saddle>, label: &[u32]) -> BTreeMap<[u32; 2], Saddle> {
        let mut all = BTreeMap::new();
        for saddle in saddles {
            let to = label.get(saddle.b as usize).copied().unwrap_or(saddle.b);
            let mut basins = [label[saddle.a as usize], to];
            basins.sort_unstable();
            let first = all.entry(basins).or_insert(saddle);
            *first = saddle.min(*first);
        }
        all
    }

    proptest! {
        #[test]
        fn the_first_saddle_of_each_two_basins_is_found(
            (nx, ny) in (3..40_usize, 3..9_usize),
            heights in prop::collection::vec(prop_oneof![-3..4_i64, -999..999_i64], 360),
            steep in 1..9_i64,
        ) {
            let grid = Grid { nx, ny };
            // Some of it smooth, so that basins are larger than a few cells.
            let smooth = |(i, z): (usize, &i64)| {
                let (x, y) = (i as i64 % 17, i as i64 % 5);
                steep * steep * ((x - 8) * (x - 8) + 3 * (y - 2) * (y - 2)) + z / steep
            };
            let bed: Vec<i64> = heights[..grid.cells()].iter().enumerate().map(smooth).collect();
            let edges = Edges { west: EdgeKind::Wall, south: EdgeKind::Sea, ..Edges::default() };
            let terrain = Terrain { grid, bed: &bed, edges: &edges, sea: 1 };
            let mut label = Vec::new();
            Basins::default().find(grid, &bed, &mut label, &ScratchPool::default());
            let mut every = Vec::new();
            for a in 0..grid.cells() {
                way_out(grid.at(a), terrain, &mut every);
                for b in grid.neighbours(a).filter(|&b| a < b && label[a] != label[b]) {
                    let (height, low) = (bed[a].max(bed[b]), bed[a].min(bed[b]));
                    every.push(Saddle { height, low, a: a as u32, b: b as u32 });
                }
            }
            let scratch = ScratchPool::default();
            let found = find(terrain, &label, &scratch);
            prop_assert!(found.is_sorted());
            prop_assert!(found.iter().all(|saddle| every.contains(saddle)));
            prop_assert_eq!(
                firsts(found.iter().copied(), &label),
                firsts(every.into_iter(), &label)
            );
        }
    }
}

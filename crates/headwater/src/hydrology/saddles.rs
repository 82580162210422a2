//! The saddles between the basins of a bed, and out of the map.

use super::grid::{DIRECTIONS, Grid};
use super::terrain::Terrain;
use crate::parallel;
use crate::spare::{Lent, Spare};
use multiversion::multiversion;

/// What lies off the map.
pub(super) const OFF: u32 = u32::MAX;
/// What lies beyond an edge to the sea.
pub(super) const SEA: u32 = u32::MAX - 1;

/// Two neighbours in different basins, `a` of the lower number; `b` is [`OFF`] or [`SEA`] off the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Saddle {
    pub(super) height: i64,
    /// The lower of the two: of two ways down from one cell, water takes the steeper.
    low: i64,
    pub(super) a: u32,
    pub(super) b: u32,
}

/// Cells that are looked at together.
const SPAN: usize = 128;

/// The saddles of basins, from the lowest: for each two basins that touch, the lowest between them, and some of the others.
pub(super) fn find<'s>(terrain: Terrain, label: &[u32], spare: &'s Spare) -> Lent<'s, Saddle> {
    let grid = terrain.grid;
    let mut saddles = parallel::gather_rows(spare, grid.ny, grid.nx, |y, found| {
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
        let rows = [y - 1, y, y + 1].map(|y| &label[y * grid.nx..][..grid.nx]);
        for first in (1..grid.nx - 1).step_by(SPAN) {
            let mut apart = [false; SPAN];
            let apart = &mut apart[..SPAN.min(grid.nx - 1 - first)];
            borders(rows.map(|row| &row[first - 1..]), apart);
            for (i, _) in apart.iter().enumerate().filter(|&(_, &apart)| apart) {
                around((first + i, y), terrain, label, found);
            }
        }
    });
    parallel::sort(&mut saddles);
    saddles
}

/// Says of cells whether any neighbour is of another basin. The rows begin with the western neighbours of the first one.
#[multiversion(targets = "simd")]
fn borders(rows: [&[u32]; 3], apart: &mut [bool]) {
    let n = apart.len();
    let [north, own, south] = rows;
    let (nw, n_, ne) = (&north[..n], &north[1..][..n], &north[2..][..n]);
    let (w, o, e) = (&own[..n], &own[1..][..n], &own[2..][..n]);
    let (sw, s, se) = (&south[..n], &south[1..][..n], &south[2..][..n]);
    for i in 0..n {
        let o = o[i];
        let sides = (w[i] ^ o) | (e[i] ^ o) | (n_[i] ^ o) | (s[i] ^ o);
        let corners = (nw[i] ^ o) | (ne[i] ^ o) | (sw[i] ^ o) | (se[i] ^ o);
        apart[i] = (sides | corners) != 0;
    }
}

/// The way out of the map from a cell on its edge.
fn way_out((x, y): (usize, usize), terrain: Terrain, found: &mut Vec<Saddle>) {
    let a = y * terrain.grid.nx + x;
    if let Some((height, sea)) = terrain.way_out(a) {
        let b = if sea { SEA } else { OFF };
        found.push(Saddle { height, low: i64::MIN, a: a as u32, b });
    }
}

/// The saddles from a cell down to its neighbours, but for those of which a lower one between the same basins is next to them.
fn around((x, y): (usize, usize), terrain: Terrain, label: &[u32], found: &mut Vec<Saddle>) {
    let Terrain { grid, bed, .. } = terrain;
    let a = y * grid.nx + x;
    let (own, z) = (label[a], bed[a]);
    // Height and basin of each neighbour; what is off the map is of the same basin, and no way down.
    let mut ring = [(i64::MAX, own); 8];
    for (beside, &way) in ring.iter_mut().zip(&DIRECTIONS) {
        if let Some(cell) = neighbour(grid, (x, y), way) {
            *beside = (bed[cell], label[cell]);
        }
    }
    for (k, &(height, basin)) in ring.iter().enumerate() {
        // A pair once: from the higher cell, of two as high from that of the lower number.
        let first = (0..4).contains(&k);
        if basin == own || height > z || (height == z && !first) {
            continue;
        }
        // As low a way to that basin from a lower neighbour of both, or a steeper one from here.
        let at = |turn: usize| ring[(k + turn) % 8];
        let through = |turn: usize| at(turn).1 == own && at(turn).0 < z;
        let is_side = k % 2 == 0;
        let lower = through(1) || through(7) || is_side && (through(2) || through(6));
        if lower || ring.iter().any(|&(other, label)| label == basin && other < height) {
            continue;
        }
        let (dx, dy) = DIRECTIONS[k];
        let b = a.wrapping_add_signed(dy * grid.nx as isize + dx);
        let (a, b) = (a.min(b) as u32, a.max(b) as u32);
        found.push(Saddle { height: z, low: height, a, b });
    }
}

/// As [`Grid::beside`], sooner for a cell inside the map.
fn neighbour(grid: Grid, (x, y): (usize, usize), way: (isize, isize)) -> Option<usize> {
    if grid.is_inside(x, y) {
        return Some((y * grid.nx + x).wrapping_add_signed(way.1 * grid.nx as isize + way.0));
    }
    grid.beside((x, y), way)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hydrology::basins::Basins;
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
            Basins::default().find(grid, &bed, &mut label);
            let mut every = Vec::new();
            for a in 0..grid.cells() {
                way_out(grid.at(a), terrain, &mut every);
                for b in grid.neighbours(a).filter(|&b| a < b && label[a] != label[b]) {
                    let (height, low) = (bed[a].max(bed[b]), bed[a].min(bed[b]));
                    every.push(Saddle { height, low, a: a as u32, b: b as u32 });
                }
            }
            let spare = Spare::default();
            let found = find(terrain, &label, &spare);
            prop_assert!(found.is_sorted());
            prop_assert!(found.iter().all(|saddle| every.contains(saddle)));
            prop_assert_eq!(
                firsts(found.iter().copied(), &label),
                firsts(every.into_iter(), &label)
            );
        }
    }
}

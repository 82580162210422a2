//! Saddles between adjacent drainage basins, and between basins and the outside of the map.

use crate::hydrology::state::grid::DIRECTIONS;
use crate::hydrology::state::terrain::Terrain;
use crate::parallel;
use crate::scratch::{PooledVec, ScratchPool};
use multiversion::multiversion;
use std::ops::Range;

pub(in crate::hydrology) const OFF: u32 = u32::MAX;
pub(in crate::hydrology) const SEA: u32 = u32::MAX - 1;

/// Pair of neighbouring cells in different drainage basins, over which water can pass from one
/// basin to the other. Cell `a` has the lower cell number. `b` is [`OFF`] or [`SEA`] if the saddle
/// leads off the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::hydrology) struct Saddle {
    pub(in crate::hydrology) height: i64,
    /// Height of the lower of the two cells (quanta of 2⁻²⁰ m). If several saddles lead from the
    /// same cell to the same basin, the one with the lowest value is used, because water takes the
    /// steepest path.
    pub(in crate::hydrology) lower_height: i64,
    pub(in crate::hydrology) a: u32,
    pub(in crate::hydrology) b: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::hydrology) struct BasinLink {
    pub(in crate::hydrology) saddle: Saddle,
    pub(in crate::hydrology) basins: [u32; 2],
}

impl BasinLink {
    pub(in crate::hydrology) fn new(saddle: Saddle, label: &[u32]) -> Self {
        let beyond = if saddle.b < SEA { label[saddle.b as usize] } else { OFF };
        Self { saddle, basins: [label[saddle.a as usize], beyond] }
    }
}

/// Mask of the directions to the four edge neighbours of a cell.
const EDGE_NEIGHBOURS: u8 = 0b0101_0101;
/// Mask of the directions to the neighbours with higher cell numbers.
const HIGHER_NUMBERED: u8 = 0b0000_1111;

const CELLS_PER_PASS: usize = 64;

/// Returns the saddles between drainage basins, lowest first. The result contains the lowest saddle
/// between any two adjacent basins and can contain higher saddles between the same basins. `label`
/// holds the basin of each cell.
pub(in crate::hydrology) fn find_saddles<'s>(
    terrain: Terrain,
    label: &[u32],
    scratch: &'s ScratchPool,
) -> PooledVec<'s, Saddle> {
    find_saddles_in_rows(terrain, label, 0..terrain.grid.ny, scratch)
}

/// Returns those saddles of [`find_saddles`] whose cell with the higher ground lies in the given
/// range of map rows. Also reads the rows directly before and after this range.
pub(in crate::hydrology) fn find_saddles_in_rows<'s>(
    terrain: Terrain,
    label: &[u32],
    rows: Range<usize>,
    scratch: &'s ScratchPool,
) -> PooledVec<'s, Saddle> {
    let grid = terrain.grid;
    let mut saddles = parallel::collect_rows(scratch, rows.len(), grid.nx, |i, found| {
        let y = rows.start + i;
        let mut edge = |x: usize| {
            add_cell_saddles((x, y), terrain, label, found);
            add_edge_saddle((x, y), terrain, found);
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
        for first in (1..grid.nx - 1).step_by(CELLS_PER_PASS) {
            let mut directions = [0; CELLS_PER_PASS];
            let directions = &mut directions[..CELLS_PER_PASS.min(grid.nx - 1 - first)];
            let labels = labels.map(|row| &row[first - 1..]);
            if !spans_basins(labels, directions.len()) {
                continue;
            }
            write_downhill_saddles(labels, heights.map(|row| &row[first - 1..]), directions);
            for (i, &down) in directions.iter().enumerate().filter(|&(_, &down)| down != 0) {
                let ring = neighbour_ring((first + i, y), terrain, label);
                add_steepest_saddles((first + i, y), terrain, &ring, down, found);
            }
        }
    });
    parallel::sort(&mut saddles);
    saddles
}

/// Returns whether the 3 × 3 squares around `n` consecutive cells of a row contain cells of more
/// than one basin. The rows in `labels` start with the western neighbours of the first cell.
#[multiversion(targets = "simd")]
fn spans_basins(labels: [&[u32]; 3], n: usize) -> bool {
    let one = labels[1][0];
    let mut other = 0;
    for row in labels {
        for label in &row[..n + 2] {
            other |= label ^ one;
        }
    }
    other != 0
}

/// Writes a mask of directions for each cell of a row. The mask contains the directions toward
/// lower neighbours that [`select_saddles`] selects. The rows in `labels` and `heights` start with
/// the western neighbours of the first cell.
#[multiversion(targets = "simd")]
fn write_downhill_saddles(labels: [&[u32]; 3], heights: [&[i64]; 3], directions: &mut [u8]) {
    let n = directions.len();
    let (own, z) = (&labels[1][1..][..n], &heights[1][1..][..n]);
    let at =
        |row: usize, column: usize| (&labels[row][column..][..n], &heights[row][column..][..n]);
    // The neighbours are listed clockwise from the east.
    let neighbours =
        [at(1, 2), at(2, 2), at(2, 1), at(2, 0), at(1, 0), at(0, 0), at(0, 1), at(0, 2)];
    for i in 0..n {
        // These integers are as wide as heights, so that both use vectors of the same length.
        let (mut down, mut through) = (0_u64, 0_u64);
        let mut k = 0;
        while k < neighbours.len() {
            let (neighbour, below) = (neighbours[k].0[i], neighbours[k].1[i]);
            let other = u64::from(neighbour != own[i]);
            let lower = u64::from(below < z[i]);
            // Of two cells with equal heights, the one with the lower number counts as the higher
            // cell.
            let is_first = HIGHER_NUMBERED >> k & 1 != 0;
            let leads_down = if is_first { u64::from(below <= z[i]) } else { lower };
            down |= (other & leads_down) << k;
            through |= (lower & (1 - other)) << k;
            k += 1;
        }
        directions[i] = select_saddles(down as u8, through as u8);
    }
}

fn add_edge_saddle((x, y): (usize, usize), terrain: Terrain, found: &mut Vec<Saddle>) {
    let a = y * terrain.grid.nx + x;
    if let Some((height, sea)) = terrain.outflow_height(a) {
        let b = if sea { SEA } else { OFF };
        found.push(Saddle { height, lower_height: i64::MIN, a: a as u32, b });
    }
}

/// Height (quanta of 2⁻²⁰ m) and drainage basin of each of the eight neighbours of a cell,
/// clockwise from the east.
type NeighbourRing = [(i64, u32); 8];

fn neighbour_ring((x, y): (usize, usize), terrain: Terrain, label: &[u32]) -> NeighbourRing {
    let Terrain { grid, bed, .. } = terrain;
    let a = y * grid.nx + x;
    // Cells off the map have the same basin as the cell and are never lower.
    let mut ring = [(i64::MAX, label[a]); 8];
    let nx = grid.nx as isize;
    let directions = DIRECTIONS.map(|(dx, dy)| dy * nx + dx);
    if grid.is_inside(x, y) {
        for (neighbour, offset) in ring.iter_mut().zip(directions) {
            let cell = a.wrapping_add_signed(offset);
            *neighbour = (bed[cell], label[cell]);
        }
    } else {
        for (neighbour, &offset) in ring.iter_mut().zip(&DIRECTIONS) {
            if let Some(cell) = grid.neighbour((x, y), offset) {
                *neighbour = (bed[cell], label[cell]);
            }
        }
    }
    ring
}

/// Selects the lower neighbours of a cell, in other basins, to which a saddle must be considered.
/// Returns a mask of their directions. A neighbour is omitted if it also touches another cell of
/// the same basin that has an equally low or lower saddle to it.
///
/// Bit `k` of a mask stands for direction `k`, clockwise from the east. `lower_in_other_basins`
/// marks the lower neighbours in other basins, and `lower_in_same_basin` marks the lower neighbours
/// in the same basin.
#[inline]
fn select_saddles(lower_in_other_basins: u8, lower_in_same_basin: u8) -> u8 {
    // A lower cell of the same basin touches both cells, so it has an equally low or lower saddle.
    let adjacent = lower_in_same_basin.rotate_left(1) | lower_in_same_basin.rotate_right(1);
    let across = lower_in_same_basin.rotate_left(2) | lower_in_same_basin.rotate_right(2);
    lower_in_other_basins & !(adjacent | across & EDGE_NEIGHBOURS)
}

/// Appends the saddles from the cell in column `x` and row `y` to its lower neighbours. Omits a
/// saddle if a neighbouring cell has a lower one between the same basins.
fn add_cell_saddles(
    (x, y): (usize, usize),
    terrain: Terrain,
    label: &[u32],
    found: &mut Vec<Saddle>,
) {
    let a = y * terrain.grid.nx + x;
    let (own, z) = (label[a], terrain.bed[a]);
    let ring = neighbour_ring((x, y), terrain, label);
    let bits =
        |is: &dyn Fn(usize) -> bool| (0..8).fold(0_u8, |bits, k| bits | u8::from(is(k)) << k);
    let others = bits(&|k| ring[k].1 != own);
    let lower = bits(&|k| ring[k].0 < z);
    let level = bits(&|k| ring[k].0 == z);
    // Each pair of cells counts once, from the higher cell. If the heights are equal, it counts
    // from the cell with the lower number.
    let down = select_saddles(others & (lower | level & HIGHER_NUMBERED), lower & !others);
    add_steepest_saddles((x, y), terrain, &ring, down, found);
}

/// Appends, for each adjacent basin, the saddle from the cell in column `x` and row `y` to the
/// lowest neighbour in that basin. `down` is a mask of directions: only neighbours in these
/// directions are considered.
fn add_steepest_saddles(
    (x, y): (usize, usize),
    terrain: Terrain,
    ring: &NeighbourRing,
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
        // Another direction from this cell leads lower in that basin.
        if ring.iter().any(|&(other, label)| label == basin && other < height) {
            continue;
        }
        let (dx, dy) = DIRECTIONS[k];
        let b = a.wrapping_add_signed(dy * grid.nx as isize + dx);
        let (a, b) = (a.min(b) as u32, a.max(b) as u32);
        found.push(Saddle { height: z, lower_height: height, a, b });
    }
}

#[cfg(test)]
mod tests {
    use super::super::basins::Basins;
    use super::*;
    use crate::hydrology::params::{EdgeKind, Edges};
    use crate::hydrology::state::grid::Grid;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// Returns, for each pair of basins, the saddle that comes first in `saddles`.
    fn first_saddles(
        saddles: impl Iterator<Item = Saddle>,
        label: &[u32],
    ) -> BTreeMap<[u32; 2], Saddle> {
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
        fn the_lowest_saddle_of_each_basin_pair_is_found(
            (nx, ny) in (3..40_usize, 3..9_usize),
            heights in prop::collection::vec(prop_oneof![-3..4_i64, -999..999_i64], 360),
            steep in 1..9_i64,
        ) {
            let grid = Grid { nx, ny };
            // Partly smooth terrain, so that basins contain more than a few cells.
            let smooth = |(i, z): (usize, &i64)| {
                let (x, y) = (i as i64 % 17, i as i64 % 5);
                steep * steep * ((x - 8) * (x - 8) + 3 * (y - 2) * (y - 2)) + z / steep
            };
            let bed: Vec<i64> = heights[..grid.cell_count()].iter().enumerate().map(smooth).collect();
            let edges = Edges { west: EdgeKind::Wall, south: EdgeKind::Sea, ..Edges::default() };
            let terrain = Terrain { grid, bed: &bed, edges: &edges, sea: 1 };
            let mut label = Vec::new();
            Basins::default().find_basins(grid, &bed, &mut label, &ScratchPool::default());
            let mut every = Vec::new();
            for a in 0..grid.cell_count() {
                add_edge_saddle(grid.column_and_row(a), terrain, &mut every);
                for b in grid.neighbours(a).filter(|&b| a < b && label[a] != label[b]) {
                    let (height, lower_height) = (bed[a].max(bed[b]), bed[a].min(bed[b]));
                    every.push(Saddle { height, lower_height, a: a as u32, b: b as u32 });
                }
            }
            let scratch = ScratchPool::default();
            let found = find_saddles(terrain, &label, &scratch);
            prop_assert!(found.is_sorted());
            prop_assert!(found.iter().all(|saddle| every.contains(saddle)));
            prop_assert_eq!(
                first_saddles(found.iter().copied(), &label),
                first_saddles(every.into_iter(), &label)
            );
        }
    }
}

//! What rivers wear, tree by tree: each cell whose water leaves or ends is the root of all that
//! drains to it. A tree is listed from its root up, areas are summed from its tips down, and the
//! law is solved from the root up (the stack of Braun and Willett). Trees are independent, so
//! threads share them.

use super::super::fixed;
use super::super::grid::{DIRECTIONS, Grid};
use super::super::rock::Rock;
use super::super::walk::State;
use super::catchment::Catchments;
use super::law::{Law, Reach};
use super::links::{self, Drainage, EXIT, Link};
use super::rise::Rise;
use crate::parallel;
use crate::scratch::{PooledVec, ScratchPool};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// Cells that a task looks for roots among.
const TASK: usize = 256;

#[derive(Clone, Copy)]
pub(in super::super) struct Basin<'a> {
    pub(in super::super) drainage: Drainage<'a>,
    pub(in super::super) law: &'a Law,
    pub(in super::super) rise: Rise<'a>,
    pub(in super::super) catchments: &'a Catchments<'a>,
    pub(in super::super) rock: Rock<'a>,
    pub(in super::super) soil: &'a [i64],
    pub(in super::super) cover: &'a [f32],
    /// How much of the wear a dense cover of plants holds back.
    pub(in super::super) roots: f32,
}

impl Basin<'_> {
    fn grid(&self) -> Grid {
        self.drainage.terrain.grid
    }

    /// The ground of a cell with what it rises in the step (quanta).
    fn risen(&self, cell: usize) -> i64 {
        let z = self.drainage.terrain.bed[cell];
        z + self.rise.of(cell, z)
    }

    /// Erodibility of a cell, that of bare soil being 1.
    fn soft(&self, cell: usize) -> f32 {
        let height = fixed::metres_f32(self.drainage.terrain.bed[cell]);
        let held = 1.0 - self.roots * self.cover[cell].min(1.0);
        held * self.rock.erodibility(cell, height, self.soil[cell])
    }

    /// Wear of a cell (quanta) with an upstream area and a link to where the surface is `below`
    /// after the step; and its own surface then.
    pub(in super::super) fn wear(
        &self,
        cell: usize,
        link: Link,
        area: u64,
        below: i64,
    ) -> (u32, i64) {
        let way = usize::from(links::way(link));
        let corner = if way < DIRECTIONS.len() { way % 2 } else { 0 };
        self.wear_soft(cell, corner, area, below, self.soft(cell))
    }

    fn wear_soft(
        &self,
        cell: usize,
        corner: usize,
        area: u64,
        below: i64,
        soft: f32,
    ) -> (u32, i64) {
        let ground = self.risen(cell);
        let worn = self.law.wear(Reach { ground, below, corner, area, soft });
        (worn, (ground - i64::from(worn)).max(below))
    }

    /// What is worn of a root, and the surface over it after the step.
    pub(in super::super) fn wear_root(&self, cell: usize, link: Link, area: u64) -> (u32, i64) {
        let terrain = self.drainage.terrain;
        if links::way(link) == links::SEA {
            return self.wear(cell, link, area, terrain.sea);
        }
        if self.drainage.is_on_open_edge(cell) {
            return (0, terrain.bed[cell]);
        }
        let (ground, water) = (self.risen(cell), self.drainage.waters.leaf(cell as u32));
        let level = match water.state {
            State::Sea => terrain.sea,
            // What is held rises with what it stands on.
            _ if water.height > terrain.bed[cell] => water.height + ground - terrain.bed[cell],
            _ => ground,
        };
        (0, level.max(ground))
    }

    /// The depression that keeps what ends at a root; `None` if it leaves.
    pub(in super::super) fn keeper(&self, cell: usize, link: Link) -> Option<u32> {
        let water = self.drainage.waters.leaf(cell as u32);
        let leaves = links::way(link) == links::SEA
            || water.state == State::Sea
            || self.drainage.is_on_open_edge(cell);
        (!leaves).then_some(water.node)
    }

    /// The lake that a cell is the outlet of, and the sediment that stays there: nine tenths, but
    /// at most half of the space.
    pub(in super::super) fn settles(&self, cell: usize, sediment: i64) -> (u32, i64) {
        let node = self.drainage.waters.leaf(cell as u32).node;
        let space = self.drainage.waters.lakes.water(node) / 2;
        (node, (sediment - sediment / 10).min(space))
    }
}

#[derive(Clone, Copy)]
pub(in super::super) struct Found<'a> {
    /// Areas in cells, as bits of an f32.
    pub(in super::super) area: &'a [AtomicU32],
    pub(in super::super) worn: &'a [AtomicU32],
}

#[derive(Debug, Default)]
struct Room {
    cells: Vec<u32>,
    /// Which of them each drains to, and perhaps [`CORNER`].
    parents: Vec<u32>,
    /// Areas, then surfaces, then sediment.
    values: Vec<u64>,
}

/// Marks the parent of a cell that drains to a corner.
const CORNER: u32 = 1 << 31;

fn parent(marked: u32) -> usize {
    (marked & !CORNER) as usize
}

#[derive(Clone, Copy)]
struct Network<'a> {
    links: &'a [Link],
    donors: &'a [u8],
    /// Whether water comes through any lake.
    lakes: bool,
}

pub(in super::super) struct Washed<'s> {
    pub(in super::super) gone: i64,
    /// What is in depressions: numbers of their nodes, and how much (quanta), in any order.
    pub(in super::super) kept: PooledVec<'s, (u32, i64)>,
}

pub(in super::super) fn wear<'s>(
    basin: Basin,
    links: &[Link],
    found: Found,
    scratch: &'s ScratchPool,
) -> Washed<'s> {
    let (gone, kept) = (AtomicI64::new(0), Mutex::new(scratch.vec()));
    let donors = donors(basin.grid(), links, scratch);
    let lakes = AtomicBool::new(false);
    let cells = basin.grid().cells();
    // Cell by cell in the order of memory, into the room of the areas, which are not known yet.
    parallel::for_each_index(cells.div_ceil(TASK), |i| {
        let cells = i * TASK..((i + 1) * TASK).min(cells);
        if links[cells.clone()].iter().any(|link| link & EXIT != 0) {
            lakes.store(true, Ordering::Relaxed);
        }
        for cell in cells {
            found.area[cell].store(basin.soft(cell).to_bits(), Ordering::Relaxed);
        }
    });
    let network = Network { links, donors: &donors, lakes: lakes.into_inner() };
    parallel::for_each_index(cells.div_ceil(TASK), |i| {
        let mut room = scratch.take::<Room>();
        let roots = (i * TASK..((i + 1) * TASK).min(cells))
            .filter(|&cell| usize::from(links::way(links[cell])) >= DIRECTIONS.len());
        for root in roots {
            let mut keep = |node, sediment| {
                kept.lock().unwrap_or_else(PoisonError::into_inner).push((node, sediment));
            };
            let rest = tree(basin, network, root, &mut room, found, &mut keep);
            match basin.keeper(root, links[root]) {
                Some(node) if rest > 0 => keep(node, rest),
                Some(_) => {}
                None => drop(gone.fetch_add(rest, Ordering::Relaxed)),
            }
        }
    });
    let kept = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
    Washed { gone: gone.into_inner(), kept }
}

/// Wears the tree of a root. Gives the sediment that comes to the root (quanta); `keep` takes what lakes keep.
fn tree(
    basin: Basin,
    network: Network,
    root: usize,
    room: &mut Room,
    found: Found,
    keep: &mut impl FnMut(u32, i64),
) -> i64 {
    let Room { cells, parents, values } = room;
    let links = network.links;
    let through_lakes = list(basin.grid(), network, root, cells, parents);
    values.clear();
    values.extend(cells.iter().map(|&cell| basin.catchments.of(cell as usize)));
    for k in (1..cells.len()).rev() {
        values[parent(parents[k])] += values[k];
    }
    let mut total = 0;
    for k in 0..cells.len() {
        let (cell, area) = (cells[k] as usize, values[k]);
        let (worn, surface) = if k == 0 {
            basin.wear_root(cell, links[cell], area)
        } else {
            let soft = f32::from_bits(found.area[cell].load(Ordering::Relaxed));
            let corner = usize::from(parents[k] & CORNER != 0);
            basin.wear_soft(cell, corner, area, values[parent(parents[k])] as i64, soft)
        };
        values[k] = surface as u64;
        total += i64::from(worn);
        found.worn[cell].store(worn, Ordering::Relaxed);
        found.area[cell].store(Catchments::in_cells(area).to_bits(), Ordering::Relaxed);
    }
    if !through_lakes {
        return total;
    }
    for (value, &cell) in values.iter_mut().zip(cells.iter()) {
        *value = found.worn[cell as usize].load(Ordering::Relaxed).into();
    }
    let mut rest = 0;
    for k in (0..cells.len()).rev() {
        let cell = cells[k] as usize;
        let mut sediment = values[k] as i64;
        if links[cell] & EXIT != 0 && sediment > 0 {
            let (node, stays) = basin.settles(cell, sediment);
            keep(node, stays);
            sediment -= stays;
        }
        if k == 0 {
            rest = sediment;
        } else {
            values[parent(parents[k])] += sediment as u64;
        }
    }
    rest
}

/// Which of its neighbours drain to each cell: a bit for each direction.
pub(in super::super) fn donors<'s>(
    grid: Grid,
    links: &[Link],
    scratch: &'s ScratchPool,
) -> PooledVec<'s, u8> {
    let Grid { nx, ny } = grid;
    let mut donors = scratch.filled(grid.cells(), 0);
    parallel::for_each_row(&mut donors, nx, |y, row| {
        for (i, (dx, dy)) in DIRECTIONS.into_iter().enumerate() {
            let Some(y) = y.checked_add_signed(dy).filter(|&y| y < ny) else { continue };
            let beside = &links[y * nx..][..nx];
            // The part of the row that has such a neighbour, and the neighbours.
            let (row, beside) = match dx {
                1 => (&mut row[..nx - 1], &beside[1..]),
                -1 => (&mut row[1..], &beside[..nx - 1]),
                _ => (&mut row[..], beside),
            };
            let back = (i as Link + 4) % DIRECTIONS.len() as Link;
            for (donors, &link) in row.iter_mut().zip(beside) {
                *donors |= u8::from(links::way(link) == back) << i;
            }
        }
    });
    donors
}

/// Lists the cells of a tree, from its root up. True if a lake's way out is among them.
fn list(
    grid: Grid,
    network: Network,
    root: usize,
    cells: &mut Vec<u32>,
    parents: &mut Vec<u32>,
) -> bool {
    let Network { links, donors, lakes } = network;
    let ways = DIRECTIONS.map(|(x, y)| y * grid.nx as isize + x);
    cells.clear();
    parents.clear();
    cells.push(root as u32);
    parents.push(0);
    let mut through_lakes = false;
    let mut k = 0;
    while k < cells.len() {
        let cell = cells[k] as usize;
        through_lakes |= lakes && links[cell] & EXIT != 0;
        let mut left = donors[cell];
        while left != 0 {
            let way = left.trailing_zeros();
            cells.push(cell.wrapping_add_signed(ways[way as usize]) as u32);
            // Every other direction is to a corner, seen from either side.
            parents.push(k as u32 | way << 31);
            left &= left - 1;
        }
        k += 1;
    }
    through_lakes
}

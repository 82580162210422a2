//! River erosion, computed separately for each drainage tree.
//!
//! The root of a drainage tree is a cell at which water ends or leaves the map. The tree consists
//! of the root and of all cells that drain to it, listed from the root upstream. Upstream areas are
//! summed from the tips down to the root. The stream-power law is then solved from the root
//! upstream, in the order of the stack of Braun and Willett (2013). Threads process different trees
//! in parallel, because trees are independent.

use super::catchment::Catchments;
use super::law::{Reach, StreamPowerLaw};
use super::links::{self, Drainage, EXIT, Link};
use super::uplift::Uplift;
use crate::hydrology::drops::descent::LakeState;
use crate::hydrology::ground::rock::Rock;
use crate::hydrology::state::fixed;
use crate::hydrology::state::grid::{DIRECTIONS, Grid};
use crate::parallel;
use crate::scratch::{PooledVec, ScratchPool};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// Number of cells that a parallel task searches for roots of drainage trees.
const CELLS_PER_TASK: usize = 256;

#[derive(Clone, Copy)]
pub(in super::super) struct ErosionModel<'a> {
    pub(in super::super) drainage: Drainage<'a>,
    pub(in super::super) law: &'a StreamPowerLaw,
    pub(in super::super) uplift: Uplift<'a>,
    pub(in super::super) catchments: &'a Catchments<'a>,
    pub(in super::super) rock: Rock<'a>,
    pub(in super::super) soil: &'a [i64],
    pub(in super::super) cover: &'a [f32],
    /// Fraction of the erosion that the roots of a dense plant cover prevent.
    pub(in super::super) roots: f32,
}

impl ErosionModel<'_> {
    fn grid(&self) -> Grid {
        self.drainage.terrain.grid
    }

    /// Returns the height of the ground in a cell after the uplift of the step (quanta of 2⁻²⁰ m).
    fn uplifted_height(&self, cell: usize) -> i64 {
        let z = self.drainage.terrain.bed[cell];
        z + self.uplift.uplift_at(cell, z)
    }

    /// Returns the erodibility of a cell relative to bare soil (dimensionless), reduced by the
    /// roots of its plants.
    fn erodibility(&self, cell: usize) -> f32 {
        let height = fixed::to_metres_f32(self.drainage.terrain.bed[cell]);
        let bare_fraction = 1.0 - self.roots * self.cover[cell].min(1.0);
        bare_fraction * self.rock.erodibility(cell, height, self.soil[cell])
    }

    /// Returns the thickness that a cell loses by erosion in this step, and the height of its
    /// surface after the step. `below` is the surface height of the cell's receiver after the step.
    /// All three are in quanta of 2⁻²⁰ m.
    pub(in super::super) fn erode(
        &self,
        cell: usize,
        link: Link,
        area: u64,
        below: i64,
    ) -> (u32, i64) {
        let direction = usize::from(links::direction_index(link));
        let corner = if direction < DIRECTIONS.len() { direction % 2 } else { 0 };
        self.erode_with(cell, corner, area, below, self.erodibility(cell))
    }

    fn erode_with(
        &self,
        cell: usize,
        corner: usize,
        area: u64,
        below: i64,
        erodibility: f32,
    ) -> (u32, i64) {
        let ground = self.uplifted_height(cell);
        let erosion =
            self.law.erosion(Reach { ground, receiver_height: below, corner, area, erodibility });
        (erosion, (ground - i64::from(erosion)).max(below))
    }

    /// Returns the thickness that the root cell of a drainage tree loses by erosion and the height
    /// of its surface after the step (both in quanta of 2⁻²⁰ m).
    pub(in super::super) fn erode_root(&self, cell: usize, link: Link, area: u64) -> (u32, i64) {
        let terrain = self.drainage.terrain;
        if links::direction_index(link) == links::SEA {
            return self.erode(cell, link, area, terrain.sea);
        }
        if self.drainage.is_on_open_edge(cell) {
            return (0, terrain.bed[cell]);
        }
        let (ground, water) =
            (self.uplifted_height(cell), self.drainage.waters.leaf_water_at(cell as u32));
        let level = match water.state {
            LakeState::Sea => terrain.sea,
            // The water level rises with the ground below it.
            _ if water.height > terrain.bed[cell] => water.height + ground - terrain.bed[cell],
            _ => ground,
        };
        (0, level.max(ground))
    }

    /// Returns the depression that retains the water and sediment of a drainage tree, given the
    /// root cell of the tree. Returns `None` if the water and sediment leave the map.
    pub(in super::super) fn retaining_lake(&self, cell: usize, link: Link) -> Option<u32> {
        let water = self.drainage.waters.leaf_water_at(cell as u32);
        let leaves = links::direction_index(link) == links::SEA
            || water.state == LakeState::Sea
            || self.drainage.is_on_open_edge(cell);
        (!leaves).then_some(water.node)
    }

    /// Returns the lake that drains through an outlet cell, and the volume of sediment that stays
    /// in this lake (quanta of 2⁻²⁰ m times the cell area): nine tenths of `sediment`, but at most
    /// half of the lake's water volume.
    pub(in super::super) fn retained_sediment(&self, cell: usize, sediment: i64) -> (u32, i64) {
        let node = self.drainage.waters.leaf_water_at(cell as u32).node;
        let space = self.drainage.waters.lakes.water_volume(node) / 2;
        (node, (sediment - sediment / 10).min(space))
    }
}

#[derive(Clone, Copy)]
pub(in super::super) struct ErosionOutput<'a> {
    /// Upstream area of each cell (cells), stored as the bits of an `f32`.
    pub(in super::super) area: &'a [AtomicU32],
    pub(in super::super) erosion: &'a [AtomicU32],
}

#[derive(Debug, Default)]
struct TreeScratch {
    cells: Vec<u32>,
    /// For each cell of the tree, the position of its receiver in the list `cells`. The flag
    /// [`CORNER_FLAG`] is set if the receiver is a corner neighbour.
    parents: Vec<u32>,
    /// One value per cell of the tree. The list is reused within a step: it holds first the
    /// upstream areas, then the surface heights, and then the volumes of sediment.
    cell_values: Vec<u64>,
}

/// Flag bit for a cell whose receiver is a corner neighbour.
const CORNER_FLAG: u32 = 1 << 31;

fn unmarked_index(marked: u32) -> usize {
    (marked & !CORNER_FLAG) as usize
}

#[derive(Clone, Copy)]
struct DrainageNetwork<'a> {
    links: &'a [Link],
    donors: &'a [u8],
    /// Whether any cell of the map is the outlet of a lake.
    has_lake_outlets: bool,
}

pub(in super::super) struct SedimentBudget<'s> {
    pub(in super::super) outflow: i64,
    /// Sediment retained in depressions: pairs of a hierarchy node and a volume (quanta of 2⁻²⁰ m
    /// times the cell area), in any order.
    pub(in super::super) retained: PooledVec<'s, (u32, i64)>,
}

pub(in super::super) fn erode<'s>(
    model: ErosionModel,
    links: &[Link],
    output: ErosionOutput,
    scratch: &'s ScratchPool,
) -> SedimentBudget<'s> {
    let (outflow, retained) = (AtomicI64::new(0), Mutex::new(scratch.take_vec()));
    let donors = find_donors(model.grid(), links, scratch);
    let has_lake_outlets = AtomicBool::new(false);
    let cells = model.grid().cell_count();
    // Erodibilities are computed in memory order and stored in place of the areas, which are not
    // known yet.
    parallel::for_each_index(cells.div_ceil(CELLS_PER_TASK), |i| {
        let cells = i * CELLS_PER_TASK..((i + 1) * CELLS_PER_TASK).min(cells);
        if links[cells.clone()].iter().any(|link| link & EXIT != 0) {
            has_lake_outlets.store(true, Ordering::Relaxed);
        }
        for cell in cells {
            output.area[cell].store(model.erodibility(cell).to_bits(), Ordering::Relaxed);
        }
    });
    let network =
        DrainageNetwork { links, donors: &donors, has_lake_outlets: has_lake_outlets.into_inner() };
    parallel::for_each_index(cells.div_ceil(CELLS_PER_TASK), |i| {
        let mut scratch = scratch.take::<TreeScratch>();
        let roots = (i * CELLS_PER_TASK..((i + 1) * CELLS_PER_TASK).min(cells))
            .filter(|&cell| usize::from(links::direction_index(links[cell])) >= DIRECTIONS.len());
        for root in roots {
            let mut retain_sediment = |node, sediment| {
                retained.lock().unwrap_or_else(PoisonError::into_inner).push((node, sediment));
            };
            let rest = erode_tree(model, network, root, &mut scratch, output, &mut retain_sediment);
            match model.retaining_lake(root, links[root]) {
                Some(node) if rest > 0 => retain_sediment(node, rest),
                Some(_) => {}
                None => drop(outflow.fetch_add(rest, Ordering::Relaxed)),
            }
        }
    });
    let retained = retained.into_inner().unwrap_or_else(PoisonError::into_inner);
    SedimentBudget { outflow: outflow.into_inner(), retained }
}

/// Erodes all cells of the drainage tree with the given root. Calls `retain_sediment` with each
/// lake and the volume of sediment that the lake retains (quanta of 2⁻²⁰ m times the cell area).
/// Returns the volume of sediment that reaches the root (quanta of 2⁻²⁰ m times the cell area).
fn erode_tree(
    model: ErosionModel,
    network: DrainageNetwork,
    root: usize,
    scratch: &mut TreeScratch,
    output: ErosionOutput,
    retain_sediment: &mut impl FnMut(u32, i64),
) -> i64 {
    let TreeScratch { cells, parents, cell_values } = scratch;
    let links = network.links;
    let passes_lakes = list_tree_cells(model.grid(), network, root, cells, parents);
    cell_values.clear();
    cell_values.extend(cells.iter().map(|&cell| model.catchments.area(cell as usize)));
    for k in (1..cells.len()).rev() {
        cell_values[unmarked_index(parents[k])] += cell_values[k];
    }
    let mut total = 0;
    for k in 0..cells.len() {
        let (cell, area) = (cells[k] as usize, cell_values[k]);
        let (erosion, surface) = if k == 0 {
            model.erode_root(cell, links[cell], area)
        } else {
            let erodibility = f32::from_bits(output.area[cell].load(Ordering::Relaxed));
            let corner = usize::from(parents[k] & CORNER_FLAG != 0);
            model.erode_with(
                cell,
                corner,
                area,
                cell_values[unmarked_index(parents[k])] as i64,
                erodibility,
            )
        };
        cell_values[k] = surface as u64;
        total += i64::from(erosion);
        output.erosion[cell].store(erosion, Ordering::Relaxed);
        output.area[cell].store(Catchments::area_to_cells(area).to_bits(), Ordering::Relaxed);
    }
    if !passes_lakes {
        return total;
    }
    for (value, &cell) in cell_values.iter_mut().zip(cells.iter()) {
        *value = output.erosion[cell as usize].load(Ordering::Relaxed).into();
    }
    let mut rest = 0;
    for k in (0..cells.len()).rev() {
        let cell = cells[k] as usize;
        let mut sediment = cell_values[k] as i64;
        if links[cell] & EXIT != 0 && sediment > 0 {
            let (node, stays) = model.retained_sediment(cell, sediment);
            retain_sediment(node, stays);
            sediment -= stays;
        }
        if k == 0 {
            rest = sediment;
        } else {
            cell_values[unmarked_index(parents[k])] += sediment as u64;
        }
    }
    rest
}

/// Returns the donors of each cell as a mask of directions. A donor is a neighbour that drains to
/// the cell.
pub(in super::super) fn find_donors<'s>(
    grid: Grid,
    links: &[Link],
    scratch: &'s ScratchPool,
) -> PooledVec<'s, u8> {
    let Grid { nx, ny } = grid;
    let mut donors = scratch.take_filled(grid.cell_count(), 0);
    parallel::for_each_row(&mut donors, nx, |y, row| {
        for (i, (dx, dy)) in DIRECTIONS.into_iter().enumerate() {
            let Some(y) = y.checked_add_signed(dy).filter(|&y| y < ny) else { continue };
            let adjacent = &links[y * nx..][..nx];
            // The cells of the row that have a neighbour in this direction, and the links of these
            // neighbours.
            let (row, adjacent) = match dx {
                1 => (&mut row[..nx - 1], &adjacent[1..]),
                -1 => (&mut row[1..], &adjacent[..nx - 1]),
                _ => (&mut row[..], adjacent),
            };
            let back = (i as Link + 4) % DIRECTIONS.len() as Link;
            for (donors, &link) in row.iter_mut().zip(adjacent) {
                *donors |= u8::from(links::direction_index(link) == back) << i;
            }
        }
    });
    donors
}

/// Lists the cells of the drainage tree with the given root, from the root upstream. Returns
/// whether the tree contains the outlet of a lake.
fn list_tree_cells(
    grid: Grid,
    network: DrainageNetwork,
    root: usize,
    cells: &mut Vec<u32>,
    parents: &mut Vec<u32>,
) -> bool {
    let DrainageNetwork { links, donors, has_lake_outlets } = network;
    let offsets = DIRECTIONS.map(|(x, y)| y * grid.nx as isize + x);
    cells.clear();
    parents.clear();
    cells.push(root as u32);
    parents.push(0);
    let mut passes_lakes = false;
    let mut k = 0;
    while k < cells.len() {
        let cell = cells[k] as usize;
        passes_lakes |= has_lake_outlets && links[cell] & EXIT != 0;
        let mut left = donors[cell];
        while left != 0 {
            let direction = left.trailing_zeros();
            cells.push(cell.wrapping_add_signed(offsets[direction as usize]) as u32);
            // Odd directions lead to corner neighbours, seen from either cell.
            parents.push(k as u32 | direction << 31);
            left &= left - 1;
        }
        k += 1;
    }
    passes_lakes
}

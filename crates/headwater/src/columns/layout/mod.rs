//! Geometry of the water columns: arrays over the columns of all pools, the range of columns of
//! each pool, and the openings where pools touch. Heights are integer multiples of a unit of height
//! (the quantum), so comparisons and sums are exact.

pub(super) mod anchor;
mod hole;
pub(super) mod rects;
pub(super) mod text;
pub(super) mod vessel;
pub(super) mod wall_grid;

use super::network::elimination_ranks;
use crate::error::InputError;
use crate::lattice::Square;
use rects::{Hole, Rects};
use std::ops::Range;
use std::sync::OnceLock;
use wall_grid::WallGrid;

/// Ceiling height (in height quanta, the integer unit of height) of columns under the open sky. It
/// is four times the largest height of a grid.
pub(super) const NO_CEILING: i32 = 1 << 30;

/// Highest allowed water level (in height quanta, the integer unit of height). It is at least twice
/// the height of the grid, and low enough for pressure heads to fit in 32 bits.
pub(super) const MAX_LEVEL: i32 = NO_CEILING / 2;

/// Largest height of a grid (in height quanta, the integer unit of height).
pub(super) const MAX_GRID_HEIGHT: usize = 1 << 28;

/// Pool: a contiguous range of water columns in which each column has at most one neighbour on
/// either side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pool {
    pub(super) columns: Range<usize>,
    /// Horizontal position of the pool's first column, in columns from the western edge of the
    /// grid.
    pub(super) x0: usize,
    pub(super) joints: Vec<u32>,
}

/// Joint: an opening between the last column of one pool and the first column of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Joint {
    pub(super) left_pool: u32,
    pub(super) right_pool: u32,
    pub(super) left: usize,
    pub(super) right: usize,
    /// Height of the opening's lower end (in height quanta above the bottom of the grid; a quantum
    /// is the integer unit of height).
    pub(super) sill: i32,
    /// Height of the opening's upper end (in height quanta above the bottom of the grid).
    pub(super) lintel: i32,
    pub(super) hole: Option<Hole>,
}

/// Largest number of columns per task, small enough for the data of a task to fit in the L1 cache.
pub(super) const CHUNK: usize = 2048;

/// Part of a pool that is processed by one task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    pub(super) columns: Range<usize>,
    pub(super) pool: u32,
    pub(super) flat: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) grid: WallGrid,
    pub(super) rects: Rects,
    pub(super) rect_columns: Vec<Range<usize>>,
    pub(super) pools: Vec<Pool>,
    pub(super) joints: Vec<Joint>,
    pub(super) chunks: Vec<Chunk>,
    /// Range of chunk indices of each pool.
    pub(super) pool_chunks: Vec<Range<usize>>,
    /// Height of the lowest ceiling in each pool (in height quanta, the integer unit of height), or
    /// `None` if the whole pool is under the open sky.
    pub(super) lowest_ceiling: Vec<Option<i32>>,
    pub(super) rect_pool: Vec<u32>,
    pub(super) floor: Vec<i32>,
    pub(super) ceiling: Vec<i32>,
    pub(super) per_cell: usize,
    /// Side length of a grid cell (m).
    pub(super) cell: f64,
    /// Width of a column (m).
    pub(super) width: f64,
    /// Unit of height (m). All heights and depths are integer multiples of this unit.
    pub(super) quantum: f64,
    pub(super) quanta_per_cell: i32,
    /// Ranks of pool ends (the first and the last column of each pool) in the elimination order of
    /// the pressure solver, computed on first use.
    ranks: OnceLock<Vec<u32>>,
}

impl Layout {
    pub(super) fn new(grid: WallGrid, cell: f64, per_cell: usize) -> Self {
        let mut quanta_per_cell = 1;
        while 2 * quanta_per_cell * grid.ny() <= MAX_GRID_HEIGHT {
            quanta_per_cell *= 2;
        }
        Self::with_quanta_per_cell(grid, cell, per_cell, quanta_per_cell)
    }

    /// Creates the layout of a grid in which a cell has the given height in quanta. With a fixed
    /// number of quanta per cell, grids of different heights use the same unit of height. The grid
    /// must not be higher than [`MAX_GRID_HEIGHT`] quanta.
    pub(super) fn with_quanta_per_cell(
        grid: WallGrid,
        cell: f64,
        per_cell: usize,
        quanta_per_cell: usize,
    ) -> Self {
        let rects = Rects::new(&grid);
        let mut layout = Self {
            rect_columns: vec![0..0; rects.all.len()],
            rect_pool: vec![0; rects.all.len()],
            pools: Vec::new(),
            joints: Vec::new(),
            chunks: Vec::new(),
            pool_chunks: Vec::new(),
            lowest_ceiling: Vec::new(),
            floor: Vec::new(),
            ceiling: Vec::new(),
            per_cell,
            cell,
            width: cell / per_cell as f64,
            quantum: cell / quanta_per_cell as f64,
            quanta_per_cell: quanta_per_cell as i32,
            ranks: OnceLock::new(),
            grid,
            rects,
        };
        layout.build_pools();
        layout.build_joints();
        layout.split_chunks();
        layout
    }

    fn split_chunks(&mut self) {
        for (number, pool) in self.pools.iter().enumerate() {
            let first = self.chunks.len();
            for start in pool.columns.clone().step_by(CHUNK) {
                let columns = start..(start + CHUNK).min(pool.columns.end);
                let floors = &self.floor[columns.clone()];
                let flat = floors.iter().all(|floor| *floor == floors[0]);
                self.chunks.push(Chunk { columns, pool: number as u32, flat });
            }
            self.pool_chunks.push(first..self.chunks.len());
            let lowest = self.ceiling[pool.columns.clone()].iter().copied().min();
            self.lowest_ceiling.push(lowest.filter(|&lowest| lowest < NO_CEILING));
        }
    }

    pub(super) fn with_grid(&self, grid: WallGrid) -> Self {
        Self::with_quanta_per_cell(grid, self.cell, self.per_cell, self.quanta_per_cell as usize)
    }

    fn build_pools(&mut self) {
        for row in self.rects.pools().iter() {
            let first = self.floor.len();
            let x0 = row.first().map_or(0, |&r| self.rects.all[r as usize].columns.start);
            for &r in row {
                let rect = &self.rects.all[r as usize];
                let start = self.floor.len();
                let end = start + rect.columns.len() * self.per_cell;
                self.floor.resize(end, rect.floor as i32 * self.quanta_per_cell);
                let ceiling =
                    rect.ceiling.map_or(NO_CEILING, |top| top as i32 * self.quanta_per_cell);
                self.ceiling.resize(end, ceiling);
                self.rect_columns[r as usize] = start..end;
                self.rect_pool[r as usize] = self.pools.len() as u32;
            }
            self.pools.push(Pool {
                columns: first..self.floor.len(),
                x0: x0 as usize * self.per_cell,
                joints: Vec::new(),
            });
        }
    }

    fn build_joints(&mut self) {
        for touch in &self.rects.touches {
            let (a, b) = (touch.left as usize, touch.right as usize);
            let (left_pool, right_pool) = (self.rect_pool[a], self.rect_pool[b]);
            let (left, right) = (self.rect_columns[a].end - 1, self.rect_columns[b].start);
            if left_pool == right_pool && left + 1 == right {
                continue;
            }
            let sill = self.floor[left].max(self.floor[right]);
            let lintel = self.ceiling[left].min(self.ceiling[right]);
            let number = self.joints.len() as u32;
            let hole = self.hole_beside(touch.left, touch.right);
            let hole = hole.or_else(|| self.hole_beside(touch.right, touch.left));
            self.joints.push(Joint { left_pool, right_pool, left, right, sill, lintel, hole });
            for pool in [left_pool, right_pool] {
                self.pools[pool as usize].joints.push(number);
            }
        }
        self.link_holes();
    }

    /// Returns the rank of each pool end in the elimination order of the pressure solver. Each pool
    /// has two ends: its first and its last column.
    pub(super) fn elimination_ranks(&self) -> &[u32] {
        self.ranks.get_or_init(|| {
            let single: Vec<bool> = self.pools.iter().map(|pool| pool.columns.len() == 1).collect();
            let joints = self.joints.iter().map(|joint| (joint.left_pool, joint.right_pool));
            elimination_ranks(&single, &joints.collect::<Vec<_>>())
        })
    }

    pub(super) fn column_count(&self) -> usize {
        self.floor.len()
    }

    pub(super) fn pool_of(&self, column: usize) -> usize {
        self.pools.partition_point(|pool| pool.columns.end <= column)
    }

    /// Returns the range of water columns that pass through a cell. The range is empty if the cell
    /// is wall.
    pub(super) fn columns_of_cell(&self, x: usize, y: usize) -> Range<usize> {
        let height = (self.grid.ny() - 1 - y) as f64 + 0.5;
        let Some(rect) = self.rects.rect_at(x as u32, height) else { return 0..0 };
        let start = self.rects.all[rect as usize].columns.start as usize;
        let first = self.rect_columns[rect as usize].start + (x - start) * self.per_cell;
        first..first + self.per_cell
    }

    /// Returns all columns at the horizontal index `x` (in columns from the west), from bottom to
    /// top.
    pub(super) fn columns_at_x(&self, x: usize) -> impl Iterator<Item = usize> + '_ {
        self.rects.rects_in_column(x / self.per_cell).iter().map(move |&rect| {
            let start = self.rects.all[rect as usize].columns.start as usize * self.per_cell;
            self.rect_columns[rect as usize].start + x - start
        })
    }

    pub(super) fn column_x(&self, column: usize) -> usize {
        let pool = &self.pools[self.pool_of(column)];
        pool.x0 + column - pool.columns.start
    }

    pub(super) fn to_quanta(&self, height: f64) -> i32 {
        (height / self.quantum).round().clamp(f64::from(-NO_CEILING), f64::from(NO_CEILING)) as i32
    }

    pub(super) fn to_metres(&self, quanta: i32) -> f64 {
        f64::from(quanta) * self.quantum
    }

    pub(super) fn lattice(&self) -> Result<Square, InputError> {
        Square::new(self.grid.nx(), self.grid.ny(), self.cell, self.cell)
    }

    pub(super) fn height(&self) -> f64 {
        self.grid.ny() as f64 * self.cell
    }

    /// Returns the volume of one height quantum of water in one column (m³ for a world 1 m thick).
    pub(super) fn quantum_volume(&self) -> f64 {
        self.quantum * self.width
    }
}

//! How much area a cell brings to what drains through it: its own by the rain on it, and that of rivers from outside.

use super::super::grid::Grid;
use super::super::rain::{Inflow, Rain};
use super::law::CELL;
use crate::field::Field;
use crate::scratch::{PooledVec, ScratchPool};
use std::ops::Range;

/// The area of each cell itself, in [`CELL`]ths of a cell with the map's mean rain.
pub(in super::super) struct Catchments<'a> {
    /// Rain on each cell as a part of the most; the same everywhere without.
    map: Option<&'a [f32]>,
    most: f64,
    /// Where rivers enter, and with which area, by the cells' numbers.
    rivers: PooledVec<'a, (u32, u64)>,
}

impl<'a> Catchments<'a> {
    pub(in super::super) fn new(
        rain: &'a Rain,
        grid: Grid,
        size: f64,
        scratch: &'a ScratchPool,
    ) -> Self {
        Self::of_rows(rain, (grid, size), Self::most(rain, grid), 0..grid.ny, scratch)
    }

    pub(in super::super) fn most(rain: &Rain, grid: Grid) -> f64 {
        let map = rain.map.as_ref();
        map.map_or(1.0, |map| grid.cells() as f64 / map.sum()) * CELL as f64
    }

    /// Of some rows of a grid, whose cells are numbered from the first of them on and which a map of the rain has; rivers may enter anywhere.
    pub(in super::super) fn of_rows(
        rain: &'a Rain,
        (grid, size): (Grid, f64),
        most: f64,
        rows: Range<usize>,
        scratch: &'a ScratchPool,
    ) -> Self {
        let map = rain.map.as_ref();
        let river = |inflow: &Inflow| {
            let [x, y] = inflow.cell(grid, size);
            let row = y.checked_sub(rows.start).filter(|_| y < rows.end)?;
            Some((
                (row * grid.nx + x) as u32,
                (inflow.catchment / (size * size) * CELL as f64) as u64,
            ))
        };
        let mut rivers = scratch.collect(rain.inflows.iter().filter_map(river));
        rivers.sort_unstable();
        Self { map: map.map(Field::as_slice), most, rivers }
    }

    pub(in super::super) fn of_rain(&self, cell: usize) -> u64 {
        self.map.map_or(CELL, |map| (self.most * f64::from(map[cell])) as u64)
    }

    pub(in super::super) fn rivers(&self) -> &[(u32, u64)] {
        &self.rivers
    }

    pub(in super::super) fn of(&self, cell: usize) -> u64 {
        let own = self.of_rain(cell);
        if self.rivers.is_empty() {
            return own;
        }
        let first = self.rivers.partition_point(|river| (river.0 as usize) < cell);
        let here = self.rivers[first..].iter().take_while(|river| river.0 as usize == cell);
        own + here.map(|river| river.1).sum::<u64>()
    }

    pub(in super::super) fn in_cells(area: u64) -> f32 {
        (area as f64 / CELL as f64) as f32
    }
}

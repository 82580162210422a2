//! Local catchment area of each cell: the area of the cell weighted with its rain, plus the
//! catchment areas of rivers that enter the map at the cell.

use super::law::AREA_UNIT;
use crate::field::Field;
use crate::hydrology::climate::rain::{Inflow, Rain};
use crate::hydrology::state::grid::Grid;
use crate::scratch::{PooledVec, ScratchPool};
use std::ops::Range;

/// Local catchment area of each cell, without the area upstream of the cell. The unit is
/// 1/[`AREA_UNIT`] of the area of a cell with mean rain.
pub(in super::super) struct Catchments<'a> {
    /// Rain on each cell divided by the largest rain on any cell. `None` if the rain is uniform.
    map: Option<&'a [f32]>,
    scale: f64,
    /// Cell number and catchment area of each river that enters the map, sorted by cell number.
    rivers: PooledVec<'a, (u32, u64)>,
}

impl<'a> Catchments<'a> {
    pub(in super::super) fn new(
        rain: &'a Rain,
        grid: Grid,
        size: f64,
        scratch: &'a ScratchPool,
    ) -> Self {
        Self::from_rows(rain, (grid, size), Self::map_scale(rain, grid), 0..grid.ny, scratch)
    }

    pub(in super::super) fn map_scale(rain: &Rain, grid: Grid) -> f64 {
        let map = rain.map.as_ref();
        map.map_or(1.0, |map| grid.cell_count() as f64 / map.sum()) * AREA_UNIT as f64
    }

    /// Returns the local catchment areas for a range of rows. Cell numbers start at 0 in the first
    /// of these rows, and the rain map covers only these rows. Rivers outside the range are
    /// ignored.
    pub(in super::super) fn from_rows(
        rain: &'a Rain,
        (grid, size): (Grid, f64),
        scale: f64,
        rows: Range<usize>,
        scratch: &'a ScratchPool,
    ) -> Self {
        let map = rain.map.as_ref();
        let river = |inflow: &Inflow| {
            let [x, y] = inflow.cell(grid, size);
            let row = y.checked_sub(rows.start).filter(|_| y < rows.end)?;
            Some((
                (row * grid.nx + x) as u32,
                (inflow.catchment / (size * size) * AREA_UNIT as f64) as u64,
            ))
        };
        let mut rivers = scratch.take_collected(rain.inflows.iter().filter_map(river));
        rivers.sort_unstable();
        Self { map: map.map(Field::as_slice), scale, rivers }
    }

    pub(in super::super) fn rain_area(&self, cell: usize) -> u64 {
        self.map.map_or(AREA_UNIT, |map| (self.scale * f64::from(map[cell])) as u64)
    }

    pub(in super::super) fn rivers(&self) -> &[(u32, u64)] {
        &self.rivers
    }

    pub(in super::super) fn area(&self, cell: usize) -> u64 {
        let own = self.rain_area(cell);
        if self.rivers.is_empty() {
            return own;
        }
        let first = self.rivers.partition_point(|river| (river.0 as usize) < cell);
        let here = self.rivers[first..].iter().take_while(|river| river.0 as usize == cell);
        own + here.map(|river| river.1).sum::<u64>()
    }

    pub(in super::super) fn area_to_cells(area: u64) -> f32 {
        (area as f64 / AREA_UNIT as f64) as f32
    }
}

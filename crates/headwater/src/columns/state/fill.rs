//! Conversion between water columns and the fill fractions of cells, for coupling with other models
//! on the same grid.

use crate::columns::params::Params;
use crate::columns::world::Columns;
use crate::error::InputError;
use crate::field::Field;
use crate::parameter;
use std::ops::Range;

/// Water of one pool in one column of grid cells.
#[derive(Clone, Debug, PartialEq)]
pub struct WaterRun {
    /// Index of the column of grid cells, counted from the west.
    pub x: usize,
    /// Rows of air cells that the water may fill, counted from the top. If there is no ceiling, the
    /// range begins at the top of the grid.
    pub rows: Range<usize>,
    /// Volume of the water (m³ for a world 1 m thick).
    pub volume: f64,
}

impl Columns {
    /// Creates a world from a grid of square cells with side length `cell` (m). The value `true` in
    /// `walls` marks a wall. Each cell is filled to the fraction given in `fill` (from 0 to 1),
    /// rounded to the unit of depth. Water in walls is ignored.
    ///
    /// # Errors
    /// Returns [`InputError`] for the same reasons as [`Columns::new`], and if `fill` has a
    /// different shape from `walls` or contains a value outside 0 to 1.
    pub fn with_fill(
        walls: &Field<bool>,
        cell: f64,
        fill: &Field<f64>,
        params: Params,
    ) -> Result<Self, InputError> {
        let mut world = Self::new(walls, cell, &[], params)?;
        InputError::check_shape("a fill", [fill.nx(), fill.ny()], [walls.nx(), walls.ny()])?;
        let parts = parameter::Range::new(0.0, 1.0);
        fill.as_slice().iter().try_for_each(|&part| parts.check("fill of a cell", part, ""))?;
        for pool in 0..world.pool_count() {
            for run in world.water_runs(pool) {
                let cells: f64 = run.rows.clone().map(|y| fill[(run.x, y)]).sum();
                let depth = world.layout.to_quanta(cells * cell);
                let Some(last) = run.rows.end.checked_sub(1) else { continue };
                let columns = world.layout.columns_of_cell(run.x, last);
                world.state.depth[columns].fill(depth);
            }
        }
        world.reset_ledgers();
        Ok(world)
    }

    /// Returns the water of a pool, listed by column of grid cells from west to east. The result is
    /// empty if the pool does not exist.
    pub fn water_runs(&self, pool: usize) -> Vec<WaterRun> {
        let Some(pool) = self.layout.pools.get(pool) else { return Vec::new() };
        let layout = &self.layout;
        let ny = layout.grid.ny();
        let cells = |height: i32| (height / layout.quanta_per_cell) as usize;
        pool.columns
            .clone()
            .step_by(layout.per_cell)
            .enumerate()
            .map(|(i, c)| {
                let all = c..c + layout.per_cell;
                let quanta: i64 = self.state.depth[all].iter().map(|&depth| i64::from(depth)).sum();
                let top = cells(layout.ceiling[c]).min(ny);
                WaterRun {
                    x: pool.x0 / layout.per_cell + i,
                    rows: ny - top..ny - cells(layout.floor[c]),
                    volume: quanta as f64 * layout.quantum_volume(),
                }
            })
            .collect()
    }
}

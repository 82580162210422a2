//! Steps, edits and queries of an open world of blocks.

use super::OpenWorld;
use super::cells::Runs;
use super::store::Store;
use crate::blocks::bodies::NONE;
use crate::blocks::cell::{Cell, FULL, Liquid};
use crate::blocks::edit::Edit;
use crate::blocks::labelled::Labelled;
use crate::blocks::params::{Params, Rule};
use crate::blocks::world::check_cell;
use crate::error::InputError;
use crate::field::Field;
use crate::ledger::Ledger;
use crate::open::{ChunkPos, OpenBalance};
use crate::parameter::Parameters;
use crate::region::Region;

/// Open worlds of blocks. Regions are in cells from the corner of the cell `[0, 0]`.
impl OpenWorld {
    /// A world without chunks.
    ///
    /// # Errors
    /// [`InputError`] if a parameter is out of its range, the rule is that of whole blocks, or air
    /// is trapped: both depend on where a world ends.
    pub fn new(params: Params) -> Result<Self, InputError> {
        params.validate()?;
        if params.rule != Rule::Fill {
            return Err(InputError::new("rule", "`whole-blocks`", "`fill` in an open world"));
        }
        if params.trapped_air {
            return Err(InputError::new("trapped_air", true, "false in an open world"));
        }
        Ok(Self::empty(params, Store::default()))
    }

    /// Changes the parameters of a running world, except those that are fixed at its start.
    ///
    /// # Errors
    /// [`InputError`] if a parameter is out of its range or cannot change. Nothing changes then.
    pub fn set_params(&mut self, params: Params) -> Result<(), InputError> {
        params.validate()?;
        params.check_change(&self.params)?;
        self.params = params;
        // Cells at rest under other parameters may move under these.
        self.store.groups.values_mut().for_each(|group| group.grid.wake_all());
        Ok(())
    }

    /// Loads a new chunk of 64 columns and rows. Its content enters through the boundary.
    ///
    /// # Errors
    /// [`InputError`] if the chunk is loaded, or was unloaded and not forgotten; if it has another
    /// size, or a liquid does not fill 1 to 256; if more chunks are connected than fit in a world
    /// (508 columns or rows). Nothing changes then.
    pub fn insert(&mut self, chunk: ChunkPos, cells: &Field<Cell>) -> Result<(), InputError> {
        cells.as_slice().iter().try_for_each(|&cell| check_cell(cell, self.params.rule))?;
        chunk.check_size([cells.nx(), cells.ny()])?;
        let runs = Runs::new(cells.as_slice().iter().map(|&cell| cell.into()));
        self.insert_new(chunk, runs, "new cells")
    }

    /// Sets a cell, by its column and row.
    ///
    /// # Errors
    /// [`InputError`] if its chunk is not loaded or a liquid does not fill 1 to 256.
    pub fn set(&mut self, cell: [i64; 2], to: Cell) -> Result<(), InputError> {
        Edit::Set(to).check(self.params.rule)?;
        let (chunk, _) = self.loaded_cell(cell)?;
        if let Some(group) = self.store.group_mut(chunk) {
            Edit::Set(to).apply(&mut group.grid, group.bounds.cell(cell), &mut self.ledgers);
        }
        Ok(())
    }

    /// Edits the loaded cells whose middles lie in a region.
    ///
    /// # Errors
    /// [`InputError`] if the region is malformed, or an amount is not 1 to 256.
    pub fn edit(&mut self, region: &Region, edit: Edit) -> Result<(), InputError> {
        region.validate()?;
        edit.check(self.params.rule)?;
        for group in self.store.groups.values_mut() {
            for &chunk in &group.loaded {
                let (left, top) = group.bounds.cell(chunk.origin());
                for (x, y) in chunk.cells_in(1.0, region)? {
                    edit.apply(&mut group.grid, (left + x, top + y), &mut self.ledgers);
                }
            }
        }
        Ok(())
    }

    /// The content of a cell, by its column and row; `None` if its chunk is not loaded.
    pub fn cell(&self, cell: [i64; 2]) -> Option<Cell> {
        let (chunk, (x, y)) = ChunkPos::locate(cell)?;
        Some(self.store.cells(chunk)?[y][x].into())
    }

    /// The fill of a cell (256ths); `None` if its chunk is not loaded.
    pub fn fill_at(&self, cell: [i64; 2]) -> Option<u16> {
        self.cell(cell).map(Cell::fill)
    }

    /// The level of the body at a cell: cells above the top of row 0, negative below it. `None` if
    /// the chunk is not loaded or the cell is in no body.
    pub fn level(&mut self, cell: [i64; 2]) -> Option<f64> {
        let group = self.store.group_mut(ChunkPos::of(cell)?)?;
        group.grid.refresh(&group.spare);
        let (x, y) = group.bounds.cell(cell);
        let body = group.grid.body(x as u32, y as u32);
        let top = (body != NONE).then(|| group.grid.top_of_body(body))?;
        Some(f64::from(top) / f64::from(FULL) - group.bounds.end_row() as f64)
    }

    /// The chunks whose cells have changed since the last call, or that have been loaded since,
    /// ordered by column, then by row: those to draw or to send over a network.
    pub fn take_changed(&mut self) -> Vec<ChunkPos> {
        self.store.take_changed()
    }

    /// The ledger of a liquid (256ths of a cell).
    pub fn ledger(&self, liquid: Liquid) -> &Ledger<i128> {
        &self.ledgers[liquid as usize]
    }

    /// The ledger of a liquid, compared with its volume (256ths of a cell) in all loaded cells, in
    /// unloaded chunks and in transit.
    pub fn balance(&self, liquid: Liquid) -> OpenBalance<i128> {
        self.substance_balance(liquid as usize)
    }
}

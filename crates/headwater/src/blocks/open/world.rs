//! Constructor, edits and queries of open worlds of blocks.

use super::cells::CellRuns;
use super::group::ConnectedBlocks;
use crate::blocks::edit::Edit;
use crate::blocks::params::Params;
use crate::blocks::state::bodies::NONE;
use crate::blocks::state::cell::{Cell, FULL, Liquid};
use crate::blocks::state::cell_labels::CellLabels;
use crate::blocks::world::check_cell;
use crate::error::InputError;
use crate::field::Field;
use crate::open::{self, CHUNK, ChunkPos, OpenBalance};
use crate::region::Region;

/// An unbounded world of blocks, of which only some chunks are loaded.
pub type OpenWorld = open::OpenWorld<ConnectedBlocks>;

/// Methods of open worlds of blocks. Regions are in cells, measured from the top-left corner of the
/// cell `[0, 0]`.
impl OpenWorld {
    /// Creates a world without chunks.
    ///
    /// # Errors
    /// Returns [`InputError`] if a parameter is out of range, if the rule is
    /// [`Rule::WholeBlocks`](crate::blocks::Rule::WholeBlocks), if `trapped_air` is true, or if a
    /// side or the bottom is not a wall. These depend on where the world ends, so unbounded worlds
    /// do not support them.
    pub fn new(params: Params) -> Result<Self, InputError> {
        Self::empty(params, ())
    }

    /// Adds a new chunk of 64 × 64 cells to the world and loads it. The ledgers record its contents
    /// as inflow through the boundary.
    ///
    /// # Errors
    /// Returns [`InputError`] if the chunk is loaded, or was unloaded and not yet
    /// [forgotten](Self::forget); if `cells` does not have the size of a chunk; if the fill of a
    /// liquid is not between 1 and 256; or if the connected chunks would span more than 508 columns
    /// or rows of chunks. In these cases, nothing changes.
    pub fn insert(&mut self, chunk: ChunkPos, cells: &Field<Cell>) -> Result<(), InputError> {
        cells.as_slice().iter().try_for_each(|&cell| check_cell(cell, self.params.rule))?;
        chunk.check_size([cells.nx(), cells.ny()])?;
        let runs = CellRuns::new(cells.as_slice().iter().map(|&cell| cell.into()));
        self.insert_new(chunk, runs, "new cells")
    }

    /// Sets the content of one cell, given by its column and row in the world.
    ///
    /// # Errors
    /// Returns [`InputError`] if the chunk that contains the cell is not loaded, or if the fill of
    /// a liquid is not between 1 and 256.
    pub fn set(&mut self, cell: [i64; 2], content: Cell) -> Result<(), InputError> {
        Edit::Set(content).check(self.params.rule)?;
        let (chunk, _) = self.loaded_cell(cell)?;
        self.regroup();
        if let Some(group) = self.store.group_mut(chunk) {
            Edit::Set(content).apply(
                &mut group.grid,
                group.bounds.local_cell(cell),
                &mut self.ledgers,
            );
        }
        Ok(())
    }

    /// Edits the loaded cells whose centres lie in `region`.
    ///
    /// # Errors
    /// Returns [`InputError`] if the region is malformed, or if an amount in `edit` is not between
    /// 1 and 256.
    pub fn edit(&mut self, region: &Region, edit: Edit) -> Result<(), InputError> {
        region.validate()?;
        edit.check(self.params.rule)?;
        self.regroup();
        for (home, cells) in self.store.places_in_region(region, ()) {
            let Some(group) = self.store.groups.get_mut(&home) else { continue };
            for cell in cells {
                edit.apply(&mut group.grid, cell, &mut self.ledgers);
            }
        }
        Ok(())
    }

    /// Returns the content of a cell, given by its column and row in the world. Returns `None` if
    /// the chunk that contains the cell is not loaded.
    pub fn cell(&self, cell: [i64; 2]) -> Option<Cell> {
        let (chunk, (x, y)) = ChunkPos::locate(cell)?;
        if let Some(runs) = self.store.pending.added.get(&chunk) {
            return runs.iter().nth(y * CHUNK + x).map(Cell::from);
        }
        Some(self.store.group(chunk)?.cells(chunk)[y][x].into())
    }

    /// Returns the surface level of the body (connected liquid of one kind) at a cell. The level is
    /// in cells and is measured upward from the top of row 0, so a level below that is negative.
    /// Returns `None` if the chunk is not loaded or the cell belongs to no body.
    pub fn surface_level(&mut self, cell: [i64; 2]) -> Option<f64> {
        self.regroup();
        let group = self.store.group_mut(ChunkPos::from_cell(cell)?)?;
        group.grid.update_labels(&group.scratch);
        let (x, y) = group.bounds.local_cell(cell);
        let body = group.grid.body(x as u32, y as u32);
        let top = (body != NONE).then(|| group.grid.top_of_body(body))?;
        Some(f64::from(top) / f64::from(FULL) - group.bounds.end_row() as f64)
    }

    /// Returns the balance of a liquid (256ths of a cell): its ledger, its volumes in loaded
    /// chunks, in unloaded chunks and in transit, and the residual (total volume minus the volume
    /// expected from the ledger).
    pub fn balance(&self, liquid: Liquid) -> OpenBalance<i128> {
        self.substance_balance(liquid as usize)
    }
}

//! Digging, building and pouring in an open world, where it is loaded.

use super::sources::cells_in;
use super::world::OpenWorld;
use crate::blocks::cell::Cell;
use crate::blocks::edit::Edit;
use crate::error::InputError;
use crate::open::ChunkPos;
use crate::region::Region;

impl OpenWorld {
    /// Sets a cell, by its column and row.
    ///
    /// # Errors
    /// [`InputError`] if its chunk is not loaded or a liquid does not fill 1 to 256.
    pub fn set(&mut self, cell: [i64; 2], to: Cell) -> Result<(), InputError> {
        Edit::Set(to).check(self.params.rule)?;
        let island = ChunkPos::of(cell).and_then(|chunk| self.land.island_mut(chunk));
        let Some(island) = island else {
            let found = format!("({}, {})", cell[0], cell[1]);
            return Err(InputError::new("a cell", found, "one of a chunk that is loaded"));
        };
        Edit::Set(to).apply(&mut island.grid, island.tract.cell(cell), &mut self.ledgers);
        Ok(())
    }

    /// Edits the cells whose middles lie in a region, given in cells from the corner of the cell `[0, 0]`. What is not loaded
    /// does not count.
    ///
    /// # Errors
    /// [`InputError`] if the region makes no sense, or an amount is not 1 to 256.
    pub fn edit(&mut self, region: &Region, edit: Edit) -> Result<(), InputError> {
        region.validate()?;
        edit.check(self.params.rule)?;
        let Self { land, ledgers, .. } = self;
        for island in land.islands_mut() {
            for &chunk in &island.loaded {
                let (left, top) = island.tract.cell(chunk.origin());
                for (x, y) in cells_in(chunk, region)? {
                    edit.apply(&mut island.grid, (left + x, top + y), ledgers);
                }
            }
        }
        Ok(())
    }
}

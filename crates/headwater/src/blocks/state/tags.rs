//! Tags of cells: numbers from 0 to 255 that the application defines. They do not affect the
//! simulation.

use crate::blocks::world::Blocks;
use crate::error::InputError;
use crate::field::Field;
use crate::region::Region;

impl Blocks {
    /// Returns the tag of a cell, or `None` if the position is off the grid. The tag is 0 unless
    /// the application has set another value.
    ///
    /// ```
    /// use headwater::Region;
    /// use headwater::blocks::{Blocks, Edit, Params};
    /// const ORE: u8 = 3;
    /// let mut world = Blocks::from_text("#~#\n#~#\n###", Params::default())?;
    /// let corner = Region::rect([2.0, 2.0], [3.0, 3.0]);
    /// world.set_tags(&corner, ORE)?;
    /// assert_eq!(world.tag(2, 2), Some(ORE));
    /// world.edit(&corner, Edit::Dig)?;
    /// assert_eq!(world.tag(2, 2), Some(0), "the ore is gone with its wall");
    /// # Ok::<(), headwater::InputError>(())
    /// ```
    pub fn tag(&self, x: usize, y: usize) -> Option<u8> {
        let inside = x < self.nx() && y < self.ny();
        inside.then(|| self.tags.as_ref().map_or(0, |tags| tags[(x, y)]))
    }

    /// Sets the tag of all cells whose centres lie in `region`, which is given in cells from the
    /// top-left corner of the world. A cell keeps its tag until an edit adds or removes a wall in
    /// the cell. Snapshots include tags.
    ///
    /// # Errors
    /// Returns [`InputError`] if the region is malformed.
    pub fn set_tags(&mut self, region: &Region, tag: u8) -> Result<(), InputError> {
        let cells = self.cells_in_region(region)?;
        let (nx, ny) = (self.nx(), self.ny());
        let tags = self.tags.get_or_insert_with(|| Field::new(nx, ny, 0));
        cells.iter().for_each(|&at| tags[at] = tag);
        self.grid.mark_cells(cells);
        Ok(())
    }
}

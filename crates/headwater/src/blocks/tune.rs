//! Parameters that change while the world runs.

use super::{Blocks, BlocksError, Params};

impl Blocks {
    /// Changes the parameters of a running world, but for the rule, the tick and whether air is trapped, which belong to
    /// it from its start.
    ///
    /// # Errors
    /// [`BlocksError`] if a parameter is out of its range or [fixed](BlocksError::Fixed). Nothing is changed then.
    pub fn set_params(&mut self, params: Params) -> Result<(), BlocksError> {
        params.validate()?;
        for (name, same) in [
            ("rule", params.rule == self.params.rule),
            ("tick", params.tick == self.params.tick),
            ("trapped_air", params.trapped_air == self.params.trapped_air),
        ] {
            if !same {
                return Err(BlocksError::Fixed(name));
            }
        }
        self.params = params;
        // What is at rest by other numbers may not be by these: all of it wakes.
        let cells = self.grid.cells();
        self.grid = super::Grid::new(&cells, self.params.trapped_air);
        Ok(())
    }
}

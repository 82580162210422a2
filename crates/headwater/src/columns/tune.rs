//! Parameters that change while the world runs.

use super::state::Rule;
use super::{Columns, ColumnsError, Motion, Params};

impl Columns {
    /// Changes the parameters of a running world, but for what moves the water, the step, how many columns there are to a
    /// cell, and whether there is heat: these belong to it from its start. The air's temperature is changed by
    /// [`set_air`](Self::set_air).
    ///
    /// # Errors
    /// [`ColumnsError`] if a parameter is out of its range or [fixed](ColumnsError::Fixed), or waves would be too fast
    /// for the step. Nothing is changed then.
    pub fn set_params(&mut self, params: Params) -> Result<(), ColumnsError> {
        params.validate()?;
        let now = &self.params;
        for (name, same) in [
            ("motion", params.motion == now.motion),
            ("step", params.step == now.step),
            ("columns_per_cell", params.columns_per_cell == now.columns_per_cell),
            ("heat", params.heat.is_some() == now.heat.is_some()),
        ] {
            if !same {
                return Err(ColumnsError::Fixed(name));
            }
        }
        if params.motion == Motion::Discharge {
            super::check_stable(&params, self.layout.width)?;
        }
        self.rule = Rule::new(&params, &self.layout);
        self.params = params;
        self.wake_all();
        Ok(())
    }

    /// Wakes all pools.
    fn wake_all(&mut self) {
        for pool in 0..self.layout.pools.len() {
            self.sleep.wake(pool);
        }
    }
}

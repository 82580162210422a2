//! Parameters, weather and springs that change while the world runs. The state stays; what is owed stays owed.

use super::error::number;
use super::exchange::{Ground, Outlet};
use super::{Flow, FlowError, Momentum, Params, Physics, Rain, Soil};
use crate::field::Field;
use crate::series::Series;

impl Flow {
    /// Changes the parameters of a running world, its [`Physics`] too: water that comes to know momentum begins with the
    /// velocity that its discharges had.
    ///
    /// # Errors
    /// [`FlowError`] if a parameter is out of its range, or the grid is not for the physics. Nothing is changed then.
    pub fn set_params(&mut self, params: Params) -> Result<(), FlowError> {
        params.validate()?;
        if params.physics == Physics::ShallowWater && self.lattice.is_hex() {
            return Err(FlowError::NoHexagons);
        }
        let has = params.physics.has_momentum();
        if has != self.state.momentum.is_some() {
            let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
            let along = |axis: usize| {
                Field::from_fn(nx, ny, |x, y| self.state.depth[(x, y)] * self.velocity(x, y)[axis])
            };
            let momentum = has.then(|| Momentum { x: along(0), y: along(1) });
            self.state.momentum = momentum;
        }
        self.params = params;
        self.scratch.sweep.tiles.wake_all();
        Ok(())
    }

    /// Changes how hard it rains (mm/h). A map of the rain stays; where there was no rain, it now rains everywhere.
    ///
    /// # Errors
    /// [`FlowError::Number`] if the rate falls below 0.
    pub fn change_rain(&mut self, rate: Series) -> Result<(), FlowError> {
        let lowest = rate.range().0;
        number("the rain's rate", lowest, lowest >= 0.0, "0 mm/h or above")?;
        match &mut self.exchange.rain {
            Some((rain, _)) => rain.rate = rate,
            None => self.set_rain(Some(Rain { rate, map: None }))?,
        }
        Ok(())
    }

    /// Changes how fast water evaporates (mm/h).
    ///
    /// # Errors
    /// [`FlowError::Number`] if the rate falls below 0.
    pub fn change_evaporation(&mut self, rate: Series) -> Result<(), FlowError> {
        let lowest = rate.range().0;
        number("the evaporation's rate", lowest, lowest >= 0.0, "0 mm/h or above")?;
        match &mut self.exchange.evaporation {
            Some((evaporation, _)) => *evaporation = rate,
            None => self.set_evaporation(Some(rate))?,
        }
        Ok(())
    }

    /// Changes the soil under every cell, which keeps its water.
    ///
    /// # Errors
    /// [`FlowError::Number`] if one of the soil's numbers is below 0.
    pub fn change_soil(&mut self, soil: Soil) -> Result<(), FlowError> {
        let held = self.exchange.soil.take();
        if let Err(error) = self.set_soil(Some(soil)) {
            self.exchange.soil = held;
            return Err(error);
        }
        if let (Some(Ground { cells, .. }), Some(held)) = (&mut self.exchange.soil, held) {
            *cells = held.cells;
        }
        Ok(())
    }

    /// Changes the rate (m³/s) of the spring of that number, in the order in which they were added.
    ///
    /// # Errors
    /// [`FlowError::Number`] if there is no such spring, or the rate falls below 0.
    pub fn change_spring(&mut self, spring: usize, rate: Series) -> Result<(), FlowError> {
        change(&mut self.exchange.springs, "a spring", spring, rate)
    }

    /// The same for the drain of that number.
    ///
    /// # Errors
    /// [`FlowError::Number`] if there is no such drain, or the rate falls below 0.
    pub fn change_drain(&mut self, drain: usize, rate: Series) -> Result<(), FlowError> {
        change(&mut self.exchange.drains, "a drain", drain, rate)
    }

    /// How many springs there are.
    pub fn springs(&self) -> usize {
        self.exchange.springs.len()
    }

    /// Water in the soil of a cell (m); `None` without soil, or off the grid.
    pub fn soil_at(&self, x: usize, y: usize) -> Option<f64> {
        self.exchange.soil.as_ref()?.cells.get(x, y).map(|cell| cell.held)
    }
}

fn change(
    outlets: &mut [Outlet],
    what: &'static str,
    found: usize,
    rate: Series,
) -> Result<(), FlowError> {
    let lowest = rate.range().0;
    number("a rate", lowest, lowest >= 0.0, "0 m³/s or above")?;
    let there = found < outlets.len();
    number(what, found as f64, there, "the number of one that there is")?;
    outlets[found].source.rate = rate;
    Ok(())
}

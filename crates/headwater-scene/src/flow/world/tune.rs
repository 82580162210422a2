//! Values of a scene that change while its world runs.

use super::{FlowWorld, params};
use crate::flow::FlowScene;
use headwater::flow::{FlowError, Soil};

impl FlowWorld {
    /// Takes on the values of another version of its scene, with the same lists of sources and drains.
    ///
    /// # Errors
    /// [`FlowError`] if the model refuses one.
    pub(crate) fn tune(&mut self, old: &FlowScene, new: &FlowScene) -> Result<(), FlowError> {
        let lattice = *self.flow.lattice();
        self.flow.set_params(params(new, &lattice))?;
        match &new.rain {
            _ if new.rain == old.rain => {}
            Some(rain) => self.flow.change_rain(rain.rate.clone())?,
            None => self.flow.set_rain(None)?,
        }
        match &new.evaporation {
            _ if new.evaporation == old.evaporation => {}
            Some(evaporation) => self.flow.change_evaporation(evaporation.rate.clone())?,
            None => self.flow.set_evaporation(None)?,
        }
        match new.infiltration {
            _ if new.infiltration == old.infiltration => {}
            Some(soil) => {
                let capacity = soil.capacity.unwrap_or(f64::MAX);
                self.flow.change_soil(Soil { rate: soil.rate, capacity, seepage: soil.seepage })?;
            }
            None => self.flow.set_soil(None)?,
        }
        for (i, (old, new)) in old.sources.iter().zip(&new.sources).enumerate() {
            if old.rate != new.rate {
                self.flow.change_spring(self.fed + i, new.rate.clone())?;
            }
        }
        for (i, (old, new)) in old.drains.iter().zip(&new.drains).enumerate() {
            if old.rate != new.rate {
                self.flow.change_drain(i, new.rate.clone())?;
            }
        }
        Ok(())
    }
}

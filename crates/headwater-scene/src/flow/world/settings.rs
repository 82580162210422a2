//! Changes of scene values in a running flow world.

use super::{FlowWorld, params};
use crate::flow::FlowScene;
use crate::scene::entry_id;
use headwater::InputError;
use headwater::flow::SoilMap;

impl FlowWorld {
    /// Applies the values that differ between an old and a new version of the scene to the model.
    /// Both versions must have the same number of sources and drains.
    pub(crate) fn apply_settings(
        &mut self,
        old: &FlowScene,
        new: &FlowScene,
    ) -> Result<(), InputError> {
        let lattice = *self.flow.lattice();
        self.flow.set_params(params(new, &lattice))?;
        match &new.rain {
            _ if new.rain == old.rain => {}
            Some(rain) => self.flow.set_rain_rate(rain.keys.rate.clone())?,
            None => self.flow.set_rain(None)?,
        }
        match &new.evaporation {
            _ if new.evaporation == old.evaporation => {}
            Some(evaporation) => self.flow.set_evaporation_rate(evaporation.rate.clone())?,
            None => self.flow.set_evaporation(None)?,
        }
        let soils = self.flow.soil_map().map(|map| map.map.clone());
        match &new.infiltration {
            _ if new.infiltration == old.infiltration => {}
            Some(soil) => self.flow.set_soil_params(**soil)?,
            None => self.flow.set_soil(None)?,
        }
        if new.infiltration != old.infiltration
            && let Some(map) = soils
        {
            // Soils of classes take missing values from the scene's soil.
            let soils = super::covers::soils(new);
            self.flow.set_soil_map(Some(SoilMap { soils, map }))?;
        }
        for (i, (old, new)) in old.sources.iter().zip(&new.sources).enumerate() {
            if old.keys.rate != new.keys.rate {
                self.flow.set_spring_rate(
                    entry_id(self.entries_before_scene[1] + i),
                    new.keys.rate.clone(),
                )?;
            }
        }
        for (i, (old, new)) in old.drains.iter().zip(&new.drains).enumerate() {
            if old.keys.rate != new.keys.rate {
                self.flow.set_drain_rate(entry_id(i), new.keys.rate.clone())?;
            }
        }
        Ok(())
    }
}

//! Changes to the settings of a running world: parameters, storms and sea level.

use super::climate::storm::Storm;
use super::ground::rock_heterogeneity;
use super::params::{INTENSITY_RANGE, Params};
use super::world::Hydrology;
use crate::error::InputError;
use crate::parameter::{Parameters, Range};

impl Hydrology {
    /// Replaces the parameters of a running world. The seed, the unit of length, the edges, the
    /// initial soil thickness and the number of kinds of plants cannot change. If the sea level
    /// differs, the sea moves to its new level.
    ///
    /// # Errors
    /// Returns [`InputError`] if a parameter is out of range, or if a parameter that cannot change
    /// differs from its current value. In these cases, the world is unchanged.
    pub fn set_params(&mut self, params: Params) -> Result<(), InputError> {
        params.validate()?;
        params.check_fixed_unchanged(&self.land.params)?;
        let (edges, now) = (&params.edges, &self.land.params.edges);
        edges.check_fixed_unchanged(now).map_err(|error| error.with_table_prefix("edges"))?;
        if params.plants.len() != self.land.params.plants.len() {
            return Err(InputError::immutable_parameter("plants"));
        }
        if params.sea != self.land.params.sea {
            self.set_sea_level(params.sea)?;
        }
        let before = std::mem::replace(&mut self.land.params, params);
        // The seed and the unit are fixed.
        if self.land.params.variation != before.variation {
            self.rock_factors = rock_heterogeneity::factors(&self.land, 0);
        }
        // The strengths of streams may have changed everywhere.
        self.changes.next_tick();
        self.changes.mark_all();
        Ok(())
    }

    /// Starts a storm, which lasts until `rain` more drops per cell have fallen. It multiplies
    /// [`Params::intensity`], the erosion intensity, by `intensity`. A new storm replaces an
    /// unfinished one. In the step in which the storm ends, the intensity is averaged over the
    /// step.
    ///
    /// # Errors
    /// Returns [`InputError`] if `rain` is outside the range from 0 to 10⁶, or if `intensity` is
    /// outside the range from 0 to 100.
    pub fn start_storm(&mut self, rain: f64, intensity: f64) -> Result<(), InputError> {
        Range::new(0.0, 1e6).check("rain of a storm", rain, "drops per cell")?;
        INTENSITY_RANGE.check("intensity of a storm", intensity, "")?;
        self.land.storm = Some(Storm { until: self.land.time + rain, intensity });
        Ok(())
    }

    /// Sets the height of the sea surface (m). Lakes that the sea reaches become part of the sea.
    /// Depressions from which the sea withdraws stay dry until rain fills them.
    ///
    /// # Errors
    /// Returns [`InputError`] if the height is outside the range from
    /// −[`MAX_HEIGHT`](super::MAX_HEIGHT) to [`MAX_HEIGHT`](super::MAX_HEIGHT).
    pub fn set_sea_level(&mut self, height: f64) -> Result<(), InputError> {
        Params { sea: height, ..self.land.params.clone() }.check()?;
        self.change_terrain(|world| world.land.params.sea = height);
        Ok(())
    }
}

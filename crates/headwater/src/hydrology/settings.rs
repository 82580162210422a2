//! Parameters that change while the world runs, the sea's height among them.

use super::fabric;
use super::params::{INTENSITY, Params};
use super::storm::Storm;
use super::world::Hydrology;
use crate::error::InputError;
use crate::parameter::{Parameters, Range};

impl Hydrology {
    /// Changes the parameters of a running world, except its seed, edges, first soil and number of
    /// plant kinds. The sea moves to its new height.
    ///
    /// # Errors
    /// [`InputError`] if a parameter is out of its range or fixed. Nothing is changed then.
    pub fn set_params(&mut self, params: Params) -> Result<(), InputError> {
        params.validate()?;
        params.check_change(&self.land.params)?;
        let (edges, now) = (&params.edges, &self.land.params.edges);
        edges.check_change(now).map_err(|error| error.under("edges"))?;
        if params.plants.len() != self.land.params.plants.len() {
            return Err(InputError::immutable("plants"));
        }
        if params.sea != self.land.params.sea {
            self.set_sea(params.sea)?;
        }
        let before = std::mem::replace(&mut self.land.params, params);
        // The seed and the unit are fixed.
        if self.land.params.variation != before.variation {
            self.fabric = fabric::of(&self.land, 0);
        }
        // What counts as a strong stream may have changed everywhere.
        self.changes.next_tick();
        self.changes.mark_all();
        Ok(())
    }

    /// Lets the next `rain` (drops per cell) carve `intensity` times as hard as
    /// [`Params::intensity`]. A new storm replaces an unfinished one; a step in which it ends
    /// counts in part.
    ///
    /// # Errors
    /// [`InputError`] if `rain` is not 0 to 10⁶, or `intensity` not 0 to 100.
    pub fn storm(&mut self, rain: f64, intensity: f64) -> Result<(), InputError> {
        Range::new(0.0, 1e6).check("rain of a storm", rain, "drops per cell")?;
        INTENSITY.check("intensity of a storm", intensity, "")?;
        self.land.storm = Some(Storm { until: self.land.time + rain, intensity });
        Ok(())
    }

    /// Sets the height of the sea (m). Lakes that it reaches become sea; hollows that it leaves
    /// stay dry until rain fills them.
    ///
    /// # Errors
    /// [`InputError`] if the height is not from −[`HIGHEST`](super::HIGHEST) to [`HIGHEST`](super::HIGHEST).
    pub fn set_sea(&mut self, height: f64) -> Result<(), InputError> {
        Params { sea: height, ..self.land.params.clone() }.check()?;
        self.reshape(|world| world.land.params.sea = height);
        Ok(())
    }
}

//! Parameters and weather that change while the world runs. The surface stays as it is.

use super::weather::Gusts;
use super::{Params, Rain, Waves, WavesError, Wind, dispersion};

impl Waves {
    /// Changes the parameters of a running world: gravity, speed, damping, depth, dispersion and the most steps of a
    /// frame. What the heights are counted in, the step and the edges belong to it from its start.
    ///
    /// # Errors
    /// [`WavesError`] if a parameter is out of its range or [fixed](WavesError::Fixed), or the step too long for the
    /// speed. Nothing is changed then.
    pub fn set_params(&mut self, params: Params) -> Result<(), WavesError> {
        params.validate()?;
        let now = &self.params;
        for (name, same) in [
            ("step", params.step == now.step),
            ("highest", params.highest == now.highest),
            ("absorbing_cells", params.absorbing_cells == now.absorbing_cells),
            ("edges", params.edges == now.edges),
        ] {
            if !same {
                return Err(WavesError::Fixed(name));
            }
        }
        let filter = dispersion::filter(&params, &self.lattice)?;
        let before = (
            std::mem::replace(&mut self.params, params),
            std::mem::replace(&mut self.filter, filter),
        );
        if let Err(error) = self.check_speeds(self.speed.as_ref()) {
            (self.params, self.filter) = before;
            return Err(error);
        }
        self.rule = super::rule(&self.params, &self.lattice);
        self.refit();
        self.tiles.wake_all();
        Ok(())
    }

    /// Lets it rain otherwise from now on; where it rained before, drops go on in their order.
    ///
    /// # Errors
    /// As [`set_rain`](Self::set_rain).
    pub fn turn_rain(&mut self, rain: Rain) -> Result<(), WavesError> {
        self.check_rain(&rain)?;
        match &mut self.shower {
            Some(shower) => shower.turn(rain),
            None => self.set_rain(Some(rain))?,
        }
        Ok(())
    }

    /// Lets the wind blow otherwise from now on; as many gusts as before go on from where they are.
    ///
    /// # Errors
    /// As [`set_wind`](Self::set_wind).
    pub fn turn_wind(&mut self, wind: Wind) -> Result<(), WavesError> {
        self.check_wind(&wind)?;
        if !self.gusts.as_mut().is_some_and(|gusts: &mut Gusts| gusts.turn(wind)) {
            self.set_wind(Some(wind))?;
        }
        Ok(())
    }
}

//! Land mask, wave speeds and current of a [`Waves`](crate::waves::Waves) world, and data derived
//! from them.

use crate::check::{check_field, check_shape};
use crate::error::InputError;
use crate::field::Field;
use crate::waves::current::{self, AdvectionField, Current};
use crate::waves::dispersion;
use crate::waves::params::{LARGEST_Q, Params};
use crate::waves::solver::absorbing::AbsorbingLayers;
use crate::waves::solver::rule::WaveCoefficients;
use crate::waves::solver::wave_speed_map::{GainInputs, WaveSpeedMap};
use crate::waves::world::Waves;

impl Waves {
    /// Changes the parameters of a running world. The unit of height, the time step and the edges
    /// cannot change. Heights and fluxes keep their values.
    ///
    /// # Errors
    /// Returns [`InputError`] if a parameter is out of range, if a parameter that cannot change
    /// differs from its current value, or if the time step is too long for the wave speed. In these
    /// cases, the world is unchanged.
    pub fn set_params(&mut self, params: Params) -> Result<(), InputError> {
        params.validate()?;
        params.check_live_parameters(&self.params)?;
        let filter = dispersion::fit_filter(&params, &self.lattice)?;
        let before = (
            std::mem::replace(&mut self.params, params),
            std::mem::replace(&mut self.filter, filter),
        );
        if let Err(error) = self.check_speeds(self.speed.as_ref()) {
            (self.params, self.filter) = before;
            return Err(error);
        }
        self.rule = WaveCoefficients::from_params(&self.params, &self.lattice);
        self.update_derived_and_wake();
        Ok(())
    }

    /// Sets the land mask, in which land cells are true. `None` removes all land. Land reflects
    /// waves. Cells that become land keep their water.
    ///
    /// # Errors
    /// Returns [`InputError`] if the shape of the mask differs from that of the grid.
    pub fn set_land(&mut self, land: Option<Field<bool>>) -> Result<(), InputError> {
        if let Some(land) = &land {
            check_shape("the mask of land", land, &self.lattice.into())?;
        }
        self.land = land;
        self.update_derived_and_wake();
        Ok(())
    }

    /// Sets the wave speed of each cell (m/s), which is √(g·h) for water of depth h. `None` sets
    /// the speed to [`Params::speed`] everywhere. Waves do not enter cells with a speed of 0.
    ///
    /// # Errors
    /// Returns [`InputError`] if the shape of the map differs from that of the grid, if a speed is
    /// negative or too large for the time step, or if dispersion is enabled.
    pub fn set_speed(&mut self, speed: Option<Field<f32>>) -> Result<(), InputError> {
        self.check_speeds(speed.as_ref())?;
        self.speed = speed;
        self.update_derived_and_wake();
        Ok(())
    }

    /// Returns the depth of the water at rest in a cell (m). If wave speeds are set for each cell,
    /// it is `c²/g` for the wave speed c of the cell. Otherwise, it is [`Params::depth`]. Returns 0
    /// on land and off the grid.
    pub fn still_depth(&self, x: usize, y: usize) -> f32 {
        if x >= self.lattice.nx() || y >= self.lattice.ny() || self.is_land(x, y) {
            return 0.0;
        }
        match &self.speed {
            None => self.params.depth as f32,
            Some(speed) => (f64::from(speed[(x, y)]).powi(2) / self.params.gravity) as f32,
        }
    }

    /// Sets the velocity of the water in every cell (m/s; east, south), which advects the surface.
    /// `None` removes the current.
    ///
    /// The sum of the heights remains exact. Water crosses edges of fixed height. Absorbing edges
    /// reduce the current, and walls and land stop it. While there is a current, all tiles are
    /// updated in every step. The waves have no effect on the current.
    ///
    /// # Errors
    /// Returns [`InputError`] if the shape of a field differs from that of the grid, if a velocity
    /// is not finite, or if a component exceeds one cell per step. In the last case, the error
    /// contains the limits of the velocity and of the time step.
    pub fn set_current(
        &mut self,
        current: Option<(Field<f32>, Field<f32>)>,
    ) -> Result<(), InputError> {
        if let Some((east, south)) = &current {
            self.check_current(east, south)?;
        }
        self.set_current_if_nonzero(current);
        self.update_derived_and_wake();
        Ok(())
    }

    /// Sets the land mask, the wave speeds and the current together. Water in cells that become
    /// land moves to neighbouring water cells.
    ///
    /// # Errors
    /// Returns [`InputError`] in the cases listed for [`set_land`](Self::set_land),
    /// [`set_speed`](Self::set_speed) and [`set_current`](Self::set_current). In these cases, the
    /// world is unchanged.
    pub fn set_basin(
        &mut self,
        land: Field<bool>,
        speed: Field<f32>,
        current: (Field<f32>, Field<f32>),
    ) -> Result<(), InputError> {
        check_shape("the mask of land", &land, &self.lattice.into())?;
        self.check_speeds(Some(&speed))?;
        self.check_current(&current.0, &current.1)?;
        self.move_water_off_land(&land);
        self.land = land.as_slice().contains(&true).then_some(land);
        self.speed = Some(speed);
        self.set_current_if_nonzero(Some(current));
        self.update_derived_and_wake();
        Ok(())
    }

    /// Moves the water of cells that become land to neighbouring cells that remain water.
    fn move_water_off_land(&mut self, land: &Field<bool>) {
        let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
        for y in 0..ny {
            for x in 0..nx {
                let height = self.state.height[(x, y)];
                if !land[(x, y)] || self.is_land(x, y) || height == 0.0 {
                    continue;
                }
                let neighbours = [
                    (x > 0).then(|| (x - 1, y)),
                    (x + 1 < nx).then_some((x + 1, y)),
                    (y > 0).then(|| (x, y - 1)),
                    (y + 1 < ny).then_some((x, y + 1)),
                ];
                let wet: Vec<_> =
                    neighbours.into_iter().flatten().filter(|&at| !land[at]).collect();
                for (i, &at) in wet.iter().enumerate() {
                    // The last neighbour receives the remainder, so that heights stay multiples of
                    // the unit of height.
                    let left = self.state.height[(x, y)];
                    let share = self.rule.quantize(left / (wet.len() - i) as f32);
                    self.state.height[at] += share;
                    self.state.height[(x, y)] -= share;
                }
            }
        }
    }

    fn set_current_if_nonzero(&mut self, current: Option<(Field<f32>, Field<f32>)>) {
        let runs = |field: &Field<f32>| field.as_slice().iter().any(|&v| v != 0.0);
        self.current = current
            .filter(|(east, south)| runs(east) || runs(south))
            .map(|(east, south)| Current { east, south });
        if self.current.is_none() {
            self.state.carried = None;
        }
    }

    pub(in crate::waves) fn update_derived_and_wake(&mut self) {
        self.update_derived();
        self.tiles.wake_all();
    }

    /// Recomputes all data that is derived from parameters, land, wave speeds and current. Sets the
    /// fluxes through closed faces to 0.
    pub(in crate::waves) fn update_derived(&mut self) {
        let Self { lattice, params, rule, land, speed, state, .. } = self;
        let uniform = params.long_wave_speed();
        let (edges, land, speed) = (&params.edges, land.as_ref(), speed.as_ref());
        self.speed_map =
            WaveSpeedMap::new(&GainInputs { lattice, rule, edges, land, speed, uniform });
        let fastest = speed.and_then(Field::min_max).map(|range| range.1);
        self.absorbing = AbsorbingLayers::new(params, lattice, fastest.map_or(uniform, f64::from));
        if let Some(gains) = &self.speed_map.map {
            for (flux, gain) in [(&mut state.flux_x, &gains.x), (&mut state.flux_y, &gains.y)] {
                for (flux, &gain) in flux.as_mut_slice().iter_mut().zip(gain.as_slice()) {
                    if gain == 0.0 {
                        *flux = 0.0;
                    }
                }
            }
        }
        self.update_advection();
    }

    /// Updates derived data like `update_derived`, but only around the given cells, which have
    /// become land or water.
    pub(in crate::waves) fn update_derived_at(
        &mut self,
        cells: impl Iterator<Item = (usize, usize)>,
    ) {
        let Self { lattice, params, rule, land, speed, state, speed_map, .. } = self;
        let uniform = params.long_wave_speed();
        let (edges, land, speed) = (&params.edges, land.as_ref(), speed.as_ref());
        let Some(gains) = &mut speed_map.map else { return self.update_derived() };
        let inputs = GainInputs { lattice, rule, edges, land, speed, uniform };
        for cell in cells {
            gains.update_cell_faces(&inputs, cell, (&mut state.flux_x, &mut state.flux_y));
        }
        self.update_advection();
    }

    fn update_advection(&mut self) {
        let Self { lattice, params, rule, land, speed_map, absorbing, .. } = self;
        let is_land = |x, y| land.as_ref().is_some_and(|land| land[(x, y)]);
        self.stream = self.current.as_ref().map(|current| {
            AdvectionField::new(current, params, lattice, speed_map, rule, absorbing, is_land)
        });
    }

    pub(in crate::waves) fn check_speeds(
        &self,
        speed: Option<&Field<f32>>,
    ) -> Result<(), InputError> {
        let limit = self.filter.as_ref().map_or(LARGEST_Q, |filter| filter.largest_q);
        let Some(speed) = speed else {
            return self.params.check_stability(
                self.params.long_wave_speed(),
                &self.lattice,
                limit,
            );
        };
        if self.params.dispersion {
            let found = "one with `dispersion`";
            return Err(InputError::new(
                "a map of speeds",
                found,
                "none: speeds follow from the depth",
            ));
        }
        let allowed = "0 m/s or above";
        check_field("speed", speed, &self.lattice.into(), allowed, |c| c.is_finite() && c >= 0.0)?;
        let fastest = speed.min_max().map_or(0.0, |range| range.1);
        self.params.check_stability(fastest.into(), &self.lattice, limit)
    }

    pub(in crate::waves) fn check_current(
        &self,
        east: &Field<f32>,
        south: &Field<f32>,
    ) -> Result<(), InputError> {
        let mut fastest = 0.0_f64;
        for (what, field) in [("velocity to the east", east), ("velocity to the south", south)] {
            check_field(
                what,
                field,
                &self.lattice.into(),
                "a finite number of m/s",
                f32::is_finite,
            )?;
            for &v in field.as_slice() {
                fastest = fastest.max(f64::from(v.abs()));
            }
        }
        current::check_courant(fastest, &self.params, &self.lattice)
    }
}

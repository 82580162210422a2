//! Methods of [`Flow`] that change its settings: parameters, roughness, boundaries, rain, soil,
//! tracers and flood statistics. The state of the water and the rounding remainders do not change.

use super::boundary::Boundary;
use super::check::{check_field, check_shape};
use super::observe::flood::{Flood, FloodRecord};
use super::observe::tracers::{Particle, TracerSet, Tracers};
use super::params::Params;
use super::sources::exchange::{Evaporation, Rain};
use super::sources::soil::{Soil, SoilLayer, SoilMap};
use super::state::Momentum;
use super::subgrid::Subgrid;
use super::world::Flow;
use crate::error::InputError;
use crate::field::Field;
use crate::parameter::Parameters;
use crate::series::Series;

impl Flow {
    /// Changes the parameters of a running world, including its [`Physics`](super::Physics). If the
    /// new physics model needs momentum that the old model does not store, the momentum is computed
    /// from the discharges.
    ///
    /// # Errors
    /// Returns [`InputError`] if a parameter is out of its range. In this case the world does not
    /// change.
    pub fn set_params(&mut self, params: Params) -> Result<(), InputError> {
        params.validate()?;
        self.params.check_fixed_unchanged(&params)?;
        if self.state.subgrid.is_some() {
            params.level.check_supports_subgrid()?;
        }
        let (has, had) = (params.level.has_momentum(), self.state.momentum.is_some());
        if has != had {
            let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
            let along = |axis: usize| {
                Field::from_fn(nx, ny, |x, y| self.state.depth[(x, y)] * self.velocity(x, y)[axis])
            };
            let momentum = has.then(|| Momentum { x: along(0), y: along(1) });
            self.state.momentum = momentum;
        }
        self.params = params;
        if has != had
            && let Some(settling) = self.settling.take()
        {
            self.start_relaxation(settling.settle)?;
        }
        self.mark_all_changed();
        Ok(())
    }

    /// Returns the boundary conditions in the order in which they were set.
    pub fn boundaries(&self) -> &[Boundary] {
        self.boundaries.conditions()
    }

    /// Sets the boundary condition along an edge of the grid or a part of it. Where several
    /// conditions apply to the same part of an edge, the one that was set last takes effect.
    ///
    /// # Errors
    /// Returns [`InputError`] if the part of the edge or a value is invalid.
    pub fn set_boundary(&mut self, boundary: Boundary) -> Result<(), InputError> {
        let before = self.boundaries.periodicity();
        self.boundaries.set(&self.lattice, boundary)?;
        if self.boundaries.periodicity() != before {
            // Reset the discharges through the edges, including faces that exist only at periodic
            // edges.
            self.state.clear_boundary_discharges(&self.lattice);
        }
        self.workspace.sweep.tiles.wake_all();
        Ok(())
    }

    /// Sets Manning's roughness of each cell (s/m^⅓). `None` uses [`Params::manning`] for all
    /// cells. [`Pipes`](super::Physics::Pipes) ignores the roughness.
    ///
    /// # Errors
    /// Returns [`InputError`] if the shape of the map differs from the grid, or a roughness is not
    /// between 0 and 10.
    pub fn set_roughness(&mut self, map: Option<Field<f32>>) -> Result<(), InputError> {
        if let Some(map) = &map {
            check_field("roughness map", map, &self.lattice, "0 to 10 s/m^⅓", |n| {
                (0.0..=10.0).contains(&n)
            })?;
        }
        self.roughness = map;
        Ok(())
    }

    /// Sets the subgrid, which splits cells into a low and a high part to represent banks and walls
    /// narrower than a cell. `None` makes all cells uniform. The depths do not change, so water
    /// surfaces may move.
    ///
    /// # Errors
    /// Returns [`InputError`] if the subgrid belongs to another grid, the lattice is hexagonal, or
    /// the physics model is [`Pipes`](super::Physics::Pipes), which allows only one depth per cell.
    pub fn set_subgrid(&mut self, subgrid: Option<Subgrid>) -> Result<(), InputError> {
        if let Some(subgrid) = &subgrid {
            let shape = [subgrid.low_fraction.nx(), subgrid.low_fraction.ny()];
            InputError::check_shape("a sub-grid", shape, [self.lattice.nx(), self.lattice.ny()])?;
            if self.lattice.is_hex() {
                return Err(InputError::new("the lattice of a sub-grid", "hexagons", "squares"));
            }
            self.params.level.check_supports_subgrid()?;
        }
        self.state.subgrid = subgrid.map(Box::new);
        self.mark_all_changed();
        Ok(())
    }

    /// Returns Manning's roughness of each cell (s/m^⅓), or `None` if all cells use
    /// [`Params::manning`].
    pub fn roughness(&self) -> Option<&Field<f32>> {
        self.roughness.as_ref()
    }

    /// Sets the rain; `None` stops it.
    ///
    /// # Errors
    /// Returns [`InputError`] if the rate is out of its range, the shape of the map differs from
    /// the grid, or a factor is not between 0 and 10⁹.
    pub fn set_rain(&mut self, rain: Option<Rain>) -> Result<(), InputError> {
        if let Some(rain) = &rain {
            rain.check().map_err(|error| error.with_table_prefix("rain"))?;
            if let Some(map) = &rain.map {
                self.check_rain_map(map)?;
            }
        }
        self.exchange.rain = rain.map(|rain| (rain, self.zero_remainders()));
        Ok(())
    }

    /// Changes the rain rate (mm/h) and keeps the rain map. If there is no rain, starts rain
    /// without a map.
    ///
    /// # Errors
    /// Returns [`InputError`] if the rate is out of its range.
    pub fn set_rain_rate(&mut self, rate: Series) -> Result<(), InputError> {
        let Some((rain, _)) = &mut self.exchange.rain else {
            return self.set_rain(Some(Rain { rate, map: None }));
        };
        let changed = Rain { rate, map: None };
        changed.check().map_err(|error| error.with_table_prefix("rain"))?;
        rain.rate = changed.rate;
        Ok(())
    }

    pub(crate) fn check_rain_map(&self, map: &Field<f32>) -> Result<(), InputError> {
        let allowed = "a factor from 0 to 1e9";
        check_field("rain map", map, &self.lattice, allowed, |part| (0.0..=1e9).contains(&part))
    }

    /// Changes the factor on the rain rate of each cell; `None` means 1 everywhere. The rate and
    /// the rounding remainders do not change.
    ///
    /// # Errors
    /// Returns [`InputError`] if there is no rain, the shape of the map differs from the grid, or a
    /// factor is not between 0 and 10⁹.
    pub fn set_rain_map(&mut self, map: Option<Field<f32>>) -> Result<(), InputError> {
        if let Some(map) = &map {
            self.check_rain_map(map)?;
        }
        let Some((rain, _)) = &mut self.exchange.rain else {
            return Err(InputError::new("rain map", "no rain", "a map only together with rain"));
        };
        rain.map = map;
        Ok(())
    }

    /// Returns the rain, or `None` if there is none.
    pub fn rain(&self) -> Option<&Rain> {
        self.exchange.rain.as_ref().map(|(rain, _)| rain)
    }

    /// Sets the evaporation; `None` stops it.
    ///
    /// # Errors
    /// Returns [`InputError`] if the rate is out of its range.
    pub fn set_evaporation(&mut self, evaporation: Option<Evaporation>) -> Result<(), InputError> {
        evaporation
            .iter()
            .try_for_each(Parameters::check)
            .map_err(|error| error.with_table_prefix("evaporation"))?;
        self.exchange.evaporation =
            evaporation.map(|evaporation| (evaporation, self.zero_remainders()));
        Ok(())
    }

    /// Replaces the time series of the evaporation rate (mm/h).
    ///
    /// # Errors
    /// Returns [`InputError`] if the rate is out of its range.
    pub fn set_evaporation_rate(&mut self, rate: Series) -> Result<(), InputError> {
        let changed = Evaporation { rate };
        let Some((evaporation, _)) = &mut self.exchange.evaporation else {
            return self.set_evaporation(Some(changed));
        };
        changed.check().map_err(|error| error.with_table_prefix("evaporation"))?;
        *evaporation = changed;
        Ok(())
    }

    /// Sets the same soil under every cell, initially dry, and removes the soil map. `None` makes
    /// the ground impermeable. Water stored in a removed soil is lost.
    ///
    /// # Errors
    /// Returns [`InputError`] if a parameter of the soil is out of its range.
    pub fn set_soil(&mut self, soil: Option<Soil>) -> Result<(), InputError> {
        soil.iter()
            .try_for_each(Parameters::check)
            .map_err(|error| error.with_table_prefix("infiltration"))?;
        let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
        self.exchange.soil = soil.map(|soil| SoilLayer::new(soil, nx, ny));
        self.changes.next_tick();
        self.changes.mark_all();
        Ok(())
    }

    /// Assigns a soil to each cell. If `map` is `None`, every cell has the default soil, set by
    /// [`set_soil`](Self::set_soil). The stored water does not change.
    ///
    /// # Errors
    /// Returns [`InputError`] if a parameter of a soil is out of its range, the shape of the map
    /// differs from the grid, or a number in the map exceeds the number of soils in its list.
    pub fn set_soil_map(&mut self, map: Option<SoilMap>) -> Result<(), InputError> {
        if let Some(SoilMap { soils, map }) = &map {
            let checked = soils.iter().try_for_each(Parameters::check);
            checked.map_err(|error| error.with_table_prefix("infiltration"))?;
            check_shape("soil map", map, &self.lattice)?;
            let greatest = map.as_slice().iter().copied().max().unwrap_or(0);
            if usize::from(greatest) > soils.len() {
                let allowed = format!("0 to {}, the number of soils", soils.len());
                return Err(InputError::new("soil map", greatest, allowed));
            }
        }
        if map.is_some() && self.exchange.soil.is_none() {
            self.set_soil(Some(Soil::default()))?;
        }
        if let Some(ground) = &mut self.exchange.soil {
            ground.map = map;
        }
        Ok(())
    }

    /// Returns the soil map, or `None` if none is set.
    pub fn soil_map(&self) -> Option<&SoilMap> {
        self.exchange.soil.as_ref()?.map.as_ref()
    }

    /// Changes the parameters of the default soil, which applies to every cell without a soil of
    /// its own in the soil map. The stored water does not change. If there was no soil, the new
    /// soil is dry.
    ///
    /// # Errors
    /// Returns [`InputError`] if a parameter of the soil is out of its range.
    pub fn set_soil_params(&mut self, soil: Soil) -> Result<(), InputError> {
        let Some(ground) = &mut self.exchange.soil else { return self.set_soil(Some(soil)) };
        soil.check().map_err(|error| error.with_table_prefix("infiltration"))?;
        ground.soil = soil;
        Ok(())
    }

    /// Returns the water stored in the soil of a cell (m), or `None` without soil or off the grid.
    pub fn soil_water_at(&self, x: usize, y: usize) -> Option<f64> {
        self.exchange.soil.as_ref()?.cells.get(x, y).map(|cell| cell.held)
    }

    /// Starts to release tracer particles with the given settings; `None` removes all particles.
    ///
    /// # Errors
    /// Returns [`InputError`] if a region or a value of `tracers` is invalid.
    pub fn set_tracers(&mut self, tracers: Option<Tracers>) -> Result<(), InputError> {
        self.tracers = tracers.map(|tracers| TracerSet::new(tracers, &self.lattice)).transpose()?;
        Ok(())
    }

    /// Returns the current tracer particles; the slice is empty without tracers.
    pub fn particles(&self) -> &[Particle] {
        self.tracers.as_ref().map_or(&[], |tracers| tracers.particles())
    }

    /// Starts to record new flood statistics, beginning with the next step; `None` stops the
    /// recording. See [`Flood`]. A relaxation by [`relax_to_steady`](Self::relax_to_steady) does
    /// not affect the statistics.
    ///
    /// # Errors
    /// Returns [`InputError`] if the flood depth is out of its range.
    pub fn set_flood(&mut self, flood: Option<Flood>) -> Result<(), InputError> {
        flood
            .iter()
            .try_for_each(Parameters::check)
            .map_err(|error| error.with_table_prefix("flood"))?;
        let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
        self.flood = flood.map(|flood| Box::new(FloodRecord::new(flood, nx, ny)));
        self.changes.next_tick();
        self.changes.mark_all();
        Ok(())
    }

    /// Returns the settings of the flood statistics, or `None` if no statistics are recorded.
    pub fn flood(&self) -> Option<&Flood> {
        self.flood.as_ref().map(|record| &record.flood)
    }

    fn zero_remainders(&self) -> Field<f32> {
        Field::new(self.lattice.nx(), self.lattice.ny(), 0.0)
    }
}

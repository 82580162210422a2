//! Settings of a world: parameters, roughness, edges, rain, soil, flood records. State and
//! remainders stay.

use super::boundary::Boundary;
use super::check::{check_field, check_shape};
use super::exchange::{Evaporation, Rain};
use super::flood::{Flood, Record};
use super::params::Params;
use super::soil::{Ground, Soil, SoilMap};
use super::state::Momentum;
use super::subgrid::Subgrid;
use super::tracers::{Particle, TracerSet, Tracers};
use super::world::Flow;
use crate::error::InputError;
use crate::field::Field;
use crate::parameter::Parameters;
use crate::series::Series;

impl Flow {
    /// Changes the parameters of a running world, also its [`Physics`](super::Physics); new
    /// momentum begins with the velocity of the discharges.
    ///
    /// # Errors
    /// [`InputError`] if a parameter is out of its range. Nothing is changed then.
    pub fn set_params(&mut self, params: Params) -> Result<(), InputError> {
        params.validate()?;
        self.params.check_change(&params)?;
        if self.state.subgrid.is_some() {
            params.level.check_subgrid()?;
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
            self.begin_settling(settling.settle)?;
        }
        self.touch_all();
        Ok(())
    }

    /// Sets what a stretch of an edge does. Where stretches overlap, the last one set counts.
    ///
    /// # Errors
    /// [`InputError`] if the stretch or a discharge makes no sense.
    pub fn set_boundary(&mut self, boundary: Boundary) -> Result<(), InputError> {
        let before = self.boundaries.joined();
        self.boundaries.set(&self.lattice, boundary)?;
        if self.boundaries.joined() != before {
            // Discharges over the edges are reset, also over faces that only joined edges have.
            self.state.still_outline(&self.lattice);
        }
        self.workspace.sweep.tiles.wake_all();
        Ok(())
    }

    /// Gives each cell its own Manning's roughness (s/m^⅓), or with `None` all the one of
    /// [`Params::manning`]. Pipes do not know roughness.
    ///
    /// # Errors
    /// [`InputError`] if the map has another shape than the grid or a roughness that is not from 0 to 10.
    pub fn set_roughness(&mut self, map: Option<Field<f32>>) -> Result<(), InputError> {
        if let Some(map) = &map {
            check_field("roughness map", map, &self.lattice, "0 to 10 s/m^⅓", |n| {
                (0.0..=10.0).contains(&n)
            })?;
        }
        self.roughness = map;
        Ok(())
    }

    /// Sets which cells have low and high ground, for banks and walls finer than the grid; `None`
    /// for uniform cells. Depths stay, surfaces move.
    ///
    /// # Errors
    /// [`InputError`] if it was made for another grid, or the physics are [`Pipes`](super::Physics::Pipes), which have
    /// one depth for all water.
    pub fn set_subgrid(&mut self, subgrid: Option<Subgrid>) -> Result<(), InputError> {
        if let Some(subgrid) = &subgrid {
            let shape = [subgrid.part.nx(), subgrid.part.ny()];
            InputError::check_shape("a sub-grid", shape, [self.lattice.nx(), self.lattice.ny()])?;
            if self.lattice.is_hex() {
                return Err(InputError::new("the lattice of a sub-grid", "hexagons", "squares"));
            }
            self.params.level.check_subgrid()?;
        }
        self.state.subgrid = subgrid.map(Box::new);
        self.touch_all();
        Ok(())
    }

    /// The roughness of each cell (s/m^⅓), where it has its own.
    pub fn roughness(&self) -> Option<&Field<f32>> {
        self.roughness.as_ref()
    }

    /// Lets it rain, or with `None` lets it stop.
    ///
    /// # Errors
    /// [`InputError`] if the rate is out of its range, or the map has another shape than the grid or a
    /// factor below 0.
    pub fn set_rain(&mut self, rain: Option<Rain>) -> Result<(), InputError> {
        if let Some(rain) = &rain {
            rain.check().map_err(|error| error.under("rain"))?;
            if let Some(map) = &rain.map {
                self.check_rain_map(map)?;
            }
        }
        self.exchange.rain = rain.map(|rain| (rain, self.no_remainders()));
        Ok(())
    }

    /// Changes how hard it rains (mm/h). A map of the rain stays; where there was no rain, it now rains everywhere.
    ///
    /// # Errors
    /// [`InputError`] if the rate is out of its range.
    pub fn set_rain_rate(&mut self, rate: Series) -> Result<(), InputError> {
        let Some((rain, _)) = &mut self.exchange.rain else {
            return self.set_rain(Some(Rain { rate, map: None }));
        };
        let changed = Rain { rate, map: None };
        changed.check().map_err(|error| error.under("rain"))?;
        rain.rate = changed.rate;
        Ok(())
    }

    pub(crate) fn check_rain_map(&self, map: &Field<f32>) -> Result<(), InputError> {
        let allowed = "a factor from 0 to 1e9";
        check_field("rain map", map, &self.lattice, allowed, |part| (0.0..=1e9).contains(&part))
    }

    /// Changes the rain factor of each cell, or with `None` to 1 everywhere. Rate and remainders
    /// stay.
    ///
    /// # Errors
    /// [`InputError`] if the map has another shape than the grid or a factor that is not from 0 to 10⁹, or if there is no
    /// rain.
    pub fn set_rain_map(&mut self, map: Option<Field<f32>>) -> Result<(), InputError> {
        if let Some(map) = &map {
            self.check_rain_map(map)?;
        }
        let Some((rain, _)) = &mut self.exchange.rain else {
            return Err(InputError::new("rain map", "no rain", "a map of the rain there is"));
        };
        rain.map = map;
        Ok(())
    }

    /// The rain, if there is any.
    pub fn rain(&self) -> Option<&Rain> {
        self.exchange.rain.as_ref().map(|(rain, _)| rain)
    }

    /// Lets water evaporate, or with `None` lets it stop.
    ///
    /// # Errors
    /// [`InputError`] if the rate is out of its range.
    pub fn set_evaporation(&mut self, evaporation: Option<Evaporation>) -> Result<(), InputError> {
        evaporation
            .iter()
            .try_for_each(Parameters::check)
            .map_err(|error| error.under("evaporation"))?;
        self.exchange.evaporation =
            evaporation.map(|evaporation| (evaporation, self.no_remainders()));
        Ok(())
    }

    /// Changes how fast water evaporates (mm/h).
    ///
    /// # Errors
    /// [`InputError`] if the rate is out of its range.
    pub fn set_evaporation_rate(&mut self, rate: Series) -> Result<(), InputError> {
        let changed = Evaporation { rate };
        let Some((evaporation, _)) = &mut self.exchange.evaporation else {
            return self.set_evaporation(Some(changed));
        };
        changed.check().map_err(|error| error.under("evaporation"))?;
        *evaporation = changed;
        Ok(())
    }

    /// Puts a dry soil under every cell and removes soil maps, or with `None` seals the ground.
    /// Water in removed soil is lost.
    ///
    /// # Errors
    /// [`InputError`] if one of the soil's numbers is out of its range.
    pub fn set_soil(&mut self, soil: Option<Soil>) -> Result<(), InputError> {
        soil.iter().try_for_each(Parameters::check).map_err(|error| error.under("infiltration"))?;
        let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
        self.exchange.soil = soil.map(|soil| Ground::new(soil, nx, ny));
        self.changes.next_tick();
        self.changes.mark_all();
        Ok(())
    }

    /// Puts soils under some cells, or with `None` the soil of the whole grid under all. Each keeps
    /// its water.
    ///
    /// # Errors
    /// [`InputError`] if one of the soils' numbers is out of its range, or the map has another shape than the grid or a number beyond
    /// the soils.
    pub fn set_soil_map(&mut self, map: Option<SoilMap>) -> Result<(), InputError> {
        if let Some(SoilMap { soils, map }) = &map {
            let checked = soils.iter().try_for_each(Parameters::check);
            checked.map_err(|error| error.under("infiltration"))?;
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

    /// The soils that some cells have of their own.
    pub fn soil_map(&self) -> Option<&SoilMap> {
        self.exchange.soil.as_ref()?.map.as_ref()
    }

    /// Changes the soil under every cell that has none of its own by a map. It keeps its water; where there was none, it is dry.
    ///
    /// # Errors
    /// [`InputError`] if one of the soil's numbers is out of its range.
    pub fn set_soil_params(&mut self, soil: Soil) -> Result<(), InputError> {
        let Some(ground) = &mut self.exchange.soil else { return self.set_soil(Some(soil)) };
        soil.check().map_err(|error| error.under("infiltration"))?;
        ground.soil = soil;
        Ok(())
    }

    /// Water in the soil of a cell (m); `None` without soil, or off the grid.
    pub fn soil_at(&self, x: usize, y: usize) -> Option<f64> {
        self.exchange.soil.as_ref()?.cells.get(x, y).map(|cell| cell.held)
    }

    /// Sends tracer particles with the water, or with `None` takes them away.
    ///
    /// # Errors
    /// [`InputError`] if a region or a number of `tracers` makes no sense.
    pub fn set_tracers(&mut self, tracers: Option<Tracers>) -> Result<(), InputError> {
        self.tracers = tracers.map(|tracers| TracerSet::new(tracers, &self.lattice)).transpose()?;
        Ok(())
    }

    /// The tracer particles that are on their way.
    pub fn particles(&self) -> &[Particle] {
        self.tracers.as_ref().map_or(&[], |tracers| tracers.particles())
    }

    /// Starts a new flood record with the next step, or with `None` ends it; see [`Flood`].
    /// [`settle`](Self::settle) leaves no mark.
    ///
    /// # Errors
    /// [`InputError`] if the depth is out of its range.
    pub fn set_flood(&mut self, flood: Option<Flood>) -> Result<(), InputError> {
        flood.iter().try_for_each(Parameters::check).map_err(|error| error.under("flood"))?;
        let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
        self.flood = flood.map(|flood| Box::new(Record::new(flood, nx, ny)));
        self.changes.next_tick();
        self.changes.mark_all();
        Ok(())
    }

    /// What is kept of a flood, if anything is.
    pub fn flood(&self) -> Option<&Flood> {
        self.flood.as_ref().map(|record| &record.flood)
    }

    fn no_remainders(&self) -> Field<f32> {
        Field::new(self.lattice.nx(), self.lattice.ny(), 0.0)
    }
}

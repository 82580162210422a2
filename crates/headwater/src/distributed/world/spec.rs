//! [`WorldSpec`]: what a world has besides its fields.

use crate::changes::Tracker;
use crate::distributed::block::step::Subdomain;
use crate::distributed::partition::{bands, rows_of};
use crate::distributed::world::window::Window;
use crate::error::InputError;
use crate::field::Field;
use crate::flow::boundary::Boundary;
use crate::flow::check::check_shape;
use crate::flow::exchange::{Evaporation, Exchange, Outlet, Rain, Source};
use crate::flow::flood::{Flood, Record};
use crate::flow::params::{Params, Physics};
use crate::flow::soil::{Ground, Soil, SoilMap};
use crate::flow::state::{Closed, State};
use crate::flow::structure::Structure;
use crate::flow::world::Flow;
use crate::ids::Id;
use crate::lattice::Lattice;
use crate::ledger::Ledger;
use crate::parameter::Parameters;
use std::ops::Range;

/// All of a world but its fields: the grid, parameters, edges, and what gives and takes water. A [`DistributedFlow`](crate::distributed::DistributedFlow) world is
/// made of it. Edges in the north and south cannot be joined.
#[derive(Clone, Debug)]
pub struct WorldSpec {
    /// A world whose fields are empty: nothing that reads one may be asked of it.
    pub(in crate::distributed) flow: Flow,
}

impl WorldSpec {
    /// A world without springs, rain or soil, with walls for edges.
    ///
    /// # Errors
    /// [`InputError`] if a parameter is out of its range.
    pub fn new(lattice: impl Into<Lattice>, params: Params) -> Result<Self, InputError> {
        let lattice = lattice.into();
        params.validate()?;
        let flow = Flow::bare(lattice, params, hollow(), Tracker::new(0, 0));
        Ok(Self { flow })
    }

    /// Sets what a stretch of an edge does, as [`Flow::set_boundary`].
    ///
    /// # Errors
    /// As there, and if north and south are joined.
    pub fn set_boundary(&mut self, boundary: Boundary) -> Result<(), InputError> {
        self.flow.boundaries.set(&self.flow.lattice, boundary)?;
        if self.flow.boundaries.joined().y {
            let allowed = "others, in a world of which only some rows are in memory";
            return Err(InputError::new("edges", "a periodic north and south", allowed));
        }
        Ok(())
    }

    /// Adds a spring, as [`Flow::add_spring`].
    ///
    /// # Errors
    /// As there.
    pub fn add_spring(&mut self, spring: Source) -> Result<Id, InputError> {
        self.flow.add_spring(spring)
    }

    /// Adds a drain, as [`Flow::add_drain`].
    ///
    /// # Errors
    /// As there.
    pub fn add_drain(&mut self, drain: Source) -> Result<Id, InputError> {
        self.flow.add_drain(drain)
    }

    /// Adds a culvert, gate or weir, as [`Flow::add_structure`].
    ///
    /// # Errors
    /// As there.
    pub fn add_structure(&mut self, structure: Structure) -> Result<Id, InputError> {
        self.flow.add_structure(structure)
    }

    /// The culverts, gates and weirs.
    pub fn structures(&self) -> impl Iterator<Item = &Structure> {
        self.flow.structures().map(|(_, structure)| structure)
    }

    /// Lets it rain. The values of a map are ignored and may be none: each [`Window`] has its own.
    ///
    /// # Errors
    /// [`InputError`] if the rate is out of its range.
    pub fn set_rain(&mut self, mut rain: Rain) -> Result<(), InputError> {
        rain.check().map_err(|error| error.under("rain"))?;
        rain.map = rain.map.map(|_| Field::default());
        self.flow.exchange.rain = Some((rain, Field::default()));
        Ok(())
    }

    /// Lets water evaporate.
    ///
    /// # Errors
    /// [`InputError`] if the rate is out of its range.
    pub fn set_evaporation(&mut self, evaporation: Evaporation) -> Result<(), InputError> {
        evaporation.check().map_err(|error| error.under("evaporation"))?;
        self.flow.exchange.evaporation = Some((evaporation, Field::default()));
        Ok(())
    }

    /// Puts a dry soil under every cell.
    ///
    /// # Errors
    /// [`InputError`] if one of its numbers is out of its range.
    pub fn set_soil(&mut self, soil: Soil) -> Result<(), InputError> {
        soil.check().map_err(|error| error.under("infiltration"))?;
        self.flow.exchange.soil = Some(Ground::new(soil, 0, 0));
        Ok(())
    }

    /// Sets the soils that some cells have of their own; each [`Window`] has a map of their numbers. Where there was no soil, the
    /// ground elsewhere takes no water.
    ///
    /// # Errors
    /// [`InputError`] if one of their numbers is out of its range.
    pub fn set_soils(&mut self, soils: Vec<Soil>) -> Result<(), InputError> {
        let checked = soils.iter().try_for_each(Parameters::check);
        checked.map_err(|error| error.under("infiltration"))?;
        let ground = self.flow.exchange.soil.get_or_insert(Ground::new(Soil::default(), 0, 0));
        ground.map = Some(SoilMap { soils, map: Field::default() });
        Ok(())
    }

    /// Keeps what maps of a flood show.
    ///
    /// # Errors
    /// [`InputError`] if the depth is out of its range.
    pub fn set_flood(&mut self, flood: Flood) -> Result<(), InputError> {
        flood.check().map_err(|error| error.under("flood"))?;
        self.flow.flood = Some(Box::new(Record::new(flood, 0, 0)));
        Ok(())
    }

    /// Where cells and faces are.
    pub fn lattice(&self) -> &Lattice {
        &self.flow.lattice
    }

    /// Shares the rows out to so many who keep them, or to as many as there are rows for: each has rows enough for the halos of those beside it.
    pub fn spans(&self, wished: usize) -> Vec<Range<usize>> {
        let ny = self.flow.lattice.ny();
        bands(ny, wished.min(ny / (self.halo() + 2)).max(1))
    }

    /// Rows of a band's halo, by which its window reaches beyond it: as far as the steps reach that it does at a visit.
    pub fn halo(&self) -> usize {
        match self.flow.params.level {
            // Eight steps, two rows each.
            Physics::Pipes => 16,
            // One step, three rows.
            Physics::Inertial | Physics::ShallowWater => 4,
        }
    }

    /// How many bytes a cell has in memory, while its band is stepped.
    pub(in crate::distributed) fn bytes_of_cell(&self) -> usize {
        let flow = &self.flow;
        let fields = 5 + usize::from(flow.lattice.is_hex());
        // Shallow water has two momenta, what is added to them, and depths before a step.
        let momentum = if flow.params.level.has_momentum() { 5 } else { 0 };
        let exchange = &flow.exchange;
        let held = [exchange.rain.is_some(), exchange.evaporation.is_some()];
        let held = held.into_iter().filter(|is| *is).count();
        let mapped = exchange.rain.iter().any(|(rain, _)| rain.map.is_some());
        let held = held + usize::from(mapped);
        let soil = match &exchange.soil {
            Some(ground) => 16 + if ground.map.is_some() { 2 } else { 0 },
            None => 0,
        };
        let marks = if flow.flood.is_some() { 40 } else { 0 };
        4 * (fields + momentum + held) + 1 + soil + marks
    }

    /// The rows of a band's window, in which its own are those of `own`, and whether there are others to the north and south.
    pub(in crate::distributed) fn window(
        &self,
        band: &Range<usize>,
    ) -> (Range<usize>, Range<usize>, [bool; 2]) {
        let ny = self.flow.lattice.ny();
        let beside = [band.start > 0, band.end < ny];
        let (rows, own) = rows_of(band, ny, self.halo(), beside);
        let first = rows.first().copied().unwrap_or(0);
        (first..first + rows.len(), own, beside)
    }

    /// The part of a band, whose window of rows has this ground and water.
    ///
    /// # Errors
    /// [`InputError`] if a field has another shape, or a number is out of its range.
    pub(in crate::distributed) fn part(
        &self,
        band: &Range<usize>,
        given: Window,
    ) -> Result<Subdomain, InputError> {
        let flow = &self.flow;
        let (rows, own, beside) = self.window(band);
        let (nx, count) = (flow.lattice.nx(), rows.len());
        let lattice = flow.lattice.with_rows(count)?;
        let Window { bed, depth, closed, roughness, .. } = given;
        let mut world = Flow::new(lattice, flow.params.clone(), bed, depth)?;
        world.set_roughness(roughness)?;
        if let Some(closed) = closed {
            check_shape("mask of closed cells", &closed, &lattice)?;
            world.state.closed = Closed::from(closed);
        }
        let all: Vec<usize> = rows.collect();
        world.boundaries = flow.boundaries.of_rows(&all, beside);
        let outlet = |of: &Outlet| of.of_band(band, own.start);
        let zeros = || Field::new(nx, count, 0.0);
        let exchange = &flow.exchange;
        world.exchange = Exchange {
            springs: exchange.springs.map(outlet),
            drains: exchange.drains.map(outlet),
            rain: exchange.rain.as_ref().map(|(rain, _)| (rain.clone(), zeros())),
            evaporation: exchange.evaporation.as_ref().map(|(one, _)| (one.clone(), zeros())),
            soil: exchange.soil.as_ref().map(|ground| Ground::new(ground.soil, nx, count)),
        };
        if exchange.rain.iter().any(|(rain, _)| rain.map.is_some()) {
            world.set_rain_map(Some(given.rain.unwrap_or_default()))?;
        }
        if let Some(SoilMap { soils, .. }) = exchange.soil.as_ref().and_then(|it| it.map.as_ref()) {
            let map = given.soil.unwrap_or_default();
            world.set_soil_map(Some(SoilMap { soils: soils.clone(), map }))?;
        }
        if let Some([east, south]) = &given.velocity {
            world.set_velocity(east, south)?;
        }
        if let Some([east, south]) = &given.unit_discharge {
            world.set_unit_discharge(east, south)?;
        }
        let record = |of: &Record| Box::new(Record::new(of.flood, nx, count));
        world.flood = flow.flood.as_deref().map(record);
        world.ledger = Ledger::default();
        world.workspace.sweep.tiles.look_soon(nx, count);
        Ok(Subdomain::over(world, [band.clone(), own], self.halo(), beside))
    }
}

/// A state without a cell.
pub(in crate::distributed) fn hollow() -> State {
    State {
        bed: Field::default(),
        depth: Field::default(),
        remainder: Field::default(),
        discharge_x: Field::default(),
        discharge_y: Field::default(),
        discharge_z: None,
        closed: Closed::from(Field::default()),
        momentum: None,
        subgrid: None,
    }
}

//! [`WorldSpec`]: everything in a world except its fields.

use crate::changes::Tracker;
use crate::distributed::block::step::Subdomain;
use crate::distributed::partition::split_rows;
use crate::distributed::world::row_fields::RowFields;
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

/// Everything in a world except its fields: grid, parameters, boundaries, sources and losses. A
/// [`DistributedFlow`](crate::distributed::DistributedFlow) is built from it. The northern and
/// southern edges cannot be joined.
#[derive(Clone, Debug)]
pub struct WorldSpec {
    /// World with empty fields, so nothing that reads a field may be called on it.
    pub(in crate::distributed) flow: Flow,
}

impl WorldSpec {
    /// Creates a world without springs, rain or soil, with walls as edges.
    ///
    /// # Errors
    /// [`InputError`] if a parameter is out of range.
    pub fn new(lattice: impl Into<Lattice>, params: Params) -> Result<Self, InputError> {
        let lattice = lattice.into();
        params.validate()?;
        let flow = Flow::bare(lattice, params, hollow(), Tracker::new(0, 0));
        Ok(Self { flow })
    }

    /// Sets the boundary along a stretch of an edge, as [`Flow::set_boundary`].
    ///
    /// # Errors
    /// Those of [`Flow::set_boundary`], and an error if north and south are joined.
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
    /// Those of [`Flow::add_spring`].
    pub fn add_spring(&mut self, spring: Source) -> Result<Id, InputError> {
        self.flow.add_spring(spring)
    }

    /// Adds a drain, as [`Flow::add_drain`].
    ///
    /// # Errors
    /// Those of [`Flow::add_drain`].
    pub fn add_drain(&mut self, drain: Source) -> Result<Id, InputError> {
        self.flow.add_drain(drain)
    }

    /// Adds a culvert, gate or weir, as [`Flow::add_structure`].
    ///
    /// # Errors
    /// Those of [`Flow::add_structure`].
    pub fn add_structure(&mut self, structure: Structure) -> Result<Id, InputError> {
        self.flow.add_structure(structure)
    }

    /// Iterates over the culverts, gates and weirs.
    pub fn structures(&self) -> impl Iterator<Item = &Structure> {
        self.flow.structures().map(|(_, structure)| structure)
    }

    /// Sets the rain. The values of a map are ignored and may be empty, because each [`RowFields`] has
    /// its own.
    ///
    /// # Errors
    /// [`InputError`] if the rate is out of range.
    pub fn set_rain(&mut self, mut rain: Rain) -> Result<(), InputError> {
        rain.check().map_err(|error| error.under("rain"))?;
        rain.map = rain.map.map(|_| Field::default());
        self.flow.exchange.rain = Some((rain, Field::default()));
        Ok(())
    }

    /// Sets the evaporation.
    ///
    /// # Errors
    /// [`InputError`] if the rate is out of range.
    pub fn set_evaporation(&mut self, evaporation: Evaporation) -> Result<(), InputError> {
        evaporation.check().map_err(|error| error.under("evaporation"))?;
        self.flow.exchange.evaporation = Some((evaporation, Field::default()));
        Ok(())
    }

    /// Puts a dry soil under every cell.
    ///
    /// # Errors
    /// [`InputError`] if one of its numbers is out of range.
    pub fn set_soil(&mut self, soil: Soil) -> Result<(), InputError> {
        soil.check().map_err(|error| error.under("infiltration"))?;
        self.flow.exchange.soil = Some(Ground::new(soil, 0, 0));
        Ok(())
    }

    /// Sets the list of soils; each [`RowFields`] has a map of their numbers. If there was no soil,
    /// the ground elsewhere absorbs no water.
    ///
    /// # Errors
    /// [`InputError`] if one of their numbers is out of range.
    pub fn set_soils(&mut self, soils: Vec<Soil>) -> Result<(), InputError> {
        let checked = soils.iter().try_for_each(Parameters::check);
        checked.map_err(|error| error.under("infiltration"))?;
        let ground = self.flow.exchange.soil.get_or_insert(Ground::new(Soil::default(), 0, 0));
        ground.map = Some(SoilMap { soils, map: Field::default() });
        Ok(())
    }

    /// Enables the flood record.
    ///
    /// # Errors
    /// [`InputError`] if the depth is out of range.
    pub fn set_flood(&mut self, flood: Flood) -> Result<(), InputError> {
        flood.check().map_err(|error| error.under("flood"))?;
        self.flow.flood = Some(Box::new(Record::new(flood, 0, 0)));
        Ok(())
    }

    /// Returns the lattice.
    pub fn lattice(&self) -> &Lattice {
        &self.flow.lattice
    }

    /// Splits the rows over at most `wished` processes. Each receives at least as many rows as its
    /// neighbours' halos need.
    pub fn partition_rows(&self, wished: usize) -> Vec<Range<usize>> {
        let ny = self.flow.lattice.ny();
        split_rows(ny, wished.min(ny / (self.halo() + 2)).max(1))
    }

    /// Returns the number of halo rows of a block: the reach of the steps of one visit.
    pub fn halo(&self) -> usize {
        match self.flow.params.level {
            // Eight steps, two rows each.
            Physics::Pipes => 16,
            // One step, three rows.
            Physics::Inertial | Physics::ShallowWater => 4,
        }
    }

    /// Returns the bytes that a cell takes in memory while its block is stepped.
    pub(in crate::distributed) fn bytes_of_cell(&self) -> usize {
        let flow = &self.flow;
        let fields = 5 + usize::from(flow.lattice.is_hex());
        // Shallow water has two momenta, their increments, and the depths before a step.
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

    /// Returns the rows of a block's window, the range of the owned rows `own` in it, and whether
    /// there are blocks to the north and south.
    pub(in crate::distributed) fn window(
        &self,
        block: &Range<usize>,
    ) -> (Range<usize>, Range<usize>, [bool; 2]) {
        let ny = self.flow.lattice.ny();
        let beside = [block.start > 0, block.end < ny];
        let [above, below] = beside.map(|other| if other { self.halo() } else { 0 });
        (block.start - above..block.end + below, above..above + block.len(), beside)
    }

    /// Builds the subdomain of a block from its window.
    ///
    /// # Errors
    /// [`InputError`] if a field has the wrong shape, or a number is out of range.
    pub(in crate::distributed) fn part(
        &self,
        block: &Range<usize>,
        given: RowFields,
    ) -> Result<Subdomain, InputError> {
        let flow = &self.flow;
        let (rows, own, beside) = self.window(block);
        let (nx, count) = (flow.lattice.nx(), rows.len());
        let lattice = flow.lattice.with_rows(count)?;
        let RowFields { bed, depth, closed, roughness, .. } = given;
        let mut world = Flow::new(lattice, flow.params.clone(), bed, depth)?;
        world.set_roughness(roughness)?;
        if let Some(closed) = closed {
            check_shape("mask of closed cells", &closed, &lattice)?;
            world.state.closed = Closed::from(closed);
        }
        let all: Vec<usize> = rows.collect();
        world.boundaries = flow.boundaries.of_rows(&all, beside);
        let outlet = |of: &Outlet| of.of_block(block, own.start);
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
        Ok(Subdomain::over(world, [block.clone(), own], self.halo(), beside))
    }
}

/// Creates a state without cells.
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

//! [`WorldSpec`]: everything that defines a distributed world except for its fields. Each process
//! builds its own rows from the specification.

use crate::changes::ChangeTracker;
use crate::distributed::block::step::Subdomain;
use crate::distributed::partition::split_rows;
use crate::distributed::world::row_fields::RowFields;
use crate::error::InputError;
use crate::field::Field;
use crate::flow::boundary::Boundary;
use crate::flow::check::check_shape;
use crate::flow::observe::flood::{Flood, FloodRecord};
use crate::flow::params::{Params, Physics};
use crate::flow::sources::exchange::{Evaporation, Exchange, Outlet, Rain, Source};
use crate::flow::sources::flow_ledger::FlowLedger;
use crate::flow::sources::soil::{Soil, SoilLayer, SoilMap};
use crate::flow::state::{ClosedCells, State};
use crate::flow::structure::Structure;
use crate::flow::world::Flow;
use crate::ids::Id;
use crate::lattice::Lattice;
use crate::parameter::Parameters;
use std::ops::Range;

/// Specification of a [`DistributedFlow`](crate::distributed::DistributedFlow): grid, parameters,
/// boundaries, sources and losses, but no fields. The northern and southern edges cannot be
/// periodic.
#[derive(Clone, Debug)]
pub struct WorldSpec {
    /// World with empty fields that contains the specification. Methods of this world that read
    /// fields must not be called.
    pub(in crate::distributed) flow: Flow,
}

impl WorldSpec {
    /// Creates a specification without springs, rain or soil, with walls at the edges.
    ///
    /// # Errors
    /// Returns [`InputError`] if a parameter is out of range.
    pub fn new(lattice: impl Into<Lattice>, params: Params) -> Result<Self, InputError> {
        let lattice = lattice.into();
        params.validate()?;
        let flow = Flow::from_state(lattice, params, empty_state(), ChangeTracker::new(0, 0));
        Ok(Self { flow })
    }

    /// Sets the boundary condition along a section of an edge, like [`Flow::set_boundary`].
    ///
    /// # Errors
    /// Returns an error under the same conditions as [`Flow::set_boundary`], or if the northern and
    /// southern edges are periodic.
    pub fn set_boundary(&mut self, boundary: Boundary) -> Result<(), InputError> {
        self.flow.boundaries.set(&self.flow.lattice, boundary)?;
        if self.flow.boundaries.periodicity().y {
            let allowed = "other boundaries in a distributed world";
            return Err(InputError::new("edges", "a periodic north and south", allowed));
        }
        Ok(())
    }

    /// Adds a spring, like [`Flow::add_spring`].
    ///
    /// # Errors
    /// Returns an error under the same conditions as [`Flow::add_spring`].
    pub fn add_spring(&mut self, spring: Source) -> Result<Id, InputError> {
        self.flow.add_spring(spring)
    }

    /// Adds a drain, like [`Flow::add_drain`].
    ///
    /// # Errors
    /// Returns an error under the same conditions as [`Flow::add_drain`].
    pub fn add_drain(&mut self, drain: Source) -> Result<Id, InputError> {
        self.flow.add_drain(drain)
    }

    /// Adds a culvert, gate or weir, like [`Flow::add_structure`].
    ///
    /// # Errors
    /// Returns an error under the same conditions as [`Flow::add_structure`].
    pub fn add_structure(&mut self, structure: Structure) -> Result<Id, InputError> {
        self.flow.add_structure(structure)
    }

    /// Iterates over the culverts, gates and weirs of the world.
    pub fn structures(&self) -> impl Iterator<Item = &Structure> {
        self.flow.structures().map(|(_, structure)| structure)
    }

    /// Sets the rain. If the rain has a map of factors, the values of the map are ignored and may
    /// be empty, because each [`RowFields`] provides the factors of its own rows.
    ///
    /// # Errors
    /// Returns [`InputError`] if the rate is out of range.
    pub fn set_rain(&mut self, mut rain: Rain) -> Result<(), InputError> {
        rain.check().map_err(|error| error.with_table_prefix("rain"))?;
        rain.map = rain.map.map(|_| Field::default());
        self.flow.exchange.rain = Some((rain, Field::default()));
        Ok(())
    }

    /// Sets the evaporation from the whole world.
    ///
    /// # Errors
    /// Returns [`InputError`] if the rate is out of range.
    pub fn set_evaporation(&mut self, evaporation: Evaporation) -> Result<(), InputError> {
        evaporation.check().map_err(|error| error.with_table_prefix("evaporation"))?;
        self.flow.exchange.evaporation = Some((evaporation, Field::default()));
        Ok(())
    }

    /// Sets one soil, initially dry, that applies to all cells.
    ///
    /// # Errors
    /// Returns [`InputError`] if a parameter of the soil is out of range.
    pub fn set_soil(&mut self, soil: Soil) -> Result<(), InputError> {
        soil.check().map_err(|error| error.with_table_prefix("infiltration"))?;
        self.flow.exchange.soil = Some(SoilLayer::new(soil, 0, 0));
        Ok(())
    }

    /// Sets the list of soils. Each [`RowFields`] assigns either a soil of this list or no soil to
    /// each of its cells. Cells without an assigned soil have the soil that was set before with
    /// [`set_soil`](Self::set_soil); if there is none, they absorb no water.
    ///
    /// # Errors
    /// Returns [`InputError`] if a parameter of a soil is out of range.
    pub fn set_soils(&mut self, soils: Vec<Soil>) -> Result<(), InputError> {
        let checked = soils.iter().try_for_each(Parameters::check);
        checked.map_err(|error| error.with_table_prefix("infiltration"))?;
        let ground = self.flow.exchange.soil.get_or_insert(SoilLayer::new(Soil::default(), 0, 0));
        ground.map = Some(SoilMap { soils, map: Field::default() });
        Ok(())
    }

    /// Enables the flood record, which tracks when each cell is flooded and how deep the water
    /// becomes.
    ///
    /// # Errors
    /// Returns [`InputError`] if the threshold depth is out of range.
    pub fn set_flood(&mut self, flood: Flood) -> Result<(), InputError> {
        flood.check().map_err(|error| error.with_table_prefix("flood"))?;
        self.flow.flood = Some(Box::new(FloodRecord::new(flood, 0, 0)));
        Ok(())
    }

    /// Returns the lattice of the whole world.
    pub fn lattice(&self) -> &Lattice {
        &self.flow.lattice
    }

    /// Splits the rows of the world over at most `max_processes` processes and returns the range of
    /// rows of each process. Each process receives at least as many rows as the halos of its
    /// neighbours need.
    pub fn partition_rows(&self, max_processes: usize) -> Vec<Range<usize>> {
        let ny = self.flow.lattice.ny();
        split_rows(ny, max_processes.min(ny / (self.halo_rows() + 2)).max(1))
    }

    /// Returns the number of halo rows on each side of a block. It is at least the distance (in
    /// rows) that an effect can travel in the steps between two halo exchanges.
    pub fn halo_rows(&self) -> usize {
        match self.flow.params.level {
            // A visit performs eight steps, each of which needs two halo rows.
            Physics::Pipes => 16,
            // A visit performs one step, which needs three halo rows.
            Physics::Inertial | Physics::ShallowWater => 4,
        }
    }

    /// Returns the memory that one cell occupies while its block is loaded (bytes).
    pub(in crate::distributed) fn bytes_per_cell(&self) -> usize {
        let flow = &self.flow;
        let fields = 5 + usize::from(flow.lattice.is_hex());
        // The shallow-water equations need two momenta, their increments, and the depths before a
        // step.
        let momentum = if flow.params.level.has_momentum() { 5 } else { 0 };
        let exchange = &flow.exchange;
        let losses = [exchange.rain.is_some(), exchange.evaporation.is_some()];
        let losses = losses.into_iter().filter(|is| *is).count();
        let mapped = exchange.rain.iter().any(|(rain, _)| rain.map.is_some());
        let losses = losses + usize::from(mapped);
        let soil = match &exchange.soil {
            Some(ground) => 16 + if ground.map.is_some() { 2 } else { 0 },
            None => 0,
        };
        let marks = if flow.flood.is_some() { 40 } else { 0 };
        4 * (fields + momentum + losses) + 1 + soil + marks
    }

    /// Returns three properties of a block that owns the grid rows `block`: the rows of its window
    /// (the owned rows and the halo); the owned rows, counted from the start of the window; and
    /// whether there is a block to the north (index 0) and to the south (index 1).
    pub(in crate::distributed) fn block_window(
        &self,
        block: &Range<usize>,
    ) -> (Range<usize>, Range<usize>, [bool; 2]) {
        let ny = self.flow.lattice.ny();
        let neighbours = [block.start > 0, block.end < ny];
        let [above, below] = neighbours.map(|other| if other { self.halo_rows() } else { 0 });
        (block.start - above..block.end + below, above..above + block.len(), neighbours)
    }

    /// Creates the subdomain of a row block from the fields of its window (the owned rows and the
    /// halo).
    ///
    /// # Errors
    /// Returns [`InputError`] if a field has the wrong shape, or if a number is out of range.
    pub(in crate::distributed) fn build_subdomain(
        &self,
        block: &Range<usize>,
        fields: RowFields,
    ) -> Result<Subdomain, InputError> {
        let flow = &self.flow;
        let (rows, own, neighbours) = self.block_window(block);
        let (nx, count) = (flow.lattice.nx(), rows.len());
        let lattice = flow.lattice.with_rows(count)?;
        let RowFields { bed, depth, closed, roughness, .. } = fields;
        let mut world = Flow::new(lattice, flow.params.clone(), bed, depth)?;
        world.set_roughness(roughness)?;
        if let Some(closed) = closed {
            check_shape("mask of closed cells", &closed, &lattice)?;
            world.state.closed = ClosedCells::from(closed);
        }
        let all: Vec<usize> = rows.collect();
        world.boundaries = flow.boundaries.restricted_to_rows(&all, neighbours);
        let outlet = |of: &Outlet| of.restricted_to_rows(block, own.start);
        let zeros = || Field::new(nx, count, 0.0);
        let exchange = &flow.exchange;
        world.exchange = Exchange {
            springs: exchange.springs.map(outlet),
            drains: exchange.drains.map(outlet),
            rain: exchange.rain.as_ref().map(|(rain, _)| (rain.clone(), zeros())),
            evaporation: exchange.evaporation.as_ref().map(|(one, _)| (one.clone(), zeros())),
            soil: exchange.soil.as_ref().map(|ground| SoilLayer::new(ground.soil, nx, count)),
        };
        if exchange.rain.iter().any(|(rain, _)| rain.map.is_some()) {
            world.set_rain_map(Some(fields.rain_factor.unwrap_or_default()))?;
        }
        if let Some(SoilMap { soils, .. }) = exchange.soil.as_ref().and_then(|it| it.map.as_ref()) {
            let map = fields.soil.unwrap_or_default();
            world.set_soil_map(Some(SoilMap { soils: soils.clone(), map }))?;
        }
        if let Some([east, south]) = &fields.velocity {
            world.set_velocity(east, south)?;
        }
        if let Some([east, south]) = &fields.unit_discharge {
            world.set_unit_discharge(east, south)?;
        }
        let record = |of: &FloodRecord| Box::new(FloodRecord::new(of.flood, nx, count));
        world.flood = flow.flood.as_deref().map(record);
        world.ledger = FlowLedger::default();
        world.workspace.sweep.tiles.schedule_check(nx, count);
        Ok(Subdomain::new(world, [block.clone(), own], self.halo_rows(), neighbours))
    }
}

/// Creates a state whose fields have no cells.
pub(in crate::distributed) fn empty_state() -> State {
    State {
        bed: Field::default(),
        depth: Field::default(),
        remainder: Field::default(),
        discharge_x: Field::default(),
        discharge_y: Field::default(),
        discharge_z: None,
        closed: ClosedCells::from(Field::default()),
        momentum: None,
        subgrid: None,
    }
}

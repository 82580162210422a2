//! Metadata of a distributed world: the small state beside the fields, which the coordinator owns.

use crate::changes::Tracker;
use crate::distributed::PageStore;
use crate::distributed::messages::{Workers, check};
use crate::distributed::storage::archive::Archive;
use crate::distributed::storage::checkpoint::follow_one_another;
use crate::distributed::world::distributed_flow::DistributedFlow;
use crate::distributed::world::outlets::Outlets;
use crate::distributed::world::spec::{WorldSpec, hollow};
use crate::field::Field;
use crate::flow::boundary::Boundaries;
use crate::flow::exchange::{Evaporation, Outlet, Rain};
use crate::flow::flood::{Flood, Record};
use crate::flow::params::Params;
use crate::flow::soil::Ground;
use crate::flow::structure::Structures;
use crate::flow::world::Flow;
use crate::ids::IdList;
use crate::lattice::Lattice;
use crate::ledger::Ledger;
use serde::{Deserialize, Serialize};
use std::io;
use std::ops::Range;

/// State without fields.
#[derive(Serialize, Deserialize)]
struct Metadata {
    lattice: Lattice,
    params: Params,
    boundaries: Boundaries,
    /// Springs with the rounding carry of each cell.
    springs: IdList<Outlet>,
    drains: IdList<Outlet>,
    structures: Structures,
    rain: Option<Rain>,
    evaporation: Option<Evaporation>,
    /// Soils without their values per cell.
    soil: Option<Ground>,
    is_rough: bool,
    /// Flood record, and whether it has covered the state before the first step.
    flood: Option<(Flood, bool)>,
    ledger: Ledger,
    time: f64,
    last_dt: f32,
    steps: u64,
}

impl<K: Workers> DistributedFlow<K> {
    /// Serializes the state except the fields, which the workers
    /// [store](crate::distributed::LocalBlocks::keep_on).
    ///
    /// # Errors
    /// Those of the workers.
    pub fn metadata(&mut self) -> io::Result<Vec<u8>> {
        let Outlets { springs, drains } = self.outlets_now()?;
        let structures = self.structures_now()?.clone();
        let is_begun = self.facts()?.first().is_some_and(|facts| facts.is_begun);
        let world = &self.world;
        let exchange = &world.exchange;
        let besides = Metadata {
            lattice: world.lattice,
            params: world.params.clone(),
            boundaries: world.boundaries.clone(),
            springs,
            drains,
            structures,
            rain: exchange.rain.as_ref().map(|(rain, _)| rain.clone()),
            evaporation: exchange.evaporation.as_ref().map(|(one, _)| one.clone()),
            soil: exchange.soil.clone(),
            is_rough: self.is_rough,
            flood: world.flood.as_ref().map(|record| (record.flood, is_begun)),
            ledger: world.ledger.clone(),
            time: world.time,
            last_dt: world.last_dt,
            steps: world.steps,
        };
        postcard::to_stdvec(&besides).map_err(io::Error::other)
    }

    /// Restores metadata after the workers have [restored their
    /// fields](crate::distributed::LocalBlocks::go_on_from). The world is unusable after an error.
    ///
    /// # Errors
    /// Those of the workers, and an error if the bytes belong to another world.
    pub fn set_metadata(&mut self, bytes: &[u8]) -> io::Result<()> {
        let new: Metadata = postcard::from_bytes(bytes).map_err(io::Error::other)?;
        let world = &self.world;
        check(new.lattice == world.lattice && new.params == world.params)?;
        check(new.boundaries == world.boundaries && new.is_rough == self.is_rough)?;
        let exchange = &world.exchange;
        check(new.rain.as_ref() == exchange.rain.as_ref().map(|(rain, _)| rain))?;
        check(new.evaporation.as_ref() == exchange.evaporation.as_ref().map(|(one, _)| one))?;
        check(new.soil == exchange.soil)?;
        let flood = world.flood.as_ref().map(|record| record.flood);
        check(new.flood.map(|(flood, _)| flood) == flood)?;
        check(new.time.is_finite() && new.last_dt.is_finite())?;
        self.set_structures(new.structures)?;
        self.hold_back(0, &new.springs)?;
        self.hold_back(1, &new.drains)?;
        let Metadata { ledger, time, last_dt, steps, flood, .. } = new;
        let begun = flood.is_some_and(|(_, begun)| begun);
        let world = &mut self.world;
        (world.ledger, world.time, world.last_dt, world.steps) = (ledger, time, last_dt, steps);
        self.begin_anew(begun)
    }
}

impl DistributedFlow<Archive> {
    /// Opens a stored world from its blocks in [storage](crate::distributed::LocalBlocks::keep_on)
    /// and its [metadata](Self::metadata). It can be written as an undivided world, but not
    /// stepped.
    ///
    /// # Errors
    /// An error if the storage does not hold the blocks of a world on this lattice.
    pub fn kept(
        lattice: &Lattice,
        besides: &[u8],
        bands: Vec<Range<usize>>,
        shelf: impl PageStore + 'static,
    ) -> io::Result<Self> {
        let besides: Metadata = postcard::from_bytes(besides).map_err(io::Error::other)?;
        check(besides.lattice == *lattice && follow_one_another(&bands, lattice.ny()))?;
        let whole = |list: &IdList<Outlet>| {
            list.iter().all(|outlet| outlet.remainders.len() == outlet.cells.len())
        };
        check(whole(&besides.springs) && whole(&besides.drains))?;
        let mut flow = Flow::bare(*lattice, besides.params, hollow(), Tracker::new(0, 0));
        flow.boundaries = besides.boundaries;
        flow.structures = besides.structures;
        let exchange = &mut flow.exchange;
        (exchange.springs, exchange.drains) = (besides.springs, besides.drains);
        exchange.rain = besides.rain.map(|rain| (rain, Field::default()));
        exchange.evaporation = besides.evaporation.map(|one| (one, Field::default()));
        exchange.soil = besides.soil;
        let (flood, is_begun) = besides.flood.map_or((None, false), |(f, begun)| (Some(f), begun));
        flow.flood = flood.map(|flood| Box::new(Record::new(flood, 0, 0)));
        flow.ledger = besides.ledger;
        (flow.time, flow.last_dt, flow.steps) = (besides.time, besides.last_dt, besides.steps);
        let outlets = Outlets::of(&flow.exchange);
        let facts = [besides.is_rough, is_begun];
        let archive = Archive::new(*lattice, bands, outlets, facts, Box::new(shelf));
        Ok(Self::of(WorldSpec { flow }, archive)?.0)
    }
}

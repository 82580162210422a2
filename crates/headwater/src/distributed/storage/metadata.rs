//! What a world in bands has besides its fields, in bytes: little, and with whoever drives it.

use crate::changes::Tracker;
use crate::distributed::PageStore;
use crate::distributed::messages::Workers;
use crate::distributed::storage::archive::Archive;
use crate::distributed::storage::checkpoint::follow_one_another;
use crate::distributed::storage::snapshot_reader::check;
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

/// All of a state but its fields.
#[derive(Serialize, Deserialize)]
struct Metadata {
    lattice: Lattice,
    params: Params,
    boundaries: Boundaries,
    /// With what rounding holds back of each, cell by cell.
    springs: IdList<Outlet>,
    drains: IdList<Outlet>,
    structures: Structures,
    rain: Option<Rain>,
    evaporation: Option<Evaporation>,
    /// Soils without what is in a cell.
    soil: Option<Ground>,
    is_rough: bool,
    /// What is kept of a flood, and whether the state before the first step has been seen.
    flood: Option<(Flood, bool)>,
    ledger: Ledger,
    time: f64,
    last_dt: f32,
    steps: u64,
}

impl<K: Workers> DistributedFlow<K> {
    /// All of its state but the fields, which its keepers [keep](crate::distributed::LocalBlocks::keep_on), in bytes.
    ///
    /// # Errors
    /// Those of its keepers.
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

    /// Takes that on again, after its keepers have [taken their fields](crate::distributed::LocalBlocks::go_on_from), and goes on from there. It is of no use if that
    /// fails.
    ///
    /// # Errors
    /// Those of its keepers, and that the bytes are of another world.
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
    /// A world as it was kept, bands of those rows on a [shelf](crate::distributed::LocalBlocks::keep_on) and the [rest](Self::metadata) in bytes: to be written as one in
    /// one piece, not to be stepped.
    ///
    /// # Errors
    /// That these are no bands of a world on such a lattice.
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

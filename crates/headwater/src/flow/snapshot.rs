//! Saving a world and going on from there, and a hash to tell whether two worlds are the same.

use super::bodies::Body;
use super::boundary::Boundaries;
use super::check::is_amount;
use super::exchange::Exchange;
use super::flood::Record;
use super::params::Params;
use super::settling::Settling;
use super::state::State;
use super::structure::Structures;
use super::tracers::TracerSet;
use super::workspace::Workspace;
use super::world::Flow;
use crate::changes::Tracker;
use crate::error::InputError;
use crate::field::Field;
use crate::hash;
use crate::ids::IdList;
use crate::lattice::Lattice;
use crate::ledger::Ledger;
use crate::scratch::ScratchPool;
use serde::{Deserialize, Serialize, Serializer};

/// All that a world needs to go on: restoring it equals never having stopped, bit for bit.
///
/// It serializes with serde; a snapshot read back from a file is checked by [`Flow::restore`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Snapshot {
    #[serde(with = "Unchecked")]
    world: Flow,
}

/// How a world is serialized. Read back, it is no world yet: [`Flow::restore`] checks whether its parts fit one another.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Flow")]
struct Unchecked {
    lattice: Lattice,
    params: Params,
    state: State,
    boundaries: Boundaries,
    exchange: Exchange,
    structures: Structures,
    roughness: Option<Field<f32>>,
    tracers: Option<TracerSet>,
    flood: Option<Box<Record>>,
    settling: Option<Box<Settling>>,
    bodies: IdList<Body>,
    ledger: Ledger,
    time: f64,
    last_dt: f32,
    steps: u64,
    #[serde(skip)]
    workspace: Workspace,
    #[serde(skip)]
    scratch: ScratchPool,
    #[serde(skip)]
    changes: Tracker,
}

struct Saving<'a>(&'a Flow);

impl Serialize for Saving<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Unchecked::serialize(self.0, serializer)
    }
}

impl Flow {
    /// Saves the world as it is.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { world: self.clone() }
    }

    /// What a [snapshot](Self::snapshot) is serialized as, without the copy of the world that one is.
    pub fn saving(&self) -> impl Serialize {
        Saving(self)
    }

    /// The world that a snapshot holds.
    ///
    /// # Errors
    /// [`InputError`] if the snapshot's parts do not fit one another or hold impossible numbers.
    pub fn restore(snapshot: Snapshot) -> Result<Self, InputError> {
        let mut flow = snapshot.world;
        flow.changes = Tracker::new(flow.lattice.nx(), flow.lattice.ny());
        flow.params.validate()?;
        let damaged = |what| Err(InputError::invalid_snapshot(what));
        if !flow.state.fits(&flow.lattice) {
            return damaged("its fields do not have the shape of its grid");
        }
        if flow.state.momentum.is_some() != flow.params.level.has_momentum() {
            return damaged("its momentum does not fit its physics");
        }
        if !flow.boundaries.fits(&flow.lattice) || !flow.exchange.fits(&flow.state) {
            return damaged("its boundaries or sources do not fit its grid");
        }
        if !flow.structures.fits(&flow.state) {
            return damaged("its structures do not fit its grid");
        }
        if !flow.tracers.iter().all(|tracers| tracers.fits(&flow.lattice)) {
            return damaged("its tracers do not fit its grid");
        }
        if !flow.flood.iter().all(|record| record.fits(&flow.state.bed)) {
            return damaged(
                "what it keeps of a flood does not fit its grid or holds impossible numbers",
            );
        }
        if !flow.settling.iter().all(|settling| settling.fits(&flow.state)) {
            return damaged("its means do not fit its grid");
        }
        if !flow.bodies.iter().all(|body| flow.check_body(body).is_ok()) {
            return damaged("a body is off its grid or holds impossible numbers");
        }
        if !flow.roughness.iter().all(|map| map.same_shape(&flow.state.bed)) {
            return damaged("its roughness does not fit its grid");
        }
        if !flow.state.depth.as_slice().iter().all(|&h| is_amount(h)) {
            return damaged("a depth is not a number of 0 m or above");
        }
        let finite = |field: &Field<f32>| field.as_slice().iter().all(|v| v.is_finite());
        let state = &flow.state;
        let discharges = [&state.discharge_x, &state.discharge_y].into_iter();
        if !discharges.chain(&state.discharge_z).chain([&state.bed, &state.remainder]).all(finite) {
            return damaged("a height, remainder or discharge is not finite");
        }
        if !state.momentum.iter().all(|q| finite(&q.x) && finite(&q.y)) {
            return damaged("a momentum is not finite");
        }
        if !(flow.time.is_finite() && flow.time >= 0.0 && is_amount(flow.last_dt)) {
            return damaged("its time is not a number of 0 s or above");
        }
        Ok(flow)
    }

    /// Checks a world whose state was replaced, and drops everything derived from the earlier state.
    ///
    /// # Errors
    /// Those of [`restore`](Self::restore).
    pub(crate) fn renewed(mut self) -> Result<Self, InputError> {
        (self.workspace, self.scratch) = Default::default();
        Self::restore(Snapshot { world: self })
    }

    /// A hash of the whole state but the ledger, every bit that a step reads or writes. The same on every machine.
    pub fn state_hash(&self) -> u64 {
        let Self { lattice, params, state, boundaries, exchange, structures, roughness, .. } = self;
        let Self { tracers, flood, settling, bodies, time, last_dt, steps, .. } = self;
        let set = (lattice, params, boundaries, roughness);
        let fed = (exchange, structures);
        let drifting = (tracers, flood);
        hash::of(&(set, state, fed, drifting, settling, bodies, time, last_dt, steps))
    }
}

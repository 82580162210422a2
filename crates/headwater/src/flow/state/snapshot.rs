//! Snapshots of a flow world, and a hash of its state for comparison.

use super::State;
use super::workspace::Workspace;
use crate::changes::ChangeTracker;
use crate::error::InputError;
use crate::field::Field;
use crate::flow::bodies::Body;
use crate::flow::boundary::Boundaries;
use crate::flow::check::is_finite_non_negative;
use crate::flow::observe::flood::FloodRecord;
use crate::flow::observe::tracers::TracerSet;
use crate::flow::params::Params;
use crate::flow::solver::relaxation::Relaxation;
use crate::flow::sources::exchange::Exchange;
use crate::flow::sources::flow_ledger::FlowLedger;
use crate::flow::structure::Structures;
use crate::flow::world::Flow;
use crate::hash;
use crate::ids::IdList;
use crate::lattice::Lattice;
use crate::scratch::ScratchPool;
use serde::{Deserialize, Serialize, Serializer};

/// Complete state of a flow world. A world restored from a snapshot continues the simulation
/// exactly, bit for bit.
///
/// A snapshot is serializable with serde. [`Flow::restore`] validates a snapshot, so that it may
/// come from an untrusted file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Snapshot {
    #[serde(with = "SerializedFlow")]
    world: Flow,
}

/// Serialized form of a world, as stored in a snapshot. [`Flow::restore`] validates this form after
/// deserialization.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Flow")]
struct SerializedFlow {
    lattice: Lattice,
    params: Params,
    state: State,
    boundaries: Boundaries,
    exchange: Exchange,
    structures: Structures,
    roughness: Option<Field<f32>>,
    tracers: Option<TracerSet>,
    flood: Option<Box<FloodRecord>>,
    settling: Option<Box<Relaxation>>,
    bodies: IdList<Body>,
    ledger: FlowLedger,
    time: f64,
    last_dt: f32,
    steps: u64,
    #[serde(skip)]
    workspace: Workspace,
    #[serde(skip)]
    scratch: ScratchPool,
    #[serde(skip)]
    changes: ChangeTracker,
}

struct SerializedView<'a>(&'a Flow);

impl Serialize for SerializedView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SerializedFlow::serialize(self.0, serializer)
    }
}

impl Flow {
    /// Returns a snapshot: a copy of the complete state of the world.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { world: self.clone() }
    }

    /// Returns a value that serializes to the same data as a [snapshot](Self::snapshot), but
    /// borrows the state instead of copying it.
    pub fn as_serializable(&self) -> impl Serialize {
        SerializedView(self)
    }

    /// Creates a world from a snapshot.
    ///
    /// # Errors
    /// Returns [`InputError`] if the parts of the snapshot are inconsistent or contain invalid
    /// numbers.
    pub fn restore(snapshot: Snapshot) -> Result<Self, InputError> {
        let mut flow = snapshot.world;
        flow.changes = ChangeTracker::new(flow.lattice.nx(), flow.lattice.ny());
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
        if !flow.roughness.iter().all(|map| map.has_same_shape(&flow.state.bed)) {
            return damaged("its roughness does not fit its grid");
        }
        if !flow.state.depth.as_slice().iter().all(|&h| is_finite_non_negative(h)) {
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
        if !(flow.time.is_finite() && flow.time >= 0.0 && is_finite_non_negative(flow.last_dt)) {
            return damaged("its time is not a number of 0 s or above");
        }
        Ok(flow)
    }

    /// Validates a world whose state was replaced, and rebuilds all data derived from the state.
    ///
    /// # Errors
    /// Returns an error under the same conditions as [`restore`](Self::restore).
    pub(crate) fn revalidate(mut self) -> Result<Self, InputError> {
        (self.workspace, self.scratch) = Default::default();
        Self::restore(Snapshot { world: self })
    }

    /// Returns a hash of all data that a step reads or writes, except the ledger. Equal states have
    /// the same hash on all platforms.
    pub fn state_hash(&self) -> u64 {
        let Self { lattice, params, state, boundaries, exchange, structures, roughness, .. } = self;
        let Self { tracers, flood, settling, bodies, time, last_dt, steps, .. } = self;
        let set = (lattice, params, boundaries, roughness);
        let sources = (exchange, structures);
        let drifting = (tracers, flood);
        hash::state_hash(&(set, state, sources, drifting, settling, bodies, time, last_dt, steps))
    }
}

//! Saving a world and going on from there, and a hash to tell whether two worlds are the same.

use super::check::is_amount;
use super::params::Physics;
use super::world::Flow;
use crate::changes::Tracker;
use crate::error::InputError;
use crate::field::Field;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

/// All that a world needs to go on: restoring it equals never having stopped, bit for bit.
///
/// It serializes with serde; a snapshot read back from a file is checked by [`Flow::restore`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    world: Box<Flow>,
}

impl Flow {
    /// Saves the world as it is.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { world: Box::new(self.clone()) }
    }

    /// The world that a snapshot holds.
    ///
    /// # Errors
    /// [`InputError`] if the snapshot's parts do not fit one another or hold impossible numbers.
    pub fn restore(snapshot: Snapshot) -> Result<Self, InputError> {
        let mut flow = *snapshot.world;
        flow.changes = Tracker::new(flow.lattice.nx(), flow.lattice.ny());
        flow.params.validate()?;
        let damaged = |what| Err(InputError::snapshot(what));
        if !flow.state.fits(&flow.lattice) {
            return damaged("its fields do not have the shape of its grid");
        }
        if flow.state.momentum.is_some() != flow.params.level.has_momentum() {
            return damaged("its momentum does not fit its physics");
        }
        if flow.params.level == Physics::ShallowWater && flow.lattice.is_hex() {
            return damaged("its physics do not fit its grid");
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
        if !discharges.chain(&state.discharge_z).chain([&state.bed]).all(finite) {
            return damaged("a height or discharge is not finite");
        }
        if !state.momentum.iter().all(|q| finite(&q.x) && finite(&q.y)) {
            return damaged("a momentum is not finite");
        }
        if !(flow.time.is_finite() && flow.time >= 0.0 && is_amount(flow.last_dt)) {
            return damaged("its time is not a number of 0 s or above");
        }
        Ok(flow)
    }

    /// A hash of every bit that a step reads or writes: bed, depth, discharges, momentum, closed cells,
    /// time, remainders of rain, soil and structures, tracers and bodies. The same on every machine.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Xxh3::new();
        hash.update(&self.time.to_le_bytes());
        hash.update(&self.steps.to_le_bytes());
        let state = &self.state;
        let means = self.settling.iter().flat_map(|settling| settling.fields());
        let momentum = state.momentum.iter().flat_map(|q| [&q.x, &q.y]);
        let fields = [&state.bed, &state.depth, &state.discharge_x, &state.discharge_y];
        for field in fields.into_iter().chain(&state.discharge_z).chain(momentum).chain(means) {
            for row in field.rows() {
                let bytes: Vec<u8> = row.iter().flat_map(|v| v.to_le_bytes()).collect();
                hash.update(&bytes);
            }
        }
        for row in state.closed.cells().rows() {
            let bytes: Vec<u8> = row.iter().map(|&closed| u8::from(closed)).collect();
            hash.update(&bytes);
        }
        self.exchange.feed_hash(&mut hash);
        self.structures.feed_hash(&mut hash);
        for particle in self.particles() {
            for value in particle.position {
                hash.update(&value.to_le_bytes());
            }
            hash.update(&particle.age.to_le_bytes());
        }
        self.bodies.iter().for_each(|body| body.feed_hash(&mut hash));
        hash.digest()
    }
}

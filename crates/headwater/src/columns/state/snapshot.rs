//! Snapshots that store and restore the state of a [`Columns`] world, and a hash for comparing
//! states.

use super::sleep::SleepState;
use super::{FluxRule, State};
use crate::changes::ChangeTracker;
use crate::clock::FixedStep;
use crate::columns::bodies::body::{Body, FloatState};
use crate::columns::heat::HeatState;
use crate::columns::layout::anchor::IgnoredAnchor;
use crate::columns::layout::{Layout, MAX_LEVEL, NO_CEILING};
use crate::columns::params::{Motion, Params};
use crate::columns::solver::air::Bubble;
use crate::columns::solver::pressure::Heads;
use crate::columns::sources::source::BoundaryFluxes;
use crate::columns::world::{Columns, build_layout};
use crate::error::InputError;
use crate::field::Field;
use crate::hash;
use crate::ids::IdList;
use crate::ledger::Ledger;
use crate::scratch::ScratchPool;
use serde::{Deserialize, Serialize};

/// Complete state of a world. A world restored from a snapshot continues bit for bit like the
/// original.
///
/// Serializable with serde. [`Columns::restore`] checks snapshots read from files.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    pub(in crate::columns) params: Params,
    pub(in crate::columns) walls: Field<bool>,
    pub(in crate::columns) cell: f64,
    state: State,
    excess: Vec<i32>,
    #[serde(with = "crate::numbers")]
    marks: Vec<u8>,
    /// For each pool, whether `excess` and `marks` hold values for the pool.
    pressed: Vec<bool>,
    bubbles: Vec<Bubble>,
    exchange: BoundaryFluxes,
    sleep: SleepState,
    warmth: Option<HeatState>,
    bodies: IdList<Body>,
    rides: Vec<FloatState>,
    ignored: Vec<IgnoredAnchor>,
    ledger: Ledger<i128>,
    steps: u64,
    clock: FixedStep,
}

#[derive(Serialize)]
struct SnapshotRef<'a> {
    params: &'a Params,
    walls: Field<bool>,
    cell: f64,
    state: &'a State,
    excess: &'a [i32],
    #[serde(with = "crate::numbers")]
    marks: Vec<u8>,
    pressed: &'a [bool],
    bubbles: &'a [Bubble],
    exchange: &'a BoundaryFluxes,
    sleep: &'a SleepState,
    warmth: &'a Option<HeatState>,
    bodies: &'a IdList<Body>,
    rides: &'a [FloatState],
    ignored: &'a [IgnoredAnchor],
    ledger: &'a Ledger<i128>,
    steps: u64,
    clock: FixedStep,
}

impl Columns {
    /// Returns a snapshot of the current state of the world.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            params: self.params.clone(),
            walls: self.walls(),
            cell: self.layout.cell,
            state: self.state.clone(),
            excess: self.heads.excess.clone(),
            marks: self.heads.column_flags(),
            pressed: self.heads.has_excess.clone(),
            bubbles: self.bubbles.clone(),
            exchange: self.exchange.clone(),
            sleep: self.sleep.clone(),
            warmth: self.warmth.clone(),
            bodies: self.bodies.clone(),
            rides: self.rides.clone(),
            ignored: self.ignored.clone(),
            ledger: self.ledger.clone(),
            steps: self.steps,
            clock: self.clock,
        }
    }

    /// Returns a value that serializes to the same data as a [`Snapshot`] of the world. Unlike
    /// [`snapshot`](Self::snapshot), this method does not copy the world.
    pub fn as_serializable(&self) -> impl Serialize {
        SnapshotRef {
            params: &self.params,
            walls: self.walls(),
            cell: self.layout.cell,
            state: &self.state,
            excess: &self.heads.excess,
            marks: self.heads.column_flags(),
            pressed: &self.heads.has_excess,
            bubbles: &self.bubbles,
            exchange: &self.exchange,
            sleep: &self.sleep,
            warmth: &self.warmth,
            bodies: &self.bodies,
            rides: &self.rides,
            ignored: &self.ignored,
            ledger: &self.ledger,
            steps: self.steps,
            clock: self.clock,
        }
    }

    /// Restores a world from a snapshot.
    ///
    /// # Errors
    /// Returns [`InputError`] if the snapshot is inconsistent or holds invalid values.
    pub fn restore(snapshot: Snapshot) -> Result<Self, InputError> {
        let layout = build_layout(&snapshot.walls, snapshot.cell, &snapshot.params)?;
        Self::restore_on(layout, snapshot)
    }

    pub(in crate::columns) fn restore_on(
        layout: Layout,
        snapshot: Snapshot,
    ) -> Result<Self, InputError> {
        let Snapshot { params, state, excess, marks, pressed, bubbles, exchange, .. } = snapshot;
        let Snapshot { sleep, mut warmth, bodies, rides, ignored, ledger, steps, clock, .. } =
            snapshot;
        let damaged = |problem| Err(InputError::invalid_snapshot(problem));
        let n = layout.column_count();
        let springs = if params.motion == Motion::Springs { n } else { 0 };
        let State { depth, speed, joint_speed, foam, offset, rate, network } = &state;
        let lengths = [depth.len(), speed.len(), foam.len(), excess.len(), marks.len()] == [n; 5]
            && pressed.len() == layout.pools.len()
            && [offset.len(), rate.len()] == [springs; 2]
            && joint_speed.len() == layout.joints.len()
            && network.fits(n, layout.pools.len(), layout.joints.len());
        if !lengths {
            return damaged("its columns do not match its grid");
        }
        let numbers = [speed, joint_speed, foam, offset, rate];
        if !numbers.into_iter().flatten().all(|v| v.is_finite()) {
            return damaged("a velocity, wave or foam is not finite");
        }
        // Water thrown up to the highest level is stopped there as by a ceiling, and may be
        // compressed slightly beyond that level.
        if !depth.iter().all(|depth| (0..=NO_CEILING + NO_CEILING / 4).contains(depth)) {
            return damaged("a depth is out of range");
        }
        let heads = excess.iter().zip(depth).zip(&layout.floor);
        let is_head = |((&excess, &depth), &floor): ((&i32, &i32), &i32)| {
            let head = i64::from(floor) + i64::from(depth) + i64::from(excess);
            excess.unsigned_abs() <= MAX_LEVEL as u32 && i32::try_from(head).is_ok()
        };
        if !heads.into_iter().all(is_head) {
            return damaged("a head is out of range");
        }
        if !bubbles.iter().all(|bubble| bubble.fits(n)) || !exchange.fits() {
            return damaged("its bubbles, springs, drains, weather or wind are invalid");
        }
        if !sleep.fits(layout.pools.len()) {
            return damaged("its sleep state does not match its pools");
        }
        if !clock.is_valid() || steps >> 53 != 0 {
            return damaged("its time is invalid");
        }
        if warmth.is_some() != params.heat.is_some()
            || warmth.as_ref().is_some_and(|warmth| !warmth.fits(&layout, &state.depth, steps))
        {
            return damaged("its heat does not match its water");
        }
        if let Some(warmth) = &mut warmth {
            warmth.make_workspace(n);
        }
        bodies.iter().try_for_each(Body::check)?;
        let riding = |ride: &FloatState| ride.level.is_none_or(|level| level.height.is_finite());
        if rides.len() != bodies.len() || !rides.iter().all(riding) {
            return damaged("the float state of its bodies is invalid");
        }
        let mut world = Self {
            rule: FluxRule::new(&params, &layout),
            heads: Heads::from_snapshot(&layout, excess, &marks, pressed),
            open: Vec::new(),
            scratch: ScratchPool::default(),
            changes: ChangeTracker::with_len(layout.pools.len()),
            params,
            layout,
            state,
            bubbles,
            exchange,
            sleep,
            warmth,
            bodies,
            rides,
            ignored,
            ledger,
            steps,
            clock,
        };
        if world.exchange.weather.moves_water() || world.exchange.outlets().next().is_some() {
            world.require_volume("weather, springs and drains")?;
        }
        world.locate_regions();
        Ok(world)
    }

    /// Returns a hash of all state that a step reads or writes, except the ledgers. The hash is the
    /// same on all machines and for any number of threads.
    pub fn state_hash(&self) -> u64 {
        let state = (
            (&self.params, self.layout.grid.cells(), self.layout.cell),
            (&self.state, &self.heads.excess, &self.bubbles, &self.exchange, &self.sleep),
            self.warmth.as_ref().map(HeatState::hashed_state),
            (&self.bodies, &self.rides, self.steps, &self.clock),
        );
        hash::state_hash(&state)
    }
}

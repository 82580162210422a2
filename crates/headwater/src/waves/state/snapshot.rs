//! Snapshots of a [`Waves`](crate::waves::Waves) world, and a hash of its state.

use super::State;
use super::tiles::Tiles;
use crate::clock::FixedStep;
use crate::error::InputError;
use crate::field::Field;
use crate::hash;
use crate::ids::IdList;
use crate::lattice::Square;
use crate::ledger::Ledger;
use crate::scratch::ScratchPool;
use crate::waves::current::{self, AdvectionField, Current};
use crate::waves::dispersion::{self, DispersionFilter};
use crate::waves::forcing::body::Body;
use crate::waves::forcing::maker::WaveMaker;
use crate::waves::forcing::weather::{RainState, WindState};
use crate::waves::params::Params;
use crate::waves::solver::absorbing::{AbsorbingLayers, SplitHeights};
use crate::waves::solver::rule::WaveCoefficients;
use crate::waves::solver::wave_speed_map::WaveSpeedMap;
use crate::waves::world::{Waves, check_square};
use serde::{Deserialize, Serialize, Serializer};

/// Complete state of a world, which can be serialized with serde. A world restored from a snapshot
/// continues bit for bit like the original.
///
/// [`Waves::restore`] checks snapshots, so they can be read from untrusted files.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Snapshot {
    #[serde(with = "UncheckedSnapshot")]
    world: Waves,
}

/// Deserialized contents of a snapshot before they are checked. [`Waves::restore`] checks that they
/// are consistent.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Waves")]
struct UncheckedSnapshot {
    lattice: Square,
    params: Params,
    state: State,
    parts: Option<SplitHeights>,
    land: Option<Field<bool>>,
    speed: Option<Field<f32>>,
    current: Option<Current>,
    bodies: IdList<Body>,
    makers: IdList<WaveMaker>,
    shower: Option<RainState>,
    gusts: Option<WindState>,
    ledger: Ledger,
    steps: u64,
    clock: FixedStep,
    // Data that is derived from the fields above.
    #[serde(skip, default = "WaveCoefficients::zero")]
    rule: WaveCoefficients,
    #[serde(skip)]
    speed_map: WaveSpeedMap,
    #[serde(skip)]
    absorbing: AbsorbingLayers,
    #[serde(skip)]
    stream: Option<AdvectionField>,
    #[serde(skip)]
    drift: current::AdvectionWorkspace,
    #[serde(skip)]
    filter: Option<DispersionFilter>,
    #[serde(skip)]
    tiles: Tiles,
    #[serde(skip)]
    scratch: ScratchPool,
}

struct SnapshotRef<'a>(&'a Waves);

impl Serialize for SnapshotRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        UncheckedSnapshot::serialize(self.0, serializer)
    }
}

impl Waves {
    /// Returns a snapshot of the current state of the world.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { world: self.clone() }
    }

    /// Returns a value that serializes like a [snapshot](Self::snapshot) of the world. It borrows
    /// the world instead of copying it.
    pub fn as_serializable(&self) -> impl Serialize {
        SnapshotRef(self)
    }

    /// Creates a world from a snapshot.
    ///
    /// # Errors
    /// Returns [`InputError`] if the snapshot is inconsistent or contains invalid values.
    pub fn restore(snapshot: Snapshot) -> Result<Self, InputError> {
        let mut waves = snapshot.world;
        waves.params.validate()?;
        check_square(&waves.lattice)?;
        let damaged = |what| Err(InputError::invalid_snapshot(what));
        let (nx, ny) = (waves.lattice.nx(), waves.lattice.ny());
        if !waves.state.has_shape(nx, ny) {
            return damaged("its fields do not have the shape of its grid");
        }
        if f64::from(waves.state.quantum) != waves.params.height_unit() {
            return damaged("its quantum is not that of its parameters");
        }
        let State { height, flux_x, flux_y, carried, quantum } = &waves.state;
        let finite = |field: &Field<f32>| field.as_slice().iter().all(|v| v.is_finite());
        if ![height, flux_x, flux_y].into_iter().chain(carried).all(finite) {
            return damaged("a height or flux is not finite");
        }
        if !height.as_slice().iter().all(|z| (z / quantum).fract() == 0.0) {
            return damaged("a height is not a whole number of quanta");
        }
        let whole = |field: &Field<f32>| {
            field.has_same_shape(height)
                && field.as_slice().iter().all(|z| z.is_finite() && (z / quantum).fract() == 0.0)
        };
        let awaited = SplitHeights::new(&waves.params, nx, ny);
        if waves.parts.is_some() != awaited.is_some()
            || !waves.parts.iter().all(|parts| whole(&parts.x) && whole(&parts.y))
        {
            return damaged("its absorbing layers do not fit its grid and edges");
        }
        if !waves.land.iter().all(|land| land.has_same_shape(height)) {
            return damaged("its land does not have the shape of its grid");
        }
        if !waves.clock.is_valid() {
            return damaged("its remaining time is not less than a step");
        }
        let highest = waves.params.highest;
        waves.bodies.iter().try_for_each(|body| body.check_with_height_limit(highest))?;
        waves.makers.iter().try_for_each(|maker| maker.check_with_height_limit(highest))?;
        if let Some(shower) = &waves.shower {
            waves.check_rain(&shower.rain)?;
            if !shower.is_consistent() {
                return damaged("its rain is invalid");
            }
        }
        if let Some(gusts) = &waves.gusts {
            waves.check_wind(&gusts.wind)?;
            if !gusts.is_consistent() {
                return damaged("its gusts do not fit its wind");
            }
        }
        waves.filter = dispersion::fit_filter(&waves.params, &waves.lattice)?;
        waves.check_speeds(waves.speed.as_ref())?;
        if let Some(Current { east, south }) = &waves.current {
            waves.check_current(east, south)?;
        }
        waves.rule = WaveCoefficients::from_params(&waves.params, &waves.lattice);
        waves.tiles = Tiles::new(nx, ny);
        waves.update_derived_and_wake();
        Ok(waves)
    }

    /// Returns a hash of the state that steps read and write. The ledger is not included. Equal
    /// states have equal hashes on all machines.
    pub fn state_hash(&self) -> u64 {
        let Self { lattice, params, state, parts, land, speed, current, .. } = self;
        let Self { bodies, makers, shower, gusts, steps, clock, .. } = self;
        let water = (lattice, params, state, parts, land, speed, current);
        hash::state_hash(&(water, bodies, makers, shower, gusts, steps, clock))
    }
}

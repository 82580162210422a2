//! `flow`: water over terrain, a height field over a bed that may change while it runs.
//!
//! A [`Flow`] is a world: a bed, water on it, what feeds and drains it, and its books. The water moves
//! by virtual pipes ([`Physics::Pipes`]), by pipes as deep as the water ([`Physics::Inertial`]) or by the
//! full shallow-water equations ([`Physics::ShallowWater`]): stable, linear in the number of cells, and
//! without losing a drop. It does not know the third dimension: no splashes, no caves, no water over
//! water.
//!
//! ```
//! use headwater::flow::{Change, Edit, Flow, Params};
//! use headwater::{Brush, Field, Region, Square};
//!
//! // A lake, 2 m deep, behind a dam across a valley.
//! let lattice = Square::new(60, 20, 1.0, 1.0)?;
//! let dam = Field::from_fn(60, 20, |x, _| if x == 20 { 3.0 } else { 0.0 });
//! let lake = Field::from_fn(60, 20, |x, _| if x < 20 { 2.0 } else { 0.0 });
//! let mut flow = Flow::new(lattice, Params::default(), dam, lake)?;
//! flow.advance(5.0)?;
//! assert!(!flow.is_flooded([40.0, 10.0]), "the dam holds");
//!
//! // Dig through it.
//! flow.edit(&Brush::flat(Region::disc([20.5, 10.5], 2.0)), Edit::Lower(Change::By(3.0)))?;
//! flow.advance(20.0)?;
//! assert!(flow.is_flooded([40.0, 10.0]));
//! assert!(flow.balance().residual_relative.abs() < 1e-6, "not a drop is lost");
//! # Ok::<(), headwater::flow::FlowError>(())
//! ```

mod bodies;
mod boundary;
mod context;
mod dice;
mod edit;
mod elsewhere;
mod error;
mod exchange;
mod foam;
mod gauge;
mod inertial;
mod outside;
mod params;
mod particles;
mod pipes;
mod plain;
mod push;
mod query;
mod rim;
mod settle;
mod shallow;
mod snapshot;
mod state;
mod step;
mod structure;
mod sweep;
mod transport;
mod tune;
mod velocity;
mod view;
mod work;

pub use bodies::{Body, Shape, WATER_DENSITY};
pub use boundary::{Boundary, BoundaryError, BoundaryKind};
pub use context::Limit;
pub use edit::{Amount, Change, Edit, Keep};
pub use elsewhere::{Elsewhere, Owed, PassedOutlet, Progress, SoilDue};
pub use error::FlowError;
pub use exchange::{MM_PER_HOUR, Rain, Soil, SoilCell, Source};
pub use inertial::{Coefficients as InertialCoefficients, Demand, Direction, Surge};
pub use outside::Outside;
pub use params::{Params, ParamsError, Physics};
pub use particles::{Drifted, Drifting, Particle, Tracers};
pub use pipes::Coefficients as PipesCoefficients;
pub use push::FacePush;
pub use settle::{Settle, Settled};
pub use shallow::Coefficients as ShallowCoefficients;
pub use snapshot::Snapshot;
pub use state::{Closed, Momentum, State};
pub use structure::{Barrel, Culvert, Gate, Structure, StructureKind, Weir};
pub use view::VIEWS;
pub use work::{WaterWork, Work};

use crate::field::Field;
use crate::lattice::Lattice;
use crate::ledger::{Balance, Ledger};
use crate::series::Series;
use boundary::Boundaries;
use error::number;
use exchange::{Exchange, Ground, Outlet};
use particles::Swarm;
use serde::{Deserialize, Serialize};
use settle::Settling;
use state::Scratch;
use structure::Structures;

/// A world of water over terrain.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Flow {
    lattice: Lattice,
    params: Params,
    state: State,
    boundaries: Boundaries,
    exchange: Exchange,
    structures: Structures,
    /// Manning's roughness of each cell, in place of the one of `params`.
    roughness: Option<Field<f32>>,
    swarm: Option<Swarm>,
    /// Set while the world is on its way to a steady state.
    settling: Option<Box<Settling>>,
    bodies: Vec<Body>,
    ledger: Ledger,
    time: f64,
    /// Length of the last step (s).
    last_dt: f32,
    steps: u64,
    #[serde(skip)]
    scratch: Scratch,
}

impl Flow {
    /// A world with the given `bed` (m) and `depth` of water (m, 0 or above), both `nx × ny`, at
    /// rest. All edges are walls.
    ///
    /// Depths are f32: keep beds near 0 by subtracting a common height, for at 2500 m a float is
    /// good for a quarter of a millimetre only.
    ///
    /// # Errors
    /// [`FlowError`] if a parameter is out of its range, a field has another shape than the lattice,
    /// a height is not finite, or a depth is below 0.
    pub fn new(
        lattice: impl Into<Lattice>,
        params: Params,
        bed: Field<f32>,
        depth: Field<f32>,
    ) -> Result<Self, FlowError> {
        let lattice = lattice.into();
        params.validate()?;
        if params.physics == Physics::ShallowWater && lattice.is_hex() {
            return Err(FlowError::NoHexagons);
        }
        check_field("bed", &bed, &lattice, "a finite height in m", f32::is_finite)?;
        check_field("depth", &depth, &lattice, "0 m or above", is_amount)?;
        let mut state = State::new(&lattice, bed, depth);
        if params.physics.has_momentum() {
            state.momentum = Some(Momentum::new(lattice.nx(), lattice.ny()));
        }
        let mut flow = Self {
            lattice,
            params,
            state,
            boundaries: Boundaries::new(&lattice),
            exchange: Exchange::default(),
            structures: Structures::default(),
            roughness: None,
            swarm: None,
            settling: None,
            bodies: Vec::new(),
            ledger: Ledger::default(),
            time: 0.0,
            last_dt: 0.0,
            steps: 0,
            scratch: Scratch::default(),
        };
        flow.ledger = Ledger::new(flow.volume());
        Ok(flow)
    }

    /// Sets what a stretch of an edge does. Where stretches overlap, the last one set counts.
    ///
    /// # Errors
    /// [`FlowError::Boundary`] if the stretch or a discharge makes no sense.
    pub fn set_boundary(&mut self, boundary: Boundary) -> Result<(), FlowError> {
        self.boundaries.set(&self.lattice, boundary)?;
        self.scratch.sweep.tiles.wake_all();
        Ok(())
    }

    /// Adds a spring.
    ///
    /// # Errors
    /// [`FlowError`] if its region makes no sense, covers no cell, or its rate falls below 0.
    pub fn add_spring(&mut self, spring: Source) -> Result<(), FlowError> {
        let outlet = self.outlet(spring, "a spring's number of cells", "a spring's rate")?;
        self.exchange.springs.push(outlet);
        Ok(())
    }

    /// Adds a drain. It takes what is there, at most its rate.
    ///
    /// # Errors
    /// [`FlowError`] if its region makes no sense, covers no cell, or its rate falls below 0.
    pub fn add_drain(&mut self, drain: Source) -> Result<(), FlowError> {
        let outlet = self.outlet(drain, "a drain's number of cells", "a drain's rate")?;
        self.exchange.drains.push(outlet);
        Ok(())
    }

    fn outlet(
        &self,
        source: Source,
        cells: &'static str,
        rate: &'static str,
    ) -> Result<Outlet, FlowError> {
        source.region.validate()?;
        let lowest = source.rate.range().0;
        number(rate, lowest, lowest >= 0.0, "0 m³/s or above")?;
        let count = source.region.cells(self.lattice).len() as f64;
        number(cells, count, count > 0.0, "1 or more: it lies off the grid")?;
        Ok(Outlet::new(source, &self.lattice))
    }

    /// Gives each cell its own Manning's roughness (s/m^⅓), or with `None` all the one of
    /// [`Params::manning`]. Pipes do not know roughness.
    ///
    /// # Errors
    /// [`FlowError`] if the map has another shape than the grid or a roughness below 0.
    pub fn set_roughness(&mut self, map: Option<Field<f32>>) -> Result<(), FlowError> {
        if let Some(map) = &map {
            check_field("roughness map", map, &self.lattice, "0 s/m^⅓ or above", is_amount)?;
        }
        self.roughness = map;
        Ok(())
    }

    /// Sets the velocity of the water in every cell (m/s, to the east and to the south), for physics that
    /// know momentum.
    ///
    /// # Errors
    /// [`FlowError`] if the fields have another shape than the grid or a velocity is not finite, or
    /// if the world's physics do not know momentum.
    pub fn set_velocity(&mut self, east: &Field<f32>, south: &Field<f32>) -> Result<(), FlowError> {
        for (what, field) in [("velocity to the east", east), ("velocity to the south", south)] {
            check_field(what, field, &self.lattice, "a finite number of m/s", f32::is_finite)?;
        }
        let Some(momentum) = &mut self.state.momentum else { return Err(FlowError::NoMomentum) };
        let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
        let depth = &self.state.depth;
        momentum.x = Field::from_fn(nx, ny, |x, y| depth[(x, y)] * east[(x, y)]);
        momentum.y = Field::from_fn(nx, ny, |x, y| depth[(x, y)] * south[(x, y)]);
        Ok(())
    }

    /// Lets it rain, or with `None` lets it stop.
    ///
    /// # Errors
    /// [`FlowError`] if the rate falls below 0, or the map has another shape than the grid or a
    /// factor below 0.
    pub fn set_rain(&mut self, rain: Option<Rain>) -> Result<(), FlowError> {
        if let Some(rain) = &rain {
            let lowest = rain.rate.range().0;
            number("the rain's rate", lowest, lowest >= 0.0, "0 mm/h or above")?;
            if let Some(map) = &rain.map {
                check_field("rain map", map, &self.lattice, "a factor of 0 or above", is_amount)?;
            }
        }
        self.exchange.rain = rain.map(|rain| (rain, self.nothing_owed()));
        Ok(())
    }

    /// Lets water evaporate at a rate (mm/h), or with `None` lets it stop.
    ///
    /// # Errors
    /// [`FlowError::Number`] if the rate falls below 0.
    pub fn set_evaporation(&mut self, rate: Option<Series>) -> Result<(), FlowError> {
        if let Some(rate) = &rate {
            let lowest = rate.range().0;
            number("the evaporation's rate", lowest, lowest >= 0.0, "0 mm/h or above")?;
        }
        self.exchange.evaporation = rate.map(|rate| (rate, self.nothing_owed()));
        Ok(())
    }

    /// Puts a dry soil under every cell, or with `None` seals the ground. Water in a soil that is
    /// taken away stays out of the world.
    ///
    /// # Errors
    /// [`FlowError::Number`] if one of the soil's numbers is below 0.
    pub fn set_soil(&mut self, soil: Option<Soil>) -> Result<(), FlowError> {
        if let Some(Soil { rate, capacity, seepage }) = soil {
            number("the soil's rate", rate, rate >= 0.0, "0 mm/h or above")?;
            number("the soil's capacity", capacity, capacity >= 0.0, "0 m or above")?;
            number("the soil's seepage", seepage, seepage >= 0.0, "0 mm/h or above")?;
        }
        let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
        self.exchange.soil = soil.map(|soil| Ground::new(soil, nx, ny));
        Ok(())
    }

    /// Sends tracer particles with the water, or with `None` takes them away.
    ///
    /// # Errors
    /// [`FlowError`] if a region or a number of `tracers` makes no sense.
    pub fn set_tracers(&mut self, tracers: Option<Tracers>) -> Result<(), FlowError> {
        self.swarm = tracers.map(|tracers| Swarm::new(tracers, &self.lattice)).transpose()?;
        Ok(())
    }

    /// The tracer particles that are on their way.
    pub fn particles(&self) -> &[Particle] {
        self.swarm.as_ref().map_or(&[], |swarm| swarm.particles())
    }

    /// Where cells and faces are.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// The parameters the world was made with.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Bed, depth and discharges as they are.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Simulated time since the start (s).
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Steps done since the start.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// How many tiles of 64 × 64 cells the next step will look into for motion, beside those around them. Where
    /// all is dry or at rest, as a look every few steps finds out, a step leaves them out.
    pub fn awake(&self) -> usize {
        self.scratch.sweep.tiles.count(self.lattice.nx(), self.lattice.ny())
    }

    /// The water on the grid (m³).
    pub fn volume(&self) -> f64 {
        self.state.depth.sum() * self.lattice.cell_area()
    }

    /// What came and went, by cause.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The ledger held against the water that is there, the few drops on their way through structures
    /// among it.
    pub fn balance(&self) -> Balance {
        let held = self.structures.held() * self.lattice.cell_area();
        self.ledger.balance(self.volume() + held)
    }

    fn nothing_owed(&self) -> Field<f32> {
        Field::new(self.lattice.nx(), self.lattice.ny(), 0.0)
    }
}

fn is_amount(value: f32) -> bool {
    value.is_finite() && value >= 0.0
}

fn check_shape<T>(
    what: &'static str,
    field: &Field<T>,
    lattice: &Lattice,
) -> Result<(), FlowError> {
    let (nx, ny) = (lattice.nx(), lattice.ny());
    let (found_nx, found_ny) = (field.nx(), field.ny());
    if (found_nx, found_ny) == (nx, ny) {
        Ok(())
    } else {
        Err(FlowError::Shape { what, found_nx, found_ny, nx, ny })
    }
}

/// Checks the shape of a field, and each of its values.
fn check_field(
    what: &'static str,
    field: &Field<f32>,
    lattice: &Lattice,
    allowed: &'static str,
    ok: impl Fn(f32) -> bool,
) -> Result<(), FlowError> {
    check_shape(what, field, lattice)?;
    match field.as_slice().iter().position(|&value| !ok(value)) {
        None => Ok(()),
        Some(i) => {
            let (x, y) = (i % field.nx(), i / field.nx());
            Err(FlowError::Cell { what, x, y, found: field[(x, y)], allowed })
        }
    }
}

//! Water flow over terrain in a height-field model: one bed height and one water depth per cell.
//! The bed may change during a run.
//!
//! A [`Flow`] is a world: a bed, the water on it, sources and sinks, and a ledger of the water
//! balance. The water moves by one of three models: virtual pipes ([`Physics::Pipes`]), the local
//! inertial equations ([`Physics::Inertial`]) or the full shallow-water equations
//! ([`Physics::ShallowWater`]). All are stable and conserve the volume of water, and their cost is
//! linear in the number of cells. There is no third dimension: no splashes or caves.
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
//! let brush = Brush::with_flat_falloff(Region::disc([20.5, 10.5], 2.0));
//! flow.edit(&brush, Edit::Lower(Change::By(3.0)))?;
//! flow.advance(20.0)?;
//! assert!(flow.is_flooded([40.0, 10.0]));
//! assert!(flow.balance().residual_relative.abs() < 1e-6, "not a drop is lost");
//! # Ok::<(), headwater::InputError>(())
//! ```

pub(crate) mod advance;
mod bodies;
pub(crate) mod boundary;
pub(crate) mod check;
pub(crate) mod context;
pub(crate) mod edit;
mod model;
pub(crate) mod observe;
pub(crate) mod params;
pub(crate) mod schemes;
mod setup;
pub(crate) mod solver;
pub(crate) mod sources;
pub(crate) mod state;
pub(crate) mod step;
pub(crate) mod structure;
mod subgrid;
pub(crate) mod world;

pub use advance::equal_steps;
pub use bodies::push::FacePush;
pub use bodies::{Body, Shape, WATER_DENSITY};
pub use boundary::state::BoundaryState;
pub use boundary::{Boundary, BoundaryKind};
pub use context::StepLimit;
pub use edit::{Amount, Change, Edit, PreservedQuantity};
pub use observe::flood::{Flood, STANDING_WATER_HAZARD_SPEED};
pub use observe::layers::{LAYERS, View};
pub use observe::tracers::{Particle, Tracers, TracersState, TracersView};
pub use params::{Params, Physics};
pub use schemes::inertial::{
    AxisCoefficients, Coefficients as InertialCoefficients, ExteriorExtremes, InteriorExtremes,
};
pub use schemes::pipes::Coefficients as PipesCoefficients;
pub use schemes::shallow::Coefficients as ShallowCoefficients;
pub use solver::relaxation::{RelaxationParams, RelaxationStatus};
pub use sources::exchange::{Evaporation, Rain, Source};
pub use sources::flow_ledger::PartVolumes;
pub use sources::rounding_carry::MM_PER_HOUR;
pub use sources::soil::{Soil, SoilCell, SoilMap};
pub use state::device_view::{
    DeviceState, DeviceView, OutletView, RoundingRemainders, SoilExchange,
};
pub use state::edit_delta::{BedChange, EditDelta, WaterDelta};
pub use state::snapshot::Snapshot;
pub use state::{ClosedCells, Momentum, State};
pub use structure::{Barrel, Culvert, Gate, Structure, StructureKind, Weir};
pub use subgrid::Subgrid;
pub use world::Flow;

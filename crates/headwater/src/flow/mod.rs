//! Water flow over terrain in a height-field model: one bed height and one water depth per cell.
//! The bed may change during a run.
//!
//! A [`Flow`] is a world: a bed, the water on it, sources and sinks, and a ledger of the water
//! balance. The water moves by one of three models: virtual pipes ([`Physics::Pipes`]), the local
//! inertial equations ([`Physics::Inertial`]) or the full shallow-water equations
//! ([`Physics::ShallowWater`]). All are stable, conservative and linear in the number of cells. The
//! model has no third dimension: no splashes or caves.
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
//! # Ok::<(), headwater::InputError>(())
//! ```

pub(crate) mod advance;
mod bodies;
pub(crate) mod boundary;
mod boundary_faces;
mod boundary_state;
pub(crate) mod check;
pub(crate) mod context;
mod device_view;
pub(crate) mod edit;
pub(crate) mod edit_delta;
pub(crate) mod exchange;
pub(crate) mod flood;
mod foam;
mod gauge;
pub(crate) mod inertial;
pub(crate) mod layers;
pub(crate) mod ledger_sink;
mod model;
mod motion;
pub(crate) mod params;
pub(crate) mod pipes;
mod plain;
mod push;
mod query;
mod random;
mod relax;
mod relaxation;
mod rounding_carry;
pub(crate) mod sample_time;
mod setup;
pub(crate) mod shallow;
mod snapshot;
pub(crate) mod soil;
mod sources;
pub(crate) mod state;
pub(crate) mod step;
pub(crate) mod structure;
mod subgrid;
mod surface;
pub(crate) mod sweep;
mod tracers;
mod transport;
pub(crate) mod velocity;
mod workspace;
pub(crate) mod world;

pub use bodies::{Body, Shape, WATER_DENSITY};
pub use boundary::{Boundary, BoundaryKind};
pub use boundary_state::BoundaryState;
pub use context::Limit;
pub use device_view::{DeviceState, DeviceView, OutletView, Remainders, SoilExchange};
pub use edit::{Amount, Change, Edit, Preserve};
pub use edit_delta::{BedChange, EditDelta, WaterDelta};
pub use exchange::{Evaporation, Rain, Source};
pub use flood::{Flood, STANDING_WATER_HAZARD_SPEED};
pub use inertial::{
    AxisCoefficients, Coefficients as InertialCoefficients, ExteriorExtremes, InteriorExtremes,
};
pub use layers::{LAYERS, View};
pub use params::{Params, Physics};
pub use pipes::Coefficients as PipesCoefficients;
pub use push::FacePush;
pub use relaxation::{RelaxationParams, RelaxationStatus};
pub use rounding_carry::MM_PER_HOUR;
pub use shallow::Coefficients as ShallowCoefficients;
pub use snapshot::Snapshot;
pub use soil::{Soil, SoilCell, SoilMap};
pub use state::{ClosedCells, Momentum, State};
pub use structure::{Barrel, Culvert, Gate, Structure, StructureKind, Weir};
pub use subgrid::Subgrid;
pub use tracers::{Particle, Tracers, TracersState, TracersView};
pub use world::Flow;

//! Scenes, worlds, runs and output of the model `flow`, which simulates water over terrain.

mod boundary;
// Worlds that are only partly in memory need a file system, so browser builds omit this code.
#[cfg_attr(
    any(target_family = "wasm", not(feature = "gpu")),
    allow(dead_code, reason = "not every build has every executor")
)]
mod capabilities;
pub(crate) mod check;
#[cfg(feature = "gpu")]
mod device;
#[cfg(not(target_family = "wasm"))]
mod distributed;
mod event;
mod gauges;
mod initial_water;
mod layers;
mod ledger_parts;
mod model;
mod run;
mod scene;
pub(crate) mod tools;
mod view;
pub(crate) mod world;

pub use boundary::{
    Boundary, BoundaryKind, Discharge, EdgeSection, Inflow, Solitary, StageBoundary, Wave,
};
#[cfg(not(target_family = "wasm"))]
pub(crate) use distributed::remove_scratch_folder;
pub use event::{Action, Added, Flatten, Pour, Push, Shift, Smooth};
#[cfg(not(target_family = "wasm"))]
pub(crate) use initial_water::{WaterMaps, lake_error, obstacle_mask_in_rows};
pub use initial_water::{initial_depth, obstacle_mask};
pub(crate) use scene::pipe_area;
pub use scene::{
    Body, BodyKind, Carve, Cover, CoverClass, CulvertMouths, Emitters, FlowScene, Gauge,
    InitialHeight, Lake, Mouths, PhysicsFiles, RainFiles, RainRaster, SourcePlace, StructureKeys,
    Target, Water,
};
pub use world::{CarvedLand, FlowWorld, Stroke};

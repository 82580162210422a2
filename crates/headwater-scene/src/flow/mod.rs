//! Scenes, worlds, runs and output of the model `flow`, which simulates water over terrain.

// Worlds that are only partly in memory need a file system, so browsers go without them and load
// less code.
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
mod layers;
mod model;
mod run;
mod scene;
pub(crate) mod tools;
mod view;
pub(crate) mod world;

pub use event::{Action, Added, Flatten, Pour, Push, Shift, Smooth};
pub(crate) use scene::pipe_area;
pub use scene::{
    InitialHeight, Body, BodyKind, Boundary, BoundaryKind, Carve, CellSize, Cover, CoverClass, CulvertMouths,
    Discharge, Emitters, StructureKeys, FlowScene, Gauge, Grid, Ground, Inflow, Island, Lake, LatticeKind,
    Level, Mouths, Noise, NoiseKind, PhysicsFiles, Plane, RainFiles, RainRaster, Shape, ShapeOp,
    Solitary, SourcePlace, StageBoundary, Stretch, Target, Water, Wave,
};
pub use world::{CarvedLand, FlowWorld, Stroke};

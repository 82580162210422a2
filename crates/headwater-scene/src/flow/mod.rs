//! Water over terrain: the model `flow`, from its scene to what is written of it.

// There is no folder for what is not in memory, and less code to load without it.
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
    Above, Body, BodyKind, Boundary, BoundaryKind, Carve, Cell, Cover, CoverClass, CulvertMouths,
    Discharge, Emitters, Ends, FlowScene, Gauge, Grid, Ground, Inflow, Island, Lake, LatticeKind,
    Level, Mouths, Noise, NoiseKind, PhysicsFiles, Plane, RainFiles, RainRaster, Shape, ShapeOp,
    Solitary, SourcePlace, Stage, Stretch, Target, Water, Wave,
};
pub use world::{Carved, FlowWorld, Stroke};

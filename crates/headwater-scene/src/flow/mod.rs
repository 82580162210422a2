//! Water over terrain: the model `flow`, from its scene to what is written of it.

pub(crate) mod check;
mod event;
mod gauges;
mod layers;
pub(crate) mod probe;
pub(crate) mod run;
mod scene;
pub(crate) mod tools;
mod view;
pub(crate) mod world;

pub use event::{Action, Change, Event, EventOp, Keep, Quantity};
pub use scene::{
    Above, Body, BodyKind, Boundary, BoundaryKind, Carve, Cell, Culvert, Ends, Evaporation,
    FlowScene, Gate, Gauge, Grid, Ground, Infiltration, Island, Lake, LatticeKind, Layer, Level,
    Noise, NoiseKind, Particles, Physics, PhysicsLevel, Plane, Rain, Settle, Shape, ShapeOp,
    Source, Target, Water, Weir,
};
pub use world::{Carved, FlowWorld, Stroke};

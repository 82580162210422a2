//! Land that rivers, lakes and plants shape: the model `hydrology`, from its scene to what is written of it.

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

pub use event::{HydrologyAction, HydrologyEvent, HydrologyOp};
pub use scene::{
    HydrologyGauge, HydrologyLayer, HydrologyMeasure, HydrologyRain, HydrologyScene, Panel, Panels,
    River, Way,
};
pub(crate) use view::relief;
pub use world::{HydrologyWay, HydrologyWorld};

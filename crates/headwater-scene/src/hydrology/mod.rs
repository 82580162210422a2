//! Scenes, runs and pictures of the model `hydrology`, which simulates the shaping of land by
//! rivers, lakes and plants.

pub(crate) mod check;
mod event;
mod gauges;
mod model;
mod run;
mod scene;
pub(crate) mod tools;
mod view;
pub(crate) mod world;

pub use event::{
    AddSoil, Added, Clear, Flatten, HydrologyAction, MethodChange, Plant, Pour, Sea, Shift, Smooth,
};
pub(crate) use scene::deserialize_params;
pub use scene::{
    HydrologyGauge, HydrologyKeys, HydrologyMeasure, HydrologyRain, HydrologyScene,
    HydrologyTables, HydrologyUplift, Panel, Panels, PlantName, River, VariantTable, Zone,
};
pub(crate) use view::paint_relief;
pub use world::{HydrologyVariant, HydrologyWorld};

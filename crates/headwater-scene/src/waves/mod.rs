//! Scenes, runs and pictures of the model `waves`, which simulates small waves on a water surface.

pub(crate) mod check;
#[cfg(feature = "gpu")]
mod device;
mod disturbance;
mod event;
mod model;
mod run;
mod scene;
pub(crate) mod tools;
mod values;
pub(crate) mod world;

pub use disturbance::{Disturbance, FallingDrop};
pub use event::{Added, RainChange, Stroke, WavesAction, WindChange};
pub use scene::{
    BodyPath, InitialDisturbance, Land, MakerEnds, SteeredBody, WavesGauge, WavesGrid,
    WavesMeasure, WavesScene,
};
pub use world::WavesWorld;

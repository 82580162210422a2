//! A rippling surface: the model `waves`, from its scene to what is written of it.

pub(crate) mod check;
mod event;
mod layers;
pub(crate) mod probe;
pub(crate) mod run;
mod scene;
pub(crate) mod tools;
pub(crate) mod world;

pub use event::{WavesAction, WavesEvent, WavesOp};
pub use scene::{
    Gusts, Land, Maker, Shower, Start, Stroke, Swimmer, SwimmerPath, WavesGauge, WavesGrid,
    WavesLayer, WavesMeasure, WavesPhysics, WavesScene,
};
pub use world::{Disturbance, WavesWorld};

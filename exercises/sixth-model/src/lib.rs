//! Exercise: a sixth model, added without editing Headwater. The folder `diffusion` has the model,
//! its scenes and its runs; the constant below is its registry entry.

mod diffusion;

pub use diffusion::{DiffusionScene, Ink};

/// Registry entry of the model.
pub const DIFFUSION: headwater_scene::Model = headwater_scene::Model::of::<DiffusionScene>();

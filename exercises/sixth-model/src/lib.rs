//! An exercise: how much it takes to add a model. The folder `diffusion` is the model with its scenes and runs; the one line
//! below is its entry among the models that a reader of scenes knows. Nothing of Headwater is edited for it.

mod diffusion;

pub use diffusion::{DiffusionScene, Ink};

/// The entry.
pub const DIFFUSION: headwater_scene::Model = headwater_scene::Model::of::<DiffusionScene>();

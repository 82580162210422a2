//! Exercise: a sixth model that is added without changing Headwater. The folder `diffusion`
//! contains the model, its scene format and its runs. The constant [`DIFFUSION`] registers the
//! model.

mod diffusion;

pub use diffusion::{DiffusionScene, Ink};

/// Description of the model, for registration with the scene reader.
pub const DIFFUSION: headwater_scene::Model =
    headwater_scene::Model::from_scene_type::<DiffusionScene>();

//! Scene files as assets ([`WaterScene`]), and components for the worlds that run them
//! ([`SceneWater`]).

mod asset;
pub(crate) mod live;

pub use asset::{WaterScene, WaterSceneError, WaterSceneLoader};
pub use live::{SceneWater, WaterSceneRoot};

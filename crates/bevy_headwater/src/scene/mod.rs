//! Scene files as assets: [`WaterScene`], and [`SceneWater`], the world of one.

mod asset;
pub(crate) mod live;

pub use asset::{WaterScene, WaterSceneError, WaterSceneLoader};
pub use live::{SceneWater, WaterSceneRoot};

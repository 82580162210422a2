//! Access to the worlds of scene files, used by [`AnyWater`](crate::AnyWater). Without the feature
//! `scenes`, no entity has a scene, and all functions in this module return `None`.

use crate::models::WaterModel;

#[cfg(feature = "scenes")]
pub(crate) type SceneData = Option<&'static mut crate::scene::live::SceneWater>;
/// Query data for access to the world of a scene.
#[cfg(not(feature = "scenes"))]
pub(crate) type SceneData = ();

#[cfg(feature = "scenes")]
pub(crate) fn model<'a>(
    scene: &Option<&'a crate::scene::live::SceneWater>,
) -> Option<&'a dyn WaterModel> {
    scene.as_ref()?.model()
}

#[cfg(not(feature = "scenes"))]
pub(crate) fn model<'a>((): &()) -> Option<&'a dyn WaterModel> {
    None
}

#[cfg(feature = "scenes")]
pub(crate) fn model_mut<'a>(
    scene: &'a mut Option<bevy::prelude::Mut<'_, crate::scene::live::SceneWater>>,
) -> Option<&'a mut dyn WaterModel> {
    scene.as_mut()?.model_mut()
}

#[cfg(not(feature = "scenes"))]
pub(crate) fn model_mut(_: &mut ()) -> Option<&mut dyn WaterModel> {
    None
}

/// Advances the world of a scene; returns `None` if the entity has no scene.
#[cfg(feature = "scenes")]
pub(crate) fn advance(
    scene: &mut Option<bevy::prelude::Mut<'_, crate::scene::live::SceneWater>>,
    time: f64,
    max_steps: u32,
) -> Option<Result<headwater::AdvanceSummary, String>> {
    scene.as_mut().map(|scene| scene.advance(time, max_steps))
}

#[cfg(not(feature = "scenes"))]
pub(crate) fn advance(
    _: &mut (),
    _: f64,
    _: u32,
) -> Option<Result<headwater::AdvanceSummary, String>> {
    None
}

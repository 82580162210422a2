//! Scene files as assets: [`WaterScene`], and [`SceneWater`], the world of one with its sources, gauges and events.

mod asset;
mod live;

pub use asset::{WaterScene, WaterSceneError, WaterSceneLoader};
pub use live::{SceneWater, WaterSceneRoot};

use crate::plugin::HeadwaterSystems;
use bevy::app::App;
use bevy::asset::AssetApp;
use bevy::ecs::prelude::*;
use bevy::ecs::schedule::InternedScheduleLabel;

pub(crate) fn build(app: &mut App, schedule: InternedScheduleLabel) {
    app.init_asset::<WaterScene>().init_asset_loader::<WaterSceneLoader>();
    let begin = live::begin_scenes.in_set(HeadwaterSystems::Prepare);
    app.add_systems(schedule, begin.before(crate::edit::apply_edits));
}

//! [`HeadwaterPlugin`]: the plugin that adds all systems of the crate, in a fixed order.

use super::bodies::{floats, follow, launch};
use crate::backend::WaterBackend;
use crate::messages::{BodyLost, Flooded, WaterRefused, WaterSettled, WaterSpilled};
use crate::sets::HeadwaterSystems;
use crate::water::{WaterClock, WaterState};
use crate::{check, edit, frame, sensor, step};
use bevy::app::{App, FixedUpdate, Plugin, PreUpdate};
use bevy::ecs::prelude::*;
use bevy::ecs::schedule::{InternedScheduleLabel, ScheduleLabel};

/// Plugin that steps water entities in one schedule. It may be added before or after Bevy's own
/// plugins.
/// ```
/// use bevy::prelude::*;
/// use bevy_headwater::prelude::*;
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, HeadwaterPlugin::in_schedule(FixedUpdate)));
/// ```
#[derive(Clone, Debug)]
pub struct HeadwaterPlugin {
    schedule: InternedScheduleLabel,
}

impl Default for HeadwaterPlugin {
    /// Creates a plugin that steps water entities in `FixedUpdate`.
    fn default() -> Self {
        Self::in_schedule(FixedUpdate)
    }
}

impl HeadwaterPlugin {
    /// Creates a plugin that steps water entities in the given schedule. Each run advances the
    /// water by the `delta` of that schedule's `Time`.
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

impl HeadwaterPlugin {
    /// Registers scene files as an asset type, if the app supports assets and the type is not
    /// registered yet.
    #[cfg(feature = "scenes")]
    fn build_scenes(&self, app: &mut App) {
        use crate::scene::live::start_scenes;
        use crate::scene::{WaterScene, WaterSceneLoader};
        use bevy::asset::{AssetApp, AssetServer, Assets};
        let world = app.world();
        if world.contains_resource::<AssetServer>()
            && !world.contains_resource::<Assets<WaterScene>>()
        {
            let begins = start_scenes
                .in_set(HeadwaterSystems::Prepare)
                .before(check::report_invalid_waters)
                .before(edit::apply_edits);
            app.init_asset::<WaterScene>()
                .init_asset_loader::<WaterSceneLoader>()
                .add_systems(self.schedule, begins);
        }
    }

    #[cfg(not(feature = "scenes"))]
    fn build_scenes(&self, _: &mut App) {}
}

/// Adds rendering of water entities if the app renders and the rendering has not been added yet.
#[cfg(feature = "render")]
fn add_rendering(app: &mut App, is_late: bool) {
    if app.is_plugin_added::<bevy::pbr::PbrPlugin>() && !crate::render::is_built(app) {
        crate::render::build(app, is_late);
        #[cfg(feature = "gpu")]
        crate::backend::draw::build(app);
    }
}

#[cfg(not(feature = "render"))]
fn add_rendering(_: &mut App, _: bool) {}

impl Plugin for HeadwaterPlugin {
    fn build(&self, app: &mut App) {
        use HeadwaterSystems::{Prepare, Step, Writeback};
        app.add_message::<edit::WaterEdit>()
            .add_message::<BodyLost>()
            .add_message::<Flooded>()
            .add_message::<WaterRefused>()
            .add_message::<WaterSettled>()
            .add_message::<WaterSpilled>()
            .init_resource::<floats::RemovedBodies>()
            .register_type::<WaterClock>()
            .register_type::<WaterState>()
            .register_type::<sensor::FloodSensor>()
            .register_type::<WaterBackend>()
            .configure_sets(self.schedule, (Prepare, Step, Writeback).chain())
            .add_systems(
                self.schedule,
                (
                    (
                        check::report_invalid_waters,
                        frame::update_frames,
                        launch::report_lost_bodies,
                        launch::launch_bodies,
                        edit::apply_edits,
                    )
                        .chain()
                        .in_set(Prepare),
                    step::step_waters.in_set(Step),
                    (follow::write_transforms, sensor::read_sensors).chain().in_set(Writeback),
                ),
            )
            .add_systems(PreUpdate, frame::update_new_frames);
        #[cfg(feature = "gpu")]
        {
            use crate::backend::moves::{move_waters_to_requested_backends, update_point_queries};
            app.add_systems(
                self.schedule,
                (
                    move_waters_to_requested_backends
                        .in_set(Prepare)
                        .before(launch::report_lost_bodies),
                    update_point_queries.in_set(Writeback).after(sensor::read_sensors),
                ),
            );
        }
        self.build_scenes(app);
        add_rendering(app, false);
    }

    /// Adds all systems and resources that depend on Bevy plugins added after this one.
    fn finish(&self, app: &mut App) {
        self.build_scenes(app);
        add_rendering(app, true);
    }
}

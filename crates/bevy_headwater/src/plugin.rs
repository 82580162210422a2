//! [`HeadwaterPlugin`]: what is done in which order, in the schedule that the app chooses.

use crate::messages::{Flooded, WaterRefused, WaterSettled, WaterSpilled};
use crate::sets::HeadwaterSystems;
use crate::water::{WaterClock, WaterState};
use crate::{edit, floats, frame, sensor, step};
use bevy::app::{App, FixedUpdate, Plugin};
use bevy::ecs::prelude::*;
use bevy::ecs::schedule::{InternedScheduleLabel, ScheduleLabel};

/// Water for an app. Waters are stepped in one schedule, and nowhere else.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_headwater::prelude::*;
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, HeadwaterPlugin::in_schedule(FixedUpdate)));
/// ```
#[derive(Clone, Debug)]
pub struct HeadwaterPlugin {
    schedule: InternedScheduleLabel,
}

impl Default for HeadwaterPlugin {
    /// In `FixedUpdate`.
    fn default() -> Self {
        Self::in_schedule(FixedUpdate)
    }
}

impl HeadwaterPlugin {
    /// Steps waters in a schedule, by the delta of the `Time` that holds there.
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

impl Plugin for HeadwaterPlugin {
    fn build(&self, app: &mut App) {
        use HeadwaterSystems::{Prepare, Step, Writeback};
        app.add_message::<edit::WaterEdit>()
            .add_message::<Flooded>()
            .add_message::<WaterRefused>()
            .add_message::<WaterSettled>()
            .add_message::<WaterSpilled>()
            .init_resource::<floats::Departed>()
            .register_type::<WaterClock>()
            .register_type::<WaterState>()
            .register_type::<sensor::FloodSensor>()
            .configure_sets(self.schedule, (Prepare, Step, Writeback).chain())
            .add_systems(
                self.schedule,
                (
                    (frame::update_frames, floats::launch_bodies, edit::apply_edits)
                        .chain()
                        .in_set(Prepare),
                    step::step_waters.in_set(Step),
                    (floats::write_transforms, sensor::read_sensors).chain().in_set(Writeback),
                ),
            );
        #[cfg(feature = "scenes")]
        if app.world().contains_resource::<bevy::asset::AssetServer>() {
            use crate::scene::live::begin_scenes;
            use bevy::asset::AssetApp;
            app.init_asset::<crate::scene::WaterScene>()
                .init_asset_loader::<crate::scene::WaterSceneLoader>()
                .add_systems(self.schedule, begin_scenes.in_set(Prepare).before(edit::apply_edits));
        }
        // A server has no pictures.
        #[cfg(feature = "render")]
        if app.is_plugin_added::<bevy::pbr::PbrPlugin>() {
            crate::render::build(app);
        }
    }
}

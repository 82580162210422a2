//! [`SceneWater`]: the world of a scene, with all that the scene does to it.

use super::asset::WaterScene;
use crate::frame::WaterFrame;
use crate::messages::WaterRefused;
use crate::models::WaterModel;
use crate::water::{WaterClock, WaterState};
use bevy::asset::{AssetEvent, Assets, Handle};
use bevy::ecs::prelude::*;
use bevy::prelude::Transform;
use headwater::Advanced;
use headwater::blocks::Blocks;
use headwater_scene::columns::ColumnsWorld;
use headwater_scene::flow::FlowWorld;
use headwater_scene::hydrology::HydrologyWorld;
use headwater_scene::live::Live;
use headwater_scene::waves::WavesWorld;
use std::ops::{Deref, DerefMut};

/// Gives its entity the world of a scene file, as soon as it is loaded, and again from the start when the file changes.
#[derive(Component, Clone, Debug)]
#[require(Transform)]
pub struct WaterSceneRoot(pub Handle<WaterScene>);

/// The world of a scene, of whichever model, with the scene's events, sources and gauges. It reads as a [`Live`] world, by which
/// it can be told as a scene again.
#[derive(Component)]
#[require(WaterClock, WaterState, WaterFrame, Transform)]
pub struct SceneWater {
    live: Live,
    /// The time (s) that it has been asked to come to.
    due: f64,
}

impl From<Live> for SceneWater {
    fn from(live: Live) -> Self {
        Self { due: live.clock(), live }
    }
}

impl Deref for SceneWater {
    type Target = Live;

    fn deref(&self) -> &Live {
        &self.live
    }
}

impl DerefMut for SceneWater {
    fn deref_mut(&mut self) -> &mut Live {
        &mut self.live
    }
}

impl SceneWater {
    /// The model's world; of a scene that compares ways, the last.
    pub fn model(&self) -> Option<&dyn WaterModel> {
        let world = self.live.world();
        Some(match self.live.scene().model() {
            "flow" => &world.get::<FlowWorld>()?.flow,
            "waves" => &world.get::<WavesWorld>()?.waves,
            "blocks" => world.get::<Blocks>()?,
            "columns" => &world.get::<ColumnsWorld>()?.columns,
            "hydrology" => world.get::<HydrologyWorld>()?.land(),
            _ => return None,
        })
    }

    /// The same, to be changed. Such changes are not in the scene's [`text`](Live::text).
    pub fn model_mut(&mut self) -> Option<&mut dyn WaterModel> {
        let model = self.live.scene().model();
        let world = self.live.world_mut();
        Some(match model {
            "flow" => &mut world.get::<FlowWorld>()?.flow,
            "waves" => &mut world.get::<WavesWorld>()?.waves,
            "blocks" => world.get::<Blocks>()?,
            "columns" => &mut world.get::<ColumnsWorld>()?.columns,
            "hydrology" => &mut world.get::<HydrologyWorld>()?.ways.last_mut()?.land,
            _ => return None,
        })
    }

    pub(crate) fn advance(&mut self, time: f64) -> Result<Advanced, String> {
        if !(0.0..=1e9).contains(&time) {
            return Err(format!("an advance: found {time}, allowed is 0 to 1e9 s"));
        }
        let before = self.live.simulation().steps();
        self.due += time;
        self.live.advance(self.due, &mut || false).map_err(|error| error.to_string())?;
        let steps = self.live.simulation().steps().saturating_sub(before);
        Ok(Advanced { steps, alpha: 0.0, dropped: 0.0 })
    }

    /// The world in bytes, with what was done to it; [`load_scene`](Self::load_scene) takes them.
    ///
    /// # Errors
    /// Says in words why it cannot be told in bytes.
    pub fn save_scene(&mut self) -> Result<Vec<u8>, String> {
        self.live.snapshot()
    }

    /// Goes on from a saved world of the same scene.
    ///
    /// # Errors
    /// Says in words what is wrong with the bytes; then nothing is changed.
    pub fn load_scene(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.live.restore(bytes)?;
        self.due = self.live.clock();
        Ok(())
    }
}

/// Begins worlds of scenes that have come, or have changed.
pub(crate) fn begin_scenes(
    mut events: MessageReader<AssetEvent<WaterScene>>,
    scenes: Res<Assets<WaterScene>>,
    roots: Query<(Entity, Ref<WaterSceneRoot>, Has<SceneWater>)>,
    mut refused: MessageWriter<WaterRefused>,
    mut commands: Commands,
) {
    let mut changed = Vec::new();
    for event in events.read() {
        if let AssetEvent::Added { id } | AssetEvent::Modified { id } = event {
            changed.push(*id);
        }
    }
    for (entity, root, has_world) in &roots {
        let begins = root.is_changed() || !has_world || changed.contains(&root.0.id());
        let Some(scene) = scenes.get(&root.0).filter(|_| begins) else { continue };
        match scene.world() {
            Ok(live) => {
                commands.entity(entity).insert(SceneWater::from(live));
            }
            Err(error) => {
                refused.write(WaterRefused { water: entity, error: error.to_string() });
            }
        }
    }
}

//! [`SceneWater`]: component with the world of a scene, including the scene's events and gauges.

use super::asset::WaterScene;
use crate::frame::WaterFrame;
use crate::messages::WaterRefused;
use crate::models::WaterModel;
use crate::water::{WaterClock, WaterState};
use bevy::asset::{AssetEvent, AssetId, AssetLoadFailedEvent, Assets, Handle};
use bevy::ecs::prelude::*;
use bevy::prelude::Transform;
use headwater::AdvanceSummary;
use headwater::blocks::Blocks;
use headwater_scene::columns::ColumnsWorld;
use headwater_scene::flow::FlowWorld;
use headwater_scene::hydrology::HydrologyWorld;
use headwater_scene::live::Live;
use headwater_scene::waves::WavesWorld;
use std::ops::{Deref, DerefMut};

/// Component that gives its entity the world of a scene file as soon as the file is loaded. When
/// the file changes, the world restarts from the beginning.
#[derive(Component, Clone, Debug)]
#[require(Transform)]
pub struct WaterSceneRoot(pub Handle<WaterScene>);

/// Component that holds the world of a scene, for every model, together with the scene's events,
/// sources and gauges. It dereferences to [`Live`], which can be saved as a scene.
#[derive(Component)]
#[require(WaterClock, WaterState, WaterFrame, Transform)]
pub struct SceneWater {
    live: Live,
    /// Model time (s) that the app has asked the world to reach.
    target_time: f64,
}

impl From<Live> for SceneWater {
    fn from(live: Live) -> Self {
        Self { target_time: live.clock(), live }
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
    /// Returns the model's world, or `None` if this crate does not support the model. For a
    /// `hydrology` scene that compares several parameter sets, this is the land of the last set.
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

    /// Returns the model's world for changes, or `None` if this crate does not support the model.
    /// The changes are not recorded in the scene's [`text`](Live::text).
    pub fn model_mut(&mut self) -> Option<&mut dyn WaterModel> {
        let model = self.live.scene().model();
        let world = self.live.world_mut();
        Some(match model {
            "flow" => &mut world.get::<FlowWorld>()?.flow,
            "waves" => &mut world.get::<WavesWorld>()?.waves,
            "blocks" => world.get::<Blocks>()?,
            "columns" => &mut world.get::<ColumnsWorld>()?.columns,
            "hydrology" => &mut world.get::<HydrologyWorld>()?.variants.last_mut()?.land,
            _ => return None,
        })
    }

    pub(crate) fn advance(&mut self, time: f64, max_steps: u32) -> Result<AdvanceSummary, String> {
        if !(0.0..=1e9).contains(&time) {
            return Err(format!("an advance: found {time}, allowed is 0 to 1e9 s"));
        }
        let before = self.live.simulation().steps();
        self.target_time += time;
        let mut is_late = true;
        while is_late && self.live.simulation().steps().saturating_sub(before) < max_steps.into() {
            // Perform a few steps per call until the time or the limit is reached.
            let mut asked = 0;
            let mut enough = || {
                asked += 1;
                asked > 1
            };
            self.live.advance(self.target_time, &mut enough).map_err(|error| error.to_string())?;
            is_late = asked > 1;
        }
        let steps = self.live.simulation().steps().saturating_sub(before);
        // The remainder of a step does not count as dropped time.
        let dropped = if is_late { (self.target_time - self.live.clock()).max(0.0) } else { 0.0 };
        self.target_time -= dropped;
        Ok(AdvanceSummary { steps, alpha: 0.0, dropped })
    }

    /// Serializes the world and its edit log to bytes for [`load_scene`](Self::load_scene).
    ///
    /// # Errors
    /// Returns a message if the world cannot be saved.
    pub fn save_scene(&mut self) -> Result<Vec<u8>, String> {
        self.live.snapshot()
    }

    /// Replaces the world by a world that was saved from the same scene, and continues from there.
    ///
    /// # Errors
    /// Returns a message if the bytes are damaged or belong to another scene. After an error, the
    /// world is unchanged.
    pub fn load_scene(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.live.restore(bytes)?;
        self.target_time = self.live.clock();
        Ok(())
    }
}

/// Component that marks an entity whose scene has been started or refused, so that no further
/// attempt is made until the scene or the component changes.
#[derive(Component)]
pub(crate) struct LoadAttempt {
    scene: AssetId<WaterScene>,
    refused: bool,
}

/// Query data of an entity with a scene handle: the entity, its scene handle, whether it has a
/// [`SceneWater`], and its [`LoadAttempt`] if its scene has been started or refused.
type SceneRootData =
    (Entity, Ref<'static, WaterSceneRoot>, Has<SceneWater>, Option<&'static LoadAttempt>);

/// Starts the worlds of scenes that have been loaded or changed, and reports scenes that cannot be
/// used.
pub(crate) fn start_scenes(
    mut events: MessageReader<AssetEvent<WaterScene>>,
    scenes: Res<Assets<WaterScene>>,
    mut failed: MessageReader<AssetLoadFailedEvent<WaterScene>>,
    roots: Query<SceneRootData>,
    mut refused: MessageWriter<WaterRefused>,
    mut commands: Commands,
) {
    let mut changed = Vec::new();
    for event in events.read() {
        // Newly loaded assets are found without an event.
        if let AssetEvent::Modified { id } = event {
            changed.push(*id);
        }
    }
    for AssetLoadFailedEvent { id, path, error } in failed.read() {
        for (entity, ..) in roots.iter().filter(|(_, root, ..)| root.0.id() == *id) {
            let error = format!("the scene `{path}`: {error}");
            refused.write(WaterRefused { water: entity, error });
        }
    }
    for (entity, root, has_world, tried) in &roots {
        let id = root.0.id();
        let is_done = tried.is_some_and(|tried| tried.scene == id && (tried.refused || has_world));
        let begins = root.is_changed() || !is_done || changed.contains(&id);
        let Some(scene) = scenes.get(&root.0).filter(|_| begins) else { continue };
        let mut root = commands.entity(entity);
        let begun = scene.world();
        root.insert(LoadAttempt { scene: id, refused: begun.is_err() });
        match begun {
            Ok(live) => {
                root.insert(SceneWater::from(live));
            }
            Err(error) => {
                let error = format!(
                    "the scene `{}`: {error}{}",
                    scene.name(),
                    scene.missing_files_suffix()
                );
                refused.write(WaterRefused { water: entity, error });
            }
        }
    }
}

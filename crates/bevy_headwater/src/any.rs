//! [`AnyWater`]: the world of an entity, whichever model moves it.

use crate::models::WaterModel;
use crate::scene_data::SceneData;
use crate::water::{BlockWorld, CarvedLand, Pond, Pools, Water};
use bevy::ecs::prelude::*;
use bevy::ecs::query::QueryData;
use headwater::Advanced;

/// Query data of an entity's world, whichever component holds it: the read-only half is [`AnyWaterReadOnly`].
///
/// ```
/// use bevy::prelude::*;
/// use bevy_headwater::prelude::*;
///
/// fn names(waters: Query<AnyWaterReadOnly, With<WaterClock>>) {
///     for water in &waters {
///         println!("{:?}", water.model().map(|model| model.name()));
///     }
/// }
/// ```
#[derive(QueryData)]
#[query_data(mutable)]
pub struct AnyWater {
    flow: Option<&'static mut Water>,
    waves: Option<&'static mut Pond>,
    blocks: Option<&'static mut BlockWorld>,
    columns: Option<&'static mut Pools>,
    hydrology: Option<&'static mut CarvedLand>,
    scene: SceneData,
}

impl AnyWaterReadOnlyItem<'_, '_> {
    /// The world; `None` if the entity has none.
    pub fn model(&self) -> Option<&dyn WaterModel> {
        let Self { flow, waves, blocks, columns, hydrology, scene } = self;
        flow.map(|water| &water.0 as &dyn WaterModel)
            .or_else(|| waves.map(|water| &water.0 as &dyn WaterModel))
            .or_else(|| blocks.map(|water| &water.0 as &dyn WaterModel))
            .or_else(|| columns.map(|water| &water.0 as &dyn WaterModel))
            .or_else(|| hydrology.map(|water| &water.0 as &dyn WaterModel))
            .or_else(|| crate::scene_data::model(scene))
    }
}

impl AnyWaterItem<'_, '_> {
    /// The world; `None` if the entity has none.
    pub fn model_mut(&mut self) -> Option<&mut dyn WaterModel> {
        let Self { flow, waves, blocks, columns, hydrology, scene } = self;
        if let Some(water) = flow {
            return Some(&mut water.0);
        }
        if let Some(water) = waves {
            return Some(&mut water.0);
        }
        if let Some(water) = blocks {
            return Some(&mut water.0);
        }
        if let Some(water) = columns {
            return Some(&mut water.0);
        }
        if let Some(water) = hydrology {
            return Some(&mut water.0);
        }
        crate::scene_data::model_mut(scene)
    }

    /// Advances it by a time of the model; `None` if the entity has no world.
    pub(crate) fn advance(&mut self, time: f64) -> Option<Result<Advanced, String>> {
        if let Some(done) = crate::scene_data::advance(&mut self.scene, time) {
            return Some(done);
        }
        Some(self.model_mut()?.advance(time).map_err(|error| error.to_string()))
    }
}

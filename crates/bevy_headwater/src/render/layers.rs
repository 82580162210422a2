//! Systems that copy render layers to the meshes of water entities and remove meshes that are no
//! longer needed.

use super::attach::SurfaceRenderState;
use super::surface::{SurfaceEntities, WaterSurface};
use crate::any::AnyWaterReadOnly;
use bevy::camera::visibility::RenderLayers;
use bevy::ecs::prelude::*;

type SurfaceQueryData = (Entity, &'static SurfaceEntities, Has<WaterSurface>, AnyWaterReadOnly);

/// Removes the meshes of water entities that have been removed or no longer have a `WaterSurface`.
pub(crate) fn remove_surfaces(
    pictures: Query<SurfaceQueryData, With<SurfaceRenderState>>,
    mut commands: Commands,
) {
    for (entity, entities, is_wanted, water) in &pictures {
        if is_wanted && water.model().is_some() {
            continue;
        }
        for child in [Some(entities.water), entities.ground].into_iter().flatten() {
            // The child entity may have been despawned already.
            commands.entity(child).try_despawn();
        }
        commands.entity(entity).remove::<(SurfaceRenderState, SurfaceEntities)>();
    }
}

pub(crate) fn update_layers(
    waters: Query<(Ref<SurfaceEntities>, Option<Ref<RenderLayers>>)>,
    mut removed: RemovedComponents<RenderLayers>,
    mut commands: Commands,
) {
    let put =
        |commands: &mut Commands, entities: &SurfaceEntities, layers: Option<&RenderLayers>| {
            for child in [Some(entities.water), entities.ground].into_iter().flatten() {
                let Ok(mut child) = commands.get_entity(child) else { continue };
                match layers {
                    Some(layers) => child.try_insert(layers.clone()),
                    None => child.remove::<RenderLayers>(),
                };
            }
        };
    for (entities, layers) in &waters {
        let Some(layers) = layers else { continue };
        if entities.is_changed() || layers.is_changed() {
            put(&mut commands, &entities, Some(&layers));
        }
    }
    for water in removed.read() {
        if let Ok((entities, None)) = waters.get(water) {
            put(&mut commands, &entities, None);
        }
    }
}

//! [`Floats`]: entities that are bodies in a water, and go where it takes them.

use crate::any::AnyWater;
use crate::body::FloatingBody;
use crate::frame::Orientation;
use crate::frame::WaterFrame;
use crate::messages::WaterRefused;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::prelude::*;
use bevy::ecs::world::DeferredWorld;
use bevy::math::{Quat, Vec3};
use bevy::prelude::{ChildOf, Transform};
use headwater::Id;

/// Makes an entity a body in a water. The body is added in the next step, wherever the body itself says it is; from then on the
/// entity's `Transform` is written after each step: in the water's space if the entity is a child of the water, in the world if it
/// has no parent. Removed or despawned, it leaves the water in the next step.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(on_remove = leave)]
#[require(Transform)]
pub struct Floats {
    /// Which water.
    pub water: Entity,
    /// The body as it is launched.
    pub body: FloatingBody,
    /// Where the middle of the body is in the entity's space: for models whose origin is at the keel.
    pub offset: Vec3,
    pub(crate) id: Option<Id>,
    pub(crate) velocity: Vec3,
    pub(crate) refused: bool,
}

impl Floats {
    /// A body in a water.
    pub fn new(water: Entity, body: impl Into<FloatingBody>) -> Self {
        let (offset, velocity) = (Vec3::ZERO, Vec3::ZERO);
        Self { water, body: body.into(), offset, id: None, velocity, refused: false }
    }

    /// The same, with the middle of the body elsewhere than at the entity's origin.
    #[must_use]
    pub fn with_offset(self, offset: Vec3) -> Self {
        Self { offset, ..self }
    }

    /// What the model calls the body: to steer or push it by the model's own calls. `None` before the first step.
    pub fn id(&self) -> Option<Id> {
        self.id
    }

    /// Its velocity after the last step (m/s), in Bevy's world.
    pub fn velocity(&self) -> Vec3 {
        self.velocity
    }
}

/// Bodies whose entities are gone, to be taken out of their waters.
#[derive(Resource, Default)]
pub(crate) struct Departed(Vec<(Entity, Id)>);

fn leave(mut world: DeferredWorld, context: HookContext) {
    let Some((water, Some(id))) =
        world.get::<Floats>(context.entity).map(|floats| (floats.water, floats.id))
    else {
        return;
    };
    if let Some(mut departed) = world.get_resource_mut::<Departed>() {
        departed.0.push((water, id));
    }
}

/// Takes bodies out whose entities are gone, and adds new ones in the order of their entities.
pub(crate) fn launch_bodies(
    mut departed: ResMut<Departed>,
    mut floats: Query<(Entity, &mut Floats)>,
    mut waters: Query<AnyWater>,
    mut refused: MessageWriter<WaterRefused>,
    mut new: Local<Vec<Entity>>,
) {
    for (water, id) in departed.0.drain(..) {
        let Ok(mut found) = waters.get_mut(water) else { continue };
        if let Some(model) = found.model_mut() {
            // One that a state that was loaded no longer has is gone already.
            let _ = model.remove_body(id);
        }
    }
    new.clear();
    new.extend(floats.iter().filter(|(_, f)| f.id.is_none() && !f.refused).map(|(e, _)| e));
    new.sort_unstable();
    for &entity in &*new {
        let Ok((_, mut floating)) = floats.get_mut(entity) else { continue };
        let Ok(mut found) = waters.get_mut(floating.water) else { continue };
        let Some(model) = found.model_mut() else { continue };
        match model.launch(&floating.body) {
            Ok(id) => floating.id = Some(id),
            Err(error) => {
                floating.refused = true;
                let water = floating.water;
                refused.write(WaterRefused { water, error: error.to_string() });
            }
        }
    }
}

/// Puts entities where their bodies are.
pub(crate) fn write_transforms(
    mut floats: Query<(&mut Floats, &mut Transform, Option<&ChildOf>)>,
    waters: Query<(<AnyWater as bevy::ecs::query::QueryData>::ReadOnly, &WaterFrame)>,
) {
    for (mut floating, mut transform, parent) in &mut floats {
        let Some(id) = floating.id else { continue };
        let Ok((water, frame)) = waters.get(floating.water) else { continue };
        let Some(model) = water.model() else { continue };
        let Some(pose) = model.pose(id) else { continue };
        let orientation = model.orientation();
        let middle = orientation.local(pose.middle, pose.height.unwrap_or(0.0));
        let rotation = match orientation {
            // East is +X and south +Z: from the one to the other turns against Y.
            Orientation::Above => {
                Quat::from_rotation_y(-pose.heading as f32)
                    * Quat::from_rotation_z(pose.tilt as f32)
            }
            Orientation::Side => Quat::IDENTITY,
        };
        let mut placed = *transform;
        placed.rotation = rotation;
        placed.translation = middle - rotation * (placed.scale * floating.offset);
        let velocity =
            frame.world_from_local.transform_vector3(orientation.direction(pose.velocity));
        if parent.is_none_or(|parent| parent.parent() != floating.water) {
            let (_, turned, _) = frame.world_from_local.to_scale_rotation_translation();
            placed.rotation = turned * rotation;
            placed.translation = frame.world_from_local.transform_point3(middle)
                - placed.rotation * (placed.scale * floating.offset);
        }
        transform.set_if_neq(placed);
        if floating.velocity != velocity {
            floating.velocity = velocity;
        }
    }
}

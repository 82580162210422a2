//! [`FloodSensor`]: what tells an entity that it stands in water.

use crate::messages::Flooded;
use crate::query::WaterQuery;
use bevy::ecs::prelude::*;
use bevy::prelude::{GlobalTransform, Reflect, ReflectComponent, Transform, TransformHelper, Vec3};

/// Watches whether the place of its entity is under water, as [`WaterSample::under`](crate::WaterSample::under) says: a house, a
/// fuse box, a swimmer's nose. What stands on the ground or in it is flooded when the water there is as deep. [`Flooded`] is written
/// when that changes.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component)]
#[require(Transform)]
pub struct FloodSensor {
    /// Which water; `None` for whichever is there.
    pub water: Option<Entity>,
    /// What is watched, in the entity's space.
    pub offset: Vec3,
    /// How far under the surface the place has to lie (units of Bevy's world). Default: 0.05.
    pub depth: f32,
    /// How much less far it has to lie there to count as dry again, so that ripples do not make it blink. Default: 0.02.
    pub slack: f32,
    /// Whether it was under water after the last step: read, not written.
    pub flooded: bool,
}

impl Default for FloodSensor {
    fn default() -> Self {
        Self { water: None, offset: Vec3::ZERO, depth: 0.05, slack: 0.02, flooded: false }
    }
}

impl FloodSensor {
    /// One that watches one water.
    pub fn of(water: Entity) -> Self {
        Self { water: Some(water), ..Self::default() }
    }

    /// The same, for water that is so deep over its place.
    #[must_use]
    pub fn with_depth(self, depth: f32) -> Self {
        Self { depth, ..self }
    }

    /// The same, for a place elsewhere than the entity's origin.
    #[must_use]
    pub fn with_offset(self, offset: Vec3) -> Self {
        Self { offset, ..self }
    }

    /// Whether it was under water after the last step.
    pub fn is_flooded(&self) -> bool {
        self.flooded
    }
}

pub(crate) fn read_sensors(
    mut sensors: Query<(Entity, &mut FloodSensor)>,
    transforms: TransformHelper,
    waters: WaterQuery,
    mut flooded: MessageWriter<Flooded>,
) {
    for (entity, mut sensor) in &mut sensors {
        let Ok(global) = transforms.compute_global_transform(entity) else { continue };
        let at = GlobalTransform::transform_point(&global, sensor.offset);
        let found = match sensor.water {
            Some(water) => waters.at_in(water, at),
            None => waters.at(at),
        };
        let under = found.map_or(0.0, |found| found.under);
        let limit = if sensor.flooded { sensor.depth - sensor.slack } else { sensor.depth };
        // A limit that is no number is never reached.
        let on = under > 0.0 && under >= limit;
        if on != sensor.flooded {
            sensor.flooded = on;
            flooded.write(Flooded { entity, on });
        }
    }
}

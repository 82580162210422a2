//! [`FloodSensor`]: what tells an entity that it stands in water.

use crate::messages::Flooded;
use crate::query::WaterQuery;
use bevy::ecs::prelude::*;
use bevy::prelude::{GlobalTransform, Reflect, ReflectComponent, Transform, TransformHelper, Vec3};

/// Watches whether the place of its entity is under water: a house, a fuse box, a miner's nose. [`Flooded`] is written when that
/// changes.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component)]
#[require(Transform)]
pub struct FloodSensor {
    /// Which water; `None` for whichever is there.
    pub water: Option<Entity>,
    /// What is watched, in the entity's space.
    pub offset: Vec3,
    /// How deep the water has to be (m): seen from above, that of the water there; in side view, how far the place lies under
    /// its surface. Default: 0.05.
    pub depth: f32,
    /// How much less deep it has to be again to count as dry (m), so that ripples do not make it blink. Default: 0.02.
    pub slack: f32,
    pub(crate) flooded: bool,
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

    /// Whether it was under water after the last step.
    pub fn is_flooded(&self) -> bool {
        self.flooded
    }
}

/// Reads all sensors.
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
        let depth = found.map_or(0.0, |found| found.depth);
        let limit = if sensor.flooded { sensor.depth - sensor.slack } else { sensor.depth };
        let on = depth >= limit.max(f32::MIN_POSITIVE);
        if on != sensor.flooded {
            sensor.flooded = on;
            flooded.write(Flooded { entity, on });
        }
    }
}

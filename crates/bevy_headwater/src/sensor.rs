//! [`FloodSensor`]: component that detects whether an entity is under water.

use crate::messages::Flooded;
use crate::query::WaterQuery;
use bevy::ecs::prelude::*;
use bevy::prelude::{GlobalTransform, Reflect, ReflectComponent, Transform, TransformHelper, Vec3};

/// Component that detects whether its entity is under water, and writes [`Flooded`] when this
/// changes. The entity counts as flooded when its position is at least `depth` below the water
/// surface, as measured by [`WaterSample::submersion`](crate::WaterSample::submersion). If the
/// position is on or below the ground, the entity counts as flooded when the water on the ground is
/// at least `depth` deep.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component)]
#[require(Transform)]
pub struct FloodSensor {
    /// Water entity whose world the sensor watches; `None` to watch all worlds.
    pub water: Option<Entity>,
    /// Position of the sensor in the local space of the entity.
    pub offset: Vec3,
    /// Distance below the surface (world units) at which the sensor becomes flooded. Default: 0.05.
    pub depth: f32,
    /// Hysteresis (world units). The sensor becomes dry again at a distance of `depth` −
    /// `hysteresis` below the surface, so that ripples do not toggle it. Default: 0.02.
    pub hysteresis: f32,
    /// Whether the sensor was under water after the last step. Read-only.
    pub flooded: bool,
}

impl Default for FloodSensor {
    fn default() -> Self {
        Self { water: None, offset: Vec3::ZERO, depth: 0.05, hysteresis: 0.02, flooded: false }
    }
}

impl FloodSensor {
    /// Creates a sensor that watches one water entity.
    pub fn for_water(water: Entity) -> Self {
        Self { water: Some(water), ..Self::default() }
    }

    /// Sets the distance below the surface at which the sensor becomes flooded (world units).
    #[must_use]
    pub fn with_depth(self, depth: f32) -> Self {
        Self { depth, ..self }
    }

    /// Sets the position of the sensor in the local space of the entity.
    #[must_use]
    pub fn with_offset(self, offset: Vec3) -> Self {
        Self { offset, ..self }
    }

    /// Returns whether the sensor was under water after the last step.
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
            Some(water) => waters.sample_water_at(water, at),
            None => waters.sample_at(at),
        };
        let submersion = found.map_or(0.0, |found| found.submersion);
        let limit = if sensor.flooded { sensor.depth - sensor.hysteresis } else { sensor.depth };
        // A limit of NaN is never reached.
        let is_flooded = submersion > 0.0 && submersion >= limit;
        if is_flooded != sensor.flooded {
            sensor.flooded = is_flooded;
            flooded.write(Flooded { entity, is_flooded });
        }
    }
}

//! [`WaterQuery`]: what a game asks of its waters.

use crate::any::{AnyWater, AnyWaterReadOnlyItem};
use crate::frame::{Orientation, WaterFrame};
use crate::models::{KPA_PER_METRE, Place};
use crate::ray::{WaterHit, cast};
use crate::water::WaterClock;
use bevy::ecs::prelude::*;
use bevy::ecs::system::SystemParam;
use bevy::math::{Ray3d, Vec3};
use headwater::{InputError, Point, Region};

/// What is in a place, in Bevy's world: under a scale, depths and velocities are as large as they are seen. Pressure is that of
/// the water's own metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaterSample {
    /// Which water.
    pub water: Entity,
    /// Depth of the water: from the surface to the ground, or in side view to the place that was asked for; 0 where there is
    /// none.
    pub depth: f32,
    /// How far the place lies under the surface, 0 above it and where there is no water. A place in the ground counts as one on it.
    pub under: f32,
    /// The point of the surface straight above or below the place; `None` where there is no water.
    pub surface: Option<Vec3>,
    /// The point of the ground there, where the model knows it.
    pub bed: Option<Vec3>,
    /// Velocity of the water (a second).
    pub velocity: Vec3,
    /// The surface's normal, of length 1; up where it is unknown.
    pub normal: Vec3,
    /// Pressure of the water at the place (kPa); 0 above its surface and where there is none. In the ground, that on it.
    pub pressure: f32,
}

impl WaterSample {
    /// Whether the place that was asked for lies under water.
    pub fn is_under_water(&self) -> bool {
        self.under > 0.0
    }
}

/// Asks waters what is where. It only reads, and none of the components that games move things by. Positions are Bevy's.
#[derive(SystemParam)]
pub struct WaterQuery<'w, 's> {
    waters: Query<
        'w,
        's,
        (Entity, <AnyWater as bevy::ecs::query::QueryData>::ReadOnly, &'static WaterFrame),
        With<WaterClock>,
    >,
}

impl WaterQuery<'_, '_> {
    /// What is in a place, in the first water whose world reaches there.
    pub fn at(&self, translation: Vec3) -> Option<WaterSample> {
        let mut waters = self.waters.iter();
        waters.find_map(|(entity, water, frame)| sample(entity, &water, frame, translation))
    }

    /// What is in a place of one water; `None` off its world.
    pub fn at_in(&self, water: Entity, translation: Vec3) -> Option<WaterSample> {
        let (entity, found, frame) = self.waters.get(water).ok()?;
        sample(entity, &found, frame, translation)
    }

    /// What is in so many places, evenly from one to the other, both among them: a ray, a shore, a pipe. `None` where no water's
    /// world reaches.
    pub fn line(
        &self,
        from: Vec3,
        to: Vec3,
        count: usize,
    ) -> impl Iterator<Item = Option<WaterSample>> + '_ {
        let last = count.saturating_sub(1).max(1) as f32;
        (0..count).map(move |i| self.at(from.lerp(to, i as f32 / last)))
    }

    /// What a ray meets first of all waters and their ground, up to a distance: of a cursor, by `Camera::viewport_to_world`. Of waters on a
    /// GPU, as they were brought back last. It goes by half cells, and by the cut sides of worlds as by walls.
    ///
    /// ```
    /// use bevy::prelude::*;
    /// use bevy_headwater::prelude::*;
    ///
    /// fn under(cursor: Vec2, camera: &Camera, eye: &GlobalTransform, waters: WaterQuery) -> Option<Vec3> {
    ///     let ray = camera.viewport_to_world(eye, cursor).ok()?;
    ///     Some(waters.ray(ray, 1000.0)?.at)
    /// }
    /// ```
    pub fn ray(&self, ray: Ray3d, far: f32) -> Option<WaterHit> {
        let hits = self
            .waters
            .iter()
            .filter_map(|(entity, water, frame)| cast(entity, water.model()?, frame, ray, far));
        hits.min_by(|a, b| a.distance.total_cmp(&b.distance))
    }

    /// Volume (m³) of the water in cells whose middles lie in a region, in the model's own positions; `None` where there is no such
    /// water or its model does not say.
    ///
    /// # Errors
    /// [`InputError`] if the region makes no sense.
    pub fn volume_in(&self, water: Entity, region: &Region) -> Result<Option<f64>, InputError> {
        let Ok((_, found, _)) = self.waters.get(water) else { return Ok(None) };
        found.model().map_or(Ok(None), |model| model.volume_in(region))
    }

    /// The model's own position of a point, for brushes and regions; `None` if there is no such water.
    pub fn point(&self, water: Entity, translation: Vec3) -> Option<Point> {
        let (_, found, frame) = self.waters.get(water).ok()?;
        let local = frame.local_from_world.transform_point3(translation);
        Some(found.model()?.orientation().point(local))
    }

    /// The place in Bevy's world of a model's own position, and of a height if it is seen from above; `None` if there is no such
    /// water.
    pub fn translation(&self, water: Entity, point: Point, height: f64) -> Option<Vec3> {
        let (_, found, frame) = self.waters.get(water).ok()?;
        let local = found.model()?.orientation().local(point, height);
        Some(frame.world_from_local.transform_point3(local))
    }
}

fn sample(
    water: Entity,
    found: &AnyWaterReadOnlyItem<'_, '_>,
    frame: &WaterFrame,
    translation: Vec3,
) -> Option<WaterSample> {
    let orientation = found.model()?.orientation();
    let local = frame.local_from_world.transform_point3(translation);
    let point = orientation.point(local);
    let Place { depth, surface, bed, velocity, slope, pressure } = found.place(point)?;
    let at_height =
        |height: f64| frame.world_from_local.transform_point3(Vec3 { y: height as f32, ..local });
    let above = surface.map_or(0.0, |surface| surface - f64::from(local.y));
    let under = above.clamp(0.0, depth.max(0.0));
    let size = frame.world_from_local.transform_vector3(Vec3::Y).length();
    let hydrostatic = under * KPA_PER_METRE;
    let normal = match orientation {
        Orientation::Above => Vec3::new(-slope[0] as f32, 1.0, -slope[1] as f32),
        Orientation::Side => Vec3::new(-slope[0] as f32, 1.0, 0.0),
    };
    Some(WaterSample {
        water,
        depth: depth as f32 * size,
        under: under as f32 * size,
        surface: surface.map(at_height),
        bed: bed.map(at_height),
        velocity: frame.world_from_local.transform_vector3(orientation.direction(velocity)),
        // What stands upright on a surface is turned by the inverse, transposed.
        normal: (frame.local_from_world.matrix3.transpose() * normal).normalize_or(Vec3::Y),
        pressure: pressure.unwrap_or(hydrostatic) as f32,
    })
}

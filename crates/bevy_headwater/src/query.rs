//! [`WaterQuery`]: system parameter for queries of water entities, such as depth and velocity at a
//! point or the hit of a ray.

use crate::any::{AnyWater, AnyWaterReadOnlyItem};
use crate::frame::{Orientation, WaterFrame};
use crate::models::{KPA_PER_METRE, PointState};
use crate::ray::{WaterHit, cast};
use crate::water::WaterClock;
use bevy::ecs::prelude::*;
use bevy::ecs::system::SystemParam;
use bevy::math::{Ray3d, Vec3};
use headwater::{InputError, Point, Region};

/// State of the water at a point, in world space. Under a scaled transform, depths and velocities
/// are scaled, but the pressure is not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaterSample {
    /// Entity that holds the water world.
    pub water: Entity,
    /// Depth of the water from the surface to the ground (world units); in side views, from the
    /// surface to the queried point. 0 at dry points.
    pub depth: f32,
    /// Depth of the queried point below the water surface (world units). 0 if the point is above
    /// the surface or dry. For a point below the ground, this is the depth of the water above the
    /// ground.
    pub submersion: f32,
    /// Point of the water surface vertically above or below the queried point; `None` at dry
    /// points.
    pub surface: Option<Vec3>,
    /// Point of the ground vertically above or below the queried point; `None` if the model has no
    /// ground.
    pub bed: Option<Vec3>,
    /// Velocity of the water (world units per second).
    pub velocity: Vec3,
    /// Unit normal of the water surface; the upward direction if the normal is unknown.
    pub normal: Vec3,
    /// Water pressure at the queried point (kPa); 0 above the surface and at dry points. For a
    /// point below the ground, this is the pressure at the ground surface.
    pub pressure: f32,
}

impl WaterSample {
    /// Returns whether the queried point is under water.
    pub fn is_under_water(&self) -> bool {
        self.submersion > 0.0
    }
}

/// System parameter that samples water entities at positions in world space. It only reads, and it
/// does not access `Transform`, so it rarely conflicts with other systems.
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
    /// Returns the state at a point, from the first water entity whose grid contains the point;
    /// `None` if there is no such entity.
    pub fn sample_at(&self, translation: Vec3) -> Option<WaterSample> {
        let mut waters = self.waters.iter();
        waters.find_map(|(entity, water, frame)| sample(entity, &water, frame, translation))
    }

    /// Returns the state of one water entity at a point; `None` if the point is outside of its
    /// grid.
    pub fn sample_water_at(&self, water: Entity, translation: Vec3) -> Option<WaterSample> {
        let (entity, found, frame) = self.waters.get(water).ok()?;
        sample(entity, &found, frame, translation)
    }

    /// Returns the states at `count` evenly spaced points along a line, including both ends; `None`
    /// for points outside of every grid.
    pub fn sample_line(
        &self,
        from: Vec3,
        to: Vec3,
        count: usize,
    ) -> impl Iterator<Item = Option<WaterSample>> + '_ {
        let last = count.saturating_sub(1).max(1) as f32;
        (0..count).map(move |i| self.sample_at(from.lerp(to, i as f32 / last)))
    }

    /// Returns the first point, within the distance `max_distance` (world units), where a ray hits
    /// the water or ground of any water entity; `None` if there is no hit.
    /// `Camera::viewport_to_world` returns the ray through the cursor. If a GPU steps the world,
    /// the ray is tested against the state of the last read-back. The resolution is half a cell.
    /// The vertical sides of a world are solid: a ray that meets a side below the surface hits it
    /// there.
    /// ```
    /// use bevy::prelude::*;
    /// use bevy_headwater::prelude::*;
    /// fn under(
    ///     cursor: Vec2,
    ///     camera: &Camera,
    ///     eye: &GlobalTransform,
    ///     waters: WaterQuery,
    /// ) -> Option<Vec3> {
    ///     let ray = camera.viewport_to_world(eye, cursor).ok()?;
    ///     Some(waters.cast_ray(ray, 1000.0)?.at)
    /// }
    /// ```
    pub fn cast_ray(&self, ray: Ray3d, max_distance: f32) -> Option<WaterHit> {
        let hits = self.waters.iter().filter_map(|(entity, water, frame)| {
            cast(entity, water.model()?, frame, ray, max_distance)
        });
        hits.min_by(|a, b| a.distance.total_cmp(&b.distance))
    }

    /// Returns the volume (m³) of water in the cells whose centres lie in a region, given in model
    /// coordinates. `None` if the entity has no water or its model does not compute volumes.
    ///
    /// # Errors
    /// Returns [`InputError`] if the region is invalid.
    pub fn volume_in(&self, water: Entity, region: &Region) -> Result<Option<f64>, InputError> {
        let Ok((_, found, _)) = self.waters.get(water) else { return Ok(None) };
        found.model().map_or(Ok(None), |model| model.volume_in(region))
    }

    /// Converts a point in world space to the model coordinates in which brushes and regions are
    /// given; `None` if the entity has no water.
    pub fn to_model_point(&self, water: Entity, translation: Vec3) -> Option<Point> {
        let (_, found, frame) = self.waters.get(water).ok()?;
        let local = frame.local_from_world.transform_point3(translation);
        Some(found.model()?.orientation().to_model_point(local))
    }

    /// Converts a model position to world space; `None` if the entity has no water. `height` is the
    /// elevation (m) of the point; side views ignore it.
    pub fn to_world_position(&self, water: Entity, point: Point, height: f64) -> Option<Vec3> {
        let (_, found, frame) = self.waters.get(water).ok()?;
        let local = found.model()?.orientation().to_local(point, height);
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
    let point = orientation.to_model_point(local);
    let PointState { depth, surface, bed, velocity, slope, pressure } = found.state_at(point)?;
    let at_height =
        |height: f64| frame.world_from_local.transform_point3(Vec3 { y: height as f32, ..local });
    let above = surface.map_or(0.0, |surface| surface - f64::from(local.y));
    let submersion = above.clamp(0.0, depth.max(0.0));
    let size = frame.world_from_local.transform_vector3(Vec3::Y).length();
    let hydrostatic = submersion * KPA_PER_METRE;
    let normal = match orientation {
        Orientation::Above => Vec3::new(-slope[0] as f32, 1.0, -slope[1] as f32),
        Orientation::Side => Vec3::new(-slope[0] as f32, 1.0, 0.0),
    };
    Some(WaterSample {
        water,
        depth: depth as f32 * size,
        submersion: submersion as f32 * size,
        surface: surface.map(at_height),
        bed: bed.map(at_height),
        velocity: frame
            .world_from_local
            .transform_vector3(orientation.direction_to_local(velocity)),
        // Normals transform by the inverse transpose.
        normal: (frame.local_from_world.matrix3.transpose() * normal).normalize_or(Vec3::Y),
        pressure: pressure.unwrap_or(hydrostatic) as f32,
    })
}

//! [`WaterQuery`]: queries of waters by games.

use crate::any::{AnyWater, AnyWaterReadOnlyItem};
use crate::frame::{Orientation, WaterFrame};
use crate::models::{KPA_PER_METRE, Place};
use crate::ray::{WaterHit, cast};
use crate::water::WaterClock;
use bevy::ecs::prelude::*;
use bevy::ecs::system::SystemParam;
use bevy::math::{Ray3d, Vec3};
use headwater::{InputError, Point, Region};

/// State at a point, in world space: under a scaled transform, depths and velocities are scaled.
/// Pressure is in the water's own metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaterSample {
    /// Entity of the water.
    pub water: Entity,
    /// Depth of the water from the surface to the ground, or from the side to the queried point; 0
    /// where it is dry.
    pub depth: f32,
    /// Distance of the point below the surface; 0 above it and where it is dry. A point in the
    /// ground counts as one on it.
    pub under: f32,
    /// Point of the surface vertically above or below; `None` where it is dry.
    pub surface: Option<Vec3>,
    /// Point of the ground there, if the model has one.
    pub bed: Option<Vec3>,
    /// Velocity of the water (per second).
    pub velocity: Vec3,
    /// Unit normal of the surface; up where it is unknown.
    pub normal: Vec3,
    /// Pressure of the water at the point (kPa); 0 above the surface and where it is dry. In the
    /// ground, the pressure on it.
    pub pressure: f32,
}

impl WaterSample {
    /// Returns whether the queried point is under water.
    pub fn is_under_water(&self) -> bool {
        self.under > 0.0
    }
}

/// System parameter for queries of waters. It only reads, and no components that games change to
/// move entities. Positions are in world space.
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
    /// Returns the state at a point, in the first water whose grid contains it.
    pub fn at(&self, translation: Vec3) -> Option<WaterSample> {
        let mut waters = self.waters.iter();
        waters.find_map(|(entity, water, frame)| sample(entity, &water, frame, translation))
    }

    /// Returns the state at a point of one water; `None` outside its grid.
    pub fn at_in(&self, water: Entity, translation: Vec3) -> Option<WaterSample> {
        let (entity, found, frame) = self.waters.get(water).ok()?;
        sample(entity, &found, frame, translation)
    }

    /// Returns the states at evenly spaced points from one end to the other, inclusive; `None` for
    /// points outside every grid.
    pub fn line(
        &self,
        from: Vec3,
        to: Vec3,
        count: usize,
    ) -> impl Iterator<Item = Option<WaterSample>> + '_ {
        let last = count.saturating_sub(1).max(1) as f32;
        (0..count).map(move |i| self.at(from.lerp(to, i as f32 / last)))
    }

    /// Returns the first hit of a ray with any water or its ground, up to a distance. For a cursor
    /// use `Camera::viewport_to_world`. Waters on a GPU are tested as of their last read-back. The
    /// resolution is half a cell; the sides of worlds count as walls.
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

    /// Returns the volume (m³) of water in cells whose centres lie in a region, in model
    /// coordinates; `None` if there is no such water or its model has no volume.
    ///
    /// # Errors
    /// Returns [`InputError`] if the region is invalid.
    pub fn volume_in(&self, water: Entity, region: &Region) -> Result<Option<f64>, InputError> {
        let Ok((_, found, _)) = self.waters.get(water) else { return Ok(None) };
        found.model().map_or(Ok(None), |model| model.volume_in(region))
    }

    /// Converts a point to model coordinates, for brushes and regions; `None` if there is no such
    /// water.
    pub fn point(&self, water: Entity, translation: Vec3) -> Option<Point> {
        let (_, found, frame) = self.waters.get(water).ok()?;
        let local = frame.local_from_world.transform_point3(translation);
        Some(found.model()?.orientation().point(local))
    }

    /// Converts a model position, and an elevation if seen from above, to world space; `None` if
    /// there is no such water.
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
        // Normals transform by the inverse transpose.
        normal: (frame.local_from_world.matrix3.transpose() * normal).normalize_or(Vec3::Y),
        pressure: pressure.unwrap_or(hydrostatic) as f32,
    })
}

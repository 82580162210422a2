//! Intersection of rays with the surfaces of water entities and with the ground.

use crate::frame::{Orientation, WaterFrame};
use crate::models::WaterModel;
use bevy::ecs::prelude::*;
use bevy::math::{Ray3d, Vec3};

/// First hit of a ray with a water entity or its ground, in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaterHit {
    /// Entity that holds the water world.
    pub water: Entity,
    /// Point at which the ray hits.
    pub at: Vec3,
    /// Distance of the hit from the ray's origin (world units).
    pub distance: f32,
    /// Whether the ray hits water. If false, the ray hits the ground or, in side views, a point of
    /// the plane without water.
    pub on_water: bool,
}

/// Number of bisection steps that refine a hit between two sample points of the ray.
const BISECTIONS: u32 = 20;

/// Returns the first point, within the distance `max_distance` (world units), where a ray hits the
/// water or ground of one water entity; `None` if there is no hit.
pub(crate) fn cast(
    water: Entity,
    model: &dyn WaterModel,
    frame: &WaterFrame,
    ray: Ray3d,
    max_distance: f32,
) -> Option<WaterHit> {
    let from = frame.local_from_world.transform_point3(ray.origin);
    let along = frame.local_from_world.transform_vector3(*ray.direction);
    if !(from.is_finite() && along.is_finite() && max_distance > 0.0) {
        return None;
    }
    let hit = |distance: f32, on_water: bool| WaterHit {
        water,
        at: ray.get_point(distance),
        distance,
        on_water,
    };
    let [width, length] = model.extent().map(|size| size as f32);
    if model.orientation() == Orientation::Side {
        let distance = -from.z / along.z;
        let at = from + along * distance;
        let inside = (0.0..width).contains(&at.x) && (0.0..length).contains(&-at.y);
        let place = || model.state_at(model.orientation().to_model_point(at));
        let meets = (0.0..=max_distance).contains(&distance) && inside;
        return meets.then(|| hit(distance, place().is_some_and(|place| place.depth > 0.0)));
    }
    // Interval of distances in which the ray is above or below the map.
    let mut over = [0.0, max_distance];
    for (from, along, size) in [(from.x, along.x, width), (from.z, along.z, length)] {
        if along == 0.0 {
            if !(0.0..=size).contains(&from) {
                return None;
            }
            continue;
        }
        let ends = [-from / along, (size - from) / along];
        over = [over[0].max(ends[0].min(ends[1])), over[1].min(ends[0].max(ends[1]))];
    }
    let [start, end] = over;
    if start > end {
        return None;
    }
    let last = [width, length].map(f32::next_down);
    // Elevations of the water surface (if any) and of the ground. Points on the edge are moved just
    // inside.
    let heights = |distance: f32| {
        let at = (from + along * distance)
            .clamp(Vec3::new(0.0, f32::MIN, 0.0), Vec3::new(last[0], f32::MAX, last[1]));
        let place = model.state_at(Orientation::Above.to_model_point(at))?;
        Some((
            at.y,
            place.surface.map(|height| height as f32),
            place.bed.map(|height| height as f32),
        ))
    };
    let starts_under = heights(start)
        .is_some_and(|(y, surface, bed)| start == 0.0 && surface > Some(y) && bed < Some(y));
    // Whether the ray is below a surface, and whether that surface is water.
    let under = |distance: f32| {
        let (y, surface, bed) = heights(distance)?;
        let surface = surface.filter(|_| !starts_under);
        let top = surface.into_iter().chain(bed).reduce(f32::max)?;
        (y <= top).then_some(surface == Some(top))
    };
    let cell = width.min(length) / model.grid_size()[0].min(model.grid_size()[1]).max(1) as f32;
    let pace = 0.5 * cell / along.with_y(0.0).length().max(1e-6);
    let steps = ((end - start) / pace).ceil().clamp(1.0, 1e5) as u32;
    let mut before = start;
    for step in 0..=steps {
        let here = start + (end - start) * step as f32 / steps as f32;
        let Some(mut on_water) = under(here) else {
            before = here;
            continue;
        };
        let (mut above, mut below) = (before, here);
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (above + below);
            match under(middle) {
                Some(water) => (below, on_water) = (middle, water),
                None => above = middle,
            }
        }
        return Some(hit(below, on_water));
    }
    None
}

//! System that writes the transforms of entities that follow bodies.

use super::floats::Floats;
use crate::any::AnyWater;
use crate::frame::{Orientation, WaterFrame};
use bevy::ecs::prelude::*;
use bevy::math::{Affine3A, Quat, Vec3};
use bevy::prelude::{ChildOf, Transform, TransformHelper};

/// Space to which the `Transform` of an entity is relative.
#[derive(Clone, Copy, Debug, PartialEq)]
enum TransformParent {
    Nothing,
    Water,
    Parent(Entity),
}

/// Entities that follow a body, ordered by their number of ancestors, so that parents are updated
/// first.
#[derive(Default)]
pub(crate) struct UpdateOrder(Vec<(usize, Entity, TransformParent)>);

/// Read access to the transforms of parents, and write access to the transforms of followers. Only
/// one of them can be used at a time, because a follower may also be a parent.
type TransformAccess<'w, 's> = (
    Query<'w, 's, (Entity, &'static Floats, Option<&'static ChildOf>)>,
    TransformHelper<'w, 's>,
    Query<'w, 's, (&'static mut Floats, &'static mut Transform)>,
);

pub(crate) fn write_transforms(
    mut transforms: ParamSet<TransformAccess>,
    parents: Query<&ChildOf>,
    waters: Query<(<AnyWater as bevy::ecs::query::QueryData>::ReadOnly, &WaterFrame)>,
    mut order: Local<UpdateOrder>,
) {
    let UpdateOrder(order) = &mut *order;
    order.clear();
    for (entity, floating, parent) in transforms.p0().iter() {
        if floating.id.is_none() {
            continue;
        }
        let above = match parent.map(ChildOf::parent) {
            None => TransformParent::Nothing,
            Some(parent) if parent == floating.water => TransformParent::Water,
            Some(parent) => TransformParent::Parent(parent),
        };
        order.push((parents.iter_ancestors(entity).count(), entity, above));
    }
    order.sort_unstable_by_key(|&(depth, entity, _)| (depth, entity));
    for &(_, entity, above) in &*order {
        let from = match above {
            TransformParent::Parent(parent) => {
                // As in Bevy, a parent without a transform counts as world space.
                let global = transforms.p1().compute_global_transform(parent);
                global.map_or(Affine3A::IDENTITY, |global| global.affine())
            }
            TransformParent::Nothing | TransformParent::Water => Affine3A::IDENTITY,
        };
        let mut all = transforms.p2();
        let Ok((mut floating, mut transform)) = all.get_mut(entity) else { continue };
        let Some(id) = floating.id else { continue };
        let Ok((water, frame)) = waters.get(floating.water) else { continue };
        let Some(model) = water.model() else { continue };
        let Some((pose, hull)) = model.pose(id).zip(model.hull(id)) else { continue };
        let orientation = model.orientation();
        let mut center = orientation.to_local(pose.center, pose.elevation.unwrap_or(0.0));
        let mut rotation = match orientation {
            // Headings turn from east (+X) to south (+Z), opposite to rotations about +Y.
            Orientation::Above => {
                Quat::from_rotation_y(-pose.heading as f32)
                    * Quat::from_rotation_z(pose.tilt as f32)
            }
            Orientation::Side => Quat::IDENTITY,
        };
        let mut velocity =
            frame.world_from_local.transform_vector3(orientation.direction_to_local(pose.velocity));
        if above != TransformParent::Water {
            let (_, turned, _) = frame.world_from_local.to_scale_rotation_translation();
            rotation = turned * rotation;
            center = frame.world_from_local.transform_point3(center);
        }
        if let TransformParent::Parent(_) = above {
            let (_, turned, _) = from.to_scale_rotation_translation();
            rotation = turned.inverse() * rotation;
            center = from.inverse().transform_point3(center);
        }
        if hull.has_left || !velocity.is_finite() {
            velocity = Vec3::ZERO;
        }
        let placed = Transform {
            rotation,
            translation: center - rotation * (transform.scale * floating.offset),
            ..*transform
        };
        // Bodies in water entities with a scale of zero have no valid positions.
        if placed.is_finite() {
            transform.set_if_neq(placed);
        }
        if floating.velocity != velocity {
            floating.velocity = velocity;
        }
        floating.bypass_change_detection().last_hull = hull;
    }
}

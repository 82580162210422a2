//! Where a water lies in Bevy's world, and how positions are told from one to the other.

use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::prelude::*;
use bevy::ecs::world::DeferredWorld;
use bevy::math::{Affine3A, Vec3};
use bevy::prelude::{ChildOf, Transform, TransformHelper};
use headwater::Point;

/// How a model's positions lie in the space of its entity. Headwater counts from the top-left corner, the second number
/// downward on the picture; 1 m is one unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Orientation {
    /// A map seen from above: east is +X, south is +Z, height is +Y.
    #[default]
    Above,
    /// A side view: east is +X, down is −Y, and all of it lies at Z = 0. Cells of blocks are one unit wide.
    Side,
}

impl Orientation {
    /// A model's position, and a height if it is seen from above, in the space of the entity.
    pub fn local(self, [x, y]: Point, height: f64) -> Vec3 {
        match self {
            Self::Above => Vec3::new(x as f32, height as f32, y as f32),
            Self::Side => Vec3::new(x as f32, -y as f32, 0.0),
        }
    }

    /// The model's position of a point in the space of the entity.
    pub fn point(self, local: Vec3) -> Point {
        match self {
            Self::Above => [local.x.into(), local.z.into()],
            Self::Side => [local.x.into(), (-local.y).into()],
        }
    }

    /// A model's direction (to the east, and to the south or downward) in the space of the entity.
    pub fn direction(self, [east, second]: [f64; 2]) -> Vec3 {
        self.local([east, second], 0.0)
    }
}

/// Where a water lies, as it was at the beginning of the last step: what its `Transform` and its parents' come to. Every water
/// has one; it is there for queries that shall not get in the way of systems that move things. Until the first step it is as it was
/// when the water was spawned, or at the beginning of the frame.
#[derive(Component, Clone, Copy, Debug)]
#[component(on_add = lie)]
pub struct WaterFrame {
    pub(crate) world_from_local: Affine3A,
    pub(crate) local_from_world: Affine3A,
    /// Whether there was a step since.
    stepped: bool,
}

impl Default for WaterFrame {
    fn default() -> Self {
        Self {
            world_from_local: Affine3A::IDENTITY,
            local_from_world: Affine3A::IDENTITY,
            stepped: false,
        }
    }
}

impl WaterFrame {
    fn of(world_from_local: Affine3A, stepped: bool) -> Self {
        Self { world_from_local, local_from_world: world_from_local.inverse(), stepped }
    }
}

/// Finds the place of a water that has come just now.
fn lie(mut world: DeferredWorld, context: HookContext) {
    let mut global = Affine3A::IDENTITY;
    let mut at = Some(context.entity);
    while let Some(entity) = at {
        let transform = world.get::<Transform>(entity);
        global = transform.map_or(Affine3A::IDENTITY, Transform::compute_affine) * global;
        at = world.get::<ChildOf>(entity).map(ChildOf::parent);
    }
    if let Some(mut frame) = world.get_mut::<WaterFrame>(context.entity) {
        *frame = WaterFrame::of(global, false);
    }
}

pub(crate) fn update_frames(
    mut frames: Query<(Entity, &mut WaterFrame), With<Transform>>,
    transforms: TransformHelper,
) {
    for (entity, mut frame) in &mut frames {
        let Ok(global) = transforms.compute_global_transform(entity) else { continue };
        let world_from_local = global.affine();
        if frame.world_from_local != world_from_local || !frame.stepped {
            *frame = WaterFrame::of(world_from_local, true);
        }
    }
}

/// Brings frames of waters that have not been stepped up to date. Those of others wait for the next step, so that what is asked in a
/// step hangs on steps alone, and not on frames.
pub(crate) fn update_new_frames(
    mut frames: Query<(Entity, &mut WaterFrame), With<Transform>>,
    transforms: TransformHelper,
) {
    for (entity, mut frame) in &mut frames {
        if !frame.stepped
            && let Ok(global) = transforms.compute_global_transform(entity)
            && frame.world_from_local != global.affine()
        {
            *frame = WaterFrame::of(global.affine(), false);
        }
    }
}

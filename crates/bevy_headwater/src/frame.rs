//! Conversion between model coordinates and Bevy's world space.

use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::prelude::*;
use bevy::ecs::world::DeferredWorld;
use bevy::math::{Affine3A, Vec3};
use bevy::prelude::{ChildOf, Transform, TransformHelper};
use headwater::Point;

/// Mapping from model coordinates to the local space of a water entity. Model coordinates start at
/// the top-left corner of the grid. The first coordinate points to the right and the second down,
/// as on a map or in a picture. One metre is one unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Orientation {
    /// Map seen from above: east is +X, south is +Z and elevation is +Y.
    #[default]
    Above,
    /// Side view: east is +X, down is −Y and Z is 0. A cell of a block world is one unit wide.
    Side,
}

impl Orientation {
    /// Converts a model position to the entity's local space. `height` is the elevation (m) of the
    /// point; side views ignore it.
    pub fn to_local(self, [x, y]: Point, height: f64) -> Vec3 {
        match self {
            Self::Above => Vec3::new(x as f32, height as f32, y as f32),
            Self::Side => Vec3::new(x as f32, -y as f32, 0.0),
        }
    }

    /// Converts a point in the entity's local space to a model position.
    pub fn to_model_point(self, local: Vec3) -> Point {
        match self {
            Self::Above => [local.x.into(), local.z.into()],
            Self::Side => [local.x.into(), (-local.y).into()],
        }
    }

    /// Converts a model direction (east, then south or down) to the entity's local space.
    pub fn direction_to_local(self, [east, south_or_down]: [f64; 2]) -> Vec3 {
        self.to_local([east, south_or_down], 0.0)
    }
}

/// Global transform of a water entity at the start of its last step. Before the first step, it is
/// updated at the start of each frame; on insertion, it is set to the transform at that moment. The
/// transform is stored separately from `Transform`, so that water queries do not conflict with
/// systems that move entities.
#[derive(Component, Clone, Copy, Debug)]
#[component(on_add = init_frame)]
pub struct WaterFrame {
    pub(crate) world_from_local: Affine3A,
    pub(crate) local_from_world: Affine3A,
    /// Whether the water has been stepped at least once.
    has_been_stepped: bool,
}

impl Default for WaterFrame {
    fn default() -> Self {
        Self {
            world_from_local: Affine3A::IDENTITY,
            local_from_world: Affine3A::IDENTITY,
            has_been_stepped: false,
        }
    }
}

impl WaterFrame {
    fn from_transform(world_from_local: Affine3A, has_been_stepped: bool) -> Self {
        Self { world_from_local, local_from_world: world_from_local.inverse(), has_been_stepped }
    }
}

/// Initialises the [`WaterFrame`] of a newly inserted water.
fn init_frame(mut world: DeferredWorld, context: HookContext) {
    let mut global = Affine3A::IDENTITY;
    let mut at = Some(context.entity);
    while let Some(entity) = at {
        let transform = world.get::<Transform>(entity);
        global = transform.map_or(Affine3A::IDENTITY, Transform::compute_affine) * global;
        at = world.get::<ChildOf>(entity).map(ChildOf::parent);
    }
    if let Some(mut frame) = world.get_mut::<WaterFrame>(context.entity) {
        *frame = WaterFrame::from_transform(global, false);
    }
}

pub(crate) fn update_frames(
    mut frames: Query<(Entity, &mut WaterFrame), With<Transform>>,
    transforms: TransformHelper,
) {
    for (entity, mut frame) in &mut frames {
        let Ok(global) = transforms.compute_global_transform(entity) else { continue };
        let world_from_local = global.affine();
        if frame.world_from_local != world_from_local || !frame.has_been_stepped {
            *frame = WaterFrame::from_transform(world_from_local, true);
        }
    }
}

/// Updates the [`WaterFrame`] of each water entity that has not been stepped yet. The frames of
/// other water entities change only at steps, so that query results within steps do not depend on
/// the frame rate.
pub(crate) fn update_new_frames(
    mut frames: Query<(Entity, &mut WaterFrame), With<Transform>>,
    transforms: TransformHelper,
) {
    for (entity, mut frame) in &mut frames {
        if !frame.has_been_stepped
            && let Ok(global) = transforms.compute_global_transform(entity)
            && frame.world_from_local != global.affine()
        {
            *frame = WaterFrame::from_transform(global.affine(), false);
        }
    }
}

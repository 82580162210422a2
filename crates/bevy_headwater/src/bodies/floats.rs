//! [`Floats`]: component for entities that follow floating bodies in the world of a water entity.

use super::body::{FloatingBody, Hull};
use crate::messages::Loss;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::prelude::*;
use bevy::ecs::world::DeferredWorld;
use bevy::math::Vec3;
use bevy::prelude::Transform;
use headwater::Id;

/// Component that makes its entity follow a floating body in the world of a water entity.
///
/// The next step after insertion adds the body at its launch position. From then on, each step
/// writes the position of the body to the entity's `Transform`, even if the entity has a parent.
/// The fields `water` and `body` are used only at launch. Removing the component or despawning the
/// entity removes the body in the next step. Inserting the component again launches the body again.
///
/// At launch, the entity adopts an existing body instead of adding one if that body has the same
/// size, is near the launch position, and is not followed by another entity. This happens, for
/// example, after a state is loaded. [`adopt`](Self::adopt) selects a body by its id.
///
/// After a state is loaded or the world is replaced, the entity keeps following the body with the
/// same id if the size or the position of that body is unchanged. Otherwise the entity keeps its
/// position, [`BodyLost`](crate::BodyLost) is written once, and [`loss`](Self::loss) returns the
/// reason.
#[derive(Component, Debug, PartialEq)]
#[component(on_discard = release_body)]
#[require(Transform)]
pub struct Floats {
    /// Entity that holds the water world.
    pub water: Entity,
    /// Body to launch. Changes after the launch have no effect.
    pub body: FloatingBody,
    /// Position of the body's centre relative to the entity's origin (world units), for 3-D models
    /// whose origin is at the keel.
    pub offset: Vec3,
    pub(crate) id: Option<Id>,
    pub(crate) velocity: Vec3,
    pub(crate) refused: bool,
    pub(crate) lost: Option<Loss>,
    /// Size and position of the body after the last step. They identify the body when a state is
    /// loaded.
    pub(crate) last_hull: Hull,
}

impl Floats {
    /// Creates the component for a new body in the world of a water entity.
    pub fn new(water: Entity, body: impl Into<FloatingBody>) -> Self {
        Self {
            water,
            body: body.into(),
            offset: Vec3::ZERO,
            id: None,
            velocity: Vec3::ZERO,
            refused: false,
            lost: None,
            last_hull: Hull::default(),
        }
    }

    /// Creates the component for an existing body, given by its saved [`id`](Self::id). Launching
    /// fails if another entity follows the same body.
    pub fn adopt(water: Entity, id: Id) -> Self {
        Self::new(water, FloatingBody::Known(id))
    }

    /// Sets the position of the body's centre relative to the entity's origin.
    #[must_use]
    pub fn with_offset(self, offset: Vec3) -> Self {
        Self { offset, ..self }
    }

    /// Returns the id that identifies the body in calls of the model and in saved states. Returns
    /// `None` before the first step and after the body has been lost.
    pub fn id(&self) -> Option<Id> {
        self.id
    }

    /// Returns the velocity of the body after the last step (m/s), in world space.
    pub fn velocity(&self) -> Vec3 {
        self.velocity
    }

    /// Returns the reason why the body has been lost; `None` unless it has been lost.
    pub fn loss(&self) -> Option<Loss> {
        self.lost
    }

    fn without_body(&self) -> Self {
        Self { offset: self.offset, ..Self::new(self.water, self.body) }
    }
}

impl Clone for Floats {
    /// Returns a copy that follows no body yet, because no two entities may follow the same body.
    fn clone(&self) -> Self {
        self.without_body()
    }
}

/// Bodies whose entities or [`Floats`] components have been removed.
#[derive(Resource, Default)]
pub(crate) struct RemovedBodies {
    /// Bodies to be removed in the next step. Each item consists of the water entity, the body's id
    /// and its last hull.
    pub(crate) pending: Vec<(Entity, Id, Hull)>,
    /// Bodies that have been removed from their worlds. If an earlier state is loaded, they
    /// reappear without an entity. Each item consists of the water entity, the body's id and its
    /// last hull.
    pub(crate) removed: Vec<(Entity, Id, Hull)>,
}

fn release_body(mut world: DeferredWorld, context: HookContext) {
    let Some((water, Some(id), last_hull)) = world
        .get::<Floats>(context.entity)
        .map(|floats| (floats.water, floats.id, floats.last_hull))
    else {
        return;
    };
    if let Some(mut removed) = world.get_resource_mut::<RemovedBodies>() {
        removed.pending.push((water, id, last_hull));
    }
}

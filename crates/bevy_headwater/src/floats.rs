//! [`Floats`]: entities that are bodies in a water, and go where it takes them.

use crate::body::{FloatingBody, Hull};
use crate::messages::Loss;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::prelude::*;
use bevy::ecs::world::DeferredWorld;
use bevy::math::Vec3;
use bevy::prelude::Transform;
use headwater::Id;

/// Makes an entity a body in a water. The body is added in the next step, wherever the body itself says it is, and from then on the
/// entity's `Transform` is written after each step, whoever its parents are. Removed or despawned, it leaves the water in the next
/// step; inserted anew, it is launched anew. `water` and `body` are read when it is launched, and not again.
///
/// A body of the same size that lies there already and that no entity follows, such as one that has come with a state that was
/// loaded, is not launched a second time: the entity follows that one. [`adopt`](Self::adopt) takes one by its id.
///
/// When the water's state is loaded or another world put in its place, the entity goes on with the body that has its id there, if
/// that has its size or its place. One that has no longer a body or a water stays where it is; a
/// [`BodyLost`](crate::BodyLost) says so once, and [`lost`](Self::lost) from then on.
#[derive(Component, Debug, PartialEq)]
#[component(on_discard = leave)]
#[require(Transform)]
pub struct Floats {
    /// Which water.
    pub water: Entity,
    /// The body as it is launched.
    pub body: FloatingBody,
    /// Where the middle of the body is in the entity's space: for models whose origin is at the keel.
    pub offset: Vec3,
    pub(crate) id: Option<Id>,
    pub(crate) velocity: Vec3,
    pub(crate) refused: bool,
    pub(crate) lost: Option<Loss>,
    /// How it was seen last.
    pub(crate) seen: Hull,
}

impl Floats {
    /// A body in a water.
    pub fn new(water: Entity, body: impl Into<FloatingBody>) -> Self {
        Self {
            water,
            body: body.into(),
            offset: Vec3::ZERO,
            id: None,
            velocity: Vec3::ZERO,
            refused: false,
            lost: None,
            seen: Hull::default(),
        }
    }

    /// The body of a water that has an id there already, as [`id`](Self::id) said before the water was saved. That no other entity
    /// may follow: else it is refused.
    pub fn adopt(water: Entity, id: Id) -> Self {
        Self::new(water, FloatingBody::Known(id))
    }

    /// The same, with the middle of the body elsewhere than at the entity's origin.
    #[must_use]
    pub fn with_offset(self, offset: Vec3) -> Self {
        Self { offset, ..self }
    }

    /// What the model calls the body: to steer or push it by the model's own calls, and to find it again after the water was saved.
    /// `None` before the first step, and once the body is lost.
    pub fn id(&self) -> Option<Id> {
        self.id
    }

    /// Its velocity after the last step (m/s), in Bevy's world.
    pub fn velocity(&self) -> Vec3 {
        self.velocity
    }

    /// What it has lost, if it follows no body any more.
    pub fn lost(&self) -> Option<Loss> {
        self.lost
    }

    fn anew(&self) -> Self {
        Self { offset: self.offset, ..Self::new(self.water, self.body) }
    }
}

impl Clone for Floats {
    /// One that is launched on its own: no two entities follow one body.
    fn clone(&self) -> Self {
        self.anew()
    }
}

/// Bodies that have left with their entities.
#[derive(Resource, Default)]
pub(crate) struct Departed {
    /// To be taken out of their waters.
    pub(crate) waiting: Vec<(Entity, Id, Hull)>,
    /// Those that were taken out: when a state from before is loaded, they are there again, and nobody's.
    pub(crate) gone: Vec<(Entity, Id, Hull)>,
}

fn leave(mut world: DeferredWorld, context: HookContext) {
    let Some((water, Some(id), seen)) =
        world.get::<Floats>(context.entity).map(|floats| (floats.water, floats.id, floats.seen))
    else {
        return;
    };
    if let Some(mut departed) = world.get_resource_mut::<Departed>() {
        departed.waiting.push((water, id, seen));
    }
}

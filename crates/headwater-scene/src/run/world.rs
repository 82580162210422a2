//! The world of a scene, whichever model moves it.

use std::any::Any;

/// The world of a scene.
#[derive(Clone, Copy, Debug)]
pub struct World<'a>(&'a dyn Any);

impl<'a> World<'a> {
    /// A world.
    pub fn of(world: &'a impl Any) -> Self {
        Self(world)
    }

    /// The world of a model, if it is of that model: `world.get::<FlowWorld>()`.
    pub fn get<W: Any>(self) -> Option<&'a W> {
        self.0.downcast_ref()
    }
}

/// The world of a scene, to be changed.
#[derive(Debug)]
pub struct WorldMut<'a>(&'a mut dyn Any);

impl<'a> WorldMut<'a> {
    /// A world.
    pub fn of(world: &'a mut impl Any) -> Self {
        Self(world)
    }

    /// The world of a model, if it is of that model.
    pub fn get<W: Any>(self) -> Option<&'a mut W> {
        self.0.downcast_mut()
    }
}

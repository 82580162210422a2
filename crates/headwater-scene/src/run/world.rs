//! [`World`]: type-erased reference to the world of a scene.

use std::any::Any;

/// Reference to the world of a scene.
#[derive(Clone, Copy, Debug)]
pub struct World<'a>(&'a dyn Any);

impl<'a> World<'a> {
    /// Wraps the world of a model.
    pub fn of(world: &'a impl Any) -> Self {
        Self(world)
    }

    /// Returns the world as that of a model: `world.get::<FlowWorld>()`; `None` if it is of another
    /// model.
    pub fn get<W: Any>(self) -> Option<&'a W> {
        self.0.downcast_ref()
    }
}

/// Mutable reference to the world of a scene.
#[derive(Debug)]
pub struct WorldMut<'a>(&'a mut dyn Any);

impl<'a> WorldMut<'a> {
    /// Wraps the world of a model.
    pub fn of(world: &'a mut impl Any) -> Self {
        Self(world)
    }

    /// Returns the world as that of a model: `world.get::<FlowWorld>()`; `None` if it is of another
    /// model.
    pub fn get<W: Any>(self) -> Option<&'a mut W> {
        self.0.downcast_mut()
    }
}

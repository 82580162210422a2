//! [`World`] and [`WorldMut`]: references to worlds of any type. Each model has its own type of
//! world.

use std::any::Any;

/// Reference to the world of a scene. The type of the world depends on the scene's model.
#[derive(Clone, Copy, Debug)]
pub struct World<'a>(&'a dyn Any);

impl<'a> World<'a> {
    /// Wraps a reference to the world of a model.
    pub fn new(world: &'a impl Any) -> Self {
        Self(world)
    }

    /// Returns the world as the type `W`, as in `world.get::<FlowWorld>()`. Returns `None` if the
    /// world has another type, because it belongs to another model.
    pub fn get<W: Any>(self) -> Option<&'a W> {
        self.0.downcast_ref()
    }
}

/// Mutable reference to the world of a scene. The type of the world depends on the scene's model.
#[derive(Debug)]
pub struct WorldMut<'a>(&'a mut dyn Any);

impl<'a> WorldMut<'a> {
    /// Wraps a mutable reference to the world of a model.
    pub fn new(world: &'a mut impl Any) -> Self {
        Self(world)
    }

    /// Returns the world as the type `W`, as in `world.get::<FlowWorld>()`. Returns `None` if the
    /// world has another type, because it belongs to another model.
    pub fn get<W: Any>(self) -> Option<&'a mut W> {
        self.0.downcast_mut()
    }
}

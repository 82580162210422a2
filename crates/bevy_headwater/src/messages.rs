//! What waters tell.

use bevy::ecs::prelude::*;

/// A water has come to rest, or has been stirred. Written on change only.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaterSettled {
    /// Which water.
    pub water: Entity,
    /// Whether it rests now.
    pub on: bool,
}

/// Water has gone over the edges of a world in this step.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct WaterSpilled {
    /// Which water.
    pub water: Entity,
    /// How much (m³; of blocks, cells).
    pub volume: f64,
}

/// A place that a [`FloodSensor`](crate::FloodSensor) watches has been flooded, or fell dry. Written on change only.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flooded {
    /// The entity with the sensor.
    pub entity: Entity,
    /// Whether it is under water now.
    pub on: bool,
}

/// An entity with [`Floats`](crate::Floats) has lost its body or its water. It stays where it is. Written once each.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyLost {
    /// The entity.
    pub entity: Entity,
    /// The water that it is, or was, in.
    pub water: Entity,
    /// What has become of it.
    pub why: Loss,
}

/// Why an entity follows its body no longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The water is gone, or its world is: its entity was despawned or its component removed.
    Water,
    /// The water's state was loaded, or another world put in its place, and the body is not in it.
    Body,
    /// It has left over an open edge of the world. It is still the world's, as a body that nothing moves, until its entity is despawned.
    Edge,
}

/// A water has refused an edit, a body or a time; nothing was done.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct WaterRefused {
    /// Which water.
    pub water: Entity,
    /// What was refused, what was found and what is allowed.
    pub error: String,
}

//! Messages written by waters.

use bevy::ecs::prelude::*;

/// A water came to rest or was disturbed. Written on change only.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaterSettled {
    /// Entity of the water.
    pub water: Entity,
    /// Whether it is at rest now.
    pub on: bool,
}

/// Water left over the edges of a world in this step.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct WaterSpilled {
    /// Entity of the water.
    pub water: Entity,
    /// Volume (m³; of blocks, cells).
    pub volume: f64,
}

/// A place watched by a [`FloodSensor`](crate::FloodSensor) was flooded or fell dry. Written
/// on change only.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flooded {
    /// Entity with the sensor.
    pub entity: Entity,
    /// Whether it is under water now.
    pub on: bool,
}

/// An entity with [`Floats`](crate::Floats) lost its body or its water. It stays where it is.
/// Written once.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyLost {
    /// Entity that followed the body.
    pub entity: Entity,
    /// Entity of the water.
    pub water: Entity,
    /// Reason of the loss.
    pub why: Loss,
}

/// Reason why an entity no longer follows a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The water is gone: its entity was despawned or its component removed.
    Water,
    /// A state was loaded or the world replaced, and it does not contain the body.
    Body,
    /// The body left over an open edge. The world keeps it, motionless, until the entity is
    /// despawned.
    Edge,
}

/// A water refused an edit, a body or a time step; nothing was changed.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct WaterRefused {
    /// Entity of the water.
    pub water: Entity,
    /// Message with the value found and the values allowed.
    pub error: String,
}

//! Messages that inform apps about events in the worlds of water entities: coming to rest,
//! spilling, flooding, lost bodies and refused requests.

use bevy::ecs::prelude::*;

/// Message that a water entity has come to rest or has been disturbed. Written only when this
/// changes.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaterSettled {
    /// Entity that holds the water world.
    pub water: Entity,
    /// Whether the water is now at rest.
    pub is_at_rest: bool,
}

/// Message that water has left a world through its edges in this step.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct WaterSpilled {
    /// Entity that holds the water world.
    pub water: Entity,
    /// Volume that has left the world in this step (m³; in block worlds, cells).
    pub volume: f64,
}

/// Message that the position of a [`FloodSensor`](crate::FloodSensor) was flooded or fell dry.
/// Written only when this state changes.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flooded {
    /// Entity with the sensor.
    pub entity: Entity,
    /// Whether the sensor is now under water.
    pub is_flooded: bool,
}

/// Message that an entity with [`Floats`](crate::Floats) has lost its body or its water. The entity
/// keeps its position. Written once per loss.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyLost {
    /// Entity that followed the body.
    pub entity: Entity,
    /// Entity that holds the water world.
    pub water: Entity,
    /// Reason for the loss.
    pub reason: Loss,
}

/// Reason why an entity no longer follows a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The water no longer exists: its entity was despawned or its component removed.
    Water,
    /// A state was loaded or the world was replaced, and the body is not in the new state.
    Body,
    /// The body left the world through an open edge. It remains in the model, without motion, until
    /// the entity is despawned.
    Edge,
}

/// Message that a water entity refused an edit, a body or a time step. The water is unchanged.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct WaterRefused {
    /// Entity that holds the water world.
    pub water: Entity,
    /// Error message that states the value found and the allowed values.
    pub error: String,
}

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

/// A water has refused an edit, a body or a time; nothing was done.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct WaterRefused {
    /// Which water.
    pub water: Entity,
    /// What was refused, what was found and what is allowed.
    pub error: String,
}

//! Components that hold the worlds of each model, and the clock and state of every water entity.

use crate::frame::WaterFrame;
use bevy::ecs::prelude::*;
use bevy::prelude::{Reflect, ReflectComponent, ReflectDefault, Transform};
use headwater::blocks::Blocks;
use headwater::columns::Columns;
use headwater::flow::Flow;
use headwater::hydrology::Hydrology;
use headwater::waves::Waves;
use std::ops::{Deref, DerefMut};

/// Declares a component that wraps the world of a model.
macro_rules! water {
    ($(#[$doc:meta])* $name:ident($model:ty)) => {
        $(#[$doc])*
        #[derive(Component, Debug)]
        #[require(WaterClock, WaterState, WaterFrame, Transform)]
        pub struct $name(pub $model);

        impl From<$model> for $name {
            fn from(model: $model) -> Self {
                Self(model)
            }
        }

        impl Deref for $name {
            type Target = $model;

            fn deref(&self) -> &$model {
                &self.0
            }
        }

        impl DerefMut for $name {
            fn deref_mut(&mut self) -> &mut $model {
                &mut self.0
            }
        }
    };
}

water! {
    /// Component for water over terrain: a [`Flow`], seen from above
    /// ([`Orientation::Above`](crate::Orientation::Above)).
    Water(Flow)
}

water! {
    /// Component for a rippling surface: [`Waves`], seen from above. The origin of the entity is at
    /// the elevation of the undisturbed surface.
    Pond(Waves)
}

water! {
    /// Component for liquids in a block world: [`Blocks`], seen from the side
    /// ([`Orientation::Side`](crate::Orientation::Side)).
    BlockWorld(Blocks)
}

water! {
    /// Component for pools between walls: [`Columns`], seen from the side.
    Pools(Columns)
}

water! {
    /// Component for land carved by rivers: a [`Hydrology`], seen from above. Its model time is
    /// measured in raindrops per cell.
    CarvedLand(Hydrology)
}

/// Clock of a water entity: its speed, its step limit and whether it is paused. Every water entity
/// has one.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Default)]
pub struct WaterClock {
    /// Model time (s; for carved land, drops per cell) per second of the schedule's clock; at least
    /// 0. Default: 1.
    pub speed: f64,
    /// Whether the water is paused. Edits are applied even while it is paused.
    pub paused: bool,
    /// Maximum number of model steps that a `Water` or a scene performs in one run of the schedule;
    /// at least 1. Default: [`DEFAULT_MAX_STEPS`](Self::DEFAULT_MAX_STEPS).
    ///
    /// Model time beyond the limit is dropped and added to [`WaterState::lost_time`]. The limit
    /// keeps deep water on small cells, or a high speed, from stalling the app. It counts steps,
    /// not wall time, so that all peers of a lockstep game drop the same time. Ponds and pools have
    /// their own parameter `max_steps`.
    pub max_steps: u32,
}

impl Default for WaterClock {
    fn default() -> Self {
        Self { speed: 1.0, paused: false, max_steps: Self::DEFAULT_MAX_STEPS }
    }
}

impl WaterClock {
    /// Default value of [`max_steps`](Self::max_steps): 100.
    pub const DEFAULT_MAX_STEPS: u32 = 100;

    /// Creates a clock with the given speed (model time per second).
    pub const fn at_speed(speed: f64) -> Self {
        Self { speed, paused: false, max_steps: Self::DEFAULT_MAX_STEPS }
    }
}

/// Results of the last step of a water entity. Every water entity has one. Read-only.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Default)]
pub struct WaterState {
    pub(crate) resting: bool,
    pub(crate) spilled: f64,
    pub(crate) lost_time: f64,
}

impl WaterState {
    /// Returns whether the water is at rest. Steps do nothing until the water is disturbed.
    pub fn is_resting(&self) -> bool {
        self.resting
    }

    /// Returns the volume that has left the world through its edges since the start (m³; in block
    /// worlds, cells).
    pub fn spilled_volume(&self) -> f64 {
        self.spilled
    }

    /// Returns the model time (s) that was not simulated because a step limit was reached.
    pub fn lost_time(&self) -> f64 {
        self.lost_time
    }
}

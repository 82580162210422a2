//! Components: worlds of each model, clocks and states.

use crate::frame::WaterFrame;
use bevy::ecs::prelude::*;
use bevy::prelude::{Reflect, ReflectComponent, ReflectDefault, Transform};
use headwater::blocks::Blocks;
use headwater::columns::Columns;
use headwater::flow::Flow;
use headwater::hydrology::Hydrology;
use headwater::waves::Waves;
use std::ops::{Deref, DerefMut};

/// Declares a component that wraps a model's world.
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
    /// Water over terrain: a [`Flow`], seen from above
    /// ([`Orientation::Above`](crate::Orientation::Above)).
    Water(Flow)
}

water! {
    /// Rippling surface: [`Waves`], seen from above. The entity's position is at the surface at
    /// rest.
    Pond(Waves)
}

water! {
    /// Liquids in a block world: [`Blocks`], seen from the side
    /// ([`Orientation::Side`](crate::Orientation::Side)).
    BlockWorld(Blocks)
}

water! {
    /// Pools between walls: [`Columns`], seen from the side.
    Pools(Columns)
}

water! {
    /// Land carved by rivers: a [`Hydrology`], seen from above. Its time is rain, in drops per
    /// cell.
    CarvedLand(Hydrology)
}

/// Clock of a water. Every water has one.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Default)]
pub struct WaterClock {
    /// Model time per second of the schedule's clock (s; of carved land, drops per cell), at least
    /// 0. Default: 1.
    pub speed: f64,
    /// Whether it is paused. Edits still apply.
    pub paused: bool,
    /// Largest number of steps of a `Water` or a scene per step of the schedule, at least 1. Time
    /// beyond it is dropped ([`WaterState::lost_time`]), so that deep water on small cells or a
    /// high speed does not stall the app. It counts steps, not wall time, so that lockstep peers
    /// drop the same. Ponds and pools have their own `max_steps`. Default:
    /// [`MOST_STEPS`](Self::MOST_STEPS).
    pub most_steps: u32,
}

impl Default for WaterClock {
    fn default() -> Self {
        Self { speed: 1.0, paused: false, most_steps: Self::MOST_STEPS }
    }
}

impl WaterClock {
    /// Default limit of steps: 100.
    pub const MOST_STEPS: u32 = 100;

    /// Creates a clock with a speed.
    pub const fn at_speed(speed: f64) -> Self {
        Self { speed, paused: false, most_steps: Self::MOST_STEPS }
    }
}

/// Results of the last step. Every water has one; read-only.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Default)]
pub struct WaterState {
    pub(crate) resting: bool,
    pub(crate) spilled: f64,
    pub(crate) lost_time: f64,
}

impl WaterState {
    /// Returns whether the water is at rest: steps do nothing until it is disturbed.
    pub fn is_resting(&self) -> bool {
        self.resting
    }

    /// Returns the volume that has left over the edges since the start (m³; of blocks, cells).
    pub fn spilled(&self) -> f64 {
        self.spilled
    }

    /// Returns the model time (s) dropped because of the limit of steps.
    pub fn lost_time(&self) -> f64 {
        self.lost_time
    }
}

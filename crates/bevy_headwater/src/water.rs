//! The components: a world of each model, its clock, and how it is.

use crate::frame::WaterFrame;
use bevy::ecs::prelude::*;
use bevy::prelude::{Reflect, ReflectComponent, ReflectDefault, Transform};
use headwater::blocks::Blocks;
use headwater::columns::Columns;
use headwater::flow::Flow;
use headwater::hydrology::Hydrology;
use headwater::waves::Waves;
use std::ops::{Deref, DerefMut};

/// A component that is a model's world.
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
    /// Water that runs over terrain: a [`Flow`], seen from above ([`Orientation::Above`](crate::Orientation::Above)).
    Water(Flow)
}

water! {
    /// A surface that ripples: [`Waves`], seen from above. The entity's height is that of the surface at rest.
    Pond(Waves)
}

water! {
    /// Water, oil and lava in a world of blocks: [`Blocks`], in side view ([`Orientation::Side`](crate::Orientation::Side)).
    BlockWorld(Blocks)
}

water! {
    /// Pools between walls: [`Columns`], in side view.
    Pools(Columns)
}

water! {
    /// Land that rivers carve: a [`Hydrology`], seen from above. Its time is rain: drops per cell.
    CarvedLand(Hydrology)
}

/// How time goes on in a water. Every water has one.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Default)]
pub struct WaterClock {
    /// Time of the model in a second of the schedule's clock (s; of carved land, drops per cell), 0 or above. Default: 1.
    pub speed: f64,
    /// Whether it stands still. Edits are done all the same.
    pub paused: bool,
    /// The most steps of a `Water`, or of a scene, in a step of the schedule, 1 or above: the time beyond is left out
    /// ([`WaterState::lost_time`]), so that deep water on small cells, or a great speed, slows down instead of standing the app
    /// still. It is a number and not a time so that peers leave out the same. Ponds and pools have `max_steps` of their own.
    /// Default: [`MOST_STEPS`](Self::MOST_STEPS).
    pub most_steps: u32,
}

impl Default for WaterClock {
    fn default() -> Self {
        Self { speed: 1.0, paused: false, most_steps: Self::MOST_STEPS }
    }
}

impl WaterClock {
    /// Steps at most, unless something else is said: 100.
    pub const MOST_STEPS: u32 = 100;

    /// A clock with a speed of its own.
    pub const fn at_speed(speed: f64) -> Self {
        Self { speed, paused: false, most_steps: Self::MOST_STEPS }
    }
}

/// What the last step found. Every water has one; it is read, not written.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Default)]
pub struct WaterState {
    pub(crate) resting: bool,
    pub(crate) spilled: f64,
    pub(crate) lost_time: f64,
}

impl WaterState {
    /// Whether the water rests: steps do nothing until something stirs it.
    pub fn is_resting(&self) -> bool {
        self.resting
    }

    /// The water that has gone over the edges of the world since its start (m³; of blocks, cells).
    pub fn spilled(&self) -> f64 {
        self.spilled
    }

    /// Time of the model (s) that was left out because it was more than the most steps of one advance.
    pub fn lost_time(&self) -> f64 {
        self.lost_time
    }
}

//! Headwater for Bevy: water simulation as components, systems and messages.
//!
//! Each model is a component: [`Water`] flows over terrain, a [`Pond`] has waves, [`BlockWorld`]
//! and [`Pools`] are side views, and rivers carve a [`CarvedLand`]. An entity with one of these
//! components is called a water entity. [`HeadwaterPlugin`] steps the models in the schedule that
//! the app chooses, applies edits sent as messages ([`WaterEdit`]), and writes messages
//! ([`Flooded`], [`WaterSettled`], [`WaterSpilled`]). [`WaterQuery`] answers queries; entities with
//! [`Floats`] follow floating bodies.
//!
//! In debug builds, set `opt-level = 3` under `[profile.dev.package.headwater]` in the `Cargo.toml`
//! of your workspace. Without optimisation, a step is about a hundred times slower.
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_headwater::headwater::flow::{Change, Edit, Flow, Params};
//! use bevy_headwater::headwater::{Brush, Field, Square};
//! use bevy_headwater::prelude::*;
//!
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, HeadwaterPlugin::in_schedule(Update)));
//! let bed = Field::from_fn(40, 30, |x, _| 0.1 * x as f32);
//! let depth = bed.map(|&z| (2.0 - z).max(0.0));
//! let flow = Flow::new(Square::new(40, 30, 1.0, 1.0)?, Params::default(), bed, depth)?;
//! let water = app.world_mut().spawn(Water(flow)).id();
//! let island = Brush::smooth_disc([10.0, 15.0], 4.0);
//! app.world_mut().write_message(WaterEdit::new(water, island, Edit::Raise(Change::By(3.0))));
//! app.update();
//! # Ok::<(), bevy_headwater::headwater::InputError>(())
//! ```
//!
//! Components dereference to the worlds of [`headwater`], so the whole API of the library is
//! available. [`Orientation`] converts positions and directions.

mod any;
mod any_edit;
mod backend;
mod bodies;
mod check;
mod edit;
mod frame;
mod messages;
mod models;
mod plugin;
mod query;
mod ray;
#[cfg(feature = "render")]
pub mod render;
#[cfg(feature = "scenes")]
pub mod scene;
mod scene_data;
mod sensor;
mod sets;
mod step;
mod texels;
mod water;

pub use any::{AnyWater, AnyWaterItem, AnyWaterReadOnly, AnyWaterReadOnlyItem};
pub use any_edit::AnyEdit;
pub use backend::WaterBackend;
pub use bodies::body::{FloatingBody, Hull, Pose};
pub use bodies::floats::Floats;
pub use edit::WaterEdit;
pub use frame::{Orientation, WaterFrame};
pub use headwater;
#[cfg(feature = "scenes")]
pub use headwater_scene;
pub use messages::{BodyLost, Flooded, Loss, WaterRefused, WaterSettled, WaterSpilled};
pub use models::{PointState, WaterModel};
pub use plugin::HeadwaterPlugin;
pub use query::{WaterQuery, WaterSample};
pub use ray::WaterHit;
pub use sensor::FloodSensor;
pub use sets::HeadwaterSystems;
pub use texels::{Scratch, SurfaceInfo, TexelBuffers};
pub use water::{BlockWorld, CarvedLand, Pond, Pools, Water, WaterClock, WaterState};

/// The types that most apps need.
pub mod prelude {
    #[cfg(feature = "render")]
    pub use crate::render::{SurfaceEntities, WallTiles, WaterSurface};
    #[cfg(feature = "scenes")]
    pub use crate::scene::{SceneWater, WaterScene, WaterSceneRoot};
    pub use crate::{
        AnyWater, AnyWaterReadOnly, BlockWorld, BodyLost, CarvedLand, Floats, FloodSensor, Flooded,
        HeadwaterPlugin, HeadwaterSystems, Loss, Pond, Pools, Water, WaterBackend, WaterClock,
        WaterEdit, WaterHit, WaterQuery, WaterRefused, WaterSample, WaterSettled, WaterSpilled,
        WaterState,
    };
}

/// Compiles the example in the package's README as a test.
#[cfg(all(doctest, feature = "render"))]
#[doc = include_str!("../README.md")]
struct Readme;

//! Scenes, runs and pictures of the model `columns`, which simulates pools between walls in side
//! view.

pub(crate) mod check;
mod colors;
mod event;
mod model;
mod run;
mod scene;
pub(crate) mod tools;
pub(crate) mod world;

pub use colors::{MapCell, PALETTE};
pub use event::{Added, ColumnsAction, Push, Splash, Volume, WaterLevel, WindChange};
pub use scene::{
    BodyShape, ColumnsAnchor, ColumnsBody, ColumnsGauge, ColumnsHeater, ColumnsMeasure,
    ColumnsPhysics, ColumnsScene, ColumnsSource, ColumnsTarget, ColumnsWall, ColumnsWorldTable,
    HeatTable,
};
pub use world::ColumnsWorld;

//! The scene file: its schema, its checks and its error messages.
//!
//! A scene is a TOML text. [`load`] and [`parse`] read it, lay overrides (`--set key=value`) over it
//! and check it; the structs of this module are the reference of its keys, each with unit, range and
//! default. Lengths are metres, times seconds, rain, evaporation and infiltration mm/h; positions
//! are `[east, south]` of the top-left corner, in metres or percent. A number that may change in
//! time is a [`Series`](headwater::Series): a number, or a list of `[seconds, value]`.
//!
//! ```
//! let pond = r#"
//!     model = "flow"
//!     [grid]
//!     nx = 40
//!     ny = 30
//!     cell = 2
//!     [time]
//!     until = 60
//!     [terrain]
//!     noise = { height = 5 }
//!     [[source]]
//!     at = ["50%", "50%"]
//!     rate = 3
//! "#;
//! use headwater_scene::schema;
//! let scene = schema::parse("pond.toml", pond, &[])?;
//! assert_eq!(scene.until(), 60.0);
//!
//! let error = schema::parse("pond.toml", &pond.replace("nx", "nz"), &[]).unwrap_err();
//! assert!(error.to_string().starts_with("pond.toml:4:5: grid.nz: no such key; did you mean `nx`?"));
//! # Ok::<(), schema::SceneError>(())
//! ```
//!
//! No ground is made here and no water moves: see [`crate::terrain`].

pub mod blocks;
mod check;
pub(crate) mod clock;
pub mod columns;
mod files;
mod fit;
mod flow;
pub mod hydrology;
pub(crate) mod key;
mod origin;
mod output;
pub(crate) mod overrides;
mod place;
mod problem;
mod read;
mod setting;
mod site;
mod waves;
mod words;

pub use clock::Clock;
pub use files::Files;
pub use flow::{
    Above, Action, Body, BodyKind, Boundary, BoundaryKind, Carve, Cell, Change, Culvert, Ends,
    Evaporation, Event, EventOp, FlowScene, Gate, Gauge, Grid, Ground, Infiltration, Island, Keep,
    Lake, LatticeKind, Layer, Level, Noise, NoiseKind, Particles, Physics, PhysicsLevel, Plane,
    Quantity, Rain, Settle, Shape, ShapeOp, Source, Target, Water, Weir,
};
pub use output::{GaugeHead, LayerFormat, MeshFormat, Output, Recording, Time, Times};
pub use place::{Area, Coordinate, Disc, Line, Position, Rect, resolve};
pub use problem::{Place, Problem, SceneError};
pub(crate) use read::{from_table, parse_in, problem};
pub use read::{load, parse, parse_with};
pub(crate) use setting::{Named, Tables};
pub use site::Site;
pub use waves::{
    Gusts, Land, Maker, Shower, Start, Stroke, Swimmer, SwimmerPath, WavesAction, WavesEvent,
    WavesGauge, WavesGrid, WavesLayer, WavesMeasure, WavesOp, WavesPhysics, WavesScene,
};

use serde::Deserialize;
use setting::Setting;
use std::path::PathBuf;

/// The most cells a scene's grid may have: 2²⁶, an 8192 × 8192 grid.
pub const MAX_CELLS: usize = 1 << 26;

/// Columns and rows of a grid of which neither the scene nor a file says the size.
pub(crate) const DEFAULT_CELLS: usize = 256;

/// Size of a cell of which neither the scene nor a file says the size (m).
pub(crate) const DEFAULT_CELL: f64 = 4.0;

/// The model that runs a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Water over terrain.
    Flow,
    /// A rippling surface.
    Waves,
    /// Liquids in side view, cell by cell.
    Blocks,
    /// Pools in side view.
    Columns,
    /// Land that rivers, lakes and plants shape.
    Hydrology,
}

/// A scene that was read and checked, for the model that runs it.
#[derive(Clone, Debug, PartialEq)]
pub enum Scene {
    /// Water over terrain.
    Flow(Box<FlowScene>),
    /// A rippling surface.
    Waves(Box<WavesScene>),
    /// Liquids in side view, cell by cell.
    Blocks(Box<blocks::BlocksScene>),
    /// Pools in side view.
    Columns(Box<columns::ColumnsScene>),
    /// Land that rivers, lakes and plants shape.
    Hydrology(Box<hydrology::HydrologyScene>),
}

impl Scene {
    /// The scene, if the model is `flow`.
    pub fn flow(&self) -> Option<&FlowScene> {
        if let Scene::Flow(scene) = self { Some(scene) } else { None }
    }

    /// The scene, if the model is `flow`.
    pub fn into_flow(self) -> Option<FlowScene> {
        if let Scene::Flow(scene) = self { Some(*scene) } else { None }
    }

    /// The scene, if the model is `waves`.
    pub fn waves(&self) -> Option<&WavesScene> {
        if let Scene::Waves(scene) = self { Some(scene) } else { None }
    }

    /// The scene, if the model is `blocks`.
    pub fn blocks(&self) -> Option<&blocks::BlocksScene> {
        if let Scene::Blocks(scene) = self { Some(scene) } else { None }
    }

    /// The scene, if the model is `columns`.
    pub fn columns(&self) -> Option<&columns::ColumnsScene> {
        if let Scene::Columns(scene) = self { Some(scene) } else { None }
    }

    /// The scene, if the model is `hydrology`.
    pub fn hydrology(&self) -> Option<&hydrology::HydrologyScene> {
        if let Scene::Hydrology(scene) = self { Some(scene) } else { None }
    }

    /// The model that runs it.
    pub fn kind(&self) -> Model {
        match self {
            Scene::Flow(_) => Model::Flow,
            Scene::Waves(_) => Model::Waves,
            Scene::Blocks(_) => Model::Blocks,
            Scene::Columns(_) => Model::Columns,
            Scene::Hydrology(_) => Model::Hydrology,
        }
    }

    /// The seed of its random numbers.
    pub fn seed(&self) -> u32 {
        match self {
            Scene::Flow(scene) => scene.seed,
            Scene::Waves(scene) => scene.seed,
            Scene::Blocks(scene) => scene.seed,
            Scene::Columns(scene) => scene.seed,
            Scene::Hydrology(scene) => scene.seed,
        }
    }

    /// The name of the model that runs it.
    pub fn model(&self) -> &'static str {
        match self {
            Scene::Flow(_) => "flow",
            Scene::Waves(_) => "waves",
            Scene::Blocks(_) => "blocks",
            Scene::Columns(_) => "columns",
            Scene::Hydrology(_) => "hydrology",
        }
    }

    /// A short title, or nothing.
    pub fn title(&self) -> &str {
        self.setting().title()
    }

    /// What there is to see, or nothing.
    pub fn description(&self) -> &str {
        self.setting().description()
    }

    /// What its times are counted in.
    pub fn clock(&self) -> &'static Clock {
        self.setting().clock()
    }

    /// When its run ends (s; of hydrology, drops per cell).
    pub fn until(&self) -> f64 {
        self.setting().time().until
    }

    /// How many events it has.
    pub fn events(&self) -> usize {
        self.setting().events().len()
    }

    /// How many gauges it has.
    pub fn gauges(&self) -> usize {
        self.setting().gauges().len()
    }

    /// The names of its gauges.
    pub(crate) fn gauge_names(&self) -> Vec<String> {
        self.setting().gauges().iter().map(|gauge| gauge.name.to_owned()).collect()
    }

    /// A number that tells this scene, overrides included, from any other.
    pub fn fingerprint(&self) -> u64 {
        self.setting().origin().fingerprint()
    }

    /// An error about the value at a key path such as `source[0].rate`, found again in the text
    /// or the overrides, for what comes to light only after the scene was read.
    pub fn error(&self, key: &str, message: impl Into<String>) -> SceneError {
        self.setting().origin().locate(vec![(key.to_owned(), message.into())])
    }

    /// Where its files come from.
    pub fn source_of_files(&self) -> &Files {
        self.setting().origin().files()
    }

    /// The files it reads from the disk, and the keys that name them.
    pub(crate) fn files(&self) -> Vec<(&'static str, PathBuf)> {
        let mut copy = self.clone();
        let files = match &mut copy {
            Scene::Flow(scene) => scene.files_mut(),
            Scene::Waves(scene) => scene.files_mut(),
            Scene::Blocks(scene) => scene.files_mut(),
            Scene::Columns(scene) => scene.files_mut(),
            Scene::Hydrology(scene) => scene.files_mut(),
        };
        let on_disk = |path: &PathBuf| !self.source_of_files().holds(path);
        let files = files.into_iter().filter(|(_, path)| on_disk(path));
        files.map(|(key, path)| (key, path.clone())).collect()
    }

    pub(crate) fn setting(&self) -> &dyn Setting {
        match self {
            Scene::Flow(scene) => &**scene,
            Scene::Waves(scene) => &**scene,
            Scene::Blocks(scene) => &**scene,
            Scene::Columns(scene) => &**scene,
            Scene::Hydrology(scene) => &**scene,
        }
    }
}

fn default_seed() -> u32 {
    1
}

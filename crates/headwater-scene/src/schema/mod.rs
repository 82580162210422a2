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
//! assert_eq!(scene.time.until, 60.0);
//!
//! let error = schema::parse("pond.toml", &pond.replace("nx", "nz"), &[]).unwrap_err();
//! assert!(error.to_string().starts_with("pond.toml:4:5: grid.nz: no such key; did you mean `nx`?"));
//! # Ok::<(), schema::SceneError>(())
//! ```
//!
//! No ground is made here and no water moves: see [`crate::terrain`].

mod body;
mod check;
mod event;
mod ground;
mod key;
mod origin;
mod output;
mod overrides;
mod place;
mod problem;
mod read;
mod structure;
mod water;
mod words;

pub use body::{Above, Body, BodyKind};
pub use event::{Action, Change, Event, EventOp, Keep, Quantity};
pub use ground::{
    Cell, Grid, Ground, Island, LatticeKind, Level, Noise, NoiseKind, Plane, Shape, ShapeOp,
};
pub use output::{
    Gauge, Layer, LayerFormat, Level as PhysicsLevel, MeshFormat, Output, Particles, Physics,
    Settle, Target, Time,
};
pub use place::{Area, Coordinate, Disc, Line, Position, Rect, resolve};
pub use problem::{Place, Problem, SceneError};
pub use read::{load, parse};
pub use structure::{Culvert, Ends, Gate, Weir};
pub use water::{Boundary, BoundaryKind, Evaporation, Infiltration, Lake, Rain, Source, Water};

use crate::picture::Style;
use headwater::{Hex, Lattice, Square};
use origin::Origin;
use serde::Deserialize;

/// The most cells a scene's grid may have: 2²⁶, an 8192 × 8192 grid.
pub const MAX_CELLS: usize = 1 << 26;

/// Columns and rows of a grid of which neither the scene nor a file says the size.
pub(crate) const DEFAULT_CELLS: usize = 256;

/// Size of a cell of which neither the scene nor a file says the size (m).
pub(crate) const DEFAULT_CELL: f64 = 4.0;

/// A scene: a world, its water, what happens to it, and what is written of it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The model that runs it.
    pub model: Model,
    /// A short title, one line of at most 100 characters. Default: empty.
    #[serde(default)]
    pub title: String,
    /// What there is to see, one line of at most 200 characters. Default: empty.
    #[serde(default)]
    pub description: String,
    /// All that is random follows from it. Default 1.
    #[serde(default = "default_seed")]
    pub seed: u32,
    /// `[grid]`
    #[serde(default)]
    pub grid: Grid,
    /// `[time]`
    pub time: Time,
    /// `[settle]`: the world comes to a steady state before the run begins. Default: it does not.
    pub settle: Option<Settle>,
    /// `[physics]`
    #[serde(default)]
    pub physics: Physics,
    /// `[terrain]`
    pub terrain: Ground,
    /// `[water]`. Default: a dry world.
    #[serde(default)]
    pub water: Water,
    /// `[[source]]`
    #[serde(default, rename = "source")]
    pub sources: Vec<Source>,
    /// `[[drain]]`
    #[serde(default, rename = "drain")]
    pub drains: Vec<Source>,
    /// `[rain]`
    pub rain: Option<Rain>,
    /// `[evaporation]`
    pub evaporation: Option<Evaporation>,
    /// `[infiltration]`
    pub infiltration: Option<Infiltration>,
    /// `[[boundary]]`: at most 1000.
    #[serde(default, rename = "boundary")]
    pub boundaries: Vec<Boundary>,
    /// `[[culvert]]`
    #[serde(default, rename = "culvert")]
    pub culverts: Vec<Culvert>,
    /// `[[gate]]`
    #[serde(default, rename = "gate")]
    pub gates: Vec<Gate>,
    /// `[[weir]]`
    #[serde(default, rename = "weir")]
    pub weirs: Vec<Weir>,
    /// `[[obstacle]]`: buildings and walls, closed to water; at most 1000.
    #[serde(default, rename = "obstacle")]
    pub obstacles: Vec<Area>,
    /// `[[body]]`: what floats on the water.
    #[serde(default, rename = "body")]
    pub bodies: Vec<Body>,
    /// `[[event]]`
    #[serde(default, rename = "event")]
    pub events: Vec<Event>,
    /// `[[gauge]]`
    #[serde(default, rename = "gauge")]
    pub gauges: Vec<Gauge>,
    /// `[particles]`
    pub particles: Option<Particles>,
    /// `[output]`
    #[serde(default)]
    pub output: Output,
    /// `[picture]`: the pictures' style.
    #[serde(default)]
    pub picture: Style,
    #[serde(skip)]
    origin: Origin,
}

fn default_seed() -> u32 {
    1
}

/// The model that runs a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Water over terrain.
    Flow,
}

impl Scene {
    /// The lattice, where it is known without reading the terrain's file.
    ///
    /// `None` too for sizes no lattice can have, which no checked scene has.
    pub fn lattice(&self) -> Option<Lattice> {
        let Grid { nx, ny, cell, lattice } = self.grid;
        let known = nx.is_some() && ny.is_some() && cell.is_some();
        if self.terrain.file.is_some() && !known {
            return None;
        }
        let [dx, dy] = cell.map_or([DEFAULT_CELL; 2], Cell::sides);
        let (nx, ny) = (nx.unwrap_or(DEFAULT_CELLS), ny.unwrap_or(DEFAULT_CELLS));
        match lattice {
            LatticeKind::Square => Square::new(nx, ny, dx, dy).ok().map(Lattice::from),
            LatticeKind::Hex => Hex::new(nx, ny, dx).ok().map(Lattice::from),
        }
    }

    /// Checks all that stands somewhere against the lattice it stands on: positions lie on the
    /// grid, stretches of an edge fit it and do not overlap.
    ///
    /// [`load`] and [`parse`] do so where [`Scene::lattice`] is known; [`crate::terrain::build`]
    /// does in any case.
    ///
    /// # Errors
    /// [`SceneError`] with all that does not fit.
    pub fn check_on(&self, lattice: &Lattice) -> Result<(), SceneError> {
        let problems = check::fit::problems(self, lattice);
        if problems.is_empty() { Ok(()) } else { Err(self.origin.locate(problems)) }
    }

    /// A number that tells this scene, overrides included, from any other.
    pub fn fingerprint(&self) -> u64 {
        self.origin.fingerprint()
    }

    /// An error about the value at a key path such as `source[0].rate`, found again in the text
    /// or the overrides, for what comes to light only after the scene was read.
    pub fn error(&self, key: &str, message: impl Into<String>) -> SceneError {
        self.origin.locate(vec![(key.to_owned(), message.into())])
    }
}

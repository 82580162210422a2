//! The scene file: its keys, its checks and its error messages.
//!
//! A scene is a TOML text. [`load`] and [`parse`] read it, lay overrides (`--set key=value`) over it
//! and check it; the structs of the models' modules, such as [`FlowScene`](crate::flow::FlowScene),
//! are the reference of its keys, each with unit, range and default. Lengths are metres, times
//! seconds, rain, evaporation and infiltration mm/h; positions are `[east, south]` of the top-left
//! corner, in metres or percent. A number that may change in time is a [`Series`](headwater::Series):
//! a number, a list of `[seconds, value]`, or a CSV file.
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
//! use headwater_scene::scene;
//! let scene = scene::parse("pond.toml", pond, &[])?;
//! assert_eq!(scene.until(), 60.0);
//!
//! let error = scene::parse("pond.toml", &pond.replace("nx", "nz"), &[]).unwrap_err();
//! assert!(error.to_string().starts_with("pond.toml:4:5: grid.nz: no such key; did you mean `nx`?"));
//! # Ok::<(), scene::SceneError>(())
//! ```
//!
//! No ground is made here and no water moves: see [`crate::terrain`].

pub(crate) mod added;
mod beside;
pub(crate) mod check;
pub(crate) mod clock;
mod coordinate;
mod defaults;
mod erased;
pub(crate) mod event;
mod files;
mod fingerprint;
pub(crate) mod fit;
pub(crate) mod gauge_edit;
mod geojson;
pub(crate) mod inner;
pub(crate) mod key;
pub(crate) mod keys;
mod layer;
pub(crate) mod origin;
pub(crate) mod output;
pub(crate) mod overrides;
pub(crate) mod place;
mod places;
pub(crate) mod polygon;
mod problem;
pub(crate) mod read;
mod reader;
mod recorded;
pub(crate) mod schema;
pub(crate) mod setting;
pub(crate) mod site;
mod value;
mod words;

pub use beside::Beside;
pub use check::Checker;
pub use clock::Clock;
pub(crate) use defaults::{DEFAULT_CELL, DEFAULT_CELLS, default_seed};
pub use defaults::{MAX_CELLS, MAX_CELLS_IN_BANDS};
pub use erased::{ModelScene, Scene};
pub use event::{Alone, Deed, Event, Nothing, On};
pub use files::{Files, open_file};
pub(crate) use gauge_edit::GaugeTask;
pub use gauge_edit::{GaugeEdit, Measuring};
pub use keys::Keys;
pub use layer::{LayerName, Layers};
pub use origin::Origin;
pub(crate) use output::GaugeForm;
pub use output::{GaugeHead, LayerFormat, MeshFormat, Output, Recording, Time, Times};
pub use place::{Area, Coordinate, Disc, Extent, Line, Position, Rect, resolve};
pub use places::Places;
pub use polygon::Polygons;
pub use problem::{Place, Problem, Problems, SceneError};
pub(crate) use reader::problem;
pub use reader::{Reader, load, parse, parse_with, text_of};
pub(crate) use setting::entry_id;
pub use setting::{Common, Rules, Tables};
pub use site::{Grounded, Site};

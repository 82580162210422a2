//! Scene files, with their keys, checks and error messages.
//!
//! A scene is a TOML document. [`load`] and [`parse`] read it, apply overrides (`--set key=value`)
//! and check it. The structs of the models' modules, such as [`FlowScene`](crate::flow::FlowScene),
//! document the keys with their units, ranges and defaults. Lengths are in metres and times in
//! seconds; rain, evaporation and infiltration are in mm/h. Positions are `[east, south]`, measured
//! from the top-left corner, in metres or percent. A number that may vary in time is a
//! [`Series`](headwater::Series): a number, a list of `[seconds, value]`, or a CSV file.
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
//! Terrain is generated in [`crate::terrain`].

pub(crate) mod check;
pub(crate) mod clock;
mod defaults;
pub(crate) mod event;
mod extended_keys;
pub(crate) mod has_schema;
pub(crate) mod key;
pub(crate) mod keys;
mod layer;
pub(crate) mod limits;
pub(crate) mod output;
pub(crate) mod parameter;
pub(crate) mod place;
mod problem;
pub(crate) mod read;
#[expect(clippy::module_inception, reason = "the module's main type is `Scene`")]
mod scene;
pub(crate) mod scene_model;
#[cfg(feature = "schema")]
pub(crate) mod schema;
pub(crate) mod site;

pub use check::Checker;
pub use clock::Clock;
pub(crate) use defaults::{DEFAULT_CELL_SIZE, DEFAULT_CELLS_PER_SIDE, default_seed};
pub use defaults::{MAX_CELLS, MAX_CELLS_IN_BLOCKS};
pub(crate) use event::GaugeTask;
pub use event::{
    AnyAction, AreaAction, Dab, Event, EventEffect, GaugeEdit, GaugeEntry, NoKeys, NonAreaAction,
    Strength, Tool, ToolKind,
};
pub use extended_keys::ExtendedKeys;
pub use headwater_io::{Files, open_file};
pub use keys::Keys;
pub use layer::LayerName;
pub use limits::Limits;
pub(crate) use output::GaugeDefinition;
pub use output::{GaugeInfo, LayerFormat, MeshFormat, Output, Time, Times};
pub use parameter::{Parameter, ParameterKind};
pub use place::places::Places;
pub use place::polygon::Polygons;
pub use place::{Area, Coordinate, Disc, Extent, Line, Position, Rect, resolve_position};
pub use problem::{Problem, ProblemLocation, Problems, SceneError};
pub use read::origin::Origin;
pub(crate) use read::reader::scene_error;
pub use read::reader::{Reader, load, parse, parse_with_files, read_source};
pub(crate) use read::serde_error::spelling_hint;
pub use scene::Scene;
pub use scene_model::{CommonTables, SceneModel};
pub(crate) use scene_model::{check_fits_lattice, entry_id};
pub use site::{HasGround, TerrainScene};

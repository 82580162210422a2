//! Terrain shaped by rivers, with lakes and forests.
//!
//! A [`Hydrology`] world consists of rock, soil, lakes and plants. Drops of rain erode the land and
//! end in lakes or off the map (N. McDonald, "Procedural hydrology", 2020). All drops of a batch
//! fall on the same land, so the result does not depend on the number of threads. Lakes fill a
//! hierarchy of depressions. They rise, spill, merge, split and dry up at a cost that does not
//! depend on their size. Water and sediment are conserved exactly. Time is measured as depth of
//! rain. To simulate waves and floods in seconds, convert the land to a world of the model
//! [`flow`](crate::flow).
//!
//! ```
//! use headwater::hydrology::{Hydrology, Params, Substance};
//! use headwater::{Cause, Field, Square};
//!
//! // A valley of 64 m × 48 m that falls to the east, with a hollow in it.
//! let lattice = Square::new(64, 48, 1.0, 1.0)?;
//! let bed = Field::from_fn(64, 48, |x, y| {
//!     let (x, y) = (x as f32, y as f32);
//!     let hollow = ((x - 40.0).powi(2) + (y - 24.0).powi(2)) / 40.0;
//!     20.0 - 0.2 * x + 0.3 * (y - 24.0).abs() - 4.0 * (-hollow).exp()
//! });
//! let mut world = Hydrology::new(lattice, Params::default(), &bed)?;
//! world.rain(20_000);
//! let lake = world.layer("depth").expect("the layer exists");
//! assert!(world.drops() >= 20_000);
//! let sediment = world.balance(Substance::Sediment);
//! assert!(sediment.ledger.outflow(Cause::Boundary) > 0, "rivers carry sediment off the map");
//! assert_eq!(sediment.residual, 0, "sediment is conserved exactly");
//! assert_eq!(world.balance(Substance::Water).residual, 0, "water is conserved exactly");
//!
//! // The largest discharge.
//! let discharge = world.layer("discharge").expect("the layer exists");
//! assert!(discharge.min_max().is_some_and(|(_, most)| most > 300.0), "m³ per m of rain");
//!
//! // A world restored from a snapshot continues identically.
//! let mut again = Hydrology::restore(world.snapshot())?;
//! world.rain(1000);
//! again.rain(1000);
//! assert_eq!(world.state_hash(), again.state_hash());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod climate;
mod drops;
mod edit;
mod ground;
mod lakes;
mod model;
mod observe;
mod params;
mod preset;
pub mod reference;
pub mod report;
mod settings;
mod state;
mod step;
mod stream_power;
mod world;

pub use crate::brush::Change;
pub use climate::rain::Inflow;
pub use climate::winds::{Wind, orographic_rain};
pub use edit::Edit;
pub use ground::forest::{Niche, Plant};
pub use observe::layers::{LAYERS, View};
pub use observe::query::{CellState, Lake};
pub use observe::streams::Streams;
pub use params::{EdgeKind, Edges, Params, Strata};
pub use preset::Preset;
pub use state::fixed::{MAX_CELLS, MAX_HEIGHT};
pub use state::ledger::Substance;
pub use state::snapshot::Snapshot;
pub use stream_power::{Method, StreamPower};
pub use world::Hydrology;

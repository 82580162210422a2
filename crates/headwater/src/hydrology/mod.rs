//! `hydrology`: rivers, lakes and forests that carve the land.
//!
//! A [`Hydrology`] is a world of rock, soil, lakes and plants, carved by drops of rain that end in
//! lakes or off the map (N. McDonald, "Procedural hydrology", 2020). Drops fall in batches on the
//! same land, so that they walk on all threads with the same outcome. Lakes belong to a hierarchy
//! of depressions: they rise, spill, merge, split and dry up at a cost that does not depend on
//! their size. All books close exactly. Time is rain; for waves and floods in seconds, hand the
//! land over to [`flow`](crate::flow).
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
//! let lake = world.layer("depth").expect("a layer of its own");
//! assert!(world.drops() >= 20_000);
//! let sediment = world.balance(Substance::Sediment);
//! assert!(sediment.ledger.outflow(Cause::Boundary) > 0, "the rivers carry land away");
//! assert_eq!(sediment.residual, 0, "not a grain is lost");
//! assert_eq!(world.balance(Substance::Water).residual, 0, "nor a drop");
//!
//! // Where most water runs.
//! let discharge = world.layer("discharge").expect("a layer of its own");
//! assert!(discharge.min_max().is_some_and(|(_, most)| most > 300.0), "m³ per m of rain");
//!
//! // A run can stop at any time and go on later.
//! let mut again = Hydrology::restore(world.snapshot())?;
//! world.rain(1000);
//! again.rain(1000);
//! assert_eq!(world.state_hash(), again.state_hash());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bands;
mod banks;
mod basins;
mod batch;
mod check;
mod counts;
mod creep;
mod deal;
mod edit;
mod exchange;
mod fabric;
mod fixed;
mod floors;
mod forest;
mod grid;
mod held;
mod hierarchy;
mod intake;
mod lakes;
mod land;
mod layers;
mod ledger;
mod model;
mod node;
mod pace;
mod packed;
mod params;
pub mod plain;
mod preset;
mod query;
mod rain;
mod random;
pub mod report;
mod rock;
mod saddles;
mod scale;
mod settings;
mod silt;
mod snapshot;
mod spots;
mod step;
mod storm;
mod stream_power;
mod streams;
mod sums;
mod terrain;
mod undercut;
mod walk;
mod water;
mod winds;
mod workspace;
mod world;

pub use crate::brush::Change;
pub use edit::Edit;
pub use fixed::{HIGHEST, MAX_CELLS};
pub use forest::{Niche, Plant};
pub use layers::{LAYERS, View};
pub use ledger::Substance;
pub use params::{EdgeKind, Edges, Params, Strata};
pub use preset::Preset;
pub use query::{CellState, Lake};
pub use rain::Inflow;
pub use snapshot::Snapshot;
pub use stream_power::{Method, StreamPower};
pub use streams::Streams;
pub use winds::{Wind, rain_of_winds};
pub use world::Hydrology;

//! Headwater, a water engine for grid worlds.
//!
//! This crate contains the models and their building blocks. It has no file formats, windows, wall
//! clocks or global state; scene files, rendering and the command-line program are separate crates.
//!
//! In debug builds, set `opt-level = 3` under `[profile.dev.package.headwater]` in the `Cargo.toml`
//! of your workspace. Without optimisation, a step is about a hundred times slower.
//!
//! # A tour
//!
//! A lattice defines the number, shape and size of the cells. Fields are dense arrays with one
//! value per cell. Row 0 is the northernmost row, heights increase upward, and units are SI.
//!
//! ```
//! use headwater::{Field, Square};
//! let lattice = Square::new(64, 48, 2.0, 2.0)?; // 128 m × 96 m
//! let mut bed = Field::from_fn(64, 48, |x, y| 0.05 * x as f32 + 0.02 * y as f32);
//! # Ok::<(), headwater::InputError>(())
//! ```
//!
//! Positions are in metres from the top-left corner. A region is an area of the plane; a brush is a
//! region with an optional falloff toward its rim. Brushes edit fields and running worlds.
//!
//! ```
//! # use headwater::{Field, Square};
//! # let lattice = Square::new(64, 48, 2.0, 2.0)?;
//! # let mut bed = Field::from_fn(64, 48, |x, y| 0.05 * x as f32 + 0.02 * y as f32);
//! use headwater::{Brush, Region, brush};
//! let dam = Brush::with_flat_falloff(Region::line([[60.0, 0.0], [60.0, 96.0]], 6.0));
//! brush::apply(&mut bed, &dam.cells(&lattice)?, |_, height| height.max(5.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A model is created from parameters and fields, which it validates. It advances in time, accepts
//! edits and queries, and keeps a ledger of all inflow and outflow.
//!
//! ```
//! # use headwater::{Brush, Field, Region, Square};
//! use headwater::flow::{Change, Edit, Flow, Params, Source};
//! # let lattice = Square::new(64, 48, 2.0, 2.0)?;
//! # let bed = Field::from_fn(64, 48, |x, _| if x == 30 { 5.0 } else { 0.05 * x as f32 });
//! let lake = |x, y| if x > 30 { (4.5_f32 - bed[(x, y)]).max(0.0) } else { 0.0 };
//! let depth = Field::from_fn(64, 48, lake);
//! let mut flow = Flow::new(lattice, Params { friction: 0.1, ..Params::default() }, bed, depth)?;
//! flow.add_spring(Source::new(Region::disc([110.0, 40.0], 4.0), 2.0))?; // 2 m³/s
//! flow.advance(10.0)?;
//! assert!(!flow.is_flooded([20.0, 48.0]));
//!
//! let spade = Brush::with_flat_falloff(Region::disc([61.0, 48.0], 5.0));
//! flow.edit(&spade, Edit::Lower(Change::To(1.0)))?;
//! flow.advance(20.0)?;
//! assert!(flow.is_flooded([20.0, 48.0]));
//! assert!(flow.discharge_through([61.0, 96.0], [61.0, 0.0]) < 0.0, "water flows west");
//! assert!(flow.balance().residual_relative.abs() < 1e-8);
//! # Ok::<(), headwater::InputError>(())
//! ```
//!
//! A snapshot contains the complete state of a model. A restored model continues bit for bit like
//! the original. The state hash is the same on every machine and for any number of threads.
//!
//! ```
//! # use headwater::{Field, Square};
//! # use headwater::flow::{Flow, Params};
//! # let lattice = Square::new(16, 12, 2.0, 2.0)?;
//! # let depth = Field::from_fn(16, 12, |x, y| (x + y) as f32);
//! # let mut flow = Flow::new(lattice, Params::default(), Field::new(16, 12, 0.0), depth)?;
//! let mut again = Flow::restore(flow.snapshot())?;
//! flow.advance(1.0)?;
//! again.advance(1.0)?;
//! assert_eq!(flow.state_hash(), again.state_hash());
//! # Ok::<(), headwater::InputError>(())
//! ```
//!
//! The [`waves`] model simulates small ripples on a surface of given mean level, with a fixed time
//! step.
//!
//! ```
//! use headwater::Square;
//! use headwater::waves::{Params, Waves};
//! let pond = Square::new(96, 64, 0.1, 0.1)?;
//! let mut waves = Waves::new(pond, Params { speed: 1.0, ..Params::default() })?;
//! waves.add_drop([3.0, 3.0], 0.5, 0.05)?; // a crater 5 cm deep with a raised rim
//! let frame = waves.advance(1.0 / 30.0)?;
//! assert_eq!(frame.steps, 2);
//! assert_eq!(waves.mean_level(), 0.0, "drops conserve volume");
//! # Ok::<(), headwater::InputError>(())
//! ```
//!
//! [`coupling`] combines models, for example waves that are advected by a flow's current.
//!
//! [`hydrology`] erodes terrain with rain drops or a stream-power law and forms rivers, lakes and
//! forests. [`coupling::carved_to_flow`] converts the result to a flow with its lakes, rivers and
//! sea.
//!
//! [`blocks`] is a cellular automaton in side view: a grid of walls, air and liquids. It advances
//! in steps, and its ledgers count whole units.
//!
//! ```
//! use headwater::blocks::{Blocks, Edit, Liquid, Params};
//! use headwater::Region;
//! let mut world = Blocks::from_text(
//!     "~~~#....
//!      ~~~#....
//!      ~~~#....
//!      #########",
//!     Params::default(),
//! )?;
//! // Dig through the dam: water three cells deep in three columns spreads over eight.
//! world.edit(&Region::rect([3.0, 2.0], [4.0, 3.0]), Edit::Dig)?;
//! assert!(world.run_to_rest(100));
//! let water_level = world.surface_level(7, 2).unwrap_or(0.0);
//! assert!((1.0..3.0).contains(&water_level), "{water_level}");
//! assert!((world.surface_level(0, 2).unwrap_or(0.0) - water_level).abs() < 0.02);
//! assert_eq!(world.balance(Liquid::Water).residual, 0);
//! # Ok::<(), headwater::InputError>(())
//! ```
//!
//! # Features
//!
//! - `dispatch` (default): inner loops select the widest vector instructions of the processor at
//!   run time. Without it they use the instructions of `-C target-cpu`. Results are the same.
//! - `parallel` (default): rows are processed on rayon's current thread pool. Without it everything
//!   runs on the calling thread. Results are the same.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod blocks;
pub mod brush;
pub mod changes;
mod check;
pub mod clock;
pub mod columns;
pub mod coupling;
pub mod distributed;
pub mod error;
pub mod field;
pub mod flow;
mod hash;
pub mod hydrology;
pub mod ids;
pub mod lattice;
pub mod layer;
pub mod ledger;
pub mod mesh;
pub mod model;
mod numbers;
pub mod open;
pub mod parallel;
pub mod parameter;
pub mod region;
mod scratch;
pub mod series;
pub mod waves;

pub use brush::Brush;
pub use clock::{AdvanceSummary, FixedStep};
pub use error::{InputError, InputPosition};
pub use field::Field;
pub use ids::{Id, IdList};
pub use lattice::{Edge, Hex, Lattice, Square};
pub use layer::Layer;
pub use ledger::{Balance, Cause, Ledger};
pub use mesh::Mesh;
pub use model::Model;
pub use region::{Falloff, Point, Polygon, Region};
pub use series::Series;

/// Compiles and runs the examples in the documentation pages as doctests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../docs/blocks.md")]
#[doc = include_str!("../../../docs/columns.md")]
#[doc = include_str!("../../../docs/waves.md")]
struct Documents;

/// Compiles and runs the example in the crate's README as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

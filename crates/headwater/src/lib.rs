//! Headwater, the water engine for grid worlds.
//!
//! This crate holds the models and what they stand on. It knows no file formats, windows, clocks or
//! global state; scene files, pictures and the program are in the crates around it.
//!
//! # A tour
//!
//! A world stands on a lattice, which says how many cells there are and of what size, and on fields,
//! dense arrays of one number per cell. Row 0 is the north; heights grow upward; units are SI.
//!
//! ```
//! use headwater::{Field, Square};
//! let lattice = Square::new(64, 48, 2.0, 2.0)?; // 128 m × 96 m
//! let mut bed = Field::from_fn(64, 48, |x, y| 0.05 * x as f32 + 0.02 * y as f32);
//! # Ok::<(), headwater::InputError>(())
//! ```
//!
//! Places are regions in metres from the top-left corner; a brush is a region that may fade towards
//! its rim. The same brushes shape a field before there is water, and a running world later.
//!
//! ```
//! # use headwater::{Field, Square};
//! # let lattice = Square::new(64, 48, 2.0, 2.0)?;
//! # let mut bed = Field::from_fn(64, 48, |x, y| 0.05 * x as f32 + 0.02 * y as f32);
//! use headwater::{Brush, Region, brush};
//! let dam = Brush::flat(Region::line([[60.0, 0.0], [60.0, 96.0]], 6.0));
//! brush::apply(&mut bed, &dam.cells(&lattice)?, |_, height| height.max(5.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A model takes parameters and fields, checks them, and is a world from then on: it steps, it can be
//! edited and asked, and it keeps a ledger of all that came and went.
//!
//! ```
//! # use headwater::{Brush, Field, Region, Square};
//! use headwater::flow::{Change, Edit, Flow, Params, Source};
//! # let lattice = Square::new(64, 48, 2.0, 2.0)?;
//! # let bed = Field::from_fn(64, 48, |x, _| if x == 30 { 5.0 } else { 0.05 * x as f32 });
//! let depth = Field::from_fn(64, 48, |x, y| if x > 30 { (4.5 - bed[(x, y)]).max(0.0) } else { 0.0 });
//! let mut flow = Flow::new(lattice, Params { friction: 0.1, ..Params::default() }, bed, depth)?;
//! flow.add_spring(Source::new(Region::disc([110.0, 40.0], 4.0), 2.0))?; // 2 m³/s
//! flow.advance(10.0)?;
//! assert!(!flow.is_flooded([20.0, 48.0]));
//!
//! let spade = Brush::flat(Region::disc([61.0, 48.0], 5.0));
//! flow.edit(&spade, Edit::Lower(Change::To(1.0)))?;
//! flow.advance(20.0)?;
//! assert!(flow.is_flooded([20.0, 48.0]));
//! assert!(flow.discharge_through([61.0, 96.0], [61.0, 0.0]) < 0.0, "it runs to the west");
//! assert!(flow.balance().residual_relative.abs() < 1e-8);
//! # Ok::<(), headwater::InputError>(())
//! ```
//!
//! A snapshot holds all that a world needs to go on. Restored, it goes on as if it had never stopped;
//! the hash of its state says so, and is the same on every machine and for any number of threads.
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
//! Ripples are a world of their own: waves on a surface whose mean level is given, in steps that never
//! change. See [`waves`].
//!
//! ```
//! use headwater::Square;
//! use headwater::waves::{Params, Waves};
//! let pond = Square::new(96, 64, 0.1, 0.1)?;
//! let mut waves = Waves::new(pond, Params { speed: 1.0, ..Params::default() })?;
//! waves.drop([3.0, 3.0], 0.5, 0.05)?; // a crater of 5 cm with its rim
//! let frame = waves.advance(1.0 / 30.0)?;
//! assert_eq!(frame.steps, 2);
//! assert_eq!(waves.mean_level(), 0.0, "a drop moves water and makes none");
//! # Ok::<(), headwater::InputError>(())
//! ```
//!
//! Ripples can ride on running water: [`coupling`] lays waves over a flow, whose current carries them.
//!
//! Land can carve itself: [`hydrology`] lets drops fall until there are rivers, lakes and forests.
//! [`coupling::carved_to_flow`] makes a flow world of it, with its lakes, its rivers and its sea.
//!
//! Worlds built of blocks are seen from the side. A [`blocks::Blocks`] world is a grid of walls, air and
//! liquids; it moves by steps, and its ledgers are kept in whole numbers.
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
//! // Dig through the dam: what was three cells deep on three columns stands on eight.
//! world.edit(&Region::rect([3.0, 2.0], [4.0, 3.0]), Edit::Dig)?;
//! assert!(world.run_to_rest(100));
//! let level = world.level(7, 2).unwrap_or(0.0);
//! assert!((1.0..3.0).contains(&level), "{level}");
//! assert!((world.level(0, 2).unwrap_or(0.0) - level).abs() < 0.02);
//! assert_eq!(world.balance(Liquid::Water).residual, 0);
//! # Ok::<(), headwater::InputError>(())
//! ```
//!
//! # Features
//!
//! - `dispatch` (default): loops choose the widest instructions of the processor that they find themselves on. Without it they
//!   have those that the compiler was told of (`-C target-cpu`), with the same results.
//! - `parallel` (default): rows are stepped on rayon's current thread pool. Without it everything runs
//!   on the calling thread, with the same results.

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
mod point;
mod polygon;
pub mod region;
mod scratch;
pub mod series;
mod walk;
pub mod waves;

pub use brush::Brush;
pub use clock::{AdvanceSummary, FixedStep};
pub use error::{InputError, Place};
pub use field::Field;
pub use ids::{Id, IdList};
pub use lattice::{Edge, Hex, Lattice, Square};
pub use layer::Layer;
pub use ledger::{Balance, Cause, Ledger};
pub use mesh::Mesh;
pub use model::Model;
pub use region::{Falloff, Point, Polygon, Region};
pub use series::Series;

/// The documents' examples, so that they are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../docs/blocks.md")]
#[doc = include_str!("../../../docs/columns.md")]
#[doc = include_str!("../../../docs/waves.md")]
struct Documents;

/// The package's README, whose example is run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

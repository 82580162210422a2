//! `blocks`: water in side view, for worlds built of blocks, where connected vessels level out.
//!
//! A [`Blocks`] world is `nx × ny` cells, row 0 at the top: walls, air, and liquids that fill a cell by
//! 256ths. Liquid is only ever handed on, so that its volume is exact for ever. What stands and hangs
//! together is a body, and levels out by its hydrostatic head at a pace that depends on its height; what
//! nothing holds up falls. There is no momentum: no waves, no splashes, no swirls.
//!
//! ```
//! use headwater::blocks::{Blocks, Cell, Liquid, Params};
//!
//! // Two wells, joined at the bottom.
//! let mut world = Blocks::from_text(
//!     "#~#.#
//!      #~#.#
//!      #~#.#
//!      #~#.#
//!      #~~~#
//!      ######",
//!     Params::default(),
//! )?;
//! world.run_to_rest(100);
//! assert_eq!(
//!     world.to_text(),
//!     "#.#.#\n#.#.#\n#~#~#\n#~#~#\n#~~~#\n#####\n"
//! );
//!
//! // Brick up the way between them, and pour more into the one on the right.
//! world.set(2, 4, Cell::Wall)?;
//! world.set(3, 1, Cell::WATER)?;
//! assert!(world.run_to_rest(100), "a world without springs comes to rest");
//! assert_eq!(world.level(1, 4), Some(4.0), "rows above the bottom of the world");
//! assert_eq!(world.level(3, 4), Some(5.0));
//! assert_eq!(world.balance(Liquid::Water).residual, 0, "not a drop is lost");
//! # Ok::<(), headwater::InputError>(())
//! ```
//!
//! Worlds larger than memory, in chunks that come and go around players, are in [`open`].

mod amounts;
mod asks;
mod bodies;
mod cell;
mod chunk;
mod chunk_set;
mod cliff;
mod edit;
mod exchange;
mod fall;
mod float;
mod front;
mod grid;
mod label;
mod labelled;
mod layers;
mod ledgers;
mod level;
mod model;
mod moves;
mod near;
pub mod open;
mod openings;
mod params;
mod places;
mod plain;
mod portions;
mod query;
mod reach;
mod refresh;
mod share;
mod simple;
mod slicks;
mod slot;
mod snapshot;
mod sources;
mod step;
mod stone;
mod tags;
mod text;
mod under;
mod ways;
mod whole;
mod world;

pub use cell::{Cell, FULL, Liquid};
pub use edit::Edit;
pub use exchange::{Drain, Spring};
pub use layers::{LAYERS, View};
pub use params::{Params, Rule};
pub use snapshot::Snapshot;
pub use text::LEGEND;
pub use world::{AMOUNT, Blocks, MAX_SIDE};

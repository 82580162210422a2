//! Side-view model of liquids in worlds built of blocks, with communicating vessels.
//!
//! A [`Blocks`] world has `nx × ny` cells, with row 0 at the top. A cell is wall, air, or a liquid
//! that fills it in steps of 1/256. Steps only move liquid between cells, so its volume is exact.
//! Connected liquid of one kind is called a body. A body levels out according to its hydrostatic
//! head, at a pace that depends on its height. Unsupported liquid falls. The model has no momentum,
//! so there are no waves, splashes or eddies.
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
//! assert_eq!(world.surface_level(1, 4), Some(4.0), "rows above the bottom of the world");
//! assert_eq!(world.surface_level(3, 4), Some(5.0));
//! assert_eq!(world.balance(Liquid::Water).residual, 0, "not a drop is lost");
//! # Ok::<(), headwater::InputError>(())
//! ```
//!
//! [`open`] has worlds larger than memory, whose chunks are loaded and unloaded around players.

mod edit;
mod model;
mod observe;
pub mod open;
mod params;
mod sources;
mod stages;
mod state;
mod step;
mod surface;
mod world;

pub use edit::Edit;
pub use observe::layers::{LAYERS, View};
pub use params::{Bottom, MAX_SIDE, Params, Rule, Side};
pub use sources::exchange::{Drain, Spring};
pub use state::cell::{Cell, FULL, Liquid};
pub use state::snapshot::Snapshot;
pub use state::text::LEGEND;
pub use world::{AMOUNT, Blocks};

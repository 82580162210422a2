//! Unbounded worlds of blocks, based on [open worlds](crate::open). In loaded chunks, liquids move
//! as in a [`Blocks`](super::Blocks) world.
//!
//! ```
//! use headwater::Field;
//! use headwater::blocks::open::{CHUNK, ChunkPos, OpenWorld};
//! use headwater::blocks::{Cell, Liquid, Params};
//!
//! // Two chunks side by side: a floor, and a tower of water in the western one.
//! let chunk = |tower: bool| {
//!     Field::from_fn(CHUNK, CHUNK, |x, y| match () {
//!         () if y > 50 => Cell::Wall,
//!         () if tower && x > 55 && y > 40 => Cell::WATER,
//!         () => Cell::Air,
//!     })
//! };
//! let (west, east) = (ChunkPos::new(-1, 0), ChunkPos::new(0, 0));
//! let mut world = OpenWorld::new(Params::default())?;
//! world.insert(west, &chunk(true))?;
//! world.insert(east, &chunk(false))?;
//! world.step_many(30);
//! assert_ne!(world.cell([20, 50]), Some(Cell::Air), "the water runs from chunk to chunk");
//!
//! // The player goes west: the eastern chunk is kept somewhere else, and comes back.
//! let bytes = world.unload(east)?;
//! assert_eq!(world.cell([20, 50]), None);
//! world.step_many(30);
//! world.load(east, &bytes)?;
//! world.step_many(30);
//! assert_eq!(world.balance(Liquid::Water).residual, 0, "not a drop is lost");
//! # Ok::<(), headwater::InputError>(())
//! ```

mod cells;
mod group;
mod model;
mod world;

pub use crate::open::{Border, CHUNK, ChunkPos, OpenBalance};
pub use group::ConnectedBlocks;
pub use model::Transfer;
pub use world::OpenWorld;

/// Checks that chunks of an open world and chunks of the grid have the same size.
const _: () = assert!(CHUNK == super::state::label::SIDE);

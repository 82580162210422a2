//! Open worlds of blocks: chunks of 64 × 64 cells that a game loads from bytes and unloads to bytes
//! around its players.
//!
//! Loaded chunks move by the same step as a [`Blocks`](super::Blocks) world, bit for bit. Unloaded
//! chunks stand still, and nothing enters them unless the game sets a [`Border`] that passes. The
//! ledger of an [`OpenWorld`] covers loaded chunks, unloaded ones and transfers between them. Its
//! state depends on which chunks are loaded in which steps, and not on the order of the calls
//! between two steps.
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
//! assert!(world.fill_at([20, 50]) > Some(0), "the water runs from chunk to chunk");
//!
//! // The player goes west: the eastern chunk is kept somewhere else, and comes back.
//! let bytes = world.unload(east)?;
//! assert_eq!(world.fill_at([20, 50]), None);
//! world.step_many(30);
//! world.load(east, &bytes)?;
//! world.step_many(30);
//! assert_eq!(world.balance(Liquid::Water).residual, 0, "not a drop is lost");
//! # Ok::<(), headwater::InputError>(())
//! ```

mod bounds;
mod cells;
mod group;
mod sources;
mod store;
mod transfer;
mod world;

pub use crate::open::{Border, CHUNK, ChunkPos, OpenBalance};
pub use store::Store;
pub use transfer::Transfer;

/// A world of blocks without bounds, of which some chunks are loaded.
pub type OpenWorld = crate::open::OpenWorld<Store>;

/// A chunk is one of those that the grid is made of.
const _: () = assert!(CHUNK == super::label::SIDE);

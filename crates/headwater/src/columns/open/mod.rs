//! Open worlds of columns: chunks of 64 × 64 cells that a game loads from bytes and unloads to
//! bytes around its players, as in [`blocks::open`](crate::blocks::open).
//!
//! Loaded chunks move by the same step as a [`Columns`](super::Columns) world with a wall around
//! it. Unloaded chunks stand still, and nothing enters them unless the game sets a [`Border`] that
//! passes. The ledger of an [`OpenWorld`] covers loaded chunks, unloaded ones and transfers between
//! them. Its state depends on which chunks are loaded in which steps and edits, and not on the
//! order of the calls between two of them.
//!
//! Flow between two chunks stops when one of them is unloaded. There is no sky: unloaded chunks
//! above are a ceiling. An open world has no weather, wind, heat, bodies or trapped air.
//!
//! ```
//! use headwater::Field;
//! use headwater::columns::Params;
//! use headwater::columns::open::{CHUNK, ChunkPos, OpenWorld};
//!
//! // Two chunks side by side: a floor, and a tower of water in the western one. Cells of half a metre.
//! let walls = Field::from_fn(CHUNK, CHUNK, |_, y| y > 50);
//! let tower = Field::from_fn(CHUNK, CHUNK, |x, y| f64::from(u8::from(x > 55 && y > 40)));
//! let dry = Field::new(CHUNK, CHUNK, 0.0);
//! let (west, east) = (ChunkPos::new(-1, 0), ChunkPos::new(0, 0));
//! let mut world = OpenWorld::new(0.5, Params::default())?;
//! world.insert(west, &walls, &tower)?;
//! world.insert(east, &walls, &dry)?;
//! world.step_many(120);
//! assert!(world.surface_at([2.0, 25.0]).is_some(), "the water runs from chunk to chunk");
//!
//! // The player goes west: the eastern chunk is kept somewhere else, and comes back.
//! let bytes = world.unload(east)?;
//! assert_eq!(world.surface_at([2.0, 25.0]), None);
//! world.step_many(30);
//! world.load(east, &bytes)?;
//! world.step_many(30);
//! assert_eq!(world.balance().residual, 0.0, "not a drop is lost");
//! # Ok::<(), headwater::InputError>(())
//! ```

mod chunk;
mod edit;
mod group;
mod heights;
mod inherit;
mod query;
mod snapshot;
mod sources;
mod store;
mod transfer;
mod world;

pub use crate::open::{Border, CHUNK, ChunkPos, OpenBalance};
pub use store::Store;
pub use transfer::Transfer;

/// A world of columns without bounds, of which some chunks are loaded.
///
/// Positions are in metres from the corner of the cell `[0, 0]`, to the east and downward.
pub type OpenWorld = crate::open::OpenWorld<Store>;

//! [Open worlds](crate::open) of columns: unbounded worlds made of chunks. Each set of connected
//! loaded chunks is simulated as one [`Columns`](super::Columns) world.
//!
//! When a chunk is unloaded, the flow between this chunk and its neighbours stops. There is no open
//! sky, because unloaded chunks act as a ceiling for the chunks below. An open world has no
//! weather, wind, heat, floating bodies or trapped air.
//!
//! ```
//! use headwater::Field;
//! use headwater::columns::Params;
//! use headwater::columns::open::{CHUNK, ChunkPos, OpenWorld};
//!
//! // Two chunks side by side: a floor, and a tower of water in the western one. Cells of 0.5 m.
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
//! // The player goes west: the eastern chunk is unloaded, stored elsewhere and loaded again.
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
mod model;
mod world;

pub use crate::open::{Border, CHUNK, ChunkPos, OpenBalance};
pub use group::ConnectedColumns;
pub use model::Transfer;
pub use world::OpenWorld;

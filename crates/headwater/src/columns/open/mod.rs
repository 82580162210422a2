//! Open worlds: worlds of pools without edges and larger than memory, in chunks of 64 × 64 cells that a game loads and unloads
//! around its players, from and to bytes: the twin of [`blocks::open`](crate::blocks::open).
//!
//! What is loaded moves by the same step as a [`Columns`](super::Columns) world with a wall around it; what is not loaded stands still
//! as it is. Nothing crosses into what is not loaded unless the game lets it ([`Border`]), and then it is on the books until it
//! is brought in there. So an [`OpenWorld`]'s books close over all its chunks, those in the game's files among them, and its state
//! depends on which chunks are loaded in which steps and edits, and on nothing else: not on the order in which they came and went between
//! two of them.
//!
//! What crosses between chunks comes to a stop when one of them is unloaded. There is no sky: what is not loaded above is a ceiling. An
//! open world has no weather, wind, heat, bodies or kept air.
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

mod beyond;
mod books;
mod edit;
mod inherit;
mod island;
mod land;
mod passed;
mod piece;
mod place;
mod query;
mod save;
mod sources;
mod springs;
mod stored;
mod tract;
mod world;

pub use crate::open::{Border, CHUNK, ChunkPos};
pub use books::OpenBalance;
pub use passed::Passed;
pub use world::OpenWorld;

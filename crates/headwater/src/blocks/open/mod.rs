//! Open worlds: worlds of blocks without edges and larger than memory, in chunks of 64 × 64 cells that a game loads and unloads
//! around its players, from and to bytes.
//!
//! What is loaded moves by the same step as a [`Blocks`](super::Blocks) world, bit for bit; what is not loaded stands still as
//! it is. Nothing crosses into what is not loaded unless the game lets it ([`Border`]), and then it is on the books until it
//! is brought in there. So an [`OpenWorld`]'s books close over all its chunks, those in the game's files among them, and its state
//! depends on which chunks are loaded in which steps, and on nothing else: not on the order of the calls between two steps.
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

mod beyond;
mod books;
mod edges;
mod edit;
mod island;
mod land;
mod passed;
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

/// A chunk is one of those that the grid is made of.
const _: () = assert!(CHUNK == super::label::SIDE);

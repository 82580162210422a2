//! Open worlds: worlds without bounds, made of chunks of 64 × 64 cells that a game loads from bytes
//! and unloads to bytes around its players.
//!
//! Loaded chunks move by the same step as a world with a wall around it, bit for bit. Unloaded
//! chunks stand still, and nothing enters them unless the game sets a [`Border`] that passes. The
//! ledger of an [`OpenWorld`] covers loaded chunks, unloaded ones and transfers between them. Its
//! state depends on which chunks are loaded in which steps and edits, and not on the order of the
//! calls between two of them.
//!
//! [`OpenWorld`] does what does not depend on the model. A model adds its groups of connected chunks
//! (`ChunkGroup`), edits and queries: see [`blocks::open`](crate::blocks::open) and
//! [`columns::open`](crate::columns::open).

mod border;
mod chunk;
mod group;
mod snapshot;
mod sources;
mod store;
mod transfer;
mod world;

pub use border::Border;
pub use chunk::{CHUNK, ChunkPos};
pub use group::OpenModel;
pub use world::{OpenBalance, OpenWorld};

pub(crate) use border::{Borders, Edges};
pub(crate) use chunk::Bounds;
pub(crate) use group::{
    ChunkGroup, Context, Groups, Pending, SourcePlaces, Sources, Spread, StoredChunk,
};
pub(crate) use transfer::{InTransit, TransferKey};

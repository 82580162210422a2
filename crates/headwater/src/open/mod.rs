//! Unbounded worlds made of chunks with 64 × 64 cells. A game unloads a chunk to bytes when its
//! players leave, and loads the bytes again when players return.
//!
//! Loaded chunks follow the same step as a closed world, bit for bit. Unloaded chunks do not
//! change, and nothing enters them unless the game sets a [`Border`] that passes. The ledger of an
//! [`OpenWorld`] covers loaded chunks, unloaded ones and transfers between them. The state depends
//! on the set of loaded chunks in each step and edit, but not on the order of loading in between.
//!
//! [`OpenWorld`] contains the code common to all models. A model adds its groups of connected
//! chunks (`ChunkGroup`), edits and queries: see [`blocks::open`](crate::blocks::open) and
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

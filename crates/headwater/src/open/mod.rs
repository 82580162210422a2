//! Unbounded worlds made of chunks of 64 × 64 cells. A game unloads a chunk to bytes when its
//! players leave, and loads the bytes again when players return.
//!
//! Loaded chunks follow the same step as a closed world, bit for bit. Unloaded chunks do not
//! change, and nothing enters them unless the game sets a [`Border`] that lets liquids pass. The
//! ledger of an [`OpenWorld`] covers loaded chunks, unloaded chunks and transfers between them. The
//! state depends on which chunks are loaded during each step and edit, but not on the order in
//! which they were loaded before that.
//!
//! [`OpenWorld`] contains the code that all models share. A model adds the implementation of
//! `ConnectedChunks` (a set of connected chunks), edits and queries: see
//! [`blocks::open`](crate::blocks::open) and [`columns::open`](crate::columns::open).

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
    ConnectedChunks, Context, Groups, PendingChanges, PlacesByGroup, SourcePlaces, Sources,
    StoredChunk,
};
pub(crate) use transfer::{PendingTransfers, TransferKey};

//! Open worlds: worlds without bounds, made of chunks that a game loads and unloads around its
//! players.
//!
//! [`OpenWorld`] does what does not depend on the model: it keeps records of unloaded chunks,
//! borders, transfers between loaded and unloaded chunks, springs and drains, ledgers and
//! snapshots. A model adds its loaded chunks (`ChunkStore`), and their steps, edits and queries:
//! see [`blocks::open`](crate::blocks::open) and [`columns::open`](crate::columns::open).

mod border;
mod bounds;
mod chunk;
mod snapshot;
mod source;
mod store;
mod transfer;
mod world;

pub use border::Border;
pub use chunk::{CHUNK, ChunkPos};
pub use store::OpenModel;
pub use world::{OpenBalance, OpenWorld};

pub(crate) use border::{Borders, Edges, Record};
pub(crate) use bounds::Bounds;
pub(crate) use source::{Outlets, Sources};
pub(crate) use store::{ChunkStore, StoredChunk};
pub(crate) use transfer::{InTransit, TransferKey};

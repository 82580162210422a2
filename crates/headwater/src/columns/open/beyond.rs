//! [`Beyond`]: what is known of chunks that are not loaded, and what may pass into them.

use super::piece::{Edges, Piece};
use crate::open::{self, Border, ChunkPos};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// What is not loaded.
pub(super) type Beyond = open::Beyond<Record>;

impl Beyond {
    /// The cells by which water may get into a chunk that is not loaded; `None` if by none.
    pub(super) fn open_edges(&self, chunk: ChunkPos) -> Option<Edges> {
        if self.border_of(chunk) == Border::Hold {
            return None;
        }
        self.records.get(&chunk).map(|record| record.edges)
    }
}

/// What is remembered of a chunk that was unloaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// Of its bytes.
    pub(super) hash: u64,
    /// Of its water (quanta).
    pub(super) volume: i64,
    pub(super) edges: Edges,
}

impl Record {
    pub(super) fn of(piece: &Piece, bytes: &[u8]) -> Self {
        Self { hash: xxh3_64(bytes), volume: piece.volume(), edges: piece.edges() }
    }
}

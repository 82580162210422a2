//! [`Beyond`]: what is known of chunks that are not loaded, and what may pass into them.

use super::edges::Edges;
use super::stored::{Cells, volumes};
use crate::blocks::chunk::KINDS;
use crate::open::{self, Border, ChunkPos};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// What is not loaded.
pub(super) type Beyond = open::Beyond<Record>;

impl Beyond {
    /// What stands in the place of a chunk that is not loaded and has loaded ones on some sides, if it is anything but wall.
    pub(super) fn ghost(&self, chunk: ChunkPos, is_loaded: [bool; 4]) -> Option<Box<Cells>> {
        if self.border_of(chunk) == Border::Hold {
            return None;
        }
        self.records.get(&chunk)?.edges.ghost(is_loaded)
    }
}

/// What is remembered of a chunk that was unloaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// Of its bytes.
    pub(super) hash: u64,
    /// Of each kind of liquid in it (256ths of a cell).
    pub(super) volumes: [u32; KINDS],
    pub(super) edges: Edges,
}

impl Record {
    pub(super) fn of(cells: &Cells, bytes: &[u8]) -> Self {
        Self { hash: xxh3_64(bytes), volumes: volumes(cells), edges: Edges::of(cells) }
    }
}

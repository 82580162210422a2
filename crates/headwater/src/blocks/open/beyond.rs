//! [`Beyond`]: what is known of chunks that are not loaded, and what may pass into them.

use super::edges::{Border, Edges};
use super::place::ChunkPos;
use super::stored::{Cells, volumes};
use crate::blocks::chunk::KINDS;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use xxhash_rust::xxh3::xxh3_64;

/// What is not loaded.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Beyond {
    pub(super) border: Border,
    /// Where it is another one.
    pub(super) borders: BTreeMap<ChunkPos, Border>,
    /// Of chunks that were unloaded.
    pub(super) records: BTreeMap<ChunkPos, Record>,
}

impl Beyond {
    /// What becomes of liquids that would run into a chunk.
    pub(super) fn border_of(&self, chunk: ChunkPos) -> Border {
        self.borders.get(&chunk).copied().unwrap_or(self.border)
    }

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

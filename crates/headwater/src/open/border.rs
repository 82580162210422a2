//! Borders between loaded and unloaded chunks. A border either holds liquids back or lets them
//! pass.

use super::chunk::{CHUNK, ChunkPos};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Behaviour of liquids at the border between a loaded and an unloaded chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Border {
    /// No liquid passes: the border acts as a wall.
    #[default]
    Hold,
    /// Liquids pass into cells that were air when the chunk was unloaded, and wait there. While the
    /// chunk is unloaded, the game can remove them with
    /// [`take_transfers`](super::OpenWorld::take_transfers). When the chunk is loaded again, the
    /// waiting liquids enter it through the same cells, or through cells above if these are full.
    /// Each step moves at most one full cell of a liquid through each cell. The border of a chunk
    /// that was never loaded acts as a wall, because its air cells are not known.
    Pass,
}

/// Data that the world keeps about an unloaded chunk, while the caller holds the chunk's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct UnloadedRecord<V> {
    /// Hash of the bytes of the unloaded chunk.
    pub(crate) hash: u64,
    /// Volume of each substance in the unloaded chunk, in the order of the world's ledgers.
    pub(crate) volumes: V,
    pub(crate) edges: Edges,
}

/// Border settings of all chunks, and the records of unloaded chunks. A border setting determines
/// whether liquids can pass from a loaded chunk into an unloaded one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Borders<V> {
    pub(crate) default: Border,
    /// Border settings of individual chunks, which override `default`.
    pub(crate) overrides: BTreeMap<ChunkPos, Border>,
    pub(crate) records: BTreeMap<ChunkPos, UnloadedRecord<V>>,
}

impl<V> Default for Borders<V> {
    fn default() -> Self {
        Self { default: Border::default(), overrides: BTreeMap::new(), records: BTreeMap::new() }
    }
}

impl<V> Borders<V> {
    pub(crate) fn border_of(&self, chunk: ChunkPos) -> Border {
        self.overrides.get(&chunk).copied().unwrap_or(self.default)
    }

    /// Returns the edge cells through which liquids can enter an unloaded chunk. Returns `None` if
    /// the border of the chunk acts as a wall.
    pub(crate) fn open_edges(&self, chunk: ChunkPos) -> Option<Edges> {
        if self.border_of(chunk) == Border::Hold {
            return None;
        }
        self.records.get(&chunk).map(|record| record.edges)
    }
}

/// Set of air cells along the four edges of a chunk, with one bit per cell. The edges are the west
/// column, the east column, the top row and the bottom row, in the order of
/// [`ChunkPos::edge_neighbours`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edges([u64; 4]);

/// Returns the column and row within the chunk of each cell along one edge, in the order of the
/// bits in [`Edges`]. `side` is the index of the edge: 0 for west, 1 for east, 2 for top, 3 for
/// bottom.
fn edge_cells(side: usize) -> impl Iterator<Item = (usize, usize)> {
    const LAST: usize = CHUNK - 1;
    (0..CHUNK).map(move |at| [(0, at), (LAST, at), (at, 0), (at, LAST)][side])
}

impl Edges {
    pub(crate) fn new(is_air: impl Fn(usize, usize) -> bool) -> Self {
        let bits = |side| edge_cells(side).map(|(x, y)| u64::from(is_air(x, y)));
        Self([0, 1, 2, 3].map(|i| bits(i).enumerate().fold(0, |all, (at, bit)| all | bit << at)))
    }

    /// Returns the column and row within the chunk of each air cell along one edge. `side` is the
    /// index of the edge: 0 for west, 1 for east, 2 for top, 3 for bottom.
    pub(crate) fn air_cells(&self, side: usize) -> impl Iterator<Item = (usize, usize)> {
        let bits = self.0[side];
        edge_cells(side)
            .enumerate()
            .filter(move |(at, _)| bits >> at & 1 == 1)
            .map(|(_, cell)| cell)
    }
}

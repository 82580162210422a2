//! [`PendingTransfers`]: liquids that have flowed out of the loaded chunks and wait until the
//! adjacent unloaded chunks are loaded.

use super::chunk::{CHUNK, ChunkPos};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// Key that identifies an amount of liquid waiting to enter a chunk. It consists of the cell of the
/// chunk that the liquid will enter, and the substance.
pub trait TransferKey: Copy + Debug + Default + Ord + Serialize + DeserializeOwned {
    /// Returns the index of the cell in its chunk, in row-major order, and the index of the
    /// substance in the ledgers.
    fn cell_and_substance(self) -> (u16, usize);
}

/// Amounts of liquid that wait to enter unloaded chunks, by chunk and then by cell and substance.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct PendingTransfers<K: TransferKey>(BTreeMap<ChunkPos, BTreeMap<K, u64>>);

impl<K: TransferKey> PendingTransfers<K> {
    pub(crate) fn add(&mut self, chunk: ChunkPos, key: K, amount: u64) {
        *self.0.entry(chunk).or_default().entry(key).or_default() += amount;
    }

    /// Removes and returns all liquid that waits to enter a chunk.
    pub(super) fn take(&mut self, chunk: ChunkPos) -> BTreeMap<K, u64> {
        self.0.remove(&chunk).unwrap_or_default()
    }

    /// Returns whether any liquid waits to enter a chunk.
    pub(super) fn contains_chunk(&self, chunk: ChunkPos) -> bool {
        self.0.contains_key(&chunk)
    }

    /// Returns the amounts of liquid that wait to enter a chunk, each with its key, from the
    /// chunk's top row down.
    pub(super) fn chunk_amounts(&self, chunk: ChunkPos) -> impl Iterator<Item = (K, u64)> {
        self.0.get(&chunk).into_iter().flatten().map(|(&key, &amount)| (key, amount))
    }

    /// Returns the total amount of a substance that waits to enter chunks. `substance` is an index
    /// into the ledgers.
    pub(super) fn total_amount(&self, substance: usize) -> i128 {
        let all =
            self.0.values().flatten().filter(|(key, _)| key.cell_and_substance().1 == substance);
        all.map(|(_, &amount)| i128::from(amount)).sum()
    }

    /// Returns whether the cell index, substance index and amount of every entry are in range.
    /// `substances` is the number of substances.
    pub(super) fn is_valid(&self, substances: usize) -> bool {
        self.0.values().flatten().all(|(key, amount)| {
            let (cell, substance) = key.cell_and_substance();
            let exists = usize::from(cell) < CHUNK * CHUNK && substance < substances;
            exists && (1..1 << 56).contains(amount)
        })
    }

    /// Passes each amount of liquid that waits to enter `chunk` to `accept`, which returns how much
    /// of the amount has entered the chunk. The rest keeps waiting.
    pub(super) fn deliver_to_chunk(
        &mut self,
        chunk: ChunkPos,
        mut accept: impl FnMut(K, u64) -> u64,
    ) {
        let mut cells = self.take(chunk);
        cells.retain(|&key, amount| {
            *amount -= accept(key, *amount);
            *amount > 0
        });
        if !cells.is_empty() {
            self.0.insert(chunk, cells);
        }
    }
}

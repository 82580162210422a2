//! [`InTransit`]: liquids that have left the loaded chunks and wait in unloaded chunks until these
//! are loaded.

use super::chunk::{CHUNK, ChunkPos};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// Key of waiting liquid in a chunk: a cell and a substance.
pub trait TransferKey: Copy + Debug + Default + Ord + Serialize + DeserializeOwned {
    /// Returns the index of the cell in its chunk, in row order, and the index of the substance
    /// among the ledgers.
    fn parts(self) -> (u16, usize);
}

/// Amounts of waiting liquid, by chunk and then by cell and substance.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct InTransit<K: TransferKey>(BTreeMap<ChunkPos, BTreeMap<K, u64>>);

impl<K: TransferKey> InTransit<K> {
    pub(crate) fn add(&mut self, chunk: ChunkPos, key: K, amount: u64) {
        *self.0.entry(chunk).or_default().entry(key).or_default() += amount;
    }

    /// Removes and returns all liquid that waits in a chunk.
    pub(super) fn take(&mut self, chunk: ChunkPos) -> BTreeMap<K, u64> {
        self.0.remove(&chunk).unwrap_or_default()
    }

    /// Returns whether any liquid waits in a chunk.
    pub(super) fn has(&self, chunk: ChunkPos) -> bool {
        self.0.contains_key(&chunk)
    }

    /// Returns the liquid that waits in a chunk, from the chunk's top row down.
    pub(super) fn of(&self, chunk: ChunkPos) -> impl Iterator<Item = (K, u64)> {
        self.0.get(&chunk).into_iter().flatten().map(|(&key, &amount)| (key, amount))
    }

    /// Returns the total amount of a substance that waits in all chunks.
    pub(super) fn total(&self, substance: usize) -> i128 {
        let all = self.0.values().flatten().filter(|(key, _)| key.parts().1 == substance);
        all.map(|(_, &amount)| i128::from(amount)).sum()
    }

    /// Returns whether all cell and substance indices and all amounts are valid.
    pub(super) fn is_valid(&self, substances: usize) -> bool {
        self.0.values().flatten().all(|(key, amount)| {
            let (cell, substance) = key.parts();
            let exists = usize::from(cell) < CHUNK * CHUNK && substance < substances;
            exists && (1..1 << 56).contains(amount)
        })
    }

    /// Adds waiting liquid to the chunk where it waits. `enter` takes a key and the waiting amount,
    /// and returns the amount that has entered.
    pub(super) fn release(&mut self, chunk: ChunkPos, mut enter: impl FnMut(K, u64) -> u64) {
        let mut cells = self.take(chunk);
        cells.retain(|&key, amount| {
            *amount -= enter(key, *amount);
            *amount > 0
        });
        if !cells.is_empty() {
            self.0.insert(chunk, cells);
        }
    }
}

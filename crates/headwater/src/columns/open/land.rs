//! [`Land`]: the loaded chunks, in islands: those that share an edge, and those that do so with them. What is loaded and unloaded is
//! noted, and put together and taken apart before the next step: so the order of it does not count.

use super::beyond::Beyond;
use super::island::{Common, Island, beside};
use super::piece::Piece;
use super::tract::Tract;
use crate::error::InputError;
use crate::open::ChunkPos;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What was unloaded since the last step.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Gone {
    /// Of its bytes.
    pub(super) hash: u64,
    /// Of its water (quanta).
    pub(super) volume: i64,
}

/// Loaded chunks.
#[derive(Clone, Debug, Default)]
pub(super) struct Land {
    /// By the first chunk of each.
    pub(super) islands: BTreeMap<ChunkPos, Island>,
    /// The island of each chunk that has one.
    home: BTreeMap<ChunkPos, ChunkPos>,
    /// Loaded since the last step, and not yet in an island.
    pub(super) fresh: BTreeMap<ChunkPos, Piece>,
    /// Unloaded since, and still in one.
    pub(super) gone: BTreeMap<ChunkPos, Gone>,
    /// Chunks that are not loaded, into which water may pass now or may no more.
    pub(super) touched: BTreeSet<ChunkPos>,
}

impl Land {
    pub(super) fn is_loaded(&self, chunk: ChunkPos) -> bool {
        self.fresh.contains_key(&chunk)
            || self.home.contains_key(&chunk) && !self.gone.contains_key(&chunk)
    }

    /// In order.
    pub(super) fn loaded(&self) -> impl ExactSizeIterator<Item = ChunkPos> + use<> {
        let old = self.home.keys().filter(|chunk| !self.gone.contains_key(chunk));
        old.chain(self.fresh.keys()).copied().collect::<BTreeSet<_>>().into_iter()
    }

    /// The island of a chunk that is loaded and was so in the last step.
    pub(super) fn island(&self, chunk: ChunkPos) -> Option<&Island> {
        let home = self.home.get(&chunk).filter(|_| !self.gone.contains_key(&chunk))?;
        self.islands.get(home)
    }

    /// A loaded chunk as it is now.
    pub(super) fn piece(&self, chunk: ChunkPos) -> Option<Piece> {
        let fresh = self.fresh.get(&chunk).cloned();
        fresh.or_else(|| self.island(chunk)?.piece(chunk))
    }

    /// The water of all that is loaded (quanta).
    pub(super) fn volume(&self) -> i64 {
        let islands: i64 = self.islands.values().map(Island::volume).sum();
        let fresh: i64 = self.fresh.values().map(Piece::volume).sum();
        islands + fresh - self.gone.values().map(|gone| gone.volume).sum::<i64>()
    }

    /// Loads a chunk that is not loaded, of which `hash` is that of its bytes.
    ///
    /// # Errors
    /// [`InputError`] if what hangs together becomes too large. Nothing is loaded then.
    pub(super) fn load(
        &mut self,
        chunk: ChunkPos,
        piece: Piece,
        hash: Option<u64>,
    ) -> Result<(), InputError> {
        Tract::around(self.together_with(chunk).into_iter())?;
        let back = self.gone.get(&chunk).filter(|gone| Some(gone.hash) == hash);
        if back.is_some() {
            self.gone.remove(&chunk);
        } else {
            self.fresh.insert(chunk, piece);
        }
        Ok(())
    }

    /// The chunks that hang together with one, if it is loaded.
    fn together_with(&self, chunk: ChunkPos) -> BTreeSet<ChunkPos> {
        let mut found = BTreeSet::from([chunk]);
        let mut waiting = vec![chunk];
        while let Some(chunk) = waiting.pop() {
            for chunk in beside(chunk).into_iter().flatten() {
                if self.is_loaded(chunk) && found.insert(chunk) {
                    waiting.push(chunk);
                }
            }
        }
        found
    }

    /// Takes out a loaded chunk, of which this is the hash of its bytes and this is its water.
    pub(super) fn unload(&mut self, chunk: ChunkPos, gone: Gone) {
        if self.fresh.remove(&chunk).is_none() {
            self.gone.insert(chunk, gone);
        }
    }

    /// Says that all that may pass into chunks that are not loaded is to be found anew.
    pub(super) fn touch_all(&mut self) {
        let around: Vec<_> = self.home.keys().flat_map(|&chunk| beside(chunk)).flatten().collect();
        self.touched.extend(around);
    }

    /// Whether something is to be put together or taken apart.
    pub(super) fn is_unsettled(&self) -> bool {
        !(self.fresh.is_empty() && self.gone.is_empty() && self.touched.is_empty())
    }

    /// Puts together and takes apart what has been loaded and unloaded.
    pub(super) fn settle(&mut self, common: Common) {
        let fresh = std::mem::take(&mut self.fresh);
        let gone = std::mem::take(&mut self.gone);
        let changed: BTreeSet<_> = fresh.keys().chain(gone.keys()).copied().collect();
        let touched = std::mem::take(&mut self.touched);
        let all = changed.iter().chain(&touched).copied();
        let near = all.flat_map(|chunk| beside(chunk).into_iter().flatten().chain([chunk]));
        let homes: BTreeSet<_> = near.filter_map(|chunk| self.home.get(&chunk).copied()).collect();
        let olds: Vec<_> = homes.iter().filter_map(|home| self.islands.remove(home)).collect();
        let mut pieces = fresh;
        for old in &olds {
            for &chunk in old.chunks.keys() {
                self.home.remove(&chunk);
                if !gone.contains_key(&chunk)
                    && let Some(piece) = old.piece(chunk)
                {
                    pieces.insert(chunk, piece);
                }
            }
        }
        while let Some((&first, _)) = pieces.first_key_value() {
            let part = take_part(&mut pieces, first);
            let chunks: Vec<_> = part.keys().copied().collect();
            // A chunk that makes an island too large was refused, and a part of one is no larger.
            if let Ok(island) = Island::assemble(part, common, &olds, &changed) {
                self.home.extend(chunks.into_iter().map(|chunk| (chunk, first)));
                self.islands.insert(first, island);
            }
        }
    }

    /// Whether what was saved is loaded or unloaded, and not both.
    pub(super) fn is_sound(&self, beyond: &Beyond) -> bool {
        let in_islands: usize = self.islands.values().map(|island| island.chunks.len()).sum();
        let gone = self.gone.keys().all(|chunk| self.home.contains_key(chunk));
        let fresh = self.fresh.keys();
        let once = fresh.clone().all(|c| self.gone.contains_key(c) || !self.home.contains_key(c));
        let loaded = self.loaded().any(|chunk| beyond.records.contains_key(&chunk));
        in_islands == self.home.len() && gone && once && !loaded
    }

    /// Takes in an island that was saved.
    pub(super) fn insert(&mut self, island: Island) {
        let Some(&first) = island.chunks.keys().next() else { return };
        self.home.extend(island.chunks.keys().map(|&chunk| (chunk, first)));
        self.islands.insert(first, island);
    }
}

/// Takes out of pieces those that hang together with one.
fn take_part(pieces: &mut BTreeMap<ChunkPos, Piece>, first: ChunkPos) -> BTreeMap<ChunkPos, Piece> {
    let mut part = BTreeMap::new();
    let mut waiting = vec![first];
    while let Some(chunk) = waiting.pop() {
        if let Some(piece) = pieces.remove(&chunk) {
            part.insert(chunk, piece);
            waiting.extend(beside(chunk).into_iter().flatten());
        }
    }
    part
}

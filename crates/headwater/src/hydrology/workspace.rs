//! Scratch memory that is reused between steps to avoid allocations. It is not part of the state of
//! the world.

use super::banks::Banks;
use super::batch::DropChunk;
use super::cell_cache::CachedCell;
use super::forest::Plant;
use std::sync::atomic::AtomicU32;

#[derive(Debug, Default)]
pub(super) struct Workspace {
    pub(super) chunks: Vec<DropChunk>,
    pub(super) cell_cache: Vec<CachedCell>,
    pub(super) visits: Vec<AtomicU32>,
    pub(super) group_visits: Vec<AtomicU32>,
    pub(super) change: Vec<i64>,
    pub(super) bank_changes: Vec<i32>,
    pub(super) repose_limits: Vec<i32>,
    pub(super) links: Vec<u8>,
    pub(super) erosion: Vec<AtomicU32>,
    pub(super) plants: Vec<Plant>,
    pub(super) banks: Banks,
}

impl Workspace {
    pub(super) fn memory(&self) -> usize {
        let chunks: usize = self.chunks.iter().map(DropChunk::memory).sum();
        let counts =
            self.visits.capacity() + self.group_visits.capacity() + self.erosion.capacity();
        let plants = self.plants.capacity() * size_of::<Plant>();
        let change = self.change.capacity() * size_of::<i64>() + self.links.capacity();
        let bank_changes =
            (self.bank_changes.capacity() + self.repose_limits.capacity()) * size_of::<i32>();
        let cell_cache = self.cell_cache.capacity() * size_of::<CachedCell>();
        let counts = counts * size_of::<AtomicU32>();
        chunks + cell_cache + counts + plants + change + bank_changes + self.banks.memory()
    }
}

impl Clone for Workspace {
    fn clone(&self) -> Self {
        Self::default()
    }
}

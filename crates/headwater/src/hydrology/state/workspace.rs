//! Scratch memory that is reused between steps to avoid allocations. It is not part of the state of
//! the world.

use crate::hydrology::drops::batch::DropChunk;
use crate::hydrology::drops::cell_cache::CachedCell;
use crate::hydrology::ground::banks::RiverBeds;
use crate::hydrology::ground::forest::Plant;
use std::sync::atomic::AtomicU32;

#[derive(Debug, Default)]
pub(in crate::hydrology) struct Workspace {
    pub(in crate::hydrology) chunks: Vec<DropChunk>,
    pub(in crate::hydrology) cell_cache: Vec<CachedCell>,
    pub(in crate::hydrology) visits: Vec<AtomicU32>,
    pub(in crate::hydrology) group_visits: Vec<AtomicU32>,
    pub(in crate::hydrology) change: Vec<i64>,
    pub(in crate::hydrology) bank_changes: Vec<i32>,
    pub(in crate::hydrology) repose_limits: Vec<i32>,
    pub(in crate::hydrology) links: Vec<u8>,
    pub(in crate::hydrology) erosion: Vec<AtomicU32>,
    pub(in crate::hydrology) plants: Vec<Plant>,
    pub(in crate::hydrology) banks: RiverBeds,
}

impl Workspace {
    pub(in crate::hydrology) fn memory(&self) -> usize {
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

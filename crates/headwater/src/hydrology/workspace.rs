//! Memory that steps lend to one another, and nothing else.

use super::batch::Chunk;
use super::forest::Plant;
use std::sync::atomic::AtomicU32;

#[derive(Debug, Default)]
pub(super) struct Workspace {
    pub(super) chunks: Vec<Chunk>,
    pub(super) visits: Vec<AtomicU32>,
    pub(super) change: Vec<i64>,
    pub(super) links: Vec<u8>,
    pub(super) worn: Vec<AtomicU32>,
    pub(super) plants: Vec<Plant>,
}

impl Workspace {
    /// Memory that it takes (bytes).
    pub(super) fn memory(&self) -> usize {
        let chunks: usize = self.chunks.iter().map(Chunk::memory).sum();
        let visits = (self.visits.capacity() + self.worn.capacity()) * size_of::<AtomicU32>();
        let links = self.links.capacity();
        let plants = self.plants.capacity() * size_of::<Plant>();
        chunks + visits + links + plants + self.change.capacity() * size_of::<i64>()
    }
}

impl Clone for Workspace {
    /// A clone makes its own when it steps.
    fn clone(&self) -> Self {
        Self::default()
    }
}

//! Memory that steps lend to one another, and nothing else.

use super::banks::Banks;
use super::batch::Chunk;
use super::forest::Plant;
use super::spots::Spot;
use std::sync::atomic::AtomicU32;

#[derive(Debug, Default)]
pub(super) struct Workspace {
    pub(super) chunks: Vec<Chunk>,
    pub(super) spots: Vec<Spot>,
    pub(super) visits: Vec<AtomicU32>,
    pub(super) passing: Vec<AtomicU32>,
    pub(super) change: Vec<i64>,
    pub(super) fallen: Vec<i32>,
    pub(super) bearing: Vec<i32>,
    pub(super) links: Vec<u8>,
    pub(super) worn: Vec<AtomicU32>,
    pub(super) plants: Vec<Plant>,
    pub(super) banks: Banks,
}

impl Workspace {
    pub(super) fn memory(&self) -> usize {
        let chunks: usize = self.chunks.iter().map(Chunk::memory).sum();
        let counts = self.visits.capacity() + self.passing.capacity() + self.worn.capacity();
        let plants = self.plants.capacity() * size_of::<Plant>();
        let change = self.change.capacity() * size_of::<i64>() + self.links.capacity();
        let fallen = (self.fallen.capacity() + self.bearing.capacity()) * size_of::<i32>();
        let spots = self.spots.capacity() * size_of::<Spot>();
        let counts = counts * size_of::<AtomicU32>();
        chunks + spots + counts + plants + change + fallen + self.banks.memory()
    }
}

impl Clone for Workspace {
    fn clone(&self) -> Self {
        Self::default()
    }
}

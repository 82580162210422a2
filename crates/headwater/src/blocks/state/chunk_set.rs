//! [`ChunkSet`]: a set of chunk indices with insertion in constant time and fast iteration.

use crate::scratch::{PooledVec, ScratchPool};

#[derive(Clone, Debug, Default)]
pub(in crate::blocks) struct ChunkSet {
    list: Vec<u32>,
    has: Vec<bool>,
}

impl ChunkSet {
    pub(in crate::blocks) fn new(count: usize) -> Self {
        Self { list: Vec::new(), has: vec![false; count] }
    }

    pub(in crate::blocks) fn reset(&mut self, count: usize) {
        self.list.clear();
        self.has.clear();
        self.has.resize(count, false);
    }

    pub(in crate::blocks) fn insert(&mut self, chunk: usize) {
        if !std::mem::replace(&mut self.has[chunk], true) {
            self.list.push(chunk as u32);
        }
    }

    pub(in crate::blocks) fn contains(&self, chunk: usize) -> bool {
        self.has[chunk]
    }

    pub(in crate::blocks) fn drain_sorted<'s>(
        &mut self,
        scratch: &'s ScratchPool,
    ) -> PooledVec<'s, u32> {
        let mut list = scratch.take_collected(self.list.drain(..));
        list.sort_unstable();
        list.iter().for_each(|&chunk| self.has[chunk as usize] = false);
        list
    }

    pub(in crate::blocks) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(in crate::blocks) fn iter(&self) -> impl Iterator<Item = usize> {
        self.list.iter().map(|&chunk| chunk as usize)
    }
}

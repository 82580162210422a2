//! [`CowChunk`]: a chunk with copy-on-write sharing. All chunks that consist only of wall share one
//! allocation.

use super::chunk::Chunk;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, LazyLock};

static WALL: LazyLock<Arc<Chunk>> = LazyLock::new(|| Arc::new(Chunk::all_walls()));

/// A reference-counted chunk that is copied before its first write if it is shared. Moving a chunk
/// between grids does not move its data in memory.
#[derive(Debug)]
pub(in crate::blocks) struct CowChunk(Arc<Chunk>);

impl CowChunk {
    pub(in crate::blocks) fn new(chunk: Chunk) -> Self {
        Self(Arc::new(chunk))
    }
}

impl Default for CowChunk {
    fn default() -> Self {
        Self(Arc::clone(&WALL))
    }
}

impl Clone for CowChunk {
    fn clone(&self) -> Self {
        if Arc::ptr_eq(&self.0, &WALL) { Self::default() } else { Self::new(Chunk::clone(self)) }
    }
}

impl Deref for CowChunk {
    type Target = Chunk;

    #[inline(always)]
    fn deref(&self) -> &Chunk {
        &self.0
    }
}

impl DerefMut for CowChunk {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Chunk {
        Arc::make_mut(&mut self.0)
    }
}

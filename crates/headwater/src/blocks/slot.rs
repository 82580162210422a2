//! [`Slot`]: a place for a chunk in a grid. Slots that are all wall share one chunk.

use super::chunk::Chunk;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, LazyLock};

static WALL: LazyLock<Arc<Chunk>> = LazyLock::new(|| Arc::new(Chunk::walled()));

/// A chunk. It stays where it is in memory while the slot goes from grid to grid.
#[derive(Debug)]
pub(super) struct Slot(Arc<Chunk>);

impl Slot {
    pub(super) fn of(chunk: Chunk) -> Self {
        Self(Arc::new(chunk))
    }
}

impl Default for Slot {
    fn default() -> Self {
        Self(Arc::clone(&WALL))
    }
}

impl Clone for Slot {
    fn clone(&self) -> Self {
        if Arc::ptr_eq(&self.0, &WALL) { Self::default() } else { Self::of(Chunk::clone(self)) }
    }
}

impl Deref for Slot {
    type Target = Chunk;

    #[inline(always)]
    fn deref(&self) -> &Chunk {
        &self.0
    }
}

impl DerefMut for Slot {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Chunk {
        Arc::make_mut(&mut self.0)
    }
}

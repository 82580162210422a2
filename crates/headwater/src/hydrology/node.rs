//! The nodes of a hierarchy of depressions.

use super::saddles::OFF;

pub(super) const NONE: u32 = OFF;
pub(super) const NEVER: i64 = i64::MAX;

#[derive(Clone, Debug)]
pub(super) struct Node {
    /// What it merges to; [`NONE`] if it spills over an edge, or never.
    pub(super) parent: u32,
    /// What merged to it; [`NONE`] in a leaf.
    pub(super) children: [u32; 2],
    /// A cell in it that is lower than all around.
    pub(super) pit: u32,
    /// Its leaves are `first..last`.
    pub(super) first: u32,
    pub(super) last: u32,
    /// The height (quanta) at which it is full; [`NEVER`] within walls all around.
    pub(super) spill: i64,
    /// The cell on this side of the saddle at which it spills.
    pub(super) inside: u32,
    /// The cell beyond the saddle; [`NONE`] off the map.
    pub(super) outside: u32,
    /// The leaves of these two.
    pub(super) inner: u32,
    pub(super) outer: u32,
    /// Cells below the spill height, and the sum of their heights (quanta).
    pub(super) cells: u32,
    pub(super) sum: i64,
    /// Whether it is a part of the sea, up to the sea's level.
    pub(super) sea: bool,
}

impl Node {
    pub(super) fn leaf(pit: u32) -> Self {
        Self {
            parent: NONE,
            children: [NONE; 2],
            pit,
            first: 0,
            last: 0,
            spill: NEVER,
            inside: NONE,
            outside: NONE,
            inner: NONE,
            outer: NONE,
            cells: 0,
            sum: 0,
            sea: false,
        }
    }

    /// The volume (quanta) that fills it to the spill height.
    pub(super) fn capacity(&self) -> i64 {
        if self.spill == NEVER { NEVER } else { i64::from(self.cells) * self.spill - self.sum }
    }

    /// What dries of it (quanta) where each cell loses a depth `dry`, if it is full.
    pub(super) fn dries(&self, dry: i64) -> i64 {
        i64::from(self.cells) * dry
    }
}

//! Nodes of a hierarchy of depressions.

use super::saddles::OFF;

pub(super) const NONE: u32 = OFF;
pub(super) const NEVER: i64 = i64::MAX;

#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Node it merges into; [`NONE`] if it spills over an edge, or never.
    pub(super) parent: u32,
    /// The two merged nodes; [`NONE`] in a leaf.
    pub(super) children: [u32; 2],
    /// Cell that is lower than all its neighbours.
    pub(super) pit: u32,
    /// Range of its leaves: `first..last`.
    pub(super) first: u32,
    pub(super) last: u32,
    /// Spill height (quanta); [`NEVER`] if enclosed by walls.
    pub(super) spill: i64,
    /// Cell on this side of the spill saddle.
    pub(super) inside: u32,
    /// Cell beyond the spill saddle; [`NONE`] off the map.
    pub(super) outside: u32,
    /// Leaves of `inside` and `outside`.
    pub(super) inner: u32,
    pub(super) outer: u32,
    /// Number of cells below the spill height, and the sum of their heights (quanta).
    pub(super) cells: u32,
    pub(super) sum: i64,
    /// True if the node belongs to the sea, up to the sea level.
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

    /// Returns the volume at the spill height (quanta).
    pub(super) fn capacity(&self) -> i64 {
        if self.spill == NEVER { NEVER } else { i64::from(self.cells) * self.spill - self.sum }
    }

    /// Returns the evaporated volume (quanta) of the full depression at a depth `evaporation` per
    /// cell.
    pub(super) fn evaporation_volume(&self, evaporation: i64) -> i64 {
        i64::from(self.cells) * evaporation
    }
}

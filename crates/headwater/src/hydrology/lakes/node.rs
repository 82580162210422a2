//! Nodes of a hierarchy of depressions. Each node is a depression with its spill point.

use super::saddles::OFF;

pub(in crate::hydrology) const NONE: u32 = OFF;
pub(in crate::hydrology) const NEVER: i64 = i64::MAX;

#[derive(Clone, Debug)]
pub(in crate::hydrology) struct Node {
    /// Node into which this node merges, or [`NONE`] if it spills over an edge of the map or never
    /// spills.
    pub(in crate::hydrology) parent: u32,
    /// The two nodes that merge into this node, or [`NONE`] for a leaf.
    pub(in crate::hydrology) children: [u32; 2],
    /// Pit of the depression: a cell that is lower than all its neighbours.
    pub(in crate::hydrology) pit: u32,
    /// First leaf of the node. Its leaves are `first..last`.
    pub(in crate::hydrology) first: u32,
    pub(in crate::hydrology) last: u32,
    /// Spill height (quanta), or [`NEVER`] if the depression is enclosed by walls.
    pub(in crate::hydrology) spill: i64,
    /// Cell on the inner side of the saddle over which the node spills.
    pub(in crate::hydrology) inside: u32,
    /// Cell on the outer side of the saddle over which the node spills, or [`NONE`] if it is off
    /// the map.
    pub(in crate::hydrology) outside: u32,
    /// Leaf that contains the cell `inside`.
    pub(in crate::hydrology) inner: u32,
    /// Leaf that contains the cell `outside`.
    pub(in crate::hydrology) outer: u32,
    /// Number of cells below the spill height.
    pub(in crate::hydrology) cells: u32,
    /// Sum of the heights of the cells below the spill height (quanta).
    pub(in crate::hydrology) sum: i64,
    /// Whether the sea fills the node up to the sea level.
    pub(in crate::hydrology) sea: bool,
}

impl Node {
    pub(in crate::hydrology) fn leaf(pit: u32) -> Self {
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

    /// Returns the volume of the depression when filled to its spill height (quanta).
    pub(in crate::hydrology) fn capacity(&self) -> i64 {
        if self.spill == NEVER { NEVER } else { i64::from(self.cells) * self.spill - self.sum }
    }

    /// Returns the volume (quanta) that evaporates from the full depression at a depth
    /// `evaporation` (quanta) per cell.
    pub(in crate::hydrology) fn evaporation_volume(&self, evaporation: i64) -> i64 {
        i64::from(self.cells) * evaporation
    }
}

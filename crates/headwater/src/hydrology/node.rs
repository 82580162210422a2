//! Nodes of the hierarchy of depressions. Each node represents a depression and its spill point.

use super::saddles::OFF;

pub(super) const NONE: u32 = OFF;
pub(super) const NEVER: i64 = i64::MAX;

#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Parent node, into which this node merges when it and its sibling are full. [`NONE`] if the
    /// node spills over an edge of the map or never spills.
    pub(super) parent: u32,
    /// The two nodes that merge into this node, or [`NONE`] twice for a leaf.
    pub(super) children: [u32; 2],
    /// Number of the pit cell of the depression, which is lower than all its neighbours.
    pub(super) pit: u32,
    /// Index of the node's first leaf. The leaves of the node are `first..last`.
    pub(super) first: u32,
    pub(super) last: u32,
    /// Height at which the depression spills (quanta of 2⁻²⁰ m), or [`NEVER`] if walls enclose the
    /// depression.
    pub(super) spill: i64,
    /// Cell on the near side of the saddle over which the depression spills.
    pub(super) inside: u32,
    /// Cell on the far side of the saddle over which the depression spills, or [`NONE`] if the
    /// saddle leads off the map.
    pub(super) outside: u32,
    /// Leaf to which the cell `inside` drains.
    pub(super) inner: u32,
    /// Leaf to which the cell `outside` drains.
    pub(super) outer: u32,
    /// Number of cells below the spill height.
    pub(super) cells: u32,
    /// Sum of the heights of all cells below the spill height (quanta of 2⁻²⁰ m).
    pub(super) sum: i64,
    /// Whether the sea fills the depression up to the sea level.
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

    /// Returns the volume of water in the depression when it is filled to its spill height (quanta
    /// of 2⁻²⁰ m times the cell area).
    pub(super) fn capacity(&self) -> i64 {
        if self.spill == NEVER { NEVER } else { i64::from(self.cells) * self.spill - self.sum }
    }

    /// Returns the volume of water (quanta of 2⁻²⁰ m times the cell area) that evaporates from the
    /// surface of the full depression. `evaporation` is the depth that evaporates (quanta of 2⁻²⁰
    /// m).
    pub(super) fn evaporation_volume(&self, evaporation: i64) -> i64 {
        i64::from(self.cells) * evaporation
    }
}

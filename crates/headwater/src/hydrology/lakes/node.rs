//! Nodes of the hierarchy of depressions. Each node represents a depression and its spill point.

use super::saddles::OFF;

pub(in crate::hydrology) const NONE: u32 = OFF;
pub(in crate::hydrology) const NEVER: i64 = i64::MAX;

#[derive(Clone, Debug)]
pub(in crate::hydrology) struct Node {
    /// Parent depression, into which this depression merges when it and its sibling are full.
    /// [`NONE`] if the depression spills over an edge of the map or never spills.
    pub(in crate::hydrology) parent: u32,
    /// The two depressions that merge into this one, or [`NONE`] twice for a leaf.
    pub(in crate::hydrology) children: [u32; 2],
    /// Index of the pit cell of the depression. A pit is lower than all its neighbours.
    pub(in crate::hydrology) pit: u32,
    /// Index of the first leaf (depression with a single pit) that this depression contains. The
    /// range `first..last` contains all its leaves.
    pub(in crate::hydrology) first: u32,
    pub(in crate::hydrology) last: u32,
    /// Height at which the depression spills (quanta of 2⁻²⁰ m), or [`NEVER`] if walls enclose the
    /// depression.
    pub(in crate::hydrology) spill_height: i64,
    /// Cell on the near side of the saddle over which the depression spills.
    pub(in crate::hydrology) near_cell: u32,
    /// Cell on the far side of the saddle over which the depression spills, or [`NONE`] if the
    /// saddle leads off the map.
    pub(in crate::hydrology) far_cell: u32,
    /// Leaf of the hierarchy (depression with a single pit) to which `near_cell` drains.
    pub(in crate::hydrology) near_leaf: u32,
    /// Leaf of the hierarchy (depression with a single pit) to which `far_cell` drains.
    pub(in crate::hydrology) far_leaf: u32,
    /// Number of cells of the depression that lie below its spill height.
    pub(in crate::hydrology) cells: u32,
    /// Sum of the heights of all cells of the depression that lie below its spill height (quanta of
    /// 2⁻²⁰ m).
    pub(in crate::hydrology) height_sum: i64,
    /// Whether the sea fills the depression up to the sea level.
    pub(in crate::hydrology) is_sea: bool,
}

impl Node {
    pub(in crate::hydrology) fn leaf(pit: u32) -> Self {
        Self {
            parent: NONE,
            children: [NONE; 2],
            pit,
            first: 0,
            last: 0,
            spill_height: NEVER,
            near_cell: NONE,
            far_cell: NONE,
            near_leaf: NONE,
            far_leaf: NONE,
            cells: 0,
            height_sum: 0,
            is_sea: false,
        }
    }

    /// Returns the volume of water in the depression when it is filled to its spill height (quanta
    /// of 2⁻²⁰ m times the cell area).
    pub(in crate::hydrology) fn capacity(&self) -> i64 {
        if self.spill_height == NEVER {
            NEVER
        } else {
            i64::from(self.cells) * self.spill_height - self.height_sum
        }
    }

    /// Returns the volume of water (quanta of 2⁻²⁰ m times the cell area) that evaporates from the
    /// surface of the full depression. `evaporation` is the depth that evaporates (quanta of 2⁻²⁰
    /// m).
    pub(in crate::hydrology) fn evaporation_volume(&self, evaporation: i64) -> i64 {
        i64::from(self.cells) * evaporation
    }
}

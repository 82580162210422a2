//! Water of a landscape: the hierarchy of depressions, the water and the suspended sediment in each
//! depression, and the lookup of water by cell.

use super::hierarchy::{Hierarchy, Terrain};
use super::{DRY, Lakes};
use crate::hydrology::drops::descent::{LakeState, LeafWater};
use crate::hydrology::state::fixed;
use crate::scratch::ScratchPool;
use std::ops::Range;

#[derive(Clone, Debug, Default)]
pub(in crate::hydrology) struct Waters {
    pub(in crate::hydrology) hierarchy: Hierarchy,
    pub(in crate::hydrology) lakes: Lakes,
    /// Volume of suspended sediment in each node of the hierarchy (quanta of 2⁻²⁰ m times the cell
    /// area).
    pub(in crate::hydrology) suspended: Vec<i64>,
    pub(in crate::hydrology) leaves: Vec<LeafWater>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(in crate::hydrology) struct Outflow {
    pub(in crate::hydrology) water: i64,
    pub(in crate::hydrology) sediment: i64,
}

impl Waters {
    /// Fills the leaves of a new hierarchy. `poured` holds a pair of volumes for each leaf: water,
    /// then sediment (quanta of 2⁻²⁰ m times the cell area). Excess water spills immediately.
    /// Returns the volumes of water and sediment that leave the map. The caller must then update
    /// the water levels.
    pub(in crate::hydrology) fn fill_leaves(
        &mut self,
        poured: &[(i64, i64)],
        scratch: &ScratchPool,
    ) -> Outflow {
        let Self { hierarchy, lakes, suspended, .. } = self;
        lakes.reset(hierarchy);
        let mut outflow = Outflow::default();
        suspended.clear();
        suspended.resize(hierarchy.nodes.len(), 0);
        for (leaf, &(water, sediment)) in poured.iter().enumerate() {
            if hierarchy.nodes[leaf].is_sea {
                outflow.water += water;
                outflow.sediment += sediment;
            } else if water > 0 {
                lakes.add_water(hierarchy, leaf as u32, water);
            }
        }
        let (mut spilling, mut touched) = (scratch.take_vec(), scratch.take_vec());
        spilling
            .extend(lakes.active_nodes().filter(|&node| lakes.excess_water(hierarchy, node) > 0));
        outflow.water += lakes.spill_excess(hierarchy, &mut spilling, &mut touched);
        for (leaf, &(_, sediment)) in poured.iter().enumerate() {
            if sediment > 0 && !hierarchy.nodes[leaf].is_sea {
                suspended[lakes.active_node(leaf as u32) as usize] += sediment;
            }
        }
        outflow
    }

    pub(in crate::hydrology) fn list_active_nodes(&mut self, nodes: &mut Vec<u32>) {
        nodes.clear();
        let mut leaf = 0;
        while leaf < self.hierarchy.leaves {
            let node = self.lakes.active_node(leaf as u32);
            nodes.push(node);
            leaf = self.hierarchy.nodes[node as usize].last as usize;
        }
    }

    pub(in crate::hydrology) fn new_leaf_water(&self, height: i64, node: u32) -> LeafWater {
        let Self { hierarchy, lakes, .. } = self;
        let level = if height == DRY { f32::MIN } else { fixed::to_metres_f32(height) };
        let state = match () {
            () if hierarchy.nodes[node as usize].is_sea => LakeState::Sea,
            () if lakes.is_full(hierarchy, node) => LakeState::Full,
            () => LakeState::Filling,
        };
        LeafWater { height, level, node, state, volume: lakes.water_volume(node) }
    }

    pub(in crate::hydrology) fn leaf_water_at(&self, cell: u32) -> LeafWater {
        self.leaves[self.hierarchy.label[cell as usize] as usize]
    }

    /// Returns the water level over a cell (quanta of 2⁻²⁰ m), or `None` if the cell is dry.
    pub(in crate::hydrology) fn level_over(&self, terrain: Terrain, cell: usize) -> Option<i64> {
        let level = self.leaves[self.hierarchy.label[cell] as usize].height;
        (level > terrain.bed[cell]).then_some(level)
    }

    /// Writes the surface height of each cell in a range (quanta of 2⁻²⁰ m): the water level, or
    /// the height of the ground on dry cells. `bed` contains the ground heights of these cells. The
    /// loop has no branch per cell, because such a branch would be unpredictable.
    pub(in crate::hydrology) fn write_levels(
        &self,
        cells: Range<usize>,
        bed: &[i64],
        into: &mut [i64],
    ) {
        let cells = self.hierarchy.label[cells].iter().zip(bed);
        for (into, (&label, &bed)) in into.iter_mut().zip(cells) {
            *into = self.leaves[label as usize].height.max(bed);
        }
    }

    /// Adds a volume of water (quanta of 2⁻²⁰ m times the cell area) at a cell. The water flows to
    /// its final position immediately. Returns two values: the volumes that leave the map, and a
    /// list of the hierarchy nodes whose water changed.
    pub(in crate::hydrology) fn pour(
        &mut self,
        terrain: Terrain,
        cell: usize,
        volume: i64,
        scratch: &ScratchPool,
    ) -> (Outflow, Vec<u32>) {
        let leaf = self.hierarchy.label[cell];
        if self.hierarchy.nodes[leaf as usize].is_sea {
            return (Outflow { water: volume, sediment: 0 }, Vec::new());
        }
        let mut nodes: Vec<u32> = vec![self.lakes.active_node(leaf)];
        let mut spilling = vec![self.lakes.add_water(&self.hierarchy, leaf, volume)];
        let water = self.lakes.spill_excess(&self.hierarchy, &mut spilling, &mut nodes);
        self.update_levels(terrain, &mut nodes, scratch);
        (Outflow { water, sediment: 0 }, nodes)
    }

    pub(in crate::hydrology) fn add_rain(
        &mut self,
        terrain: Terrain,
        volumes: &[i64],
        scratch: &ScratchPool,
    ) -> i64 {
        let mut touched = scratch.take_vec();
        let outflow = self.add_rain_without_levels(volumes, &mut touched, scratch);
        self.update_levels(terrain, &mut touched, scratch);
        outflow
    }

    /// Distributes rain like [`add_rain`](Self::add_rain), but does not update the water levels.
    /// Appends the nodes whose water changed to `touched`. Returns the volume that leaves the map
    /// (quanta of 2⁻²⁰ m times the cell area).
    pub(in crate::hydrology) fn add_rain_without_levels(
        &mut self,
        volumes: &[i64],
        touched: &mut Vec<u32>,
        scratch: &ScratchPool,
    ) -> i64 {
        let Self { hierarchy, lakes, .. } = self;
        let mut spilling = scratch.take_vec();
        let mut outflow = 0;
        for (leaf, &volume) in volumes.iter().enumerate() {
            if hierarchy.nodes[leaf].is_sea {
                outflow += volume;
            } else if volume > 0 {
                spilling.push(lakes.add_water(hierarchy, leaf as u32, volume));
            }
        }
        touched.extend_from_slice(&spilling);
        outflow + lakes.spill_excess(hierarchy, &mut spilling, touched)
    }

    /// Returns the tiles (column, row) that contain cells on the floor of a node's depression,
    /// sorted and without duplicates. The callback `tile` returns the tile that contains a given
    /// cell.
    pub(in crate::hydrology) fn tiles_of_node(
        &self,
        node: u32,
        tile: impl Fn(u32) -> (usize, usize),
    ) -> Vec<(usize, usize)> {
        let floor = self.hierarchy.node_floor(&self.hierarchy.nodes[node as usize]);
        let mut tiles = Vec::new();
        for tile in floor.iter().map(|&cell| tile(cell)) {
            // Cells of a leaf are consecutive.
            if tiles.last() != Some(&tile) {
                tiles.push(tile);
            }
        }
        tiles.sort_unstable();
        tiles.dedup();
        tiles
    }

    pub(in crate::hydrology) fn memory(&self) -> usize {
        let own = self.suspended.capacity() * size_of::<i64>()
            + self.leaves.capacity() * size_of::<LeafWater>();
        own + self.hierarchy.memory() + self.lakes.memory()
    }

    /// Returns the total volume of water in lakes and the total volume of suspended sediment
    /// (quanta of 2⁻²⁰ m times the cell area).
    pub(in crate::hydrology) fn total_volumes(&self) -> [i128; 2] {
        let water =
            self.lakes.active_nodes().map(|node| i128::from(self.lakes.water_volume(node))).sum();
        [water, self.suspended.iter().map(|&s| i128::from(s)).sum()]
    }
}

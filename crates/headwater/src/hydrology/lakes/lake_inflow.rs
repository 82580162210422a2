//! Inflow of drops into lakes, and the excess water that full lakes release as new drops.

use super::hierarchy::{NONE, Node, Terrain};
use super::water::Waters;
use crate::hydrology::drops::batch::DropChunk;
use crate::hydrology::drops::descent::MIN_VOLUME_DIVISOR;
use crate::hydrology::state::sums::AtomicSums;
use crate::parallel;
use crate::scratch::{PooledVec, ScratchPool};

#[derive(Clone, Copy, Debug)]
pub(in crate::hydrology) struct SpilledDrop {
    pub(in crate::hydrology) node: u32,
    pub(in crate::hydrology) water: i64,
}

/// Number of chunks of drops per parallel task.
const CHUNKS_PER_TASK: usize = 8;

impl Waters {
    /// Adds water to the lakes: the volumes that the drops of `chunks` left in depressions.
    /// Replaces the contents of `touched` by the nodes whose water changed. Returns the volume that
    /// entered the sea (quanta of 2⁻²⁰ m times the cell area).
    pub(in crate::hydrology) fn add_inflow(
        &mut self,
        terrain: Terrain,
        chunks: &mut [DropChunk],
        touched: &mut Vec<u32>,
        scratch: &ScratchPool,
    ) -> i64 {
        let Self { hierarchy, lakes, leaves, .. } = self;
        let mut sums = AtomicSums::new(hierarchy.nodes.len(), scratch);
        parallel::for_each_item(chunks, CHUNKS_PER_TASK, |_, chunk| {
            for added in &mut chunk.lake_water {
                let node = leaves[hierarchy.label[added.0 as usize] as usize].node;
                // A sum of 0 before the addition identifies the first contribution to a node.
                *added = (node, sums.add(node, added.1));
            }
        });
        let mut outflow = 0;
        touched.clear();
        let added = chunks.iter().flat_map(|chunk| &chunk.lake_water);
        for &(node, _) in added.filter(|&&(_, before)| before == 0) {
            let water = sums.take(node);
            let Node { first, is_sea, .. } = hierarchy.nodes[node as usize];
            if is_sea {
                outflow += water;
            } else if water > 0 {
                touched.push(lakes.add_water(hierarchy, first, water));
            }
        }
        self.update_levels(terrain, touched, scratch);
        outflow
    }

    /// Updates the water levels of the depressions in `touched`, whose volumes have changed. If a
    /// depression in this list has merged into another one, replaces it by that one.
    pub(in crate::hydrology) fn update_levels(
        &mut self,
        terrain: Terrain,
        touched: &mut Vec<u32>,
        scratch: &ScratchPool,
    ) {
        self.replace_by_active_nodes(touched);
        let heights = self.compute_levels(terrain, touched, scratch);
        let mut stack = scratch.take_vec();
        for (&node, &height) in touched.iter().zip(heights.iter()) {
            self.set_level(node, height, &mut stack);
        }
    }

    pub(in crate::hydrology) fn update_all_levels(
        &mut self,
        terrain: Terrain,
        scratch: &ScratchPool,
    ) {
        let mut nodes = scratch.take_vec();
        self.list_active_nodes(&mut nodes);
        let heights = self.compute_levels(terrain, &nodes, scratch);
        self.set_levels(&nodes, &heights);
    }

    fn compute_levels<'s>(
        &mut self,
        terrain: Terrain,
        nodes: &[u32],
        scratch: &'s ScratchPool,
    ) -> PooledVec<'s, i64> {
        let Self { hierarchy, lakes, .. } = self;
        lakes.build_curves(hierarchy, terrain, nodes, scratch);
        scratch.take_collected(
            nodes.iter().map(|&node| lakes.water_level(hierarchy, terrain.sea, node)),
        )
    }

    pub(in crate::hydrology) fn replace_by_active_nodes(&mut self, nodes: &mut Vec<u32>) {
        for node in nodes.iter_mut() {
            *node = self.lakes.active_node(self.hierarchy.nodes[*node as usize].first);
        }
        nodes.sort_unstable();
        nodes.dedup();
    }

    pub(in crate::hydrology) fn set_level(&mut self, node: u32, height: i64, stack: &mut Vec<u32>) {
        let Node { first, last, .. } = self.hierarchy.nodes[node as usize];
        self.merge_suspended_sediment(node, stack);
        let water = self.new_leaf_water(height, node);
        self.leaves[first as usize..last as usize].fill(water);
    }

    pub(in crate::hydrology) fn set_levels(&mut self, nodes: &[u32], heights: &[i64]) {
        self.leaves.clear();
        for (&node, &height) in nodes.iter().zip(heights) {
            let water = self.new_leaf_water(height, node);
            self.leaves.resize(self.hierarchy.nodes[node as usize].last as usize, water);
        }
    }

    /// Removes the water above the capacity from the depressions in `overfull_nodes`, and replaces
    /// the contents of `spills` by drops of this water. Each depression gives drops of the volume
    /// `full_drop` (quanta of 2⁻²⁰ m times the cell area) and one smaller drop for the rest.
    /// `evaporation` is the depth that will evaporate (quanta of 2⁻²⁰ m); this water is not
    /// removed.
    pub(in crate::hydrology) fn release_excess_water(
        &mut self,
        overfull_nodes: &[u32],
        full_drop: i64,
        evaporation: i64,
        spills: &mut Vec<SpilledDrop>,
    ) {
        spills.clear();
        for &node in overfull_nodes {
            let evaporation_volume =
                self.hierarchy.nodes[node as usize].evaporation_volume(evaporation);
            let excess = self.lakes.excess_water(&self.hierarchy, node) - evaporation_volume;
            if excess < full_drop / MIN_VOLUME_DIVISOR
                || self.hierarchy.nodes[node as usize].near_cell == NONE
            {
                continue;
            }
            self.lakes.remove_water(node, excess);
            let (drops, rest) = (excess / full_drop, excess % full_drop);
            spills.extend((0..drops).map(|_| SpilledDrop { node, water: full_drop }));
            spills.extend((rest > 0).then_some(SpilledDrop { node, water: rest }));
        }
    }

    /// Moves the suspended sediment of all depressions that have merged into `node` to `node`.
    /// `stack` is temporary memory.
    fn merge_suspended_sediment(&mut self, node: u32, stack: &mut Vec<u32>) {
        stack.clear();
        stack.push(node);
        while let Some(i) = stack.pop() {
            // A node that already held its own water also holds the sediment of all its
            // descendants.
            let below = self.hierarchy.nodes[i as usize].children;
            let was_active = self.leaves[self.hierarchy.nodes[i as usize].first as usize].node == i;
            if i != node {
                let sediment = std::mem::take(&mut self.suspended[i as usize]);
                self.suspended[node as usize] += sediment;
            }
            if !was_active {
                stack.extend(below.into_iter().filter(|&child| child != NONE));
            }
        }
    }
}

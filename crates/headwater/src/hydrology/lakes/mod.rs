//! Water in the depressions of a hierarchy: how depressions fill, spill and merge.
//!
//! Each depression that has not merged with its sibling has its own volume of water. The water
//! level follows from the volume by a level curve, which consists of the sorted floor heights and
//! their prefix sums. Curves are built only when needed. Looking up a level takes logarithmic time.

pub(super) mod basins;
pub(super) mod floors;
pub(super) mod hierarchy;
pub(super) mod lake_inflow;
pub(super) mod node;
pub(super) mod remap_storage;
pub(super) mod saddles;
pub(super) mod silt;
pub(super) mod water;

use crate::parallel;
use crate::scratch::ScratchPool;
use hierarchy::{Hierarchy, NEVER, NONE, Node, Terrain};
use std::ops::Range;

/// Water level of a depression without water. It is below all ground.
pub(super) const DRY: i64 = i64::MIN;

struct LevelCurve<'a> {
    /// Heights of the cells on the floor of the depression, in ascending order (quanta of 2⁻²⁰ m).
    heights: &'a [i64],
    /// For each cell on the floor of the depression, the sum of the heights of all lower floor
    /// cells (quanta of 2⁻²⁰ m).
    sums: &'a [i64],
}

impl LevelCurve<'_> {
    /// Returns the water level (quanta of 2⁻²⁰ m) for a volume of water (quanta of 2⁻²⁰ m times the
    /// cell area). Rounds down to a whole quantum.
    fn level_at_volume(&self, volume: i64) -> i64 {
        let (mut low, mut high) = (1, self.heights.len());
        // Binary search for the number of submerged cells: the largest number for which the volume
        // fills the floor up to the highest of these cells.
        while low < high {
            let middle = (low + high).div_ceil(2);
            let k = middle - 1;
            if self.heights[k] * k as i64 - self.sums[k] <= volume {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        let k = low - 1;
        (volume + self.sums[k] + self.heights[k]).div_euclid(low as i64)
    }
}

fn curve_range(hierarchy: &Hierarchy, node: u32) -> Range<usize> {
    let depression = &hierarchy.nodes[node as usize];
    let start = hierarchy.floor_range(depression).start;
    start..start + depression.cells as usize
}

struct CurveSlices<'n, 'a> {
    nodes: &'n [u32],
    /// Position at which the slices `heights` and `sums` start in the concatenated level curves of
    /// all depressions.
    first: usize,
    heights: &'a mut [i64],
    sums: &'a mut [i64],
}

impl CurveSlices<'_, '_> {
    fn split_at(self, count: usize, hierarchy: &Hierarchy) -> [Self; 2] {
        let (nodes, rest) = self.nodes.split_at(count);
        let start = rest.first().map(|&node| curve_range(hierarchy, node).start - self.first);
        let start = start.unwrap_or(self.heights.len());
        let (heights, higher) = self.heights.split_at_mut(start);
        let (sums, more) = self.sums.split_at_mut(start);
        let first = self.first + start;
        [
            Self { nodes, heights, sums, ..self },
            Self { nodes: rest, first, heights: higher, sums: more },
        ]
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Lakes {
    /// Volume of water in each depression that has not merged into its parent (quanta of 2⁻²⁰ m
    /// times the cell area).
    water: Vec<i64>,
    /// Union-find parent of each depression: the depression into which it has merged, or the
    /// depression itself.
    merged_into: Vec<u32>,
    /// Whether each node exists as a single depression. This is always true for leaves. For other
    /// nodes, it is true if their two children have filled and merged.
    is_formed: Vec<bool>,
    has_curve: Vec<bool>,
    heights: Vec<i64>,
    sums: Vec<i64>,
}

impl Lakes {
    /// Replaces the lakes by the depressions of a hierarchy, all without water. Depressions with a
    /// capacity of 0 count as full and merge.
    pub(super) fn reset(&mut self, hierarchy: &Hierarchy) {
        let count = hierarchy.nodes.len();
        let Self { water, merged_into, is_formed, has_curve, heights, sums } = self;
        water.clear();
        water.resize(count, 0);
        merged_into.clear();
        merged_into.extend(0..count as u32);
        is_formed.clear();
        is_formed.resize(hierarchy.leaves, true);
        is_formed.resize(count, false);
        has_curve.clear();
        has_curve.resize(count, false);
        heights.resize(hierarchy.floor_cell_count(), 0);
        sums.resize(hierarchy.floor_cell_count(), 0);
        for i in hierarchy.leaves..count {
            let children = hierarchy.nodes[i].children;
            if children.iter().all(|&child| self.is_full(hierarchy, child)) {
                self.merge_nodes(children, i as u32);
            }
        }
    }

    fn merge_nodes(&mut self, children: [u32; 2], parent: u32) {
        let mut water = 0;
        for child in children {
            water += std::mem::take(&mut self.water[child as usize]);
            self.merged_into[child as usize] = parent;
        }
        self.water[parent as usize] += water;
        self.is_formed[parent as usize] = true;
    }

    pub(super) fn active_node(&mut self, leaf: u32) -> u32 {
        let mut i = leaf as usize;
        while self.merged_into[i] as usize != i {
            self.merged_into[i] = self.merged_into[self.merged_into[i] as usize];
            i = self.merged_into[i] as usize;
        }
        i as u32
    }

    pub(super) fn is_full(&self, hierarchy: &Hierarchy, node: u32) -> bool {
        let water = self.water[node as usize];
        self.is_formed[node as usize] && water >= hierarchy.nodes[node as usize].capacity()
    }

    pub(super) fn water_volume(&self, node: u32) -> i64 {
        self.water[node as usize]
    }

    pub(super) fn remove_water(&mut self, node: u32, volume: i64) {
        self.water[node as usize] -= volume;
    }

    /// Returns the volume of water above the capacity of a node (quanta of 2⁻²⁰ m times the cell
    /// area). This volume spills before a step ends.
    pub(super) fn excess_water(&self, hierarchy: &Hierarchy, node: u32) -> i64 {
        let capacity = hierarchy.nodes[node as usize].capacity();
        if capacity == NEVER { 0 } else { (self.water[node as usize] - capacity).max(0) }
    }

    /// Adds a volume of water (quanta of 2⁻²⁰ m times the cell area) to the depression that
    /// contains a leaf. Merges full depressions. Excess water remains in the depression until
    /// [`spill_excess`](Self::spill_excess) is called. Returns the node that holds the water.
    pub(super) fn add_water(&mut self, hierarchy: &Hierarchy, leaf: u32, volume: i64) -> u32 {
        let mut node = self.active_node(leaf);
        self.water[node as usize] += volume;
        loop {
            let Node { parent, .. } = hierarchy.nodes[node as usize];
            if parent == NONE || !self.is_full(hierarchy, node) {
                return node;
            }
            let children = hierarchy.nodes[parent as usize].children;
            if !children.iter().all(|&child| self.is_full(hierarchy, child)) {
                return node;
            }
            self.merge_nodes(children, parent);
            node = parent;
        }
    }

    /// Moves excess water to the neighbouring depressions until no depression exceeds its capacity.
    /// `stack` holds the nodes with excess water. Appends all visited nodes to `touched`. Returns
    /// the volume that left across the edges of the map or into the sea (quanta of 2⁻²⁰ m times the
    /// cell area).
    pub(super) fn spill_excess(
        &mut self,
        hierarchy: &Hierarchy,
        stack: &mut Vec<u32>,
        touched: &mut Vec<u32>,
    ) -> i64 {
        let mut outflow = 0;
        while let Some(node) = stack.pop() {
            touched.push(node);
            let volume = self.excess_water(hierarchy, node);
            if self.merged_into[node as usize] != node || volume == 0 {
                continue;
            }
            self.remove_water(node, volume);
            let Node { far_leaf: beyond, is_sea, .. } = hierarchy.nodes[node as usize];
            if beyond == NONE || is_sea {
                outflow += volume;
                continue;
            }
            if hierarchy.nodes[beyond as usize].is_sea {
                outflow += volume;
            } else {
                stack.push(self.add_water(hierarchy, beyond, volume));
            }
        }
        outflow
    }

    /// Returns the water level of a depression (quanta of 2⁻²⁰ m) if no level curve is needed,
    /// because the depression is full, dry or part of the sea. The level of a dry depression is
    /// [`DRY`]. Returns `None` if a level curve is needed.
    pub(super) fn level_without_curve(
        &self,
        hierarchy: &Hierarchy,
        sea: i64,
        node: u32,
    ) -> Option<i64> {
        let depression = &hierarchy.nodes[node as usize];
        let water = self.water[node as usize];
        if depression.is_sea {
            return Some(sea);
        }
        if water >= depression.capacity() {
            return Some(if depression.cells == 0 { DRY } else { depression.spill_height });
        }
        (water == 0).then_some(DRY)
    }

    /// Returns the water level of a depression (quanta of 2⁻²⁰ m), or [`DRY`] if it has no water.
    /// If the depression is partly full, its level curve must already have been built by
    /// [`build_curves`](Self::build_curves).
    pub(super) fn water_level(&self, hierarchy: &Hierarchy, sea: i64, node: u32) -> i64 {
        self.level_without_curve(hierarchy, sea, node).unwrap_or_else(|| {
            let curve = curve_range(hierarchy, node);
            let (heights, sums) = (&self.heights[curve.clone()], &self.sums[curve]);
            LevelCurve { heights, sums }.level_at_volume(self.water[node as usize])
        })
    }

    pub(super) fn build_curves(
        &mut self,
        hierarchy: &Hierarchy,
        terrain: Terrain,
        nodes: &[u32],
        scratch: &ScratchPool,
    ) {
        let mut missing = scratch.take_vec();
        for &node in nodes {
            if self.level_without_curve(hierarchy, terrain.sea, node).is_none()
                && !std::mem::replace(&mut self.has_curve[node as usize], true)
            {
                missing.push(node);
            }
        }
        missing.sort_unstable_by_key(|&node| hierarchy.nodes[node as usize].first);
        let split = |all, count| CurveSlices::split_at(all, count, hierarchy);
        let make = |all: CurveSlices<'_, '_>| {
            for &node in all.nodes {
                let Range { start, end } = curve_range(hierarchy, node);
                let curve = start - all.first..end - all.first;
                let depression = &hierarchy.nodes[node as usize];
                let floor = hierarchy.node_floor(depression).iter();
                let below = floor.map(|&cell| terrain.bed[cell as usize]);
                let below = below.filter(|&z| z < depression.spill_height);
                let (heights, sums) = (&mut all.heights[curve.clone()], &mut all.sums[curve]);
                heights.iter_mut().zip(below).for_each(|(height, z)| *height = z);
                parallel::sort(heights);
                let mut sum = 0;
                for (before, z) in sums.iter_mut().zip(heights.iter()) {
                    *before = sum;
                    sum += z;
                }
            }
        };
        let (heights, sums) = (&mut self.heights[..], &mut self.sums[..]);
        let all = CurveSlices { first: 0, nodes: &missing, heights, sums };
        parallel::for_each_part(all, missing.len(), &split, &make);
    }

    pub(super) fn memory(&self) -> usize {
        let node = size_of::<i64>() + size_of::<u32>() + 2 * size_of::<bool>();
        self.water.capacity() * node + 2 * self.heights.capacity() * size_of::<i64>()
    }

    /// Returns the depressions that currently hold their own water: those that exist and have not
    /// merged into a larger one. A depression with two parts exists once both parts have filled.
    pub(super) fn active_nodes(&self) -> impl Iterator<Item = u32> {
        (0..self.water.len() as u32)
            .filter(|&i| self.merged_into[i as usize] == i && self.is_formed[i as usize])
    }
}

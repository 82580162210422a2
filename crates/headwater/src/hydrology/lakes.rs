//! The water that stands in the depressions of a hierarchy: filling, spilling, merging.
//!
//! Each depression that water has not merged with its sibling holds its own water. A level follows from the
//! volume by the sorted heights of the floor and their sums, a curve made when it is first asked for;
//! with it, adding water takes as many steps as the number of cells has digits, however large the lake.

use super::hierarchy::{Hierarchy, NEVER, NONE, Node, Terrain};
use std::collections::HashMap;

/// A level below all ground: no water.
pub(super) const DRY: i64 = i64::MIN;

/// How much water lies below each level.
#[derive(Clone, Debug, Default)]
pub(super) struct Curve {
    /// Heights of the floor, from the lowest, and the sum of those before each.
    heights: Vec<i64>,
    sums: Vec<i64>,
}

impl Curve {
    fn new(mut heights: Vec<i64>) -> Self {
        heights.sort_unstable();
        let before = heights.iter().scan(0, |sum, z| {
            let before = *sum;
            *sum += z;
            Some(before)
        });
        Self { sums: before.collect(), heights }
    }

    /// The level to which a volume reaches; what is not enough to raise all its cells by a quantum lies
    /// on top.
    fn level(&self, volume: i64) -> i64 {
        let (mut low, mut high) = (1, self.heights.len());
        // The most cells under water: the volume fills the floor up to the highest of them.
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

/// The lakes of a hierarchy.
#[derive(Clone, Debug, Default)]
pub(super) struct Lakes {
    /// Water (quanta) of each node that is not merged into its parent.
    water: Vec<i64>,
    /// What a node is part of: itself, or the node it has merged into.
    whole: Vec<u32>,
    /// Whether a node has come to be: a leaf, or what two full children merged to.
    formed: Vec<bool>,
    curves: HashMap<u32, Curve>,
}

impl Lakes {
    /// No water. Depressions without depth are full as they are, and merged.
    pub(super) fn new(hierarchy: &Hierarchy) -> Self {
        let count = hierarchy.nodes.len();
        let mut lakes = Self {
            water: vec![0; count],
            whole: (0..count as u32).collect(),
            formed: (0..count).map(|i| i < hierarchy.leaves).collect(),
            curves: HashMap::new(),
        };
        for i in hierarchy.leaves..count {
            let children = hierarchy.nodes[i].children;
            if children.iter().all(|&child| lakes.is_full(hierarchy, child)) {
                lakes.merge(children, i as u32);
            }
        }
        lakes
    }

    fn merge(&mut self, children: [u32; 2], parent: u32) {
        let mut water = 0;
        for child in children {
            water += std::mem::take(&mut self.water[child as usize]);
            self.whole[child as usize] = parent;
            self.curves.remove(&child);
        }
        self.water[parent as usize] += water;
        self.formed[parent as usize] = true;
    }

    /// The node that a leaf's water is in.
    pub(super) fn node(&mut self, leaf: u32) -> u32 {
        let mut i = leaf as usize;
        while self.whole[i] as usize != i {
            self.whole[i] = self.whole[self.whole[i] as usize];
            i = self.whole[i] as usize;
        }
        i as u32
    }

    /// Whether a node has come to be and can hold no more.
    pub(super) fn is_full(&self, hierarchy: &Hierarchy, node: u32) -> bool {
        let water = self.water[node as usize];
        self.formed[node as usize] && water >= hierarchy.nodes[node as usize].capacity()
    }

    /// The water of a node that is not merged into another (quanta), what has yet to spill included.
    pub(super) fn water(&self, node: u32) -> i64 {
        self.water[node as usize]
    }

    /// Takes water (quanta) that a node has too much.
    pub(super) fn take(&mut self, node: u32, volume: i64) {
        self.water[node as usize] -= volume;
    }

    /// What a node holds beyond its capacity (quanta).
    pub(super) fn excess(&self, hierarchy: &Hierarchy, node: u32) -> i64 {
        let capacity = hierarchy.nodes[node as usize].capacity();
        if capacity == NEVER { 0 } else { (self.water[node as usize] - capacity).max(0) }
    }

    /// Adds water (quanta) to the depression that a leaf is part of. Full depressions merge; what is too
    /// much for the outcome stays as its excess. Gives the node that holds the water.
    pub(super) fn add(&mut self, hierarchy: &Hierarchy, leaf: u32, volume: i64) -> u32 {
        let mut node = self.node(leaf);
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
            self.merge(children, parent);
            node = parent;
        }
    }

    /// Hands on what is too much, from a depression to the one beyond its saddle, until nothing is. Gives what
    /// has left over the edges and into the sea (quanta), and the nodes that it came through.
    pub(super) fn spill(&mut self, hierarchy: &Hierarchy, start: u32) -> (i64, Vec<u32>) {
        let mut gone = 0;
        let (mut stack, mut touched) = (vec![start], Vec::new());
        while let Some(node) = stack.pop() {
            touched.push(node);
            let volume = self.excess(hierarchy, node);
            if self.whole[node as usize] != node || volume == 0 {
                continue;
            }
            self.take(node, volume);
            let Node { outside, sea, .. } = hierarchy.nodes[node as usize];
            if outside == NONE || sea {
                gone += volume;
                continue;
            }
            let beyond = hierarchy.label[outside as usize];
            if hierarchy.nodes[beyond as usize].sea {
                gone += volume;
            } else {
                stack.push(self.add(hierarchy, beyond, volume));
            }
        }
        (gone, touched)
    }

    /// The level (quanta) of a node's water, [`DRY`] without any.
    pub(super) fn level(&mut self, hierarchy: &Hierarchy, terrain: Terrain, node: u32) -> i64 {
        let depression = &hierarchy.nodes[node as usize];
        let water = self.water[node as usize];
        if depression.sea {
            return terrain.sea;
        }
        if water >= depression.capacity() {
            return if depression.cells == 0 { DRY } else { depression.spill };
        }
        if water == 0 {
            return DRY;
        }
        let curve = self.curves.entry(node).or_insert_with(|| {
            let heights =
                hierarchy.floor(depression).iter().map(|&cell| terrain.bed[cell as usize]);
            Curve::new(heights.filter(|&z| z < depression.spill).collect())
        });
        curve.level(water)
    }

    /// Memory that it takes (bytes).
    pub(super) fn memory(&self) -> usize {
        let node = size_of::<i64>() + size_of::<u32>() + size_of::<bool>();
        let heights: usize = self.curves.values().map(|curve| curve.heights.capacity()).sum();
        self.water.capacity() * node + 2 * heights * size_of::<i64>()
    }

    /// The nodes that are not merged into others, of those that have come to be.
    pub(super) fn wholes(&self) -> impl Iterator<Item = u32> {
        (0..self.water.len() as u32)
            .filter(|&i| self.whole[i as usize] == i && self.formed[i as usize])
    }
}

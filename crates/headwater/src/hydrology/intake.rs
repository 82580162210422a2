//! Water that drops leave in lakes, and what lakes shed that have too much.

use super::batch::Chunk;
use super::hierarchy::{NONE, Node, Terrain};
use super::sums::Sums;
use super::walk::LEAST;
use super::water::Waters;
use crate::parallel;
use crate::scratch::{PooledVec, ScratchPool};

#[derive(Clone, Copy, Debug)]
pub(super) struct Spill {
    pub(super) node: u32,
    pub(super) water: i64,
}

/// Chunks of drops whose water is worth a task of its own.
const CHUNKS: usize = 8;

impl Waters {
    /// Takes in the water that drops have left. Lists the depressions it came to; returns what is
    /// in the sea (quanta).
    pub(super) fn take_in(
        &mut self,
        terrain: Terrain,
        chunks: &mut [Chunk],
        touched: &mut Vec<u32>,
        scratch: &ScratchPool,
    ) -> i64 {
        let Self { hierarchy, lakes, leaves, .. } = self;
        let mut sums = Sums::new(hierarchy.nodes.len(), scratch);
        parallel::for_each_item(chunks, CHUNKS, |_, chunk| {
            for left in &mut chunk.left {
                let node = leaves[hierarchy.label[left.0 as usize] as usize].node;
                // Who adds to a sum first tells of it.
                *left = (node, sums.add(node, left.1));
            }
        });
        let mut gone = 0;
        touched.clear();
        let left = chunks.iter().flat_map(|chunk| &chunk.left);
        for &(node, _) in left.filter(|&&(_, before)| before == 0) {
            let water = sums.take(node);
            let Node { first, sea, .. } = hierarchy.nodes[node as usize];
            if sea {
                gone += water;
            } else if water > 0 {
                touched.push(lakes.add(hierarchy, first, water));
            }
        }
        self.touch(terrain, touched, scratch);
        gone
    }

    /// Finds the levels of depressions whose water is another now; of those that have merged, lists what they are part of.
    pub(super) fn touch(
        &mut self,
        terrain: Terrain,
        touched: &mut Vec<u32>,
        scratch: &ScratchPool,
    ) {
        self.list_wholes(touched);
        let heights = self.levels(terrain, touched, scratch);
        let mut stack = scratch.vec();
        for (&node, &height) in touched.iter().zip(heights.iter()) {
            self.set_level(node, height, &mut stack);
        }
    }

    pub(super) fn find_levels(&mut self, terrain: Terrain, scratch: &ScratchPool) {
        let mut nodes = scratch.vec();
        self.nodes_of_leaves(&mut nodes);
        let heights = self.levels(terrain, &nodes, scratch);
        self.set_levels(&nodes, &heights);
    }

    fn levels<'s>(
        &mut self,
        terrain: Terrain,
        nodes: &[u32],
        scratch: &'s ScratchPool,
    ) -> PooledVec<'s, i64> {
        let Self { hierarchy, lakes, .. } = self;
        lakes.make_curves(hierarchy, terrain, nodes, scratch);
        scratch.collect(nodes.iter().map(|&node| lakes.level(hierarchy, terrain.sea, node)))
    }

    pub(super) fn list_wholes(&mut self, nodes: &mut Vec<u32>) {
        for node in nodes.iter_mut() {
            *node = self.lakes.node(self.hierarchy.nodes[*node as usize].first);
        }
        nodes.sort_unstable();
        nodes.dedup();
    }

    pub(super) fn set_level(&mut self, node: u32, height: i64, stack: &mut Vec<u32>) {
        let Node { first, last, .. } = self.hierarchy.nodes[node as usize];
        self.gather_suspended(node, stack);
        let water = self.at_level(height, node);
        self.leaves[first as usize..last as usize].fill(water);
    }

    pub(super) fn set_levels(&mut self, nodes: &[u32], heights: &[i64]) {
        self.leaves.clear();
        for (&node, &height) in nodes.iter().zip(heights) {
            let water = self.at_level(height, node);
            self.leaves.resize(self.hierarchy.nodes[node as usize].last as usize, water);
        }
    }

    /// Takes the excess out of depressions, for drops of about a `whole` (quanta), without what
    /// dries at a depth `dry`.
    pub(super) fn shed(&mut self, overfull: &[u32], whole: i64, dry: i64, spills: &mut Vec<Spill>) {
        spills.clear();
        for &node in overfull {
            let dries = self.hierarchy.nodes[node as usize].dries(dry);
            let excess = self.lakes.excess(&self.hierarchy, node) - dries;
            if excess < whole / LEAST || self.hierarchy.nodes[node as usize].inside == NONE {
                continue;
            }
            self.lakes.take(node, excess);
            let (drops, rest) = (excess / whole, excess % whole);
            spills.extend((0..drops).map(|_| Spill { node, water: whole }));
            spills.extend((rest > 0).then_some(Spill { node, water: rest }));
        }
    }

    /// Moves what is suspended in merged nodes to what they have merged to.
    fn gather_suspended(&mut self, node: u32, stack: &mut Vec<u32>) {
        stack.clear();
        stack.push(node);
        while let Some(i) = stack.pop() {
            // A node that was a whole before holds all that those below it did.
            let below = self.hierarchy.nodes[i as usize].children;
            let was_whole = self.leaves[self.hierarchy.nodes[i as usize].first as usize].node == i;
            if i != node {
                let sediment = std::mem::take(&mut self.suspended[i as usize]);
                self.suspended[node as usize] += sediment;
            }
            if !was_whole {
                stack.extend(below.into_iter().filter(|&child| child != NONE));
            }
        }
    }
}

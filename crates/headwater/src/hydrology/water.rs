//! The water of a land: its depressions, what stands in them, and what drops meet there.

use super::fixed;
use super::hierarchy::{Hierarchy, Terrain};
use super::lakes::{DRY, Lakes};
use super::walk::{State, Water};
use crate::scratch::ScratchPool;

#[derive(Clone, Debug, Default)]
pub(super) struct Waters {
    pub(super) hierarchy: Hierarchy,
    pub(super) lakes: Lakes,
    /// Sediment suspended in each node (quanta on a cell).
    pub(super) suspended: Vec<i64>,
    pub(super) leaves: Vec<Water>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gone {
    pub(super) water: i64,
    pub(super) sediment: i64,
}

impl Waters {
    /// Pours water and sediment on the leaves of a new hierarchy, the excess running over at once.
    /// Levels are found later.
    pub(super) fn fill(&mut self, poured: &[(i64, i64)], scratch: &ScratchPool) -> Gone {
        let Self { hierarchy, lakes, suspended, .. } = self;
        lakes.empty(hierarchy);
        let mut gone = Gone::default();
        suspended.clear();
        suspended.resize(hierarchy.nodes.len(), 0);
        for (leaf, &(water, sediment)) in poured.iter().enumerate() {
            if hierarchy.nodes[leaf].sea {
                gone.water += water;
                gone.sediment += sediment;
            } else if water > 0 {
                lakes.add(hierarchy, leaf as u32, water);
            }
        }
        let (mut over, mut touched) = (scratch.vec(), scratch.vec());
        over.extend(lakes.wholes().filter(|&node| lakes.excess(hierarchy, node) > 0));
        gone.water += lakes.spill(hierarchy, &mut over, &mut touched);
        for (leaf, &(_, sediment)) in poured.iter().enumerate() {
            if sediment > 0 && !hierarchy.nodes[leaf].sea {
                suspended[lakes.node(leaf as u32) as usize] += sediment;
            }
        }
        gone
    }

    pub(super) fn nodes_of_leaves(&mut self, nodes: &mut Vec<u32>) {
        nodes.clear();
        let mut leaf = 0;
        while leaf < self.hierarchy.leaves {
            let node = self.lakes.node(leaf as u32);
            nodes.push(node);
            leaf = self.hierarchy.nodes[node as usize].last as usize;
        }
    }

    pub(super) fn at_level(&self, height: i64, node: u32) -> Water {
        let Self { hierarchy, lakes, .. } = self;
        let level = if height == DRY { f32::MIN } else { fixed::metres_f32(height) };
        let state = match () {
            () if hierarchy.nodes[node as usize].sea => State::Sea,
            () if lakes.is_full(hierarchy, node) => State::Full,
            () => State::Filling,
        };
        Water { height, level, node, state, held: lakes.water(node) }
    }

    pub(super) fn leaf(&self, cell: u32) -> Water {
        self.leaves[self.hierarchy.label[cell as usize] as usize]
    }

    /// The level (quanta) of the water over a cell, if there is any.
    pub(super) fn level_over(&self, terrain: Terrain, cell: usize) -> Option<i64> {
        let level = self.leaves[self.hierarchy.label[cell] as usize].height;
        (level > terrain.bed[cell]).then_some(level)
    }

    /// Pours water (quanta) on a cell, which runs at once to where it will stand. Returns what has
    /// left, and the nodes that changed.
    pub(super) fn pour(
        &mut self,
        terrain: Terrain,
        cell: usize,
        volume: i64,
        scratch: &ScratchPool,
    ) -> (Gone, Vec<u32>) {
        let leaf = self.hierarchy.label[cell];
        if self.hierarchy.nodes[leaf as usize].sea {
            return (Gone { water: volume, sediment: 0 }, Vec::new());
        }
        let mut nodes: Vec<u32> = vec![self.lakes.node(leaf)];
        let mut over = vec![self.lakes.add(&self.hierarchy, leaf, volume)];
        let water = self.lakes.spill(&self.hierarchy, &mut over, &mut nodes);
        self.touch(terrain, &mut nodes, scratch);
        (Gone { water, sediment: 0 }, nodes)
    }

    pub(super) fn rain(&mut self, terrain: Terrain, volumes: &[i64], scratch: &ScratchPool) -> i64 {
        let mut touched = scratch.vec();
        let gone = self.rain_on(volumes, &mut touched, scratch);
        self.touch(terrain, &mut touched, scratch);
        gone
    }

    /// The same, but for the levels of the nodes that are `touched`.
    pub(super) fn rain_on(
        &mut self,
        volumes: &[i64],
        touched: &mut Vec<u32>,
        scratch: &ScratchPool,
    ) -> i64 {
        let Self { hierarchy, lakes, .. } = self;
        let mut over = scratch.vec();
        let mut gone = 0;
        for (leaf, &volume) in volumes.iter().enumerate() {
            if hierarchy.nodes[leaf].sea {
                gone += volume;
            } else if volume > 0 {
                over.push(lakes.add(hierarchy, leaf as u32, volume));
            }
        }
        touched.extend_from_slice(&over);
        gone + lakes.spill(hierarchy, &mut over, touched)
    }

    /// The tiles that the floor of a node lies in. `tile` says in which a cell is.
    pub(super) fn tiles_of(
        &self,
        node: u32,
        tile: impl Fn(u32) -> (usize, usize),
    ) -> Vec<(usize, usize)> {
        let floor = self.hierarchy.floor(&self.hierarchy.nodes[node as usize]);
        let mut tiles = Vec::new();
        for tile in floor.iter().map(|&cell| tile(cell)) {
            // Cells of a leaf follow one another.
            if tiles.last() != Some(&tile) {
                tiles.push(tile);
            }
        }
        tiles.sort_unstable();
        tiles.dedup();
        tiles
    }

    pub(super) fn memory(&self) -> usize {
        let own = self.suspended.capacity() * size_of::<i64>()
            + self.leaves.capacity() * size_of::<Water>();
        own + self.hierarchy.memory() + self.lakes.memory()
    }

    /// All water (quanta on a cell), and all suspended sediment.
    pub(super) fn totals(&self) -> [i128; 2] {
        let water = self.lakes.wholes().map(|node| i128::from(self.lakes.water(node))).sum();
        [water, self.suspended.iter().map(|&s| i128::from(s)).sum()]
    }
}

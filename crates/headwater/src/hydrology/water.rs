//! Lakes from one bed to the next: what they hold is kept by cell while the land under them changes, and
//! poured into the depressions of the new land.

use super::batch::Chunk;
use super::exchange::Delivery;
use super::fixed;
use super::hierarchy::{Hierarchy, NONE, Node, Terrain};
use super::lakes::{DRY, Lakes};
use super::walk::{LEAST, State, Water};
use crate::spare::{Lent, Spare};
use serde::{Deserialize, Serialize};

/// Water and sediment that belong to the depression which a cell is in (quanta on a cell).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Holding {
    pub(super) cell: u32,
    pub(super) water: i64,
    pub(super) sediment: i64,
}

/// The hierarchy of a bed, and what stands in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Waters {
    pub(super) hierarchy: Hierarchy,
    pub(super) lakes: Lakes,
    /// Sediment suspended in each node (quanta on a cell).
    pub(super) suspended: Vec<i64>,
    /// What drops need to know of each leaf.
    pub(super) leaves: Vec<Water>,
}

/// Water (quanta on a cell) that a full depression sheds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spill {
    pub(super) node: u32,
    pub(super) water: i64,
}

/// Water and sediment that have left the map (quanta on a cell).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gone {
    pub(super) water: i64,
    pub(super) sediment: i64,
}

impl Waters {
    /// Pours what is held into the depressions of a bed; what was there before is forgotten. What is too much for them runs
    /// over at once, without carving.
    pub(super) fn refill(&mut self, terrain: Terrain, held: &[Holding], spare: &Spare) -> Gone {
        let hierarchy = &mut self.hierarchy;
        hierarchy.follow(terrain, spare);
        // All of a leaf at once: what fills it first does not depend on how it came.
        let mut poured = spare.filled(hierarchy.leaves, (0, 0));
        for holding in held {
            let leaf = &mut poured[hierarchy.label[holding.cell as usize] as usize];
            leaf.0 += holding.water;
            leaf.1 += holding.sediment;
        }
        let gone = self.fill(&poured, spare);
        self.find_levels(terrain);
        gone
    }

    /// Pours water and sediment on the leaves of a hierarchy that has just come to be. What is too much runs over at once. Levels have yet
    /// to be found.
    pub(super) fn fill(&mut self, poured: &[(i64, i64)], spare: &Spare) -> Gone {
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
        let (mut over, mut touched) = (spare.vec(), spare.vec());
        over.extend(lakes.wholes().filter(|&node| lakes.excess(hierarchy, node) > 0));
        gone.water += lakes.spill(hierarchy, &mut over, &mut touched);
        for (leaf, &(_, sediment)) in poured.iter().enumerate() {
            if sediment > 0 && !hierarchy.nodes[leaf].sea {
                suspended[lakes.node(leaf as u32) as usize] += sediment;
            }
        }
        gone
    }

    /// Finds the levels that drops will meet.
    fn find_levels(&mut self, terrain: Terrain) {
        self.leaves.clear();
        while self.leaves.len() < self.hierarchy.leaves {
            let leaf = self.leaves.len() as u32;
            let node = self.lakes.node(leaf);
            let water = self.level_of(terrain, node);
            // Leaves of one node follow one another.
            self.leaves.resize(self.hierarchy.nodes[node as usize].last as usize, water);
        }
    }

    /// The node that each leaf's water is in, once for all leaves of one.
    pub(super) fn nodes_of_leaves(&mut self, nodes: &mut Vec<u32>) {
        nodes.clear();
        let mut leaf = 0;
        while leaf < self.hierarchy.leaves {
            let node = self.lakes.node(leaf as u32);
            nodes.push(node);
            leaf = self.hierarchy.nodes[node as usize].last as usize;
        }
    }

    fn level_of(&mut self, terrain: Terrain, node: u32) -> Water {
        let height = self.lakes.level(&self.hierarchy, terrain, node);
        self.at_level(height, node)
    }

    /// What there is to know of a node whose water stands at a level (quanta).
    fn at_level(&self, height: i64, node: u32) -> Water {
        let Self { hierarchy, lakes, .. } = self;
        let level = if height == DRY { f32::MIN } else { fixed::metres_f32(height) };
        let state = match () {
            () if hierarchy.nodes[node as usize].sea => State::Sea,
            () if lakes.is_full(hierarchy, node) => State::Full,
            () => State::Filling,
        };
        Water { height, level, node, state, held: lakes.water(node) }
    }

    /// Takes in the water that drops have left. Lists the depressions that it came into, and gives what is in the sea
    /// (quanta).
    pub(super) fn take_in(
        &mut self,
        terrain: Terrain,
        chunks: &[Chunk],
        touched: &mut Vec<u32>,
        spare: &Spare,
    ) -> i64 {
        let mut gone = 0;
        touched.clear();
        for &(cell, water) in chunks.iter().flat_map(|chunk| &chunk.left) {
            let leaf = self.hierarchy.label[cell as usize];
            if self.hierarchy.nodes[leaf as usize].sea {
                gone += water;
            } else if water > 0 {
                touched.push(self.lakes.add(&self.hierarchy, leaf, water));
            }
        }
        self.touch(terrain, touched, &mut spare.vec());
        gone
    }

    /// Finds the levels of depressions whose water is another now; of those that have merged, lists what they are part of.
    fn touch(&mut self, terrain: Terrain, touched: &mut Vec<u32>, stack: &mut Vec<u32>) {
        self.list_wholes(touched);
        for &node in touched.iter() {
            let height = self.lakes.level(&self.hierarchy, terrain, node);
            self.set_level(node, height, stack);
        }
    }

    /// Puts what nodes are part of in their place, each once.
    pub(super) fn list_wholes(&mut self, nodes: &mut Vec<u32>) {
        for node in nodes.iter_mut() {
            *node = self.lakes.node(self.hierarchy.nodes[*node as usize].first);
        }
        nodes.sort_unstable();
        nodes.dedup();
    }

    /// Notes the level (quanta) of a node, which may have come to be just now. `stack` lends its memory.
    pub(super) fn set_level(&mut self, node: u32, height: i64, stack: &mut Vec<u32>) {
        let Node { first, last, .. } = self.hierarchy.nodes[node as usize];
        self.gather_suspended(node, stack);
        let water = self.at_level(height, node);
        self.leaves[first as usize..last as usize].fill(water);
    }

    /// Notes the level (quanta) of each of the [nodes of all leaves](Self::nodes_of_leaves).
    pub(super) fn set_levels(&mut self, nodes: &[u32], heights: &[i64]) {
        self.leaves.clear();
        for (&node, &height) in nodes.iter().zip(heights) {
            let water = self.at_level(height, node);
            self.leaves.resize(self.hierarchy.nodes[node as usize].last as usize, water);
        }
    }

    /// Takes what is too much out of depressions, to be shed by drops of about a `whole` (quanta), but for what dries where
    /// each cell loses a depth `dry`.
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

    /// What drops know of the leaf that a cell is in.
    pub(super) fn leaf(&self, cell: u32) -> Water {
        self.leaves[self.hierarchy.label[cell as usize] as usize]
    }

    /// The level (quanta) of the water over a cell, if there is any.
    pub(super) fn level_over(&self, terrain: Terrain, cell: usize) -> Option<i64> {
        let level = self.leaves[self.hierarchy.label[cell] as usize].height;
        (level > terrain.bed[cell]).then_some(level)
    }

    /// Pours water (quanta) on a cell, to run at once to where it will stand. Gives what has left, and
    /// the nodes whose water is another now.
    pub(super) fn pour(&mut self, terrain: Terrain, cell: usize, volume: i64) -> (Gone, Vec<u32>) {
        let leaf = self.hierarchy.label[cell];
        if self.hierarchy.nodes[leaf as usize].sea {
            return (Gone { water: volume, sediment: 0 }, Vec::new());
        }
        let mut nodes: Vec<u32> = vec![self.lakes.node(leaf)];
        let mut over = vec![self.lakes.add(&self.hierarchy, leaf, volume)];
        let water = self.lakes.spill(&self.hierarchy, &mut over, &mut nodes);
        self.touch(terrain, &mut nodes, &mut over);
        (Gone { water, sediment: 0 }, nodes)
    }

    /// Lets water (quanta) fall on every leaf, to run at once to where it will stand. Gives what has left.
    pub(super) fn rain(&mut self, terrain: Terrain, volumes: &[i64], spare: &Spare) -> i64 {
        let mut touched = spare.vec();
        let gone = self.rain_on(volumes, &mut touched, spare);
        self.touch(terrain, &mut touched, &mut spare.vec());
        gone
    }

    /// The same, but for the levels of the nodes that are `touched`.
    pub(super) fn rain_on(
        &mut self,
        volumes: &[i64],
        touched: &mut Vec<u32>,
        spare: &Spare,
    ) -> i64 {
        let Self { hierarchy, lakes, .. } = self;
        let mut over = spare.vec();
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

    /// Moves what is suspended in nodes that have merged to what they have merged to.
    /// `stack` lends its memory.
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

    /// The water of all depressions, by cell: the bed they stand on may change then. Open water loses a
    /// depth `dry` (quanta) of what is held; gives what that comes to.
    pub(super) fn holdings<'s>(
        &self,
        terrain: Terrain,
        dry: i64,
        spare: &'s Spare,
    ) -> (Lent<'s, Holding>, i64) {
        let mut held = spare.vec();
        let mut dried = 0;
        for node in self.lakes.wholes() {
            let mut water = self.lakes.water(node);
            let depression = &self.hierarchy.nodes[node as usize];
            if water == 0 || depression.sea {
                continue;
            }
            let level = self.leaves[depression.first as usize].height;
            if level != DRY {
                for &cell in self.hierarchy.floor(depression) {
                    let depth = level - terrain.bed[cell as usize];
                    if depth > 0 {
                        water -= depth;
                        let lost = depth.min(dry);
                        dried += lost;
                        if lost < depth {
                            held.push(Holding { cell, water: depth - lost, sediment: 0 });
                        }
                    }
                }
            }
            // What is too much, and what is not enough for a quantum on every cell.
            held.push(Holding { cell: depression.pit, water, sediment: 0 });
        }
        (held, dried)
    }

    /// What is suspended in all depressions.
    pub(super) fn suspensions(&self) -> impl Iterator<Item = Holding> {
        let all = self.suspended.iter().zip(&self.hierarchy.nodes);
        let some = all.filter(|&(&sediment, _)| sediment > 0);
        some.map(|(&sediment, node)| Holding { cell: node.pit, water: 0, sediment })
    }

    /// Takes the sediment that a drop brings to a cell of height `z` (quanta). It settles there up to the level, as
    /// a delta; what is left is suspended, or goes out to sea. Gives what settles and what has left.
    pub(super) fn receive(&mut self, z: i64, delivery: Delivery) -> (i64, Gone) {
        let Delivery { cell, sediment } = delivery;
        let over = self.leaf(cell);
        let free = if over.height == DRY { 0 } else { (over.height - z).max(0) };
        let laid = sediment.min(free);
        let rest = sediment - laid;
        if over.state == State::Sea {
            return (laid, Gone { water: 0, sediment: rest });
        }
        self.suspended[over.node as usize] += rest;
        (laid, Gone::default())
    }

    /// Memory that it takes (bytes).
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

//! Lakes from one bed to the next: what they hold is kept by cell while the land under them changes, and
//! poured into the depressions of the new land.

use super::exchange::Delivery;
use super::fixed;
use super::hierarchy::{Hierarchy, NONE, Node, Terrain};
use super::lakes::{DRY, Lakes};
use super::walk::{State, Water};
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

/// Water and sediment that have left the map (quanta on a cell).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gone {
    pub(super) water: i64,
    pub(super) sediment: i64,
}

impl Waters {
    /// Pours what is held into the depressions of a bed; what was there before is forgotten.
    pub(super) fn refill(&mut self, terrain: Terrain, held: &[Holding], spare: &Spare) -> Gone {
        let Self { hierarchy, lakes, suspended, .. } = self;
        hierarchy.follow(terrain, spare);
        lakes.empty(hierarchy);
        let mut gone = Gone::default();
        // All of a leaf at once: what fills it first does not depend on how it came.
        let mut poured = spare.filled(hierarchy.leaves, (0, 0));
        for holding in held {
            let leaf = &mut poured[hierarchy.label[holding.cell as usize] as usize];
            leaf.0 += holding.water;
            leaf.1 += holding.sediment;
        }
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
        for (leaf, &(_, sediment)) in poured.iter().enumerate() {
            if sediment > 0 && !hierarchy.nodes[leaf].sea {
                suspended[lakes.node(leaf as u32) as usize] += sediment;
            }
        }
        self.find_levels(terrain);
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

    fn level_of(&mut self, terrain: Terrain, node: u32) -> Water {
        let Self { hierarchy, lakes, .. } = self;
        let height = lakes.level(hierarchy, terrain, node);
        let level = if height == DRY { f32::MIN } else { fixed::metres_f32(height) };
        let state = match () {
            () if hierarchy.nodes[node as usize].sea => State::Sea,
            () if lakes.is_full(hierarchy, node) => State::Full,
            () => State::Filling,
        };
        Water { height, level, node, state }
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
        let node = self.lakes.add(&self.hierarchy, leaf, volume);
        let (water, touched) = self.lakes.spill(&self.hierarchy, node);
        nodes.extend(touched);
        for node in &mut nodes {
            *node = self.lakes.node(self.hierarchy.nodes[*node as usize].first);
            let node = *node;
            let Node { first, last, .. } = self.hierarchy.nodes[node as usize];
            self.gather_suspended(node);
            let water = self.level_of(terrain, node);
            self.leaves[first as usize..last as usize].fill(water);
        }
        (Gone { water, sediment: 0 }, nodes)
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
    fn gather_suspended(&mut self, node: u32) {
        let mut stack = vec![node];
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

    /// Takes what a drop brings to a cell of height `z` (quanta). Sediment settles there up to the level, as
    /// a delta; what is left is suspended, or goes out to sea. Gives what settles and what has left, and
    /// lists the water.
    pub(super) fn receive(
        &mut self,
        z: i64,
        delivery: Delivery,
        brought: &mut Vec<Holding>,
    ) -> (i64, Gone) {
        let Delivery { cell, water, sediment } = delivery;
        let over = self.leaf(cell);
        let free = if over.height == DRY { 0 } else { (over.height - z).max(0) };
        let laid = sediment.min(free);
        let rest = sediment - laid;
        if over.state == State::Sea {
            return (laid, Gone { water, sediment: rest });
        }
        self.suspended[over.node as usize] += rest;
        if water > 0 {
            brought.push(Holding { cell, water, sediment: 0 });
        }
        (laid, Gone::default())
    }

    /// Suspended sediment sinks: over each lake's floor in proportion to the depth, at most half of
    /// that at once. Lists what every cell gets.
    pub(super) fn sink<'s>(&mut self, terrain: Terrain, spare: &'s Spare) -> Lent<'s, (u32, i64)> {
        let Self { hierarchy, lakes, suspended, leaves } = self;
        let mut laid = spare.vec();
        for node in lakes.wholes() {
            let depression = &hierarchy.nodes[node as usize];
            let rest = &mut suspended[node as usize];
            let all = *rest;
            if all == 0 || depression.sea {
                continue;
            }
            let level = leaves[depression.first as usize].height;
            if level == DRY {
                // Without water it stays where it sank.
                let pit = depression.pit;
                let free = depression.spill.saturating_sub(terrain.bed[pit as usize]).max(0);
                let lays = all.min(free);
                *rest -= lays;
                laid.push((pit, lays));
                continue;
            }
            let floor = hierarchy.floor(depression);
            let depths = floor.iter().map(|&cell| level - terrain.bed[cell as usize]);
            let volume: i64 = depths.clone().filter(|&depth| depth > 0).sum();
            if volume <= 0 {
                continue;
            }
            let share = ((i128::from(all) << 32) / i128::from(volume)).min(1 << 31);
            for (&cell, depth) in floor.iter().zip(depths) {
                let lays = ((i128::from(depth) * share) >> 32) as i64;
                if lays > 0 {
                    *rest -= lays;
                    laid.push((cell, lays));
                }
            }
        }
        laid
    }

    /// Depressions that hold too much: the node and how much (quanta).
    pub(super) fn overfull<'s>(&self, spare: &'s Spare) -> Lent<'s, (u32, i64)> {
        let excess = |node| (node, self.lakes.excess(&self.hierarchy, node));
        let wholes = self.lakes.wholes().map(excess).filter(|&(_, excess)| excess > 0);
        let inside = |&(node, _): &(u32, i64)| self.hierarchy.nodes[node as usize].inside;
        spare.collect(wholes.filter(|over| inside(over) != NONE))
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

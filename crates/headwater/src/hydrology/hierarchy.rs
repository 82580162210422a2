//! The hierarchy of depressions: where water gathers, and over which saddle it leaves.
//!
//! Every cell points to its lowest neighbour, so that cells fall into basins, one for each pit. Basins
//! that touch are joined at their lowest saddle, in the order of the saddles' heights (Kruskal): what comes
//! out is a binary tree whose leaves are basins and whose other nodes are the lakes that they merge to
//! (G. Cordonnier, B. Bovy, J. Braun, Earth Surf. Dynam. 7:549, 2019; R. Barnes, K. Callaghan,
//! A. Wickert, Earth Surf. Dynam. 8:431, 2020). Nothing is flooded and nothing recurses. What lies off
//! the map, beyond an open edge or in the sea, is one more basin that takes all that comes.

use super::basins::{Basins, receiver};
use super::grid::Grid;
use super::saddles::{self, Joint, SEA};
pub(super) use super::terrain::Terrain;
use crate::parallel;
use crate::spare::{Lent, Spare};
use std::ops::Range;

/// No cell or node.
pub(super) const NONE: u32 = saddles::OFF;
/// Cells that are worth a task of their own.
const FLOORS: usize = 8192;
/// A spill height that is never reached.
pub(super) const NEVER: i64 = i64::MAX;

/// A depression: a basin, or what two depressions merge to.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// What it merges to; [`NONE`] if it spills over an edge, or never.
    pub(super) parent: u32,
    /// What merged to it; [`NONE`] in a leaf.
    pub(super) children: [u32; 2],
    /// A cell in it that is lower than all around.
    pub(super) pit: u32,
    /// Its leaves are `first..last`.
    pub(super) first: u32,
    pub(super) last: u32,
    /// The height (quanta) at which it is full; [`NEVER`] within walls all around.
    pub(super) spill: i64,
    /// The cell on this side of the saddle at which it spills.
    pub(super) inside: u32,
    /// The cell beyond the saddle; [`NONE`] off the map.
    pub(super) outside: u32,
    /// The leaves of these two.
    pub(super) inner: u32,
    pub(super) outer: u32,
    /// Cells below the spill height, and the sum of their heights (quanta).
    pub(super) cells: u32,
    pub(super) sum: i64,
    /// Whether it is a part of the sea, up to the sea's level.
    pub(super) sea: bool,
    /// An ancestor far up, to climb in few steps; the node itself if it is a root.
    jump: u32,
    depth: u32,
}

impl Node {
    fn leaf(pit: u32) -> Self {
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
            jump: 0,
            depth: 0,
        }
    }

    /// The volume (quanta) that fills it to the spill height.
    pub(super) fn capacity(&self) -> i64 {
        if self.spill == NEVER { NEVER } else { i64::from(self.cells) * self.spill - self.sum }
    }

    /// What dries of it (quanta) where each cell loses a depth `dry`, if it is full.
    pub(super) fn dries(&self, dry: i64) -> i64 {
        i64::from(self.cells) * dry
    }
}

/// The hierarchy of a bed.
#[derive(Clone, Debug, Default)]
pub(super) struct Hierarchy {
    /// The leaf of every cell.
    pub(super) label: Vec<u32>,
    basins: Basins,
    /// Leaves, numbered so that those of every node follow one another, then what they merge to: a
    /// parent comes after its children.
    pub(super) nodes: Vec<Node>,
    /// How many of the nodes are leaves.
    pub(super) leaves: usize,
    /// Cells below the highest spill height above them, ordered by their leaves.
    floor: Vec<u32>,
    /// Where each leaf's part of `floor` begins, and the end.
    floor_start: Vec<u32>,
}

impl Hierarchy {
    /// Becomes the hierarchy of a bed.
    pub(super) fn follow(&mut self, terrain: Terrain, spare: &Spare) {
        let Self { label, basins, nodes, .. } = self;
        basins.find(terrain.grid, terrain.bed, label, spare);
        let saddles = saddles::find(terrain, label, spare);
        let joints = saddles.iter().map(|&saddle| Joint::of(saddle, label));
        self.leaves = join(nodes, &basins.pits, joints, terrain.sea, spare);
        drop(saddles);
        self.number_leaves(terrain.grid, spare);
        self.list_floors(terrain.bed, 0..terrain.grid.cells(), spare);
        self.sum_up();
    }

    /// Becomes that of basins with these pits, joined at saddles (from the lowest), of which each two basins that touch have their lowest
    /// one among them, or are joined by lower ones. The basins of cells are in `label`. What lies under spill heights has yet to be
    /// [listed](Self::list_floors) and [summed up](Self::sum_up).
    pub(super) fn follow_joints(
        &mut self,
        (grid, sea): (Grid, i64),
        pits: &[u32],
        joints: impl Iterator<Item = Joint>,
        spare: &Spare,
    ) {
        self.leaves = join(&mut self.nodes, pits, joints, sea, spare);
        self.number_leaves(grid, spare);
    }

    /// Memory that it takes (bytes).
    pub(super) fn memory(&self) -> usize {
        let numbers = self.label.capacity() + self.floor.capacity() + self.floor_start.capacity();
        let nodes = self.nodes.capacity() * size_of::<Node>();
        numbers * size_of::<u32>() + nodes + self.basins.memory()
    }

    /// The lowest neighbour of a cell, if that comes before the cell itself in the order of heights, as
    /// [`Grid::receiver`] of the bed that this is the hierarchy of.
    pub(super) fn receiver(&self, grid: Grid, cell: usize) -> Option<usize> {
        receiver(grid, self.basins.ways[cell], cell)
    }

    /// Whether a node is another one or below it; [`NONE`] is not.
    pub(super) fn is_in(&self, node: u32, above: u32) -> bool {
        let above = &self.nodes[above as usize];
        let within = |node: &Node| above.first <= node.first && node.last <= above.last;
        self.nodes.get(node as usize).is_some_and(within)
    }

    /// What a node merges to, and with what.
    pub(super) fn beside(&self, node: u32) -> Option<(u32, u32)> {
        let parent = self.nodes[node as usize].parent;
        let [a, b] = self.nodes.get(parent as usize)?.children;
        Some((parent, if a == node { b } else { a }))
    }

    /// The cells of a node that lie below the highest spill height above them.
    pub(super) fn floor(&self, node: &Node) -> &[u32] {
        &self.floor[self.floor_range(node)]
    }

    /// Where they stand in the list of all floors.
    pub(super) fn floor_range(&self, node: &Node) -> Range<usize> {
        let [first, last] = [node.first, node.last].map(|i| self.floor_start[i as usize] as usize);
        first..last
    }

    /// Cells in the list of all floors.
    pub(super) fn floors(&self) -> usize {
        self.floor.len()
    }

    /// Numbers the leaves from left to right under each root.
    fn number_leaves(&mut self, grid: Grid, spare: &Spare) {
        let leaves = self.leaves;
        let mut number = spare.filled(leaves, 0);
        let mut next = 0;
        let mut stack = spare.vec();
        for root in (0..self.nodes.len()).filter(|&i| self.nodes[i].parent == NONE) {
            stack.push(root);
            while let Some(i) = stack.pop() {
                if i < leaves {
                    number[i] = next;
                    next += 1;
                } else {
                    stack.extend(self.nodes[i].children.iter().rev().map(|&child| child as usize));
                }
            }
        }
        let old = spare.collect(self.nodes[..leaves].iter().cloned());
        for (leaf, &to) in old.iter().zip(number.iter()) {
            self.nodes[to as usize] = Node { first: to, last: to + 1, ..leaf.clone() };
        }
        for i in leaves..self.nodes.len() {
            let mut children = self.nodes[i].children;
            for child in &mut children {
                if (*child as usize) < leaves {
                    *child = number[*child as usize];
                }
                self.nodes[*child as usize].parent = i as u32;
            }
            let [a, b] = children.map(|child| &self.nodes[child as usize]);
            let (first, last) = (a.first.min(b.first), a.last.max(b.last));
            let node = &mut self.nodes[i];
            (node.children, node.first, node.last) = (children, first, last);
        }
        for node in &mut self.nodes {
            for leaf in [&mut node.inner, &mut node.outer] {
                *leaf = number.get(*leaf as usize).copied().unwrap_or(NONE);
            }
        }
        let number: &[u32] = &number;
        parallel::for_each_row(&mut self.label, grid.nx, |_, row| {
            row.iter_mut().for_each(|label| *label = number[*label as usize]);
        });
    }

    /// Lists the floors among some cells of a bed, and counts them in the smallest nodes that they lie in.
    pub(super) fn list_floors(&mut self, bed: &[i64], cells: Range<usize>, spare: &Spare) {
        let nodes = &mut self.nodes;
        // Jump pointers as in a skew-binary list: of two equal jumps above, one of double length.
        for i in (0..nodes.len()).rev() {
            let parent = nodes[i].parent;
            if parent == NONE {
                (nodes[i].jump, nodes[i].depth) = (i as u32, 0);
                continue;
            }
            let up = &nodes[parent as usize];
            let far = &nodes[up.jump as usize];
            let farther = &nodes[far.jump as usize];
            let even = up.depth - far.depth == far.depth - farther.depth;
            let jump = if even { far.jump } else { parent };
            let depth = up.depth + 1;
            (nodes[i].jump, nodes[i].depth) = (jump, depth);
        }
        let mut top = spare.filled(nodes.len(), NEVER);
        for i in (0..nodes.len()).rev() {
            let parent = nodes[i].parent;
            top[i] = if parent == NONE { nodes[i].spill } else { top[parent as usize] };
        }
        let start = &mut self.floor_start;
        start.clear();
        start.resize(self.leaves + 1, 0);
        // The lowest node that holds a cell below its spill height.
        let (label, above, top) = (&self.label, &*nodes, &*top);
        let mut holders = spare.several::<u32>(cells.len());
        let holders = &mut holders[..cells.len()];
        parallel::for_each_item(holders, FLOORS, |i, holder| {
            let cell = cells.start + i;
            let (z, mut i) = (bed[cell], label[cell] as usize);
            if z >= top[i] {
                *holder = NONE;
                return;
            }
            while above[i].spill <= z {
                let jump = above[i].jump as usize;
                i = if above[jump].spill <= z { jump } else { above[i].parent as usize };
            }
            *holder = i as u32;
        });
        let mut listed = 0;
        for (cell, &holder) in cells.clone().zip(&*holders) {
            if holder == NONE {
                continue;
            }
            let node = &mut nodes[holder as usize];
            node.cells += 1;
            node.sum += bed[cell];
            start[self.label[cell] as usize + 1] += 1;
            listed += 1;
        }
        for i in 0..self.leaves {
            start[i + 1] += start[i];
        }
        let mut at = spare.collect(start.iter().copied());
        self.floor.resize(listed, 0);
        for (cell, &holder) in cells.zip(&*holders) {
            if holder == NONE {
                continue;
            }
            let place = &mut at[self.label[cell] as usize];
            self.floor[*place as usize] = cell as u32;
            *place += 1;
        }
    }

    /// Adds up, from the leaves, what has been counted in each node alone.
    pub(super) fn sum_up(&mut self) {
        let nodes = &mut self.nodes;
        for i in self.leaves..nodes.len() {
            for child in nodes[i].children {
                let Node { cells, sum, .. } = nodes[child as usize];
                nodes[i].cells += cells;
                nodes[i].sum += sum;
            }
        }
    }
}

/// Joins the basins of pits. Gives how many they are.
fn join(
    nodes: &mut Vec<Node>,
    pits: &[u32],
    joints: impl Iterator<Item = Joint>,
    sea: i64,
    spare: &Spare,
) -> usize {
    nodes.clear();
    nodes.extend(pits.iter().map(|&pit| Node::leaf(pit)));
    let drained = merge(nodes, joints, spare);
    find_sea(nodes, &drained, sea);
    pits.len()
}

/// Joins basins at their saddles, from the lowest. Gives the nodes that spill off the map or into what
/// does, in this order, and whether the way out is an edge to the sea.
fn merge<'s>(
    nodes: &mut Vec<Node>,
    joints: impl Iterator<Item = Joint>,
    spare: &'s Spare,
) -> Lent<'s, (u32, bool)> {
    let mut drained = spare.vec();
    let off = nodes.len();
    // The set of each basin, and the node that a set has become; `off` is what lies off the map.
    let mut set = spare.collect(0..=off as u32);
    let mut node = spare.collect(0..=off as u32);
    let mut left = off;
    for Joint { saddle, basins: [within, beyond] } in joints {
        if left == 0 {
            break;
        }
        let a = find(&mut set, within);
        let off_map = saddle.b >= SEA;
        let b = find(&mut set, if off_map { off as u32 } else { beyond });
        if a == b {
            continue;
        }
        left -= 1;
        let out = find(&mut set, off as u32);
        let ends = [(saddle.a, within), if off_map { (NONE, NONE) } else { (saddle.b, beyond) }];
        for (from, [inside, outside]) in [(a, ends), (b, [ends[1], ends[0]])] {
            if from != out {
                let spilling = &mut nodes[node[from as usize] as usize];
                spilling.spill = saddle.height;
                (spilling.inside, spilling.inner) = inside;
                (spilling.outside, spilling.outer) = outside;
            }
        }
        if a == out || b == out {
            let root = node[if a == out { b } else { a } as usize];
            drained.push((root, saddle.b == SEA));
            set[b as usize] = a;
            continue;
        }
        set[b as usize] = a;
        let children = [node[a as usize], node[b as usize]];
        let pit = nodes[children[0] as usize].pit;
        node[a as usize] = nodes.len() as u32;
        for child in children {
            nodes[child as usize].parent = nodes.len() as u32;
        }
        nodes.push(Node { children, ..Node::leaf(pit) });
    }
    drained
}

/// Marks what the sea fills: what joins it at its level or below.
fn find_sea(nodes: &mut [Node], drained: &[(u32, bool)], sea: i64) {
    for &(root, to_sea) in drained {
        let Node { spill, outer, .. } = nodes[root as usize];
        let beyond = if outer == NONE {
            to_sea
        } else {
            let mut i = outer;
            while nodes[i as usize].parent != NONE {
                i = nodes[i as usize].parent;
            }
            nodes[i as usize].sea
        };
        nodes[root as usize].sea = beyond && spill <= sea;
    }
    for i in (0..nodes.len()).rev() {
        if nodes[i].parent != NONE {
            nodes[i].sea = nodes[nodes[i].parent as usize].sea;
        }
    }
}

/// The root of a set, with its path halved.
pub(super) fn find(set: &mut [u32], mut i: u32) -> u32 {
    while set[i as usize] != i {
        set[i as usize] = set[set[i as usize] as usize];
        i = set[i as usize];
    }
    i
}

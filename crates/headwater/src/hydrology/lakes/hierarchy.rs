//! Hierarchy of depressions, which determines where water collects and over which saddle each
//! depression spills.
//!
//! Cells drain to their lowest neighbour, which gives one drainage basin per pit. Adjacent basins
//! are joined at their lowest saddle, in the order of saddle heights (Kruskal's algorithm), into a
//! binary tree (G. Cordonnier, B. Bovy, J. Braun, Earth Surf. Dynam. 7:549, 2019; R. Barnes, K.
//! Callaghan, A. Wickert, Earth Surf. Dynam. 8:431, 2020). The sea and the land beyond open edges
//! together form one more basin, which accepts any amount of water.

use super::basins::{Basins, receiver};
use super::floors::Floors;
pub(in crate::hydrology) use super::node::{NEVER, NONE, Node};
use super::saddles::{self, BasinLink, SEA};
use crate::hydrology::state::grid::Grid;
pub(in crate::hydrology) use crate::hydrology::state::terrain::Terrain;
use crate::parallel;
use crate::scratch::{PooledVec, ScratchPool};
use std::ops::Range;

#[derive(Clone, Debug, Default)]
pub(in crate::hydrology) struct Hierarchy {
    pub(in crate::hydrology) label: Vec<u32>,
    basins: Basins,
    /// Nodes of the tree of depressions. The leaves (depressions with a single pit) come first,
    /// ordered so that the leaves below any node are consecutive. The merged depressions follow,
    /// children before parents.
    pub(in crate::hydrology) nodes: Vec<Node>,
    pub(in crate::hydrology) leaves: usize,
    floors: Floors,
}

impl Hierarchy {
    pub(in crate::hydrology) fn build(&mut self, terrain: Terrain, scratch: &ScratchPool) {
        let Self { label, basins, nodes, .. } = self;
        basins.find_basins(terrain.grid, terrain.bed, label, scratch);
        let saddles = saddles::find_saddles(terrain, label, scratch);
        let links = saddles.iter().map(|&saddle| BasinLink::new(saddle, label));
        self.leaves = build_nodes(nodes, &basins.pits, links, terrain.sea, scratch);
        drop(saddles);
        self.number_leaves(terrain.grid, scratch);
        self.list_floors(terrain.bed, 0..terrain.grid.cell_count(), scratch);
        self.sum_children();
    }

    pub(in crate::hydrology) fn memory(&self) -> usize {
        let labels = self.label.capacity() * size_of::<u32>();
        let nodes = self.nodes.capacity() * size_of::<Node>();
        labels + nodes + self.basins.memory() + self.floors.memory()
    }

    /// Returns the lowest neighbour of a cell, or `None` if no neighbour is lower. The result
    /// equals that of [`Grid::receiver`] for the bed from which this hierarchy was built, but is
    /// read from stored directions.
    pub(in crate::hydrology) fn receiver(&self, grid: Grid, cell: usize) -> Option<usize> {
        receiver(grid, self.basins.directions[cell], cell)
    }

    /// Returns whether `node` equals `ancestor` or is one of its descendants. Returns false if
    /// `node` is [`NONE`].
    pub(in crate::hydrology) fn is_same_or_descendant(&self, node: u32, ancestor: u32) -> bool {
        let ancestor = &self.nodes[ancestor as usize];
        let within = |node: &Node| ancestor.first <= node.first && node.last <= ancestor.last;
        self.nodes.get(node as usize).is_some_and(within)
    }

    pub(in crate::hydrology) fn parent_and_sibling(&self, node: u32) -> Option<(u32, u32)> {
        let parent = self.nodes[node as usize].parent;
        let [a, b] = self.nodes.get(parent as usize)?.children;
        Some((parent, if a == node { b } else { a }))
    }

    /// Returns the cells that drain to the leaves of a node (its depressions with a single pit) and
    /// lie below the spill height of the node's highest ancestor.
    pub(in crate::hydrology) fn node_floor(&self, node: &Node) -> &[u32] {
        self.floors.cells_in(self.floors.node_range(node))
    }

    pub(in crate::hydrology) fn floor_range(&self, node: &Node) -> Range<usize> {
        self.floors.node_range(node)
    }

    pub(in crate::hydrology) fn floor_cells(&self, range: Range<usize>) -> &[u32] {
        self.floors.cells_in(range)
    }

    pub(in crate::hydrology) fn floor_cell_count(&self) -> usize {
        self.floors.len()
    }

    /// Renumbers the leaves from left to right below each root, so that the leaves of each node are
    /// consecutive.
    fn number_leaves(&mut self, grid: Grid, scratch: &ScratchPool) {
        let leaves = self.leaves;
        let mut number = scratch.take_filled(leaves, 0);
        let mut next = 0;
        let mut stack = scratch.take_vec();
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
        let old = scratch.take_collected(self.nodes[..leaves].iter().cloned());
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
            for leaf in [&mut node.near_leaf, &mut node.far_leaf] {
                *leaf = number.get(*leaf as usize).copied().unwrap_or(NONE);
            }
        }
        let number: &[u32] = &number;
        parallel::for_each_row(&mut self.label, grid.nx, |_, row| {
            row.iter_mut().for_each(|label| *label = number[*label as usize]);
        });
    }

    pub(in crate::hydrology) fn list_floors(
        &mut self,
        bed: &[i64],
        cells: Range<usize>,
        scratch: &ScratchPool,
    ) {
        self.floors.list_floor_cells(&mut self.nodes, &self.label, bed, cells, scratch);
    }

    pub(in crate::hydrology) fn sum_children(&mut self) {
        let nodes = &mut self.nodes;
        for i in self.leaves..nodes.len() {
            for child in nodes[i].children {
                let Node { cells, height_sum, .. } = nodes[child as usize];
                nodes[i].cells += cells;
                nodes[i].height_sum += height_sum;
            }
        }
    }
}

fn build_nodes(
    nodes: &mut Vec<Node>,
    pits: &[u32],
    links: impl Iterator<Item = BasinLink>,
    sea_level: i64,
    scratch: &ScratchPool,
) -> usize {
    nodes.clear();
    nodes.extend(pits.iter().map(|&pit| Node::leaf(pit)));
    let draining_nodes = merge_basins(nodes, links, scratch);
    mark_sea_nodes(nodes, &draining_nodes, sea_level);
    pits.len()
}

/// Joins drainage basins at their saddles, in the order of `links`, which starts with the lowest
/// saddle. Returns the root nodes that spill off the map, in the order in which they were joined to
/// the outside. The second element of each pair is true if the node spills into the sea.
fn merge_basins<'s>(
    nodes: &mut Vec<Node>,
    links: impl Iterator<Item = BasinLink>,
    scratch: &'s ScratchPool,
) -> PooledVec<'s, (u32, bool)> {
    let mut draining_nodes = scratch.take_vec();
    let off = nodes.len();
    // Union-find set of each basin, and the node of each set. Index `off` represents the outside of
    // the map.
    let mut set = scratch.take_collected(0..=off as u32);
    let mut node = scratch.take_collected(0..=off as u32);
    let mut left = off;
    for BasinLink { saddle, basins: [within, beyond] } in links {
        if left == 0 {
            break;
        }
        let a = find_set_root(&mut set, within);
        let off_map = saddle.b >= SEA;
        let b = find_set_root(&mut set, if off_map { off as u32 } else { beyond });
        if a == b {
            continue;
        }
        left -= 1;
        let out = find_set_root(&mut set, off as u32);
        let ends = [(saddle.a, within), if off_map { (NONE, NONE) } else { (saddle.b, beyond) }];
        for (from, [near_end, far_end]) in [(a, ends), (b, [ends[1], ends[0]])] {
            if from != out {
                let spilling = &mut nodes[node[from as usize] as usize];
                spilling.spill_height = saddle.height;
                (spilling.near_cell, spilling.near_leaf) = near_end;
                (spilling.far_cell, spilling.far_leaf) = far_end;
            }
        }
        if a == out || b == out {
            let root = node[if a == out { b } else { a } as usize];
            draining_nodes.push((root, saddle.b == SEA));
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
    draining_nodes
}

/// Sets the field `is_sea` of each node. The sea fills a node if the node is joined to the sea by a
/// saddle at or below the sea level. `draining_nodes` holds the nodes that spill off the map, each
/// with a flag that is true if the node spills into the sea. `sea_level` is the sea level (quanta
/// of 2⁻²⁰ m).
fn mark_sea_nodes(nodes: &mut [Node], draining_nodes: &[(u32, bool)], sea_level: i64) {
    for &(root, to_sea) in draining_nodes {
        let Node { spill_height, far_leaf, .. } = nodes[root as usize];
        let beyond = if far_leaf == NONE {
            to_sea
        } else {
            let mut i = far_leaf;
            while nodes[i as usize].parent != NONE {
                i = nodes[i as usize].parent;
            }
            nodes[i as usize].is_sea
        };
        nodes[root as usize].is_sea = beyond && spill_height <= sea_level;
    }
    for i in (0..nodes.len()).rev() {
        if nodes[i].parent != NONE {
            nodes[i].is_sea = nodes[nodes[i].parent as usize].is_sea;
        }
    }
}

pub(in crate::hydrology) fn find_set_root(set: &mut [u32], mut i: u32) -> u32 {
    while set[i as usize] != i {
        set[i as usize] = set[set[i as usize] as usize];
        i = set[i as usize];
    }
    i
}

//! Floors of depressions. The floor of a depression consists of the cells below its spill height.
//! Cells are listed for each leaf of the depression hierarchy (a basin with a single pit) and
//! counted for each node.

use super::node::{NEVER, NONE, Node};
use crate::parallel;
use crate::scratch::{PooledVec, ScratchPool};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

/// Number of cells per parallel task.
const CELLS_PER_TASK: usize = 8192;
/// Largest number of parts of the map that are processed in parallel. Each part has counters for
/// all nodes of the hierarchy, so more parts need more memory.
const MAX_PARTS: usize = 8;

#[derive(Clone, Debug, Default)]
pub(in crate::hydrology) struct Floors {
    /// Cells that lie below the spill height of at least one depression that contains them, sorted
    /// by the leaf of the depression hierarchy to which they drain.
    cells: Vec<u32>,
    /// Index in `cells` of the first cell of each leaf. The last entry is the length of `cells`.
    start: Vec<u32>,
}

/// Fields of a hierarchy node that are needed to find its ancestors.
#[derive(Clone, Copy, Debug, Default)]
struct AncestorLink {
    spill: i64,
    parent: u32,
    /// Index of a distant ancestor, which allows skipping many levels at once. A root refers to
    /// itself.
    jump: u32,
    first: u32,
    last: u32,
}

/// Number of floor cells of a depression that do not already belong to the floor of one of its two
/// sub-depressions, and the sum of the heights of these cells (quanta of 2⁻²⁰ m).
#[derive(Clone, Copy, Debug, Default)]
struct FloorTally {
    cells: u32,
    sum: i64,
}

#[derive(Debug, Default)]
struct FloorPart {
    listed: Vec<u32>,
    tallies: Vec<FloorTally>,
    /// Number of floor cells found for each leaf. When the cells are listed afterwards, this is the
    /// index at which the leaf's next cell is inserted.
    counts: Vec<u32>,
}

impl Floors {
    /// Lists the cells with indices in the range `cells` that belong to the floor of a depression.
    /// Adds each of them to the tally of the smallest depression that contains it. In `nodes`,
    /// leaves must come before merged nodes.
    pub(in crate::hydrology) fn list_floor_cells(
        &mut self,
        nodes: &mut [Node],
        label: &[u32],
        bed: &[i64],
        cells: Range<usize>,
        scratch: &ScratchPool,
    ) {
        let leaves = nodes.partition_point(|node| node.children == [NONE; 2]);
        let ancestor_links = &*build_ancestor_links(nodes, scratch);
        let mut highest_spill = scratch.take_filled(nodes.len(), NEVER);
        for i in (0..nodes.len()).rev() {
            let Node { parent, spill_height, .. } = nodes[i];
            highest_spill[i] =
                if parent == NONE { spill_height } else { highest_spill[parent as usize] };
        }
        let highest_spill = &highest_spill[..leaves];
        let count = parallel::num_threads().min(MAX_PARTS).min(cells.len() / CELLS_PER_TASK).max(1);
        let size = cells.len().div_ceil(count).max(1);
        let mut parts = scratch.take_at_least::<FloorPart>(count);
        let parts = &mut parts[..count];
        parallel::for_each_item(parts, 1, |i, part| {
            let first = (cells.start + i * size).min(cells.end);
            let own = first..(first + size).min(cells.end);
            part.find_floor_cells(own, (ancestor_links, highest_spill), label, bed);
        });
        for (i, node) in nodes.iter_mut().enumerate() {
            (node.cells, node.height_sum) = parts.iter().fold((0, 0), |(cells, sum), part| {
                (cells + part.tallies[i].cells, sum + part.tallies[i].sum)
            });
        }
        // Within a leaf, cells from earlier parts come first.
        let mut next = 0;
        self.start.clear();
        for leaf in 0..leaves {
            self.start.push(next);
            for part in &mut *parts {
                let begin = next;
                next += std::mem::replace(&mut part.counts[leaf], begin);
            }
        }
        self.start.push(next);
        let mut counts = scratch.take_vec::<AtomicU32>();
        counts.resize_with(next as usize, AtomicU32::default);
        let all: &[AtomicU32] = &counts;
        parallel::for_each_item(parts, 1, |_, part| part.write_cells(label, all));
        self.cells.resize(all.len(), 0);
        parallel::for_each_item(&mut self.cells, CELLS_PER_TASK, |i, cell| {
            *cell = all[i].load(Ordering::Relaxed);
        });
    }

    pub(in crate::hydrology) fn len(&self) -> usize {
        self.cells.len()
    }

    pub(in crate::hydrology) fn node_range(&self, node: &Node) -> Range<usize> {
        let [first, last] = [node.first, node.last].map(|leaf| self.start[leaf as usize] as usize);
        first..last
    }

    pub(in crate::hydrology) fn cells_in(&self, range: Range<usize>) -> &[u32] {
        &self.cells[range]
    }

    pub(in crate::hydrology) fn memory(&self) -> usize {
        (self.cells.capacity() + self.start.capacity()) * size_of::<u32>()
    }
}

impl FloorPart {
    fn find_floor_cells(
        &mut self,
        cells: Range<usize>,
        (ancestor_links, highest_spill): (&[AncestorLink], &[i64]),
        label: &[u32],
        bed: &[i64],
    ) {
        let Self { listed, tallies, counts } = self;
        tallies.clear();
        tallies.resize(ancestor_links.len(), FloorTally::default());
        counts.clear();
        counts.resize(highest_spill.len(), 0);
        listed.clear();
        listed.reserve_exact(cells.len());
        let mut highest = (usize::MAX, i64::MIN);
        // Node of the previous cell, with its leaves and its range of heights. The next cell has
        // the same node if its leaf and height are in range.
        let (mut node_index, mut leaves, mut heights) = (0, 0..0, 0..0);
        for cell in cells {
            let (z, leaf) = (bed[cell], label[cell] as usize);
            if leaf != highest.0 {
                highest = (leaf, highest_spill[leaf]);
            }
            if z >= highest.1 {
                continue;
            }
            let is_in = leaves.contains(&(leaf as u32));
            if !is_in || !heights.contains(&z) {
                // Find the lowest node that contains the cell below its spill height.
                (node_index, heights) = if is_in && z >= heights.end {
                    (node_index, heights)
                } else {
                    (leaf, i64::MIN..0)
                };
                while ancestor_links[node_index].spill <= z {
                    let AncestorLink { spill, parent, jump, .. } = ancestor_links[node_index];
                    let far = ancestor_links[jump as usize].spill;
                    (heights.start, node_index) =
                        if far <= z { (far, jump as usize) } else { (spill, parent as usize) };
                }
                let AncestorLink { spill, first, last, .. } = ancestor_links[node_index];
                (heights.end, leaves) = (spill, first..last);
            }
            tallies[node_index].cells += 1;
            tallies[node_index].sum += z;
            counts[leaf] += 1;
            listed.push(cell as u32);
        }
    }

    fn write_cells(&mut self, label: &[u32], floor_cells: &[AtomicU32]) {
        for &cell in &self.listed {
            let place = &mut self.counts[label[cell as usize] as usize];
            floor_cells[*place as usize].store(cell, Ordering::Relaxed);
            *place += 1;
        }
    }
}

/// Builds the links from each node of a tree to its parent and to a distant ancestor. The jump
/// distances follow a skew-binary list: two consecutive jumps of equal length combine into one of
/// twice the length, plus one.
fn build_ancestor_links<'s>(
    nodes: &[Node],
    scratch: &'s ScratchPool,
) -> PooledVec<'s, AncestorLink> {
    let mut ancestor_links = scratch.take_filled(nodes.len(), AncestorLink::default());
    let mut depth = scratch.take_filled(nodes.len(), 0_u32);
    for i in (0..nodes.len()).rev() {
        let Node { parent, spill_height, first, last, .. } = nodes[i];
        let mut jump = i as u32;
        if parent != NONE {
            let up = parent as usize;
            let far = ancestor_links[up].jump as usize;
            let farther = ancestor_links[far].jump as usize;
            let is_balanced = depth[up] - depth[far] == depth[far] - depth[farther];
            jump = if is_balanced { ancestor_links[far].jump } else { parent };
            depth[i] = depth[up] + 1;
        }
        ancestor_links[i] = AncestorLink { spill: spill_height, parent, jump, first, last };
    }
    ancestor_links
}

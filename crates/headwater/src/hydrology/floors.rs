//! The floors of depressions: the cells below the spill heights above them, listed by leaf and counted by node.

use super::node::{NEVER, NONE, Node};
use crate::parallel;
use crate::scratch::{PooledVec, ScratchPool};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

/// Cells that are worth a task of their own.
const TASK: usize = 8192;
/// The most parts that cells are counted in: each has counts of its own for all nodes.
const PARTS: usize = 8;

#[derive(Clone, Debug, Default)]
pub(super) struct Floors {
    /// Cells below the highest spill height above them, ordered by their leaves.
    cells: Vec<u32>,
    /// Where each leaf's part of these begins, and the end.
    start: Vec<u32>,
}

/// What climbs from a node need to know of it.
#[derive(Clone, Copy, Debug, Default)]
struct Rung {
    spill: i64,
    parent: u32,
    /// An ancestor far up, to climb in few steps; the node itself if it is a root.
    jump: u32,
    first: u32,
    last: u32,
}

/// Cells that a node holds below its spill height and none below it does, and the sum of their heights (quanta).
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    cells: u32,
    sum: i64,
}

#[derive(Debug, Default)]
struct Part {
    listed: Vec<u32>,
    tallies: Vec<Tally>,
    /// By leaf how many of the cells are in it, then where they go.
    places: Vec<u32>,
}

impl Floors {
    /// Lists the floors among some cells of a bed, and counts them in the smallest nodes that hold
    /// them. Leaves come first in `nodes`.
    pub(super) fn list(
        &mut self,
        nodes: &mut [Node],
        label: &[u32],
        bed: &[i64],
        cells: Range<usize>,
        scratch: &ScratchPool,
    ) {
        let leaves = nodes.partition_point(|node| node.children == [NONE; 2]);
        let rungs = &*rungs(nodes, scratch);
        let mut top = scratch.filled(nodes.len(), NEVER);
        for i in (0..nodes.len()).rev() {
            let Node { parent, spill, .. } = nodes[i];
            top[i] = if parent == NONE { spill } else { top[parent as usize] };
        }
        let top = &top[..leaves];
        let count = parallel::num_threads().min(PARTS).min(cells.len() / TASK).max(1);
        let size = cells.len().div_ceil(count).max(1);
        let mut parts = scratch.take_many::<Part>(count);
        let parts = &mut parts[..count];
        parallel::for_each_item(parts, 1, |i, part| {
            let first = (cells.start + i * size).min(cells.end);
            let own = first..(first + size).min(cells.end);
            part.find(own, (rungs, top), label, bed);
        });
        for (i, node) in nodes.iter_mut().enumerate() {
            (node.cells, node.sum) = parts.iter().fold((0, 0), |(cells, sum), part| {
                (cells + part.tallies[i].cells, sum + part.tallies[i].sum)
            });
        }
        // Of a leaf, those of the first part come first.
        let mut next = 0;
        self.start.clear();
        for leaf in 0..leaves {
            self.start.push(next);
            for part in &mut *parts {
                let begin = next;
                next += std::mem::replace(&mut part.places[leaf], begin);
            }
        }
        self.start.push(next);
        let mut places = scratch.vec::<AtomicU32>();
        places.resize_with(next as usize, AtomicU32::default);
        let all: &[AtomicU32] = &places;
        parallel::for_each_item(parts, 1, |_, part| part.put(label, all));
        self.cells.resize(all.len(), 0);
        parallel::for_each_item(&mut self.cells, TASK, |i, cell| {
            *cell = all[i].load(Ordering::Relaxed);
        });
    }

    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    pub(super) fn range(&self, node: &Node) -> Range<usize> {
        let [first, last] = [node.first, node.last].map(|leaf| self.start[leaf as usize] as usize);
        first..last
    }

    pub(super) fn at(&self, places: Range<usize>) -> &[u32] {
        &self.cells[places]
    }

    pub(super) fn memory(&self) -> usize {
        (self.cells.capacity() + self.start.capacity()) * size_of::<u32>()
    }
}

impl Part {
    fn find(
        &mut self,
        cells: Range<usize>,
        (rungs, top): (&[Rung], &[i64]),
        label: &[u32],
        bed: &[i64],
    ) {
        let Self { listed, tallies, places } = self;
        tallies.clear();
        tallies.resize(rungs.len(), Tally::default());
        places.clear();
        places.resize(top.len(), 0);
        listed.clear();
        listed.reserve_exact(cells.len());
        let mut highest = (usize::MAX, i64::MIN);
        // The last cell's node, and its leaves and heights; all leaves of what merges share them.
        let (mut holder, mut leaves, mut heights) = (0, 0..0, 0..0);
        for cell in cells {
            let (z, leaf) = (bed[cell], label[cell] as usize);
            if leaf != highest.0 {
                highest = (leaf, top[leaf]);
            }
            if z >= highest.1 {
                continue;
            }
            let is_in = leaves.contains(&(leaf as u32));
            if !is_in || !heights.contains(&z) {
                // The lowest node that holds the cell below its spill height.
                (holder, heights) =
                    if is_in && z >= heights.end { (holder, heights) } else { (leaf, i64::MIN..0) };
                while rungs[holder].spill <= z {
                    let Rung { spill, parent, jump, .. } = rungs[holder];
                    let far = rungs[jump as usize].spill;
                    (heights.start, holder) =
                        if far <= z { (far, jump as usize) } else { (spill, parent as usize) };
                }
                let Rung { spill, first, last, .. } = rungs[holder];
                (heights.end, leaves) = (spill, first..last);
            }
            tallies[holder].cells += 1;
            tallies[holder].sum += z;
            places[leaf] += 1;
            listed.push(cell as u32);
        }
    }

    fn put(&mut self, label: &[u32], all: &[AtomicU32]) {
        for &cell in &self.listed {
            let place = &mut self.places[label[cell as usize] as usize];
            all[*place as usize].store(cell, Ordering::Relaxed);
            *place += 1;
        }
    }
}

/// Rungs of nodes, with jumps as in a skew-binary list: of two equal jumps above, one of double length.
fn rungs<'s>(nodes: &[Node], scratch: &'s ScratchPool) -> PooledVec<'s, Rung> {
    let mut rungs = scratch.filled(nodes.len(), Rung::default());
    let mut depth = scratch.filled(nodes.len(), 0_u32);
    for i in (0..nodes.len()).rev() {
        let Node { parent, spill, first, last, .. } = nodes[i];
        let mut jump = i as u32;
        if parent != NONE {
            let up = parent as usize;
            let far = rungs[up].jump as usize;
            let farther = rungs[far].jump as usize;
            let even = depth[up] - depth[far] == depth[far] - depth[farther];
            jump = if even { rungs[far].jump } else { parent };
            depth[i] = depth[up] + 1;
        }
        rungs[i] = Rung { spill, parent, jump, first, last };
    }
    rungs
}

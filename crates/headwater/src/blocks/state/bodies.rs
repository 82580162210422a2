//! [`Components`]: connected components of cells across chunk borders. A component is a body of
//! liquid or a pocket of air. It is assembled from the components found within each chunk.

use crate::scratch::ScratchPool;

pub(in crate::blocks) const NONE: u32 = u32::MAX;

/// Pairs of components that touch across the eastern and the lower border of a chunk. The same pair
/// may occur more than once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::blocks) struct ChunkContacts {
    pub(in crate::blocks) parts: usize,
    pub(in crate::blocks) east: Vec<(u16, u16)>,
    pub(in crate::blocks) below: Vec<(u16, u16)>,
}

impl ChunkContacts {
    pub(in crate::blocks) fn clear(&mut self, parts: usize) {
        self.parts = parts;
        self.east.clear();
        self.below.clear();
    }

    pub(in crate::blocks) fn copy(&mut self, from: &Self) {
        self.parts = from.parts;
        self.east.clone_from(&from.east);
        self.below.clone_from(&from.below);
    }

    pub(in crate::blocks) fn add_pair(list: &mut Vec<(u16, u16)>, pair: (u16, u16)) {
        if list.last() != Some(&pair) {
            list.push(pair);
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(in crate::blocks) struct Components {
    base: Vec<u32>,
    group: Vec<u32>,
    start: Vec<u32>,
    chunks: Vec<u32>,
}

impl Components {
    /// Merges the components found within each chunk into components of the whole grid. `joins`
    /// lists the touching pairs of each chunk, one column of `rows` chunks after the other.
    pub(in crate::blocks) fn merge_chunks(
        &mut self,
        joins: &[ChunkContacts],
        rows: usize,
        scratch: &ScratchPool,
    ) {
        self.base.clear();
        let mut count = 0;
        for joins in joins {
            self.base.push(count);
            count += joins.parts as u32;
        }
        let Self { base, group, start, chunks } = self;
        group.clear();
        group.extend(0..count);
        for (c, joins) in joins.iter().enumerate() {
            for (list, step) in [(&joins.east, rows), (&joins.below, 1)] {
                for &(a, b) in list {
                    let a = find_root(group, base[c] + u32::from(a));
                    let b = find_root(group, base[c + step] + u32::from(b));
                    group[a.max(b) as usize] = a.min(b);
                }
            }
        }
        let mut groups = 0;
        for i in 0..group.len() {
            let up = group[i] as usize;
            group[i] = if up == i { groups } else { group[up] };
            groups += u32::from(up == i);
        }
        start.clear();
        start.resize(groups as usize + 1, 0);
        for &g in group.iter() {
            start[g as usize + 1] += 1;
        }
        for g in 0..groups as usize {
            start[g + 1] += start[g];
        }
        chunks.clear();
        chunks.resize(group.len(), 0);
        let mut next = scratch.take_collected(start.iter().copied());
        for (c, joins) in joins.iter().enumerate() {
            for part in 0..joins.parts {
                let slot = &mut next[group[base[c] as usize + part] as usize];
                chunks[*slot as usize] = c as u32;
                *slot += 1;
            }
        }
    }

    pub(in crate::blocks) fn component(&self, chunk: usize, part: u16) -> u32 {
        self.group[self.base[chunk] as usize + usize::from(part)]
    }

    pub(in crate::blocks) fn components_in_chunk(&self, chunk: usize, parts: usize) -> &[u32] {
        let first = self.base[chunk] as usize;
        &self.group[first..first + parts]
    }

    pub(in crate::blocks) fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    pub(in crate::blocks) fn chunks_of_component(&self, component: u32) -> &[u32] {
        let component = component as usize;
        &self.chunks[self.start[component] as usize..self.start[component + 1] as usize]
    }
}

fn find_root(group: &mut [u32], mut i: u32) -> u32 {
    while group[i as usize] != i {
        let up = group[group[i as usize] as usize];
        group[i as usize] = up;
        i = up;
    }
    i
}

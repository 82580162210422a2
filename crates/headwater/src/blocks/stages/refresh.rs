//! Stage 6 of a step: updates the labels of changed chunks and merges their connected components
//! across chunk borders.

use crate::blocks::state::bodies::ChunkContacts;
use crate::blocks::state::chunk::{Chunk, KINDS, LabelChanges, NeighbourRows, SupportRow};
use crate::blocks::state::chunk_set::ChunkSet;
use crate::blocks::state::grid::Grid;
use crate::blocks::state::label::{RunLabels, SIDE, set_bits};
use crate::parallel::{for_each_chunk_with_item, for_each_item};
use crate::scratch::ScratchPool;

const CHUNKS_PER_TASK: usize = 8;

impl Grid {
    pub(in crate::blocks) fn relabel(&mut self, scratch: &ScratchPool) {
        for (c, chunk) in self.chunks.iter_mut().enumerate() {
            chunk.mark_changed(u64::MAX, u64::MAX);
            self.changed.insert(c);
        }
        self.update_labels(scratch);
    }

    /// Updates all labels after cells have changed. Labels each column of chunks from the bottom
    /// up, because lower cells support upper ones. Then updates the contacts between components of
    /// adjacent chunks. If these contacts have changed, also recomputes the bodies of liquid and
    /// air pockets.
    pub(in crate::blocks) fn update_labels(&mut self, scratch: &ScratchPool) {
        if self.changed.is_empty() {
            return;
        }
        let mut diffs = scratch.take_vec();
        self.label_chunks(&mut diffs, scratch);
        self.find_surfaces(&diffs, scratch);
        let (changed, air_changed) = self.find_joins(&diffs, scratch);
        if changed {
            self.bodies.merge_chunks(&self.joins, self.rows, scratch);
        }
        if air_changed {
            self.pockets.merge_chunks(&self.air_joins, self.rows, scratch);
        }
        if !self.air_joins.is_empty() {
            // A pocket may have opened far from the bodies that its air held back.
            self.update_open_pockets();
            self.wake_all();
        }
        for &chunk in &*self.falling.drain_sorted(scratch) {
            if self.chunks[chunk as usize].has_falling_liquid {
                self.falling.insert(chunk as usize);
            }
        }
        for &(chunk, LabelChanges { rows, columns }) in &*diffs {
            if self.chunks[chunk].has_falling_liquid {
                self.falling.insert(chunk);
            }
            let touches = |side: isize, bits: u64| match side {
                -1 => bits & 1 == 1,
                1 => bits >> (SIDE - 1) == 1,
                _ => true,
            };
            for (east, down) in (-1..=1).flat_map(|east| (-1..=1).map(move |down| (east, down))) {
                if touches(east, columns)
                    && touches(down, rows)
                    && let Some(neighbor) = self.neighbor(chunk, east, down)
                {
                    self.active.insert(neighbor);
                }
            }
        }
    }

    /// Updates the labels of changed chunks. For each chunk whose labels have changed, appends the
    /// index of the chunk, and the rows and columns of the changes, to `all_diffs`.
    fn label_chunks(&mut self, all_diffs: &mut Vec<(usize, LabelChanges)>, scratch: &ScratchPool) {
        let rows = self.rows;
        let touched = self.track_changes(scratch);
        let [first, last] = [touched.first(), touched.last()]
            .map(|chunk| chunk.map_or(0, |&chunk| chunk as usize / rows));
        let strips = last + 1 - first;
        let mut found = scratch.take_at_least::<Vec<(usize, LabelChanges)>>(strips);
        let chunks = &mut self.chunks[first * rows..(last + 1) * rows];
        for_each_chunk_with_item(chunks, rows, &mut found[..strips], |i, chunks, found| {
            found.clear();
            let from = (first + i) * rows;
            let end = touched.partition_point(|&chunk| (chunk as usize) < from + rows);
            let Some(lowest) = touched[..end].last().and_then(|&c| (c as usize).checked_sub(from))
            else {
                return;
            };
            let mut support_changed = false;
            for row in (0..=lowest).rev() {
                if !(support_changed || chunks[row].has_changed()) {
                    continue;
                }
                let footing =
                    chunks.get(row + 1).map_or(SupportRow::BOTTOM, |below| below.support_row(0));
                let before = chunks[row].support_row(0);
                let diff = chunks[row].update_labels(footing);
                support_changed = chunks[row].support_row(0) != before;
                found.push((from + row, diff));
            }
        });
        found[..strips].iter().for_each(|found| all_diffs.extend_from_slice(found));
    }

    fn find_surfaces(&mut self, diffs: &[(usize, LabelChanges)], scratch: &ScratchPool) {
        let mut stale = scratch.take::<ChunkSet>();
        stale.reset(self.chunks.len());
        for &(chunk, _) in diffs {
            for (east, down) in [(0, 0), (0, 1), (1, 0), (-1, 0)] {
                self.neighbor(chunk, east, down).into_iter().for_each(|chunk| stale.insert(chunk));
            }
        }
        let stale = stale.drain_sorted(scratch);
        let mut neighbour_rows = scratch.take_at_least::<NeighbourRows>(stale.len());
        let neighbour_rows = &mut neighbour_rows[..stale.len()];
        for_each_item(neighbour_rows, CHUNKS_PER_TASK, |i, neighbours| {
            let chunk = stale[i] as usize;
            let above = self.neighbor(chunk, 0, -1);
            let above = above.map_or(([0; KINDS], 0), |above| {
                let above = &self.chunks[above];
                (
                    [0, 1, 2].map(|kind| above.body_row(kind, SIDE - 1)),
                    above.full_body_cells(SIDE - 1),
                )
            });
            let side = |east: isize, shift: usize| {
                let neighbor = self.neighbor(chunk, east, 0).map(|n| &self.chunks[n].members);
                let rows = neighbor.into_iter().flatten().rev();
                rows.fold(0, |bits, row| bits << 1 | row >> shift & 1)
            };
            *neighbours = NeighbourRows { above, west: side(-1, SIDE - 1), east: side(1, 0) };
        });
        let rows = self.rows;
        let [first, last] = [stale.first(), stale.last()]
            .map(|chunk| chunk.map_or(0, |&chunk| chunk as usize / rows));
        let chunks = &mut self.chunks[first * rows..(last + 1) * rows];
        let mut strips = scratch.take_filled(chunks.len() / rows, ());
        for_each_chunk_with_item(chunks, rows, &mut strips, |strip, chunks, ()| {
            let from = (first + strip) * rows;
            let [start, end] = [from, from + rows]
                .map(|chunk| stale.partition_point(|&one| (one as usize) < chunk));
            for (&chunk, neighbours) in stale[start..end].iter().zip(&neighbour_rows[start..end]) {
                chunks[chunk as usize - from].find_surface(neighbours);
            }
        });
    }

    fn find_joins(
        &mut self,
        diffs: &[(usize, LabelChanges)],
        scratch: &ScratchPool,
    ) -> (bool, bool) {
        let mut stale = scratch.take::<ChunkSet>();
        stale.reset(self.chunks.len());
        for &(chunk, _) in diffs {
            for (east, down) in [(0, 0), (0, -1), (-1, 0)] {
                self.neighbor(chunk, east, down).into_iter().for_each(|chunk| stale.insert(chunk));
            }
        }
        let stale = stale.drain_sorted(scratch);
        let mut found = scratch.take_at_least::<[ChunkContacts; 2]>(stale.len());
        for_each_item(&mut found[..stale.len()], CHUNKS_PER_TASK, |i, [bodies, air]| {
            self.find_chunk_joins(stale[i] as usize, bodies);
            if !self.air_joins.is_empty() {
                self.find_chunk_air_joins(stale[i] as usize, air);
            }
        });
        let mut changed = (false, false);
        for (&chunk, [bodies, air]) in stale.iter().zip(&*found) {
            let chunk = chunk as usize;
            changed.0 |= *bodies != self.joins[chunk];
            self.joins[chunk].copy(bodies);
            if !self.air_joins.is_empty() {
                changed.1 |= *air != self.air_joins[chunk];
                self.air_joins[chunk].copy(air);
            }
        }
        changed
    }

    fn find_chunk_joins(&self, chunk: usize, joins: &mut ChunkContacts) {
        let here = &self.chunks[chunk];
        joins.clear(here.runs.component_count());
        if let Some(east) = self.neighbor(chunk, 1, 0).map(|east| &self.chunks[east]) {
            for y in 0..SIDE {
                let meet =
                    |kind| here.body_row(kind, y) >> (SIDE - 1) & east.body_row(kind, y) == 1;
                if (0..KINDS).any(meet) {
                    let pair = (here.runs.component_at(SIDE - 1, y), east.runs.component_at(0, y));
                    ChunkContacts::add_pair(&mut joins.east, pair);
                }
            }
        }
        if let Some(below) = self.neighbor(chunk, 0, 1).map(|below| &self.chunks[below]) {
            for kind in 0..KINDS {
                let both = here.body_row(kind, SIDE - 1) & below.body_row(kind, 0);
                for x in run_starts(both) {
                    let pair = (here.runs.component_at(x, SIDE - 1), below.runs.component_at(x, 0));
                    ChunkContacts::add_pair(&mut joins.below, pair);
                }
            }
        }
    }

    fn find_chunk_air_joins(&self, chunk: usize, joins: &mut ChunkContacts) {
        let here = &self.chunks[chunk];
        joins.clear(here.air.as_ref().map_or(0, RunLabels::component_count));
        let Some(runs) = &here.air else { return };
        let air = |chunk: &Chunk, y: usize| !(chunk.walls[y] | chunk.full[y]);
        let neighbor = |east, down| self.neighbor(chunk, east, down).map(|n| &self.chunks[n]);
        if let Some((east, east_runs)) = neighbor(1, 0).and_then(|n| Some((n, n.air.as_ref()?))) {
            for y in (0..SIDE).filter(|&y| air(here, y) >> (SIDE - 1) & air(east, y) == 1) {
                ChunkContacts::add_pair(
                    &mut joins.east,
                    (runs.component_at(SIDE - 1, y), east_runs.component_at(0, y)),
                );
            }
        }
        if let Some((below, below_runs)) = neighbor(0, 1).and_then(|n| Some((n, n.air.as_ref()?))) {
            for x in run_starts(air(here, SIDE - 1) & air(below, 0)) {
                ChunkContacts::add_pair(
                    &mut joins.below,
                    (runs.component_at(x, SIDE - 1), below_runs.component_at(x, 0)),
                );
            }
        }
    }

    /// Determines which air pockets are connected to the top of the world.
    fn update_open_pockets(&mut self) {
        self.open.clear();
        self.open.resize(self.pockets.len(), false);
        for x in 0..self.nx() {
            let chunk = self.chunk_of(x, 0);
            if let Some(pocket) = self.pocket_of(chunk, x % SIDE, 0) {
                self.open[pocket as usize] = true;
            }
        }
    }
}

fn run_starts(bits: u64) -> impl Iterator<Item = usize> {
    set_bits(bits & !(bits << 1))
}

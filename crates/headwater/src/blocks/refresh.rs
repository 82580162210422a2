//! Stage 6: what has changed is labelled afresh, chunk by chunk; then how chunks are connected.

use super::bodies::Joins;
use super::chunk::{Chunk, Footing, Fresh, KINDS};
use super::chunk_set::ChunkSet;
use super::grid::{Grid, each};
use super::label::{Mask, SIDE, set_bits};

impl Grid {
    /// Labels everything afresh.
    pub(super) fn relabel(&mut self) {
        for (c, chunk) in self.chunks.iter_mut().enumerate() {
            chunk.note(u64::MAX, u64::MAX);
            self.changed.add(c);
        }
        self.refresh();
    }

    /// Labels afresh what has changed: strip by strip from the bottom, for what stands below carries what
    /// stands above; then the chunks' joins with their neighbours; then bodies and pockets, if something
    /// is connected otherwise than before.
    pub(super) fn refresh(&mut self) {
        if self.changed.is_empty() {
            return;
        }
        let fresh = self.label();
        self.find_surfaces(&fresh);
        let (changed, air_changed) = self.find_joins(&fresh);
        if changed {
            self.bodies.find(&self.joins, self.rows);
        }
        if air_changed {
            self.pockets.find(&self.air_joins, self.rows);
        }
        if !self.air_joins.is_empty() {
            // A pocket may have been opened far from the bodies that it held back.
            self.find_open();
            self.wake_all();
        }
        for chunk in self.loose.take() {
            if self.chunks[chunk as usize].loose {
                self.loose.add(chunk as usize);
            }
        }
        for &(chunk, Fresh { rows, columns }) in &fresh {
            if self.chunks[chunk].loose {
                self.loose.add(chunk);
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
                    self.restless.add(neighbor);
                }
            }
        }
    }

    fn label(&mut self) -> Vec<(usize, Fresh)> {
        let rows = self.rows;
        let touched = self.track_changes();
        let mut touched = touched.as_slice();
        let mut found: Vec<Vec<(usize, Fresh)>> = Vec::new();
        found.resize(self.chunks.len() / rows, Vec::new());
        let mut tasks = Vec::new();
        for ((strip, chunks), found) in self.chunks.chunks_mut(rows).enumerate().zip(&mut found) {
            let end = touched.partition_point(|&chunk| chunk as usize / rows == strip);
            if let Some(&lowest) = touched[..end].last() {
                tasks.push((strip, lowest as usize % rows, chunks, found));
            }
            touched = &touched[end..];
        }
        each(tasks, |(strip, lowest, chunks, found)| {
            let mut shifted = false;
            for row in (0..=lowest).rev() {
                if !(shifted || chunks[row].has_changed()) {
                    continue;
                }
                let footing = chunks.get(row + 1).map_or(Footing::BOTTOM, |below| below.footing(0));
                let before = chunks[row].footing(0);
                let fresh = chunks[row].label(footing);
                shifted = chunks[row].footing(0) != before;
                found.push((strip * rows + row, fresh));
            }
        });
        found.into_iter().flatten().collect()
    }

    fn find_surfaces(&mut self, fresh: &[(usize, Fresh)]) {
        let mut due = ChunkSet::new(self.chunks.len());
        for &(chunk, _) in fresh {
            for (east, down) in [(0, 0), (0, 1), (1, 0), (-1, 0)] {
                self.neighbor(chunk, east, down).into_iter().for_each(|chunk| due.add(chunk));
            }
        }
        for chunk in due.take() {
            let chunk = chunk as usize;
            let above = self.neighbor(chunk, 0, -1);
            let above = above.map_or([0; KINDS], |above| {
                [0, 1, 2].map(|kind| self.chunks[above].body_row(kind, SIDE - 1))
            });
            let side = |east: isize, shift: usize| -> Mask {
                let neighbor = self.neighbor(chunk, east, 0);
                neighbor.map_or([0; SIDE], |n| self.chunks[n].standing.map(|row| row >> shift & 1))
            };
            let (west, east) = (side(-1, SIDE - 1), side(1, 0));
            self.chunks[chunk].find_surface(above, west, east);
        }
    }

    /// Whether anything is connected otherwise than before: bodies, and air.
    fn find_joins(&mut self, fresh: &[(usize, Fresh)]) -> (bool, bool) {
        let mut due = ChunkSet::new(self.chunks.len());
        for &(chunk, _) in fresh {
            for (east, down) in [(0, 0), (0, -1), (-1, 0)] {
                self.neighbor(chunk, east, down).into_iter().for_each(|chunk| due.add(chunk));
            }
        }
        let mut found: Vec<(u32, Joins, Joins)> = due
            .take()
            .into_iter()
            .map(|chunk| (chunk, Joins::default(), Joins::default()))
            .collect();
        let tasks: Vec<_> = found.chunks_mut(8).collect();
        each(tasks, |part| {
            for (chunk, bodies, air) in part {
                *bodies = self.joins_of(*chunk as usize);
                if !self.air_joins.is_empty() {
                    *air = self.air_joins_of(*chunk as usize);
                }
            }
        });
        let mut changed = (false, false);
        for (chunk, bodies, air) in found {
            let chunk = chunk as usize;
            changed.0 |= bodies != self.joins[chunk];
            self.joins[chunk] = bodies;
            if !self.air_joins.is_empty() {
                changed.1 |= air != self.air_joins[chunk];
                self.air_joins[chunk] = air;
            }
        }
        changed
    }

    fn joins_of(&self, chunk: usize) -> Joins {
        let here = &self.chunks[chunk];
        let mut joins = Joins { parts: here.runs.parts(), ..Joins::default() };
        if let Some(east) = self.neighbor(chunk, 1, 0).map(|east| &self.chunks[east]) {
            for y in 0..SIDE {
                let meet =
                    |kind| here.body_row(kind, y) >> (SIDE - 1) & east.body_row(kind, y) == 1;
                if (0..KINDS).any(meet) {
                    let pair = (here.runs.part(SIDE - 1, y), east.runs.part(0, y));
                    Joins::add(&mut joins.east, pair);
                }
            }
        }
        if let Some(below) = self.neighbor(chunk, 0, 1).map(|below| &self.chunks[below]) {
            for kind in 0..KINDS {
                let both = here.body_row(kind, SIDE - 1) & below.body_row(kind, 0);
                for x in first_bits(both) {
                    let pair = (here.runs.part(x, SIDE - 1), below.runs.part(x, 0));
                    Joins::add(&mut joins.below, pair);
                }
            }
        }
        joins
    }

    fn air_joins_of(&self, chunk: usize) -> Joins {
        let here = &self.chunks[chunk];
        let Some(runs) = &here.air else { return Joins::default() };
        let mut joins = Joins { parts: runs.parts(), ..Joins::default() };
        let air = |chunk: &Chunk, y: usize| !(chunk.walls[y] | chunk.full[y]);
        let neighbor = |east, down| self.neighbor(chunk, east, down).map(|n| &self.chunks[n]);
        if let Some((east, east_runs)) = neighbor(1, 0).and_then(|n| Some((n, n.air.as_ref()?))) {
            for y in (0..SIDE).filter(|&y| air(here, y) >> (SIDE - 1) & air(east, y) == 1) {
                Joins::add(&mut joins.east, (runs.part(SIDE - 1, y), east_runs.part(0, y)));
            }
        }
        if let Some((below, below_runs)) = neighbor(0, 1).and_then(|n| Some((n, n.air.as_ref()?))) {
            for x in first_bits(air(here, SIDE - 1) & air(below, 0)) {
                Joins::add(&mut joins.below, (runs.part(x, SIDE - 1), below_runs.part(x, 0)));
            }
        }
        joins
    }

    /// Finds the pockets that reach the top of the world.
    fn find_open(&mut self) {
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

/// Where stretches of ones begin.
fn first_bits(bits: u64) -> impl Iterator<Item = usize> {
    set_bits(bits & !(bits << 1))
}

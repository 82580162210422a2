//! [`Grid`]: the cells of a block world in chunks, and its bodies of liquid and pockets of air, kept up to
//! date chunk by chunk.

use super::bodies::{Groups, Joins, NONE};
use super::cell::Packed;
use super::chunk::{Chunk, Footing, Fresh, KINDS};
use super::label::{Mask, SIDE};
use super::look::{Look, SKY};
use crate::field::Field;
use crate::parallel::for_each_task;

/// The cells, and all that is known of them.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    nx: usize,
    ny: usize,
    /// Chunks from top to bottom.
    pub(super) rows: usize,
    /// Strip by strip from the west, each from the top.
    pub(super) chunks: Vec<Chunk>,
    joins: Vec<Joins>,
    air_joins: Vec<Joins>,
    pub(super) bodies: Groups,
    pockets: Groups,
    /// Which pockets are open to the sky.
    open: Vec<bool>,
    /// Chunks with cells that have changed since the labels were made.
    changed: Listed,
    /// Chunks whose bodies must be looked at.
    pub(super) restless: Listed,
    /// Chunks with liquid that does not stand.
    pub(super) loose: Listed,
    /// Which kinds of liquid there have been.
    seen: [bool; KINDS],
}

/// A set of chunks.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    list: Vec<u32>,
    has: Vec<bool>,
}

impl Listed {
    pub(super) fn new(count: usize) -> Self {
        Self { list: Vec::new(), has: vec![false; count] }
    }

    pub(super) fn add(&mut self, chunk: usize) {
        if !std::mem::replace(&mut self.has[chunk], true) {
            self.list.push(chunk as u32);
        }
    }

    pub(super) fn has(&self, chunk: usize) -> bool {
        self.has[chunk]
    }

    /// Empties it; gives its chunks in order.
    pub(super) fn take(&mut self) -> Vec<u32> {
        let mut list = std::mem::take(&mut self.list);
        list.sort_unstable();
        list.iter().for_each(|&chunk| self.has[chunk as usize] = false);
        list
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        self.list.iter().map(|&chunk| chunk as usize)
    }
}

impl Grid {
    pub(super) fn new(cells: &Field<Packed>, trapped_air: bool) -> Self {
        let (nx, ny) = (cells.nx(), cells.ny());
        let (strips, rows) = (nx.div_ceil(SIDE), ny.div_ceil(SIDE));
        let count = strips * rows;
        let mut chunks: Vec<Chunk> = (0..count).map(|_| Chunk::new(trapped_air)).collect();
        for y in 0..ny {
            for (strip, part) in cells.row(y).chunks(SIDE).enumerate() {
                chunks[strip * rows + y / SIDE].cells[y % SIDE][..part.len()].copy_from_slice(part);
            }
        }
        let mut grid = Self {
            nx,
            ny,
            rows,
            chunks,
            joins: vec![Joins::default(); count],
            air_joins: vec![Joins::default(); if trapped_air { count } else { 0 }],
            bodies: Groups::default(),
            pockets: Groups::default(),
            open: Vec::new(),
            changed: Listed::new(count),
            restless: Listed::new(count),
            loose: Listed::new(count),
            seen: [false; KINDS],
        };
        grid.seen = grid.volumes().map(|volume| volume > 0);
        grid.bodies.find(&grid.joins, rows);
        grid.pockets.find(&grid.air_joins, rows);
        (0..count).for_each(|chunk| grid.changed.add(chunk));
        grid.refresh();
        grid
    }

    pub(super) fn nx(&self) -> usize {
        self.nx
    }

    pub(super) fn ny(&self) -> usize {
        self.ny
    }

    /// Which chunk a cell is in.
    pub(super) fn chunk_of(&self, x: usize, y: usize) -> usize {
        x / SIDE * self.rows + y / SIDE
    }

    /// The column and row of a chunk's first cell.
    pub(super) fn origin(&self, chunk: usize) -> (usize, usize) {
        (chunk / self.rows * SIDE, chunk % self.rows * SIDE)
    }

    pub(super) fn set(&mut self, x: usize, y: usize, cell: Packed) {
        let c = self.chunk_of(x, y);
        self.chunks[c].set(x % SIDE, y % SIDE, cell);
        if cell.is_liquid() {
            self.seen[usize::from(cell.kind()) - 1] = true;
        }
        if self.chunks[c].has_changed() {
            self.changed.add(c);
        }
    }

    /// Whether there has ever been more than one kind of liquid.
    pub(super) fn is_mixed(&self) -> bool {
        self.seen.iter().filter(|seen| **seen).count() > 1
    }

    /// Labels everything afresh.
    pub(super) fn relabel(&mut self) {
        for (c, chunk) in self.chunks.iter_mut().enumerate() {
            chunk.note(u64::MAX, u64::MAX);
            self.changed.add(c);
        }
        self.refresh();
    }

    /// Notes chunks that have changed otherwise than by [`set`](Self::set).
    pub(super) fn note_changed(&mut self, chunk: usize) {
        self.changed.add(chunk);
    }

    pub(super) fn has_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Chunks that have changed since the labels were made.
    pub(super) fn changed(&self) -> &Listed {
        &self.changed
    }

    /// All cells, row by row.
    pub(super) fn cells(&self) -> Field<Packed> {
        Field::from_fn(self.nx, self.ny, |x, y| self.at(x, y))
    }

    pub(super) fn at(&self, x: usize, y: usize) -> Packed {
        self.chunks[self.chunk_of(x, y)].cells[y % SIDE][x % SIDE]
    }

    /// The volume of each kind of liquid, lightest first.
    pub(super) fn volumes(&self) -> [u64; KINDS] {
        let mut sums = [0; KINDS];
        for cell in self.chunks.iter().flat_map(|chunk| chunk.cells.iter().flatten()) {
            if cell.is_liquid() {
                sums[usize::from(cell.kind()) - 1] += u64::from(cell.fill());
            }
        }
        sums
    }

    /// The cells of a body, chunk by chunk.
    pub(super) fn cells_of_body(&self, body: u32) -> Vec<(usize, usize)> {
        let mut chunks = self.bodies.chunks(body).to_vec();
        chunks.dedup();
        let mut found = Vec::new();
        for c in chunks.into_iter().map(|c| c as usize) {
            let (chunk, (left, top)) = (&self.chunks[c], self.origin(c));
            for y in 0..SIDE {
                for x in set_bits(chunk.standing[y]) {
                    if self.bodies.of(c, chunk.runs.part(x, y)) == body {
                        found.push((left + x, top + y));
                    }
                }
            }
        }
        found
    }

    /// Wakes every chunk.
    pub(super) fn wake_all(&mut self) {
        (0..self.chunks.len()).for_each(|chunk| self.restless.add(chunk));
    }

    /// The neighbour of a chunk, if there is one.
    pub(super) fn neighbor(&self, chunk: usize, east: isize, down: isize) -> Option<usize> {
        let strip = (chunk / self.rows).checked_add_signed(east)?;
        let row = (chunk % self.rows).checked_add_signed(down).filter(|row| *row < self.rows)?;
        let neighbor = strip * self.rows + row;
        (neighbor < self.chunks.len()).then_some(neighbor)
    }

    /// Labels afresh what has changed: strip by strip from the bottom, for what stands below carries what
    /// stands above; then the chunks' joins with their neighbours; then bodies and pockets, if something
    /// hangs together otherwise than before.
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
        let touched = self.changed.take();
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
        let mut due = Listed::new(self.chunks.len());
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

    /// Whether anything hangs together otherwise than before: bodies, and air.
    fn find_joins(&mut self, fresh: &[(usize, Fresh)]) -> (bool, bool) {
        let mut due = Listed::new(self.chunks.len());
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
        for x in 0..self.nx {
            let chunk = self.chunk_of(x, 0);
            if let Some(pocket) = self.pocket_of(chunk, x % SIDE, 0) {
                self.open[pocket as usize] = true;
            }
        }
    }

    fn pocket_of(&self, chunk: usize, x: usize, y: usize) -> Option<u32> {
        let here = &self.chunks[chunk];
        let runs = here.air.as_ref()?;
        let closed = (here.walls[y] | here.full[y]) >> x & 1 == 1;
        (!closed).then(|| self.pockets.of(chunk, runs.part(x, y)))
    }
}

impl Look for Grid {
    fn height(&self) -> u32 {
        self.ny as u32
    }

    fn cell(&self, x: u32, y: u32) -> Packed {
        let (x, y) = (x as usize, y as usize);
        if x < self.nx && y < self.ny { self.at(x, y) } else { Packed::WALL }
    }

    fn body(&self, x: u32, y: u32) -> u32 {
        let (x, y) = (x as usize, y as usize);
        if x >= self.nx || y >= self.ny {
            return NONE;
        }
        let chunk = self.chunk_of(x, y);
        let (here, x, y) = (&self.chunks[chunk], x % SIDE, y % SIDE);
        if here.stands(x, y) { self.bodies.of(chunk, here.runs.part(x, y)) } else { NONE }
    }

    fn air(&self, x: u32, y: u32) -> u32 {
        let (x, y) = (x as usize, y as usize);
        match self.pocket_of(self.chunk_of(x, y), x % SIDE, y % SIDE) {
            Some(pocket) if !self.open[pocket as usize] => pocket + 1,
            _ => SKY,
        }
    }
}

/// Where stretches of ones begin.
fn first_bits(bits: u64) -> impl Iterator<Item = usize> {
    set_bits(bits & !(bits << 1))
}

/// Where ones are.
pub(super) fn set_bits(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let x = (bits != 0).then(|| bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        x
    })
}

/// Does the tasks, on threads if there are several.
pub(super) fn each<T: Send>(mut tasks: Vec<T>, work: impl Fn(T) + Sync + Send) {
    match tasks.len() {
        0 => {}
        1 => tasks.drain(..).for_each(work),
        _ => for_each_task(tasks, work),
    }
}

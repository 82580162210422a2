//! [`Grid`]: the cells of a block world in chunks, its bodies of liquid and pockets of air; kept up
//! to date in `refresh.rs`.

use super::bodies::{Groups, Joins, NONE};
use super::cell::{Kind, Packed};
use super::chunk::{Chunk, KINDS, Row};
use super::chunk_set::ChunkSet;
use super::label::{SIDE, set_bits};
use super::labelled::{Labelled, SKY, floor};
use super::slot::Slot;
use crate::changes::{Changes, TILE, Tracker};
use crate::field::Field;
use crate::scratch::{PooledVec, ScratchPool};

// A chunk is a tile of the account of changes.
const _: () = assert!(SIDE == TILE);

#[derive(Clone, Debug)]
pub(super) struct Grid {
    nx: usize,
    ny: usize,
    pub(super) rows: usize,
    /// Strip by strip from the west, each from the top.
    pub(super) chunks: Vec<Slot>,
    pub(super) joins: Vec<Joins>,
    pub(super) air_joins: Vec<Joins>,
    pub(super) bodies: Groups,
    pub(super) pockets: Groups,
    pub(super) open: Vec<bool>,
    pub(super) changed: ChunkSet,
    tracker: Tracker,
    pub(super) restless: ChunkSet,
    pub(super) loose: ChunkSet,
    /// Which kinds of liquid there have been.
    seen: [bool; KINDS],
    /// Bodies of oil that run out over what is heavier in the step that is being done; in order.
    pub(super) spreading: Vec<u32>,
    /// How many cells have been set: while it stays, what was found out of the cells holds.
    edits: u64,
}

/// A chunk on its way from one grid to another. Chunks whose joins speak of it have to come along.
#[derive(Debug)]
pub(super) struct Piece {
    chunk: Slot,
    joins: Joins,
    restless: bool,
}

#[derive(Debug, Default)]
pub(super) struct Pieces {
    pub(super) placed: Vec<(usize, Piece)>,
    pub(super) seen: [bool; KINDS],
}

impl Grid {
    pub(super) fn new(cells: &Field<Packed>, trapped_air: bool) -> Self {
        let (nx, ny) = (cells.nx(), cells.ny());
        let (strips, rows) = (nx.div_ceil(SIDE), ny.div_ceil(SIDE));
        let count = strips * rows;
        let mut chunks: Vec<_> = (0..count).map(|_| Slot::of(Chunk::new(trapped_air))).collect();
        for y in 0..ny {
            for (strip, part) in cells.row(y).chunks(SIDE).enumerate() {
                chunks[strip * rows + y / SIDE].cells[y % SIDE][..part.len()].copy_from_slice(part);
            }
        }
        let mut grid = Self::of([nx, ny], chunks, trapped_air);
        grid.seen = grid.volumes().map(|volume| volume > 0);
        let scratch = ScratchPool::default();
        grid.bodies.find(&grid.joins, rows, &scratch);
        grid.pockets.find(&grid.air_joins, rows, &scratch);
        (0..count).for_each(|chunk| grid.changed.add(chunk));
        grid.refresh(&scratch);
        grid
    }

    fn of([nx, ny]: [usize; 2], chunks: Vec<Slot>, trapped_air: bool) -> Self {
        let count = chunks.len();
        Self {
            nx,
            ny,
            rows: ny.div_ceil(SIDE),
            chunks,
            joins: vec![Joins::default(); count],
            air_joins: vec![Joins::default(); if trapped_air { count } else { 0 }],
            bodies: Groups::default(),
            pockets: Groups::default(),
            open: Vec::new(),
            changed: ChunkSet::new(count),
            tracker: Tracker::new(nx, ny),
            restless: ChunkSet::new(count),
            loose: ChunkSet::new(count),
            seen: [false; KINDS],
            spreading: Vec::new(),
            edits: 0,
        }
    }

    /// A grid of so many columns and rows of chunks: the pieces at their places, and wall elsewhere.
    pub(super) fn assemble(
        [columns, rows]: [usize; 2],
        pieces: Pieces,
        scratch: &ScratchPool,
    ) -> Self {
        let chunks = vec![Slot::default(); columns * rows];
        let mut grid = Self::of([columns * SIDE, rows * SIDE], chunks, false);
        grid.seen = pieces.seen;
        for (number, Piece { chunk, joins, restless }) in pieces.placed {
            if chunk.loose {
                grid.loose.add(number);
            }
            if restless {
                grid.restless.add(number);
            }
            (grid.chunks[number], grid.joins[number]) = (chunk, joins);
        }
        grid.bodies.find(&grid.joins, rows, scratch);
        grid
    }

    /// Takes the grid apart, whose labels are up to date; gives the pieces that are wanted, with their numbers.
    pub(super) fn take_apart(self, is_wanted: impl Fn(usize) -> bool) -> Pieces {
        debug_assert!(self.changed.is_empty() && self.air_joins.is_empty());
        let all = self.chunks.into_iter().zip(self.joins).enumerate();
        let piece = |(number, (chunk, joins))| {
            (number, Piece { chunk, joins, restless: self.restless.has(number) })
        };
        let placed = all.filter(|(number, _)| is_wanted(*number)).map(piece).collect();
        Pieces { placed, seen: self.seen }
    }

    pub(super) fn put(&mut self, chunk: usize, cells: &[Row; SIDE]) {
        self.edits += 1;
        let content = &mut self.chunks[chunk];
        content.cells = *cells;
        content.note(u64::MAX, u64::MAX);
        self.changed.add(chunk);
        for cell in cells.iter().flatten().filter(|cell| cell.is_liquid()) {
            self.seen[usize::from(cell.kind()) - 1] = true;
        }
    }

    pub(super) fn nx(&self) -> usize {
        self.nx
    }

    pub(super) fn ny(&self) -> usize {
        self.ny
    }

    pub(super) fn chunk_of(&self, x: usize, y: usize) -> usize {
        x / SIDE * self.rows + y / SIDE
    }

    /// Which chunk a cell is in, and its column and row there; `None` off the grid.
    fn place(&self, x: u32, y: u32) -> Option<(usize, usize, usize)> {
        let (x, y) = (x as usize, y as usize);
        let is_inside = x < self.nx && y < self.ny;
        is_inside.then(|| (self.chunk_of(x, y), x % SIDE, y % SIDE))
    }

    pub(super) fn origin(&self, chunk: usize) -> (usize, usize) {
        (chunk / self.rows * SIDE, chunk % self.rows * SIDE)
    }

    pub(super) fn edits(&self) -> u64 {
        self.edits
    }

    pub(super) fn set(&mut self, x: usize, y: usize, cell: Packed) {
        let c = self.chunk_of(x, y);
        self.edits += 1;
        self.chunks[c].set(x % SIDE, y % SIDE, cell);
        if cell.is_liquid() {
            self.seen[usize::from(cell.kind()) - 1] = true;
        }
        if self.chunks[c].has_changed() {
            self.changed.add(c);
        }
    }

    pub(super) fn mark(&mut self, cells: Vec<(usize, usize)>) {
        self.tracker.next_tick();
        cells.into_iter().for_each(|(x, y)| self.tracker.mark(x, y));
    }

    pub(super) fn is_mixed(&self) -> bool {
        self.seen.iter().filter(|seen| **seen).count() > 1
    }

    pub(super) fn has_seen(&self, kind: Kind) -> bool {
        self.seen[usize::from(kind) - 1]
    }

    pub(super) fn note_changed(&mut self, chunk: usize) {
        self.changed.add(chunk);
    }

    pub(super) fn has_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    pub(super) fn changed(&self) -> &ChunkSet {
        &self.changed
    }

    pub(super) fn cells(&self) -> Field<Packed> {
        Field::from_fn(self.nx, self.ny, |x, y| self.at(x, y))
    }

    pub(super) fn at(&self, x: usize, y: usize) -> Packed {
        self.chunks[self.chunk_of(x, y)].cells[y % SIDE][x % SIDE]
    }

    pub(super) fn volumes(&self) -> [u64; KINDS] {
        let mut sums = [0; KINDS];
        for cell in self.chunks.iter().flat_map(|chunk| chunk.cells.iter().flatten()) {
            if cell.is_liquid() {
                sums[usize::from(cell.kind()) - 1] += u64::from(cell.fill());
            }
        }
        sums
    }

    /// How high a body stands (256ths of a cell above the bottom of the world): the fullest cell of its topmost row.
    pub(super) fn top_of_body(&self, body: u32) -> i32 {
        let of_row = |&c: &u32, y: usize| {
            let (c, chunk) = (c as usize, &self.chunks[c as usize]);
            let members = set_bits(chunk.members[y])
                .filter(move |&x| self.bodies.of(c, chunk.runs.part(x, y)) == body);
            let floor = floor(self, (self.origin(c).1 + y) as u32);
            members.map(move |x| floor + i32::from(chunk.cells[y][x].fill())).max()
        };
        let of_chunk = |c: &u32| (0..SIDE).find_map(|y| of_row(c, y));
        self.bodies.chunks(body).iter().filter_map(of_chunk).max().unwrap_or(0)
    }

    pub(super) fn update_changes(&self, changes: &mut Changes) {
        self.tracker.update(changes);
    }

    /// Empties the set of changed chunks; gives them in order, on the account of changes.
    pub(super) fn track_changes<'s>(&mut self, scratch: &'s ScratchPool) -> PooledVec<'s, u32> {
        let changed = self.changed.take(scratch);
        self.tracker.next_tick();
        for chunk in changed.iter().map(|&chunk| chunk as usize) {
            self.tracker.mark_tile(chunk / self.rows, chunk % self.rows);
        }
        changed
    }

    /// Labels everything afresh and wakes it. No cell changes.
    pub(super) fn wake_afresh(&mut self, trapped_air: bool) {
        let mut fresh = Self { edits: self.edits + 1, ..Self::new(&self.cells(), trapped_air) };
        std::mem::swap(&mut fresh.tracker, &mut self.tracker);
        *self = fresh;
    }

    pub(super) fn wake_all(&mut self) {
        (0..self.chunks.len()).for_each(|chunk| self.restless.add(chunk));
    }

    pub(super) fn neighbor(&self, chunk: usize, east: isize, down: isize) -> Option<usize> {
        let strip = (chunk / self.rows).checked_add_signed(east)?;
        let row = (chunk % self.rows).checked_add_signed(down).filter(|row| *row < self.rows)?;
        let neighbor = strip * self.rows + row;
        (neighbor < self.chunks.len()).then_some(neighbor)
    }

    pub(super) fn pocket_of(&self, chunk: usize, x: usize, y: usize) -> Option<u32> {
        let here = &self.chunks[chunk];
        let runs = here.air.as_ref()?;
        let closed = (here.walls[y] | here.full[y]) >> x & 1 == 1;
        (!closed).then(|| self.pockets.of(chunk, runs.part(x, y)))
    }
}

impl Labelled for Grid {
    fn height(&self) -> u32 {
        self.ny as u32
    }

    fn spreads(&self, body: u32) -> bool {
        self.spreading.binary_search(&body).is_ok()
    }

    fn has_lighter(&self, kind: Kind) -> bool {
        self.seen[..usize::from(kind) - 1].contains(&true)
    }

    fn cell(&self, x: u32, y: u32) -> Packed {
        let (x, y) = (x as usize, y as usize);
        if x < self.nx && y < self.ny { self.at(x, y) } else { Packed::WALL }
    }

    fn body(&self, x: u32, y: u32) -> u32 {
        let Some((chunk, x, y)) = self.place(x, y) else { return NONE };
        let here = &self.chunks[chunk];
        if here.is_member(x, y) { self.bodies.of(chunk, here.runs.part(x, y)) } else { NONE }
    }

    fn is_member(&self, x: u32, y: u32) -> bool {
        self.place(x, y).is_some_and(|(chunk, x, y)| self.chunks[chunk].is_member(x, y))
    }

    fn has_part(&self, x: u32, y: u32, kind: Kind) -> bool {
        self.place(x, y).is_some_and(|(chunk, x, y)| self.chunks[chunk].has_part(x, y, kind))
    }

    fn stands(&self, x: u32, y: u32) -> bool {
        self.place(x, y).is_some_and(|(chunk, x, y)| self.chunks[chunk].stands(x, y))
    }

    fn air(&self, x: u32, y: u32) -> u32 {
        let (x, y) = (x as usize, y as usize);
        match self.pocket_of(self.chunk_of(x, y), x % SIDE, y % SIDE) {
            Some(pocket) if !self.open[pocket as usize] => pocket + 1,
            _ => SKY,
        }
    }
}

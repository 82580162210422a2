//! [`Grid`]: the cells of a block world, stored in chunks, with labels for its bodies of liquid and
//! its pockets of air. The code in `refresh.rs` keeps the labels up to date.

use super::bodies::{ChunkContacts, Components, NONE};
use super::cell::{Kind, PackedCell};
use super::cell_labels::{CellLabels, SKY, floor_height};
use super::chunk::{Chunk, KINDS, Row};
use super::chunk_set::ChunkSet;
use super::cow_chunk::CowChunk;
use super::label::{SIDE, set_bits};
use crate::changes::{ChangeTracker, Changes, TILE};
use crate::field::Field;
use crate::scratch::{PooledVec, ScratchPool};

// Chunks are the tiles of change tracking.
const _: () = assert!(SIDE == TILE);

#[derive(Clone, Debug)]
pub(in crate::blocks) struct Grid {
    nx: usize,
    ny: usize,
    pub(in crate::blocks) rows: usize,
    /// Chunks in column-major order: the columns of chunks follow each other from west to east, and
    /// the chunks of each column are stored from the top down.
    pub(in crate::blocks) chunks: Vec<CowChunk>,
    pub(in crate::blocks) joins: Vec<ChunkContacts>,
    pub(in crate::blocks) air_joins: Vec<ChunkContacts>,
    pub(in crate::blocks) bodies: Components,
    pub(in crate::blocks) pockets: Components,
    pub(in crate::blocks) open: Vec<bool>,
    pub(in crate::blocks) changed: ChunkSet,
    tracker: ChangeTracker,
    pub(in crate::blocks) active: ChunkSet,
    pub(in crate::blocks) falling: ChunkSet,
    /// For each kind of liquid, whether the grid holds or has ever held this liquid.
    present: [bool; KINDS],
    /// Sorted indices of the bodies of oil that spread over heavier liquid in this step.
    pub(in crate::blocks) spreading: Vec<u32>,
    /// Number of writes to cells so far. Values derived from the cells stay valid as long as this
    /// number does not change.
    edits: u64,
}

/// A chunk that is moved from one grid to another. Its `joins` (contacts between its components and
/// those of adjacent chunks) are valid only if the adjacent chunks are moved too.
#[derive(Debug)]
pub(in crate::blocks) struct MovedChunk {
    chunk: CowChunk,
    joins: ChunkContacts,
    active: bool,
}

#[derive(Debug, Default)]
pub(in crate::blocks) struct MovedChunks {
    pub(in crate::blocks) placed: Vec<(usize, MovedChunk)>,
    pub(in crate::blocks) present: [bool; KINDS],
}

impl Grid {
    pub(in crate::blocks) fn new(cells: &Field<PackedCell>, trapped_air: bool) -> Self {
        let (nx, ny) = (cells.nx(), cells.ny());
        let (strips, rows) = (nx.div_ceil(SIDE), ny.div_ceil(SIDE));
        let count = strips * rows;
        let mut chunks: Vec<_> =
            (0..count).map(|_| CowChunk::new(Chunk::new(trapped_air))).collect();
        for y in 0..ny {
            for (strip, part) in cells.row(y).chunks(SIDE).enumerate() {
                chunks[strip * rows + y / SIDE].cells[y % SIDE][..part.len()].copy_from_slice(part);
            }
        }
        let mut grid = Self::with_chunks([nx, ny], chunks, trapped_air);
        grid.present = grid.volumes().map(|volume| volume > 0);
        let scratch = ScratchPool::default();
        grid.bodies.merge_chunks(&grid.joins, rows, &scratch);
        grid.pockets.merge_chunks(&grid.air_joins, rows, &scratch);
        (0..count).for_each(|chunk| grid.changed.insert(chunk));
        grid.update_labels(&scratch);
        grid
    }

    fn with_chunks([nx, ny]: [usize; 2], chunks: Vec<CowChunk>, trapped_air: bool) -> Self {
        let count = chunks.len();
        Self {
            nx,
            ny,
            rows: ny.div_ceil(SIDE),
            chunks,
            joins: vec![ChunkContacts::default(); count],
            air_joins: vec![ChunkContacts::default(); if trapped_air { count } else { 0 }],
            bodies: Components::default(),
            pockets: Components::default(),
            open: Vec::new(),
            changed: ChunkSet::new(count),
            tracker: ChangeTracker::new(nx, ny),
            active: ChunkSet::new(count),
            falling: ChunkSet::new(count),
            present: [false; KINDS],
            spreading: Vec::new(),
            edits: 0,
        }
    }

    /// Creates a grid of `columns` × `rows` chunks, with the moved chunks at their given indices.
    /// All other chunks are wall.
    pub(in crate::blocks) fn from_chunks(
        [columns, rows]: [usize; 2],
        moved_chunks: MovedChunks,
        scratch: &ScratchPool,
    ) -> Self {
        let chunks = vec![CowChunk::default(); columns * rows];
        let mut grid = Self::with_chunks([columns * SIDE, rows * SIDE], chunks, false);
        grid.present = moved_chunks.present;
        for (number, MovedChunk { chunk, joins, active }) in moved_chunks.placed {
            if chunk.has_falling_liquid {
                grid.falling.insert(number);
            }
            if active {
                grid.active.insert(number);
            }
            (grid.chunks[number], grid.joins[number]) = (chunk, joins);
        }
        grid.bodies.merge_chunks(&grid.joins, rows, scratch);
        grid
    }

    /// Returns the chunks whose indices satisfy `is_wanted`, each with its index. The labels must
    /// be up to date.
    pub(in crate::blocks) fn into_chunks(self, is_wanted: impl Fn(usize) -> bool) -> MovedChunks {
        debug_assert!(self.changed.is_empty() && self.air_joins.is_empty());
        let all = self.chunks.into_iter().zip(self.joins).enumerate();
        let moved_chunk = |(number, (chunk, joins))| {
            (number, MovedChunk { chunk, joins, active: self.active.contains(number) })
        };
        let placed = all.filter(|(number, _)| is_wanted(*number)).map(moved_chunk).collect();
        MovedChunks { placed, present: self.present }
    }

    pub(in crate::blocks) fn replace_chunk(&mut self, chunk: usize, cells: &[Row; SIDE]) {
        self.edits += 1;
        let target = &mut self.chunks[chunk];
        target.cells = *cells;
        target.mark_changed(u64::MAX, u64::MAX);
        self.changed.insert(chunk);
        for cell in cells.iter().flatten().filter(|cell| cell.is_liquid()) {
            self.present[usize::from(cell.kind()) - 1] = true;
        }
    }

    pub(in crate::blocks) fn nx(&self) -> usize {
        self.nx
    }

    pub(in crate::blocks) fn ny(&self) -> usize {
        self.ny
    }

    pub(in crate::blocks) fn chunk_of(&self, x: usize, y: usize) -> usize {
        x / SIDE * self.rows + y / SIDE
    }

    /// Returns the index of the chunk that contains a cell, and the column and row of the cell
    /// within the chunk. Returns `None` if the cell is off the grid.
    fn locate(&self, x: u32, y: u32) -> Option<(usize, usize, usize)> {
        let (x, y) = (x as usize, y as usize);
        let is_inside = x < self.nx && y < self.ny;
        is_inside.then(|| (self.chunk_of(x, y), x % SIDE, y % SIDE))
    }

    pub(in crate::blocks) fn origin(&self, chunk: usize) -> (usize, usize) {
        (chunk / self.rows * SIDE, chunk % self.rows * SIDE)
    }

    pub(in crate::blocks) fn edit_count(&self) -> u64 {
        self.edits
    }

    pub(in crate::blocks) fn set(&mut self, x: usize, y: usize, cell: PackedCell) {
        let c = self.chunk_of(x, y);
        self.edits += 1;
        self.chunks[c].set(x % SIDE, y % SIDE, cell);
        if cell.is_liquid() {
            self.present[usize::from(cell.kind()) - 1] = true;
        }
        if self.chunks[c].has_changed() {
            self.changed.insert(c);
        }
    }

    pub(in crate::blocks) fn mark_cells(&mut self, cells: Vec<(usize, usize)>) {
        self.tracker.next_tick();
        cells.into_iter().for_each(|(x, y)| self.tracker.mark_cell(x, y));
    }

    pub(in crate::blocks) fn is_mixed(&self) -> bool {
        self.present.iter().filter(|present| **present).count() > 1
    }

    pub(in crate::blocks) fn may_hold(&self, kind: Kind) -> bool {
        self.present[usize::from(kind) - 1]
    }

    pub(in crate::blocks) fn mark_changed(&mut self, chunk: usize) {
        self.changed.insert(chunk);
    }

    pub(in crate::blocks) fn has_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    pub(in crate::blocks) fn changed_chunks(&self) -> &ChunkSet {
        &self.changed
    }

    pub(in crate::blocks) fn cells(&self) -> Field<PackedCell> {
        Field::from_fn(self.nx, self.ny, |x, y| self.cell_at(x, y))
    }

    pub(in crate::blocks) fn cell_at(&self, x: usize, y: usize) -> PackedCell {
        self.chunks[self.chunk_of(x, y)].cells[y % SIDE][x % SIDE]
    }

    pub(in crate::blocks) fn volumes(&self) -> [u64; KINDS] {
        let mut sums = [0; KINDS];
        for cell in self.chunks.iter().flat_map(|chunk| chunk.cells.iter().flatten()) {
            if cell.is_liquid() {
                sums[usize::from(cell.kind()) - 1] += u64::from(cell.fill());
            }
        }
        sums
    }

    /// Returns the surface height of a body of liquid (256ths of a cell above the bottom of the
    /// world), at the fullest cell in its topmost row.
    pub(in crate::blocks) fn top_of_body(&self, body: u32) -> i32 {
        let from_row = |&c: &u32, y: usize| {
            let (c, chunk) = (c as usize, &self.chunks[c as usize]);
            let members = set_bits(chunk.members[y])
                .filter(move |&x| self.bodies.component(c, chunk.runs.component_at(x, y)) == body);
            let floor = floor_height(self, (self.origin(c).1 + y) as u32);
            members.map(move |x| floor + i32::from(chunk.cells[y][x].fill())).max()
        };
        let of_chunk = |c: &u32| (0..SIDE).find_map(|y| from_row(c, y));
        self.bodies.chunks_of_component(body).iter().filter_map(of_chunk).max().unwrap_or(0)
    }

    pub(in crate::blocks) fn update_changes(&self, changes: &mut Changes) {
        self.tracker.update_changes(changes);
    }

    /// Empties the set of changed chunks and returns their indices in ascending order. Also marks
    /// these chunks as changed in the change tracker.
    pub(in crate::blocks) fn track_changes<'s>(
        &mut self,
        scratch: &'s ScratchPool,
    ) -> PooledVec<'s, u32> {
        let changed = self.changed.drain_sorted(scratch);
        self.tracker.next_tick();
        for chunk in changed.iter().map(|&chunk| chunk as usize) {
            self.tracker.mark_tile(chunk / self.rows, chunk % self.rows);
        }
        changed
    }

    /// Updates the labels of all chunks and marks all chunks as active, without changing any cells.
    pub(in crate::blocks) fn relabel_and_wake(&mut self, trapped_air: bool) {
        let mut rebuilt = Self { edits: self.edits + 1, ..Self::new(&self.cells(), trapped_air) };
        std::mem::swap(&mut rebuilt.tracker, &mut self.tracker);
        *self = rebuilt;
    }

    pub(in crate::blocks) fn wake_all(&mut self) {
        (0..self.chunks.len()).for_each(|chunk| self.active.insert(chunk));
    }

    pub(in crate::blocks) fn neighbor(
        &self,
        chunk: usize,
        east: isize,
        down: isize,
    ) -> Option<usize> {
        let strip = (chunk / self.rows).checked_add_signed(east)?;
        let row = (chunk % self.rows).checked_add_signed(down).filter(|row| *row < self.rows)?;
        let neighbor = strip * self.rows + row;
        (neighbor < self.chunks.len()).then_some(neighbor)
    }

    /// Returns a chunk and its neighbours, including diagonal ones.
    pub(in crate::blocks) fn chunks_around(&self, chunk: usize) -> impl Iterator<Item = usize> {
        let places = (-1..=1).flat_map(|east| (-1..=1).map(move |down| (east, down)));
        places.filter_map(move |(east, down)| self.neighbor(chunk, east, down))
    }

    pub(in crate::blocks) fn pocket_of(&self, chunk: usize, x: usize, y: usize) -> Option<u32> {
        let here = &self.chunks[chunk];
        let runs = here.air.as_ref()?;
        let closed = (here.walls[y] | here.full[y]) >> x & 1 == 1;
        (!closed).then(|| self.pockets.component(chunk, runs.component_at(x, y)))
    }
}

impl CellLabels for Grid {
    fn height(&self) -> u32 {
        self.ny as u32
    }

    fn is_spreading(&self, body: u32) -> bool {
        self.spreading.binary_search(&body).is_ok()
    }

    fn may_hold_lighter(&self, kind: Kind) -> bool {
        self.present[..usize::from(kind) - 1].contains(&true)
    }

    fn cell(&self, x: u32, y: u32) -> PackedCell {
        let (x, y) = (x as usize, y as usize);
        if x < self.nx && y < self.ny { self.cell_at(x, y) } else { PackedCell::WALL }
    }

    fn body(&self, x: u32, y: u32) -> u32 {
        let Some((chunk, x, y)) = self.locate(x, y) else { return NONE };
        let here = &self.chunks[chunk];
        if here.is_member(x, y) {
            self.bodies.component(chunk, here.runs.component_at(x, y))
        } else {
            NONE
        }
    }

    fn is_member(&self, x: u32, y: u32) -> bool {
        self.locate(x, y).is_some_and(|(chunk, x, y)| self.chunks[chunk].is_member(x, y))
    }

    fn was_in_body(&self, x: u32, y: u32, kind: Kind) -> bool {
        self.locate(x, y).is_some_and(|(chunk, x, y)| self.chunks[chunk].was_in_body(x, y, kind))
    }

    fn is_supported(&self, x: u32, y: u32) -> bool {
        self.locate(x, y).is_some_and(|(chunk, x, y)| self.chunks[chunk].is_supported(x, y))
    }

    fn air_pocket(&self, x: u32, y: u32) -> u32 {
        let (x, y) = (x as usize, y as usize);
        match self.pocket_of(self.chunk_of(x, y), x % SIDE, y % SIDE) {
            Some(pocket) if !self.open[pocket as usize] => pocket + 1,
            _ => SKY,
        }
    }
}

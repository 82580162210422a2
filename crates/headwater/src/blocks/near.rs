//! [`Near`]: a grid as seen from one of its chunks. Most of what a place looks at is in the place's own chunk, where a cell is found
//! without asking which chunk it is in.

use super::bodies::NONE;
use super::cell::{Kind, Packed};
use super::chunk::Chunk;
use super::grid::Grid;
use super::label::SIDE;
use super::labelled::Labelled;

/// A grid, and a chunk of it.
#[derive(Clone, Copy)]
pub(super) struct Near<'a> {
    grid: &'a Grid,
    chunk: &'a Chunk,
    /// The bodies of the chunk's parts.
    bodies: &'a [u32],
    /// The chunk's first column and row.
    origin: (u32, u32),
}

impl<'a> Near<'a> {
    pub(super) fn new(grid: &'a Grid, chunk: usize) -> Self {
        let (here, (x, y)) = (&*grid.chunks[chunk], grid.origin(chunk));
        let bodies = grid.bodies.in_chunk(chunk, here.runs.parts());
        Self { grid, chunk: here, bodies, origin: (x as u32, y as u32) }
    }

    /// The column and row within the chunk, if a cell is in it. Cells beyond the edges of the grid that are in a chunk are wall.
    #[inline(always)]
    fn place(&self, x: u32, y: u32) -> Option<(usize, usize)> {
        let away = (x ^ self.origin.0) | (y ^ self.origin.1);
        (away < SIDE as u32).then_some((x as usize % SIDE, y as usize % SIDE))
    }

    /// Whether a cell is in the chunk.
    pub(super) fn has(&self, x: u32, y: u32) -> bool {
        self.place(x, y).is_some()
    }
}

impl Labelled for Near<'_> {
    fn height(&self) -> u32 {
        self.grid.height()
    }

    fn has_lighter(&self, kind: Kind) -> bool {
        self.grid.has_lighter(kind)
    }

    #[inline(always)]
    fn cell(&self, x: u32, y: u32) -> Packed {
        match self.place(x, y) {
            Some((x, y)) => self.chunk.cells[y][x],
            None => self.grid.cell(x, y),
        }
    }

    fn body(&self, x: u32, y: u32) -> u32 {
        match self.place(x, y) {
            Some((x, y)) if self.chunk.is_member(x, y) => {
                self.bodies[usize::from(self.chunk.runs.part(x, y))]
            }
            Some(_) => NONE,
            None => self.grid.body(x, y),
        }
    }

    #[inline(always)]
    fn is_member(&self, x: u32, y: u32) -> bool {
        match self.place(x, y) {
            Some((x, y)) => self.chunk.is_member(x, y),
            None => self.grid.is_member(x, y),
        }
    }

    #[inline(always)]
    fn stands(&self, x: u32, y: u32) -> bool {
        match self.place(x, y) {
            Some((x, y)) => self.chunk.stands(x, y),
            None => self.grid.stands(x, y),
        }
    }

    fn spreads(&self, body: u32) -> bool {
        self.grid.spreads(body)
    }

    fn air(&self, x: u32, y: u32) -> u32 {
        self.grid.air(x, y)
    }
}

//! [`Near`]: a grid seen from one of its chunks, where most cells are found without asking for the
//! chunk.

use super::bodies::NONE;
use super::cell::{FULL, Kind, Packed};
use super::chunk::Chunk;
use super::grid::Grid;
use super::label::SIDE;
use super::labelled::Labelled;

#[derive(Clone, Copy)]
pub(super) struct Near<'a> {
    grid: &'a Grid,
    chunk: &'a Chunk,
    bodies: &'a [u32],
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

    pub(super) fn has(&self, x: u32, y: u32) -> bool {
        self.place(x, y).is_some()
    }

    pub(super) fn has_changed(&self) -> bool {
        self.chunk.has_changed()
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
    fn has_part(&self, x: u32, y: u32, kind: Kind) -> bool {
        match self.place(x, y) {
            Some((x, y)) => self.chunk.has_part(x, y, kind),
            None => self.grid.has_part(x, y, kind),
        }
    }

    #[inline(always)]
    fn stands(&self, x: u32, y: u32) -> bool {
        match self.place(x, y) {
            Some((x, y)) => self.chunk.stands(x, y),
            None => self.grid.stands(x, y),
        }
    }

    /// By the bits of rows, as long as all is in the strip of chunks.
    fn sill_from(&self, (x, y): (u32, u32), kind: Kind, ends: [u32; 2]) -> Option<u32> {
        if !self.has(x, y) {
            let there = Near::new(self.grid, self.grid.chunk_of(x as usize, y as usize));
            return there.sill_from((x, y), kind, ends);
        }
        let column = x as usize % SIDE;
        let [mut west, mut east] = ends.map(|end| end.wrapping_sub(self.origin.0) as usize);
        for row in (0..=y as usize % SIDE).rev() {
            let at = (x, self.origin.1 + row as u32);
            let mut ends = [west, east].map(|end| self.origin.0.wrapping_add(end as u32));
            if west >= SIDE || east >= SIDE {
                return self.grid.sill_from(at, kind, ends);
            }
            let here = self.chunk.cells[row][column];
            if here.kind() != kind {
                return None;
            }
            let parts = self.chunk.body_row(usize::from(kind) - 1, row);
            let stretch = (u64::MAX << west) & (u64::MAX >> (SIDE - 1 - east));
            let around = stretch << 1 | stretch >> 1 | stretch;
            let is_at_border = west == 0 || east == SIDE - 1;
            // Mostly a row is as wide as the one below.
            if is_at_border || parts & around != stretch {
                let new = wider(parts, [west, column, east]);
                if self.chunk.standing_row(row) & new.bits != 0 {
                    return Some(at.1);
                }
                if new.is_open {
                    if self.grid.widen(at, kind, &mut ends) {
                        return Some(at.1);
                    }
                    [west, east] = ends.map(|end| end.wrapping_sub(self.origin.0) as usize);
                } else {
                    [west, east] = new.ends;
                }
            }
            if at.1 == 0 || here.fill() < FULL {
                return None;
            }
        }
        let ends = [west, east].map(|end| self.origin.0.wrapping_add(end as u32));
        self.sill_from((x, self.origin.1 - 1), kind, ends)
    }

    fn spreads(&self, body: u32) -> bool {
        self.grid.spreads(body)
    }

    fn air(&self, x: u32, y: u32) -> u32 {
        self.grid.air(x, y)
    }
}

struct Wider {
    ends: [usize; 2],
    /// What it has on both sides beyond the ends that it has been taken back to.
    bits: u64,
    /// Whether it may go on beyond the chunk.
    is_open: bool,
}

/// [`Labelled::widen`] by the bits of a row: its west end, a column in it, and its east end.
fn wider(parts: u64, [west, middle, east]: [usize; 3]) -> Wider {
    // Back to the first part between the end and the middle, or to the middle.
    let inner = parts & (u64::MAX << west) & (u64::MAX >> (SIDE - 1 - middle));
    let west = if inner == 0 { middle } else { inner.trailing_zeros() as usize };
    let inner = parts & (u64::MAX << middle) & (u64::MAX >> (SIDE - 1 - east));
    let east = if inner == 0 { middle } else { SIDE - 1 - inner.leading_zeros() as usize };
    // And on to the next gap.
    let (before, beyond) = ((1 << west) - 1, (u64::MAX - 1) << east);
    let gaps = [!parts & before, !parts & beyond];
    let first = gaps[0].checked_ilog2().map_or(0, |gap| gap as usize + 1);
    let last = gaps[1].trailing_zeros() as usize - 1;
    let bits = before & (u64::MAX << first) | beyond & (u64::MAX >> (SIDE - 1 - last));
    Wider { ends: [first, last], bits, is_open: first == 0 || last == SIDE - 1 }
}

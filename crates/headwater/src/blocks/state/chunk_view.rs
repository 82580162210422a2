//! [`ChunkView`]: read access to the grid, optimized for the cells of one chunk. Cells of that
//! chunk are read directly; cells of other chunks are looked up in the grid.

use super::bodies::NONE;
use super::cell::{FULL, Kind, PackedCell};
use super::cell_labels::CellLabels;
use super::chunk::Chunk;
use super::grid::Grid;
use super::label::SIDE;

#[derive(Clone, Copy)]
pub(in crate::blocks) struct ChunkView<'a> {
    grid: &'a Grid,
    chunk: &'a Chunk,
    bodies: &'a [u32],
    origin: (u32, u32),
}

impl<'a> ChunkView<'a> {
    pub(in crate::blocks) fn new(grid: &'a Grid, chunk: usize) -> Self {
        let (here, (x, y)) = (&*grid.chunks[chunk], grid.origin(chunk));
        let bodies = grid.bodies.components_in_chunk(chunk, here.runs.component_count());
        Self { grid, chunk: here, bodies, origin: (x as u32, y as u32) }
    }

    /// Returns the column and row of a cell within the viewed chunk, or `None` if the cell lies in
    /// another chunk. Cells of the viewed chunk that lie outside the grid are wall.
    #[inline(always)]
    fn local_position(&self, x: u32, y: u32) -> Option<(usize, usize)> {
        let away = (x ^ self.origin.0) | (y ^ self.origin.1);
        (away < SIDE as u32).then_some((x as usize % SIDE, y as usize % SIDE))
    }

    pub(in crate::blocks) fn contains(&self, x: u32, y: u32) -> bool {
        self.local_position(x, y).is_some()
    }

    pub(in crate::blocks) fn has_changed(&self) -> bool {
        self.chunk.has_changed()
    }
}

impl CellLabels for ChunkView<'_> {
    fn height(&self) -> u32 {
        self.grid.height()
    }

    fn may_hold_lighter(&self, kind: Kind) -> bool {
        self.grid.may_hold_lighter(kind)
    }

    #[inline(always)]
    fn cell(&self, x: u32, y: u32) -> PackedCell {
        match self.local_position(x, y) {
            Some((x, y)) => self.chunk.cells[y][x],
            None => self.grid.cell(x, y),
        }
    }

    fn body(&self, x: u32, y: u32) -> u32 {
        match self.local_position(x, y) {
            Some((x, y)) if self.chunk.is_member(x, y) => {
                self.bodies[usize::from(self.chunk.runs.component_at(x, y))]
            }
            Some(_) => NONE,
            None => self.grid.body(x, y),
        }
    }

    #[inline(always)]
    fn is_member(&self, x: u32, y: u32) -> bool {
        match self.local_position(x, y) {
            Some((x, y)) => self.chunk.is_member(x, y),
            None => self.grid.is_member(x, y),
        }
    }

    #[inline(always)]
    fn was_in_body(&self, x: u32, y: u32, kind: Kind) -> bool {
        match self.local_position(x, y) {
            Some((x, y)) => self.chunk.was_in_body(x, y, kind),
            None => self.grid.was_in_body(x, y, kind),
        }
    }

    #[inline(always)]
    fn is_supported(&self, x: u32, y: u32) -> bool {
        match self.local_position(x, y) {
            Some((x, y)) => self.chunk.is_supported(x, y),
            None => self.grid.is_supported(x, y),
        }
    }

    /// Implements [`CellLabels::find_sill_row`] with bit masks of whole rows, as long as the
    /// falling stream stays within the chunk.
    fn find_sill_row(&self, (x, y): (u32, u32), kind: Kind, ends: [u32; 2]) -> Option<u32> {
        if !self.contains(x, y) {
            let view = ChunkView::new(self.grid, self.grid.chunk_of(x as usize, y as usize));
            return view.find_sill_row((x, y), kind, ends);
        }
        let column = x as usize % SIDE;
        let [mut west, mut east] = ends.map(|end| end.wrapping_sub(self.origin.0) as usize);
        for row in (0..=y as usize % SIDE).rev() {
            let at = (x, self.origin.1 + row as u32);
            let mut ends = [west, east].map(|end| self.origin.0.wrapping_add(end as u32));
            if west >= SIDE || east >= SIDE {
                return self.grid.find_sill_row(at, kind, ends);
            }
            let here = self.chunk.cells[row][column];
            if here.kind() != kind {
                return None;
            }
            let members = self.chunk.body_row(usize::from(kind) - 1, row);
            let stretch = (u64::MAX << west) & (u64::MAX >> (SIDE - 1 - east));
            let surroundings = stretch << 1 | stretch >> 1 | stretch;
            let is_at_border = west == 0 || east == SIDE - 1;
            // Usually a row is as wide as the one below.
            if is_at_border || members & surroundings != stretch {
                let new = widen_in_row(members, [west, column, east]);
                if self.chunk.supported_row(row) & new.bits != 0 {
                    return Some(at.1);
                }
                if new.is_open {
                    if self.grid.widen_stream(at, kind, &mut ends) {
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
        self.find_sill_row((x, self.origin.1 - 1), kind, ends)
    }

    fn is_spreading(&self, body: u32) -> bool {
        self.grid.is_spreading(body)
    }

    fn air_pocket(&self, x: u32, y: u32) -> u32 {
        self.grid.air_pocket(x, y)
    }
}

struct WidenedRow {
    ends: [usize; 2],
    /// Bit mask of the columns by which the falling stream becomes wider in this row, on either
    /// side.
    bits: u64,
    /// Whether the stream reaches the first or the last column of the chunk, so that it may
    /// continue in the adjacent chunk.
    is_open: bool,
}

/// Performs the update of [`CellLabels::widen_stream`] for one row of a chunk. `members` is the bit
/// mask of the cells in this row that belong to bodies of the stream's liquid. `west` and `east`
/// are the end columns of the falling stream in the row below, and `middle` is any column between
/// them.
fn widen_in_row(members: u64, [west, middle, east]: [usize; 3]) -> WidenedRow {
    // Contract each end to the first member, but at most to the middle.
    let inner = members & (u64::MAX << west) & (u64::MAX >> (SIDE - 1 - middle));
    let west = if inner == 0 { middle } else { inner.trailing_zeros() as usize };
    let inner = members & (u64::MAX << middle) & (u64::MAX >> (SIDE - 1 - east));
    let east = if inner == 0 { middle } else { SIDE - 1 - inner.leading_zeros() as usize };
    // Then extend to the next gap.
    let (before, beyond) = ((1 << west) - 1, (u64::MAX - 1) << east);
    let gaps = [!members & before, !members & beyond];
    let first = gaps[0].checked_ilog2().map_or(0, |gap| gap as usize + 1);
    let last = gaps[1].trailing_zeros() as usize - 1;
    let bits = before & (u64::MAX << first) | beyond & (u64::MAX >> (SIDE - 1 - last));
    WidenedRow { ends: [first, last], bits, is_open: first == 0 || last == SIDE - 1 }
}

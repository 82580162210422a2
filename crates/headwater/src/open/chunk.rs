//! [`ChunkPos`]: the position of a chunk in an open world, with conversions to and from cell
//! positions. [`Bounds`]: the rectangle of cells in which a set of connected chunks is simulated.

use crate::error::InputError;
use crate::lattice::Square;
use crate::region::Region;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Side length of a chunk, in cells. A chunk has this many columns and this many rows.
pub const CHUNK: usize = 64;

/// Position of a chunk in an open world. Chunk (0, 0) holds the cells `[0, 0]` to `[63, 63]`. The
/// chunk to its west is (−1, 0), and the chunk below it is (0, 1).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct ChunkPos {
    /// Column of the chunk, in chunks, increasing to the east.
    pub x: i32,
    /// Row of the chunk, in chunks, increasing downward.
    pub y: i32,
}

impl ChunkPos {
    /// Creates a position from the column and row of a chunk, both in chunks.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// Returns the position of the chunk that contains the cell with the given column and row in
    /// the world. Returns `None` if the chunk is outside the range of chunk positions.
    pub fn from_cell([x, y]: [i64; 2]) -> Option<Self> {
        let of = |at: i64| i32::try_from(at.div_euclid(CHUNK as i64)).ok();
        Some(Self { x: of(x)?, y: of(y)? })
    }

    /// Returns the column and row of the chunk's top-left cell, counted in cells of the world.
    pub fn origin(self) -> [i64; 2] {
        [self.x, self.y].map(|at| i64::from(at) * CHUNK as i64)
    }

    /// Converts the index of a cell within the chunk, in row-major order, to the column and row of
    /// the cell in the world.
    pub(crate) fn cell_at_index(self, cell_index: u16) -> [i64; 2] {
        let ([left, top], cell_index) = (self.origin(), i64::from(cell_index));
        [left + cell_index % CHUNK as i64, top + cell_index / CHUNK as i64]
    }

    /// Returns the position of the chunk that contains a cell, and the column and row of the cell
    /// within that chunk. Returns `None` if the chunk is outside the range of chunk positions.
    pub(crate) fn locate(cell: [i64; 2]) -> Option<(Self, (usize, usize))> {
        let [x, y] = cell.map(|at| at.rem_euclid(CHUNK as i64) as usize);
        Some((Self::from_cell(cell)?, (x, y)))
    }

    /// Returns the positions of the adjacent chunks to the west, to the east, above and below, in
    /// this order. An element is `None` if it would be outside the range of chunk positions.
    pub(crate) fn edge_neighbours(self) -> [Option<Self>; 4] {
        [(-1, 0), (1, 0), (0, -1), (0, 1)].map(|by| self.offset_by(by))
    }

    /// Returns the positions of the chunks that share an edge with this chunk. If `corners` is
    /// true, also returns those of the chunks that share only a corner.
    pub(crate) fn neighbours(self, corners: bool) -> impl Iterator<Item = Self> {
        let all = (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y)));
        let near = all.filter(move |(x, y)| (x + y) % 2 != 0 || corners && (*x, *y) != (0, 0));
        near.filter_map(move |by| self.offset_by(by))
    }

    fn offset_by(self, (x, y): (i32, i32)) -> Option<Self> {
        Some(Self { x: self.x.checked_add(x)?, y: self.y.checked_add(y)? })
    }

    /// Returns the column and row within the chunk of each cell whose centre lies in `region`,
    /// which is given in world coordinates. Returns no cells if `cell_size` is not a valid length.
    pub(crate) fn cells_in_region(self, cell_size: f64, region: &Region) -> Vec<(usize, usize)> {
        let from = self.origin().map(|at| at as f64 * cell_size);
        let lattice = Square::new(CHUNK, CHUNK, cell_size, cell_size);
        let cells = lattice.map(|lattice| region.relative_to(from).cells(lattice));
        cells.unwrap_or_default().into_iter().map(|(x, y, _)| (x, y)).collect()
    }

    /// Checks that a field has as many columns and rows of cells as a chunk.
    ///
    /// # Errors
    /// Returns [`InputError`] if the size differs.
    pub(crate) fn check_size(self, found: [usize; 2]) -> Result<(), InputError> {
        if found == [CHUNK; 2] {
            return Ok(());
        }
        let found = format!("{} × {} cells", found[0], found[1]);
        Err(InputError::new(self.to_string(), found, format!("{CHUNK} × {CHUNK}")))
    }
}

impl fmt::Display for ChunkPos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "chunk ({}, {})", self.x, self.y)
    }
}

/// A rectangle of cells that encloses a set of chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Column and row in the world of the top-left cell.
    pub(crate) first: [i64; 2],
    /// Number of columns and rows of cells.
    pub(crate) size: [usize; 2],
}

impl Bounds {
    /// Returns the smallest rectangle of cells that encloses the given chunks, extended by `margin`
    /// cells on each side. There must be at least one chunk. `max_extent` is the largest allowed
    /// extent, in columns and rows of chunks.
    ///
    /// # Errors
    /// Returns [`InputError`] if the chunks span more columns or rows of chunks than `max_extent`.
    pub(crate) fn enclosing_chunks(
        chunks: impl IntoIterator<Item = ChunkPos>,
        margin: usize,
        max_extent: [usize; 2],
    ) -> Result<Self, InputError> {
        let (mut low, mut high) = ([i32::MAX; 2], [i32::MIN; 2]);
        for ChunkPos { x, y } in chunks {
            low = [low[0].min(x), low[1].min(y)];
            high = [high[0].max(x), high[1].max(y)];
        }
        let count = [0, 1].map(|i| (i64::from(high[i]) - i64::from(low[i]) + 1) as usize);
        if count[0] > max_extent[0] || count[1] > max_extent[1] {
            let found = format!("{} × {}", count[0], count[1]);
            let allowed = format!("{} × {} at most", max_extent[0], max_extent[1]);
            return Err(InputError::new("chunks that hang together", found, allowed));
        }
        let first = low.map(|low| i64::from(low) * CHUNK as i64 - margin as i64);
        Ok(Self { first, size: count.map(|count| count * CHUNK + 2 * margin) })
    }

    /// Converts the column and row of a cell in the world to the column and row relative to the
    /// top-left cell of the bounds.
    pub(crate) fn local_cell(&self, [x, y]: [i64; 2]) -> (usize, usize) {
        ((x - self.first[0]) as usize, (y - self.first[1]) as usize)
    }

    /// Converts the column and row of a cell relative to the top-left cell of the bounds to its
    /// column and row in the world.
    pub(crate) fn world_cell(&self, x: usize, y: usize) -> [i64; 2] {
        [self.first[0] + x as i64, self.first[1] + y as i64]
    }

    /// Returns the row, in world coordinates, directly below the last row of the bounds.
    pub(crate) fn end_row(&self) -> i64 {
        self.first[1] + self.size[1] as i64
    }
}

//! [`ChunkPos`]: positions of chunks, and of cells in them.

use crate::error::InputError;
use crate::lattice::Square;
use crate::region::Region;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Columns and rows of a chunk.
pub const CHUNK: usize = 64;

/// Position of a chunk in an open world. Chunk (0, 0) holds the cells `[0, 0]` to `[63, 63]`, the
/// one to the west of it is (−1, 0), the one below (0, 1).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct ChunkPos {
    /// Column of chunks, counted to the east.
    pub x: i32,
    /// Row of chunks, counted downwards.
    pub y: i32,
}

impl ChunkPos {
    /// The chunk in a column and a row of chunks.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// The chunk that contains a cell, given by its column and row; `None` beyond the range of
    /// chunk positions.
    pub fn of([x, y]: [i64; 2]) -> Option<Self> {
        let of = |at: i64| i32::try_from(at.div_euclid(CHUNK as i64)).ok();
        Some(Self { x: of(x)?, y: of(y)? })
    }

    /// The column and row of its first cell.
    pub fn origin(self) -> [i64; 2] {
        [self.x, self.y].map(|at| i64::from(at) * CHUNK as i64)
    }

    /// The chunk that contains a cell, and the cell's column and row in the chunk.
    pub(crate) fn locate(cell: [i64; 2]) -> Option<(Self, (usize, usize))> {
        let [x, y] = cell.map(|at| at.rem_euclid(CHUNK as i64) as usize);
        Some((Self::of(cell)?, (x, y)))
    }

    /// The chunks to the west, to the east, above and below; `None` beyond the range of positions.
    pub(crate) fn sides(self) -> [Option<Self>; 4] {
        [(-1, 0), (1, 0), (0, -1), (0, 1)].map(|by| self.moved(by))
    }

    /// The chunks that share an edge with it, in the order of its sides.
    pub(crate) fn beside(self) -> impl Iterator<Item = Self> {
        self.sides().into_iter().flatten()
    }

    /// The chunks that share an edge or a corner with it.
    pub(crate) fn around(self) -> impl Iterator<Item = Self> {
        let all = (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y)));
        all.filter(|by| *by != (0, 0)).filter_map(move |by| self.moved(by))
    }

    fn moved(self, (x, y): (i32, i32)) -> Option<Self> {
        Some(Self { x: self.x.checked_add(x)?, y: self.y.checked_add(y)? })
    }

    /// The cells whose middles lie in a region of the world, by column and row in the chunk.
    ///
    /// # Errors
    /// [`InputError`] if `cell_size` is not a length.
    pub(crate) fn cells_in(
        self,
        cell_size: f64,
        region: &Region,
    ) -> Result<Vec<(usize, usize)>, InputError> {
        let from = self.origin().map(|at| at as f64 * cell_size);
        let lattice = Square::new(CHUNK, CHUNK, cell_size, cell_size)?;
        let cells = region.seen_from(from).cells(lattice).into_iter();
        Ok(cells.map(|(x, y, _)| (x, y)).collect())
    }

    /// Checks that a field has as many columns and rows as a chunk.
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

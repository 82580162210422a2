//! [`Bounds`]: the rectangle of cells in which connected chunks are simulated.

use super::chunk::{CHUNK, ChunkPos};
use crate::error::InputError;

/// A rectangle of cells around chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Column and row in the world of the first cell.
    pub(crate) first: [i64; 2],
    /// Columns and rows of cells.
    pub(crate) size: [usize; 2],
}

impl Bounds {
    /// The bounds of at least one chunk, with a margin (cells) on each side.
    ///
    /// # Errors
    /// [`InputError`] if there are more than `most` columns or rows of chunks.
    pub(crate) fn around(
        chunks: impl IntoIterator<Item = ChunkPos>,
        margin: usize,
        most: [usize; 2],
    ) -> Result<Self, InputError> {
        let (mut low, mut high) = ([i32::MAX; 2], [i32::MIN; 2]);
        for ChunkPos { x, y } in chunks {
            low = [low[0].min(x), low[1].min(y)];
            high = [high[0].max(x), high[1].max(y)];
        }
        let count = [0, 1].map(|i| (i64::from(high[i]) - i64::from(low[i]) + 1) as usize);
        if count[0] > most[0] || count[1] > most[1] {
            let found = format!("{} × {}", count[0], count[1]);
            let allowed = format!("{} × {} at most", most[0], most[1]);
            return Err(InputError::new("chunks that hang together", found, allowed));
        }
        let first = low.map(|low| i64::from(low) * CHUNK as i64 - margin as i64);
        Ok(Self { first, size: count.map(|count| count * CHUNK + 2 * margin) })
    }

    /// The column and row of a cell within the bounds, given those in the world.
    pub(crate) fn cell(&self, [x, y]: [i64; 2]) -> (usize, usize) {
        ((x - self.first[0]) as usize, (y - self.first[1]) as usize)
    }

    /// The column and row of a cell in the world, given those within the bounds.
    pub(crate) fn cell_of(&self, x: usize, y: usize) -> [i64; 2] {
        [self.first[0] + x as i64, self.first[1] + y as i64]
    }

    /// The row of the world below the last one.
    pub(crate) fn end_row(&self) -> i64 {
        self.first[1] + self.size[1] as i64
    }
}

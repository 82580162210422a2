//! [`Tract`]: the rectangle of chunks that a grid of an open world covers.

use super::place::ChunkPos;
use crate::blocks::label::SIDE;
use crate::blocks::world::MAX_SIDE;
use crate::error::InputError;

/// Chunks that a tract has on each side beyond those that are loaded: one, that something may pass into and that keeps the top
/// of the grid out of reach.
const MARGIN: i64 = 1;

/// Chunks on each side beyond those, so that not every chunk that is loaded needs another tract.
const SLACK: i64 = 1;

/// A rectangle of chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tract {
    first: [i64; 2],
    /// Columns and rows of chunks.
    size: [i64; 2],
}

impl Tract {
    /// A tract for these chunks, of which there is one at least.
    ///
    /// # Errors
    /// [`InputError`] if they lie so far apart that no grid covers them.
    pub(super) fn around(chunks: impl Iterator<Item = ChunkPos>) -> Result<Self, InputError> {
        let (mut low, mut high) = ([i64::MAX; 2], [i64::MIN; 2]);
        for chunk in chunks {
            for (i, at) in [chunk.x, chunk.y].into_iter().enumerate() {
                (low[i], high[i]) = (low[i].min(at.into()), high[i].max(at.into()));
            }
        }
        let by = MARGIN + SLACK;
        let size = [0, 1].map(|i| high[i] - low[i] + 1 + 2 * by);
        let most = (MAX_SIDE / SIDE) as i64;
        if size.iter().any(|chunks| *chunks > most) {
            let found = format!("{} × {}", size[0] - 2 * by, size[1] - 2 * by);
            let allowed = format!("{} × {0} at most", most - 2 * by);
            return Err(InputError::new("chunks that hang together", found, allowed));
        }
        Ok(Self { first: low.map(|low| low - by), size })
    }

    /// Columns and rows of chunks.
    pub(super) fn size(&self) -> [usize; 2] {
        self.size.map(|chunks| chunks as usize)
    }

    /// The number of a chunk in the grid; `None` outside.
    pub(super) fn slot(&self, chunk: ChunkPos) -> Option<usize> {
        let [x, y] = [i64::from(chunk.x) - self.first[0], i64::from(chunk.y) - self.first[1]];
        let inside = (0..self.size[0]).contains(&x) && (0..self.size[1]).contains(&y);
        inside.then(|| (x * self.size[1] + y) as usize)
    }

    /// The chunk of a number; `None` if no chunk can be there.
    pub(super) fn chunk(&self, slot: usize) -> Option<ChunkPos> {
        let (x, y) = (slot as i64 / self.size[1], slot as i64 % self.size[1]);
        let at = [self.first[0] + x, self.first[1] + y].map(i32::try_from);
        let [Ok(x), Ok(y)] = at else { return None };
        Some(ChunkPos { x, y })
    }

    /// Whether a chunk may be loaded in it.
    pub(super) fn has_room(&self, chunk: ChunkPos) -> bool {
        let inside = |at: i32, i: usize| {
            let at = i64::from(at) - self.first[i];
            (MARGIN..self.size[i] - MARGIN).contains(&at)
        };
        inside(chunk.x, 0) && inside(chunk.y, 1)
    }

    /// Whether it covers more than twice as many chunks as another.
    pub(super) fn is_loose(&self, needed: &Self) -> bool {
        self.size[0] * self.size[1] > 2 * needed.size[0] * needed.size[1]
    }

    /// The column and row of a cell in the grid, given those in the world.
    pub(super) fn cell(&self, [x, y]: [i64; 2]) -> (usize, usize) {
        let [left, top] = self.first.map(|first| first * SIDE as i64);
        ((x - left) as usize, (y - top) as usize)
    }

    /// Rows of cells from the top of the world's row 0 down to the bottom of the grid.
    pub(super) fn bottom(&self) -> i64 {
        (self.first[1] + self.size[1]) * SIDE as i64
    }
}

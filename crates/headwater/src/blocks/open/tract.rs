//! [`Tract`]: the rectangle of chunks that a grid of an open world covers.

use crate::blocks::label::SIDE;
use crate::blocks::world::MAX_SIDE;
use crate::error::InputError;
use crate::open::ChunkPos;
use std::collections::BTreeMap;

/// Chunks that a tract has on each side beyond those that are loaded: one, that something may pass into and that keeps the top
/// of the grid out of reach.
const MARGIN: i64 = 1;

/// Chunks on each side beyond those, so that not every chunk that is loaded needs another tract.
const SLACK: i64 = 1;

/// How many of some chunks are in each column and each row of chunks.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts([BTreeMap<i32, u32>; 2]);

impl Counts {
    pub(super) fn of<'c>(chunks: impl IntoIterator<Item = &'c ChunkPos>) -> Self {
        let mut counts = Self::default();
        chunks.into_iter().for_each(|&chunk| counts.add(chunk));
        counts
    }

    pub(super) fn add(&mut self, chunk: ChunkPos) {
        for (counts, at) in self.0.iter_mut().zip([chunk.x, chunk.y]) {
            *counts.entry(at).or_default() += 1;
        }
    }

    pub(super) fn remove(&mut self, chunk: ChunkPos) {
        for (counts, at) in self.0.iter_mut().zip([chunk.x, chunk.y]) {
            let count = counts.entry(at).or_default();
            *count = count.saturating_sub(1);
            if *count == 0 {
                counts.remove(&at);
            }
        }
    }

    /// The last column (0) or row (1) of chunks after which there is an empty one, with more beyond.
    pub(super) fn gap(&self) -> Option<(usize, i32)> {
        self.0.iter().enumerate().find_map(|(axis, counts)| {
            let mut pairs = counts.keys().zip(counts.keys().skip(1));
            pairs.find(|(a, b)| i64::from(**b) - i64::from(**a) > 1).map(|(a, _)| (axis, *a))
        })
    }
}

/// A rectangle of chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tract {
    first: [i64; 2],
    /// Columns and rows of chunks.
    size: [i64; 2],
}

impl Tract {
    /// A tract for chunks, of which there is one at least.
    ///
    /// # Errors
    /// [`InputError`] if they lie so far apart that no grid covers them.
    pub(super) fn around(chunks: &Counts) -> Result<Self, InputError> {
        let low = chunks.0.each_ref().map(|counts| counts.keys().next());
        let high = chunks.0.each_ref().map(|counts| counts.keys().next_back());
        let [low, high] = [low, high].map(|ends| ends.map(|at| at.map_or(0, |&at| i64::from(at))));
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

//! Chunks of a grid within [`Bounds`].

use crate::blocks::label::SIDE;
use crate::blocks::world::MAX_SIDE;
use crate::error::InputError;
use crate::open::{Bounds, ChunkPos};
use std::collections::BTreeSet;

/// Chunks of a grid on each side of those that may be loaded: liquids may pass into them, and they
/// keep the top of the grid out of reach.
const MARGIN: i64 = 1;

/// Chunks of a new grid on each side of the loaded ones. Some of them may be loaded later without
/// another grid.
const SLACK: usize = MARGIN as usize + 1;

impl Bounds {
    /// The bounds of a new grid around at least one chunk.
    ///
    /// # Errors
    /// [`InputError`] if the chunks lie too far apart for a grid.
    pub(super) fn of_grid(chunks: impl IntoIterator<Item = ChunkPos>) -> Result<Self, InputError> {
        let most = MAX_SIDE / SIDE - 2 * SLACK;
        Self::around(chunks, SLACK * SIDE, [most; 2])
    }

    /// Columns and rows of chunks.
    pub(super) fn chunks(&self) -> [usize; 2] {
        self.size.map(|cells| cells / SIDE)
    }

    /// Column and row of a chunk in the grid, from the first one.
    fn place(&self, chunk: ChunkPos) -> [i64; 2] {
        let origin = chunk.origin();
        [0, 1].map(|i| (origin[i] - self.first[i]).div_euclid(SIDE as i64))
    }

    /// Whether a chunk has `margin` chunks of the grid on each side.
    fn is_inside(&self, chunk: ChunkPos, margin: i64) -> bool {
        let at = self.place(chunk).into_iter().zip(self.chunks());
        at.into_iter().all(|(at, count)| (margin..count as i64 - margin).contains(&at))
    }

    /// The number of a chunk in the grid; `None` outside.
    pub(super) fn slot(&self, chunk: ChunkPos) -> Option<usize> {
        let [x, y] = self.place(chunk).map(|at| at as usize);
        self.is_inside(chunk, 0).then(|| x * self.chunks()[1] + y)
    }

    /// The chunk of a number; `None` beyond the range of positions.
    pub(super) fn chunk(&self, slot: usize) -> Option<ChunkPos> {
        let rows = self.chunks()[1];
        ChunkPos::of(self.cell_of(slot / rows * SIDE, slot % rows * SIDE))
    }

    /// Whether a chunk may be loaded in the grid.
    pub(super) fn has_room(&self, chunk: ChunkPos) -> bool {
        self.is_inside(chunk, MARGIN)
    }

    /// Whether it covers more than twice as many chunks as another.
    pub(super) fn is_loose(&self, needed: &Self) -> bool {
        let area = |bounds: &Self| bounds.chunks().into_iter().product::<usize>();
        area(self) > 2 * area(needed)
    }

    /// An empty column (0) or row (1) of chunks between loaded ones: the axis and its position.
    pub(super) fn gap(&self, loaded: &BTreeSet<ChunkPos>) -> Option<(usize, i32)> {
        (0..2).find_map(|axis| {
            let mut is_used = vec![false; self.chunks()[axis]];
            loaded.iter().for_each(|&chunk| is_used[self.place(chunk)[axis] as usize] = true);
            let last = is_used.iter().rposition(|used| *used)?;
            let first = is_used.iter().position(|used| *used)?;
            let gap = is_used[first..last].iter().position(|used| !used)? + first;
            Some((axis, (self.first[axis] / SIDE as i64 + gap as i64) as i32))
        })
    }
}

//! What of a world has changed since somebody looked last: tiles of cells, for renderers and for networks.

/// Cells on a side of a tile.
pub const TILE: usize = 64;

/// A moment in the life of a world, to ask what has changed since. It belongs to the world that gave it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Which of the states that were loaded into the world it is of.
    state: u64,
    /// How many changes there had been.
    count: u64,
}

impl Stamp {
    /// Before everything: all has changed since.
    pub const NEVER: Self = Self { state: 0, count: 0 };
}

/// Cells that have changed: columns `x..x + nx`, rows `y..y + ny`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Its first column.
    pub x: usize,
    /// Its first row.
    pub y: usize,
    /// Columns.
    pub nx: usize,
    /// Rows.
    pub ny: usize,
}

/// What has changed since a stamp.
#[derive(Clone, Debug, PartialEq)]
pub struct Changes {
    /// Where: no tile twice, and no change outside them. A tile may stand here though nothing in it has changed.
    pub tiles: Vec<Tile>,
    /// The stamp to ask with next time.
    pub stamp: Stamp,
}

impl Changes {
    /// All of a grid, for worlds that keep no account.
    pub fn all(nx: usize, ny: usize) -> Self {
        Self { tiles: vec![Tile { x: 0, y: 0, nx, ny }], stamp: Stamp::NEVER }
    }
}

/// Keeps account of changes by tile. A new one, and a cloned or loaded world's, says that all has changed.
#[derive(Debug)]
pub(crate) struct Tracker {
    nx: usize,
    ny: usize,
    now: Stamp,
    /// For each tile, row by row, the count of its last change.
    last: Vec<u64>,
}

impl Default for Tracker {
    fn default() -> Self {
        Self::new(0, 0)
    }
}

impl Clone for Tracker {
    /// A clone has a life of its own: stamps of the other mean nothing to it, so all has changed in it since they were given.
    fn clone(&self) -> Self {
        let mut copy = Self::new(self.nx, self.ny);
        copy.follow(self);
        copy
    }
}

impl Tracker {
    /// For a grid of `nx × ny` cells, all of which are new.
    pub(crate) fn new(nx: usize, ny: usize) -> Self {
        let tiles = nx.div_ceil(TILE) * ny.div_ceil(TILE);
        Self { nx, ny, now: Stamp { state: 1, count: 1 }, last: vec![1; tiles] }
    }

    /// Takes the place of another: stamps that it gave are from before everything here.
    pub(crate) fn follow(&mut self, before: &Self) {
        self.now.state = before.now.state + 1;
    }

    /// Tiles from west to east.
    fn across(&self) -> usize {
        self.nx.div_ceil(TILE)
    }

    /// A change begins: what is marked from now on is newer than all stamps given so far.
    pub(crate) fn begin(&mut self) {
        self.now.count += 1;
    }

    /// Marks a tile, by its column and row of tiles.
    pub(crate) fn mark_tile(&mut self, column: usize, row: usize) {
        let tile = row * self.across() + column;
        self.last[tile] = self.now.count;
    }

    /// Marks the tile of a cell.
    pub(crate) fn mark(&mut self, x: usize, y: usize) {
        self.mark_tile(x / TILE, y / TILE);
    }

    /// Marks everything.
    pub(crate) fn mark_all(&mut self) {
        self.last.fill(self.now.count);
    }

    /// What has changed since a stamp.
    pub(crate) fn since(&self, stamp: Stamp) -> Changes {
        let since = if stamp.state == self.now.state { stamp.count } else { 0 };
        let across = self.across().max(1);
        let changed = self.last.iter().enumerate().filter(|(_, last)| **last > since);
        let tile = |(i, _): (usize, &u64)| {
            let (x, y) = (i % across * TILE, i / across * TILE);
            Tile { x, y, nx: TILE.min(self.nx - x), ny: TILE.min(self.ny - y) }
        };
        Changes { tiles: changed.map(tile).collect(), stamp: self.now }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_marked_since_a_stamp_is_told_once() {
        let mut tracker = Tracker::new(130, 70);
        let first = tracker.since(Stamp::NEVER);
        assert_eq!(first.tiles.len(), 6);
        assert!(tracker.since(first.stamp).tiles.is_empty());
        tracker.begin();
        tracker.mark(129, 69);
        let second = tracker.since(first.stamp);
        assert_eq!(second.tiles, [Tile { x: 128, y: 64, nx: 2, ny: 6 }]);
        assert!(tracker.since(second.stamp).tiles.is_empty());
        assert_eq!(tracker.since(first.stamp), second);
    }

    #[test]
    fn stamps_of_another_state_mean_nothing() {
        let tracker = Tracker::new(64, 64);
        let stamp = tracker.since(Stamp::NEVER).stamp;
        assert_eq!(tracker.clone().since(stamp).tiles.len(), 1);
    }
}

//! What of a world has changed since somebody looked last: tiles of cells, for renderers and for networks.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

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
    /// Where: no tile twice. What of a layer changes outside them, its [`reach`](crate::Layer::reach) says. A tile may stand
    /// here though nothing in it has changed.
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
    /// Tiles that are marked as one, until they are parted.
    groups: HashMap<u32, Group>,
}

/// The numbers of tiles, and the count of their last change as a group.
#[derive(Debug)]
struct Group {
    tiles: Vec<usize>,
    last: u64,
}

impl Default for Tracker {
    fn default() -> Self {
        Self::new(0, 0)
    }
}

impl Clone for Tracker {
    /// A clone has a life of its own: stamps of the other mean nothing to it, so all has changed in it since they were given.
    fn clone(&self) -> Self {
        let mut copy = Self { nx: self.nx, ny: self.ny, ..Self::of(self.last.len()) };
        copy.follow(self);
        copy
    }
}

impl Tracker {
    /// For a grid of `nx × ny` cells, all of which are new.
    pub(crate) fn new(nx: usize, ny: usize) -> Self {
        Self { nx, ny, ..Self::of(nx.div_ceil(TILE) * ny.div_ceil(TILE)) }
    }

    /// For so many things of which the world itself knows the tiles, such as pools; all are new.
    pub(crate) fn of(things: usize) -> Self {
        let now = Stamp { state: 1, count: 1 };
        Self { nx: 0, ny: 0, now, last: vec![1; things], groups: HashMap::new() }
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
        self.mark_number(row * self.across() + column);
    }

    /// Marks a tile or thing by its number.
    pub(crate) fn mark_number(&mut self, number: usize) {
        self.last[number] = self.now.count;
    }

    /// Marks the tile of a cell.
    pub(crate) fn mark(&mut self, x: usize, y: usize) {
        self.mark_tile(x / TILE, y / TILE);
    }

    /// Marks a group of tiles, such as those of a lake, at the cost of one. `tiles` says which they are, by column and row,
    /// when the group is marked for the first time since it was [parted](Self::part_groups).
    pub(crate) fn mark_group(&mut self, group: u32, tiles: impl FnOnce() -> Vec<(usize, usize)>) {
        let (now, across) = (self.now.count, self.across());
        let number = |(column, row)| row * across + column;
        let new = || Group { tiles: tiles().into_iter().map(number).collect(), last: now };
        self.groups.entry(group).or_insert_with(new).last = now;
    }

    /// Forgets the groups, whose numbers mean something else from now on, and keeps their marks.
    pub(crate) fn part_groups(&mut self) {
        self.last = self.last_of_all().into_owned();
        self.groups.clear();
    }

    /// The last change of every tile, by itself or in a group.
    fn last_of_all(&self) -> Cow<'_, [u64]> {
        let mut all = Cow::Borrowed(&self.last[..]);
        for group in self.groups.values() {
            let all = all.to_mut();
            group.tiles.iter().for_each(|&tile| all[tile] = all[tile].max(group.last));
        }
        all
    }

    /// Marks everything.
    pub(crate) fn mark_all(&mut self) {
        self.last.fill(self.now.count);
    }

    /// What has changed since a stamp.
    pub(crate) fn since(&self, stamp: Stamp) -> Changes {
        let across = self.across().max(1);
        let tile = |number: usize| {
            let (x, y) = (number % across * TILE, number / across * TILE);
            Tile { x, y, nx: TILE.min(self.nx - x), ny: TILE.min(self.ny - y) }
        };
        Changes { tiles: self.numbers_since(stamp).map(tile).collect(), stamp: self.now }
    }

    /// The numbers of the tiles or things that have changed since a stamp, ascending.
    pub(crate) fn numbers_since(&self, stamp: Stamp) -> impl Iterator<Item = usize> + '_ {
        let since = if stamp.state == self.now.state { stamp.count } else { 0 };
        let last = self.last_of_all();
        (0..self.last.len()).filter(move |&number| last[number] > since)
    }

    /// What numbers mark: the tiles that `covers` says for each of those that have changed since a stamp, of a grid of
    /// `nx × ny` cells. `covers` says ranges of columns and of rows of cells.
    pub(crate) fn tiles_since<I: IntoIterator<Item = [Range<usize>; 2]>>(
        &self,
        stamp: Stamp,
        [nx, ny]: [usize; 2],
        covers: impl Fn(usize) -> I,
    ) -> Changes {
        let mut tiles = Self::new(nx, ny);
        if stamp.state != self.now.state {
            // There were other things then, in places that nothing may cover now.
            return Changes { stamp: self.now, ..tiles.since(Stamp::NEVER) };
        }
        tiles.begin();
        for [columns, rows] in self.numbers_since(stamp).flat_map(covers) {
            for row in rows.start / TILE..rows.end.div_ceil(TILE) {
                for column in columns.start / TILE..columns.end.div_ceil(TILE) {
                    tiles.mark_tile(column, row);
                }
            }
        }
        let all_old = Stamp { count: 1, ..tiles.now };
        Changes { stamp: self.now, ..tiles.since(all_old) }
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
    fn groups_are_marked_as_one() {
        let mut tracker = Tracker::new(130, 70);
        let first = tracker.since(Stamp::NEVER).stamp;
        let numbers = |tracker: &Tracker, stamp| tracker.numbers_since(stamp).collect::<Vec<_>>();
        tracker.begin();
        tracker.mark_group(7, || vec![(0, 0), (2, 1)]);
        assert_eq!(numbers(&tracker, first), [0, 5]);
        let second = tracker.since(first).stamp;
        assert!(numbers(&tracker, second).is_empty());
        tracker.begin();
        tracker.mark_group(7, || unreachable!("it is known"));
        tracker.part_groups();
        assert_eq!(numbers(&tracker, second), [0, 5]);
        tracker.mark_group(7, || vec![(1, 0)]);
        assert_eq!(numbers(&tracker, second), [0, 1, 5]);
    }

    #[test]
    fn things_cover_tiles() {
        let mut tracker = Tracker::of(3);
        let first = tracker.numbers_since(Stamp::NEVER).collect::<Vec<_>>();
        assert_eq!(first, [0, 1, 2]);
        let covers = |thing: usize| [[thing * 64..thing * 64 + 1, 10..70]];
        let first = tracker.tiles_since(Stamp::NEVER, [130, 70], covers);
        assert_eq!(first.tiles.len(), 6, "all of the grid, whatever covers it");
        let stamp = first.stamp;
        tracker.begin();
        tracker.mark_number(2);
        let found = tracker.tiles_since(stamp, [130, 70], covers);
        let tile = |y, ny| Tile { x: 128, y, nx: 2, ny };
        assert_eq!(found.tiles, [tile(0, 64), tile(64, 6)]);
        assert!(tracker.tiles_since(found.stamp, [130, 70], covers).tiles.is_empty());
    }

    #[test]
    fn stamps_of_another_state_mean_nothing() {
        let tracker = Tracker::new(64, 64);
        let stamp = tracker.since(Stamp::NEVER).stamp;
        assert_eq!(tracker.clone().since(stamp).tiles.len(), 1);
    }
}

//! What of a world has changed since somebody looked last: tiles of cells, for renderers and for networks.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Cells on a side of a tile.
pub const TILE: usize = 64;

/// Tiles of `size` cells along a line of `cells`: the one `at` a place, those beside it (`around`
/// the seam of a closed line), and beyond a last tile that is narrow.
pub(crate) fn near(
    at: usize,
    cells: usize,
    size: usize,
    around: bool,
) -> impl Iterator<Item = usize> {
    let n = cells.div_ceil(size);
    let before = if at > 0 { Some(at - 1) } else { around.then(|| n - 1) };
    let after = if at + 1 < n { Some(at + 1) } else { around.then_some(0) };
    let narrow = around && n > 2 && !cells.is_multiple_of(size);
    let beyond = match at {
        0 => Some(n.saturating_sub(2)),
        _ if at + 2 == n => Some(0),
        _ => None,
    };
    [Some(at), before, after, beyond.filter(|_| narrow)].into_iter().flatten()
}

/// A moment in the life of a world, to ask what has changed since. It belongs to the world that gave it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Which of the states that were loaded into the world it is of.
    state: u64,
    count: u64,
}

impl Stamp {
    /// Before everything: all has changed since.
    pub const NEVER: Self = Self { state: 0, count: 0 };

    /// It as two numbers, for where a stamp is to be kept outside; zeros are [`NEVER`](Self::NEVER).
    pub const fn to_numbers(self) -> [u64; 2] {
        [self.state, self.count]
    }

    /// The stamp of two numbers that [`to_numbers`](Self::to_numbers) gave.
    pub const fn from_numbers([state, count]: [u64; 2]) -> Self {
        Self { state, count }
    }
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

impl Tile {
    /// All of a grid.
    pub const fn all([nx, ny]: [usize; 2]) -> Self {
        Self { x: 0, y: 0, nx, ny }
    }

    /// With so many cells more on each side, as far as the grid of `nx × ny` cells goes: with none more, what of it is on
    /// the grid.
    pub fn grown(self, by: usize, [nx, ny]: [usize; 2]) -> Self {
        let (x, y) = (self.x.saturating_sub(by).min(nx), self.y.saturating_sub(by).min(ny));
        let end = |at: usize, n: usize| at.saturating_add(n).saturating_add(by);
        let end = [end(self.x, self.nx).min(nx), end(self.y, self.ny).min(ny)];
        Self { x, y, nx: end[0].saturating_sub(x), ny: end[1].saturating_sub(y) }
    }

    /// The columns and rows of its cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = (usize, usize)> {
        let (columns, rows) = (self.x.saturating_add(self.nx), self.y.saturating_add(self.ny));
        (self.y..rows).flat_map(move |y| (self.x..columns).map(move |x| (x, y)))
    }
}

/// What has changed since a stamp.
///
/// A renderer keeps one and has the world bring it up to date once a frame, which allocates nothing:
///
/// ```
/// use headwater::changes::Changes;
/// use headwater::waves::{Params, View, Waves};
/// use headwater::{Field, Model, Square};
/// let mut pond = Waves::new(Square::new(200, 150, 0.5, 0.5)?, Params::default())?;
/// let (mut changes, mut heights) = (Changes::default(), Field::new(200, 150, 0.0));
/// for _ in 0..10 {
///     pond.advance(1.0 / 60.0)?;
///     pond.update_changes(&mut changes);
///     pond.view_into(View::Height, &changes.tiles, &mut heights)?;
///     // Upload `heights` where `changes.tiles` are.
/// }
/// # Ok::<(), headwater::InputError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
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
        Self { tiles: vec![Tile::all([nx, ny])], stamp: Stamp::NEVER }
    }
}

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
    fn clone(&self) -> Self {
        Self { nx: self.nx, ny: self.ny, ..Self::of(self.last.len()) }
    }
}

impl Tracker {
    pub(crate) fn new(nx: usize, ny: usize) -> Self {
        Self { nx, ny, ..Self::of(nx.div_ceil(TILE) * ny.div_ceil(TILE)) }
    }

    /// For so many things of which the world itself knows the tiles, such as pools; all are new.
    pub(crate) fn of(things: usize) -> Self {
        // Whatever takes its place has another number, and so has whatever it takes the place of.
        static STATES: AtomicU64 = AtomicU64::new(1);
        let now = Stamp { state: STATES.fetch_add(1, Ordering::Relaxed), count: 1 };
        Self { nx: 0, ny: 0, now, last: vec![1; things], groups: HashMap::new() }
    }

    fn across(&self) -> usize {
        self.nx.div_ceil(TILE)
    }

    pub(crate) fn begin(&mut self) {
        self.now.count += 1;
    }

    pub(crate) fn mark_tile(&mut self, column: usize, row: usize) {
        self.mark_number(row * self.across() + column);
    }

    pub(crate) fn mark_number(&mut self, number: usize) {
        self.last[number] = self.now.count;
    }

    pub(crate) fn mark(&mut self, x: usize, y: usize) {
        self.mark_tile(x / TILE, y / TILE);
    }

    /// Marks a group of tiles, such as a lake's, at the cost of one. `tiles` gives them by column
    /// and row, at the first mark since [`part_groups`](Self::part_groups).
    pub(crate) fn mark_group(&mut self, group: u32, tiles: impl FnOnce() -> Vec<(usize, usize)>) {
        let (now, across) = (self.now.count, self.across());
        let number = |(column, row)| row * across + column;
        let new = || Group { tiles: tiles().into_iter().map(number).collect(), last: now };
        self.groups.entry(group).or_insert_with(new).last = now;
    }

    pub(crate) fn part_groups(&mut self) {
        for Group { tiles, last } in self.groups.values() {
            tiles.iter().for_each(|&tile| self.last[tile] = self.last[tile].max(*last));
        }
        self.groups.clear();
    }

    pub(crate) fn mark_all(&mut self) {
        self.last.fill(self.now.count);
    }

    fn tile(&self, number: usize) -> Tile {
        tile_at(number % self.across(), number / self.across(), [self.nx, self.ny])
    }

    /// The count that a stamp stands for: 0 if it is of another state, in which nothing was what it is now.
    fn count(&self, stamp: Stamp) -> u64 {
        if stamp.state == self.now.state { stamp.count } else { 0 }
    }

    pub(crate) fn update(&self, changes: &mut Changes) {
        let since = self.count(changes.stamp);
        changes.stamp = self.now;
        changes.tiles.clear();
        let own = self.last.iter().enumerate().filter(|&(_, &last)| last > since);
        changes.tiles.extend(own.map(|(number, _)| self.tile(number)));
        let groups = self.groups.values().filter(|group| group.last > since);
        let numbers = groups.flat_map(|group| &group.tiles);
        let of_groups = numbers.filter(|&&number| self.last[number] <= since);
        let before = changes.tiles.len();
        changes.tiles.extend(of_groups.map(|&number| self.tile(number)));
        if changes.tiles.len() > before {
            in_order(&mut changes.tiles);
        }
    }

    /// Updates changes by marked things, of a grid of `nx × ny` cells: `covers` gives things by
    /// number, and the columns and rows of cells that each covers.
    pub(crate) fn update_covered(
        &self,
        changes: &mut Changes,
        grid: [usize; 2],
        covers: impl Iterator<Item = (usize, [Range<usize>; 2])>,
    ) {
        let tiles = &mut changes.tiles;
        tiles.clear();
        if changes.stamp.state == self.now.state {
            let since = changes.stamp.count;
            let changed = covers.filter(|&(thing, _)| self.last[thing] > since);
            for [columns, rows] in changed.map(|(_, place)| place) {
                for row in rows.start / TILE..rows.end.div_ceil(TILE) {
                    let columns = columns.start / TILE..columns.end.div_ceil(TILE);
                    tiles.extend(columns.map(|column| tile_at(column, row, grid)));
                }
            }
            in_order(tiles);
        } else {
            // There were other things then, in places that nothing may cover now.
            let [across, down] = grid.map(|cells| cells.div_ceil(TILE));
            tiles.extend((0..across * down).map(|i| tile_at(i % across, i / across, grid)));
        }
        changes.stamp = self.now;
    }
}

fn tile_at(column: usize, row: usize, [nx, ny]: [usize; 2]) -> Tile {
    let (x, y) = (column * TILE, row * TILE);
    Tile { x, y, nx: TILE.min(nx - x), ny: TILE.min(ny - y) }
}

fn in_order(tiles: &mut Vec<Tile>) {
    tiles.sort_unstable_by_key(|tile| (tile.y, tile.x));
    tiles.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Tracker {
        fn since(&self, stamp: Stamp) -> Changes {
            let mut changes = Changes { tiles: Vec::new(), stamp };
            self.update(&mut changes);
            changes
        }
    }

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
        let numbers = |tracker: &Tracker, stamp| -> Vec<usize> {
            tracker
                .since(stamp)
                .tiles
                .iter()
                .map(|tile| tile.y / TILE * 3 + tile.x / TILE)
                .collect()
        };
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
        let covers = |thing: usize| (thing, [thing * 64..thing * 64 + 1, 10..70]);
        let since = |tracker: &Tracker, stamp| {
            let mut changes = Changes { tiles: Vec::new(), stamp };
            tracker.update_covered(&mut changes, [130, 70], (0..3).map(covers));
            changes
        };
        let first = since(&tracker, Stamp::NEVER);
        assert_eq!(first.tiles.len(), 6, "all of the grid, whatever covers it");
        tracker.begin();
        tracker.mark_number(2);
        let found = since(&tracker, first.stamp);
        let tile = |y, ny| Tile { x: 128, y, nx: 2, ny };
        assert_eq!(found.tiles, [tile(0, 64), tile(64, 6)]);
        assert!(since(&tracker, found.stamp).tiles.is_empty());
    }

    #[test]
    fn stamps_of_another_state_mean_nothing() {
        let tracker = Tracker::new(64, 64);
        let stamp = tracker.since(Stamp::NEVER).stamp;
        assert_eq!(tracker.clone().since(stamp).tiles.len(), 1);
    }
}

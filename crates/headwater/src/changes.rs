//! Change tracking by square tiles of cells, so that renderers and network replication can update
//! only the tiles that have changed.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Side length of a tile (cells). Tiles at the eastern and southern edges of the grid may be
/// smaller.
pub const TILE: usize = 64;

/// Iterates over `tile`, the index of a tile, and the indices of its neighbours along one axis of a
/// grid. The axis has `cells` cells, divided into tiles of `tile_size` cells. On a `periodic` axis
/// the neighbours wrap around. If the last tile of a periodic axis is narrower than `tile_size`,
/// the tiles on both sides of it also count as neighbours of each other.
pub(crate) fn neighbour_tiles(
    tile: usize,
    cells: usize,
    tile_size: usize,
    periodic: bool,
) -> impl Iterator<Item = usize> {
    let n = cells.div_ceil(tile_size);
    let before = if tile > 0 { Some(tile - 1) } else { periodic.then(|| n - 1) };
    let after = if tile + 1 < n { Some(tile + 1) } else { periodic.then_some(0) };
    let narrow = periodic && n > 2 && !cells.is_multiple_of(tile_size);
    let beyond = match tile {
        0 => Some(n.saturating_sub(2)),
        _ if tile + 2 == n => Some(0),
        _ => None,
    };
    [Some(tile), before, after, beyond.filter(|_| narrow)].into_iter().flatten()
}

/// Point in the change history of a world. A query that is given a stamp returns the changes made
/// after this point. A stamp is valid only for the world that returned it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Identifier of the world state that the stamp belongs to. Loading a state assigns a new
    /// identifier.
    state: u64,
    tick: u64,
}

impl Stamp {
    /// Stamp before all changes. Every tile counts as changed since this stamp.
    pub const NEVER: Self = Self { state: 0, tick: 0 };

    /// Returns the stamp as two numbers for serialization. [`NEVER`](Self::NEVER) is converted to
    /// two zeros.
    pub const fn to_numbers(self) -> [u64; 2] {
        [self.state, self.tick]
    }

    /// Creates a stamp from the two numbers that [`to_numbers`](Self::to_numbers) returned.
    pub const fn from_numbers([state, tick]: [u64; 2]) -> Self {
        Self { state, tick }
    }
}

/// Rectangle of cells: columns `x..x + nx`, rows `y..y + ny`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// First column.
    pub x: usize,
    /// First row.
    pub y: usize,
    /// Number of columns.
    pub nx: usize,
    /// Number of rows.
    pub ny: usize,
}

impl Tile {
    /// Returns a tile that covers a whole grid of `nx × ny` cells.
    pub const fn all([nx, ny]: [usize; 2]) -> Self {
        Self { x: 0, y: 0, nx, ny }
    }

    /// Returns the tile expanded by `margin` cells on each side and clipped to a grid of `nx × ny`
    /// cells.
    pub fn expanded(self, margin: usize, [nx, ny]: [usize; 2]) -> Self {
        let (x, y) = (self.x.saturating_sub(margin).min(nx), self.y.saturating_sub(margin).min(ny));
        let end = |at: usize, n: usize| at.saturating_add(n).saturating_add(margin);
        let end = [end(self.x, self.nx).min(nx), end(self.y, self.ny).min(ny)];
        Self { x, y, nx: end[0].saturating_sub(x), ny: end[1].saturating_sub(y) }
    }

    /// Iterates over the positions `(x, y)` (column and row) of the cells in the tile, row by row.
    pub fn cells(self) -> impl Iterator<Item = (usize, usize)> {
        let (columns, rows) = (self.x.saturating_add(self.nx), self.y.saturating_add(self.ny));
        (self.y..rows).flat_map(move |y| (self.x..columns).map(move |x| (x, y)))
    }
}

/// Tiles that have changed since a stamp.
///
/// A renderer keeps one `Changes` value and updates it once per frame, reusing its allocation:
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
    /// Tiles that may have changed, without duplicates. The values of a layer may have changed
    /// outside of these tiles too, within the layer's [`reach`](crate::Layer::reach).
    pub tiles: Vec<Tile>,
    /// Point in the change history up to which `tiles` is complete. The next update starts from
    /// this stamp.
    pub stamp: Stamp,
}

impl Changes {
    /// Returns changes that cover the whole grid of `nx × ny` cells. Worlds that do not track
    /// changes return this value.
    pub fn all(nx: usize, ny: usize) -> Self {
        Self { tiles: vec![Tile::all([nx, ny])], stamp: Stamp::NEVER }
    }
}

/// Change history of the tiles of a grid, or of items such as pools. For each tile or item it
/// contains the tick (a counter of steps and edits) of the last change.
#[derive(Debug)]
pub(crate) struct ChangeTracker {
    nx: usize,
    ny: usize,
    now: Stamp,
    /// Tick of the last change, for each tile (in row-major order) or for each item.
    last_change_ticks: Vec<u64>,
    /// Groups of tiles that are marked as changed together, by group id.
    /// [`merge_groups`](Self::merge_groups) empties the map.
    groups: HashMap<u32, TileGroup>,
}

#[derive(Debug)]
struct TileGroup {
    tiles: Vec<usize>,
    last_change_tick: u64,
}

impl Default for ChangeTracker {
    fn default() -> Self {
        Self::new(0, 0)
    }
}

impl Clone for ChangeTracker {
    fn clone(&self) -> Self {
        Self { nx: self.nx, ny: self.ny, ..Self::with_len(self.last_change_ticks.len()) }
    }
}

impl ChangeTracker {
    pub(crate) fn new(nx: usize, ny: usize) -> Self {
        Self { nx, ny, ..Self::with_len(nx.div_ceil(TILE) * ny.div_ceil(TILE)) }
    }

    /// Creates a tracker of `len` items, such as pools, that cover areas of varying shape. At
    /// first, all items count as changed.
    pub(crate) fn with_len(len: usize) -> Self {
        // Every tracker has a different number, so that stamps of other states are recognized.
        static STATES: AtomicU64 = AtomicU64::new(1);
        let now = Stamp { state: STATES.fetch_add(1, Ordering::Relaxed), tick: 1 };
        Self { nx: 0, ny: 0, now, last_change_ticks: vec![1; len], groups: HashMap::new() }
    }

    /// Returns the number of tile columns.
    fn tile_columns(&self) -> usize {
        self.nx.div_ceil(TILE)
    }

    /// Starts a new tick, for example before a step or an edit. For a stamp taken before this call,
    /// everything marked after this call counts as changed.
    pub(crate) fn next_tick(&mut self) {
        self.now.tick += 1;
    }

    pub(crate) fn mark_tile(&mut self, column: usize, row: usize) {
        self.mark_index(row * self.tile_columns() + column);
    }

    pub(crate) fn mark_index(&mut self, index: usize) {
        self.last_change_ticks[index] = self.now.tick;
    }

    /// Marks the tile that contains the cell `(x, y)` as changed.
    pub(crate) fn mark_cell(&mut self, x: usize, y: usize) {
        self.mark_tile(x / TILE, y / TILE);
    }

    /// Marks a group of tiles as changed in constant time, for example the tiles of a lake. The
    /// closure `tiles` returns the column and row of each tile in the group. It is called only the
    /// first time that the group is marked after [`merge_groups`](Self::merge_groups).
    pub(crate) fn mark_group(&mut self, group: u32, tiles: impl FnOnce() -> Vec<(usize, usize)>) {
        let (now, columns) = (self.now.tick, self.tile_columns());
        let index = |(column, row)| row * columns + column;
        let new =
            || TileGroup { tiles: tiles().into_iter().map(index).collect(), last_change_tick: now };
        self.groups.entry(group).or_insert_with(new).last_change_tick = now;
    }

    /// Copies the tick of each group to the tiles in the group, and removes all groups.
    pub(crate) fn merge_groups(&mut self) {
        for TileGroup { tiles, last_change_tick } in self.groups.values() {
            for &tile in tiles {
                let tick = &mut self.last_change_ticks[tile];
                *tick = (*tick).max(*last_change_tick);
            }
        }
        self.groups.clear();
    }

    pub(crate) fn mark_all(&mut self) {
        self.last_change_ticks.fill(self.now.tick);
    }

    fn tile(&self, index: usize) -> Tile {
        tile_at(index % self.tile_columns(), index / self.tile_columns(), [self.nx, self.ny])
    }

    /// Returns the tick of a stamp. If the stamp belongs to another state, returns 0, so that every
    /// tile counts as changed.
    fn tick_of(&self, stamp: Stamp) -> u64 {
        if stamp.state == self.now.state { stamp.tick } else { 0 }
    }

    /// Replaces the contents of `changes` with the tiles that were marked after the stamp in
    /// `changes`, and updates the stamp. Reuses the allocation.
    pub(crate) fn update_changes(&self, changes: &mut Changes) {
        let since = self.tick_of(changes.stamp);
        changes.stamp = self.now;
        changes.tiles.clear();
        let own = self.last_change_ticks.iter().enumerate().filter(|&(_, &last)| last > since);
        changes.tiles.extend(own.map(|(index, _)| self.tile(index)));
        let groups = self.groups.values().filter(|group| group.last_change_tick > since);
        let indices = groups.flat_map(|group| &group.tiles);
        let of_groups = indices.filter(|&&index| self.last_change_ticks[index] <= since);
        let before = changes.tiles.len();
        changes.tiles.extend(of_groups.map(|&index| self.tile(index)));
        if changes.tiles.len() > before {
            sort_and_dedup(&mut changes.tiles);
        }
    }

    /// Replaces the contents of `changes` with the tiles covered by items that were marked after
    /// the stamp in `changes`, on a grid of `nx × ny` cells. `covers` yields, for each item, its
    /// index and the ranges of columns and rows that the item covers.
    pub(crate) fn update_changes_from_items(
        &self,
        changes: &mut Changes,
        grid: [usize; 2],
        covers: impl Iterator<Item = (usize, [Range<usize>; 2])>,
    ) {
        let tiles = &mut changes.tiles;
        tiles.clear();
        if changes.stamp.state == self.now.state {
            let since = changes.stamp.tick;
            let changed = covers.filter(|&(item, _)| self.last_change_ticks[item] > since);
            for [columns, rows] in changed.map(|(_, place)| place) {
                for row in rows.start / TILE..rows.end.div_ceil(TILE) {
                    let columns = columns.start / TILE..columns.end.div_ceil(TILE);
                    tiles.extend(columns.map(|column| tile_at(column, row, grid)));
                }
            }
            sort_and_dedup(tiles);
        } else {
            // Items of an earlier state may have covered any cell.
            let [columns, rows] = grid.map(|cells| cells.div_ceil(TILE));
            tiles.extend((0..columns * rows).map(|i| tile_at(i % columns, i / columns, grid)));
        }
        changes.stamp = self.now;
    }
}

fn tile_at(column: usize, row: usize, [nx, ny]: [usize; 2]) -> Tile {
    let (x, y) = (column * TILE, row * TILE);
    Tile { x, y, nx: TILE.min(nx - x), ny: TILE.min(ny - y) }
}

fn sort_and_dedup(tiles: &mut Vec<Tile>) {
    tiles.sort_unstable_by_key(|tile| (tile.y, tile.x));
    tiles.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;

    impl ChangeTracker {
        fn changes_since(&self, stamp: Stamp) -> Changes {
            let mut changes = Changes { tiles: Vec::new(), stamp };
            self.update_changes(&mut changes);
            changes
        }
    }

    #[test]
    fn marks_since_a_stamp_are_reported_once() {
        let mut tracker = ChangeTracker::new(130, 70);
        let first = tracker.changes_since(Stamp::NEVER);
        assert_eq!(first.tiles.len(), 6);
        assert!(tracker.changes_since(first.stamp).tiles.is_empty());
        tracker.next_tick();
        tracker.mark_cell(129, 69);
        let second = tracker.changes_since(first.stamp);
        assert_eq!(second.tiles, [Tile { x: 128, y: 64, nx: 2, ny: 6 }]);
        assert!(tracker.changes_since(second.stamp).tiles.is_empty());
        assert_eq!(tracker.changes_since(first.stamp), second);
    }

    #[test]
    fn marking_a_group_marks_all_its_tiles() {
        let mut tracker = ChangeTracker::new(130, 70);
        let first = tracker.changes_since(Stamp::NEVER).stamp;
        let numbers = |tracker: &ChangeTracker, stamp| -> Vec<usize> {
            tracker
                .changes_since(stamp)
                .tiles
                .iter()
                .map(|tile| tile.y / TILE * 3 + tile.x / TILE)
                .collect()
        };
        tracker.next_tick();
        tracker.mark_group(7, || vec![(0, 0), (2, 1)]);
        assert_eq!(numbers(&tracker, first), [0, 5]);
        let second = tracker.changes_since(first).stamp;
        assert!(numbers(&tracker, second).is_empty());
        tracker.next_tick();
        tracker.mark_group(7, || unreachable!("the group exists"));
        tracker.merge_groups();
        assert_eq!(numbers(&tracker, second), [0, 5]);
        tracker.mark_group(7, || vec![(1, 0)]);
        assert_eq!(numbers(&tracker, second), [0, 1, 5]);
    }

    #[test]
    fn items_report_the_tiles_that_they_cover() {
        let mut tracker = ChangeTracker::with_len(3);
        let covers = |item: usize| (item, [item * 64..item * 64 + 1, 10..70]);
        let since = |tracker: &ChangeTracker, stamp| {
            let mut changes = Changes { tiles: Vec::new(), stamp };
            tracker.update_changes_from_items(&mut changes, [130, 70], (0..3).map(covers));
            changes
        };
        let first = since(&tracker, Stamp::NEVER);
        assert_eq!(first.tiles.len(), 6, "an unknown stamp reports the whole grid");
        tracker.next_tick();
        tracker.mark_index(2);
        let found = since(&tracker, first.stamp);
        let tile = |y, ny| Tile { x: 128, y, nx: 2, ny };
        assert_eq!(found.tiles, [tile(0, 64), tile(64, 6)]);
        assert!(since(&tracker, found.stamp).tiles.is_empty());
    }

    #[test]
    fn stamps_of_another_state_report_everything() {
        let tracker = ChangeTracker::new(64, 64);
        let stamp = tracker.changes_since(Stamp::NEVER).stamp;
        assert_eq!(tracker.clone().changes_since(stamp).tiles.len(), 1);
    }
}

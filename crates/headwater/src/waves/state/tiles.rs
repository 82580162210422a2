//! Tiles: rectangular blocks of cells for which motion and changes of the surface are tracked. A
//! step skips a tile if nothing moves in the tile and in its neighbours.

use crate::changes::{self, ChangeTracker, Changes, neighbour_tiles};
use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

pub(in crate::waves) type ColumnRun = (usize, usize);

#[derive(Debug, Default)]
pub(in crate::waves) struct ActiveRuns {
    tiles: RunsByRow,
    /// Ranges of columns in which y-faces are updated, listed for some rows of y-faces: those
    /// between two rows of tiles, and those on the northern and southern edge. A column is included
    /// if the tile to the north or the tile to the south is updated.
    face_runs_by_row: RunsByRow,
}

impl ActiveRuns {
    pub(in crate::waves) fn tile_runs(&self, row: usize) -> &[ColumnRun] {
        self.tiles.row(row)
    }

    /// Returns the ranges of columns in which the y-faces of row `y` (0 to `ny`) are updated.
    pub(in crate::waves) fn face_runs(&self, y: usize, ny: usize) -> &[ColumnRun] {
        if y.is_multiple_of(TILE_HEIGHT) || y == ny {
            self.face_runs_by_row.row(y.div_ceil(TILE_HEIGHT))
        } else {
            self.tiles.row(y / TILE_HEIGHT)
        }
    }
}

#[derive(Debug, Default)]
struct RunsByRow {
    runs: Vec<ColumnRun>,
    ends: Vec<usize>,
}

impl RunsByRow {
    fn row(&self, row: usize) -> &[ColumnRun] {
        let start = if row > 0 { self.ends[row - 1] } else { 0 };
        &self.runs[start..self.ends[row]]
    }

    fn rows(&self) -> impl Iterator<Item = &[ColumnRun]> {
        (0..self.ends.len()).map(|row| self.row(row))
    }

    /// Replaces all ranges with the columns of selected tiles. `is_included` receives the column
    /// and row of a tile and returns whether it is selected. Adjacent tiles are merged into one
    /// range.
    fn fill_from_tiles(
        &mut self,
        nx: usize,
        rows: usize,
        is_included: impl Fn(usize, usize) -> bool,
    ) {
        self.runs.clear();
        self.ends.clear();
        for row in 0..rows {
            let start = self.runs.len();
            for x in (0..nx.div_ceil(TILE_WIDTH)).filter(|&x| is_included(x, row)) {
                let (from, to) = (x * TILE_WIDTH, ((x + 1) * TILE_WIDTH).min(nx));
                match self.runs[start..].last_mut() {
                    Some(last) if last.1 == from => last.1 = to,
                    _ => self.runs.push((from, to)),
                }
            }
            self.ends.push(self.runs.len());
        }
    }
}

pub(in crate::waves) const TILE_WIDTH: usize = 128;
pub(in crate::waves) const TILE_HEIGHT: usize = 32;
/// Number of steps between two scans of the tiles for motion. It is less than the size of a tile in
/// cells, so that no wave can cross a tile undetected.
pub(in crate::waves) const STEPS_PER_SCAN: u64 = 8;

/// Activity state of a tile. A tile with a nonzero flux is in motion. At the turning point of a
/// wave, a moving tile can have no flux for a single step. A tile is therefore put to sleep only
/// after two consecutive steps without flux.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TileState {
    /// The tile is in motion or may be in motion.
    Awake,
    /// The tile had no flux in the last scanned step.
    Still,
    /// The tile is at rest. Steps do not change it until a neighbour is in motion.
    Asleep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::waves) enum Scan {
    /// First of two scans, in which awake tiles without flux become still.
    First,
    /// Second of two scans, in which still tiles without flux fall asleep.
    Second,
}

impl Scan {
    pub(in crate::waves) fn from_step(steps: u64) -> Option<Self> {
        match steps % STEPS_PER_SCAN {
            6 => Some(Scan::First),
            7 => Some(Scan::Second),
            _ => None,
        }
    }

    pub(in crate::waves) fn bit(self) -> u8 {
        match self {
            Self::First => 1,
            Self::Second => 2,
        }
    }

    pub(in crate::waves) fn is_marked(self, marks: u8) -> bool {
        marks & self.bit() != 0
    }

    /// Returns the state of a tile after this scan. `before` is the state before the scan.
    /// `is_moving` is true if the tile has a nonzero flux.
    fn next_state(self, before: TileState, is_moving: bool) -> TileState {
        match (self, before, is_moving) {
            (_, _, true) => TileState::Awake,
            (Scan::First, TileState::Awake, false) => TileState::Still,
            (Scan::Second, TileState::Still, false) => TileState::Asleep,
            _ => before,
        }
    }
}

/// Activity states of all tiles, and the record of their changes. Activity states affect only the
/// speed of steps, not their results.
#[derive(Clone, Debug, Default)]
pub(in crate::waves) struct Tiles {
    nx: usize,
    ny: usize,
    across: usize,
    down: usize,
    tiles: Vec<TileState>,
    /// Tracker of the tiles that have changed. It marks tiles when they are woken and when a step
    /// updates them.
    tracker: ChangeTracker,
}

impl Tiles {
    pub(in crate::waves) fn new(nx: usize, ny: usize) -> Self {
        let (across, down) = (nx.div_ceil(TILE_WIDTH), ny.div_ceil(TILE_HEIGHT));
        let tiles = vec![TileState::Awake; across * down];
        Self { nx, ny, across, down, tiles, tracker: ChangeTracker::new(nx, ny) }
    }

    pub(in crate::waves) fn update_changes(&self, changes: &mut Changes) {
        self.tracker.update_changes(changes);
    }

    pub(in crate::waves) fn wake_all(&mut self) {
        self.tiles.fill(TileState::Awake);
        self.tracker.next_tick();
        self.tracker.mark_all();
    }

    pub(in crate::waves) fn wake(&mut self, columns: Range<usize>, rows: Range<usize>) {
        if columns.is_empty() || rows.is_empty() {
            return;
        }
        for y in rows.start / TILE_HEIGHT..rows.end.div_ceil(TILE_HEIGHT).min(self.down) {
            for x in columns.start / TILE_WIDTH..columns.end.div_ceil(TILE_WIDTH).min(self.across) {
                self.tiles[y * self.across + x] = TileState::Awake;
            }
        }
        self.mark_changed(columns, rows);
    }

    fn mark_changed(&mut self, columns: Range<usize>, rows: Range<usize>) {
        const SIDE: usize = changes::TILE;
        self.tracker.next_tick();
        for y in rows.start / SIDE..rows.end.min(self.ny).div_ceil(SIDE) {
            for x in columns.start / SIDE..columns.end.min(self.nx).div_ceil(SIDE) {
                self.tracker.mark_tile(x, y);
            }
        }
    }

    pub(in crate::waves) fn mark_runs_changed(&mut self, runs: &ActiveRuns) {
        for (y, runs) in runs.tiles.rows().enumerate() {
            for &(from, to) in runs {
                self.mark_changed(from..to, y * TILE_HEIGHT..(y + 1) * TILE_HEIGHT);
            }
        }
    }

    pub(in crate::waves) fn awake_count(&self) -> usize {
        self.tiles.iter().filter(|&&tile| tile != TileState::Asleep).count()
    }

    pub(in crate::waves) fn new_marks(&self) -> impl Iterator<Item = AtomicU8> {
        self.tiles.iter().map(|_| AtomicU8::new(0))
    }

    /// Updates the states of the tiles in `runs` with the motion flags that a scan has set in
    /// `marks`.
    pub(in crate::waves) fn record_scan(
        &mut self,
        scan: Scan,
        marks: &[AtomicU8],
        runs: &ActiveRuns,
    ) {
        for (y, runs) in runs.tiles.rows().enumerate() {
            for &(from, to) in runs {
                for x in from / TILE_WIDTH..to.div_ceil(TILE_WIDTH) {
                    let i = y * self.across + x;
                    let moves = scan.is_marked(marks[i].load(Ordering::Relaxed));
                    self.tiles[i] = scan.next_state(self.tiles[i], moves);
                }
            }
        }
    }

    /// Finds the ranges of columns that the next step must update. They contain all awake tiles and
    /// their neighbours, including neighbours across periodic edges.
    pub(in crate::waves) fn find_runs(&self, runs: &mut ActiveRuns, periodic: [bool; 2]) {
        let (nx, down) = (self.nx, self.down);
        runs.tiles.fill_from_tiles(nx, down, |x, y| self.is_awake_or_beside_awake(x, y, periodic));
        runs.face_runs_by_row.fill_from_tiles(nx, down + 1, |x, y| {
            let sides = [y.checked_sub(1).unwrap_or(down - 1), y % down];
            sides.into_iter().any(|y| self.is_awake_or_beside_awake(x, y, periodic))
        });
    }

    /// Returns whether a tile is awake or has a neighbour that is awake.
    fn is_awake_or_beside_awake(&self, x: usize, y: usize, periodic: [bool; 2]) -> bool {
        neighbour_tiles(y, self.ny, TILE_HEIGHT, periodic[1]).any(|y| {
            neighbour_tiles(x, self.nx, TILE_WIDTH, periodic[0])
                .any(|x| self.tiles[y * self.across + x] != TileState::Asleep)
        })
    }
}

//! Which parts of the surface move, and which have changed. A tile in which nothing has moved, nor around it, is left
//! out of a step: moving it would change no bit.

use crate::changes::{self, Changes, Tracker};
use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

/// Columns `from..to` of the cells.
pub(super) type Run = (usize, usize);

/// Columns of a tile.
pub(super) const WIDTH: usize = 128;
/// Rows of a tile.
pub(super) const HEIGHT: usize = 32;
/// Steps from one scan of the tiles to the next. A wave gets one cell further in a step, so it cannot
/// cross a tile, of more cells than this, unseen.
pub(super) const PERIOD: u64 = 8;

/// How a tile is. One that moves has a flux; one without any may be at a turning point, but not for two
/// steps: if fluxes stay 0, heights stay as they are, and so do fluxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tile {
    /// It moves, or may do so.
    Awake,
    /// It had no flux in the last step.
    Still,
    /// Stepping it changes no bit, as long as its neighbours do not move.
    Asleep,
}

/// A scan of the tiles for motion; two steps in a row have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scan {
    /// Tiles without a flux are still.
    First,
    /// Tiles that are still and without a flux fall asleep.
    Second,
}

impl Scan {
    /// The scan of the step that follows `steps` others.
    pub(super) fn of(steps: u64) -> Option<Self> {
        match steps % PERIOD {
            6 => Some(Scan::First),
            7 => Some(Scan::Second),
            _ => None,
        }
    }

    /// What stands for the scan in a tile's marks.
    pub(super) fn bit(self) -> u8 {
        match self {
            Self::First => 1,
            Self::Second => 2,
        }
    }

    /// Whether it is among these marks.
    pub(super) fn is_in(self, marks: u8) -> bool {
        marks & self.bit() != 0
    }

    /// How a tile is, that was `before` and now moves or not.
    fn note(self, before: Tile, moves: bool) -> Tile {
        match (self, before, moves) {
            (_, _, true) => Tile::Awake,
            (Scan::First, Tile::Awake, false) => Tile::Still,
            (Scan::Second, Tile::Still, false) => Tile::Asleep,
            _ => before,
        }
    }
}

/// The tiles of a grid. No part of the state: with all tiles awake, the bits are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Tiles {
    /// Columns and rows of cells.
    nx: usize,
    ny: usize,
    across: usize,
    down: usize,
    tiles: Vec<Tile>,
    /// What has changed. Whatever changes a cell has woken it or moves it in a run.
    tracker: Tracker,
}

impl Tiles {
    /// The tiles of an `nx × ny` grid: all awake, and new.
    pub(super) fn new(nx: usize, ny: usize) -> Self {
        let (across, down) = (nx.div_ceil(WIDTH), ny.div_ceil(HEIGHT));
        let tiles = vec![Tile::Awake; across * down];
        Self { nx, ny, across, down, tiles, tracker: Tracker::new(nx, ny) }
    }

    /// Takes the place of those of another state of the same world.
    pub(super) fn follow(&mut self, before: &Self) {
        self.tracker.follow(&before.tracker);
    }

    /// Brings changes up to date.
    pub(super) fn update_changes(&self, changes: &mut Changes) {
        self.tracker.update(changes);
    }

    /// Wakes every tile.
    pub(super) fn wake_all(&mut self) {
        self.tiles.fill(Tile::Awake);
        self.tracker.begin();
        self.tracker.mark_all();
    }

    /// Wakes the tiles of the cells in `columns` and `rows`.
    pub(super) fn wake(&mut self, columns: Range<usize>, rows: Range<usize>) {
        if columns.is_empty() || rows.is_empty() {
            return;
        }
        for y in rows.start / HEIGHT..rows.end.div_ceil(HEIGHT).min(self.down) {
            for x in columns.start / WIDTH..columns.end.div_ceil(WIDTH).min(self.across) {
                self.tiles[y * self.across + x] = Tile::Awake;
            }
        }
        self.mark(columns, rows);
    }

    /// Marks the cells in `columns` and `rows` as changed.
    fn mark(&mut self, columns: Range<usize>, rows: Range<usize>) {
        const SIDE: usize = changes::TILE;
        self.tracker.begin();
        for y in rows.start / SIDE..rows.end.min(self.ny).div_ceil(SIDE) {
            for x in columns.start / SIDE..columns.end.min(self.nx).div_ceil(SIDE) {
                self.tracker.mark_tile(x, y);
            }
        }
    }

    /// Marks the cells of the runs that a step moves as changed.
    pub(super) fn mark_runs(&mut self, runs: &[Vec<Run>]) {
        for (y, runs) in runs.iter().enumerate() {
            for &(from, to) in runs {
                self.mark(from..to, y * HEIGHT..(y + 1) * HEIGHT);
            }
        }
    }

    /// How many tiles are awake.
    pub(super) fn count(&self) -> usize {
        self.tiles.iter().filter(|&&tile| tile != Tile::Asleep).count()
    }

    /// Marks for every tile, with none set.
    pub(super) fn marks(&self) -> Vec<AtomicU8> {
        self.tiles.iter().map(|_| AtomicU8::new(0)).collect()
    }

    /// Notes what a scan has marked in the `runs` that were moved.
    pub(super) fn note(&mut self, scan: Scan, marks: &[AtomicU8], runs: &[Vec<Run>]) {
        for (y, runs) in runs.iter().enumerate() {
            for &(from, to) in runs {
                for x in from / WIDTH..to.div_ceil(WIDTH) {
                    let i = y * self.across + x;
                    let moves = scan.is_in(marks[i].load(Ordering::Relaxed));
                    self.tiles[i] = scan.note(self.tiles[i], moves);
                }
            }
        }
    }

    /// For each row of tiles, the runs of columns `(from, to)` to be moved: those of awake tiles and
    /// of their neighbours. The grid may close around from side to side.
    pub(super) fn runs(&self, around: [bool; 2]) -> Vec<Vec<Run>> {
        (0..self.down).map(|y| self.runs_of(y, around)).collect()
    }

    fn runs_of(&self, y: usize, around: [bool; 2]) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for x in 0..self.across {
            if !self.near_awake(x, y, around) {
                continue;
            }
            let (from, to) = (x * WIDTH, ((x + 1) * WIDTH).min(self.nx));
            match runs.last_mut() {
                Some(last) if last.1 == from => last.1 = to,
                _ => runs.push((from, to)),
            }
        }
        runs
    }

    fn near_awake(&self, x: usize, y: usize, around: [bool; 2]) -> bool {
        let near = |at: usize, n: usize, around: bool| {
            let before = if at > 0 { Some(at - 1) } else { around.then(|| n - 1) };
            let after = if at + 1 < n { Some(at + 1) } else { around.then_some(0) };
            [Some(at), before, after].into_iter().flatten()
        };
        near(y, self.down, around[1]).any(|y| {
            near(x, self.across, around[0]).any(|x| self.tiles[y * self.across + x] != Tile::Asleep)
        })
    }
}

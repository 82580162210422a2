//! Tiles: rectangular blocks of cells that track where the surface moves and where it has changed.
//! A step skips a tile if nothing moves in it or in its neighbours.

use crate::changes::{self, Changes, Tracker, neighbour_tiles};
use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

pub(in crate::waves) type Run = (usize, usize);

#[derive(Debug, Default)]
pub(in crate::waves) struct Runs {
    tiles: RunRows,
    /// Ranges of columns whose y-faces are updated, for the faces between rows of tiles (and on the
    /// north and south edges): columns with motion on either side.
    between: RunRows,
}

impl Runs {
    pub(in crate::waves) fn tile_runs(&self, row: usize) -> &[Run] {
        self.tiles.row(row)
    }

    /// Returns the ranges of columns whose y-faces are updated in row `y` of the y-faces, `0..=ny`.
    pub(in crate::waves) fn face_runs(&self, y: usize, ny: usize) -> &[Run] {
        if y.is_multiple_of(TILE_HEIGHT) || y == ny {
            self.between.row(y.div_ceil(TILE_HEIGHT))
        } else {
            self.tiles.row(y / TILE_HEIGHT)
        }
    }
}

#[derive(Debug, Default)]
struct RunRows {
    runs: Vec<Run>,
    ends: Vec<usize>,
}

impl RunRows {
    fn row(&self, row: usize) -> &[Run] {
        let start = if row > 0 { self.ends[row - 1] } else { 0 };
        &self.runs[start..self.ends[row]]
    }

    fn rows(&self) -> impl Iterator<Item = &[Run]> {
        (0..self.ends.len()).map(|row| self.row(row))
    }

    /// Replaces all runs with those of the tiles for which `is_included` (column, row) returns
    /// true. Adjacent tiles share a run.
    fn fill(&mut self, nx: usize, rows: usize, is_included: impl Fn(usize, usize) -> bool) {
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
/// Number of steps between two scans of the tiles for motion. It is less than the tile size in
/// cells, so that no wave crosses a tile undetected.
pub(in crate::waves) const STEPS_PER_SCAN: u64 = 8;

/// Activity state of a tile. A moving tile has a non-zero flux. A tile without flux may be at a
/// turning point of a wave, but for one step only, so a tile sleeps only after two consecutive
/// steps without flux.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tile {
    /// The tile moves or may move.
    Awake,
    /// The tile had no flux in the last step.
    Still,
    /// The tile is at rest. Steps do not change it until a neighbour moves.
    Asleep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::waves) enum Scan {
    /// First of two scans: awake tiles without flux become still.
    First,
    /// Second of two scans: still tiles without flux fall asleep.
    Second,
}

impl Scan {
    pub(in crate::waves) fn of(steps: u64) -> Option<Self> {
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

    /// Returns the new state of a tile after this scan. `moves` is true if the tile has a non-zero
    /// flux.
    fn next_state(self, before: Tile, moves: bool) -> Tile {
        match (self, before, moves) {
            (_, _, true) => Tile::Awake,
            (Scan::First, Tile::Awake, false) => Tile::Still,
            (Scan::Second, Tile::Still, false) => Tile::Asleep,
            _ => before,
        }
    }
}

/// Activity states and change marks of all tiles. They do not affect results: with all tiles awake,
/// steps compute the same values.
#[derive(Clone, Debug, Default)]
pub(in crate::waves) struct Tiles {
    nx: usize,
    ny: usize,
    across: usize,
    down: usize,
    tiles: Vec<Tile>,
    /// Change marks of the tiles. Every change of a cell either wakes its tile or happens in an
    /// active run.
    tracker: Tracker,
}

impl Tiles {
    pub(in crate::waves) fn new(nx: usize, ny: usize) -> Self {
        let (across, down) = (nx.div_ceil(TILE_WIDTH), ny.div_ceil(TILE_HEIGHT));
        let tiles = vec![Tile::Awake; across * down];
        Self { nx, ny, across, down, tiles, tracker: Tracker::new(nx, ny) }
    }

    pub(in crate::waves) fn update_changes(&self, changes: &mut Changes) {
        self.tracker.update(changes);
    }

    pub(in crate::waves) fn wake_all(&mut self) {
        self.tiles.fill(Tile::Awake);
        self.tracker.next_tick();
        self.tracker.mark_all();
    }

    pub(in crate::waves) fn wake(&mut self, columns: Range<usize>, rows: Range<usize>) {
        if columns.is_empty() || rows.is_empty() {
            return;
        }
        for y in rows.start / TILE_HEIGHT..rows.end.div_ceil(TILE_HEIGHT).min(self.down) {
            for x in columns.start / TILE_WIDTH..columns.end.div_ceil(TILE_WIDTH).min(self.across) {
                self.tiles[y * self.across + x] = Tile::Awake;
            }
        }
        self.mark(columns, rows);
    }

    fn mark(&mut self, columns: Range<usize>, rows: Range<usize>) {
        const SIDE: usize = changes::TILE;
        self.tracker.next_tick();
        for y in rows.start / SIDE..rows.end.min(self.ny).div_ceil(SIDE) {
            for x in columns.start / SIDE..columns.end.min(self.nx).div_ceil(SIDE) {
                self.tracker.mark_tile(x, y);
            }
        }
    }

    pub(in crate::waves) fn mark_runs(&mut self, runs: &Runs) {
        for (y, runs) in runs.tiles.rows().enumerate() {
            for &(from, to) in runs {
                self.mark(from..to, y * TILE_HEIGHT..(y + 1) * TILE_HEIGHT);
            }
        }
    }

    pub(in crate::waves) fn count(&self) -> usize {
        self.tiles.iter().filter(|&&tile| tile != Tile::Asleep).count()
    }

    pub(in crate::waves) fn marks(&self) -> impl Iterator<Item = AtomicU8> {
        self.tiles.iter().map(|_| AtomicU8::new(0))
    }

    /// Updates the states of the tiles in `runs` with the motion marks of a scan.
    pub(in crate::waves) fn record_scan(&mut self, scan: Scan, marks: &[AtomicU8], runs: &Runs) {
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

    /// Finds the ranges of columns that the next step must update: those of awake tiles and of
    /// their neighbours, including neighbours across periodic edges.
    pub(in crate::waves) fn find_runs(&self, runs: &mut Runs, periodic: [bool; 2]) {
        let (nx, down) = (self.nx, self.down);
        runs.tiles.fill(nx, down, |x, y| self.near_awake(x, y, periodic));
        runs.between.fill(nx, down + 1, |x, y| {
            let sides = [y.checked_sub(1).unwrap_or(down - 1), y % down];
            sides.into_iter().any(|y| self.near_awake(x, y, periodic))
        });
    }

    /// Returns whether a tile is awake or has an awake neighbour.
    fn near_awake(&self, x: usize, y: usize, periodic: [bool; 2]) -> bool {
        neighbour_tiles(y, self.ny, TILE_HEIGHT, periodic[1]).any(|y| {
            neighbour_tiles(x, self.nx, TILE_WIDTH, periodic[0])
                .any(|x| self.tiles[y * self.across + x] != Tile::Asleep)
        })
    }
}

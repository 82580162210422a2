//! Tiles of the grid, and the detection of tiles that a step may skip because it would change
//! neither these tiles nor their neighbours.

use super::rows::ColumnRun;
use crate::changes::{ChangeTracker, TILE, neighbour_tiles};
use crate::field::Field;
use crate::flow::boundary::state::Periodicity;
use crate::parallel::for_each_row_pair;
use crate::scratch::ScratchPool;
use std::ops::Range;

pub(crate) const TILE_SIZE: usize = TILE;

/// Number of steps between two checks for tiles at rest. Changes travel at most two cells per step,
/// so they cannot cross a tile between two checks.
const STEPS_PER_CHECK: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TileState {
    /// Water moves or may move in the tile.
    Awake,
    /// The first of two checks for rest found no moving water in the tile.
    Still,
    /// The tile is at rest: a step leaves all its bits unchanged as long as its neighbours are also
    /// at rest.
    Asleep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CheckPhase {
    /// Single check, without a second one: a tile without motion falls asleep immediately.
    Single,
    /// First of two checks: a tile without motion is marked as still.
    First,
    /// Second of two checks, one step after the first: a still tile without motion falls asleep.
    Second,
}

impl CheckPhase {
    fn next_state(self, old_state: TileState, is_moving: bool) -> TileState {
        match (self, old_state, is_moving) {
            (_, _, true) => TileState::Awake,
            (CheckPhase::Single, ..) | (CheckPhase::Second, TileState::Still, _) => {
                TileState::Asleep
            }
            (CheckPhase::First, TileState::Awake, _) => TileState::Still,
            _ => old_state,
        }
    }
}

/// Tiles of a grid, with the activity state of each tile. Skipping sleeping tiles only saves work:
/// the results would be the same if all tiles were awake.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tiles {
    nx: usize,
    ny: usize,
    across: usize,
    tiles: Vec<TileState>,
    /// Largest depth (m) in each tile when the tile fell asleep.
    max_depths: Vec<f32>,
    /// Rows over which a maximum is computed; `None` for all rows of the grid.
    included_rows: Option<Range<usize>>,
    since: usize,
    /// Whether the next check for tiles at rest is the second of two consecutive checks.
    second_check_is_due: bool,
}

/// Rows and columns that the next pass steps, divided into strips from north to south.
#[derive(Clone, Debug, Default)]
pub(super) struct StripPlan {
    pub(super) all: Vec<StripRange>,
    runs: Vec<ColumnRun>,
}

/// Strip of rows that one task steps. `runs` selects the column ranges that are stepped in this
/// strip: it is a range of indices in the list of the [`StripPlan`].
#[derive(Clone, Debug)]
pub(super) struct StripRange {
    pub(super) rows: Range<usize>,
    runs: Range<usize>,
}

impl StripPlan {
    pub(super) fn runs(&self, strip: &StripRange) -> &[ColumnRun] {
        &self.runs[strip.runs.clone()]
    }
}

impl Tiles {
    /// Adapts the list of tiles to a grid of `nx × ny` cells. If the size of the grid has changed,
    /// all tiles become awake.
    pub(in crate::flow) fn resize(&mut self, nx: usize, ny: usize) {
        if (self.nx, self.ny) != (nx, ny) {
            let across = nx.div_ceil(TILE_SIZE);
            let tiles = vec![TileState::Awake; across * ny.div_ceil(TILE_SIZE)];
            let max_depths = vec![0.0; tiles.len()];
            let included_rows = self.included_rows.take();
            *self = Self {
                nx,
                ny,
                across,
                tiles,
                max_depths,
                included_rows,
                since: 0,
                second_check_is_due: false,
            };
        }
    }

    /// Schedules a check for tiles at rest after the next step, on a grid of `nx × ny` cells.
    pub(crate) fn schedule_check(&mut self, nx: usize, ny: usize) {
        self.resize(nx, ny);
        self.since = STEPS_PER_CHECK;
    }

    pub(crate) fn restrict_to_rows(&mut self, rows: Range<usize>) {
        self.included_rows = Some(rows);
    }

    pub(super) fn included_rows(&self, rows: Range<usize>) -> Range<usize> {
        match &self.included_rows {
            None => rows,
            Some(included) => rows.start.max(included.start)..rows.end.min(included.end),
        }
    }

    pub(crate) fn wake_all(&mut self) {
        self.tiles.fill(TileState::Awake);
    }

    /// Wakes the tiles that contain the given cells. Does nothing if the list of tiles is still
    /// empty, because new tiles are awake.
    pub(crate) fn wake(&mut self, cells: impl IntoIterator<Item = (usize, usize)>) {
        for (x, y) in cells {
            if let Some(tile) = self.tiles.get_mut(y / TILE_SIZE * self.across + x / TILE_SIZE) {
                *tile = TileState::Awake;
            }
        }
    }

    /// Starts a new tick of `changes`, the record of the times at which tiles changed. Marks all
    /// tiles that the next step may change: the awake tiles and their neighbours.
    pub(in crate::flow) fn mark_stepped_tiles(
        &self,
        periodic: Periodicity,
        changes: &mut ChangeTracker,
    ) {
        changes.next_tick();
        if self.tiles.is_empty() {
            changes.mark_all();
        }
        for i in 0..self.tiles.len() {
            let (x, y) = (i % self.across, i / self.across);
            if self.is_awake_or_beside_awake(x, y, [periodic.x, periodic.y]) {
                changes.mark_tile(x, y);
            }
        }
    }

    pub(in crate::flow) fn count_awake(&self, nx: usize, ny: usize) -> usize {
        if (self.nx, self.ny) == (nx, ny) {
            self.tiles.iter().filter(|&&tile| tile != TileState::Asleep).count()
        } else {
            nx.div_ceil(TILE_SIZE) * ny.div_ceil(TILE_SIZE)
        }
    }

    /// Returns the number of cells that the next step updates on a grid of `nx × ny` cells.
    /// Periodic edges are ignored.
    pub(crate) fn stepped_cell_count(&self, nx: usize, ny: usize) -> usize {
        if (self.nx, self.ny) != (nx, ny) {
            return nx * ny;
        }
        let across = self.across;
        let stepped = (0..self.tiles.len())
            .filter(|i| self.is_awake_or_beside_awake(i % across, i / across, [false; 2]));
        let cells = stepped.map(|i| tile_cells(i, across, nx, ny));
        cells.map(|(columns, rows)| columns.len() * rows.len()).sum()
    }

    /// Adds `steps` to the number of steps since the last check for tiles at rest. Returns the
    /// check that is now due, if any. If `twice` is true, every check is followed by a second one.
    pub(super) fn next_check(&mut self, steps: usize, twice: bool) -> Option<CheckPhase> {
        self.since += steps;
        if std::mem::take(&mut self.second_check_is_due) {
            return Some(CheckPhase::Second);
        }
        if self.since < STEPS_PER_CHECK {
            return None;
        }
        (self.since, self.second_check_is_due) = (0, twice);
        Some(if twice { CheckPhase::First } else { CheckPhase::Single })
    }

    /// Checks which of the stepped tiles are at rest. `moves(columns, rows)` returns true if water
    /// moves in the tile with the given columns and rows.
    pub(super) fn check_rest(
        &mut self,
        check: CheckPhase,
        periodic: [bool; 2],
        depth: &Field<f32>,
        scratch: &ScratchPool,
        moves: impl Fn(Range<usize>, Range<usize>) -> bool + Sync,
    ) {
        let (nx, ny, across) = (self.nx, self.ny, self.across);
        let near_awake = |i: usize| self.is_awake_or_beside_awake(i % across, i / across, periodic);
        let stepped = scratch.take_collected((0..self.tiles.len()).map(near_awake));
        let every = Range { start: 0, end: ny };
        let included_rows = self.included_rows(every);
        for_each_row_pair(&mut self.tiles, 1, &mut self.max_depths, 1, |i, tile, deepest| {
            if stepped[i] {
                let (columns, rows) = tile_cells(i, across, nx, ny);
                tile[0] = check.next_state(tile[0], moves(columns.clone(), rows.clone()));
                if tile[0] == TileState::Asleep {
                    let of_row = |y: usize| depth.row(y)[columns.clone()].iter().copied();
                    let rows = rows.start.max(included_rows.start)..rows.end.min(included_rows.end);
                    deepest[0] = rows.flat_map(of_row).fold(0.0, f32::max);
                }
            }
        });
    }

    /// Iterates over tiles that a step skips. An item consists of the columns, the rows and the
    /// largest depth (m) of a tile. All edges of the grid are treated as periodic, so a few tiles
    /// that a step skips may be missing from the result.
    pub(super) fn skipped_tiles(&self) -> impl Iterator<Item = (Range<usize>, Range<usize>, f32)> {
        let all = self.max_depths.iter().enumerate();
        let skipped =
            |i: usize| !self.is_awake_or_beside_awake(i % self.across, i / self.across, [true; 2]);
        all.filter(move |(i, _)| skipped(*i)).map(|(i, &deepest)| {
            let (columns, rows) = tile_cells(i, self.across, self.nx, self.ny);
            (columns, self.included_rows(rows), deepest)
        })
    }

    /// Appends to `runs` the columns of all tiles that are not in
    /// [`skipped_tiles`](Self::skipped_tiles), and to `ends` the length of `runs` after each row of
    /// tiles. Sleeping neighbours of awake tiles are included, because water may enter a tile
    /// before it wakes.
    pub(super) fn append_stepped_runs(&self, runs: &mut Vec<ColumnRun>, ends: &mut Vec<usize>) {
        for y in 0..self.tiles.len() / self.across.max(1) {
            let stepped =
                (0..self.across).filter(|&x| self.is_awake_or_beside_awake(x, y, [true; 2]));
            runs.extend(stepped.map(|x| self.tile_columns(x)));
            ends.push(runs.len());
        }
    }

    fn tile_columns(&self, x: usize) -> ColumnRun {
        ColumnRun { from: x * TILE_SIZE, to: ((x + 1) * TILE_SIZE).min(self.nx) }
    }

    /// Returns whether a step updates any of the tiles in tile row `y`.
    fn is_stepped(&self, y: usize, periodic: [bool; 2]) -> bool {
        (0..self.across).any(|x| self.is_awake_or_beside_awake(x, y, periodic))
    }

    /// Divides the tiles to be stepped, which are awake tiles and their neighbours, into strips for
    /// `threads` threads.
    pub(super) fn plan_strips(
        &self,
        parts: &mut StripPlan,
        periodic: [bool; 2],
        threads: usize,
        scratch: &ScratchPool,
    ) {
        let StripPlan { all, runs } = parts;
        all.clear();
        runs.clear();
        let down = self.tiles.len() / self.across.max(1);
        let active = (0..down).filter(|&y| self.is_stepped(y, periodic)).count();
        // Keeps the overlap that a strip computes for its neighbours small compared with its own
        // rows.
        let max_rows = if threads == 1 { down } else { active.div_ceil(4 * threads).max(2) };
        let (mut both, mut sum) = (scratch.take_vec(), 0);
        for y in 0..down {
            let start = runs.len();
            self.push_runs(runs, y, periodic);
            if runs.len() == start {
                continue;
            }
            let rows = y * TILE_SIZE..((y + 1) * TILE_SIZE).min(self.ny);
            let cells = total_width(&runs[start..]) * rows.len();
            if let Some(last) = all.last_mut() {
                both.clear();
                both.extend_from_slice(&runs[last.runs.start..]);
                merge_runs(&mut both);
                let joint = last.rows.start..rows.end;
                let grown = total_width(&both) * joint.len();
                let fits =
                    joint.len().div_ceil(TILE_SIZE) <= max_rows && 4 * grown <= 5 * (sum + cells);
                if last.rows.end == rows.start && fits {
                    runs.truncate(last.runs.start);
                    runs.extend_from_slice(&both);
                    (last.rows, last.runs.end) = (joint, runs.len());
                    sum += cells;
                    continue;
                }
            }
            all.push(StripRange { rows, runs: start..runs.len() });
            sum = cells;
        }
    }

    /// Appends to `runs` the ranges of columns that a step updates in tile row `y`.
    fn push_runs(&self, runs: &mut Vec<ColumnRun>, y: usize, periodic: [bool; 2]) {
        let start = runs.len();
        for x in (0..self.across).filter(|&x| self.is_awake_or_beside_awake(x, y, periodic)) {
            let run = self.tile_columns(x);
            match runs[start..].last_mut() {
                Some(last) if last.to == run.from => last.to = run.to,
                _ => runs.push(run),
            }
        }
        // Both sides of a periodic west-east edge are stepped together.
        let at_seam = runs[start..].iter().any(|run| run.from == 0 || run.to == self.nx);
        if periodic[0] && at_seam {
            runs.truncate(start);
            runs.push(ColumnRun { from: 0, to: self.nx });
        }
    }

    fn is_awake_or_beside_awake(&self, x: usize, y: usize, periodic: [bool; 2]) -> bool {
        neighbour_tiles(y, self.ny, TILE_SIZE, periodic[1]).any(|y| {
            neighbour_tiles(x, self.nx, TILE_SIZE, periodic[0])
                .any(|x| self.tiles[y * self.across + x] != TileState::Asleep)
        })
    }
}

fn tile_cells(index: usize, across: usize, nx: usize, ny: usize) -> (Range<usize>, Range<usize>) {
    let (x, y) = (index % across * TILE_SIZE, index / across * TILE_SIZE);
    (x..(x + TILE_SIZE).min(nx), y..(y + TILE_SIZE).min(ny))
}

fn total_width(runs: &[ColumnRun]) -> usize {
    runs.iter().map(|run| run.to - run.from).sum()
}

/// Sorts the runs by their first column and merges those that overlap or touch.
fn merge_runs(runs: &mut Vec<ColumnRun>) {
    runs.sort_unstable_by_key(|run| run.from);
    runs.dedup_by(|run, last| {
        let meets = run.from <= last.to;
        if meets {
            last.to = last.to.max(run.to);
        }
        meets
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiles(nx: usize, ny: usize, awake: &[(usize, usize)]) -> Tiles {
        let mut tiles = Tiles::default();
        tiles.resize(nx, ny);
        tiles.tiles.fill(TileState::Asleep);
        tiles.wake(awake.iter().copied());
        tiles
    }

    fn parts(
        tiles: &Tiles,
        periodic: [bool; 2],
        threads: usize,
    ) -> Vec<(Range<usize>, Vec<ColumnRun>)> {
        let mut parts = StripPlan::default();
        tiles.plan_strips(&mut parts, periodic, threads, &ScratchPool::default());
        parts.all.iter().map(|part| (part.rows.clone(), parts.runs(part).to_vec())).collect()
    }

    #[test]
    fn an_awake_tile_is_stepped_with_its_neighbours() {
        let parts_of = |awake: &_, threads| parts(&tiles(640, 640, awake), [false; 2], threads);
        assert_eq!(
            parts_of(&[(200, 330)][..], 1),
            [(256..448, vec![ColumnRun { from: 128, to: 320 }])]
        );
        assert!(parts_of(&[], 4).is_empty());
    }

    #[test]
    fn water_entering_a_sleeping_tile_counts_before_the_next_check() {
        let tiles = tiles(640, 640, &[(200, 330)]);
        let depth = Field::new(640, 640, 0.0);
        let greatest = |at: (usize, usize)| {
            let fill = |y: usize, columns: Range<usize>, row: &mut [f32]| {
                let here = columns
                    .zip(row)
                    .map(|(x, value)| (if (x, y) == at { 5.0 } else { 1.0 }, value));
                here.for_each(|(found, value)| *value = found);
            };
            tiles.max_over_cells(&ScratchPool::default(), &depth, |_| 0.5, fill)
        };
        assert_eq!(greatest((200, 330)), (5.0, (200, 330)));
        assert_eq!(greatest((130, 260)), (5.0, (130, 260)), "beside one that is awake");
        assert_eq!(greatest((10, 10)).0, 1.0, "what is not stepped is not looked at");
    }

    #[test]
    fn tiles_across_a_periodic_edge_are_neighbours() {
        let parts = parts(&tiles(640, 640, &[(0, 0)]), [true; 2], 1);
        let all = vec![ColumnRun { from: 0, to: 640 }];
        assert_eq!(parts, [(0..128, all.clone()), (576..640, all)]);
    }

    #[test]
    fn distant_tiles_form_separate_parts() {
        let parts = parts(&tiles(6400, 640, &[(0, 0), (6000, 600)]), [false; 2], 2);
        assert_eq!(parts.len(), 2);
        assert!(parts.iter().all(|(_, runs)| total_width(runs) <= 3 * TILE_SIZE), "{parts:?}");
    }
}

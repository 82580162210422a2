//! Which parts of the grid are stepped. A tile where stepping would change no bit, nor around it, is left out.

use super::rows::Run;
use crate::changes::{TILE, Tracker, neighbour_tiles};
use crate::field::Field;
use crate::flow::outside::Joined;
use crate::parallel::for_each_row_pair;
use crate::scratch::ScratchPool;
use std::ops::Range;

pub(crate) const SIZE: usize = TILE;

/// Steps between checks of the tiles. Changes spread two cells a step, so none crosses a tile
/// unseen.
const PERIOD: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tile {
    /// Anything moves in it, or may move.
    Awake,
    /// Nothing moved in it in the last step.
    Still,
    /// Stepping it changes no bit, as long as nothing moves around it.
    Asleep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Check {
    /// One check is enough: what does not move sleeps.
    Only,
    /// The first of two: what does not move is still.
    First,
    /// The second, a step later: what is still and does not move sleeps.
    Second,
}

impl Check {
    fn note(self, before: Tile, moves: bool) -> Tile {
        match (self, before, moves) {
            (_, _, true) => Tile::Awake,
            (Check::Only, ..) | (Check::Second, Tile::Still, _) => Tile::Asleep,
            (Check::First, Tile::Awake, _) => Tile::Still,
            _ => before,
        }
    }
}

/// The tiles of a grid. No part of the state: with all tiles awake, the bits are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tiles {
    nx: usize,
    ny: usize,
    across: usize,
    tiles: Vec<Tile>,
    /// The greatest depth (m) in each tile when it fell asleep.
    deepest: Vec<f32>,
    /// The rows that count where something is looked for in all of the grid; `None` for all.
    counted: Option<Range<usize>>,
    since: usize,
    /// Whether the next check is the second of two.
    again: bool,
}

/// What is stepped, in parts from north to south.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    pub(super) all: Vec<Part>,
    runs: Vec<Run>,
}

/// Rows that one task steps, and which of the runs are the columns of them.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) rows: Range<usize>,
    runs: Range<usize>,
}

impl Parts {
    pub(super) fn runs(&self, part: &Part) -> &[Run] {
        &self.runs[part.runs.clone()]
    }
}

impl Tiles {
    /// Makes sure that there are tiles for an `nx × ny` grid; new ones are awake.
    pub(in crate::flow) fn fit(&mut self, nx: usize, ny: usize) {
        if (self.nx, self.ny) != (nx, ny) {
            let across = nx.div_ceil(SIZE);
            let tiles = vec![Tile::Awake; across * ny.div_ceil(SIZE)];
            let deepest = vec![0.0; tiles.len()];
            let counted = self.counted.take();
            *self = Self { nx, ny, across, tiles, deepest, counted, since: 0, again: false };
        }
    }

    /// Has the tiles of an `nx × ny` grid, all awake, looked at after the next step, and not some steps later.
    pub(crate) fn look_soon(&mut self, nx: usize, ny: usize) {
        self.fit(nx, ny);
        self.since = PERIOD;
    }

    pub(crate) fn count_only(&mut self, rows: Range<usize>) {
        self.counted = Some(rows);
    }

    pub(super) fn counted(&self, rows: Range<usize>) -> Range<usize> {
        match &self.counted {
            None => rows,
            Some(counted) => rows.start.max(counted.start)..rows.end.min(counted.end),
        }
    }

    pub(crate) fn wake_all(&mut self) {
        self.tiles.fill(Tile::Awake);
    }

    /// Wakes the tiles of some cells. Those not yet fitted are awake anyway.
    pub(crate) fn wake(&mut self, cells: impl IntoIterator<Item = (usize, usize)>) {
        for (x, y) in cells {
            if let Some(tile) = self.tiles.get_mut(y / SIZE * self.across + x / SIZE) {
                *tile = Tile::Awake;
            }
        }
    }

    /// Begins a change, and marks what the next step may change: awake tiles and those around them.
    pub(in crate::flow) fn mark_stepped(&self, joined: Joined, changes: &mut Tracker) {
        changes.next_tick();
        if self.tiles.is_empty() {
            changes.mark_all();
        }
        for i in 0..self.tiles.len() {
            let (x, y) = (i % self.across, i / self.across);
            if self.near_awake(x, y, [joined.x, joined.y]) {
                changes.mark_tile(x, y);
            }
        }
    }

    pub(in crate::flow) fn count(&self, nx: usize, ny: usize) -> usize {
        if (self.nx, self.ny) == (nx, ny) {
            self.tiles.iter().filter(|&&tile| tile != Tile::Asleep).count()
        } else {
            nx.div_ceil(SIZE) * ny.div_ceil(SIZE)
        }
    }

    /// How many cells of an `nx × ny` grid are stepped, where no edges are joined.
    pub(crate) fn cells_stepped(&self, nx: usize, ny: usize) -> usize {
        if (self.nx, self.ny) != (nx, ny) {
            return nx * ny;
        }
        let across = self.across;
        let stepped =
            (0..self.tiles.len()).filter(|i| self.near_awake(i % across, i / across, [false; 2]));
        let cells = stepped.map(|i| place(i, across, nx, ny));
        cells.map(|(columns, rows)| columns.len() * rows.len()).sum()
    }

    /// Counts steps; says whether it is time to check the tiles, `twice` in a row if one check is not enough.
    pub(super) fn check_after(&mut self, steps: usize, twice: bool) -> Option<Check> {
        self.since += steps;
        if std::mem::take(&mut self.again) {
            return Some(Check::Second);
        }
        if self.since < PERIOD {
            return None;
        }
        (self.since, self.again) = (0, twice);
        Some(if twice { Check::First } else { Check::Only })
    }

    /// Checks the tiles that are stepped. `moves` says of a tile's columns and rows whether anything moves there.
    pub(super) fn check(
        &mut self,
        check: Check,
        joined: [bool; 2],
        depth: &Field<f32>,
        scratch: &ScratchPool,
        moves: impl Fn(Range<usize>, Range<usize>) -> bool + Sync,
    ) {
        let (nx, ny, across) = (self.nx, self.ny, self.across);
        let near_awake = |i: usize| self.near_awake(i % across, i / across, joined);
        let stepped = scratch.collect((0..self.tiles.len()).map(near_awake));
        let every = Range { start: 0, end: ny };
        let counted = self.counted(every);
        for_each_row_pair(&mut self.tiles, 1, &mut self.deepest, 1, |i, tile, deepest| {
            if stepped[i] {
                let (columns, rows) = place(i, across, nx, ny);
                tile[0] = check.note(tile[0], moves(columns.clone(), rows.clone()));
                if tile[0] == Tile::Asleep {
                    let of_row = |y: usize| depth.row(y)[columns.clone()].iter().copied();
                    let rows = rows.start.max(counted.start)..rows.end.min(counted.end);
                    deepest[0] = rows.flat_map(of_row).fold(0.0, f32::max);
                }
            }
        });
    }

    /// The tiles that are not stepped: columns, rows, and greatest depth (m). Edges count as
    /// joined, which leaves out fewer.
    pub(super) fn left_out(&self) -> impl Iterator<Item = (Range<usize>, Range<usize>, f32)> {
        let all = self.deepest.iter().enumerate();
        let left_out = |i: usize| !self.near_awake(i % self.across, i / self.across, [true; 2]);
        all.filter(move |(i, _)| left_out(*i)).map(|(i, &deepest)| {
            let (columns, rows) = place(i, self.across, self.nx, self.ny);
            (columns, self.counted(rows), deepest)
        })
    }

    /// The columns of all other tiles, and where those of each row of tiles end. Water runs into a
    /// sleeping tile before it wakes.
    pub(super) fn runs_stepped(&self, runs: &mut Vec<Run>, ends: &mut Vec<usize>) {
        for y in 0..self.tiles.len() / self.across.max(1) {
            let stepped = (0..self.across).filter(|&x| self.near_awake(x, y, [true; 2]));
            runs.extend(stepped.map(|x| self.columns(x)));
            ends.push(runs.len());
        }
    }

    fn columns(&self, x: usize) -> Run {
        Run { from: x * SIZE, to: ((x + 1) * SIZE).min(self.nx) }
    }

    /// Whether any tile is stepped in a row of them.
    fn is_stepped(&self, y: usize, joined: [bool; 2]) -> bool {
        (0..self.across).any(|x| self.near_awake(x, y, joined))
    }

    /// What is stepped, in parts for about so many threads: awake tiles and their neighbours.
    pub(super) fn part(
        &self,
        parts: &mut Parts,
        joined: [bool; 2],
        threads: usize,
        scratch: &ScratchPool,
    ) {
        let Parts { all, runs } = parts;
        all.clear();
        runs.clear();
        let down = self.tiles.len() / self.across.max(1);
        let active = (0..down).filter(|&y| self.is_stepped(y, joined)).count();
        // What a part works out for its neighbours' sake should be little beside its own.
        let most = if threads == 1 { down } else { active.div_ceil(4 * threads).max(2) };
        let (mut both, mut sum) = (scratch.vec(), 0);
        for y in 0..down {
            let start = runs.len();
            self.push_runs(runs, y, joined);
            if runs.len() == start {
                continue;
            }
            let rows = y * SIZE..((y + 1) * SIZE).min(self.ny);
            let cells = width(&runs[start..]) * rows.len();
            if let Some(last) = all.last_mut() {
                both.clear();
                both.extend_from_slice(&runs[last.runs.start..]);
                unite(&mut both);
                let joint = last.rows.start..rows.end;
                let grown = width(&both) * joint.len();
                let fits = joint.len().div_ceil(SIZE) <= most && 4 * grown <= 5 * (sum + cells);
                if last.rows.end == rows.start && fits {
                    runs.truncate(last.runs.start);
                    runs.extend_from_slice(&both);
                    (last.rows, last.runs.end) = (joint, runs.len());
                    sum += cells;
                    continue;
                }
            }
            all.push(Part { rows, runs: start..runs.len() });
            sum = cells;
        }
    }

    /// Adds the runs of columns to be stepped in a row of tiles.
    fn push_runs(&self, runs: &mut Vec<Run>, y: usize, joined: [bool; 2]) {
        let start = runs.len();
        for x in (0..self.across).filter(|&x| self.near_awake(x, y, joined)) {
            let run = self.columns(x);
            match runs[start..].last_mut() {
                Some(last) if last.to == run.from => last.to = run.to,
                _ => runs.push(run),
            }
        }
        // What lies on either side of a seam is stepped together.
        let at_seam = runs[start..].iter().any(|run| run.from == 0 || run.to == self.nx);
        if joined[0] && at_seam {
            runs.truncate(start);
            runs.push(Run { from: 0, to: self.nx });
        }
    }

    fn near_awake(&self, x: usize, y: usize, joined: [bool; 2]) -> bool {
        neighbour_tiles(y, self.ny, SIZE, joined[1]).any(|y| {
            neighbour_tiles(x, self.nx, SIZE, joined[0])
                .any(|x| self.tiles[y * self.across + x] != Tile::Asleep)
        })
    }
}

fn place(i: usize, across: usize, nx: usize, ny: usize) -> (Range<usize>, Range<usize>) {
    let (x, y) = (i % across * SIZE, i / across * SIZE);
    (x..(x + SIZE).min(nx), y..(y + SIZE).min(ny))
}

fn width(runs: &[Run]) -> usize {
    runs.iter().map(|run| run.to - run.from).sum()
}

/// Makes one list of runs of two that follow one another, in order.
fn unite(runs: &mut Vec<Run>) {
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
        tiles.fit(nx, ny);
        tiles.tiles.fill(Tile::Asleep);
        tiles.wake(awake.iter().copied());
        tiles
    }

    fn parts(tiles: &Tiles, joined: [bool; 2], threads: usize) -> Vec<(Range<usize>, Vec<Run>)> {
        let mut parts = Parts::default();
        tiles.part(&mut parts, joined, threads, &ScratchPool::default());
        parts.all.iter().map(|part| (part.rows.clone(), parts.runs(part).to_vec())).collect()
    }

    #[test]
    fn a_tile_is_stepped_with_those_around_it() {
        let parts_of = |awake: &_, threads| parts(&tiles(640, 640, awake), [false; 2], threads);
        assert_eq!(parts_of(&[(200, 330)][..], 1), [(256..448, vec![Run { from: 128, to: 320 }])]);
        assert!(parts_of(&[], 4).is_empty());
    }

    #[test]
    fn what_has_run_into_a_tile_that_sleeps_counts_before_the_tile_is_looked_at_again() {
        let tiles = tiles(640, 640, &[(200, 330)]);
        let depth = Field::new(640, 640, 0.0);
        let greatest = |at: (usize, usize)| {
            let fill = |y: usize, columns: Range<usize>, row: &mut [f32]| {
                let here = columns
                    .zip(row)
                    .map(|(x, value)| (if (x, y) == at { 5.0 } else { 1.0 }, value));
                here.for_each(|(found, value)| *value = found);
            };
            tiles.greatest(&ScratchPool::default(), &depth, |_| 0.5, fill)
        };
        assert_eq!(greatest((200, 330)), (5.0, (200, 330)));
        assert_eq!(greatest((130, 260)), (5.0, (130, 260)), "beside one that is awake");
        assert_eq!(greatest((10, 10)).0, 1.0, "what is not stepped is not looked at");
    }

    #[test]
    fn what_lies_across_a_seam_is_near() {
        let parts = parts(&tiles(640, 640, &[(0, 0)]), [true; 2], 1);
        let all = vec![Run { from: 0, to: 640 }];
        assert_eq!(parts, [(0..128, all.clone()), (576..640, all)]);
    }

    #[test]
    fn tiles_far_apart_make_parts_of_their_own() {
        let parts = parts(&tiles(6400, 640, &[(0, 0), (6000, 600)]), [false; 2], 2);
        assert_eq!(parts.len(), 2);
        assert!(parts.iter().all(|(_, runs)| width(runs) <= 3 * SIZE), "{parts:?}");
    }
}

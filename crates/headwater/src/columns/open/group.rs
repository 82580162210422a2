//! [`Group`]: connected chunks on one board. Unloaded cells there are wall, or ghost cells.

use super::chunk::{Chunk, Flow, Walls};
use super::heights::{PER_HEIGHT, TALL, bottom, row_above};
use crate::columns::board::Board;
use crate::columns::layout::Layout;
use crate::columns::params::Params;
use crate::columns::state::State;
use crate::columns::walls::{Speed, for_each_opening, give_speeds};
use crate::columns::world::Columns;
use crate::error::InputError;
use crate::field::Field;
use crate::open::{Borders, Bounds, CHUNK, ChunkPos};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A cell of an unloaded chunk into which water may pass.
#[derive(Clone, Debug)]
pub(super) struct Ghost {
    pub(super) chunk: ChunkPos,
    /// Number of the cell in its chunk, row by row.
    pub(super) number: u16,
    /// Its columns of water, and the height of its floor on the board (quanta).
    pub(super) columns: Range<usize>,
    pub(super) floor: i32,
}

/// Connected chunks.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) world: Columns,
    pub(super) bounds: Bounds,
    pub(super) chunks: BTreeMap<ChunkPos, Walls>,
    pub(super) ghosts: Vec<Ghost>,
}

/// The side of each neighbour, in the order of [`ChunkPos::sides`], that faces a chunk.
const FACING: [usize; 4] = [1, 0, 3, 2];

/// State shared by all groups of a world.
#[derive(Clone, Copy)]
pub(super) struct Common<'a> {
    pub(super) params: &'a Params,
    /// Size of a cell (m).
    pub(super) cell: f64,
    pub(super) steps: u64,
    pub(super) borders: &'a Borders<[i64; 1]>,
}

/// The walls of a board, and its ghost cells: chunk, number in it, column and row on the board.
type BoardParts = (Field<bool>, Vec<(ChunkPos, u16, (usize, usize))>);

/// The board of some chunks.
pub(super) fn board(
    chunks: &BTreeMap<ChunkPos, Walls>,
    bounds: &Bounds,
    borders: &Borders<[i64; 1]>,
) -> BoardParts {
    let mut board = Field::new(bounds.size[0], bounds.size[1], true);
    let mut ghosts = Vec::new();
    for (&chunk, walls) in chunks {
        let (left, top) = bounds.cell(chunk.origin());
        for (x, rows) in walls.all_runs() {
            rows.for_each(|y| board[(left + x, top + y)] = false);
        }
        let around = chunk.sides().into_iter().zip(FACING);
        for (ghost, side) in around.filter_map(|(ghost, side)| Some((ghost?, side))) {
            if chunks.contains_key(&ghost) {
                continue;
            }
            let Some(edges) = borders.open_edges(ghost) else { continue };
            let [left, top] = ghost.origin();
            for (x, y) in edges.air(side) {
                let place = bounds.cell([left + x as i64, top + y as i64]);
                board[place] = false;
                ghosts.push((ghost, (y * CHUNK + x) as u16, place));
            }
        }
    }
    ghosts.sort_unstable();
    ghosts.dedup();
    (board, ghosts)
}

impl Group {
    /// Makes a group of chunks. Pools that stay as they were in `olds` keep their state.
    ///
    /// # Errors
    /// [`InputError`] if they do not fit on a board.
    pub(super) fn assemble(
        loaded: BTreeMap<ChunkPos, Chunk>,
        common: Common,
        olds: &[Self],
        changed: &BTreeSet<ChunkPos>,
    ) -> Result<Self, InputError> {
        let bounds = Bounds::of_board(loaded.keys().copied())?;
        let walls = |(chunk, data): (&ChunkPos, &Chunk)| (*chunk, data.walls.clone());
        let chunks: BTreeMap<_, _> = loaded.iter().map(walls).collect();
        let (board, ghosts) = board(&chunks, &bounds, common.borders);
        let per_cell = common.params.columns_per_cell as usize;
        let layout =
            Layout::with_height(Board::new(&board), common.cell, per_cell, PER_HEIGHT as usize);
        let mut depth = vec![0; layout.columns()];
        let mut foam = vec![0.0_f32; layout.columns()];
        let mut speeds = Vec::new();
        for (&chunk, data) in &loaded {
            let (left, top) = bounds.cell(chunk.origin());
            for (x, rows, from) in data.columns() {
                let columns = layout.columns_of_cell(left + x, top + rows.end - 1);
                for (c, i) in columns.zip(from) {
                    depth[c] += data.depth[i];
                    foam[c] = foam[c].max(data.foam[i]);
                }
            }
            let up = (bottom(chunk) - bounds.bottom()) as i32;
            speeds.extend(data.flows.iter().map(|flow| Speed {
                x: left * per_cell + usize::from(flow.x),
                sill: up + flow.sill,
                lintel: up + flow.lintel,
                speed: flow.speed,
            }));
        }
        let mut state = State::new(depth, &layout, false);
        state.foam = foam;
        give_speeds(&layout, &mut state, speeds);
        let excess = vec![0; layout.columns()];
        let mut world = Columns::of_state(common.params.clone(), layout, state, excess);
        world.steps = common.steps;
        let mut group = Self { world, bounds, chunks, ghosts: Vec::new() };
        group.place_ghosts(ghosts);
        group.inherit(olds, changed);
        Ok(group)
    }

    /// The group of a world whose board is that of its chunks.
    pub(super) fn of_world(
        world: Columns,
        bounds: Bounds,
        chunks: BTreeMap<ChunkPos, Walls>,
        borders: &Borders<[i64; 1]>,
    ) -> Self {
        let (_, ghosts) = board(&chunks, &bounds, borders);
        let mut group = Self { world, bounds, chunks, ghosts: Vec::new() };
        group.place_ghosts(ghosts);
        group
    }

    fn place_ghosts(&mut self, ghosts: Vec<(ChunkPos, u16, (usize, usize))>) {
        let layout = &self.world.layout;
        let place = |(chunk, number, (x, y))| Ghost {
            chunk,
            number,
            columns: layout.columns_of_cell(x, y),
            floor: (self.bounds.size[1] - 1 - y) as i32 * PER_HEIGHT,
        };
        self.ghosts = ghosts.into_iter().map(place).collect();
    }

    /// Applies edits of walls.
    pub(super) fn rebuild(&mut self, borders: &Borders<[i64; 1]>) {
        let (board, ghosts) = board(&self.chunks, &self.bounds, borders);
        self.world.set_board(&board);
        self.place_ghosts(ghosts);
    }

    /// Whether a height of the board (quanta) lies in a loaded chunk, in a column of cells.
    fn is_loaded(&self, x: usize, height: i32) -> bool {
        let row = row_above(self.bounds.bottom() + i64::from(height));
        let cell = [self.bounds.cell_of(x, 0)[0], row];
        ChunkPos::of(cell).is_some_and(|chunk| self.chunks.contains_key(&chunk))
    }

    /// All its water (quanta).
    pub(super) fn volume(&self) -> i64 {
        self.world.state.depth.iter().map(|&depth| i64::from(depth)).sum()
    }

    /// A chunk of it in its present state.
    pub(super) fn chunk(&self, chunk: ChunkPos) -> Option<Chunk> {
        let walls = self.chunks.get(&chunk)?;
        let (layout, state) = (&self.world.layout, &self.world.state);
        let (left, top) = self.bounds.cell(chunk.origin());
        let (mut depths, mut foam) = (Vec::new(), Vec::new());
        let height = |row: usize| (self.bounds.size[1] - top - row) as i32 * PER_HEIGHT;
        for (x, rows) in walls.all_runs() {
            let columns = layout.columns_of_cell(left + x, top + rows.end - 1);
            let (floor, ceiling) = (height(rows.end), height(rows.start));
            // The unloaded part of a column has no water. Excess water is in the uppermost chunk.
            let first = columns.start;
            let mut lowest = layout.floor[first];
            while lowest < floor && !self.is_loaded(left + x, lowest) {
                lowest += PER_HEIGHT;
            }
            let is_uppermost =
                ceiling >= layout.ceiling[first] || !self.is_loaded(left + x, ceiling);
            for c in columns {
                let above = (state.depth[c] - (floor - lowest)).max(0);
                depths.push(if is_uppermost { above } else { above.min(ceiling - floor) });
                foam.push(state.foam[c]);
            }
        }
        let per_cell = layout.per_cell as u32;
        let flows = self.flows_in(chunk);
        Some(Chunk { per_cell, walls: walls.clone(), depth: depths, foam, flows })
    }

    /// Calls `work` with the loaded chunks that a pool may reach, some more than once.
    pub(super) fn for_each_chunk_of(&self, pool: usize, mut work: impl FnMut(ChunkPos)) {
        let layout = &self.world.layout;
        let pool = &layout.pools[pool];
        let mut last = None;
        for c in pool.columns.clone().step_by(layout.per_cell) {
            let x = (pool.x0 + c - pool.columns.start) / layout.per_cell;
            let ends = [layout.ceiling[c] - 1, layout.floor[c]].map(|height| {
                let row = row_above(self.bounds.bottom() + i64::from(height));
                ChunkPos::of([self.bounds.cell_of(x, 0)[0], row])
            });
            let [Some(top), Some(bottom)] = ends else { continue };
            if last.replace((top, bottom)) != Some((top, bottom)) {
                let all = (top.y..=bottom.y).map(|y| ChunkPos::new(top.x, y));
                all.filter(|chunk| self.chunks.contains_key(chunk)).for_each(&mut work);
            }
        }
    }

    /// The flows in a chunk.
    fn flows_in(&self, chunk: ChunkPos) -> Vec<Flow> {
        let Columns { layout, state, .. } = &self.world;
        let first = self.bounds.cell(chunk.origin()).0 * layout.per_cell;
        let columns = first..first + CHUNK * layout.per_cell;
        let low = (bottom(chunk) - self.bounds.bottom()) as i32;
        let mut flows = Vec::new();
        for_each_opening(layout, columns.clone(), |opening, which| {
            let speed = which.speed(state);
            let lintel = opening.reached(layout, state).min(low + TALL);
            let sill = opening.sill.max(low);
            if speed != 0.0 && lintel > sill {
                let x = (opening.x - columns.start) as u16;
                flows.push(Flow { x, sill: sill - low, lintel: lintel - low, speed });
            }
        });
        flows.sort_unstable_by_key(|flow| (flow.x, flow.sill));
        flows
    }
}
